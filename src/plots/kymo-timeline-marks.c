/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What lies on top of the timeline's cells: paused outer blocks as strips,
 * user events as outlines, and flags for phases, notes, trace on and off and
 * flushes above the rows.
 */
#include "config.h"

#include <math.h>

#include "kymo-text.h"
#include "kymo-timeline.h"

#define STRIP_PX 3
#define FLAG_PX 12

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

static void
event_path (cairo_t *cr, const KymoTimeline *timeline, guint row, double x0,
            double x1)
{
  double height = MAX (3, floor (timeline->bar_px * 0.34));
  double y = round (kymo_timeline_row_y (timeline, row) + timeline->bar_px
                    - height);

  if (x1 - x0 >= 4)
    cairo_rectangle (cr, floor (x0) + 0.5, y - 0.5, floor (x1 - x0) - 1,
                     height);
  else
    kymo_line (cr, x0, y - 0.5, x0, y + height - 0.5);
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
          event_path (cr, timeline, row, x0, x1);
          /* A halo of the canvas first: the outline reads on any cell. */
          kymo_set_source (cr, pass == 0 ? timeline->theme->canvas
                               : kymo_rgba_mix (activity->color,
                                                timeline->theme->foreground,
                                                0.35));
          cairo_set_line_width (cr, pass == 0 ? 2.5 : 1);
          cairo_stroke (cr);
        }
}

static void
paint_flag (cairo_t *cr, const KymoTimeline *timeline, const char *kind,
            double x, double y)
{
  x = floor (x) + 0.5;
  cairo_set_line_width (cr, 1);
  if (g_strcmp0 (kind, "flush") == 0)
    {
      cairo_rectangle (cr, x - 2.5, y - 5, 5, 5);
      kymo_set_source (cr, timeline->theme->ink_edge);
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
                           : timeline->theme->secondary);
    }
  cairo_fill (cr);
  kymo_line (cr, x, y - FLAG_PX + 1, x, y);
  cairo_stroke (cr);
}

static double
next_mark_x (const KymoTimeline *timeline, const gint64 *times, guint n,
             guint i, double x)
{
  for (guint next = i + 1; next < n; next++)
    {
      double other = kymo_plot_time_to_x (timeline->frame, times[next]);
      if (other > x + 1)
        return other;
    }
  return timeline->area.x + timeline->area.width;
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
  KymoRect area = timeline->area;
  double rows_px = timeline->n_rows * timeline->row_px;
  double last_x = -10, text_end = -10;

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
      paint_flag (cr, timeline, kind, x, area.y - 1);
      if (g_strcmp0 (kind, "phase") == 0)
        {
          kymo_set_source_alpha (cr, timeline->theme->accent, 0.5);
          kymo_line (cr, x, area.y, x, area.y + MIN (area.height, rows_px));
          cairo_stroke (cr);
        }
      last_x = x;
      room = next_mark_x (timeline, times, n, i, x) - x - 20;
      if (text != NULL && room > 30 && x > text_end)
        {
          KymoTextStyle style = { KYMO_TEXT_SMALL - 1.5, FALSE, 0,
                                  MIN (room, 220) };

          kymo_text_draw (cr, text, x + 9, area.y - 8, style,
                          timeline->theme->secondary);
          text_end = x + 9 + MIN (kymo_text_width (cr, text, style), room);
        }
    }
}
