/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A column view over a tree of lines; a flat list is a tree without children. With
 * another answer of the same lines (another range, metric or thread) the cells alone
 * change, so what was unfolded stays unfolded.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-figure-table-private.h"
#include "kymo-session-profile.h"
#include "kymo-swatch.h"

#define FIGURE_PX 86
#define TEXT_PX 120
#define NAME_CHARS 30
/* Of a tree so many levels are unfolded at first. */
#define LEVELS 2
#define MOST_UNFOLDED 200

struct _KymoFigureTable
{
  GtkBox               parent_instance;

  KymoSession         *session;
  GArray              *columns;        /* KymoFigureColumn, strings owned */
  KymoFigureTexts      texts;
  char                *needle;         /* casefolded, or NULL */
  GtkWidget           *view;
  GtkTreeListModel    *tree;           /* or NULL */
  GtkFilter           *filter;
  GtkSingleSelection  *selection;      /* borrowed */
  gboolean             filling;
};

G_DEFINE_FINAL_TYPE (KymoFigureTable, kymo_figure_table, GTK_TYPE_BOX)

static const KymoFigureColumn *
column_at (KymoFigureTable *self, guint index)
{
  return &g_array_index (self->columns, KymoFigureColumn, index);
}

static KymoFigureRow *
row_of (gpointer list_row)
{
  return list_row != NULL ? gtk_tree_list_row_get_item (list_row) : NULL;
}

/* -- cells ---------------------------------------------------------------- */

static guint
index_of (GtkListItemFactory *factory)
{
  return GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (factory), "index"));
}

/* Made when it is asked for, as in the other tables. */
static gboolean
on_tooltip (GtkWidget *label, int x, int y, gboolean keyboard,
            GtkTooltip *tooltip, GtkListItem *item)
{
  KymoFigureTable *self = KYMO_FIGURE_TABLE (
    gtk_widget_get_ancestor (label, KYMO_TYPE_FIGURE_TABLE));
  guint index = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (label),
                                                     "index"));
  g_autoptr (KymoFigureRow) row = row_of (gtk_list_item_get_item (item));
  g_autofree char *exact = NULL;

  if (self == NULL || row == NULL || self->texts.list == NULL
      || index >= self->columns->len)
    return FALSE;
  exact = kymo_figure_texts_exact (&self->texts, column_at (self, index),
                                   row->row);
  if (*exact == '\0')
    return FALSE;
  gtk_tooltip_set_text (tooltip, exact);
  return TRUE;
}

static GtkWidget *
label_new (guint index, gboolean is_text, GtkListItem *item)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), is_text ? 0 : 1);
  gtk_label_set_ellipsize (GTK_LABEL (label), is_text ? PANGO_ELLIPSIZE_MIDDLE
                                                      : PANGO_ELLIPSIZE_NONE);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_set_has_tooltip (label, TRUE);
  g_object_set_data (G_OBJECT (label), "index", GUINT_TO_POINTER (index));
  g_signal_connect_object (label, "query-tooltip", G_CALLBACK (on_tooltip),
                           item, 0);
  if (!is_text)
    gtk_widget_add_css_class (label, "numeric");
  return label;
}

static void
on_setup (GtkListItemFactory *factory, GtkListItem *item,
          KymoFigureTable *self)
{
  guint index = index_of (factory);
  KymoFigureKind kind = column_at (self, index)->kind;
  GtkWidget *label = label_new (index, kind <= KYMO_FIGURE_TEXT, item);
  GtkWidget *cell = label;

  /* In a narrow window the table scrolls rather than lose the names. */
  if (index == 0)
    gtk_label_set_width_chars (GTK_LABEL (label), NAME_CHARS);
  if (kind <= KYMO_FIGURE_NODE)
    {
      cell = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
      gtk_box_append (GTK_BOX (cell), kymo_swatch_new (self->session));
      gtk_box_append (GTK_BOX (cell), label);
    }
  if (kind == KYMO_FIGURE_NODE)
    {
      GtkWidget *expander = gtk_tree_expander_new ();

      gtk_tree_expander_set_child (GTK_TREE_EXPANDER (expander), cell);
      cell = expander;
    }
  gtk_list_item_set_child (item, cell);
}

static void
show_cell (KymoFigureRow *row, GtkWidget *cell)
{
  KymoFigureTable *self = g_object_get_data (G_OBJECT (cell), "table");
  guint index = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (cell),
                                                     "index"));
  GtkWidget *label = cell;
  g_autofree char *text = NULL;

  if (self->texts.list == NULL || index >= self->columns->len)
    return;
  text = kymo_figure_texts_text (&self->texts, column_at (self, index),
                                 row->row);
  if (GTK_IS_TREE_EXPANDER (cell))
    label = gtk_tree_expander_get_child (GTK_TREE_EXPANDER (cell));
  if (GTK_IS_BOX (label))
    {
      /* Of a trace idle time and overhead are lines, too. */
      const char *kind = kymo_table_get_string (self->texts.list, "kind",
                                                row->row);

      kymo_swatch_set (KYMO_SWATCH (gtk_widget_get_first_child (label)), text,
                       kind != NULL ? kind : "function");
      label = gtk_widget_get_last_child (label);
    }
  gtk_label_set_text (GTK_LABEL (label), text);
}

static void
on_bind (GtkListItemFactory *factory, GtkListItem *item, KymoFigureTable *self)
{
  GtkTreeListRow *list_row = gtk_list_item_get_item (item);
  g_autoptr (KymoFigureRow) row = row_of (list_row);
  GtkWidget *cell = gtk_list_item_get_child (item);

  if (GTK_IS_TREE_EXPANDER (cell))
    gtk_tree_expander_set_list_row (GTK_TREE_EXPANDER (cell), list_row);
  g_object_set_data (G_OBJECT (cell), "table", self);
  g_object_set_data (G_OBJECT (cell), "index",
                     GUINT_TO_POINTER (index_of (factory)));
  show_cell (row, cell);
  g_signal_connect_object (row, "changed", G_CALLBACK (show_cell), cell, 0);
}

static void
on_unbind (GtkListItemFactory *factory, GtkListItem *item,
           KymoFigureTable *self)
{
  g_autoptr (KymoFigureRow) row = row_of (gtk_list_item_get_item (item));
  GtkWidget *cell = gtk_list_item_get_child (item);

  if (GTK_IS_TREE_EXPANDER (cell))
    gtk_tree_expander_set_list_row (GTK_TREE_EXPANDER (cell), NULL);
  if (row != NULL)
    g_signal_handlers_disconnect_by_func (row, show_cell, cell);
}

/* -- columns -------------------------------------------------------------- */

static int
compare (gconstpointer a, gconstpointer b, gpointer data)
{
  KymoFigureTable *self = g_object_get_data (data, "table");
  guint index = GPOINTER_TO_UINT (g_object_get_data (data, "index"));
  const KymoFigureRow *x = a, *y = b;
  guint n = self->texts.list != NULL ? kymo_table_get_n_rows (self->texts.list)
                                     : 0;

  if (x->row >= n || y->row >= n || index >= self->columns->len)
    return 0;
  return kymo_figure_texts_compare (&self->texts, column_at (self, index),
                                    x->row, y->row);
}

static void
add_column (KymoFigureTable *self, guint index)
{
  const KymoFigureColumn *info = column_at (self, index);
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkCustomSorter *sorter = gtk_custom_sorter_new (NULL, NULL, NULL);
  GtkColumnViewColumn *column;

  g_object_set_data (G_OBJECT (factory), "index", GUINT_TO_POINTER (index));
  g_signal_connect_object (factory, "setup", G_CALLBACK (on_setup), self, 0);
  g_signal_connect_object (factory, "bind", G_CALLBACK (on_bind), self, 0);
  g_signal_connect_object (factory, "unbind", G_CALLBACK (on_unbind), self, 0);
  g_object_set_data (G_OBJECT (sorter), "table", self);
  g_object_set_data (G_OBJECT (sorter), "index", GUINT_TO_POINTER (index));
  gtk_custom_sorter_set_sort_func (sorter, compare, sorter, NULL);
  column = gtk_column_view_column_new (info->title, factory);
  gtk_column_view_column_set_sorter (column, GTK_SORTER (sorter));
  gtk_column_view_column_set_resizable (column, TRUE);
  if (index == 0)
    gtk_column_view_column_set_expand (column, TRUE);
  else
    gtk_column_view_column_set_fixed_width (
      column, info->kind == KYMO_FIGURE_TEXT ? TEXT_PX : FIGURE_PX);
  gtk_column_view_append_column (GTK_COLUMN_VIEW (self->view), column);
  g_object_unref (sorter);
  g_object_unref (column);
}

static void
clear_column (gpointer data)
{
  KymoFigureColumn *column = data;

  g_free ((char *) column->key);
  g_free ((char *) column->title);
}

static gboolean
same_columns (KymoFigureTable *self, const KymoFigureColumn *columns,
              guint n_columns)
{
  gboolean same = n_columns == self->columns->len;

  for (guint i = 0; same && i < n_columns; i++)
    same = g_strcmp0 (columns[i].key, column_at (self, i)->key) == 0
           && g_strcmp0 (columns[i].title, column_at (self, i)->title) == 0
           && columns[i].element == column_at (self, i)->element
           && columns[i].kind == column_at (self, i)->kind;
  return same;
}

/** kymo_figure_table_set_columns: @columns: (array length=n_columns) */
void
kymo_figure_table_set_columns (KymoFigureTable *self,
                               const KymoFigureColumn *columns,
                               guint n_columns)
{
  GListModel *shown = gtk_column_view_get_columns (GTK_COLUMN_VIEW (self->view));

  if (same_columns (self, columns, n_columns))
    return;
  kymo_figure_table_set (self, NULL, NULL);
  while (g_list_model_get_n_items (shown) > 0)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (shown, 0);

      gtk_column_view_remove_column (GTK_COLUMN_VIEW (self->view), column);
    }
  g_array_set_size (self->columns, 0);
  for (guint i = 0; i < n_columns; i++)
    {
      KymoFigureColumn column = columns[i];

      column.key = g_strdup (columns[i].key);
      column.title = g_strdup (columns[i].title);
      g_array_append_val (self->columns, column);
    }
  for (guint i = 0; i < n_columns; i++)
    add_column (self, i);
}

/** kymo_figure_table_sort: by a column, the largest first */
void
kymo_figure_table_sort (KymoFigureTable *self, const char *key)
{
  GListModel *shown = gtk_column_view_get_columns (GTK_COLUMN_VIEW (self->view));

  for (guint i = 0; i < self->columns->len; i++)
    if (g_strcmp0 (column_at (self, i)->key, key) == 0)
      {
        g_autoptr (GtkColumnViewColumn) column
          = g_list_model_get_item (shown, i);

        gtk_column_view_sort_by_column (GTK_COLUMN_VIEW (self->view), column,
                                        GTK_SORT_DESCENDING);
      }
}

/* -- lines ---------------------------------------------------------------- */

static GListModel *
create_children (gpointer item, gpointer data)
{
  KymoFigureTable *self = data;

  return kymo_figure_texts_children (&self->texts, KYMO_FIGURE_ROW (item)->row);
}

static void
unfold (KymoFigureTable *self)
{
  GListModel *model = G_LIST_MODEL (self->tree);

  for (guint i = 0; i < MIN (g_list_model_get_n_items (model), MOST_UNFOLDED); i++)
    {
      g_autoptr (GtkTreeListRow) row = g_list_model_get_item (model, i);

      if (gtk_tree_list_row_get_depth (row) < LEVELS)
        gtk_tree_list_row_set_expanded (row, TRUE);
    }
}

static gboolean
matches (gpointer item, gpointer data)
{
  KymoFigureTable *self = data;
  g_autoptr (KymoFigureRow) row = row_of (item);
  g_autofree char *name = NULL;

  if (self->needle == NULL || self->texts.first_child != NULL
      || self->texts.list == NULL || row == NULL)
    return TRUE;
  name = g_utf8_casefold (kymo_table_get_string (self->texts.list, "name",
                                                 row->row), -1);
  return strstr (name, self->needle) != NULL;
}

static void
build_lines (KymoFigureTable *self)
{
  GListModel *roots = kymo_figure_texts_children (&self->texts, G_MAXUINT);
  GtkSorter *sorter = gtk_column_view_get_sorter (GTK_COLUMN_VIEW (self->view));
  GtkSorter *by_row = GTK_SORTER (gtk_tree_list_row_sorter_new (
    g_object_ref (sorter)));
  GtkFilterListModel *filtered;
  GtkSortListModel *sorted;

  g_clear_object (&self->tree);
  self->tree = gtk_tree_list_model_new (roots, FALSE, FALSE, create_children,
                                        self, NULL);
  unfold (self);
  filtered = gtk_filter_list_model_new (G_LIST_MODEL (g_object_ref (self->tree)),
                                        g_object_ref (self->filter));
  sorted = gtk_sort_list_model_new (G_LIST_MODEL (filtered), by_row);
  gtk_single_selection_set_model (self->selection, G_LIST_MODEL (sorted));
  g_object_unref (sorted);
}

static void
tell_lines (KymoFigureTable *self)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->tree));
  GtkSorter *sorter = gtk_column_view_get_sorter (GTK_COLUMN_VIEW (self->view));

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GtkTreeListRow) list_row
        = g_list_model_get_item (G_LIST_MODEL (self->tree), i);
      g_autoptr (KymoFigureRow) row = row_of (list_row);

      kymo_figure_row_tell (row);
    }
  if (gtk_sorter_get_order (sorter) != GTK_SORTER_ORDER_NONE)
    gtk_sorter_changed (sorter, GTK_SORTER_CHANGE_DIFFERENT);
}

/* -- what is chosen ------------------------------------------------------- */

static const char *
name_at (KymoFigureTable *self, guint position)
{
  g_autoptr (GtkTreeListRow) list_row
    = g_list_model_get_item (G_LIST_MODEL (self->selection), position);
  g_autoptr (KymoFigureRow) row = row_of (list_row);

  return row != NULL && self->texts.list != NULL
         ? kymo_table_get_string (self->texts.list, "name", row->row) : NULL;
}

/* User events are no functions. */
static gboolean
is_of_functions (KymoFigureTable *self)
{
  return self->columns->len > 0
         && column_at (self, 0)->kind <= KYMO_FIGURE_NODE;
}

/* Nothing moves where the selected line is of that function already. */
static void
show_chosen (KymoFigureTable *self)
{
  const char *chosen = kymo_session_peek_function (self->session);
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->selection));
  guint at = gtk_single_selection_get_selected (self->selection), found;

  if (!is_of_functions (self))
    return;
  if (chosen != NULL && at < n && g_strcmp0 (name_at (self, at), chosen) == 0)
    return;
  for (found = 0; found < n; found++)
    if (chosen != NULL && g_strcmp0 (name_at (self, found), chosen) == 0)
      break;
  self->filling = TRUE;
  gtk_single_selection_set_selected (self->selection, found < n
                                     ? found : GTK_INVALID_LIST_POSITION);
  self->filling = FALSE;
  if (found < n)
    gtk_widget_activate_action (gtk_widget_get_last_child (self->view),
                                "list.scroll-to-item", "u", found);
}

static void
on_selected (KymoFigureTable *self)
{
  const char *name = name_at (self, gtk_single_selection_get_selected (
                                self->selection));
  g_autofree char *copy = g_strdup (name);

  if (!self->filling && copy != NULL && is_of_functions (self))
    kymo_session_set_function (self->session, copy);
}

static void
on_activate (GtkColumnView *view, guint position, KymoFigureTable *self)
{
  g_autofree char *name = g_strdup (name_at (self, position));

  if (name != NULL)
    g_signal_emit_by_name (self, "activated", name);
}

/* -- filling -------------------------------------------------------------- */

/** kymo_figure_table_set: @answer: (nullable) (transfer none): %NULL empties it */
void
kymo_figure_table_set (KymoFigureTable *self, KymoTable *answer,
                       const char *list)
{
  gboolean same = self->tree != NULL
                  && kymo_figure_texts_same (&self->texts, answer, list);

  self->filling = TRUE;
  if (!same)
    {
      gtk_single_selection_set_model (self->selection, NULL);
      g_clear_object (&self->tree);
    }
  kymo_figure_texts_set (&self->texts, answer, list, self->session);
  if (same)
    tell_lines (self);
  else if (self->texts.list != NULL)
    build_lines (self);
  self->filling = FALSE;
  show_chosen (self);
}

/** kymo_figure_table_set_filter: */
void
kymo_figure_table_set_filter (KymoFigureTable *self, const char *text)
{
  g_clear_pointer (&self->needle, g_free);
  if (*text != '\0')
    self->needle = g_utf8_casefold (text, -1);
  gtk_filter_changed (self->filter, GTK_FILTER_CHANGE_DIFFERENT);
}

/** kymo_figure_table_dup_figures: */
char *
kymo_figure_table_dup_figures (KymoFigureTable *self)
{
  GString *text = g_string_new (NULL);
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->selection));

  for (guint c = 0; c < self->columns->len; c++)
    g_string_append_printf (text, "%s%s", c > 0 ? "\t" : "",
                            column_at (self, c)->title);
  g_string_append_c (text, '\n');
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GtkTreeListRow) list_row
        = g_list_model_get_item (G_LIST_MODEL (self->selection), i);
      g_autoptr (KymoFigureRow) row = row_of (list_row);

      for (guint d = gtk_tree_list_row_get_depth (list_row); d > 0; d--)
        g_string_append (text, "  ");
      for (guint c = 0; c < self->columns->len; c++)
        {
          g_autofree char *cell = kymo_figure_texts_exact (
            &self->texts, column_at (self, c), row->row);

          g_string_append_printf (text, "%s%s", c > 0 ? "\t" : "", cell);
        }
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}

static gboolean
on_copy (GtkWidget *widget, GVariant *args, gpointer data)
{
  KymoFigureTable *self = KYMO_FIGURE_TABLE (widget);
  g_autofree char *text = kymo_figure_table_dup_figures (self);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
  g_signal_emit_by_name (self, "copied");
  return TRUE;
}

/* -- the widget ----------------------------------------------------------- */

static void
kymo_figure_table_dispose (GObject *object)
{
  KymoFigureTable *self = KYMO_FIGURE_TABLE (object);

  self->filling = TRUE;
  if (self->view != NULL)
    gtk_column_view_set_model (GTK_COLUMN_VIEW (self->view), NULL);
  self->view = NULL;
  g_clear_object (&self->tree);
  kymo_figure_texts_clear (&self->texts);
  g_clear_object (&self->filter);
  g_clear_pointer (&self->needle, g_free);
  g_clear_pointer (&self->columns, g_array_unref);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (kymo_figure_table_parent_class)->dispose (object);
}

static void
kymo_figure_table_class_init (KymoFigureTableClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_figure_table_dispose;
  g_signal_new ("activated", KYMO_TYPE_FIGURE_TABLE, G_SIGNAL_RUN_LAST, 0, NULL,
                NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  g_signal_new ("copied", KYMO_TYPE_FIGURE_TABLE, G_SIGNAL_RUN_LAST, 0, NULL,
                NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_add_binding (GTK_WIDGET_CLASS (klass), GDK_KEY_c,
                                GDK_CONTROL_MASK, on_copy, NULL);
}

static void
kymo_figure_table_init (KymoFigureTable *self)
{
  self->columns = g_array_new (FALSE, FALSE, sizeof (KymoFigureColumn));
  g_array_set_clear_func (self->columns, clear_column);
  self->filter = GTK_FILTER (gtk_custom_filter_new (matches, self, NULL));
}

/** kymo_figure_table_new: @name: for who does not see it */
GtkWidget *
kymo_figure_table_new (KymoSession *session, const char *name)
{
  KymoFigureTable *self = g_object_new (KYMO_TYPE_FIGURE_TABLE, NULL);
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->session = g_object_ref (session);
  self->view = gtk_column_view_new (NULL);
  self->selection = gtk_single_selection_new (NULL);
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  gtk_column_view_set_model (GTK_COLUMN_VIEW (self->view),
                             GTK_SELECTION_MODEL (self->selection));
  g_object_unref (self->selection);
  gtk_widget_add_css_class (self->view, "data-table");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->view);
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_widget_set_hexpand (scrolled, TRUE);
  gtk_box_append (GTK_BOX (self), scrolled);
  g_signal_connect_object (self->selection, "notify::selected",
                           G_CALLBACK (on_selected), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view, "activate", G_CALLBACK (on_activate),
                           self, 0);
  g_signal_connect_object (session, "function-changed",
                           G_CALLBACK (show_chosen), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
