/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a timeline holds what is searched: a line below each match, in the
 * rows that can be seen. Asked for as columns of the visible range, when that
 * and the rows have come to rest; until then the marks of before stay at
 * their times.
 */
#include "config.h"

#include <math.h>

#include "kymo-canvas-private.h"
#include "kymo-finder.h"
#include "kymo-theme.h"

#define REST_MS 60
#define LINE_PX 3
/* Columns of all rows together: with very many rows they are wider. */
#define MOST_CELLS 2000000

struct _KymoCanvasFound
{
  KymoAsker *asker;
  KymoTable *answer;               /* or NULL */
  KymoSpan   span, asked;          /* of the answer, and of the question */
  guint      rest_id;
};

static void
on_marks (KymoTable *answer, const GError *error, gpointer data)
{
  KymoCanvas *self = data;
  KymoCanvasFound *found = self->found;

  g_clear_pointer (&found->answer, kymo_table_unref);
  if (answer != NULL)
    found->answer = kymo_table_ref (answer);
  found->span = found->asked;
  kymo_canvas_queue_still (self);
}

/* (transfer full) (nullable): the locations whose rows can be seen. */
static KymoIdSet *
visible_locations (KymoCanvas *self, const KymoPlotFrame *frame, guint *n_ids)
{
  const KymoTimeline *timeline = kymo_canvas_peek_timeline (self);
  KymoIdSet *set = NULL;
  guint first, end;

  *n_ids = 0;
  if (timeline != NULL)
    {
      const guint *offsets = NULL;
      KymoTable *list = kymo_table_peek_nested (timeline->rows, "locations",
                                                &offsets);
      const gint64 *ids = list != NULL
                          ? kymo_table_peek_ints (
                              list, kymo_table_get_column_name (list, 0), NULL)
                          : NULL;

      kymo_timeline_visible (timeline, &first, &end);
      if (ids != NULL && offsets != NULL && first < end)
        {
          *n_ids = offsets[end] - offsets[first];
          set = *n_ids > 0
                ? kymo_id_set_new_list (ids + offsets[first], *n_ids) : NULL;
        }
    }
  return set;
}

static gboolean
ask_canvas_found (gpointer data)
{
  KymoCanvas *self = data;
  KymoFinder *finder = kymo_finder_of (self->session);
  KymoQuestion *question;
  KymoPlotFrame frame;
  g_autoptr (KymoIdSet) ids = NULL;
  guint n;

  self->found->rest_id = 0;
  kymo_canvas_get_frame (self, &frame);
  ids = visible_locations (self, &frame, &n);
  if (ids == NULL)
    return G_SOURCE_REMOVE;
  question = kymo_question_new ("search");
  self->found->asked = frame.span;
  kymo_question_set_span (question, frame.span);
  kymo_question_set_resolution (question, CLAMP (MIN (frame.width_px,
                                                      MOST_CELLS / n), 16,
                                                 4096), 0);
  kymo_finder_prepare (finder, question);
  kymo_question_set_locations (question, ids);
  kymo_question_set (question, "marks", "1");
  kymo_asker_ask (self->found->asker, question);
  return G_SOURCE_REMOVE;
}

/** kymo_canvas_find_marks: something is searched, or the view is another */
void
kymo_canvas_find_marks (KymoCanvas *self)
{
  KymoFinder *finder = kymo_finder_of (self->session);

  if (!kymo_canvas_is_timeline (self))
    return;
  if (self->found == NULL)
    {
      if (!kymo_finder_is_active (finder))
        return;
      self->found = g_new0 (KymoCanvasFound, 1);
      self->found->asker = kymo_asker_new (
        kymo_session_peek_source (self->session), on_marks, self);
    }
  g_clear_handle_id (&self->found->rest_id, g_source_remove);
  if (kymo_finder_is_active (finder) && self->answer != NULL
      && gtk_widget_get_mapped (GTK_WIDGET (self)))
    {
      self->found->rest_id = g_timeout_add (REST_MS, ask_canvas_found, self);
      return;
    }
  kymo_asker_cancel (self->found->asker);
  g_clear_pointer (&self->found->answer, kymo_table_unref);
  kymo_canvas_queue_still (self);
}

/** kymo_canvas_forget_marks: at the end of the canvas */
void
kymo_canvas_forget_marks (KymoCanvas *self)
{
  if (self->found == NULL)
    return;
  g_clear_handle_id (&self->found->rest_id, g_source_remove);
  g_clear_pointer (&self->found->asker, kymo_asker_free);
  g_clear_pointer (&self->found->answer, kymo_table_unref);
  g_clear_pointer (&self->found, g_free);
}

static void
add_mark (cairo_t *cr, KymoCanvas *self, const KymoTimeline *timeline,
          gint64 row, gint64 first, gint64 last, guint n_columns)
{
  const KymoPlotFrame *frame = timeline->frame;
  KymoSpan span = self->found->span;
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
paint_canvas_found (cairo_t *cr, KymoCanvas *self, const KymoTimeline *timeline)
{
  KymoTable *marks = kymo_table_peek_nested (self->found->answer, "marks",
                                             NULL);
  guint n_columns = kymo_table_get_int (self->found->answer, "columns", 0);
  const gint64 *locations = kymo_table_peek_ints (marks, "location", NULL);
  const gint64 *first = kymo_table_peek_ints (marks, "first", NULL);
  const gint64 *last = kymo_table_peek_ints (marks, "last", NULL);
  const KymoTheme *theme = kymo_theme_get (timeline->frame->look);
  gint64 row = -1;

  for (guint i = 0; i < kymo_table_get_n_rows (marks); i++)
    {
      if (i == 0 || locations[i] != locations[i - 1])
        row = kymo_canvas_row_at (self, timeline, locations[i]);
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

/** kymo_canvas_paint_found: with what lies over the picture */
void
kymo_canvas_paint_found (KymoCanvas *self, cairo_t *cr,
                         const KymoPlotFrame *frame)
{
  const KymoTimeline *timeline = kymo_canvas_peek_timeline (self);

  if (self->found == NULL || self->found->answer == NULL
      || self->answer == NULL)
    return;
  if (timeline != NULL)
    {
      cairo_save (cr);
      cairo_rectangle (cr, timeline->area.x, timeline->area.y,
                       timeline->area.width, timeline->area.height);
      cairo_clip (cr);
      paint_canvas_found (cr, self, timeline);
      cairo_restore (cr);
    }
}
