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

static gboolean
scatter_init (KymoScatter *scatter, const KymoTable *answer, const KymoPlotFrame *frame,
              const KymoPlotClass *klass)
{
  *scatter = (KymoScatter) { kymo_plot_frame_area (klass, frame), answer };
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

/**
 * kymo_scatter_x:
 * @pe: row of the answer's locations
 *
 * Returns: x of the PE's dot, px; NaN where the axis has no value of it
 */
double
kymo_scatter_x (const KymoScatter *scatter, guint pe)
{
  return scatter->area.x + (scatter->x.values[pe] - scatter->x.min)
                           / (scatter->x.max - scatter->x.min) * scatter->area.width;
}

/**
 * kymo_scatter_y:
 * @pe: row of the answer's locations
 *
 * Returns: y of the PE's dot, px; NaN where the axis has no value of it
 */
double
kymo_scatter_y (const KymoScatter *scatter, guint pe)
{
  return scatter->area.y + (1 - (scatter->y.values[pe] - scatter->y.min)
                                / (scatter->y.max - scatter->y.min)) * scatter->area.height;
}

/**
 * kymo_scatter_badge:
 * @pe: row of the answer's locations
 *
 * Returns: the shape of the PE; %KYMO_BADGE_NONE where it is not kept
 */
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

/* -- cells of dense dots ------------------------------------------------------ */

static guint
n_columns (const KymoScatter *scatter)
{
  return scatter->area.width / scatter->dot_px + 1;
}

static guint
n_rows (const KymoScatter *scatter)
{
  return scatter->area.height / scatter->dot_px + 1;
}

/* Of a PE that has a place. */
static gsize
cell_of (const KymoScatter *scatter, guint pe)
{
  guint column = (kymo_scatter_x (scatter, pe) - scatter->area.x) / scatter->dot_px;
  guint row = (kymo_scatter_y (scatter, pe) - scatter->area.y) / scatter->dot_px;

  return (gsize) MIN (row, n_rows (scatter) - 1) * n_columns (scatter)
         + MIN (column, n_columns (scatter) - 1);
}

static guint
find_most (const KymoScatter *scatter)
{
  g_autofree guint *counts = g_new0 (guint, (gsize) n_columns (scatter) * n_rows (scatter));
  guint most = 0;

  for (guint i = 0; i < scatter->n; i++)
    if (has_place (scatter, i))
      most = MAX (most, ++counts[cell_of (scatter, i)]);
  return most;
}

/**
 * kymo_scatter_lay_out:
 * @picture: of an answer about locations with the axes "x" and "y"
 *
 * Returns: (transfer full): a #KymoScatter, to be freed with g_free()
 */
gpointer
kymo_scatter_lay_out (const KymoPicture *picture)
{
  KymoScatter *scatter = g_new0 (KymoScatter, 1);

  scatter->known = scatter_init (scatter, picture->answer, &picture->frame, picture->klass);
  if (scatter->known && scatter->dense)
    scatter->most = find_most (scatter);
  return scatter;
}

/* -- painting ------------------------------------------------------------------ */

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

/* The stronger the more PEs; by the logarithm. */
static double
alpha_of (const KymoScatter *scatter, const Cell *cell)
{
  return scatter->most > 1 ? 0.45 + 0.55 * log (cell->n) / log (scatter->most) : 0.8;
}

/* Painted as pixels; files have shapes. */
static gboolean
is_picture (cairo_t *cr)
{
  return cairo_surface_get_type (cairo_get_target (cr)) == CAIRO_SURFACE_TYPE_IMAGE;
}

static void
paint_cell (cairo_t *cr, const KymoScatter *scatter, const Cell *cell, double x,
            double y)
{
  cairo_set_source_rgba (cr, cell->red / cell->n, cell->green / cell->n,
                         cell->blue / cell->n, alpha_of (scatter, cell));
  cairo_rectangle (cr, x, y, scatter->dot_px, scatter->dot_px);
  cairo_fill (cr);
}

/* A pixel a cell: opaque colours times alpha, as cairo wants them. */
static guint32
pixel_of (const KymoScatter *scatter, const Cell *cell)
{
  double alpha = alpha_of (scatter, cell), factor = 255 * alpha / cell->n;

  return (guint32) lrint (255 * alpha) << 24 | (guint32) lrint (cell->red * factor) << 16
         | (guint32) lrint (cell->green * factor) << 8 | (guint32) lrint (cell->blue * factor);
}

/* All cells at once: a picture of them, in which each is a pixel, made larger. */
static void
paint_as_picture (cairo_t *cr, const KymoScatter *scatter, const Cell *cells, guint width,
                  guint height)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
  guchar *data = cairo_image_surface_get_data (surface);
  gsize stride = cairo_image_surface_get_stride (surface);

  for (guint row = 0; data != NULL && row < height; row++)
    for (guint column = 0; column < width; column++)
      {
        const Cell *cell = &cells[(gsize) row * width + column];

        if (cell->n > 0)
          ((guint32 *) (gpointer) (data + row * stride))[column] = pixel_of (scatter, cell);
      }
  cairo_surface_mark_dirty (surface);
  cairo_save (cr);
  cairo_translate (cr, scatter->area.x, scatter->area.y);
  cairo_scale (cr, scatter->dot_px, scatter->dot_px);
  cairo_set_source_surface (cr, surface, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_rectangle (cr, 0, 0, width, height);
  cairo_fill (cr);
  cairo_restore (cr);
  cairo_surface_destroy (surface);
}

static void
paint_cells (cairo_t *cr, const KymoScatter *scatter, const KymoPlotFrame *frame)
{
  guint width = n_columns (scatter), height = n_rows (scatter);
  g_autofree Cell *cells = g_new0 (Cell, (gsize) width * height);

  for (guint i = 0; i < scatter->n; i++)
    if (has_place (scatter, i))
      {
        KymoRgba color = kymo_class_shown (frame, scatter->clusters[i]);
        Cell *cell = &cells[cell_of (scatter, i)];

        cell->n++;
        cell->red += color.red;
        cell->green += color.green;
        cell->blue += color.blue;
      }
  if (is_picture (cr))
    {
      paint_as_picture (cr, scatter, cells, width, height);
      return;
    }
  for (guint row = 0; row < height; row++)
    for (guint column = 0; column < width; column++)
      if (cells[(gsize) row * width + column].n > 0)
        paint_cell (cr, scatter, &cells[(gsize) row * width + column],
                    scatter->area.x + column * scatter->dot_px,
                    scatter->area.y + row * scatter->dot_px);
}

/* -- shapes --------------------------------------------------------------- */

/** Stamps: pictures of the small shapes in the colours of clusters, made once each */
typedef struct
{
  cairo_t         *cr;
  double           scale;
  GHashTable      *made;        /* cluster and badge -> cairo_surface_t */
  KymoRgba         edge;
} Stamps;

#define SMALL_PX 7
#define STAMP_PX 16

static cairo_surface_t *
make_stamp (const Stamps *stamps, KymoBadge badge, KymoRgba fill)
{
  gint side = (gint) ceil (STAMP_PX * stamps->scale);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, side, side);
  cairo_t *cr;

  cairo_surface_set_device_scale (surface, stamps->scale, stamps->scale);
  cr = cairo_create (surface);
  kymo_badge_paint (cr, badge, STAMP_PX / 2, STAMP_PX / 2, SMALL_PX, fill, stamps->edge);
  cairo_destroy (cr);
  return surface;
}

/* On whole pixels, so that it is copied as it is. */
static void
paint_stamp (Stamps *stamps, KymoBadge badge, gint64 cluster, KymoRgba fill, double x, double y)
{
  gint64 key = cluster * (KYMO_BADGE_OTHER + 1) + badge;
  cairo_surface_t *surface = g_hash_table_lookup (stamps->made, &key);

  if (surface == NULL)
    {
      surface = make_stamp (stamps, badge, fill);
      g_hash_table_insert (stamps->made, g_memdup2 (&key, sizeof key), surface);
    }
  x = round ((x - STAMP_PX / 2) * stamps->scale) / stamps->scale;
  y = round ((y - STAMP_PX / 2) * stamps->scale) / stamps->scale;
  cairo_set_source_surface (stamps->cr, surface, x, y);
  cairo_paint (stamps->cr);
}

/* Shapes of files stay shapes. */
static gboolean
can_stamp (cairo_t *cr, const KymoScatter *scatter)
{
  return scatter->dense && is_picture (cr);
}

static void
paint_badge (cairo_t *cr, const KymoScatter *scatter, const KymoPlotFrame *frame, Stamps *stamps,
             KymoBadge badge, guint pe)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  double x = kymo_scatter_x (scatter, pe), y = kymo_scatter_y (scatter, pe);
  KymoRgba fill = kymo_class_shown (frame, scatter->clusters[pe]);

  if (badge == KYMO_BADGE_REPRESENTATIVE)
    kymo_badge_paint (cr, badge, x, y, 12, fill, theme->foreground);
  else if (stamps->made != NULL)
    paint_stamp (stamps, badge, scatter->clusters[pe], fill, x, y);
  else
    kymo_badge_paint (cr, badge, x, y, scatter->dense ? SMALL_PX : 10, fill, theme->canvas);
}

/* Who has which, read once. */
static guint8 *
read_badges (const KymoScatter *scatter)
{
  guint8 *badges = g_new (guint8, scatter->n);

  for (guint i = 0; i < scatter->n; i++)
    badges[i] = has_place (scatter, i) ? kymo_scatter_badge (scatter, i) : KYMO_BADGE_NONE;
  return badges;
}

/* Representatives over outliers; thousands of shapes that would lie on each
   other are one. */
static void
paint_badges (cairo_t *cr, const KymoScatter *scatter, const KymoPlotFrame *frame)
{
  guint width = scatter->area.width / BADGE_CELL_PX + 1;
  guint height = scatter->area.height / BADGE_CELL_PX + 1;
  g_autofree guint8 *taken = g_new0 (guint8, (gsize) width * height);
  g_autofree guint8 *badges = read_badges (scatter);
  g_autoptr (GHashTable) made = can_stamp (cr, scatter)
    ? g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free,
                             (GDestroyNotify) cairo_surface_destroy) : NULL;
  Stamps stamps = { cr, frame->scale, made, kymo_theme_get (frame->look)->canvas };

  for (gint badge = KYMO_BADGE_OTHER; badge > KYMO_BADGE_NONE; badge--)
    for (guint i = 0; i < scatter->n; i++)
      {
        guint column, row;
        gsize at;

        if (badges[i] != badge)
          continue;
        column = (kymo_scatter_x (scatter, i) - scatter->area.x) / BADGE_CELL_PX;
        row = (kymo_scatter_y (scatter, i) - scatter->area.y) / BADGE_CELL_PX;
        at = (gsize) MIN (row, height - 1) * width + MIN (column, width - 1);
        if (scatter->dense && badge != KYMO_BADGE_REPRESENTATIVE && taken[at])
          continue;
        taken[at] = 1;
        paint_badge (cr, scatter, frame, &stamps, badge, i);
      }
}

/**
 * kymo_scatter_paint_dots:
 * @scatter: where dots lie
 *
 * Paints the dots, and over them the shapes of kept PEs. Leaves out PEs without a value on one of
 * the axes.
 */
void
kymo_scatter_paint_dots (cairo_t *cr, const KymoScatter *scatter,
                         const KymoPlotFrame *frame)
{
  if (scatter->dense)
    paint_cells (cr, scatter, frame);
  else
    paint_single (cr, scatter, frame);
  paint_badges (cr, scatter, frame);
}
