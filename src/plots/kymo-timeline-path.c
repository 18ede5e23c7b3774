/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-timeline-path.h"

#include <math.h>

#include "kymo-timeline-messages.h"

#define WIDTH_PX 3
#define MESSAGE_PX 1.5
#define HALO_PX 2.5
#define FADED 0.5
/* Shorter rows have the line in their middle. */
#define LOW_PX 12

typedef struct
{
  const KymoTimeline *timeline;
  GHashTable         *rows;
  const gint64       *location, *begin_ns, *end_ns, *place;
  const KymoTable    *steps;
  guint               first, end;      /* steps that reach into sight */
} Path;

/** kymo_timeline_path_question: (transfer full): */
KymoQuestion *
kymo_timeline_path_question (const KymoPlotFrame *frame, KymoSpan part)
{
  KymoQuestion *question = kymo_question_new ("critical-path");
  KymoSpan span = frame->span;
  double length = MAX (kymo_span_length (span), 1);
  double width = MAX (frame->width_px - frame->left_px - frame->right_px, 16);

  kymo_question_set_int (question, "limit", 0);
  kymo_question_set_int (question, "part-begin", part.begin_ns);
  kymo_question_set_int (question, "part-end", part.end_ns);
  kymo_question_set_int (question, "column", MAX (length / width, 1));
  return question;
}

static gboolean
read_path (Path *path, const KymoTimeline *timeline, const KymoTable *steps)
{
  guint n = kymo_table_get_n_rows (steps);

  *path = (Path) { .timeline = timeline, .steps = steps };
  path->location = kymo_table_peek_ints (steps, "location", NULL);
  path->begin_ns = kymo_table_peek_ints (steps, "begin_ns", NULL);
  path->end_ns = kymo_table_peek_ints (steps, "end_ns", NULL);
  path->place = kymo_table_peek_ints (steps, "place", NULL);
  if (n == 0 || path->location == NULL || path->begin_ns == NULL
      || path->end_ns == NULL || path->place == NULL)
    return FALSE;
  while (path->first < n
         && path->end_ns[path->first] < timeline->frame->span.begin_ns)
    path->first++;
  for (path->end = path->first; path->end < n
       && path->begin_ns[path->end] < timeline->frame->span.end_ns;)
    path->end++;
  return TRUE;
}

static double
y_of (const Path *path, guint step)
{
  const KymoTimeline *timeline = path->timeline;
  double place = path->place[step] == KYMO_NULL_INT ? NAN : path->place[step];
  double y = kymo_timeline_location_y (timeline, path->rows, path->location[step], place);

  return timeline->bar_px < LOW_PX ? y : y + timeline->bar_px / 2 - WIDTH_PX - 1;
}

static gboolean
is_kind (const Path *path, guint step, const char *kind)
{
  return g_strcmp0 (kymo_table_get_string (path->steps, "kind", step), kind) == 0;
}

static void
fade_others (cairo_t *cr, const Path *path)
{
  const KymoTimeline *timeline = path->timeline;
  g_autofree gboolean *touched = g_new0 (gboolean, timeline->n_rows);
  guint first, end;

  for (guint i = path->first; i < path->end; i++)
    {
      guint row = GPOINTER_TO_UINT (g_hash_table_lookup (path->rows, &path->location[i]));

      if (row > 0)
        touched[row - 1] = TRUE;
    }
  kymo_timeline_visible (timeline, &first, &end);
  for (guint row = first; row < end; row++)
    if (!touched[row])
      cairo_rectangle (cr, timeline->area.x, kymo_timeline_row_y (timeline, row),
                       timeline->area.width, timeline->bar_px);
  kymo_set_source_alpha (cr, timeline->theme->canvas, FADED);
  cairo_fill (cr);
}

/* Each look in one go: halo and line lie over all of them alike. */
static void
stroke (cairo_t *cr, const Path *path, double width, gboolean dashed)
{
  const KymoTheme *theme = path->timeline->theme;

  kymo_set_source_alpha (cr, theme->canvas, 0.85);
  cairo_set_line_width (cr, width + HALO_PX);
  cairo_stroke_preserve (cr);
  if (dashed)
    cairo_set_dash (cr, (double[]) { 5, 3 }, 2, 0);
  kymo_set_source (cr, theme->accent);
  cairo_set_line_width (cr, width);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
}

/* From where the step before was to here. */
static void
trace_messages (cairo_t *cr, const Path *path)
{
  const KymoPlotFrame *frame = path->timeline->frame;

  for (guint i = MAX (path->first, 1); i < path->end; i++)
    {
      gboolean message = is_kind (path, i, "message");
      double y0 = y_of (path, i - 1), y1 = y_of (path, i);

      if ((!message && path->location[i] == path->location[i - 1]) || isnan (y0) || isnan (y1))
        continue;
      cairo_move_to (cr, kymo_plot_time_to_x (frame, path->begin_ns[i]), y0);
      cairo_line_to (cr, kymo_plot_time_to_x (frame, message ? path->end_ns[i]
                                                             : path->begin_ns[i]), y1);
    }
}

static void
trace_rows (cairo_t *cr, const Path *path, gboolean queues)
{
  const KymoPlotFrame *frame = path->timeline->frame;

  for (guint i = path->first; i < path->end; i++)
    {
      double y = y_of (path, i);

      if (is_kind (path, i, "message") || is_kind (path, i, "queue") != queues || isnan (y))
        continue;
      cairo_move_to (cr, kymo_plot_time_to_x (frame, path->begin_ns[i]), y);
      cairo_line_to (cr, kymo_plot_time_to_x (frame, path->end_ns[i]), y);
    }
}

static void
paint_current (cairo_t *cr, const Path *path, guint step)
{
  const KymoPlotFrame *frame = path->timeline->frame;
  double y = y_of (path, step);

  if (isnan (y) || is_kind (path, step, "message"))
    return;
  cairo_move_to (cr, kymo_plot_time_to_x (frame, path->begin_ns[step]), y);
  cairo_line_to (cr, kymo_plot_time_to_x (frame, path->end_ns[step]), y);
  kymo_set_source (cr, path->timeline->theme->foreground);
  cairo_set_line_width (cr, WIDTH_PX + 1);
  cairo_stroke (cr);
}

/** kymo_timeline_paint_path: */
void
kymo_timeline_paint_path (cairo_t *cr, const KymoTimeline *timeline,
                          const KymoTable *steps, gint current)
{
  KymoRect area = timeline->area;
  Path path;

  if (!read_path (&path, timeline, steps))
    return;
  path.rows = kymo_timeline_rows_by_location (timeline);
  cairo_save (cr);
  cairo_rectangle (cr, area.x, area.y, area.width, area.height);
  cairo_clip (cr);
  fade_others (cr, &path);
  trace_messages (cr, &path);
  stroke (cr, &path, MESSAGE_PX, FALSE);
  trace_rows (cr, &path, TRUE);
  stroke (cr, &path, MESSAGE_PX, TRUE);
  trace_rows (cr, &path, FALSE);
  stroke (cr, &path, WIDTH_PX, FALSE);
  if (current >= 0 && current < (gint) kymo_table_get_n_rows (steps))
    paint_current (cr, &path, current);
  cairo_restore (cr);
  g_hash_table_unref (path.rows);
}
