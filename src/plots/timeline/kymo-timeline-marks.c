/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What lies on top of the timeline's cells: paused outer blocks as strips,
 * user events as outlines, and flags for phases, notes, trace on and off and
 * flushes above the rows.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "kymo-text.h"
#include "kymo-timeline.h"

#define STRIP_PX 3
#define FLAG_PX 12
/* Of a bar's height the lanes take so much; a lane below the least height
   would be a line only. */
#define LANES_SHARE 0.6
#define LANE_LEAST_PX 4
#define LANE_MOST_PX 16
#define LANE_AROUND_PX 16
#define LABEL_LEAST_PX 9
#define HEX(h) { ((h) >> 16) / 255.0, ((h) >> 8 & 255) / 255.0, ((h) & 255) / 255.0, 1 }

/** kymo_timeline_paint_outer: a strip a level at the top of the row */
void
kymo_timeline_paint_outer (cairo_t *cr, const KymoTimeline *timeline)
{
  const KymoTimelineCells *outer = &timeline->outer;
  guint first, end, most = timeline->bar_px / 3 / STRIP_PX;

  if (outer->offsets == NULL || most == 0)
    return;
  kymo_timeline_visible (timeline, &first, &end);
  for (guint row = first; row < end; row++)
    for (guint i = outer->offsets[row]; i < outer->offsets[row + 1]; i++)
      {
        const KymoTimelineActivity *activity
          = kymo_timeline_activity (timeline, outer->activity[i]);
        guint level = outer->level != NULL ? MAX (outer->level[i], 0) : 0;
        double x0 = kymo_timeline_x (timeline, outer->x0[i]);
        double x1 = kymo_timeline_x (timeline, outer->x1[i]);

        if (activity == NULL || activity->hidden || level >= most)
          continue;
        kymo_set_source (cr, kymo_rgba_shade (activity->color, 0.72));
        cairo_rectangle (cr, x0, kymo_timeline_row_y (timeline, row)
                                 + level * STRIP_PX,
                         MAX (x1 - x0, 1), STRIP_PX - 0.5);
        cairo_fill (cr);
      }
}

/**
 * kymo_timeline_lanes:
 * @row: of the answer
 *
 * Returns: how many lanes of user events the row shows; 0 where it has fewer than two or no room
 */
guint
kymo_timeline_lanes (const KymoTimeline *timeline, guint row)
{
  guint n;

  if (timeline->lanes == NULL || timeline->events.lane == NULL
      || row >= timeline->n_rows)
    return 0;
  n = timeline->lane_offsets[row + 1] - timeline->lane_offsets[row];
  return n > 1 && n * LANE_LEAST_PX <= timeline->bar_px * LANES_SHARE ? n : 0;
}

/** kymo_timeline_lane_rect: the strip of all where lanes are not shown */
KymoRect
kymo_timeline_lane_rect (const KymoTimeline *timeline, guint row, gint64 lane)
{
  guint n = kymo_timeline_lanes (timeline, row);
  double bottom = kymo_timeline_row_y (timeline, row) + timeline->bar_px;
  double step = MIN (n > 0 ? timeline->bar_px * LANES_SHARE / n : 0,
                     LANE_MOST_PX);
  double height = n > 0 ? step * n : MAX (3, floor (timeline->bar_px * 0.34));
  KymoRect rect = timeline->area;

  rect.y = bottom - height;
  rect.height = height;
  if (n > 0 && lane >= 0 && lane < n)
    {
      rect.y = floor (rect.y + lane * step);
      rect.height = MAX (floor (step) - 1, 3);
    }
  return rect;
}

/**
 * kymo_timeline_cells_px:
 * @row: of the answer
 *
 * Returns: height of the row's cells, px: of the bar without its lanes
 */
double
kymo_timeline_cells_px (const KymoTimeline *timeline, guint row)
{
  return kymo_timeline_lanes (timeline, row) == 0 ? timeline->bar_px
         : timeline->bar_px
           - kymo_timeline_lane_rect (timeline, row, -1).height - 1;
}

/* Marks the pixels of a row, 0 .. width, at or near a bracket that can be
   seen as one. */
static void
mark_brackets (const KymoTimeline *timeline, guint row, guint8 *marks,
               int width)
{
  const KymoTimelineCells *events = &timeline->events;

  for (guint i = events->offsets[row]; i < events->offsets[row + 1]; i++)
    {
      double x0 = kymo_timeline_x (timeline, events->x0[i]) - timeline->area.x;
      double x1 = kymo_timeline_x (timeline, events->x1[i]) - timeline->area.x;
      const KymoTimelineActivity *activity
        = kymo_timeline_activity (timeline, events->activity[i]);
      int from = CLAMP (floor (x0) - LANE_AROUND_PX, 0, width);
      int to = CLAMP (ceil (x1) + LANE_AROUND_PX, 0, width);

      if (events->lane[i] >= 0 && x1 - x0 >= 4 && to > from
          && activity != NULL && !activity->hidden)
        memset (marks + from, 1, to - from);
    }
}

/* Lanes stand on canvas: gaps between calls are what tells that a rank
   computes. Far from brackets the cells keep their whole height. */
static void
clear_lanes (cairo_t *cr, const KymoTimeline *timeline, guint row)
{
  KymoRect rect = kymo_timeline_lane_rect (timeline, row, -1);
  int width = MAX (ceil (rect.width), 0);
  g_autofree guint8 *marks = NULL;

  if (kymo_timeline_lanes (timeline, row) == 0)
    return;
  marks = g_malloc0 (width + 1);
  mark_brackets (timeline, row, marks, width);
  kymo_set_source (cr, timeline->theme->canvas);
  for (int from = 0, to; from < width; from = to + 1)
    {
      for (to = from; to < width && marks[to]; to++)
        ;
      if (to > from)
        cairo_rectangle (cr, rect.x + from, rect.y - 1,
                         MIN (to, rect.width) - from, rect.height + 2);
    }
  cairo_fill (cr);
}

/** kymo_timeline_lane_label: "rank 3", or NULL */
const char *
kymo_timeline_lane_label (const KymoTimeline *timeline, guint row, gint64 lane)
{
  if (timeline->lanes == NULL || row >= timeline->n_rows || lane < 0
      || lane >= timeline->lane_offsets[row + 1] - timeline->lane_offsets[row])
    return NULL;
  return kymo_table_peek_label (timeline->lanes, "label",
                                timeline->lane_offsets[row] + lane);
}

static void
event_path (cairo_t *cr, const KymoTimeline *timeline, guint row, guint i,
            double x0, double x1)
{
  gint64 lane = timeline->events.lane != NULL ? timeline->events.lane[i] : -1;
  KymoRect rect = kymo_timeline_lane_rect (timeline, row, lane);
  double y = round (rect.y);

  if (x1 - x0 >= 4)
    cairo_rectangle (cr, floor (x0) + 0.5, y - 0.5, floor (x1 - x0) - 1,
                     rect.height);
  else
    kymo_line (cr, x0, y - 0.5, x0, y + rect.height - 0.5);
}

/* At the begin of each lane, where it is high enough for words. */
static void
paint_lane_labels (cairo_t *cr, const KymoTimeline *timeline, guint row)
{
  guint n = kymo_timeline_lanes (timeline, row);
  KymoTextStyle style = { KYMO_TEXT_SMALL - 2, FALSE, 0, 0 };

  for (guint lane = 0; lane < n; lane++)
    {
      const char *label = kymo_timeline_lane_label (timeline, row, lane);
      KymoRect rect = kymo_timeline_lane_rect (timeline, row, lane);
      double width;

      if (label == NULL || rect.height < LABEL_LEAST_PX)
        continue;
      width = kymo_text_width (cr, label, style);
      kymo_set_source_alpha (cr, timeline->theme->canvas, 0.8);
      cairo_rectangle (cr, rect.x + 1, rect.y, width + 6, rect.height - 1);
      cairo_fill (cr);
      kymo_text_draw (cr, label, rect.x + 4, rect.y + rect.height / 2 - 0.5,
                      style, timeline->theme->foreground);
    }
}

/** kymo_timeline_paint_events: outlined in their colour, never filled */
void
kymo_timeline_paint_events (cairo_t *cr, const KymoTimeline *timeline)
{
  const KymoTimelineCells *events = &timeline->events;
  guint first, end;

  if (events->offsets == NULL || timeline->bar_px < 4)
    return;
  kymo_timeline_visible (timeline, &first, &end);
  for (guint row = first; row < end; row++)
    clear_lanes (cr, timeline, row);
  for (guint pass = 0; pass < 2; pass++)
    for (guint row = first; row < end; row++)
      for (guint i = events->offsets[row]; i < events->offsets[row + 1]; i++)
        {
          const KymoTimelineActivity *activity
            = kymo_timeline_activity (timeline, events->activity[i]);
          double x0 = kymo_timeline_x (timeline, events->x0[i]);
          double x1 = kymo_timeline_x (timeline, events->x1[i]);

          if (activity == NULL || activity->hidden)
            continue;
          event_path (cr, timeline, row, i, x0, x1);
          /* A halo of the canvas first: the outline reads on any cell. */
          kymo_set_source (cr, pass == 0 ? timeline->theme->canvas
                               : kymo_rgba_mix (activity->color,
                                                timeline->theme->foreground,
                                                0.35));
          cairo_set_line_width (cr, pass == 0 ? 2.5 : 1);
          cairo_stroke (cr);
        }
  for (guint row = first; row < end; row++)
    paint_lane_labels (cr, timeline, row);
}

/* (nullable): of a marker, else NULL. The words beside a flag and at the pointer tell it, too. */
static KymoRgba
severity_color (const KymoTimeline *timeline, const char *severity)
{
  static const KymoRgba high[KYMO_N_LOOKS] = {
    [KYMO_LOOK_LIGHT] = HEX (0xc01c28), [KYMO_LOOK_DARK] = HEX (0xff7b63),
    [KYMO_LOOK_LIGHT_CONTRAST] = HEX (0x8f0010), [KYMO_LOOK_DARK_CONTRAST] = HEX (0xffa09a),
  };

  if (g_strcmp0 (severity, "high") == 0)
    return high[timeline->frame->look];
  if (g_strcmp0 (severity, "medium") == 0)
    return timeline->theme->match;
  return g_strcmp0 (severity, "low") == 0 ? timeline->theme->accent : timeline->theme->secondary;
}

static void
paint_flag (cairo_t *cr, const KymoTimeline *timeline, const char *kind,
            const char *severity, double x, double y)
{
  x = floor (x) + 0.5;
  cairo_set_line_width (cr, 1);
  if (g_strcmp0 (kind, "flush") == 0)
    {
      cairo_rectangle (cr, x - 2.5, y - 5, 5, 5);
      kymo_set_source (cr, timeline->theme->ink);
    }
  else
    {
      double out = g_strcmp0 (kind, "trace-off") == 0 ? -6 : 6;

      cairo_move_to (cr, x, y - FLAG_PX + 1);
      cairo_line_to (cr, x + out, y - FLAG_PX + 4);
      cairo_line_to (cr, x, y - FLAG_PX + 7);
      cairo_close_path (cr);
      kymo_set_source (cr, g_strcmp0 (kind, "phase") == 0
                           ? timeline->theme->accent
                           : severity_color (timeline, severity));
    }
  cairo_fill (cr);
  kymo_line (cr, x, y - FLAG_PX + 1, x, y);
  cairo_stroke (cr);
}

/* Where the next mark stands; marks are in the order of their rows, not of their times. */
static double
next_mark_x (const KymoTimeline *timeline, const gint64 *times, guint n, double x)
{
  double nearest = timeline->area.x + timeline->area.width;

  for (guint i = 0; i < n; i++)
    {
      double other = kymo_plot_time_to_x (timeline->frame, times[i]);

      if (other > x + 1)
        nearest = MIN (nearest, other);
    }
  return nearest;
}

/** kymo_timeline_paint_marks: flags with words where there is room */
void
kymo_timeline_paint_marks (cairo_t *cr, const KymoTimeline *timeline,
                           const KymoTable *answer)
{
  KymoTable *marks = kymo_table_peek_nested (answer, "marks", NULL);
  const gint64 *times = marks != NULL
                        ? kymo_table_peek_ints (marks, "time_ns", NULL) : NULL;
  guint n = marks != NULL ? kymo_table_get_n_rows (marks) : 0;
  gboolean has_severity = n > 0 && kymo_table_find_column (marks, "severity") >= 0;
  KymoRect area = timeline->area;
  double rows_px = timeline->rows_total * timeline->row_px
                   - timeline->frame->scroll_px;
  double last_x = -10, text_begin = -10, text_end = -10;

  /* The window's ruler shows phases as ranges; a file has them here, where
     the flags say which. */
  if (timeline->frame->decorate)
    kymo_paint_phases (cr, timeline->frame,
                       kymo_table_peek_nested (answer, "phases", NULL),
                       area.y - FLAG_PX, FLAG_PX, FALSE);

  for (guint i = 0; times != NULL && i < n; i++)
    {
      const char *kind = kymo_table_get_string (marks, "kind", i);
      const char *text = kymo_table_get_string (marks, "text", i);
      double x = kymo_plot_time_to_x (timeline->frame, times[i]);
      double room;

      /* Marks of many locations at one time are one flag. */
      if (x < area.x - 1 || x > area.x + area.width || fabs (x - last_x) < 2)
        continue;
      paint_flag (cr, timeline, kind, has_severity ? kymo_table_get_string (marks, "severity", i)
                  : NULL, x, area.y - 1);
      if (g_strcmp0 (kind, "phase") == 0)
        {
          kymo_set_source_alpha (cr, timeline->theme->accent, 0.5);
          kymo_line (cr, x, area.y, x, area.y + MIN (area.height, rows_px));
          cairo_stroke (cr);
        }
      last_x = x;
      room = next_mark_x (timeline, times, n, x) - x - 20;
      if (text != NULL && room > 30 && (x > text_end || x < text_begin))
        {
          KymoTextStyle style = { KYMO_TEXT_SMALL - 1.5, FALSE, 0,
                                  MIN (room, 220) };

          kymo_text_draw (cr, text, x + 9, area.y - 8, style,
                          timeline->theme->secondary);
          text_begin = x;
          text_end = x + 9 + MIN (kymo_text_width (cr, text, style), room);
        }
    }
}
