/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cells of the timeline as pixels, for a screen and for PNG: each row is
 * one line of pixels, computed once and repeated over the bar's height, so
 * that the cost is that of the pixels. Where the target is an image, they are
 * written straight into it; else into an image that is painted.
 *
 * Dense rows are a look-up a pixel: of its column, then of the look of that
 * column's number. Rows of cells go the long
 * way over runs; the same cells give the same pixels.
 *
 * Pixels stand on a lattice that begins at time 0, so that a picture which is
 * panned moves by whole pixels and does not shimmer.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "kymo-pixels.h"
#include "kymo-timeline.h"

/* Shares are told apart in this number of steps, and full. */
#define SHARE_STEPS 64
#define SHARE_FULL 65470        /* 0.999 of 65535, as kymo_timeline_strength() */
#define HATCH_PX 9
#define HATCH_LEAST_PX 5
/* Lower bars have no edges between their blocks. */
#define EDGE_LEAST_PX 3

/* Of an activity: shares, full, and the edge of a full block */
#define EDGE_LOOK (SHARE_STEPS + 1)
#define N_LOOKS (SHARE_STEPS + 2)

/* A pixel of no colour, where the hatch of idle time is to come. */
#define IDLE_PIXEL 0

typedef struct
{
  const KymoTimeline *timeline;
  KymoPixels          pixels;
  int                 width, height;
  double              x_zero, x_step;   /* of columns, in pixels of the area */
  guint32             canvas, paper;
  guint32           **looks;            /* by activity: N_LOOKS */
  int                *column_of;        /* by pixel, -1 = none */
  int                 first_x, end_x;   /* pixels that have a column */
  gint64              from, to;         /* columns in sight */
  guint32            *line;             /* a row's, IDLE_PIXEL where idle */
  guint32            *tile;             /* hatch: width + period */
  int                 period, phase;    /* of the hatch, in pixels */
  guint32            *hatched;          /* period lines */
  GArray             *runs;
  gboolean            outlined;         /* blocks, each against its neighbour */
  gboolean            any_hatched;      /* some activity waits */
} Painter;

/* -- looks ---------------------------------------------------------------- */

static guint32 *
make_looks (const Painter *painter, const KymoTimelineActivity *activity)
{
  guint32 *looks = g_new (guint32, N_LOOKS);
  const KymoTheme *theme = painter->timeline->theme;

  for (guint step = 0; step <= SHARE_STEPS; step++)
    {
      double share = step == SHARE_STEPS ? 1 : (step + 0.5) / SHARE_STEPS;
      double strength = kymo_timeline_strength (activity, share);

      if (activity->hidden || activity->kind == KYMO_KIND_UNTRACED)
        looks[step] = painter->canvas;
      else if (activity->kind == KYMO_KIND_IDLE)
        looks[step] = IDLE_PIXEL;
      else
        looks[step] = kymo_pixel (kymo_rgba_mix (theme->paper,
                                                   activity->color, strength));
      if (activity->hatched && !activity->hidden)
        looks[step] = kymo_pixel_waiting (looks[step]);
    }
  looks[EDGE_LOOK]
    = activity->kind == KYMO_KIND_ENTRY && !activity->hidden
      ? kymo_pixel (kymo_rgba_edge (kymo_rgba_mix (theme->paper, activity->color,
                                                   kymo_timeline_strength (activity, 1))))
      : looks[SHARE_STEPS];
  return looks;
}

static guint32
look_timeline_pixels (Painter *painter, guint activity, guint index)
{
  if (activity >= painter->timeline->n_activities)
    return painter->canvas;
  if (painter->looks[activity] == NULL)
    painter->looks[activity]
      = make_looks (painter, &painter->timeline->activities[activity]);
  return painter->looks[activity][index];
}

/* The pixel of a share (0 .. 65535) of an activity's index. */
static guint32
look_of (Painter *painter, guint activity, guint share)
{
  return look_timeline_pixels (painter, activity,
                               share >= SHARE_FULL ? SHARE_STEPS : share * SHARE_STEPS >> 16);
}

/* -- lines ---------------------------------------------------------------- */

static int
pixel_of (const Painter *painter, gint64 column)
{
  return lrint (CLAMP (painter->x_zero + column * painter->x_step, 0,
                       painter->width));
}

static gboolean
is_full_block (const KymoTimeline *timeline, guint32 cell)
{
  const KymoTimelineActivity *activity
    = kymo_timeline_activity (timeline, cell >> 16);

  return (cell & KYMO_DENSE_FULL) == KYMO_DENSE_FULL && activity != NULL
         && activity->kind == KYMO_KIND_ENTRY && !activity->hidden;
}

/* A column between two blocks of three columns and more is their edge; see
   kymo_timeline_is_edge(). */
static void
darken_edges (Painter *painter, const guint32 *cell)
{
  gint64 end = MIN (painter->to, (gint64) painter->timeline->n_columns - 3);

  for (gint64 x = MAX (painter->from, 3); x < end; x++)
    {
      const KymoTimelineActivity *activity;
      guint32 pixel;

      if (cell[x] == cell[x - 1] || cell[x - 1] != cell[x - 2]
          || cell[x - 2] != cell[x - 3] || cell[x + 1] != cell[x + 2]
          || cell[x + 2] != cell[x + 3] || cell[x] == cell[x + 1]
          || cell[x] == KYMO_DENSE_NOTHING
          || !is_full_block (painter->timeline, cell[x - 1])
          || !is_full_block (painter->timeline, cell[x + 1]))
        continue;
      activity = kymo_timeline_activity (painter->timeline, cell[x] >> 16);
      if (activity == NULL || activity->kind != KYMO_KIND_ENTRY
          || activity->hidden)
        continue;
      pixel = look_timeline_pixels (painter, cell[x] >> 16, EDGE_LOOK);
      for (int at = pixel_of (painter, x); at < pixel_of (painter, x + 1); at++)
        painter->line[at] = pixel;
    }
}

/* Where two activities of three columns and more meet. */
static void
outline_blocks (Painter *painter, const guint32 *cell)
{
  gint64 end = MIN (painter->to, (gint64) painter->timeline->n_columns - 2);

  for (gint64 x = MAX (painter->from, 3); x < end; x++)
    if (cell[x] != cell[x - 1] && cell[x - 1] == cell[x - 2] && cell[x - 2] == cell[x - 3]
        && cell[x] == cell[x + 1] && cell[x] == cell[x + 2]
        && is_full_block (painter->timeline, cell[x])
        && is_full_block (painter->timeline, cell[x - 1])
        && pixel_of (painter, x) < pixel_of (painter, x + 1))
      painter->line[pixel_of (painter, x)] = look_timeline_pixels (painter, cell[x] >> 16,
                                                                   EDGE_LOOK);
}

/* The fast path; fill_runs() is its slow twin. */
static void
fill_dense (Painter *painter, guint row, int bar_px)
{
  const KymoTimeline *timeline = painter->timeline;
  const guint32 *cell
    = timeline->dense.cell + (gsize) row * timeline->n_columns;
  guint32 last = KYMO_DENSE_NOTHING, pixel = painter->canvas;

  for (int x = painter->first_x; x < painter->end_x; x++)
    {
      guint32 now = cell[painter->column_of[x]];

      if (now != last)
        {
          pixel = now == KYMO_DENSE_NOTHING ? painter->canvas
                  : look_of (painter, now >> 16, now & KYMO_DENSE_FULL);
          last = now;
        }
      painter->line[x] = pixel;
    }
  if (bar_px >= EDGE_LEAST_PX)
    darken_edges (painter, cell);
  if (bar_px >= EDGE_LEAST_PX && painter->outlined)
    outline_blocks (painter, cell);
}

static guint32
look_of_run (Painter *painter, guint i, int bar_px)
{
  const KymoTimelineRun *run = &g_array_index (painter->runs, KymoTimelineRun,
                                               i);
  const KymoTimelineActivity *activity
    = kymo_timeline_activity (painter->timeline, run->activity);
  double share = run->share >= 0.999 ? 1 : MAX (run->share, 0);

  /* A column that two blocks share is their edge, not a pale gap. */
  if (activity->kind == KYMO_KIND_ENTRY && !activity->hidden
      && bar_px >= EDGE_LEAST_PX
      && kymo_timeline_is_edge (painter->timeline, painter->runs, i))
    return look_timeline_pixels (painter, run->activity, EDGE_LOOK);
  return look_of (painter, run->activity, lrint (share * KYMO_DENSE_FULL));
}

static void
fill_runs (Painter *painter, guint row, int bar_px)
{
  int last_end = -1;
  gint64 last_activity = -1;
  gboolean cells = painter->timeline->dense.cell == NULL;

  /* With the neighbours out of sight, for edges. */
  kymo_timeline_runs (painter->timeline, row, painter->from - 1,
                      painter->to + 1, painter->runs);
  for (guint i = 0; i < painter->runs->len; i++)
    {
      const KymoTimelineRun *run
        = &g_array_index (painter->runs, KymoTimelineRun, i);
      const KymoTimelineActivity *activity
        = kymo_timeline_activity (painter->timeline, run->activity);
      int x0 = pixel_of (painter, run->x0), x1 = pixel_of (painter, run->x1);
      guint32 pixel;

      if (activity == NULL
          || lrint (painter->x_zero + run->x1 * painter->x_step) <= 0)
        continue;
      if (x1 == x0 && x0 < painter->width && cells)
        x1 = x0 + 1;
      pixel = look_of_run (painter, i, bar_px);
      for (int x = x0; x < x1; x++)
        painter->line[x] = pixel;
      /* Two blocks of one activity side by side are told apart by an edge,
         unless they are too thin for it. */
      if (x0 == last_end && cells && (run->activity == last_activity || painter->outlined)
          && activity->kind == KYMO_KIND_ENTRY && x1 - x0 >= 3
          && bar_px >= EDGE_LEAST_PX)
        painter->line[x0] = look_timeline_pixels (painter, run->activity, EDGE_LOOK);
      last_end = x1 - x0 >= 3 ? x1 : -1;
      last_activity = run->activity;
    }
}

/* -- rows ----------------------------------------------------------------- */

static gboolean
has_idle (const guint32 *line, int width)
{
  guint found = 0;

  for (int x = 0; x < width; x++)
    found |= line[x] == IDLE_PIXEL;
  return found != 0;
}

static void
fill_idle (guint32 *into, const guint32 *line, const guint32 *idle, int width)
{
  for (int x = 0; x < width; x++)
    into[x] = line[x] != IDLE_PIXEL ? line[x] : idle[x];
}

/* Repeats the line over the bar. The hatch comes back every `period` lines,
   so more of them are never made. */
static void
write_row (Painter *painter, int y0, int y1)
{
  int width = painter->width, period = painter->period;
  gboolean idle = has_idle (painter->line, width);
  gboolean hatch = idle && y1 - y0 >= HATCH_LEAST_PX * period / HATCH_PX;

  for (int y = y0; y < y1; y++)
    {
      guint32 *into = kymo_pixels_line (&painter->pixels, y);
      int phase = hatch ? (painter->phase + y) % period : 0;
      guint32 *from = painter->hatched + (gsize) phase * width;

      if (!idle)
        from = painter->line;
      else if (y - y0 < (hatch ? period : 1))
        fill_idle (from, painter->line,
                   hatch ? painter->tile + phase : painter->tile
                                                   + width + period,
                   width);
      memcpy (into, from, (gsize) width * 4);
      if (painter->any_hatched)
        kymo_pixels_hatch_waiting (&painter->pixels, y, 0, width, painter->canvas,
                                   y1 - y0 >= HATCH_LEAST_PX * period / HATCH_PX);
    }
}

static void
write_rows (Painter *painter)
{
  const KymoTimeline *timeline = painter->timeline;
  double scale = timeline->frame->scale;
  guint first, end;

  kymo_timeline_visible (timeline, &first, &end);
  for (guint row = first; row < end; row++)
    {
      double y = kymo_timeline_row_y (timeline, row) - timeline->area.y;
      int y0 = CLAMP (lrint (y * scale), 0, painter->height);
      int y1 = CLAMP (lrint ((y + timeline->bar_px) * scale), 0,
                      painter->height);

      if (y1 == y0 && y0 < painter->height)
        y1 = y0 + 1;
      for (int x = 0; x < painter->width; x++)
        painter->line[x] = painter->canvas;
      if (timeline->dense.cell != NULL)
        fill_dense (painter, row, lrint (timeline->bar_px));
      else
        fill_runs (painter, row, lrint (timeline->bar_px));
      write_row (painter, y0, y1);
    }
}

/* -- the painter ---------------------------------------------------------- */

static void
place_columns (Painter *painter, const KymoPlotFrame *frame)
{
  const KymoTimeline *timeline = painter->timeline;
  double scale = painter->pixels.scale;

  painter->x_step = timeline->x_step * scale;
  painter->x_zero = (timeline->x_zero - timeline->area.x) * scale
                    + kymo_pixels_shift (&painter->pixels, frame);
  kymo_timeline_columns (timeline, &painter->from, &painter->to);
  /* Moved by half a pixel, one more may be seen. */
  painter->from = MAX (painter->from - 1, 0);
  painter->to = MIN (painter->to + 1, (gint64) timeline->n_columns);
  painter->column_of = g_new (int, painter->width);
  painter->first_x = pixel_of (painter, painter->from);
  painter->end_x = painter->first_x;
  for (gint64 column = painter->from; column < painter->to; column++)
    for (int end = pixel_of (painter, column + 1); painter->end_x < end;)
      painter->column_of[painter->end_x++] = column;
}

/* Lines where x + y is a multiple of the period, then plain paper. */
static void
make_hatch (Painter *painter)
{
  const KymoTheme *theme = painter->timeline->theme;
  double scale = painter->timeline->frame->scale;
  KymoRect area = painter->timeline->area;
  int period = lrint (HATCH_PX * scale);
  int width = painter->width + period;

  painter->period = period;
  painter->phase = (int) lrint ((area.x + area.y) * scale) % period;
  painter->tile = g_new (guint32, width + painter->width);
  painter->hatched = g_new (guint32, (gsize) painter->width * period);
  for (int i = 0; i < width; i++)
    {
      int sum = (i + 1) % period;
      double away = MIN (sum, period - sum) / G_SQRT2;
      double cover = CLAMP (scale / 2 + 0.5 - away, 0, 1);

      painter->tile[i] = kymo_pixel (kymo_rgba_mix (theme->paper,
                                                      theme->hatch, cover));
    }
  for (int i = 0; i < painter->width; i++)
    painter->tile[width + i] = painter->paper;
}

static void
painter_clear (Painter *painter)
{
  for (guint i = 0; i < painter->timeline->n_activities; i++)
    g_free (painter->looks[i]);
  g_free (painter->looks);
  g_free (painter->column_of);
  g_free (painter->line);
  g_free (painter->tile);
  g_free (painter->hatched);
  g_array_unref (painter->runs);
}

/** kymo_timeline_paint_pixels: the bars of all rows in sight */
void
kymo_timeline_paint_pixels (cairo_t *cr, const KymoTimeline *timeline)
{
  Painter painter = {
    .timeline = timeline,
    .outlined = timeline->frame->look >= KYMO_LOOK_LIGHT_CONTRAST,
  };

  if (!kymo_pixels_begin (&painter.pixels, cr, timeline->area,
                          timeline->frame))
    return;
  painter.width = painter.pixels.width;
  painter.height = painter.pixels.height;
  painter.canvas = kymo_pixel (timeline->theme->canvas);
  painter.paper = kymo_pixel (timeline->theme->paper);
  painter.looks = g_new0 (guint32 *, MAX (timeline->n_activities, 1));
  for (guint i = 0; i < timeline->n_activities; i++)
    painter.any_hatched |= timeline->activities[i].hatched;
  painter.line = g_new (guint32, painter.width);
  painter.runs = g_array_new (FALSE, FALSE, sizeof (KymoTimelineRun));
  place_columns (&painter, timeline->frame);
  make_hatch (&painter);
  write_rows (&painter);
  kymo_pixels_end (&painter.pixels, cr);
  painter_clear (&painter);
}
