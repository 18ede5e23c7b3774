/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The message that the selected block of a timeline executes: a line from
 * where it was sent, by way of the communication threads that passed it on,
 * to the begin of the block. The canvas asks for it itself, a question a
 * selection, and paints it with its overlay.
 */
#include "config.h"

#include <math.h>

#include "kymo-canvas-private.h"
#include "kymo-theme.h"
#include "kymo-timeline.h"

#define HEAD_PX 7

static void
find_places (KymoCanvas *self)
{
  KymoTable *via = kymo_table_peek_nested (self->message, "via", NULL);
  guint n = via != NULL ? kymo_table_get_n_rows (via) : 0;
  g_autofree gint64 *ids = g_new (gint64, n + 2);

  ids[0] = kymo_table_get_int (self->message, "source_location", 0);
  ids[1] = kymo_table_get_int (self->message, "location", 0);
  for (guint i = 0; i < n; i++)
    ids[i + 2] = kymo_table_get_int (via, "via", i);
  kymo_canvas_find_places (self, ids, n + 2);
}

static void
on_message (KymoTable *answer, const GError *error, gpointer data)
{
  KymoCanvas *self = data;

  g_clear_pointer (&self->message, kymo_table_unref);
  if (answer != NULL && kymo_table_find_column (answer, "sent_ns") >= 0)
    {
      self->message = kymo_table_ref (answer);
      find_places (self);
    }
  kymo_canvas_queue_still (self);
}

/** kymo_canvas_ask_message: after the selection has changed */
void
kymo_canvas_ask_message (KymoCanvas *self)
{
  KymoQuestion *question;
  gint64 location, time_ns;

  g_clear_pointer (&self->message, kymo_table_unref);
  if (g_strcmp0 (self->klass->id, "timeline") != 0)
    return;
  if (self->message_asker == NULL)
    self->message_asker = kymo_asker_new (
      kymo_session_peek_source (self->session), on_message, self);
  kymo_asker_cancel (self->message_asker);
  if (!kymo_session_get_block (self->session, &location, &time_ns))
    return;
  question = kymo_question_new ("details");
  kymo_question_set_int (question, "location", location);
  kymo_question_set_int (question, "time", time_ns);
  kymo_asker_ask (self->message_asker, question);
}

/* The next point of the line; FALSE where its location has no row. */
static gboolean
add_point (cairo_t *cr, KymoCanvas *self, const KymoTimeline *timeline,
           gint64 location, gint64 time_ns, double *x, double *y)
{
  gint64 row = kymo_canvas_row_at (self, timeline, location);

  if (row < 0)
    return FALSE;
  *x = kymo_plot_time_to_x (timeline->frame, time_ns);
  *y = timeline->area.y + (row + 0.5) * timeline->row_px
       - timeline->frame->scroll_px;
  if (cairo_has_current_point (cr))
    cairo_line_to (cr, *x, *y);
  else
    cairo_move_to (cr, *x, *y);
  return TRUE;
}

static void
line_of (cairo_t *cr, KymoCanvas *self, const KymoTimeline *timeline)
{
  const KymoTable *message = self->message;
  KymoTable *via = kymo_table_peek_nested (message, "via", NULL);
  KymoTable *via_ns = kymo_table_peek_nested (message, "via_ns", NULL);
  guint n = via != NULL && via_ns != NULL ? kymo_table_get_n_rows (via) : 0;
  double x, y;

  cairo_new_path (cr);
  if (!add_point (cr, self, timeline,
                  kymo_table_get_int (message, "source_location", 0),
                  kymo_table_get_int (message, "sent_ns", 0), &x, &y))
    return;
  for (guint i = 0; i < n; i++)
    add_point (cr, self, timeline, kymo_table_get_int (via, "via", i),
               kymo_table_get_int (via_ns, "ns", i), &x, &y);
  add_point (cr, self, timeline, kymo_table_get_int (message, "location", 0),
             kymo_table_get_int (message, "begin_ns", 0), &x, &y);
}

static void
paint_ends (cairo_t *cr, KymoCanvas *self, const KymoTimeline *timeline)
{
  const KymoTable *message = self->message;
  double x, y;

  cairo_new_path (cr);
  if (add_point (cr, self, timeline,
                 kymo_table_get_int (message, "source_location", 0),
                 kymo_table_get_int (message, "sent_ns", 0), &x, &y))
    {
      cairo_new_path (cr);
      cairo_arc (cr, x, y, 3, 0, 2 * G_PI);
      cairo_fill (cr);
    }
  if (add_point (cr, self, timeline, kymo_table_get_int (message, "location", 0),
                 kymo_table_get_int (message, "begin_ns", 0), &x, &y))
    {
      cairo_new_path (cr);
      cairo_move_to (cr, x, y);
      cairo_line_to (cr, x - HEAD_PX, y - HEAD_PX / 2.0);
      cairo_line_to (cr, x - HEAD_PX, y + HEAD_PX / 2.0);
      cairo_close_path (cr);
      cairo_fill (cr);
    }
}

/** kymo_canvas_paint_message: dashed where the match is uncertain */
void
kymo_canvas_paint_message (KymoCanvas *self, cairo_t *cr,
                           const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->dark);
  KymoTimeline timeline;

  if (self->message == NULL || self->answer == NULL)
    return;
  if (kymo_timeline_init (&timeline, self->answer, frame))
    {
      KymoRect area = timeline.area;

      cairo_save (cr);
      cairo_rectangle (cr, area.x, area.y, area.width, area.height);
      cairo_clip (cr);
      line_of (cr, self, &timeline);
      kymo_set_source_alpha (cr, theme->canvas, 0.9);
      cairo_set_line_width (cr, 4);
      cairo_stroke_preserve (cr);
      if (!kymo_table_get_bool (self->message, "certain", 0))
        cairo_set_dash (cr, (double[]) { 4, 3 }, 2, 0);
      kymo_set_source (cr, theme->accent);
      cairo_set_line_width (cr, 1.5);
      cairo_stroke (cr);
      paint_ends (cr, self, &timeline);
      cairo_restore (cr);
    }
  kymo_timeline_clear (&timeline);
}
