/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-line-model.h.
 */
#include "config.h"

#include "kymo-line-model.h"

#define NONE G_MAXUINT

struct _KymoLineModel
{
  GObject  parent_instance;

  GArray  *rows;                /* guint */
};

/* -- a line --------------------------------------------------------------- */

G_DEFINE_FINAL_TYPE (KymoLine, kymo_line, G_TYPE_OBJECT)

static void
kymo_line_finalize (GObject *object)
{
  g_free (KYMO_LINE (object)->key);
  G_OBJECT_CLASS (kymo_line_parent_class)->finalize (object);
}

static void
kymo_line_class_init (KymoLineClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = kymo_line_finalize;
}

static void
kymo_line_init (KymoLine *self)
{
}

/**
 * kymo_line_new:
 * @row: of the list that the line shows
 *
 * Returns: (transfer full): a line
 */
KymoLine *
kymo_line_new (guint row)
{
  KymoLine *self = g_object_new (KYMO_TYPE_LINE, NULL);

  self->row = row;
  return self;
}

/**
 * kymo_line_of:
 * @item: (nullable): a line, or a #GtkTreeListRow of a line
 *
 * Returns: (transfer full) (nullable): the line; %NULL for no item
 */
KymoLine *
kymo_line_of (gpointer item)
{
  if (item == NULL || KYMO_IS_LINE (item))
    return item != NULL ? g_object_ref (item) : NULL;
  return gtk_tree_list_row_get_item (item);
}

/* -- lines that stay ------------------------------------------------------ */

/* Removes the lines that got no row. They stand together where lines have no keys. */
static void
drop_lines (GListStore *lines, GPtrArray *all)
{
  for (guint end = all->len, begin; end > 0; end = begin)
    {
      gboolean gone = KYMO_LINE (all->pdata[end - 1])->row == NONE;

      for (begin = end - 1; begin > 0; begin--)
        if ((KYMO_LINE (all->pdata[begin - 1])->row == NONE) != gone)
          break;
      if (gone)
        g_list_store_splice (lines, begin, end - begin, NULL, 0);
    }
}

/**
 * kymo_line_model_match:
 * @lines: (element-type KymoLine): of another answer before
 * @rows: (nullable) (array length=n): rows of the answer at hand; %NULL is the first @n of it
 * @key: (nullable): what a row is known by in all answers, (transfer full); %NULL: by its place
 * @renumbered: (nullable): called where lines follow, before them: a sorted model has to sort what
 *   it has by the new rows, because it merges what comes into it
 * @data: for @key and @renumbered
 *
 * Gives the lines the numbers of these rows. A line stays the same object where its row is known,
 * so a table keeps its selection and scroll; lines without a row are removed, and rows without a
 * line get one at the end.
 *
 * Returns: whether there are lines that were not there before
 */
gboolean
kymo_line_model_match (GListStore *lines, const guint *rows, guint n,
                       char *(*key) (guint row, gpointer data), void (*renumbered) (gpointer data),
                       gpointer data)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) fresh = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  guint before = g_list_model_get_n_items (G_LIST_MODEL (lines));

  for (guint i = 0; i < before; i++)
    {
      KymoLine *line = g_list_model_get_item (G_LIST_MODEL (lines), i);

      line->row = NONE;
      g_ptr_array_add (all, line);
      if (line->key != NULL && !g_hash_table_contains (known, line->key))
        g_hash_table_insert (known, line->key, line);
    }
  for (guint i = 0; i < n; i++)
    {
      guint row = rows != NULL ? rows[i] : i;
      g_autofree char *name = key != NULL ? key (row, data) : NULL;
      KymoLine *line = name != NULL ? g_hash_table_lookup (known, name)
                       : i < before ? all->pdata[i] : NULL;

      /* Of rows with one key only the first has a line from before. */
      if (line == NULL || line->row != NONE)
        {
          line = kymo_line_new (row);
          line->key = g_steal_pointer (&name);
          g_ptr_array_add (fresh, line);
        }
      line->row = row;
    }
  drop_lines (lines, all);
  if (fresh->len > 0 && renumbered != NULL)
    renumbered (data);
  g_list_store_splice (lines, g_list_model_get_n_items (G_LIST_MODEL (lines)), 0, fresh->pdata,
                       fresh->len);
  return fresh->len > 0;
}

/* -- the model ------------------------------------------------------------ */

static GType
get_item_type (GListModel *model)
{
  return KYMO_TYPE_LINE;
}

static guint
get_n_items (GListModel *model)
{
  return KYMO_LINE_MODEL (model)->rows->len;
}

static gpointer
get_item (GListModel *model, guint position)
{
  guint row = kymo_line_model_row (KYMO_LINE_MODEL (model), position);

  return row != NONE ? kymo_line_new (row) : NULL;
}

static void
init_model (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (KymoLineModel, kymo_line_model,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL,
                                                      init_model))

static void
kymo_line_model_finalize (GObject *object)
{
  g_array_unref (KYMO_LINE_MODEL (object)->rows);
  G_OBJECT_CLASS (kymo_line_model_parent_class)->finalize (object);
}

static void
kymo_line_model_class_init (KymoLineModelClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = kymo_line_model_finalize;
}

static void
kymo_line_model_init (KymoLineModel *self)
{
}

/**
 * kymo_line_model_new:
 * @rows: (transfer full) (element-type guint): rows of a list, in the order of the lines
 *
 * Returns: (transfer full): a model with a #KymoLine for each row
 */
KymoLineModel *
kymo_line_model_new (GArray *rows)
{
  KymoLineModel *self = g_object_new (KYMO_TYPE_LINE_MODEL, NULL);

  self->rows = rows;
  return self;
}

/** kymo_line_model_set: other lines, or the same in another order */
void
kymo_line_model_set (KymoLineModel *self, GArray *rows)
{
  guint before = self->rows->len;

  g_array_unref (self->rows);
  self->rows = rows;
  g_list_model_items_changed (G_LIST_MODEL (self), 0, before, rows->len);
}

/**
 * kymo_line_model_row:
 * @line: a line; beyond the last one there is none
 *
 * Returns: the row of a line, or %G_MAXUINT
 */
guint
kymo_line_model_row (KymoLineModel *self, guint line)
{
  return line < self->rows->len ? g_array_index (self->rows, guint, line)
                                : NONE;
}

/**
 * kymo_line_model_find:
 *
 * Goes through all lines.
 *
 * Returns: the line of a row, or %G_MAXUINT
 */
guint
kymo_line_model_find (KymoLineModel *self, guint row)
{
  for (guint i = 0; i < self->rows->len; i++)
    if (g_array_index (self->rows, guint, i) == row)
      return i;
  return NONE;
}
