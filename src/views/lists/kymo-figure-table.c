/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A column view over lines. A flat list is sorted and filtered here, by numbers of
 * rows, for it may have a hundred thousand; of a tree, of which a part is unfolded, the
 * toolkit sorts what is to be seen. With another answer of the same lines (another
 * range, metric or thread) the cells alone change, so what was unfolded stays unfolded.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-figure-table-private.h"
#include "kymo-kept.h"
#include "kymo-kept-sorter.h"
#include "kymo-session-profile.h"
#include "kymo-text-zoom.h"

#define FIGURE_PX 86
#define TEXT_PX 120
#define MOST_HEAD_PX 180
/* Beside a heading there is room for its arrow. */
#define HEAD_ROOM_PX 36
/* Of a tree so many levels are unfolded at first. */
#define LEVELS 2
#define MOST_UNFOLDED 200

struct _KymoFigureTable
{
  GtkBox               parent_instance;

  KymoSession         *session;
  KymoProfileOptions  *options;        /* of its part */
  GArray              *columns;        /* KymoFigureColumn, strings owned */
  KymoFigureTexts      texts;
  KymoNameFilter      *names;          /* that are listed, or NULL: all */
  GtkWidget           *view;
  KymoLineModel     *lines;          /* of a flat list, or NULL */
  GtkTreeListModel    *tree;           /* or NULL */
  guint                asked;          /* which column compared last */
  GtkSingleSelection  *selection;      /* borrowed */
  gboolean             filling;
};

G_DEFINE_FINAL_TYPE (KymoFigureTable, kymo_figure_table, GTK_TYPE_BOX)

static const KymoFigureColumn *
column_at (KymoFigureTable *self, guint index)
{
  return &g_array_index (self->columns, KymoFigureColumn, index);
}

/**
 * kymo_figure_table_peek_texts:
 *
 * Returns: (transfer none): the answer and units behind the texts of cells; its list is %NULL while
 *   the table is empty
 */
const KymoFigureTexts *
kymo_figure_table_peek_texts (KymoFigureTable *self)
{
  return &self->texts;
}

/** kymo_figure_table_peek_column: (nullable): */
const KymoFigureColumn *
kymo_figure_table_peek_column (KymoFigureTable *self, guint index)
{
  return index < self->columns->len ? column_at (self, index) : NULL;
}

/**
 * kymo_figure_table_peek_session:
 *
 * Returns: (transfer none): the session whose chosen function is the selected line
 */
KymoSession *
kymo_figure_table_peek_session (KymoFigureTable *self)
{
  return self->session;
}

/**
 * kymo_figure_table_peek_options:
 *
 * Returns: (transfer none): the options of the part that the table is in
 */
KymoProfileOptions *
kymo_figure_table_peek_options (KymoFigureTable *self)
{
  return self->options;
}

/* -- columns -------------------------------------------------------------- */

/* A line that is none asks which column is sorted by; see sorted_column(). */
static int
compare_figure_table (gconstpointer a, gconstpointer b, gpointer data)
{
  KymoFigureTable *self = g_object_get_data (data, "table");
  guint index = GPOINTER_TO_UINT (g_object_get_data (data, "index"));
  const KymoLine *x = a, *y = b;
  guint n = self->texts.list != NULL ? kymo_table_get_n_rows (self->texts.list)
                                     : 0;

  self->asked = index;
  if (x->row == G_MAXUINT)
    return -1;
  if (x->row >= n || y->row >= n || index >= self->columns->len)
    return 0;
  return kymo_figure_texts_compare (&self->texts, column_at (self, index),
                                    x->row, y->row);
}

/* GTK 4.8 does not tell which heading was clicked, and in which direction. The first
   column that its sorter asks is that, and what it makes of the answer the direction.
   Returns: (nullable): %NULL as long as none was */
static const KymoFigureColumn *
sorted_column (KymoFigureTable *self, gboolean *descending)
{
  GtkSorter *sorter = gtk_column_view_get_sorter (GTK_COLUMN_VIEW (self->view));
  g_autoptr (KymoLine) probe = kymo_line_new (G_MAXUINT);
  g_autoptr (KymoLine) other = kymo_line_new (G_MAXUINT);

  self->asked = G_MAXUINT;
  *descending = gtk_sorter_compare (sorter, probe, other) == GTK_ORDERING_LARGER;
  return kymo_figure_table_peek_column (self, self->asked);
}

/* Of a column the heading is never cut, unless it is a name. */
static int
column_width (KymoFigureTable *self, const KymoFigureColumn *info)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (self->view,
                                                                   info->title);
  g_autoptr (PangoAttrList) bold = pango_attr_list_new ();
  int width;

  pango_attr_list_insert (bold, pango_attr_weight_new (PANGO_WEIGHT_BOLD));
  pango_layout_set_attributes (layout, bold);
  pango_layout_get_pixel_size (layout, &width, NULL);
  return CLAMP (width + HEAD_ROOM_PX,
                info->kind == KYMO_FIGURE_TEXT ? TEXT_PX : FIGURE_PX,
                MOST_HEAD_PX);
}

static void
add_column (KymoFigureTable *self, guint index)
{
  const KymoFigureColumn *info = column_at (self, index);
  GtkListItemFactory *factory = kymo_figure_cells_new (self, index);
  GtkCustomSorter *sorter = gtk_custom_sorter_new (NULL, NULL, NULL);
  g_autofree char *key = info->element > 0 ? g_strdup_printf ("%s:%u", info->key, info->element)
                                           : g_strdup (info->key);
  g_autoptr (GtkSorter) kept = kymo_kept_sorter_new (GTK_SORTER (sorter), key);
  GtkColumnViewColumn *column;

  g_object_set_data (G_OBJECT (sorter), "table", self);
  g_object_set_data (G_OBJECT (sorter), "index", GUINT_TO_POINTER (index));
  gtk_custom_sorter_set_sort_func (sorter, compare_figure_table, sorter, NULL);
  column = gtk_column_view_column_new (info->title, factory);
  gtk_column_view_column_set_sorter (column, kept);
  gtk_column_view_column_set_resizable (column, TRUE);
  if (index == 0)
    gtk_column_view_column_set_expand (column, TRUE);
  else
    gtk_column_view_column_set_fixed_width (column,
                                              kymo_text_px (column_width (self, info)));
  gtk_column_view_append_column (GTK_COLUMN_VIEW (self->view), column);
  g_object_unref (column);
}

/** kymo_figure_table_keep_sort: @view: of kymo_desk_words[] */
void
kymo_figure_table_keep_sort (KymoFigureTable *self, const char *view)
{
  kymo_kept_add_sort (self->view, view, "sort");
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

/** kymo_figure_table_sort: by a column, the largest first; or as it was kept */
void
kymo_figure_table_sort (KymoFigureTable *self, const char *key)
{
  GListModel *shown = gtk_column_view_get_columns (GTK_COLUMN_VIEW (self->view));

  if (kymo_kept_try (self->view))
    return;
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

  return (GListModel *) kymo_figure_texts_children (
    &self->texts, KYMO_LINE (item)->row);
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

static void
build_tree (KymoFigureTable *self)
{
  KymoLineModel *roots = kymo_figure_texts_children (&self->texts, G_MAXUINT);
  GtkSorter *sorter = gtk_column_view_get_sorter (GTK_COLUMN_VIEW (self->view));
  GtkSorter *by_row = GTK_SORTER (gtk_tree_list_row_sorter_new (
    g_object_ref (sorter)));
  GtkSortListModel *sorted;

  self->tree = gtk_tree_list_model_new (G_LIST_MODEL (roots), FALSE, FALSE,
                                        create_children, self, NULL);
  unfold (self);
  sorted = gtk_sort_list_model_new (G_LIST_MODEL (g_object_ref (self->tree)),
                                    by_row);
  gtk_sort_list_model_set_incremental (sorted, TRUE);
  gtk_single_selection_set_model (self->selection, G_LIST_MODEL (sorted));
  g_object_unref (sorted);
}

static GArray *
order_lines (KymoFigureTable *self)
{
  gboolean descending;
  const KymoFigureColumn *column = sorted_column (self, &descending);

  return kymo_figure_texts_order (&self->texts, self->names, column,
                                  descending);
}

static void
build_lines (KymoFigureTable *self)
{
  if (self->texts.first_child != NULL)
    build_tree (self);
  else
    {
      self->lines = kymo_line_model_new (order_lines (self));
      gtk_single_selection_set_model (self->selection,
                                      G_LIST_MODEL (self->lines));
    }
}

static guint
selected_row (KymoFigureTable *self)
{
  return kymo_line_model_row (self->lines, gtk_single_selection_get_selected (
                                  self->selection));
}

static void
clear_lines (KymoFigureTable *self)
{
  gtk_single_selection_set_model (self->selection, NULL);
  g_clear_object (&self->tree);
  g_clear_object (&self->lines);
}

/* -- what is chosen ------------------------------------------------------- */

static const char *
name_at (KymoFigureTable *self, guint position)
{
  g_autoptr (GObject) item
    = g_list_model_get_item (G_LIST_MODEL (self->selection), position);
  g_autoptr (KymoLine) row = kymo_line_of (item);

  return row != NULL && self->texts.list != NULL
         ? kymo_table_get_string (self->texts.list, "name", row->row) : NULL;
}

/* The first line of a name, or GTK_INVALID_LIST_POSITION. A flat list is looked
   through without making its lines. */
static guint
find_name (KymoFigureTable *self, const char *name)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->selection));

  for (guint i = 0; i < n; i++)
    if (g_strcmp0 (self->lines != NULL
                   ? kymo_table_get_string (self->texts.list, "name",
                                            kymo_line_model_row (self->lines,
                                                                   i))
                   : name_at (self, i), name) == 0)
      return i;
  return GTK_INVALID_LIST_POSITION;
}

/* User events are no functions. */
static gboolean
is_of_functions (KymoFigureTable *self)
{
  return self->columns->len > 0
         && column_at (self, 0)->kind <= KYMO_FIGURE_NODE;
}

static guint
find_chosen (KymoFigureTable *self)
{
  const char *chosen = kymo_session_peek_function (self->session);

  return chosen != NULL && is_of_functions (self) ? find_name (self, chosen)
                                                  : GTK_INVALID_LIST_POSITION;
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
  found = find_chosen (self);
  self->filling = TRUE;
  gtk_single_selection_set_selected (self->selection, found);
  self->filling = FALSE;
  if (found != GTK_INVALID_LIST_POSITION)
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

/* Lines of a flat list in another order, or others of them. What is selected is let go
   meanwhile, or the selection would look for it through all lines. */
static void
order_again (KymoFigureTable *self)
{
  guint row;

  if (self->lines == NULL)
    return;
  row = selected_row (self);
  self->filling = TRUE;
  gtk_single_selection_set_selected (self->selection,
                                     GTK_INVALID_LIST_POSITION);
  kymo_line_model_set (self->lines, order_lines (self));
  gtk_single_selection_set_selected (
    self->selection, row != G_MAXUINT ? kymo_line_model_find (self->lines, row)
                                      : find_chosen (self));
  self->filling = FALSE;
}

static void
tell_lines (KymoFigureTable *self)
{
  GtkSorter *sorter = gtk_column_view_get_sorter (GTK_COLUMN_VIEW (self->view));

  g_signal_emit_by_name (self, "figures-changed");
  if (gtk_sorter_get_order (sorter) == GTK_SORTER_ORDER_NONE)
    return;
  if (self->lines != NULL)
    order_again (self);
  else
    gtk_sorter_changed (sorter, GTK_SORTER_CHANGE_DIFFERENT);
}

/** kymo_figure_table_set: @answer: (nullable) (transfer none): %NULL empties it */
void
kymo_figure_table_set (KymoFigureTable *self, KymoTable *answer,
                       const char *list)
{
  gboolean same = (self->tree != NULL || self->lines != NULL)
                  && kymo_figure_texts_same (&self->texts, answer, list);

  self->filling = TRUE;
  if (!same)
    clear_lines (self);
  kymo_figure_texts_set (&self->texts, answer, list, self->options);
  if (same)
    tell_lines (self);
  else if (self->texts.list != NULL)
    build_lines (self);
  self->filling = FALSE;
  show_chosen (self);
}

/**
 * kymo_figure_table_set_filter:
 * @text: the pattern for names, see kymo-name-filter.h; "" lists all
 * @entry: (nullable): marked as wrong where @text is no valid expression; then the filter stays
 *
 * A tree is not filtered.
 */
void
kymo_figure_table_set_filter (KymoFigureTable *self, const char *text, GtkWidget *entry)
{
  kymo_name_filter_set_text (self->names, text, entry);
  order_again (self);
}

/**
 * kymo_figure_table_dup_figures:
 *
 * Writes the table as text: the titles, then the listed lines, with tabs between cells and all
 * digits. In a tree names are indented, and lines of folded nodes are left out.
 *
 * Returns: (transfer full): the text; each line ends with "\n"
 */
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
      g_autoptr (GObject) item
        = g_list_model_get_item (G_LIST_MODEL (self->selection), i);
      g_autoptr (KymoLine) row = kymo_line_of (item);

      if (self->tree != NULL)
        for (guint d = gtk_tree_list_row_get_depth (GTK_TREE_LIST_ROW (item));
             d > 0; d--)
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

/* -- the widget ----------------------------------------------------------- */

static void
kymo_figure_table_dispose (GObject *object)
{
  KymoFigureTable *self = KYMO_FIGURE_TABLE (object);

  self->filling = TRUE;
  kymo_figure_menu_forget (self);
  if (self->view != NULL)
    gtk_column_view_set_model (GTK_COLUMN_VIEW (self->view), NULL);
  self->view = NULL;
  g_clear_object (&self->tree);
  g_clear_object (&self->lines);
  kymo_figure_texts_clear (&self->texts);
  g_clear_pointer (&self->names, kymo_name_filter_free);
  g_clear_pointer (&self->columns, g_array_unref);
  g_clear_object (&self->options);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (kymo_figure_table_parent_class)->dispose (object);
}

static void
kymo_figure_table_class_init (KymoFigureTableClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_figure_table_dispose;
  g_signal_new ("activated", KYMO_TYPE_FIGURE_TABLE, G_SIGNAL_RUN_LAST, 0, NULL,
                NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  /* To its cells: show your line again. */
  g_signal_new ("figures-changed", KYMO_TYPE_FIGURE_TABLE, G_SIGNAL_RUN_LAST, 0,
                NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new ("copied", KYMO_TYPE_FIGURE_TABLE, G_SIGNAL_RUN_LAST, 0, NULL,
                NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_c,
                                       GDK_CONTROL_MASK, "figure.copy", NULL);
}

static void
kymo_figure_table_init (KymoFigureTable *self)
{
  self->columns = g_array_new (FALSE, FALSE, sizeof (KymoFigureColumn));
  g_array_set_clear_func (self->columns, clear_column);
}

/** kymo_figure_table_new: @name: for who does not see it */
GtkWidget *
kymo_figure_table_new (KymoSession *session, const char *name)
{
  KymoFigureTable *self = g_object_new (KYMO_TYPE_FIGURE_TABLE, NULL);
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->session = g_object_ref (session);
  self->names = kymo_name_filter_new ();
  self->options = g_object_ref (kymo_session_peek_options (session));
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
  kymo_figure_menu_attach (self, self->view);
  g_signal_connect_object (gtk_column_view_get_sorter (
                             GTK_COLUMN_VIEW (self->view)), "changed",
                           G_CALLBACK (order_again), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->selection, "notify::selected",
                           G_CALLBACK (on_selected), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view, "activate", G_CALLBACK (on_activate),
                           self, 0);
  g_signal_connect_object (session, "function-changed",
                           G_CALLBACK (show_chosen), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
