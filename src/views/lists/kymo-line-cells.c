/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cells of a KymoLineTable. Those that are bound to a line are known to the table, so that they
 * can show another answer without being made anew.
 */
#include "config.h"

#include "kymo-label.h"
#include "kymo-line-table-private.h"
#include "kymo-name-label.h"

#define CELL "kymo-line-cell"

/* A cell: data of its widget. */
typedef struct
{
  KymoLineTable *table;
  GtkListItem   *item;
  GtkWidget     *widget, *label;
  guint          column;
} Cell;

/* -- cells ---------------------------------------------------------------- */

/* G_MAXUINT: of none */
static guint
row_of (const Cell *cell)
{
  g_autoptr (KymoLine) line = kymo_line_of (gtk_list_item_get_item (cell->item));

  return line != NULL ? line->row : G_MAXUINT;
}

/* Made when it is asked for: to set a tooltip asks the display where the pointer is, and a table
   binds hundreds of cells at once. */
static gboolean
on_tooltip (GtkWidget *label, int x, int y, gboolean keyboard, GtkTooltip *tooltip,
            const Cell *cell)
{
  KymoLineTableClass *klass = KYMO_LINE_TABLE_GET_CLASS (cell->table);
  guint row = row_of (cell);
  g_autofree char *text = NULL;

  if (row == G_MAXUINT)
    return FALSE;
  text = klass->tip != NULL ? klass->tip (cell->table, cell->column, row)
                            : klass->text (cell->table, cell->column, row, TRUE);
  if (text == NULL || *text == '\0'
      || (g_str_equal (text, gtk_label_get_text (GTK_LABEL (label)))
          && !pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (label)))))
    return FALSE;
  kymo_label_tell_tip (tooltip, text);
  return TRUE;
}

static GtkWidget *
label_new (const KymoLineColumn *info, const Cell *cell)
{
  GtkWidget *label = info->hurries ? gtk_inscription_new (NULL) : gtk_label_new (NULL);

  gtk_widget_set_hexpand (label, TRUE);
  if (!info->is_text)
    gtk_widget_add_css_class (label, "numeric");
  if (info->hurries)
    {
      g_object_set (label, "xalign", info->is_text ? 0.f : 1.f, "min-chars", 0, "nat-chars", 6,
                    NULL);
      return label;
    }
  gtk_label_set_xalign (GTK_LABEL (label), info->is_text ? 0 : 1);
  gtk_label_set_ellipsize (GTK_LABEL (label), info->is_text ? PANGO_ELLIPSIZE_MIDDLE
                                                            : PANGO_ELLIPSIZE_NONE);
  gtk_widget_set_has_tooltip (label, TRUE);
  g_signal_connect (label, "query-tooltip", G_CALLBACK (on_tooltip), (gpointer) cell);
  return label;
}

static void
on_setup (GtkListItemFactory *factory, GtkListItem *item, KymoLineTable *self)
{
  KymoLineTableClass *klass = KYMO_LINE_TABLE_GET_CLASS (self);
  Cell *cell = g_new0 (Cell, 1);
  const KymoLineColumn *info;
  GtkWidget *shown;

  cell->table = self;
  cell->item = item;
  cell->column = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (factory), "column"));
  info = &g_array_index (kymo_line_table_private (self)->columns, KymoLineColumn, cell->column);
  cell->label = label_new (info, cell);
  shown = info->is_text && !info->hurries ? kymo_name_label_new (cell->label) : cell->label;
  cell->widget = klass->setup != NULL ? klass->setup (self, cell->column, shown) : shown;
  g_object_set_data_full (G_OBJECT (cell->widget), CELL, cell, g_free);
  gtk_list_item_set_child (item, cell->widget);
}

/**
 * kymo_line_cell_new:
 * @before: (transfer floating): what stands before the label
 * @label: of a new cell
 * @gap_px: between them
 *
 * Returns: (transfer floating): a cell of both, for the function "setup" of a class
 */
GtkWidget *
kymo_line_cell_new (GtkWidget *before, GtkWidget *label, int gap_px)
{
  GtkWidget *cell = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, gap_px);

  gtk_box_append (GTK_BOX (cell), before);
  gtk_box_append (GTK_BOX (cell), label);
  return cell;
}

/**
 * kymo_line_cell_get_row:
 * @widget: of a cell
 *
 * Returns: the row of the answer that the cell shows, or -1
 */
int
kymo_line_cell_get_row (GtkWidget *widget)
{
  return (int) row_of (g_object_get_data (G_OBJECT (widget), CELL));
}

static void
show_cell (const Cell *cell)
{
  KymoLineTableClass *klass = KYMO_LINE_TABLE_GET_CLASS (cell->table);
  g_autofree char *text = NULL;
  guint row = row_of (cell);

  if (row == G_MAXUINT)
    return;
  text = klass->text (cell->table, cell->column, row, FALSE);
  if (GTK_IS_LABEL (cell->label))
    kymo_label_set (cell->label, text != NULL ? text : "…");
  else if (g_strcmp0 (gtk_inscription_get_text (GTK_INSCRIPTION (cell->label)), text) != 0)
    gtk_inscription_set_text (GTK_INSCRIPTION (cell->label), text);
  if (klass->show != NULL)
    klass->show (cell->table, cell->column, cell->widget, row);
}

static Cell *
cell_of (GtkListItem *item)
{
  return g_object_get_data (G_OBJECT (gtk_list_item_get_child (item)), CELL);
}

static void
on_bind (GtkListItemFactory *factory, GtkListItem *item, KymoLineTable *self)
{
  Cell *cell = cell_of (item);

  if (GTK_IS_TREE_EXPANDER (cell->widget))
    gtk_tree_expander_set_list_row (GTK_TREE_EXPANDER (cell->widget),
                                    gtk_list_item_get_item (item));
  g_hash_table_add (kymo_line_table_private (self)->bound, cell);
  show_cell (cell);
}

static void
on_unbind (GtkListItemFactory *factory, GtkListItem *item, KymoLineTable *self)
{
  Cell *cell = cell_of (item);

  if (GTK_IS_TREE_EXPANDER (cell->widget))
    gtk_tree_expander_set_list_row (GTK_TREE_EXPANDER (cell->widget), NULL);
  g_hash_table_remove (kymo_line_table_private (self)->bound, cell);
}

/**
 * kymo_line_table_show:
 * @first: a row of the answer
 * @n: number of rows; %G_MAXUINT is all
 *
 * Shows again what the answer has of these rows, where they are in sight.
 */
void
kymo_line_table_show (KymoLineTable *self, guint first, guint n)
{
  GHashTableIter iter;
  gpointer cell;

  g_hash_table_iter_init (&iter, kymo_line_table_private (self)->bound);
  while (g_hash_table_iter_next (&iter, &cell, NULL))
    {
      guint row = row_of (cell);

      if (row >= first && row - first < n)
        show_cell (cell);
    }
}

/**
 * kymo_line_cells_new:
 * @column: its number
 *
 * Returns: (transfer full): what makes the cells of a column
 */
GtkListItemFactory *
kymo_line_cells_new (KymoLineTable *self, guint column)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_object_set_data (G_OBJECT (factory), "column", GUINT_TO_POINTER (column));
  g_signal_connect_object (factory, "setup", G_CALLBACK (on_setup), self, 0);
  g_signal_connect_object (factory, "bind", G_CALLBACK (on_bind), self, 0);
  g_signal_connect_object (factory, "unbind", G_CALLBACK (on_unbind), self, 0);
  return factory;
}

/* A line or one of its cells, not the list of all of them. */
static gboolean
is_in_line (GtkWidget *widget)
{
  const char *name = gtk_widget_get_css_name (widget);

  return g_str_equal (name, "row") || g_str_equal (name, "cell");
}

/**
 * kymo_line_table_pick:
 * @x: in pixels of the view
 *
 * Returns: the line at a place, or %GTK_INVALID_LIST_POSITION: below the last line there is none
 */
guint
kymo_line_table_pick (KymoLineTable *self, double x, double y)
{
  GtkWidget *view = kymo_line_table_private (self)->view;

  /* What is there is a cell, or is in a cell, or, beside a text, has a cell in it. */
  for (GtkWidget *widget = gtk_widget_pick (view, x, y, GTK_PICK_DEFAULT);
       widget != NULL && widget != view; widget = gtk_widget_get_parent (widget))
    for (GtkWidget *child = widget; child != NULL;
         child = is_in_line (child) ? gtk_widget_get_first_child (child) : NULL)
      {
        const Cell *cell = g_object_get_data (G_OBJECT (child), CELL);

        if (cell != NULL)
          return gtk_list_item_get_position (cell->item);
      }
  return GTK_INVALID_LIST_POSITION;
}
