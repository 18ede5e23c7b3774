/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-figure-lines.h.
 */
#include "config.h"

#include "kymo-figure-lines.h"

struct _KymoFigureLines
{
  GObject  parent_instance;

  GArray  *rows;                /* guint */
};

/* -- a line --------------------------------------------------------------- */

G_DEFINE_FINAL_TYPE (KymoFigureRow, kymo_figure_row, G_TYPE_OBJECT)

static void
kymo_figure_row_class_init (KymoFigureRowClass *klass)
{
}

static void
kymo_figure_row_init (KymoFigureRow *self)
{
}

/**
 * kymo_figure_row_new:
 * @row: of the list that the line shows; %G_MAXUINT for a line that is only compared
 *
 * Returns: (transfer full): a line
 */
KymoFigureRow *
kymo_figure_row_new (guint row)
{
  KymoFigureRow *self = g_object_new (KYMO_TYPE_FIGURE_ROW, NULL);

  self->row = row;
  return self;
}

/* -- the model ------------------------------------------------------------ */

static GType
get_item_type (GListModel *model)
{
  return KYMO_TYPE_FIGURE_ROW;
}

static guint
get_n_items (GListModel *model)
{
  return KYMO_FIGURE_LINES (model)->rows->len;
}

static gpointer
get_item (GListModel *model, guint position)
{
  guint row = kymo_figure_lines_row (KYMO_FIGURE_LINES (model), position);

  return row != G_MAXUINT ? kymo_figure_row_new (row) : NULL;
}

static void
init_model (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (KymoFigureLines, kymo_figure_lines,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL,
                                                      init_model))

static void
kymo_figure_lines_finalize (GObject *object)
{
  g_array_unref (KYMO_FIGURE_LINES (object)->rows);
  G_OBJECT_CLASS (kymo_figure_lines_parent_class)->finalize (object);
}

static void
kymo_figure_lines_class_init (KymoFigureLinesClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = kymo_figure_lines_finalize;
}

static void
kymo_figure_lines_init (KymoFigureLines *self)
{
}

/**
 * kymo_figure_lines_new:
 * @rows: (transfer full) (element-type guint): rows of a list, in the order of the lines
 *
 * Returns: (transfer full): a model with a #KymoFigureRow for each row
 */
KymoFigureLines *
kymo_figure_lines_new (GArray *rows)
{
  KymoFigureLines *self = g_object_new (KYMO_TYPE_FIGURE_LINES, NULL);

  self->rows = rows;
  return self;
}

/** kymo_figure_lines_set: other lines, or the same in another order */
void
kymo_figure_lines_set (KymoFigureLines *self, GArray *rows)
{
  guint before = self->rows->len;

  g_array_unref (self->rows);
  self->rows = rows;
  g_list_model_items_changed (G_LIST_MODEL (self), 0, before, rows->len);
}

/**
 * kymo_figure_lines_row:
 * @line: a line; beyond the last one there is none
 *
 * Returns: the row of a line, or %G_MAXUINT
 */
guint
kymo_figure_lines_row (KymoFigureLines *self, guint line)
{
  return line < self->rows->len ? g_array_index (self->rows, guint, line)
                                : G_MAXUINT;
}

/**
 * kymo_figure_lines_find:
 *
 * Goes through all lines.
 *
 * Returns: the line of a row, or %G_MAXUINT
 */
guint
kymo_figure_lines_find (KymoFigureLines *self, guint row)
{
  for (guint i = 0; i < self->rows->len; i++)
    if (g_array_index (self->rows, guint, i) == row)
      return i;
  return G_MAXUINT;
}
