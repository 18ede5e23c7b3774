/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Dots of a scatter. Where PEs are few each is a dot of its own, translucent,
 * so that what lies on one place is darker. Where they are many the plane is
 * cells of a dot's size, painted once each: its colour is that of its PEs in
 * their proportion, the more PEs the stronger (by the logarithm, from half
 * to all), so neither the order of painting nor what lies beneath tells a lie.
 */
#include "config.h"

#include "kymo-plot-scatter-private.h"

#include <math.h>

#define DENSE 2500
/* Shapes closer than this are painted once. */
#define BADGE_CELL_PX 5

/** Cell: sums over its PEs */
typedef struct
{
  guint  n;
  double red, green, blue;
} Cell;

static void
find_range (KymoScatterAxis *axis, guint n)
{
  double room;

  axis->min = INFINITY;
  axis->max = -INFINITY;
  for (guint i = 0; i < n; i++)
    if (isfinite (axis->values[i]))
      {
        axis->min = MIN (axis->min, axis->values[i]);
        axis->max = MAX (axis->max, axis->values[i]);
      }
  if (!(axis->max >= axis->min))
    axis->min = axis->max = 0;
  room = axis->max > axis->min ? (axis->max - axis->min) * 0.04
         : MAX (fabs (axis->max) * 0.1, 1);
  /* Amounts do not go below nothing. */
  if (axis->min >= 0 && axis->max > axis->min && axis->min < room)
    axis->min = -room / 2;
  else
    axis->min -= room;
  axis->max += room;
}

static gboolean
take_axis (KymoScatterAxis *axis, const KymoTable *answer, const KymoPlotFrame *frame,
           KymoTable *pes, const char *name, guint n)
{
  axis->values = kymo_table_peek_doubles (pes, name, NULL);
  axis->told = kymo_table_peek_nested (answer, name, NULL);
  if (axis->values == NULL || axis->told == NULL)
    return FALSE;
  axis->unit = kymo_unit_of (kymo_table_get_string (axis->told, "unit", 0));
  /* Components of vectors have keys; figures of a profile have the units of metrics. */
  axis->measured = kymo_table_find_column (axis->told, "key") < 0;
  if (axis->measured)
    kymo_measure_init (&axis->measure, axis->told, frame, NULL);
  find_range (axis, n);
  return TRUE;
}

/** kymo_scatter_init: %FALSE where there is nothing to show */
gboolean
kymo_scatter_init (KymoScatter *scatter, const KymoTable *answer,
                   const KymoPlotFrame *frame, const KymoPlotClass *klass)
{
  *scatter = (KymoScatter) { kymo_plot_frame_area (klass, frame),
                             answer };
  scatter->pes = kymo_table_peek_nested (answer, "locations", NULL);
  scatter->n = scatter->pes != NULL ? kymo_table_get_n_rows (scatter->pes) : 0;
  if (scatter->n == 0 || scatter->area.width < 8 || scatter->area.height < 8)
    return FALSE;
  scatter->clusters = kymo_table_peek_ints (scatter->pes, "cluster", NULL);
  scatter->dense = scatter->n > DENSE;
  scatter->dot_px = scatter->n <= 200 ? 9 : scatter->n <= 1000 ? 7
                    : scatter->dense ? 3 : 5;
  return scatter->clusters != NULL
         && take_axis (&scatter->x, answer, frame, scatter->pes, "x", scatter->n)
         && take_axis (&scatter->y, answer, frame, scatter->pes, "y", scatter->n);
}

/** kymo_scatter_x: */
double
kymo_scatter_x (const KymoScatter *scatter, guint pe)
{
  return scatter->area.x + (scatter->x.values[pe] - scatter->x.min)
                           / (scatter->x.max - scatter->x.min) * scatter->area.width;
}

/** kymo_scatter_y: */
double
kymo_scatter_y (const KymoScatter *scatter, guint pe)
{
  return scatter->area.y + (1 - (scatter->y.values[pe] - scatter->y.min)
                                / (scatter->y.max - scatter->y.min)) * scatter->area.height;
}

/** kymo_scatter_badge: */
KymoBadge
kymo_scatter_badge (const KymoScatter *scatter, guint pe)
{
  return kymo_badge_of (kymo_table_get_string (scatter->pes, "kept_as", pe));
}

static gboolean
has_place (const KymoScatter *scatter, guint pe)
{
  return isfinite (scatter->x.values[pe]) && isfinite (scatter->y.values[pe]);
}

static void
paint_single (cairo_t *cr, const KymoScatter *scatter, const KymoPlotFrame *frame)
{
  for (guint i = 0; i < scatter->n; i++)
    if (has_place (scatter, i) && kymo_scatter_badge (scatter, i) == KYMO_BADGE_NONE)
      {
        kymo_set_source_alpha (cr, kymo_class_shown (frame, scatter->clusters[i]), 0.72);
        cairo_arc (cr, kymo_scatter_x (scatter, i), kymo_scatter_y (scatter, i),
                   scatter->dot_px / 2, 0, 2 * G_PI);
        cairo_fill (cr);
      }
}

static void
paint_cell (cairo_t *cr, const KymoScatter *scatter, const Cell *cell, double x,
            double y)
{
  double alpha = scatter->most > 1
                 ? 0.45 + 0.55 * log (cell->n) / log (scatter->most) : 0.8;

  cairo_set_source_rgba (cr, cell->red / cell->n, cell->green / cell->n,
                         cell->blue / cell->n, alpha);
  cairo_rectangle (cr, x, y, scatter->dot_px, scatter->dot_px);
  cairo_fill (cr);
}

static void
paint_cells (cairo_t *cr, KymoScatter *scatter, const KymoPlotFrame *frame)
{
  double side = scatter->dot_px;
  guint width = scatter->area.width / side + 1, height = scatter->area.height / side + 1;
  g_autofree Cell *cells = g_new0 (Cell, (gsize) width * height);

  scatter->most = 0;
  for (guint i = 0; i < scatter->n; i++)
    if (has_place (scatter, i))
      {
        guint column = (kymo_scatter_x (scatter, i) - scatter->area.x) / side;
        guint row = (kymo_scatter_y (scatter, i) - scatter->area.y) / side;
        KymoRgba color = kymo_class_shown (frame, scatter->clusters[i]);
        Cell *cell = &cells[(gsize) MIN (row, height - 1) * width + MIN (column, width - 1)];

        cell->n++;
        cell->red += color.red;
        cell->green += color.green;
        cell->blue += color.blue;
        scatter->most = MAX (scatter->most, cell->n);
      }
  for (guint row = 0; row < height; row++)
    for (guint column = 0; column < width; column++)
      if (cells[(gsize) row * width + column].n > 0)
        paint_cell (cr, scatter, &cells[(gsize) row * width + column],
                    scatter->area.x + column * side, scatter->area.y + row * side);
}

/* Representatives over outliers; thousands of shapes that would lie on each
   other are one. */
static void
paint_badges (cairo_t *cr, const KymoScatter *scatter, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->dark);
  guint width = scatter->area.width / BADGE_CELL_PX + 1;
  guint height = scatter->area.height / BADGE_CELL_PX + 1;
  g_autofree guint8 *taken = g_new0 (guint8, (gsize) width * height);

  for (gint badge = KYMO_BADGE_OTHER; badge > KYMO_BADGE_NONE; badge--)
    for (guint i = 0; i < scatter->n; i++)
      {
        double x = kymo_scatter_x (scatter, i), y = kymo_scatter_y (scatter, i);
        guint column = (x - scatter->area.x) / BADGE_CELL_PX;
        guint row = (y - scatter->area.y) / BADGE_CELL_PX;
        gsize at = (gsize) MIN (row, height - 1) * width + MIN (column, width - 1);

        if (kymo_scatter_badge (scatter, i) != (KymoBadge) badge || !has_place (scatter, i)
            || (scatter->dense && badge != KYMO_BADGE_REPRESENTATIVE && taken[at]))
          continue;
        taken[at] = 1;
        kymo_badge_paint (cr, badge, x, y, badge == KYMO_BADGE_REPRESENTATIVE ? 12
                          : scatter->dense ? 7 : 10,
                          kymo_class_shown (frame, scatter->clusters[i]),
                          badge == KYMO_BADGE_REPRESENTATIVE ? theme->foreground
                          : theme->canvas);
      }
}

/** kymo_scatter_paint_dots: */
void
kymo_scatter_paint_dots (cairo_t *cr, KymoScatter *scatter,
                         const KymoPlotFrame *frame)
{
  if (scatter->dense)
    paint_cells (cr, scatter, frame);
  else
    paint_single (cr, scatter, frame);
  paint_badges (cr, scatter, frame);
}
