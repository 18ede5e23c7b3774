/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The columns of a KymoLineTable, and the order of its lines by them.
 */
#include "config.h"

#include <math.h>

#include "kymo-kept-sorter.h"
#include "kymo-line-table-private.h"
#include "kymo-line-widths.h"
#include "kymo-sort-keys.h"
#include "kymo-text-zoom.h"

static const KymoLineColumn *
info_of (KymoLineTable *self, guint column)
{
  return &g_array_index (kymo_line_table_private (self)->columns, KymoLineColumn, column);
}

static guint
column_of (gpointer object)
{
  return GPOINTER_TO_UINT (g_object_get_data (object, "column"));
}

/* -- sorting -------------------------------------------------------------- */

static int
compare_texts (KymoLineTable *self, guint column, guint a, guint b)
{
  KymoLineTableClass *klass = KYMO_LINE_TABLE_GET_CLASS (self);
  g_autofree char *one = NULL, *other = NULL;

  if (klass->compare != NULL)
    return klass->compare (self, column, a, b);
  one = klass->text (self, column, a, TRUE);
  other = klass->text (self, column, b, TRUE);
  return g_strcmp0 (one, other);
}

/* What is not known counts as the least; where both are equal, the order of the answer holds, for
   sorting is stable. */
static int
compare_line_table (gconstpointer a, gconstpointer b, gpointer sorter)
{
  KymoLineTable *self = g_object_get_data (sorter, "table");
  KymoLineTableClass *klass = KYMO_LINE_TABLE_GET_CLASS (self);
  guint column = column_of (sorter);
  guint x = ((const KymoLine *) a)->row, y = ((const KymoLine *) b)->row;
  double left, right;

  if (klass->number == NULL || info_of (self, column)->is_text)
    return compare_texts (self, column, x, y);
  left = klass->number (self, column, x);
  right = klass->number (self, column, y);
  if (isnan (left) || isnan (right))
    return isnan (right) - isnan (left);
  return (left > right) - (left < right);
}

/* -- widths --------------------------------------------------------------- */

#define WIDTH_KEY "width-key"
#define HEADING_KEY "heading"
#define HEADING_PADDING_PX 14

/* The width that a person gave to a column, else its own, for text as it is. */
static int
width_of (KymoLineTable *self, guint column, GtkColumnViewColumn *shown)
{
  int kept = kymo_line_widths_get (g_object_get_data (G_OBJECT (shown), WIDTH_KEY));

  return kymo_text_px (kept > 0 ? kept : info_of (self, column)->width_px);
}

/**
 * kymo_line_table_has_own_width:
 *
 * Returns: whether a person gave the column its width
 */
gboolean
kymo_line_table_has_own_width (KymoLineTable *self, guint column)
{
  GtkColumnViewColumn *shown = kymo_line_table_private (self)->shown->pdata[column];

  return kymo_line_widths_get (g_object_get_data (G_OBJECT (shown), WIDTH_KEY)) > 0;
}

static void
set_width (KymoLineTable *self, GtkColumnViewColumn *shown, int width_px)
{
  KymoLineTablePrivate *own = kymo_line_table_private (self);

  if (gtk_column_view_column_get_fixed_width (shown) == width_px)
    return;
  own->sizing = TRUE;
  gtk_column_view_column_set_fixed_width (shown, width_px);
  own->sizing = FALSE;
}

/**
 * kymo_line_table_set_width:
 * @width_px: as it is on the screen
 *
 * Gives a column a width that is not kept for the person.
 */
void
kymo_line_table_set_width (KymoLineTable *self, guint column, int width_px)
{
  set_width (self, kymo_line_table_private (self)->shown->pdata[column], width_px);
}

/* Dragging the edge of a heading gives the column a width. */
static void
on_width (GtkColumnViewColumn *shown, GParamSpec *spec, KymoLineTable *self)
{
  int width_px = gtk_column_view_column_get_fixed_width (shown);

  if (!kymo_line_table_private (self)->sizing && width_px > 0)
    kymo_line_widths_set (g_object_get_data (G_OBJECT (shown), WIDTH_KEY),
                          (int) round (width_px / kymo_text_zoom ()));
}

static void
keep_width (KymoLineTable *self, GtkColumnViewColumn *shown, const KymoLineColumn *column)
{
  KymoLineTablePrivate *own = kymo_line_table_private (self);

  g_object_set_data_full (G_OBJECT (shown), WIDTH_KEY,
                          g_strdup_printf ("%s/%s/%s", G_OBJECT_TYPE_NAME (self),
                                           own->name != NULL ? own->name : "",
                                           column->key != NULL ? column->key : column->title),
                          g_free);
  g_signal_connect_object (shown, "notify::fixed-width", G_CALLBACK (on_width), self, 0);
}

/* -- columns -------------------------------------------------------------- */

static void
set_sorter (KymoLineTable *self, GtkColumnViewColumn *shown, const KymoLineColumn *column,
            gpointer index)
{
  g_autoptr (GtkSorter) sorter = GTK_SORTER (gtk_custom_sorter_new (NULL, NULL, NULL));

  g_object_set_data (G_OBJECT (sorter), "table", self);
  g_object_set_data (G_OBJECT (sorter), "column", index);
  gtk_custom_sorter_set_sort_func (GTK_CUSTOM_SORTER (sorter), compare_line_table, sorter, NULL);
  if (column->key != NULL)
    sorter = kymo_kept_sorter_new (sorter, column->key);
  gtk_column_view_column_set_sorter (shown, sorter);
}

/**
 * kymo_line_table_last_heading:
 * @view: a column view, of any table
 * @of_figures: the heading shall end where the figures do
 *
 * GTK has no way to align a heading, and none to find it: the heading that was made last is that of
 * the column that was added last.
 *
 * Returns: (transfer none) (nullable): the heading of the column that was added last
 */
GtkWidget *
kymo_line_table_last_heading (GtkWidget *view, gboolean of_figures)
{
  GtkWidget *heading = gtk_widget_get_last_child (gtk_widget_get_first_child (view));
  GtkWidget *words = heading != NULL ? gtk_widget_get_first_child (heading) : NULL;

  if (words == NULL || !g_str_equal (G_OBJECT_TYPE_NAME (heading), "GtkColumnViewTitle"))
    return NULL;
  if (of_figures)
    gtk_widget_set_halign (words, GTK_ALIGN_END);
  return heading;
}

static void
keep_heading (GtkColumnViewColumn *shown, GtkWidget *heading)
{
  if (heading != NULL)
    g_object_set_data_full (G_OBJECT (shown), HEADING_KEY, g_object_ref (heading),
                            g_object_unref);
}

/**
 * kymo_line_table_heading_width:
 *
 * Returns: px that the heading of a column wants, with the mark of the order where the table is
 *   sorted by the column
 */
int
kymo_line_table_heading_width (KymoLineTable *self, guint column)
{
  GtkWidget *heading
    = g_object_get_data (kymo_line_table_private (self)->shown->pdata[column], HEADING_KEY);
  int wanted_px = 0;

  if (heading != NULL)
    gtk_widget_measure (gtk_widget_get_first_child (heading), GTK_ORIENTATION_HORIZONTAL, -1,
                        NULL, &wanted_px, NULL, NULL);
  return wanted_px + kymo_text_px (HEADING_PADDING_PX);
}

/**
 * kymo_line_table_add_column:
 * @column: copied
 *
 * Adds a column on the right.
 */
void
kymo_line_table_add_column (KymoLineTable *self, const KymoLineColumn *column)
{
  KymoLineTablePrivate *own = kymo_line_table_private (self);
  gpointer index = GUINT_TO_POINTER (own->columns->len);
  g_autoptr (GtkColumnViewColumn) shown = gtk_column_view_column_new (
    column->title, kymo_line_cells_new (self, own->columns->len));

  g_array_append_val (own->columns, *column);
  g_array_set_size (own->states, own->columns->len);
  if (!column->unsorted)
    set_sorter (self, shown, column, index);
  if (column->is_text)
    kymo_sort_keys_set_text (shown);
  gtk_column_view_column_set_resizable (shown, TRUE);
  keep_width (self, shown, column);
  if (width_of (self, own->columns->len - 1, shown) > 0)
    set_width (self, shown, width_of (self, own->columns->len - 1, shown));
  gtk_column_view_column_set_expand (shown, column->expands || (
                                       column->width_px <= 0
                                       && KYMO_LINE_TABLE_GET_CLASS (self)->paged));
  gtk_column_view_append_column (GTK_COLUMN_VIEW (own->view), shown);
  keep_heading (shown, kymo_line_table_last_heading (
    own->view, !column->is_text && column->width_px > 0));
  g_ptr_array_add (own->shown, g_steal_pointer (&shown));
}

/* (transfer full) */
GtkColumnViewColumn *
kymo_line_table_column_at (KymoLineTable *self, guint column)
{
  return g_object_ref (kymo_line_table_private (self)->shown->pdata[column]);
}

/**
 * kymo_line_table_drop_columns:
 *
 * Removes all columns. The table must have no lines.
 */
void
kymo_line_table_drop_columns (KymoLineTable *self)
{
  KymoLineTablePrivate *own = kymo_line_table_private (self);

  for (guint i = 0; i < own->shown->len; i++)
    gtk_column_view_remove_column (GTK_COLUMN_VIEW (own->view), own->shown->pdata[i]);
  g_ptr_array_set_size (own->shown, 0);
  g_array_set_size (own->columns, 0);
  g_array_set_size (own->states, 0);
}

/** kymo_line_table_set_title: another title for a column, as it is shown */
void
kymo_line_table_set_title (KymoLineTable *self, guint column, const char *title)
{
  g_autoptr (GtkColumnViewColumn) shown = kymo_line_table_column_at (self, column);

  gtk_column_view_column_set_title (shown, title);
}

/**
 * kymo_line_table_sync_column:
 *
 * Shows a column that its owner wants and that has something to say, and hides another one. Names,
 * which have no width of their own, stay.
 */
void
kymo_line_table_sync_column (KymoLineTable *self, guint column)
{
  g_autoptr (GtkColumnViewColumn) shown = kymo_line_table_column_at (self, column);
  const KymoLineState *state = &g_array_index (kymo_line_table_private (self)->states,
                                               KymoLineState, column);
  gboolean visible = !state->unwanted && !state->empty;

  if (info_of (self, column)->width_px <= 0
      || gtk_column_view_column_get_visible (shown) == visible)
    return;
  /* GTK 4.8 keeps the room of a column that is not visible. */
  set_width (self, shown, visible ? MAX (width_of (self, column, shown), 1) : 0);
  gtk_column_view_column_set_visible (shown, visible);
}

/**
 * kymo_line_table_show_column:
 *
 * Shows or hides a column that has a width. One that has nothing to say stays hidden.
 */
void
kymo_line_table_show_column (KymoLineTable *self, guint column, gboolean visible)
{
  KymoLineTablePrivate *own = kymo_line_table_private (self);

  g_array_index (own->states, KymoLineState, column).unwanted = !visible;
  kymo_line_table_sync_column (self, column);
}

/** kymo_line_table_sort: by one column alone, whatever order the person chose */
void
kymo_line_table_sort (KymoLineTable *self, guint column, gboolean descending)
{
  GtkColumnView *view = GTK_COLUMN_VIEW (kymo_line_table_private (self)->view);
  g_autoptr (GtkColumnViewColumn) shown = kymo_line_table_column_at (self, column);

  /* Else the column before stays the second one, with an arrow of its own. */
  gtk_column_view_sort_by_column (view, NULL, GTK_SORT_ASCENDING);
  gtk_column_view_sort_by_column (view, shown, descending ? GTK_SORT_DESCENDING
                                                          : GTK_SORT_ASCENDING);
}
