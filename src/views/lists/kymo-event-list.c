/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-event-list.h"
#include "kymo-events-save.h"
#include "kymo-in-terms.h"
#include "kymo-label.h"
#include "kymo-text-zoom.h"

static const struct
{
  const char *title;
  int         width;                   /* -1: what is left */
  gboolean    number;
} columns[KYMO_EVENT_TEXTS] = {
  { N_("Time"), 130, TRUE }, { N_("Length"), 80, TRUE }, { N_("Kind"), 100 },
  { N_("{Code} or event"), 240 }, { N_("What happened"), -1 },
};

struct _KymoEventList
{
  GtkBox              parent_instance;

  KymoEventPages     *pages;
  GtkWidget          *list;
  GtkSingleSelection *selection;       /* borrowed */
  GHashTable         *bound;           /* GtkListItem that are bound, borrowed */
  gboolean            choosing;        /* not a person does */
};

G_DEFINE_FINAL_TYPE (KymoEventList, kymo_event_list, GTK_TYPE_BOX)

/* -- cells ---------------------------------------------------------------- */

static guint
column_of (gpointer object)
{
  return GPOINTER_TO_UINT (g_object_get_data (object, "column"));
}

static void
fill_item (KymoEventList *self, GtkListItem *item)
{
  guint row, line = kymo_event_line_get (gtk_list_item_get_item (item));
  KymoTable *list = kymo_event_pages_look (self->pages, line, &row);
  g_autofree char *text = list != NULL ? kymo_event_dup_text (list, row, column_of (item)) : NULL;
  GtkWidget *label = gtk_list_item_get_child (item);

  kymo_label_set (label, text != NULL ? text : "…");
  kymo_label_set_tip (label, columns[column_of (item)].number ? NULL : text);
}

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  guint column = column_of (factory);
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), columns[column].number ? 1 : 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  if (columns[column].number)
    gtk_widget_add_css_class (label, "numeric");
  g_object_set_data (G_OBJECT (item), "column", GUINT_TO_POINTER (column));
  gtk_list_item_set_child (item, label);
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *item, KymoEventList *self)
{
  g_hash_table_add (self->bound, item);
  fill_item (self, item);
}

static void
on_unbind (GtkSignalListItemFactory *factory, GtkListItem *item, KymoEventList *self)
{
  g_hash_table_remove (self->bound, item);
}

static void
on_page (KymoEventList *self, guint first, guint n)
{
  GHashTableIter iter;
  gpointer item;

  g_hash_table_iter_init (&iter, self->bound);
  while (g_hash_table_iter_next (&iter, &item, NULL))
    {
      guint line = kymo_event_line_get (gtk_list_item_get_item (item));

      if (line >= first && line - first < n)
        fill_item (self, item);
    }
}

/* -- choosing ------------------------------------------------------------- */

/**
 * kymo_event_list_choose:
 * @line: a line, or %GTK_INVALID_LIST_POSITION for none
 *
 * Selects a line and scrolls to it, without the signal "chosen".
 */
void
kymo_event_list_choose (KymoEventList *self, guint line)
{
  self->choosing = TRUE;
  gtk_single_selection_set_selected (self->selection, line);
  self->choosing = FALSE;
  if (line != GTK_INVALID_LIST_POSITION)
    gtk_widget_activate_action (gtk_widget_get_last_child (self->list), "list.scroll-to-item",
                                "u", line);
}

/**
 * kymo_event_list_get_chosen:
 *
 * Returns: the selected line, or %GTK_INVALID_LIST_POSITION
 */
guint
kymo_event_list_get_chosen (KymoEventList *self)
{
  return gtk_single_selection_get_selected (self->selection);
}

static void
on_selected (KymoEventList *self)
{
  guint line = gtk_single_selection_get_selected (self->selection);

  if (!self->choosing && line != GTK_INVALID_LIST_POSITION)
    g_signal_emit_by_name (self, "chosen", line);
}

static void
on_activated (KymoEventList *self, guint line)
{
  g_signal_emit_by_name (self, "activated", line);
}

/* -- the widget ----------------------------------------------------------- */

static void
kymo_event_list_dispose (GObject *object)
{
  KymoEventList *self = KYMO_EVENT_LIST (object);

  if (self->pages != NULL)
    g_signal_handlers_disconnect_by_data (self->pages, self);
  G_OBJECT_CLASS (kymo_event_list_parent_class)->dispose (object);
  g_clear_object (&self->pages);
}

static void
kymo_event_list_finalize (GObject *object)
{
  g_hash_table_unref (KYMO_EVENT_LIST (object)->bound);
  G_OBJECT_CLASS (kymo_event_list_parent_class)->finalize (object);
}

static void
kymo_event_list_class_init (KymoEventListClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_event_list_dispose;
  G_OBJECT_CLASS (klass)->finalize = kymo_event_list_finalize;
  g_signal_new ("chosen", KYMO_TYPE_EVENT_LIST, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 1, G_TYPE_UINT);
  g_signal_new ("activated", KYMO_TYPE_EVENT_LIST, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void
kymo_event_list_init (KymoEventList *self)
{
  self->bound = g_hash_table_new (NULL, NULL);
}

static void
add_column (KymoEventList *self, KymoSession *session, guint column)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkColumnViewColumn) made = NULL;

  g_object_set_data (G_OBJECT (factory), "column", GUINT_TO_POINTER (column));
  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), NULL);
  g_signal_connect_object (factory, "bind", G_CALLBACK (on_bind), self, 0);
  g_signal_connect_object (factory, "unbind", G_CALLBACK (on_unbind), self, 0);
  made = gtk_column_view_column_new (kymo_in_terms_of (session, _(columns[column].title)),
                                     factory);
  if (columns[column].width > 0)
    gtk_column_view_column_set_fixed_width (made, kymo_text_px (columns[column].width));
  else
    gtk_column_view_column_set_expand (made, TRUE);
  gtk_column_view_column_set_resizable (made, TRUE);
  gtk_column_view_append_column (GTK_COLUMN_VIEW (self->list), made);
}

/**
 * kymo_event_list_new:
 * @session: whose terms name the columns; not kept
 * @pages: (transfer none): the records; the list holds a reference
 *
 * Returns: (transfer floating): a list with a column for each text of a record
 */
GtkWidget *
kymo_event_list_new (KymoSession *session, KymoEventPages *pages)
{
  KymoEventList *self = g_object_new (KYMO_TYPE_EVENT_LIST, NULL);
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->pages = g_object_ref (pages);
  self->selection = gtk_single_selection_new (G_LIST_MODEL (g_object_ref (pages)));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  self->list = gtk_column_view_new (GTK_SELECTION_MODEL (self->selection));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Records in order of time"), -1);
  gtk_widget_add_css_class (self->list, "data-table");
  for (guint i = 0; i < KYMO_EVENT_TEXTS; i++)
    add_column (self, session, i);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->list);
  gtk_widget_set_hexpand (scrolled, TRUE);
  gtk_box_append (GTK_BOX (self), scrolled);
  g_signal_connect_object (self->selection, "notify::selected", G_CALLBACK (on_selected), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->list, "activate", G_CALLBACK (on_activated), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (pages, "page-changed", G_CALLBACK (on_page), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
