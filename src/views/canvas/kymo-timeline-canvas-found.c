/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a timeline holds what is searched: a line below each match, in the
 * rows that can be seen. Asked for as columns of the visible range, when that
 * and the rows have come to rest; until then the marks of before stay at
 * their times.
 */
#include "config.h"

#include <math.h>

#include "kymo-finder.h"
#include "kymo-theme.h"
#include "kymo-timeline-canvas.h"

#define REST_MS 60
#define LINE_PX 3
/* Columns of all rows together: with very many rows they are wider. */
#define MOST_CELLS 2000000

static void
on_marks (KymoTable *answer, const GError *error, gpointer data)
{
  kymo_timeline_layer_take (&KYMO_TIMELINE_CANVAS (data)->found, answer);
  kymo_canvas_queue_still (data);
}

static KymoQuestion *
make_marks_question (gpointer view)
{
  KymoCanvas *canvas = view;
  KymoFinder *finder = kymo_finder_of (canvas->session);
  const KymoTimeline *timeline = kymo_timeline_canvas_peek (canvas);
  g_autoptr (KymoIdSet) ids = NULL;
  KymoQuestion *question;
  guint first, end, n;

  if (timeline == NULL || !kymo_finder_is_active (finder))
    return NULL;
  kymo_timeline_visible (timeline, &first, &end);
  ids = kymo_timeline_canvas_dup_locations (timeline->rows, first, end, &n);
  if (ids == NULL)
    return NULL;
  question = kymo_question_new ("search");
  KYMO_TIMELINE_CANVAS (canvas)->found.asked = timeline->frame->span;
  kymo_question_set_span (question, timeline->frame->span);
  kymo_question_set_resolution (question, CLAMP (MIN (timeline->frame->width_px, MOST_CELLS / n),
                                                 16, 4096), 0);
  kymo_finder_prepare (finder, question);
  kymo_question_set_locations (question, ids);
  kymo_question_set (question, "marks", "1");
  return question;
}

/* Something else is searched, or the view is another. */
static void
find_marks (KymoTimelineCanvas *self)
{
  KymoCanvas *canvas = KYMO_CANVAS (self);

  if (kymo_finder_is_active (kymo_finder_of (canvas->session)) && canvas->answer != NULL)
    {
      kymo_view_asker_queue (self->found.asker);
      return;
    }
  kymo_view_asker_cancel (self->found.asker);
  if (self->found.answer != NULL)
    kymo_canvas_queue_still (canvas);
  kymo_timeline_layer_take (&self->found, NULL);
}

/** kymo_timeline_canvas_follow_finder: once, when the canvas is made */
void
kymo_timeline_canvas_follow_finder (KymoTimelineCanvas *self)
{
  static const KymoViewQuestion of_marks = {
    .question = make_marks_question, .answered = on_marks, .pause_ms = REST_MS, .at_rest = TRUE,
  };
  KymoCanvas *canvas = KYMO_CANVAS (self);

  self->found.asker = kymo_view_asker_new (&of_marks, self, canvas->session);
  kymo_follow (kymo_finder_of (canvas->session), "changed", find_marks, self);
  kymo_follow (self, "answer-changed", find_marks, self);
  kymo_follow (canvas->vadjustment, "value-changed", find_marks, self);
}

static void
add_mark (cairo_t *cr, KymoTimelineCanvas *self, const KymoTimeline *timeline,
          gint64 row, gint64 first, gint64 last, guint n_columns)
{
  const KymoPlotFrame *frame = timeline->frame;
  KymoSpan span = self->found.span;
  double per_column = (double) kymo_span_length (span) / n_columns;
  double x0 = kymo_plot_time_to_x (frame, span.begin_ns + first * per_column);
  double x1 = kymo_plot_time_to_x (frame, span.begin_ns
                                          + (last + 1) * per_column);
  double top = timeline->area.y + row * timeline->row_px - frame->scroll_px;
  double height = CLAMP (timeline->bar_px / 3, 1, LINE_PX);

  cairo_rectangle (cr, x0, round (top + timeline->bar_px - height),
                   MAX (x1 - x0, 2), height);
}

static void
paint_canvas_found (cairo_t *cr, KymoTimelineCanvas *self, const KymoTimeline *timeline)
{
  KymoTable *marks = kymo_table_peek_nested (self->found.answer, "marks",
                                             NULL);
  guint n_columns = kymo_table_get_int (self->found.answer, "columns", 0);
  const gint64 *locations = kymo_table_peek_ints (marks, "location", NULL);
  const gint64 *first = kymo_table_peek_ints (marks, "first", NULL);
  const gint64 *last = kymo_table_peek_ints (marks, "last", NULL);
  const KymoTheme *theme = kymo_theme_get (timeline->frame->look);
  gint64 row = -1;

  for (guint i = 0; i < kymo_table_get_n_rows (marks); i++)
    {
      if (i == 0 || locations[i] != locations[i - 1])
        row = kymo_timeline_canvas_row_at (self, timeline, locations[i]);
      if (row >= 0)
        add_mark (cr, self, timeline, row, first[i], last[i], n_columns);
    }
  if (timeline->bar_px >= 8)
    {
      kymo_set_source (cr, theme->canvas);
      cairo_set_line_width (cr, 2);
      cairo_stroke_preserve (cr);
    }
  kymo_set_source (cr, theme->match);
  cairo_fill (cr);
}

/** kymo_timeline_canvas_paint_found: with what lies over the picture */
void
kymo_timeline_canvas_paint_found (KymoTimelineCanvas *self, const KymoTimeline *timeline,
                                  cairo_t *cr)
{
  if (self->found.answer == NULL)
    return;
  cairo_save (cr);
  cairo_rectangle (cr, timeline->area.x, timeline->area.y, timeline->area.width,
                   timeline->area.height);
  cairo_clip (cr);
  paint_canvas_found (cr, self, timeline);
  cairo_restore (cr);
}
