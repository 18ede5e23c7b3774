/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-matrix.h. The colour is the logarithm of the amount.
 */
#include "config.h"

#include "kymo-matrix.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "kymo-units.h"
#include "kymo-order.h"
#include "kymo-plot-terms.h"
#include "kymo-text.h"
#include "kymo-theme.h"

#define MOST_BOXES 20000
/* Between the labels of two rows. */
#define LABEL_PX 13
/* A cell of few locations is no larger than this, or than this share of the picture. */
#define MOST_CELL_PX 96.0
#define MOST_CELL_SHARE 0.125

/* -- what is shown -------------------------------------------------------- */

/* Stale numbers in messages name PEs that the run never had as senders, the rows. They count,
   but have no place in the square. */
static gboolean
has_place (const KymoMatrix *matrix, guint pair)
{
  return matrix->n_locations == 0
         || (matrix->row_of[pair] >= 0
             && matrix->row_of[pair] < matrix->n_locations);
}

static void
collect_ids (KymoMatrix *matrix)
{
  guint n = 0;

  matrix->ids = g_new (gint64, 2 * (gsize) matrix->n_pairs + 1);
  for (guint i = 0; i < matrix->n_pairs; i++)
    {
      matrix->ids[n++] = matrix->column_of[i];
      if (has_place (matrix, i))
        matrix->ids[n++] = matrix->row_of[i];
    }
  qsort (matrix->ids, n, sizeof *matrix->ids, kymo_compare_ints);
  for (guint i = 0; i < n; i++)
    if (i == 0 || matrix->ids[i] != matrix->ids[matrix->n - 1])
      matrix->ids[matrix->n++] = matrix->ids[i];
}

static double
weight (const KymoMatrix *matrix, guint pair)
{
  return MAX (matrix->values[pair], 1);
}

static int
index_of (const KymoMatrix *matrix, gint64 id)
{
  gint64 *found = bsearch (&id, matrix->ids, matrix->n, sizeof id,
                           kymo_compare_ints);

  return found != NULL ? (int) (found - matrix->ids) : -1;
}

/* What is of rows without a place is in the columns all the same. */
static void
sum_edges (KymoMatrix *matrix)
{
  matrix->rows = g_new0 (double, matrix->n);
  matrix->columns = g_new0 (double, matrix->n);
  for (guint i = 0; i < matrix->n_pairs; i++)
    {
      int row = has_place (matrix, i) ? index_of (matrix, matrix->row_of[i]) : -1;
      int column = index_of (matrix, matrix->column_of[i]);

      if (row >= 0)
        matrix->rows[row] += matrix->values[i];
      if (column >= 0)
        matrix->columns[column] += matrix->values[i];
    }
  for (guint i = 0; i < matrix->n; i++)
    matrix->most_sum = MAX (matrix->most_sum, MAX (matrix->rows[i], matrix->columns[i]));
}

/** kymo_matrix_dup_id: Returns: (transfer full): "3", or "8–15" of a group */
char *
kymo_matrix_dup_id (const KymoMatrix *matrix, guint i)
{
  gint64 id = matrix->ids[i], last = id + matrix->group;

  if (matrix->n_locations > 0)
    last = MIN (last, matrix->n_locations);
  return matrix->group == 1 ? g_strdup_printf ("%" G_GINT64_FORMAT, id)
         : g_strdup_printf ("%" G_GINT64_FORMAT "–%" G_GINT64_FORMAT, id, last - 1);
}

static void
find_pairs (KymoMatrix *matrix)
{
  matrix->pairs = g_hash_table_new (NULL, NULL);
  matrix->least = G_MAXDOUBLE;
  for (guint i = matrix->n_pairs; i-- > 0;)
    if (has_place (matrix, i))
      {
        gsize at = (gsize) index_of (matrix, matrix->row_of[i]) * matrix->n
                   + (gsize) index_of (matrix, matrix->column_of[i]);

        g_hash_table_insert (matrix->pairs, (gpointer) at, GUINT_TO_POINTER (i + 1));
        matrix->least = MIN (matrix->least, weight (matrix, i));
        matrix->most = MAX (matrix->most, weight (matrix, i));
      }
}

/**
 * kymo_matrix_pair_at:
 * @row: index of a row
 * @column: index of a column
 *
 * Returns: the number of the pair, or %G_MAXUINT if there is none
 */
guint
kymo_matrix_pair_at (const KymoMatrix *matrix, guint row, guint column)
{
  gsize at = (gsize) row * matrix->n + column;

  return GPOINTER_TO_UINT (g_hash_table_lookup (matrix->pairs, (gpointer) at)) - 1;
}

/** kymo_matrix_free: of kymo_matrix_new() */
void
kymo_matrix_free (gpointer data)
{
  KymoMatrix *matrix = data;

  g_clear_pointer (&matrix->pairs, g_hash_table_unref);
  g_free (matrix->ids);
  g_free (matrix->rows);
  g_free (matrix->columns);
  g_free (matrix);
}

/**
 * kymo_matrix_new:
 * @row_of: (array length=n_pairs): id of the row of each pair; borrowed
 * @column_of: (array length=n_pairs): id of its column; borrowed
 * @values: (array length=n_pairs): its amount; borrowed
 * @n_locations: ids are below it; 0 where that is not known
 * @group: number of ids in a row
 * @dup_amount: words for an amount
 *
 * Makes what does not depend on the size of the picture.
 *
 * Returns: (transfer full): the matrix; kymo_matrix_free() is due
 */
KymoMatrix *
kymo_matrix_new (const gint64 *row_of, const gint64 *column_of, const gint64 *values,
                 guint n_pairs, gint64 n_locations, gint64 group,
                 char *(*dup_amount) (double amount))
{
  KymoMatrix *matrix = g_new0 (KymoMatrix, 1);

  *matrix = (KymoMatrix) { .row_of = row_of, .column_of = column_of, .values = values,
                           .n_pairs = n_pairs, .n_locations = n_locations,
                           .group = MAX (group, 1), .dup_amount = dup_amount };
  collect_ids (matrix);
  find_pairs (matrix);
  sum_edges (matrix);
  return matrix;
}

/**
 * kymo_matrix_place:
 * @matrix: a copy of a matrix, which owns what it points to
 * @area: px; the grid takes the largest square of it
 *
 * Returns: whether there is a pair to paint
 */
gboolean
kymo_matrix_place (KymoMatrix *matrix, KymoRect area)
{
  double side = MIN (area.width, area.height);

  matrix->area = area;
  if (matrix->n_pairs == 0)
    return FALSE;
  matrix->cell_px = side / matrix->n;
  if (matrix->cell_px >= 2)
    matrix->cell_px = MIN (floor (matrix->cell_px), floor (MAX (MOST_CELL_PX,
                                                                side * MOST_CELL_SHARE)));
  matrix->area.width = matrix->area.height = matrix->cell_px * matrix->n;
  return TRUE;
}

/* -- painting ------------------------------------------------------------- */

static KymoRect
pair_rect (const KymoMatrix *matrix, guint pair)
{
  int column = index_of (matrix, matrix->column_of[pair]);
  int row = index_of (matrix, matrix->row_of[pair]);
  double gap = matrix->cell_px >= 8 ? 1 : 0;

  return (KymoRect) { matrix->area.x + column * matrix->cell_px,
                      matrix->area.y + row * matrix->cell_px,
                      matrix->cell_px - gap, matrix->cell_px - gap };
}

static void
paint_pairs (cairo_t *cr, const KymoMatrix *matrix, const KymoPlotFrame *frame)
{
  KymoTextStyle style = { KYMO_TEXT_SMALL - 0.5, FALSE, 0.5, 0 };

  for (guint i = 0; i < matrix->n_pairs; i++)
    {
      KymoRect rect = pair_rect (matrix, i);
      double share = kymo_heat_share (matrix->least, matrix->most, weight (matrix, i));
      KymoRgba color = kymo_heat_color (frame, share);

      if (!has_place (matrix, i))
        continue;
      kymo_set_source (cr, color);
      /* Cells under a pixel still leave a trace. */
      cairo_rectangle (cr, rect.x, rect.y, MAX (rect.width, 0.7),
                       MAX (rect.height, 0.7));
      cairo_fill (cr);
      if (matrix->cell_px >= 62)
        {
          g_autofree char *words = matrix->dup_amount (weight (matrix, i));

          kymo_text_draw (cr, words, rect.x + rect.width / 2,
                          rect.y + rect.height / 2, style,
                          kymo_rgba_text_on (color));
        }
    }
}

/* Below the columns there is less room than beside the rows: every how many of these labels
   find it, evenly. */
static guint
labels_apart (cairo_t *cr, const KymoMatrix *matrix, guint every, KymoTextStyle style)
{
  double most = 0;

  for (guint i = 0; i < matrix->n; i += every)
    {
      g_autofree char *id = kymo_matrix_dup_id (matrix, i);

      most = MAX (most, kymo_text_width (cr, id, style));
    }
  return MAX (ceil ((most + 8) / (every * matrix->cell_px)), 1);
}

static void
paint_labels (cairo_t *cr, const KymoMatrix *matrix, const KymoPlotFrame *frame,
              const char *rows, const char *columns)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle left = { KYMO_TEXT_SMALL, FALSE, 1, 0 };
  KymoTextStyle below = { KYMO_TEXT_SMALL, FALSE, 0.5, 0 };
  guint every = MAX (1, (guint) kymo_nice_step (matrix->n, 20)), apart;
  double bottom = matrix->area.y + matrix->area.height;

  if (matrix->cell_px >= 15)
    every = 1;
  every *= MAX (ceil (LABEL_PX / (every * matrix->cell_px)), 1);
  apart = every * labels_apart (cr, matrix, every, below);
  for (guint i = 0; i < matrix->n; i += every)
    {
      g_autofree char *id = kymo_matrix_dup_id (matrix, i);
      double middle = (i + 0.5) * matrix->cell_px;

      kymo_text_draw (cr, id, matrix->area.x - 8, matrix->area.y + middle,
                      left, theme->secondary);
      if (i % apart == 0)
        kymo_text_draw (cr, id, matrix->area.x + middle, bottom + 12, below, theme->secondary);
    }
  kymo_text_draw (cr, columns, matrix->area.x + matrix->area.width / 2, bottom + 30, below,
                  theme->secondary);
  /* Above the rows: below them the words would read as the title of the columns. */
  left.max_px = MAX (matrix->area.x - 8, 0);
  kymo_text_draw (cr, rows, matrix->area.x - 8, matrix->area.y - 9, left, theme->secondary);
}

/* Bars of the sums of each row, right of it, and of each column, above it. */
static void
paint_totals (cairo_t *cr, const KymoMatrix *matrix, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoRect area = matrix->area;
  double gap = matrix->cell_px >= 8 ? 1 : 0, px = matrix->cell_px;

  kymo_set_source (cr, kymo_rgba_mix (theme->accent, theme->canvas, 0.35));
  for (guint i = 0; i < matrix->n; i++)
    {
      double right = matrix->rows[i] / MAX (matrix->most_sum, 1) * (KYMO_MATRIX_TOTALS_PX - 6);
      double up = matrix->columns[i] / MAX (matrix->most_sum, 1) * (KYMO_MATRIX_TOTALS_PX - 6);

      cairo_rectangle (cr, area.x + area.width + 5, area.y + i * px, right, px - gap);
      cairo_rectangle (cr, area.x + i * px, area.y - 5 - up, px - gap, up);
    }
  cairo_fill (cr);
}

/* The colour scale, with the most at the top. */
static void
paint_key (cairo_t *cr, const KymoMatrix *matrix, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 0, 0 };
  KymoRect key = { matrix->area.x + matrix->area.width + 28 + KYMO_MATRIX_TOTALS_PX, matrix->area.y,
                   12, MIN (matrix->area.height, 220) };
  cairo_pattern_t *scale = cairo_pattern_create_linear (0, key.y, 0,
                                                        key.y + key.height);

  for (guint i = 0; i <= 8; i++)
    {
      /* Where all amounts are the same, so are their colours. */
      KymoRgba c = kymo_heat_color (frame, matrix->most > matrix->least ? 1 - i / 8.0 : 1);
      cairo_pattern_add_color_stop_rgb (scale, i / 8.0, c.red, c.green,
                                        c.blue);
    }
  cairo_set_source (cr, scale);
  cairo_rectangle (cr, key.x, key.y, key.width, key.height);
  cairo_fill (cr);
  cairo_pattern_destroy (scale);
  for (guint i = 0; i <= 2; i++)
    {
      double share = 1 - i / 2.0;
      double amount = matrix->least * pow (matrix->most / matrix->least, share);
      g_autofree char *label = matrix->dup_amount (amount);
      double y = key.y + 6 + (key.height - 12) * i / 2;

      kymo_text_draw (cr, label, key.x + 20, y, style, theme->secondary);
      if (matrix->most <= matrix->least)
        break;
    }
}

/**
 * kymo_matrix_paint:
 * @rows: what a row is, as "from PE"
 * @columns: what a column is, as "to PE"
 *
 * Paints the grid on paper, its sums, labels and colour scale; nothing but paper where the frame
 * has no room for a grid.
 */
void
kymo_matrix_paint (cairo_t *cr, const KymoMatrix *matrix, const KymoPlotFrame *frame,
                   const char *rows, const char *columns)
{
  kymo_set_source (cr, kymo_theme_get (frame->look)->paper);
  cairo_rectangle (cr, matrix->area.x, matrix->area.y, matrix->area.width, matrix->area.height);
  cairo_fill (cr);
  /* A frame that has no room beside its labels */
  if (matrix->cell_px <= 0)
    return;
  paint_pairs (cr, matrix, frame);
  paint_totals (cr, matrix, frame);
  paint_labels (cr, matrix, frame, rows, columns);
  paint_key (cr, matrix, frame);
}

/* -- what lies under a point ------------------------------------------------ */

/**
 * kymo_matrix_at:
 * @row: (out): index
 * @column: (out): index
 * @rect: (out): of the cell, px
 *
 * Returns: whether there is a cell at the point
 */
gboolean
kymo_matrix_at (const KymoMatrix *matrix, double x, double y, guint *row, guint *column,
                KymoRect *rect)
{
  if (!matrix->known || !kymo_rect_contains (matrix->area, x, y))
    return FALSE;
  *column = MIN ((guint) ((x - matrix->area.x) / matrix->cell_px), matrix->n - 1);
  *row = MIN ((guint) ((y - matrix->area.y) / matrix->cell_px), matrix->n - 1);
  *rect = (KymoRect) { matrix->area.x + *column * matrix->cell_px,
                       matrix->area.y + *row * matrix->cell_px,
                       matrix->cell_px, matrix->cell_px };
  return TRUE;
}

/**
 * kymo_matrix_boxes:
 * @of_locations: whether a row is a location of the session
 *
 * Keys go from cell to cell of those that have a pair, in the order of reading. Of very many
 * every second one, third, …: closer there are fewer.
 *
 * Returns: (transfer full) (element-type KymoPlotBox): the cells
 */
GArray *
kymo_matrix_boxes (const KymoMatrix *matrix, gboolean of_locations)
{
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (KymoPlotBox));

  if (!matrix->known)
    return boxes;
  for (guint i = 0; i < matrix->n_pairs; i += 1 + matrix->n_pairs / MOST_BOXES)
    {
      KymoPlotBox box = { .told = TRUE, .of_location = of_locations,
                          .location = matrix->row_of[i] };

      if (!has_place (matrix, i))
        continue;
      box.row = i;
      box.rect = (KymoRect) { matrix->area.x + index_of (matrix, matrix->column_of[i])
                                               * matrix->cell_px,
                              matrix->area.y + index_of (matrix, matrix->row_of[i])
                                               * matrix->cell_px,
                              matrix->cell_px, matrix->cell_px };
      g_array_append_val (boxes, box);
    }
  return boxes;
}

/* Its row and its column. */
static void
add_marks (GArray *marks, const KymoMatrix *matrix, guint at)
{
  KymoRect row = { matrix->area.x, matrix->area.y + at * matrix->cell_px,
                   matrix->area.width, matrix->cell_px };
  KymoRect column = { matrix->area.x + at * matrix->cell_px, matrix->area.y,
                      matrix->cell_px, matrix->area.height };

  g_array_append_val (marks, row);
  g_array_append_val (marks, column);
}

/**
 * kymo_matrix_marks:
 *
 * Returns: (transfer full) (element-type KymoRect): row and column of each of @locations
 */
GArray *
kymo_matrix_marks (const KymoMatrix *matrix, const KymoIdSet *locations)
{
  GArray *marks = g_array_new (FALSE, FALSE, sizeof (KymoRect));

  for (guint i = 0; matrix->known && i < matrix->n; i++)
    if (kymo_id_set_contains (locations, matrix->ids[i]))
      add_marks (marks, matrix, i);
  return marks;
}
