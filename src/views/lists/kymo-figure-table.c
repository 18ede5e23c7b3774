/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A table of lines. A flat list is sorted and filtered here, by numbers of
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

#define FIGURE_PX 86
#define TEXT_PX 120
#define MOST_HEAD_PX 180
/* Beside a heading there is room for its arrow. */
#define HEAD_ROOM_PX 30
/* Number of levels of a tree that are unfolded at first. */
#define LEVELS 2
#define MOST_UNFOLDED 200

struct _KymoFigureTable
{
  KymoLineTable        parent_instance;

  KymoSession         *session;
  KymoProfileOptions  *options;        /* of its part */
  GArray              *columns;        /* KymoFigureColumn, strings owned */
  KymoFigureTexts      texts;
  KymoNameFilter      *names;          /* that are listed, or NULL: all */
  KymoLineModel       *lines;          /* of a flat list, or NULL */
  GtkTreeListModel    *tree;           /* or NULL */
};

G_DEFINE_FINAL_TYPE (KymoFigureTable, kymo_figure_table, KYMO_TYPE_LINE_TABLE)

static GtkColumnView *
view_of (KymoFigureTable *self)
{
  return GTK_COLUMN_VIEW (kymo_line_table_peek_view (KYMO_LINE_TABLE (self)));
}

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

/* (transfer full): by which the desk keeps the order */
static char *
key_of (const KymoFigureColumn *column)
{
  return column->element > 0 ? g_strdup_printf ("%s:%u", column->key, column->element)
                             : g_strdup (column->key);
}

/* Returns: (nullable): %NULL as long as no heading was clicked */
static const KymoFigureColumn *
sorted_column (KymoFigureTable *self, gboolean *descending)
{
  g_autofree char *order = kymo_kept_sort_dup (view_of (self));

  *descending = order != NULL && *order == '-';
  for (guint i = 0; order != NULL && i < self->columns->len; i++)
    {
      g_autofree char *key = key_of (column_at (self, i));

      if (g_str_equal (key, order + *descending))
        return column_at (self, i);
    }
  return NULL;
}

/* Of a column the heading is never cut, unless it is a name. */
static int
column_width (KymoFigureTable *self, const KymoFigureColumn *info)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self),
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
  g_autofree char *key = key_of (info);

  kymo_line_table_add_column (KYMO_LINE_TABLE (self), &(KymoLineColumn) {
    .title = info->title, .key = key, .width_px = index > 0 ? column_width (self, info) : 0,
    .is_text = info->kind <= KYMO_FIGURE_TEXT, .is_tree = info->kind == KYMO_FIGURE_NODE,
    .zero_is_none = g_str_equal (info->key, "subroutines") });
}

/** kymo_figure_table_keep_sort: @view: of kymo_desk_words[] */
void
kymo_figure_table_keep_sort (KymoFigureTable *self, const char *view)
{
  kymo_kept_add_sort (GTK_WIDGET (view_of (self)), view, "sort");
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

/* User events are no functions. */
static gboolean
is_of_functions (KymoFigureTable *self)
{
  return self->columns->len > 0
         && column_at (self, 0)->kind <= KYMO_FIGURE_NODE;
}

/** kymo_figure_table_set_columns: @columns: (array length=n_columns) */
void
kymo_figure_table_set_columns (KymoFigureTable *self,
                               const KymoFigureColumn *columns,
                               guint n_columns)
{
  if (same_columns (self, columns, n_columns))
    return;
  kymo_figure_table_set (self, NULL, NULL);
  kymo_line_table_drop_columns (KYMO_LINE_TABLE (self));
  g_array_set_size (self->columns, 0);
  for (guint i = 0; i < n_columns; i++)
    {
      KymoFigureColumn column = columns[i];

      column.key = g_strdup (columns[i].key);
      column.title = g_strdup (columns[i].title);
      g_array_append_val (self->columns, column);
      add_column (self, i);
    }
  kymo_line_table_link (KYMO_LINE_TABLE (self), is_of_functions (self) ? self->session : NULL);
}

/** kymo_figure_table_sort: by a column, the largest first; or as it was kept */
void
kymo_figure_table_sort (KymoFigureTable *self, const char *key)
{
  if (kymo_kept_try (GTK_WIDGET (view_of (self))))
    return;
  for (guint i = 0; i < self->columns->len; i++)
    if (g_strcmp0 (column_at (self, i)->key, key) == 0)
      kymo_line_table_sort (KYMO_LINE_TABLE (self), i, TRUE);
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
  GtkSorter *sorter = gtk_column_view_get_sorter (view_of (self));
  GtkSorter *by_row = GTK_SORTER (gtk_tree_list_row_sorter_new (
    g_object_ref (sorter)));
  g_autoptr (GtkSortListModel) sorted = NULL;

  self->tree = gtk_tree_list_model_new (G_LIST_MODEL (roots), FALSE, FALSE,
                                        create_children, self, NULL);
  unfold (self);
  sorted = gtk_sort_list_model_new (G_LIST_MODEL (g_object_ref (self->tree)),
                                    by_row);
  gtk_sort_list_model_set_incremental (sorted, TRUE);
  kymo_line_table_set_model (KYMO_LINE_TABLE (self), G_LIST_MODEL (sorted));
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
      kymo_line_table_set_model (KYMO_LINE_TABLE (self), G_LIST_MODEL (self->lines));
    }
}

static void
clear_lines (KymoFigureTable *self)
{
  kymo_line_table_set_model (KYMO_LINE_TABLE (self), NULL);
  g_clear_object (&self->tree);
  g_clear_object (&self->lines);
}

/* -- filling -------------------------------------------------------------- */

/* Lines of a flat list in another order, or others of them. What is selected is let go
   meanwhile, or the selection would look for it through all lines. */
static void
order_again (KymoFigureTable *self)
{
  KymoLineTable *table = KYMO_LINE_TABLE (self);
  int row;

  if (self->lines == NULL)
    return;
  row = kymo_line_table_get_selected (table);
  kymo_line_table_select (table, GTK_INVALID_LIST_POSITION, FALSE);
  kymo_line_model_set (self->lines, order_lines (self));
  if (row >= 0)
    kymo_line_table_select (table, kymo_line_model_find (self->lines, row), FALSE);
  else
    kymo_line_table_follow (table, FALSE);
}

/** kymo_figure_table_set: @answer: (nullable) (transfer none): %NULL empties it */
void
kymo_figure_table_set (KymoFigureTable *self, KymoTable *answer,
                       const char *list)
{
  gboolean same = (self->tree != NULL || self->lines != NULL)
                  && kymo_figure_texts_same (&self->texts, answer, list);

  if (!same)
    clear_lines (self);
  kymo_figure_texts_set (&self->texts, answer, list, self->options);
  if (self->texts.list != NULL)
    kymo_line_table_measure (KYMO_LINE_TABLE (self), NULL,
                             kymo_table_get_n_rows (self->texts.list));
  if (same)
    {
      kymo_line_table_show (KYMO_LINE_TABLE (self), 0, G_MAXUINT);
      kymo_line_table_sort_again (KYMO_LINE_TABLE (self));
    }
  else if (self->texts.list != NULL)
    build_lines (self);
  kymo_line_table_follow (KYMO_LINE_TABLE (self), TRUE);
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

/* -- the widget ----------------------------------------------------------- */

static double
cell_number (KymoLineTable *table, guint column, guint row)
{
  KymoFigureTable *self = KYMO_FIGURE_TABLE (table);

  const KymoFigureColumn *info = column_at (self, column);
  double number = kymo_figure_texts_number (&self->texts, info, row);

  return info->kind == KYMO_FIGURE_VALUE ? number * self->texts.value.factor : number;
}

static const char *
name_of (KymoLineTable *table, guint row)
{
  KymoTable *list = KYMO_FIGURE_TABLE (table)->texts.list;

  return list != NULL ? kymo_table_get_string (list, "name", row) : NULL;
}

static void
on_activated (KymoLineTable *table, int row)
{
  g_autofree char *name = g_strdup (name_of (table, row));

  if (name != NULL)
    g_signal_emit_by_name (table, "activated", name);
}

static void
kymo_figure_table_dispose (GObject *object)
{
  KymoFigureTable *self = KYMO_FIGURE_TABLE (object);

  kymo_figure_menu_forget (self);
  clear_lines (self);
  kymo_figure_texts_clear (&self->texts);
  g_clear_object (&self->options);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (kymo_figure_table_parent_class)->dispose (object);
}

static void
kymo_figure_table_finalize (GObject *object)
{
  KymoFigureTable *self = KYMO_FIGURE_TABLE (object);

  kymo_name_filter_free (self->names);
  g_array_unref (self->columns);
  G_OBJECT_CLASS (kymo_figure_table_parent_class)->finalize (object);
}

static void
kymo_figure_table_class_init (KymoFigureTableClass *klass)
{
  KymoLineTableClass *table_class = KYMO_LINE_TABLE_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = kymo_figure_table_dispose;
  G_OBJECT_CLASS (klass)->finalize = kymo_figure_table_finalize;
  kymo_signal_new ("activated", KYMO_TYPE_FIGURE_TABLE, 1, G_TYPE_STRING);
  kymo_figure_cells_init_class (table_class);
  table_class->number = cell_number;
  table_class->name = name_of;
  table_class->activated = on_activated;
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

  self->session = g_object_ref (session);
  self->names = kymo_name_filter_new ();
  self->options = g_object_ref (kymo_session_peek_options (session));
  kymo_line_table_build (KYMO_LINE_TABLE (self), name);
  kymo_line_table_set_model (KYMO_LINE_TABLE (self), NULL);
  kymo_figure_menu_attach (self, GTK_WIDGET (view_of (self)));
  kymo_follow (gtk_column_view_get_sorter (view_of (self)), "changed", order_again, self);
  return GTK_WIDGET (self);
}
