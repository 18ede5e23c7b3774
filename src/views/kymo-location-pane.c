/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The selection of the list is the filter: none or all selected means all
 * locations. A range is typed into the entry as "0-15,32".
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-asker.h"
#include "kymo-location-pane.h"
#include "kymo-units.h"

#define KYMO_TYPE_LOCATION_ITEM (kymo_location_item_get_type ())
G_DECLARE_FINAL_TYPE (KymoLocationItem, kymo_location_item, KYMO,
                      LOCATION_ITEM, GObject)

struct _KymoLocationItem
{
  GObject  parent_instance;

  gint64   id;
  char    *label;
  double   busy;
};

G_DEFINE_FINAL_TYPE (KymoLocationItem, kymo_location_item, G_TYPE_OBJECT)

static void
kymo_location_item_finalize (GObject *object)
{
  g_free (KYMO_LOCATION_ITEM (object)->label);
  G_OBJECT_CLASS (kymo_location_item_parent_class)->finalize (object);
}

static void
kymo_location_item_class_init (KymoLocationItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = kymo_location_item_finalize;
}

static void
kymo_location_item_init (KymoLocationItem *self)
{
}

struct _KymoLocationPane
{
  GtkBox             parent_instance;

  KymoSession       *session;
  KymoAsker         *asker;
  GListStore        *items;
  GtkSelectionModel *selection;
  GtkWidget         *entry;
  gboolean           filling;
  guint              rest_id;
};

G_DEFINE_FINAL_TYPE (KymoLocationPane, kymo_location_pane, GTK_TYPE_BOX)

/* -- filling -------------------------------------------------------------- */

static void
select_shown (KymoLocationPane *self)
{
  KymoIdSet *shown = kymo_session_peek_locations (self->session);
  GListModel *model = G_LIST_MODEL (self->items);

  self->filling = TRUE;
  gtk_selection_model_unselect_all (self->selection);
  for (guint i = 0; shown != NULL && i < g_list_model_get_n_items (model); i++)
    {
      g_autoptr (KymoLocationItem) item = g_list_model_get_item (model, i);

      if (kymo_id_set_contains (shown, item->id))
        gtk_selection_model_select_item (self->selection, i, FALSE);
    }
  self->filling = FALSE;
}

static void
on_answer (KymoTable *answer, const GError *error, gpointer data)
{
  KymoLocationPane *self = data;
  KymoTable *list = answer != NULL
                    ? kymo_table_peek_nested (answer, "locations", NULL) : NULL;
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; list != NULL && i < kymo_table_get_n_rows (list); i++)
    {
      KymoLocationItem *item = g_object_new (KYMO_TYPE_LOCATION_ITEM, NULL);

      item->id = kymo_table_get_int (list, "location", i);
      item->label = g_strdup (kymo_table_get_string (list, "label", i));
      item->busy = kymo_table_get_double (list, "busy", i);
      g_ptr_array_add (items, item);
    }
  self->filling = TRUE;
  g_list_store_splice (self->items, 0,
                       g_list_model_get_n_items (G_LIST_MODEL (self->items)),
                       items->pdata, items->len);
  self->filling = FALSE;
  select_shown (self);
}

static gboolean
on_rest (gpointer data)
{
  KymoLocationPane *self = data;
  KymoQuestion *question;

  self->rest_id = 0;
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return G_SOURCE_REMOVE;
  question = kymo_question_new ("usage");
  kymo_question_set_span (question, kymo_session_get_range (self->session));
  kymo_asker_ask (self->asker, question);
  return G_SOURCE_REMOVE;
}

static void
queue_ask (KymoLocationPane *self)
{
  g_clear_handle_id (&self->rest_id, g_source_remove);
  self->rest_id = g_timeout_add (80, on_rest, self);
}

/* -- choosing ------------------------------------------------------------- */

static void
on_selected (KymoLocationPane *self)
{
  GListModel *model = G_LIST_MODEL (self->items);
  guint n = g_list_model_get_n_items (model);
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (KymoIdSet) set = NULL;

  if (self->filling)
    return;
  for (guint i = 0; i < n; i++)
    if (gtk_selection_model_is_selected (self->selection, i))
      {
        g_autoptr (KymoLocationItem) item = g_list_model_get_item (model, i);

        g_array_append_val (ids, item->id);
      }
  if (ids->len > 0 && ids->len < n)
    set = kymo_id_set_new_list ((const gint64 *) ids->data, ids->len);
  kymo_session_set_locations (self->session, set);
}

static void
on_entry (KymoLocationPane *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));
  g_autoptr (KymoIdSet) set = NULL;
  g_autoptr (GError) error = NULL;

  if (*text != '\0')
    set = kymo_id_set_parse (text, &error);
  gtk_widget_set_tooltip_text (self->entry, error != NULL ? error->message
                                                          : NULL);
  if (error != NULL)
    {
      gtk_widget_add_css_class (self->entry, "error");
      return;
    }
  gtk_widget_remove_css_class (self->entry, "error");
  kymo_session_set_locations (self->session, set);
  select_shown (self);
}

static void
on_setup (GtkListItemFactory *factory, GtkListItem *list_item, gpointer data)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *name = gtk_label_new (NULL), *busy = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (name, TRUE);
  gtk_widget_add_css_class (busy, "dim-label");
  gtk_widget_add_css_class (busy, "numeric");
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (GTK_BOX (box), busy);
  gtk_list_item_set_child (list_item, box);
}

static void
on_bind (GtkListItemFactory *factory, GtkListItem *list_item, gpointer data)
{
  KymoLocationItem *item = gtk_list_item_get_item (list_item);
  GtkWidget *name = gtk_widget_get_first_child (
    gtk_list_item_get_child (list_item));
  g_autofree char *busy = kymo_format_percent (item->busy);

  gtk_label_set_text (GTK_LABEL (name), item->label);
  gtk_label_set_text (GTK_LABEL (gtk_widget_get_next_sibling (name)), busy);
}

/* -- the widget ----------------------------------------------------------- */

static void
kymo_location_pane_dispose (GObject *object)
{
  KymoLocationPane *self = KYMO_LOCATION_PANE (object);

  g_clear_handle_id (&self->rest_id, g_source_remove);
  g_clear_pointer (&self->asker, kymo_asker_free);
  g_clear_object (&self->items);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (kymo_location_pane_parent_class)->dispose (object);
}

static void
kymo_location_pane_class_init (KymoLocationPaneClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_location_pane_dispose;
}

static void
kymo_location_pane_init (KymoLocationPane *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self),
                                  GTK_ORIENTATION_VERTICAL);
  gtk_widget_add_css_class (GTK_WIDGET (self), "kymo-pane");
  self->items = g_list_store_new (KYMO_TYPE_LOCATION_ITEM);
}

static GtkWidget *
build_list (KymoLocationPane *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkWidget *list, *scrolled = gtk_scrolled_window_new ();

  self->selection = GTK_SELECTION_MODEL (
    gtk_multi_selection_new (G_LIST_MODEL (g_object_ref (self->items))));
  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), NULL);
  g_signal_connect_object (self->selection, "selection-changed",
                           G_CALLBACK (on_selected), self, G_CONNECT_SWAPPED);
  list = gtk_list_view_new (self->selection, factory);
  gtk_list_view_set_enable_rubberband (GTK_LIST_VIEW (list), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (list),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Locations"), -1);
  gtk_widget_add_css_class (list, "kymo-list");
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled),
                                  GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), list);
  gtk_widget_set_vexpand (scrolled, TRUE);
  return scrolled;
}

/** kymo_location_pane_new: */
GtkWidget *
kymo_location_pane_new (KymoSession *session)
{
  KymoLocationPane *self = g_object_new (KYMO_TYPE_LOCATION_PANE, NULL);
  GtkWidget *title = gtk_label_new (_("Busy in view"));

  self->session = g_object_ref (session);
  self->asker = kymo_asker_new (kymo_session_peek_source (session), on_answer,
                                self);
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_widget_add_css_class (title, "heading");
  gtk_widget_add_css_class (title, "kymo-pane-head");
  self->entry = gtk_entry_new ();
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->entry), _("All, or 0-15,32"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Locations to show"), -1);
  gtk_box_append (GTK_BOX (self), title);
  gtk_box_append (GTK_BOX (self), self->entry);
  gtk_box_append (GTK_BOX (self), build_list (self));
  g_signal_connect_swapped (self->entry, "activate", G_CALLBACK (on_entry),
                            self);
  g_signal_connect_object (session, "range-changed", G_CALLBACK (queue_ask),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect (self, "map", G_CALLBACK (queue_ask), NULL);
  return GTK_WIDGET (self);
}
