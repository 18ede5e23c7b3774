/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cells of the timeline. On a screen and in a PNG each row is one line of
 * pixels, computed once and repeated over the bar's height in an image
 * surface, so that the cost is that of the pixels. In a vector file the cells
 * of one look are one path: at most one primitive per visible cell.
 *
 * Under the cells lies paper with a hatch wherever a row is idle.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "kymo-timeline.h"

/* Readers of SVG refuse paths of many megabytes. */
#define MOST_SHAPES 2000

/** kymo_timeline_strength: */
double
kymo_timeline_strength (const KymoTimelineActivity *activity, double share)
{
  double strength = share >= 0.999 ? 1 : 0.25 + 0.75 * MAX (share, 0);

  if (activity->faded)
    strength *= 0.3;
  return strength;
}

static double
share_of (const KymoTimelineCells *cells, guint index)
{
  return cells->share != NULL ? cells->share[index] : 1;
}

/* -- pixels --------------------------------------------------------------- */

static guint32
premultiplied (KymoRgba color, double alpha)
{
  guint a = lrint (alpha * 255);
  guint r = lrint (color.red * alpha * 255);
  guint g = lrint (color.green * alpha * 255);
  guint b = lrint (color.blue * alpha * 255);

  return a << 24 | r << 16 | g << 8 | b;
}

static guint32
cell_pixel (const KymoTimeline *timeline, const KymoTimelineActivity *activity,
            double share)
{
  if (activity->hidden || activity->kind == KYMO_KIND_UNTRACED)
    return premultiplied (timeline->theme->canvas, 1);
  if (activity->kind == KYMO_KIND_IDLE)
    return 0;
  return premultiplied (activity->color,
                        kymo_timeline_strength (activity, share));
}

static guint32
darker (guint32 pixel)
{
  guint a = pixel >> 24, r = pixel >> 16 & 255, g = pixel >> 8 & 255,
        b = pixel & 255;

  return a << 24 | (r * 3 / 4) << 16 | (g * 3 / 4) << 8 | b * 3 / 4;
}

/* Whether a cell of one column lies between two blocks that can be seen. */
static gboolean
is_boundary (const KymoTimeline *timeline, guint row, guint i)
{
  const KymoTimelineCells *cells = &timeline->cells;

  if (i == cells->offsets[row] || i + 1 >= cells->offsets[row + 1]
      || cells->x1[i] - cells->x0[i] > 1)
    return FALSE;
  for (int step = -1; step <= 1; step += 2)
    {
      const KymoTimelineActivity *side
        = kymo_timeline_activity (timeline, cells->activity[i + step]);

      if (side == NULL || side->kind != KYMO_KIND_ENTRY || side->hidden
          || cells->x1[i + step] - cells->x0[i + step] < 3)
        return FALSE;
    }
  return cells->x1[i - 1] == cells->x0[i] && cells->x1[i] == cells->x0[i + 1];
}

static void
fill_line (const KymoTimeline *timeline, guint row, guint32 *line,
           int width, double scale)
{
  const KymoTimelineCells *cells = &timeline->cells;
  guint32 canvas = premultiplied (timeline->theme->canvas, 1);
  int last_end = -1;
  gint64 last_activity = -1;

  for (int x = 0; x < width; x++)
    line[x] = canvas;
  for (guint i = cells->offsets[row]; i < cells->offsets[row + 1]; i++)
    {
      const KymoTimelineActivity *activity
        = kymo_timeline_activity (timeline, cells->activity[i]);
      double left = (kymo_timeline_x (timeline, cells->x0[i])
                     - timeline->area.x) * scale;
      double right = (kymo_timeline_x (timeline, cells->x1[i])
                      - timeline->area.x) * scale;
      int x0 = CLAMP (lrint (left), 0, width);
      int x1 = CLAMP (lrint (right), 0, width);
      guint32 pixel;

      if (activity == NULL || right <= 0 || left >= width)
        continue;
      if (x1 == x0 && x0 < width)
        x1 = x0 + 1;
      pixel = cell_pixel (timeline, activity, share_of (cells, i));
      /* A column that two blocks share is their edge, not a pale gap. */
      if (activity->kind == KYMO_KIND_ENTRY && !activity->hidden
          && is_boundary (timeline, row, i))
        pixel = darker (cell_pixel (timeline, activity, 1));
      for (int x = x0; x < x1; x++)
        line[x] = pixel;
      /* Two blocks of one activity side by side are told apart by an edge,
         unless they are too thin for it. */
      if (x0 == last_end && cells->activity[i] == last_activity
          && activity->kind == KYMO_KIND_ENTRY && x1 - x0 >= 3)
        line[x0] = darker (pixel);
      last_end = x1 - x0 >= 3 ? x1 : -1;
      last_activity = cells->activity[i];
    }
}

static void
repeat_line (guchar *pixels, int stride, int y0, int y1, const guint32 *line,
             int width)
{
  for (int y = y0; y < y1; y++)
    memcpy (pixels + (gsize) y * stride, line, (gsize) width * 4);
}

static void
paint_pixels (cairo_t *cr, const KymoTimeline *timeline)
{
  double scale = MAX (timeline->frame->scale, 1);
  int width = ceil (timeline->area.width * scale);
  int height = ceil (timeline->area.height * scale);
  cairo_surface_t *surface;
  g_autofree guint32 *line = g_new (guint32, MAX (width, 1));
  guint first, end;

  surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
  if (cairo_surface_status (surface) != CAIRO_STATUS_SUCCESS)
    return;
  cairo_surface_flush (surface);
  kymo_timeline_visible (timeline, &first, &end);
  for (guint row = first; row < end; row++)
    {
      double y = kymo_timeline_row_y (timeline, row) - timeline->area.y;
      int y0 = CLAMP (lrint (y * scale), 0, height);
      int y1 = CLAMP (lrint ((y + timeline->bar_px) * scale), 0, height);

      if (y1 == y0 && y0 < height)
        y1 = y0 + 1;
      fill_line (timeline, row, line, width, scale);
      repeat_line (cairo_image_surface_get_data (surface),
                   cairo_image_surface_get_stride (surface), y0, y1, line,
                   width);
    }
  cairo_surface_mark_dirty (surface);
  cairo_surface_set_device_scale (surface, scale, scale);
  cairo_set_source_surface (cr, surface, timeline->area.x, timeline->area.y);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_rectangle (cr, timeline->area.x, timeline->area.y,
                   timeline->area.width, timeline->area.height);
  cairo_fill (cr);
  cairo_surface_destroy (surface);
}

/* -- shapes --------------------------------------------------------------- */

typedef struct
{
  guint    look;                 /* activity * 64 + strength */
  guint    activity;
  double   strength;
  KymoRect rect;
} Shape;

static int
compare_shapes (gconstpointer a, gconstpointer b)
{
  const Shape *x = a, *y = b;

  if (x->look != y->look)
    return x->look < y->look ? -1 : 1;
  if (x->rect.y != y->rect.y)
    return x->rect.y < y->rect.y ? -1 : 1;
  return x->rect.x < y->rect.x ? -1 : x->rect.x > y->rect.x;
}

/* The cell's rectangle clipped to the data area; empty when outside. */
static KymoRect
cell_rect (const KymoTimeline *timeline, guint row, guint index)
{
  KymoRect area = timeline->area;
  double x0 = kymo_timeline_x (timeline, timeline->cells.x0[index]);
  double x1 = kymo_timeline_x (timeline, timeline->cells.x1[index]);
  double y0 = kymo_timeline_row_y (timeline, row);
  double y1 = MIN (y0 + timeline->bar_px, area.y + area.height);

  y0 = MAX (y0, area.y);
  x0 = MAX (x0, area.x);
  x1 = MIN (x1, area.x + area.width);
  return (KymoRect) { x0, y0, x1 - x0, y1 - y0 };
}

static GArray *
collect_shapes (const KymoTimeline *timeline)
{
  GArray *shapes = g_array_new (FALSE, FALSE, sizeof (Shape));
  const KymoTimelineCells *cells = &timeline->cells;
  guint first, end;

  kymo_timeline_visible (timeline, &first, &end);
  for (guint row = first; row < end; row++)
    for (guint i = cells->offsets[row]; i < cells->offsets[row + 1]; i++)
      {
        const KymoTimelineActivity *activity
          = kymo_timeline_activity (timeline, cells->activity[i]);
        Shape shape;

        if (activity == NULL || activity->hidden
            || activity->kind == KYMO_KIND_IDLE
            || activity->kind == KYMO_KIND_UNTRACED)
          continue;
        shape.rect = cell_rect (timeline, row, i);
        if (shape.rect.width <= 0 || shape.rect.height <= 0)
          continue;
        shape.activity = cells->activity[i];
        shape.strength = is_boundary (timeline, row, i)
                         ? 1 : share_of (cells, i);
        shape.strength
          = round (kymo_timeline_strength (activity, shape.strength) * 16)
            / 16;
        shape.look = shape.activity * 64 + (guint) (shape.strength * 16);
        g_array_append_val (shapes, shape);
      }
  g_array_sort (shapes, compare_shapes);
  return shapes;
}

static void
add_shape (cairo_t *cr, KymoRect r)
{
  cairo_rectangle (cr, r.x, r.y, r.width, r.height);
}

static void
paint_shapes (cairo_t *cr, const KymoTimeline *timeline)
{
  g_autoptr (GArray) shapes = collect_shapes (timeline);
  guint in_path = 0;

  for (guint i = 0; i < shapes->len; i++)
    {
      const Shape *shape = &g_array_index (shapes, Shape, i);
      const KymoTimelineActivity *activity
        = kymo_timeline_activity (timeline, shape->activity);

      add_shape (cr, shape->rect);
      if (i + 1 < shapes->len && ++in_path < MOST_SHAPES
          && g_array_index (shapes, Shape, i + 1).look == shape->look)
        continue;
      in_path = 0;
      /* Opaque, so that a file needs no blending. */
      kymo_set_source (cr, kymo_rgba_mix (timeline->theme->paper,
                                          activity->color, shape->strength));
      cairo_fill (cr);
    }
}

static void
paint_shape_edges (cairo_t *cr, const KymoTimeline *timeline)
{
  const KymoTimelineCells *cells = &timeline->cells;
  guint first, end;

  cairo_set_source_rgba (cr, 0, 0, 0, 0.3);
  cairo_set_line_width (cr, 0.6);
  kymo_timeline_visible (timeline, &first, &end);
  for (guint row = first; row < end; row++, cairo_stroke (cr))
    for (guint i = cells->offsets[row] + 1; i < cells->offsets[row + 1]; i++)
      {
        const KymoTimelineActivity *activity
          = kymo_timeline_activity (timeline, cells->activity[i]);
        KymoRect rect = cell_rect (timeline, row, i);

        if (activity == NULL || activity->kind != KYMO_KIND_ENTRY
            || activity->hidden || rect.width < 2 || rect.height <= 0
            || cells->x1[i - 1] != cells->x0[i]
            || cells->activity[i - 1] != cells->activity[i])
          continue;
        cairo_move_to (cr, rect.x, rect.y);
        cairo_line_to (cr, rect.x, rect.y + rect.height);
      }
}

/* -- idle ----------------------------------------------------------------- */

static gboolean
on_paper (const KymoTimeline *timeline, guint cell)
{
  const KymoTimelineActivity *activity
    = kymo_timeline_activity (timeline, timeline->cells.activity[cell]);

  return activity != NULL && activity->kind != KYMO_KIND_UNTRACED
         && !activity->hidden;
}

/* Paper from the first to the last idle or aggregated cell that touch, so
   that a row has few of them; shapes then cover what is not idle. */
static void
paint_row_paper (cairo_t *cr, const KymoTimeline *timeline, guint row)
{
  const KymoTimelineCells *cells = &timeline->cells;
  guint i = cells->offsets[row], end = cells->offsets[row + 1];

  while (i < end)
    {
      guint from = i;
      KymoRect rect, last;

      if (!on_paper (timeline, i))
        {
          i++;
          continue;
        }
      while (i + 1 < end && cells->x0[i + 1] == cells->x1[i]
             && on_paper (timeline, i + 1))
        i++;
      rect = cell_rect (timeline, row, from);
      last = cell_rect (timeline, row, i);
      rect.width = last.x + last.width - rect.x;
      kymo_fill_idle (cr, timeline->theme, rect);
      i++;
    }
}

static void
paint_untraced_edges (cairo_t *cr, const KymoTimeline *timeline)
{
  const KymoTimelineCells *cells = &timeline->cells;
  guint first, end;

  cairo_save (cr);
  kymo_set_source (cr, timeline->theme->dotted);
  cairo_set_line_width (cr, 1);
  cairo_set_dash (cr, (double[]) { 1, 2 }, 2, 0);
  kymo_timeline_visible (timeline, &first, &end);
  for (guint row = first; row < end && timeline->bar_px >= 6; row++)
    for (guint i = cells->offsets[row]; i < cells->offsets[row + 1]; i++)
      {
        const KymoTimelineActivity *activity
          = kymo_timeline_activity (timeline, cells->activity[i]);
        KymoRect rect = cell_rect (timeline, row, i);

        if (activity != NULL && activity->kind == KYMO_KIND_UNTRACED
            && rect.width >= 3 && rect.height >= 3)
          cairo_rectangle (cr, floor (rect.x) + 0.5, floor (rect.y) + 0.5,
                           rect.width - 1, rect.height - 1);
      }
  cairo_stroke (cr);
  cairo_restore (cr);
}

/** kymo_timeline_paint_cells: */
void
kymo_timeline_paint_cells (cairo_t *cr, const KymoTimeline *timeline)
{
  guint first, end;

  kymo_timeline_visible (timeline, &first, &end);
  for (guint row = first; row < end; row++)
    paint_row_paper (cr, timeline, row);
  if (kymo_is_vector (cr))
    {
      paint_shapes (cr, timeline);
      paint_shape_edges (cr, timeline);
    }
  else
    paint_pixels (cr, timeline);
  paint_untraced_edges (cr, timeline);
}
