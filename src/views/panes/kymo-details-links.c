/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-controls.h"
#include "kymo-details-links.h"
#include "kymo-safe-text.h"
#include "kymo-selected-block.h"
#include "kymo-units.h"

/* Links of each list; the rest is told in number. */
#define MOST_LINKS 6
/* Of the name in one. */
#define MOST_CHARS 80

struct _KymoDetailsLinks
{
  GtkBox       parent_instance;

  KymoSession *session;
  GtkWidget   *label;
};

G_DEFINE_FINAL_TYPE (KymoDetailsLinks, kymo_details_links, GTK_TYPE_BOX)

/* "PE 3 Compute::run" as a link to the block at the other end of a message; without one
   where that is not in the run. */
static void
add_link (GString *markup, const KymoTable *table, guint i, gboolean to_sender)
{
  const char *end = to_sender ? "from_label" : "to_label";
  const char *label = kymo_table_peek_label (table, end, i);
  const char *whole = to_sender ? NULL : kymo_table_get_string (table, "name", i);
  g_autofree char *name = whole != NULL ? kymo_elide_middle (whole, MOST_CHARS) : NULL;
  gint64 location = kymo_table_get_int (table, to_sender ? "from_location" : "to_location", i);
  gint64 time_ns = kymo_table_get_int (table, to_sender ? "sent_ns" : "begin_ns", i);
  g_autofree char *text = g_strjoin (" ", label != NULL ? label : _("an unknown place"), name,
                                     NULL);
  g_autofree char *line = kymo_safe_text_dup (text);
  g_autofree char *safe = g_markup_escape_text (line, -1);

  if (location == KYMO_NULL_INT || time_ns == KYMO_NULL_INT)
    g_string_append (markup, safe);
  else
    g_string_append_printf (markup, "<a href=\"%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT "\">%s</a>",
                            location, time_ns, safe);
}

static void
add_links (GString *markup, const KymoTable *table, const char *heading, gint64 all,
           gboolean to_sender)
{
  guint n = table != NULL ? MIN (kymo_table_get_n_rows (table), MOST_LINKS) : 0;

  if (n == 0)
    return;
  if (markup->len > 0)
    g_string_append (markup, " · ");
  g_string_append (markup, heading);
  for (guint i = 0; i < n; i++)
    {
      g_string_append (markup, i > 0 ? ", " : " ");
      add_link (markup, table, i, to_sender);
    }
  if (all > n)
    {
      g_autofree char *more = kymo_format_count (all - n);

      g_string_append (markup, " ");
      g_string_append_printf (markup, _("and %s more"), more);
    }
}

/* (nullable): NULL while a range of time is selected, too */
static KymoTable *
peek_messages (KymoDetailsLinks *self)
{
  return kymo_session_get_selection (self->session, NULL) ? NULL
         : kymo_selected_block_peek_messages (kymo_selected_block_of (self->session));
}

static void
show_links (KymoDetailsLinks *self)
{
  KymoTable *answer = peek_messages (self);
  g_autoptr (GString) markup = g_string_new (NULL);
  g_autofree char *count = NULL, *heading = NULL;

  if (answer != NULL)
    {
      gint64 caused = kymo_table_get_int (answer, "n_caused", 0);

      count = kymo_format_count (caused);
      heading = g_strdup_printf (_("Caused %s:"), count);
      add_links (markup, kymo_table_peek_nested (answer, "messages", NULL), _("Sent by"),
                 kymo_table_get_int (answer, "causes", 0), TRUE);
      add_links (markup, kymo_table_peek_nested (answer, "caused", NULL), heading, caused, FALSE);
    }
  gtk_label_set_markup (GTK_LABEL (self->label), markup->str);
  gtk_widget_set_visible (GTK_WIDGET (self), markup->len > 0);
}

/* The links of the block before stand until those of another one are known. */
static void
on_selection_changed (KymoDetailsLinks *self)
{
  if (peek_messages (self) != NULL || !kymo_session_get_block (self->session, NULL, NULL)
      || kymo_session_get_selection (self->session, NULL))
    show_links (self);
}

static gboolean
on_link (KymoDetailsLinks *self, const char *uri)
{
  char *rest = NULL;
  gint64 location = g_ascii_strtoll (uri, &rest, 10);

  if (rest != NULL && *rest == ':')
    kymo_session_set_block (self->session, location, g_ascii_strtoll (rest + 1, NULL, 10));
  return TRUE;
}

static void
kymo_details_links_dispose (GObject *object)
{
  KymoDetailsLinks *self = KYMO_DETAILS_LINKS (object);

  g_clear_object (&self->session);
  G_OBJECT_CLASS (kymo_details_links_parent_class)->dispose (object);
}

static void
kymo_details_links_class_init (KymoDetailsLinksClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_details_links_dispose;
}

static void
kymo_details_links_init (KymoDetailsLinks *self)
{
}

/**
 * kymo_details_links_new:
 *
 * Makes the line of links for the selected block of @session. It follows the selection; a click on
 * a link selects the block at the other end.
 *
 * Returns: (transfer floating): the widget, which holds a reference to @session
 */
GtkWidget *
kymo_details_links_new (KymoSession *session)
{
  KymoDetailsLinks *self = g_object_new (KYMO_TYPE_DETAILS_LINKS, NULL);
  KymoSelectedBlock *block = kymo_selected_block_of (session);

  self->session = g_object_ref (session);
  self->label = kymo_controls_add_words (GTK_WIDGET (self));
  kymo_follow (self->label, "activate-link", on_link, self);
  kymo_follow (session, "selection-changed", on_selection_changed, self);
  kymo_follow (session, "grown", on_selection_changed, self);
  kymo_follow (block, "messages", show_links, self);
  kymo_selected_block_want_messages (block);
  show_links (self);
  return GTK_WIDGET (self);
}
