/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-name-filter.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-pattern.h"

struct _KymoNameFilter
{
  KymoPattern *pattern;                /* or NULL: all */
};

/** kymo_name_filter_new: Returns: (transfer full): one that lets all pass */
KymoNameFilter *
kymo_name_filter_new (void)
{
  return g_new0 (KymoNameFilter, 1);
}

/** kymo_name_filter_free: @self: (transfer full) */
void
kymo_name_filter_free (KymoNameFilter *self)
{
  g_clear_pointer (&self->pattern, kymo_pattern_free);
  g_free (self);
}

static void
tell_name_filter (GtkWidget *entry, const GError *error)
{
  if (entry == NULL)
    return;
  if (error != NULL)
    gtk_widget_add_css_class (entry, "error");
  else
    gtk_widget_remove_css_class (entry, "error");
  gtk_widget_set_tooltip_text (entry, error != NULL ? error->message
                               : _("A part of names, or a /regular expression/"));
}

/* (transfer full): what is between the slashes, or NULL where it is a plain text */
static char *
dup_expression (const char *text)
{
  gsize length = strlen (text);

  if (length < 2 || *text != '/')
    return NULL;
  return g_strndup (text + 1, length - 1 - (length > 2 && text[length - 1] == '/'));
}

/**
 * kymo_name_filter_set_text:
 * @text: a part of names in any case, or an expression between slashes; "" lets all pass
 * @entry: (nullable): its tooltip tells an error in @text, with the style "error", or its syntax
 *
 * Where the expression is not valid the filter stays as it is.
 */
void
kymo_name_filter_set_text (KymoNameFilter *self, const char *text, GtkWidget *entry)
{
  g_autofree char *expression = dup_expression (text);
  g_autoptr (GError) error = NULL;
  KymoPattern *pattern = NULL;

  if (*text != '\0')
    pattern = kymo_pattern_new (expression != NULL ? expression : text, expression != NULL,
                                &error);
  tell_name_filter (entry, error);
  if (error != NULL)
    return;
  g_clear_pointer (&self->pattern, kymo_pattern_free);
  self->pattern = pattern;
}

/** kymo_name_filter_matches: @name: (nullable) */
gboolean
kymo_name_filter_matches (KymoNameFilter *self, const char *name)
{
  return self->pattern == NULL
         || kymo_pattern_matches (self->pattern, name != NULL ? name : "", NULL);
}

/**
 * kymo_name_filter_typed:
 * @text: of a search
 * @regex: whether @text is a regular expression
 *
 * Returns: (transfer full): the text for kymo_name_filter_set_text() that lets the same names pass
 */
char *
kymo_name_filter_typed (const char *text, gboolean regex)
{
  return regex && *text != '\0' ? g_strdup_printf ("/%s/", text) : g_strdup (text);
}
