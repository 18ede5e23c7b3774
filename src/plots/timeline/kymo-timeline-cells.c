/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cells of the timeline. On a screen and in a PNG they are pixels
 * (kymo-timeline-pixels.c); in a vector file the cells of one look are one
 * path: at most one primitive per visible cell. There, under the cells, lies
 * paper with a hatch wherever a row is idle.
 */
#include "config.h"

#include <math.h>

#include "kymo-order.h"
#include "kymo-timeline.h"

/* Readers of SVG refuse paths of many megabytes. */
#define MOST_SHAPES 2000

/**
 * kymo_timeline_strength:
 * @share: share of the activity in a column's time, 0 to 1
 *
 * Returns: share of the activity's colour when it is mixed with paper: 1 for a full column, else
 *   at least 0.25; less than a third of it where the activity is faded
 */
double
kymo_timeline_strength (const KymoTimelineActivity *activity, double share)
{
  double strength = share >= 0.999 ? 1 : 0.25 + 0.75 * MAX (share, 0);

  if (activity->faded)
    strength *= 0.3;
  return strength;
}

/* Calls @visit with the runs of each row in sight. */
typedef void (*Visit) (const KymoTimeline *timeline, guint row,
                       const GArray *runs, gpointer data);

static void
visit_rows (const KymoTimeline *timeline, Visit visit, gpointer data)
{
  g_autoptr (GArray) runs = g_array_new (FALSE, FALSE,
                                         sizeof (KymoTimelineRun));
  gint64 from, to;
  guint first, end;

  kymo_timeline_visible (timeline, &first, &end);
  kymo_timeline_columns (timeline, &from, &to);
  for (guint row = first; row < end; row++)
    {
      kymo_timeline_runs (timeline, row, from, to, runs);
      visit (timeline, row, runs, data);
    }
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

  KYMO_ORDER_BY (x->look, y->look);
  KYMO_ORDER_BY (x->rect.y, y->rect.y);
  return x->rect.x < y->rect.x ? -1 : x->rect.x > y->rect.x;
}

/* The run's rectangle clipped to the data area; empty when outside. */
static KymoRect
run_rect (const KymoTimeline *timeline, guint row, const KymoTimelineRun *run)
{
  KymoRect area = timeline->area;
  double x0 = kymo_timeline_x (timeline, run->x0);
  double x1 = kymo_timeline_x (timeline, run->x1);
  double y0 = kymo_timeline_row_y (timeline, row);
  double y1 = MIN (y0 + timeline->bar_px, area.y + area.height);

  y0 = MAX (y0, area.y);
  x0 = MAX (x0, area.x);
  x1 = MIN (x1, area.x + area.width);
  return (KymoRect) { x0, y0, x1 - x0, y1 - y0 };
}

static void
collect_row (const KymoTimeline *timeline, guint row, const GArray *runs,
             gpointer data)
{
  GArray *shapes = data;

  for (guint i = 0; i < runs->len; i++)
    {
      const KymoTimelineRun *run = &g_array_index (runs, KymoTimelineRun, i);
      const KymoTimelineActivity *activity
        = kymo_timeline_activity (timeline, run->activity);
      Shape shape;

      if (activity == NULL || activity->hidden
          || activity->kind == KYMO_KIND_IDLE
          || activity->kind == KYMO_KIND_UNTRACED)
        continue;
      shape.rect = run_rect (timeline, row, run);
      if (shape.rect.width <= 0 || shape.rect.height <= 0)
        continue;
      shape.activity = run->activity;
      shape.strength = kymo_timeline_is_edge (timeline, runs, i) ? 1
                                                                 : run->share;
      shape.strength
        = round (kymo_timeline_strength (activity, shape.strength) * 16) / 16;
      shape.look = shape.activity * 64 + (guint) (shape.strength * 16);
      g_array_append_val (shapes, shape);
    }
}

static void
add_shape (cairo_t *cr, KymoRect r)
{
  cairo_rectangle (cr, r.x, r.y, r.width, r.height);
}

static void
paint_shapes (cairo_t *cr, const KymoTimeline *timeline)
{
  g_autoptr (GArray) shapes = g_array_new (FALSE, FALSE, sizeof (Shape));
  guint in_path = 0;

  visit_rows (timeline, collect_row, shapes);
  g_array_sort (shapes, compare_shapes);
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
      cairo_fill_preserve (cr);
      if (activity->hatched)
        kymo_hatch_waiting (cr, timeline->theme);
      cairo_new_path (cr);
    }
}

static void
paint_row_edges (const KymoTimeline *timeline, guint row, const GArray *runs,
                 gpointer data)
{
  cairo_t *cr = data;
  gint64 last = -1;

  for (guint i = 1; i < runs->len; i++)
    {
      const KymoTimelineRun *run = &g_array_index (runs, KymoTimelineRun, i);
      const KymoTimelineActivity *activity
        = kymo_timeline_activity (timeline, run->activity);
      KymoRect rect = run_rect (timeline, row, run);

      if (activity == NULL || activity->kind != KYMO_KIND_ENTRY
          || activity->hidden || rect.width < 2 || rect.height <= 0
          || run[-1].x1 != run->x0 || run[-1].activity != run->activity)
        continue;
      if (run->activity != last)
        {
          cairo_stroke (cr);
          kymo_set_source (cr, kymo_rgba_edge (kymo_rgba_mix (
            timeline->theme->paper, activity->color, kymo_timeline_strength (activity, 1))));
        }
      last = run->activity;
      cairo_move_to (cr, rect.x, rect.y);
      cairo_line_to (cr, rect.x, rect.y + rect.height);
    }
  cairo_stroke (cr);
}

/* -- idle ----------------------------------------------------------------- */

static gboolean
on_paper (const KymoTimeline *timeline, const KymoTimelineRun *run)
{
  const KymoTimelineActivity *activity
    = kymo_timeline_activity (timeline, run->activity);

  return activity != NULL && activity->kind != KYMO_KIND_UNTRACED
         && !activity->hidden;
}

/* Paper from the first to the last idle or aggregated cell that touch, so
   that a row has few of them; shapes then cover what is not idle. */
static void
paint_row_paper (const KymoTimeline *timeline, guint row, const GArray *runs,
                 gpointer data)
{
  const KymoTimelineRun *run = (const KymoTimelineRun *) runs->data;

  for (guint i = 0; i < runs->len; i++)
    {
      guint from = i;
      KymoRect rect, last;

      if (!on_paper (timeline, &run[i]))
        continue;
      while (i + 1 < runs->len && run[i + 1].x0 == run[i].x1
             && on_paper (timeline, &run[i + 1]))
        i++;
      rect = run_rect (timeline, row, &run[from]);
      last = run_rect (timeline, row, &run[i]);
      rect.width = last.x + last.width - rect.x;
      kymo_fill_idle (data, timeline->theme, rect);
    }
}

static gboolean
is_of_kind (const KymoTimeline *timeline, const KymoTimelineRun *run, KymoActivityKind kind)
{
  const KymoTimelineActivity *activity = kymo_timeline_activity (timeline, run->activity);

  return activity != NULL && activity->kind == kind;
}

static void
add_untraced (const KymoTimeline *timeline, guint row, const GArray *runs,
              gpointer data)
{
  for (guint i = 0; i < runs->len; i++)
    {
      const KymoTimelineRun *run = &g_array_index (runs, KymoTimelineRun, i);
      KymoRect rect;

      if (!is_of_kind (timeline, run, KYMO_KIND_UNTRACED))
        continue;
      rect = run_rect (timeline, row, run);
      if (rect.width >= 3 && rect.height >= 3)
        cairo_rectangle (data, floor (rect.x) + 0.5, floor (rect.y) + 0.5,
                         rect.width - 1, rect.height - 1);
    }
}

/* A row of dots at the foot of what is hidden. */
static void
add_short (const KymoTimeline *timeline, guint row, const GArray *runs,
           gpointer data)
{
  for (guint i = 0; i < runs->len; i++)
    {
      const KymoTimelineRun *run = &g_array_index (runs, KymoTimelineRun, i);
      KymoRect rect;
      double y;

      if (!is_of_kind (timeline, run, KYMO_KIND_SHORT))
        continue;
      rect = run_rect (timeline, row, run);
      y = floor (rect.y + rect.height) - 1.5;
      if (rect.width > 0 && rect.height >= 4)
        kymo_line (data, rect.x, y, rect.x + rect.width, y);
    }
  cairo_stroke (data);
}

/* Dotted lines where a visitor puts them, if there is an activity of that kind. They begin at the
   left of the picture, so that dots of neighbours are one row. */
static void
paint_dotted (cairo_t *cr, const KymoTimeline *timeline, KymoActivityKind kind, KymoRgba color,
              Visit visit)
{
  gboolean any = FALSE;

  for (guint i = 0; i < timeline->n_activities; i++)
    any |= timeline->activities[i].kind == kind;
  if (!any || timeline->bar_px < 6)
    return;
  cairo_save (cr);
  kymo_set_source (cr, color);
  cairo_set_line_width (cr, 1);
  cairo_set_dash (cr, (double[]) { 1, 2 }, 2, 0);
  visit_rows (timeline, visit, cr);
  cairo_stroke (cr);
  cairo_restore (cr);
}

/**
 * kymo_timeline_paint_cells:
 *
 * Paints the cells of the rows in sight: as pixels on a screen or in an image, as shapes in a
 * vector file. Over them come the edges of untraced time and the dots of blocks that are hidden as
 * too short.
 */
void
kymo_timeline_paint_cells (cairo_t *cr, const KymoTimeline *timeline)
{
  if (kymo_is_vector (cr))
    {
      visit_rows (timeline, paint_row_paper, cr);
      paint_shapes (cr, timeline);
      cairo_set_line_width (cr, 0.6);
      visit_rows (timeline, paint_row_edges, cr);
    }
  else
    kymo_timeline_paint_pixels (cr, timeline);
  paint_dotted (cr, timeline, KYMO_KIND_UNTRACED, timeline->theme->dotted, add_untraced);
  paint_dotted (cr, timeline, KYMO_KIND_SHORT, timeline->theme->secondary, add_short);
}
