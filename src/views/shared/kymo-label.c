/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-label.h"

#include <string.h>

#include "kymo-name.h"
#include "kymo-safe-text.h"

/* (transfer full) (nullable): what can be read of it; @kept: see kymo_safe_text_append() */
static char *
dup_readable (const char *text, const char *kept)
{
  g_autofree char *shown = kymo_name_shown (text);
  GString *safe;

  if (shown == NULL)
    return NULL;
  safe = g_string_new (NULL);
  kymo_safe_text_append (safe, shown, -1, kept);
  return g_string_free (safe, FALSE);
}

/* TRUE if a unit begins here, which a figure and a space precede. */
static gboolean
is_unit (const char *text)
{
  static const char *const units[] = { "%", "s", "ms", "µs", "ns", "B", "kB", "MB", "GB", "TB" };

  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (g_str_has_prefix (text, units[i])
        && !g_unichar_isalnum (g_utf8_get_char (text + strlen (units[i]))))
      return TRUE;
  return FALSE;
}

/** kymo_label_dup_unbroken: NULL stays NULL */
char *
kymo_label_dup_unbroken (const char *text)
{
  g_autoptr (GString) joined = NULL;

  if (text == NULL)
    return NULL;
  joined = g_string_new (NULL);
  for (const char *at = text; *at != '\0'; at++)
    if (*at == ' ' && at > text && g_ascii_isdigit (at[-1]) && is_unit (at + 1))
      g_string_append (joined, "\302\240");
    else
      g_string_append_c (joined, *at);
  return g_strdup (joined->str);
}

/** kymo_label_new: Returns: (transfer floating): a label whose lines begin at the left */
GtkWidget *
kymo_label_new (const char *text, const char *classes)
{
  g_auto (GStrv) words = g_strsplit (classes != NULL ? classes : "", " ", -1);
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_css_classes (label, (const char **) words);
  return label;
}

/** kymo_label_new_wrapped: Returns: (transfer floating): the same, broken into lines */
GtkWidget *
kymo_label_new_wrapped (const char *text, const char *classes)
{
  GtkWidget *label = kymo_label_new (text, classes);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  return label;
}

/** kymo_label_new_cut: Returns: (transfer floating): the same, on one line that is cut */
GtkWidget *
kymo_label_new_cut (const char *text, const char *classes)
{
  GtkWidget *label = kymo_label_new (text, classes);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  return label;
}

/** kymo_label_set: NULL is an empty text */
void
kymo_label_set (GtkWidget *label, const char *text)
{
  g_autofree char *readable = dup_readable (text, "");

  gtk_label_set_text (GTK_LABEL (label), readable != NULL ? readable : "");
}

/** kymo_label_set_lines: NULL is an empty text */
void
kymo_label_set_lines (GtkWidget *label, const char *text)
{
  g_autofree char *readable = dup_readable (text, "\n\t");

  gtk_label_set_text (GTK_LABEL (label), readable != NULL ? readable : "");
}

/** kymo_label_set_tip: for a pointer that rests on the widget */
void
kymo_label_set_tip (GtkWidget *widget, const char *text)
{
  g_autofree char *readable = dup_readable (text, "");

  gtk_widget_set_tooltip_text (widget, readable);
}

/** kymo_label_tell_tip: the same, where a tooltip is asked for; it may have several lines */
void
kymo_label_tell_tip (GtkTooltip *tooltip, const char *text)
{
  g_autofree char *readable = dup_readable (text, "\n\t");

  gtk_tooltip_set_text (tooltip, readable);
}
