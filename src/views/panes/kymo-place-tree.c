/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Answers tell the tree as a list of places with their parents, and of each location
 * the place it lies in. A process with one location alone is not listed: it is that
 * location, which stands in the list below. Of a run that grows the tree is made anew
 * only where places or what lies in them changed; what was folded and chosen stays so.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-accessible.h"
#include "kymo-hover-row.h"
#include "kymo-label.h"
#include "kymo-order.h"
#include "kymo-place-tree.h"
#include "kymo-view-asker.h"

#define LEAST_PX 60
#define MOST_PX 220

/* -- a place -------------------------------------------------------------- */

#define KYMO_TYPE_PLACE_ITEM (kymo_place_item_get_type ())
G_DECLARE_FINAL_TYPE (KymoPlaceItem, kymo_place_item, KYMO, PLACE_ITEM, GObject)

struct _KymoPlaceItem
{
  GObject     parent_instance;

  char       *label, *kind;
  guint64     key;                 /* of label and kind, and those around it */
  gint64      parent;
  GArray     *ids;                 /* gint64, ascending: locations in it */
  KymoIdSet  *set;                 /* the same, or NULL before it is shown */
  GListStore *children;            /* KymoPlaceItem */
};

G_DEFINE_FINAL_TYPE (KymoPlaceItem, kymo_place_item, G_TYPE_OBJECT)

static void
kymo_place_item_finalize (GObject *object)
{
  KymoPlaceItem *self = KYMO_PLACE_ITEM (object);

  g_free (self->label);
  g_free (self->kind);
  g_array_unref (self->ids);
  g_clear_pointer (&self->set, kymo_id_set_unref);
  g_object_unref (self->children);
  G_OBJECT_CLASS (kymo_place_item_parent_class)->finalize (object);
}

static void
kymo_place_item_class_init (KymoPlaceItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = kymo_place_item_finalize;
}

static void
kymo_place_item_init (KymoPlaceItem *self)
{
  self->ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->children = g_list_store_new (KYMO_TYPE_PLACE_ITEM);
}

/* -- filling -------------------------------------------------------------- */

struct _KymoPlaceTree
{
  GtkBox             parent_instance;

  KymoSession       *session;
  KymoViewAsker     *asker;
  GListStore        *roots;        /* KymoPlaceItem */
  GPtrArray         *items;        /* KymoPlaceItem: all of the last answer, or NULL */
  GtkSelectionModel *selection;
  gboolean           choosing;
};

G_DEFINE_FINAL_TYPE (KymoPlaceTree, kymo_place_tree, GTK_TYPE_BOX)

/* The same place in another answer, wherever it stands there. */
static guint64
key_of (const KymoPlaceItem *item, const KymoPlaceItem *around)
{
  guint64 key = around != NULL ? around->key : 0;

  key = (key ^ g_str_hash (item->kind != NULL ? item->kind : ""))
        * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  return (key ^ g_str_hash (item->label != NULL ? item->label : ""))
         * G_GUINT64_CONSTANT (0xc2b2ae3d27d4eb4f);
}

/* By number of the answer. */
static GPtrArray *
make_items (const KymoTable *places)
{
  guint n = kymo_table_get_n_rows (places);
  GPtrArray *items = g_ptr_array_new_full (n, g_object_unref);

  for (guint i = 0; i < n; i++)
    {
      KymoPlaceItem *item = g_object_new (KYMO_TYPE_PLACE_ITEM, NULL);

      item->label = g_strdup (kymo_table_peek_label (places, "label", i));
      item->kind = g_strdup (kymo_table_get_string (places, "kind", i));
      item->parent = kymo_table_get_int (places, "parent", i);
      /* Parents come first; what says otherwise is a root. */
      if (item->parent >= i)
        item->parent = -1;
      item->key = key_of (item, item->parent < 0 ? NULL : items->pdata[item->parent]);
      g_ptr_array_add (items, item);
    }
  return items;
}

/* A location is in its place and in all that lie around it. */
static void
add_location (GPtrArray *items, gint64 place, gint64 id)
{
  while (place >= 0 && place < items->len)
    {
      KymoPlaceItem *item = g_ptr_array_index (items, place);

      g_array_append_val (item->ids, id);
      place = item->parent;
    }
}

static gboolean
is_listed (const KymoPlaceItem *item)
{
  return item->ids->len > 1
         || (item->ids->len == 1
             && (item->parent < 0 || g_strcmp0 (item->kind, "process") != 0));
}

/* Roots come last: the tree looks at once whether a place has children. */
static void
build_tree (KymoPlaceTree *self, GPtrArray *items)
{
  for (guint i = 0; i < items->len; i++)
    {
      KymoPlaceItem *item = g_ptr_array_index (items, i);

      if (item->parent >= 0 && is_listed (item))
        g_list_store_append (((KymoPlaceItem *) g_ptr_array_index (items, item->parent))
                               ->children, item);
    }
  for (guint i = 0; i < items->len; i++)
    {
      KymoPlaceItem *item = g_ptr_array_index (items, i);

      if (item->parent < 0 && is_listed (item))
        g_list_store_append (self->roots, item);
    }
}

static GPtrArray *
items_of (const KymoTable *answer)
{
  KymoTable *places = answer == NULL ? NULL : kymo_table_peek_nested (answer, "places", NULL);
  KymoTable *locations = answer == NULL ? NULL
    : kymo_table_peek_nested (answer, "location_list", NULL);
  GPtrArray *items;

  if (places == NULL || locations == NULL)
    return g_ptr_array_new_with_free_func (g_object_unref);
  items = make_items (places);
  for (guint i = 0; i < kymo_table_get_n_rows (locations); i++)
    {
      gint64 place = kymo_table_get_int (locations, "place", i);

      add_location (items, place == KYMO_NULL_INT ? -1 : place,
                    kymo_table_get_int (locations, "location", i));
    }
  return items;
}

static gboolean
is_same_item (gconstpointer a, gconstpointer b)
{
  const KymoPlaceItem *one = a, *other = b;

  return one->key == other->key && one->parent == other->parent
         && one->ids->len == other->ids->len
         && memcmp (one->ids->data, other->ids->data, one->ids->len * sizeof (gint64)) == 0;
}

static gboolean
is_same (const GPtrArray *a, const GPtrArray *b)
{
  if (a == NULL || a->len != b->len)
    return FALSE;
  for (guint i = 0; i < a->len; i++)
    if (!is_same_item (a->pdata[i], b->pdata[i]))
      return FALSE;
  return TRUE;
}

static GtkTreeListRow *
get_row (KymoPlaceTree *self, guint at, guint64 *key)
{
  GtkTreeListRow *row = g_list_model_get_item (G_LIST_MODEL (self->selection), at);
  g_autoptr (KymoPlaceItem) item = gtk_tree_list_row_get_item (row);

  *key = item->key;
  return row;
}

/* Keys of the rows that are chosen, and of those that are folded. */
static void
note_rows (KymoPlaceTree *self, GHashTable *chosen, GHashTable *folded)
{
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->selection)); i++)
    {
      guint64 key;
      g_autoptr (GtkTreeListRow) row = get_row (self, i, &key);

      if (gtk_selection_model_is_selected (self->selection, i))
        g_hash_table_add (chosen, g_memdup2 (&key, sizeof key));
      if (gtk_tree_list_row_is_expandable (row) && !gtk_tree_list_row_get_expanded (row))
        g_hash_table_add (folded, g_memdup2 (&key, sizeof key));
    }
}

static void
take_rows (KymoPlaceTree *self, GHashTable *chosen, GHashTable *folded)
{
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->selection)); i++)
    {
      guint64 key;
      g_autoptr (GtkTreeListRow) row = get_row (self, i, &key);

      if (g_hash_table_contains (folded, &key))
        gtk_tree_list_row_set_expanded (row, FALSE);
      if (g_hash_table_contains (chosen, &key))
        gtk_selection_model_select_item (self->selection, i, FALSE);
    }
}

static void show_chosen (KymoPlaceTree *self);

/* Of a place that is chosen all is shown, also what is new in it. */
static void
on_answer (KymoTable *answer, const GError *error, gpointer data)
{
  KymoPlaceTree *self = data;
  g_autoptr (GPtrArray) items = items_of (answer);
  g_autoptr (GHashTable) chosen = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free,
                                                         NULL);
  g_autoptr (GHashTable) folded = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free,
                                                         NULL);

  if (is_same (self->items, items))
    return;
  note_rows (self, chosen, folded);
  self->choosing = TRUE;
  g_list_store_remove_all (self->roots);
  build_tree (self, items);
  take_rows (self, chosen, folded);
  self->choosing = FALSE;
  g_clear_pointer (&self->items, g_ptr_array_unref);
  self->items = g_steal_pointer (&items);
  if (g_hash_table_size (chosen) > 0)
    show_chosen (self);
  gtk_widget_set_visible (GTK_WIDGET (self),
                          g_list_model_get_n_items (G_LIST_MODEL (self->roots)) > 0);
}

/* A stream is a mean of all. */
static KymoQuestion *
new_question (gpointer view)
{
  KymoSource *source = kymo_session_peek_source (KYMO_PLACE_TREE (view)->session);

  return kymo_source_get_capabilities (source) & KYMO_CAN_STREAM ? NULL
         : kymo_question_new ("info");
}

/* The tree is hidden until it has places. */
static const KymoViewQuestion places_of_run = {
  .question = new_question, .answered = on_answer, .seen = KYMO_VIEW_UNSEEN,
};

/* -- choosing ------------------------------------------------------------- */

/* Places may lie in each other: each location once. */
static void
drop_doubles (GArray *ids)
{
  guint n = 0;

  g_array_sort (ids, kymo_compare_ints);
  for (guint i = 0; i < ids->len; i++)
    if (n == 0 || g_array_index (ids, gint64, n - 1) != g_array_index (ids, gint64, i))
      g_array_index (ids, gint64, n++) = g_array_index (ids, gint64, i);
  g_array_set_size (ids, n);
}

static void
show_chosen (KymoPlaceTree *self)
{
  g_autoptr (GtkBitset) chosen = gtk_selection_model_get_selection (self->selection);
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (KymoIdSet) set = NULL;
  GtkBitsetIter iter;
  guint at;

  for (gboolean more = gtk_bitset_iter_init_first (&iter, chosen, &at); more;
       more = gtk_bitset_iter_next (&iter, &at))
    {
      g_autoptr (GtkTreeListRow) row
        = g_list_model_get_item (G_LIST_MODEL (self->selection), at);
      g_autoptr (KymoPlaceItem) item = gtk_tree_list_row_get_item (row);

      g_array_append_vals (ids, item->ids->data, item->ids->len);
    }
  drop_doubles (ids);
  if (ids->len > 0)
    set = kymo_id_set_new_list ((const gint64 *) ids->data, ids->len);
  self->choosing = TRUE;
  kymo_session_set_locations (self->session, set);
  self->choosing = FALSE;
}

static void
on_selected (KymoPlaceTree *self)
{
  if (!self->choosing)
    show_chosen (self);
}

/* What is chosen elsewhere need not be whole places. */
static void
on_filter_changed (KymoPlaceTree *self)
{
  if (self->choosing)
    return;
  self->choosing = TRUE;
  gtk_selection_model_unselect_all (self->selection);
  self->choosing = FALSE;
}

/* -- the widget ----------------------------------------------------------- */

static void
on_setup (GtkListItemFactory *factory, GtkListItem *list_item, KymoPlaceTree *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *name = kymo_label_new_cut (NULL, NULL), *count = gtk_label_new (NULL);
  GtkWidget *expander = gtk_tree_expander_new ();

  gtk_widget_set_hexpand (name, TRUE);
  gtk_widget_add_css_class (count, "dim-label");
  gtk_widget_add_css_class (count, "numeric");
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (GTK_BOX (box), count);
  gtk_tree_expander_set_child (GTK_TREE_EXPANDER (expander), box);
  kymo_hover_row_attach (box, self->session);
  gtk_list_item_set_child (list_item, expander);
}

/* What files call it otherwise stands as they have it. */
static const char *
words_of_kind (const char *kind)
{
  static const char *const known[] = {
    N_("accelerator"), N_("cluster"), N_("machine"), N_("node"), N_("process"), N_("rack"),
  };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (g_strcmp0 (kind, known[i]) == 0)
      return _(known[i]);
  return kind;
}

static void
on_bind (GtkListItemFactory *factory, GtkListItem *list_item, gpointer data)
{
  GtkTreeListRow *row = gtk_list_item_get_item (list_item);
  g_autoptr (KymoPlaceItem) item = gtk_tree_list_row_get_item (row);
  GtkTreeExpander *expander = GTK_TREE_EXPANDER (gtk_list_item_get_child (list_item));
  GtkWidget *name = gtk_widget_get_first_child (gtk_tree_expander_get_child (expander));
  g_autofree char *count = g_strdup_printf ("%u", item->ids->len);
  KymoHoverSubject subject = KYMO_HOVER_SUBJECT_INIT;

  gtk_tree_expander_set_list_row (expander, row);
  if (item->set == NULL)
    item->set = kymo_id_set_new_list ((const gint64 *) item->ids->data, item->ids->len);
  subject.locations = item->set;
  kymo_hover_row_stand_for (gtk_tree_expander_get_child (expander), &subject);
  kymo_label_set (name, item->label);
  gtk_widget_set_tooltip_text (name, words_of_kind (item->kind));
  gtk_label_set_text (GTK_LABEL (gtk_widget_get_next_sibling (name)), count);
}

static GListModel *
children_of (gpointer item, gpointer data)
{
  GListStore *children = KYMO_PLACE_ITEM (item)->children;

  return g_list_model_get_n_items (G_LIST_MODEL (children)) > 0
         ? G_LIST_MODEL (g_object_ref (children)) : NULL;
}

static void
kymo_place_tree_dispose (GObject *object)
{
  KymoPlaceTree *self = KYMO_PLACE_TREE (object);

  g_clear_object (&self->asker);
  g_clear_object (&self->roots);
  g_clear_pointer (&self->items, g_ptr_array_unref);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (kymo_place_tree_parent_class)->dispose (object);
}

static void
kymo_place_tree_class_init (KymoPlaceTreeClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_place_tree_dispose;
}

static void
kymo_place_tree_init (KymoPlaceTree *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  self->roots = g_list_store_new (KYMO_TYPE_PLACE_ITEM);
}

static GtkWidget *
build_list (KymoPlaceTree *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkTreeListModel *tree
    = gtk_tree_list_model_new (G_LIST_MODEL (g_object_ref (self->roots)), FALSE, TRUE,
                               children_of, NULL, NULL);
  GtkWidget *list, *scrolled = gtk_scrolled_window_new ();

  self->selection = GTK_SELECTION_MODEL (gtk_multi_selection_new (G_LIST_MODEL (tree)));
  g_signal_connect_object (factory, "setup", G_CALLBACK (on_setup), self, 0);
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), NULL);
  kymo_follow (self->selection, "selection-changed", on_selected, self);
  list = gtk_list_view_new (self->selection, factory);
  kymo_accessible_name (list, _("Machines, nodes and processes"));
  gtk_widget_add_css_class (list, "kymo-list");
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scrolled), LEAST_PX);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), MOST_PX);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), list);
  return scrolled;
}

/** kymo_place_tree_peek_selection: of GtkTreeListRow */
GtkSelectionModel *
kymo_place_tree_peek_selection (KymoPlaceTree *self)
{
  return self->selection;
}

/**
 * kymo_place_tree_new:
 *
 * Makes the tree and asks for its places. It is hidden until an answer has places, and its
 * selection becomes the location filter of @session.
 *
 * Returns: (transfer floating): the widget, which holds a reference to @session
 */
GtkWidget *
kymo_place_tree_new (KymoSession *session)
{
  KymoPlaceTree *self = g_object_new (KYMO_TYPE_PLACE_TREE, NULL);
  GtkWidget *title = kymo_label_new (_("Where it ran"), "heading kymo-pane-head");

  self->session = g_object_ref (session);
  self->asker = kymo_view_asker_new (&places_of_run, self, session);
  gtk_box_append (GTK_BOX (self), title);
  gtk_box_append (GTK_BOX (self), build_list (self));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  kymo_follow (session, "filter-changed", on_filter_changed, self);
  kymo_view_asker_ask (self->asker);
  return GTK_WIDGET (self);
}
