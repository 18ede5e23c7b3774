/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The session's path over a timeline. A chain is painted from the session's own answer;
 * of the critical path, which may have as many steps as the run has blocks, the canvas
 * asks for the part in view, joined to pixels.
 */
#include "config.h"

#include "kymo-canvas-private.h"
#include "kymo-session-path.h"
#include "kymo-timeline-path.h"

#define PAUSE_MS 60
#define BESIDE 0.5
#define COARSE 3.0

static gboolean
wants_part (KymoCanvas *self)
{
  return kymo_session_get_path_kind (self->session) == KYMO_PATH_CRITICAL
         && kymo_session_peek_path (self->session) != NULL;
}

static void
on_part (KymoTable *answer, const GError *error, gpointer data)
{
  KymoCanvas *self = data;

  g_clear_pointer (&self->path_part, kymo_table_unref);
  if (answer != NULL)
    self->path_part = kymo_table_ref (answer);
  self->path_span = self->path_asked;
  kymo_canvas_queue_still (self);
}

static gboolean
on_due (gpointer data)
{
  KymoCanvas *self = data;
  KymoSpan view = kymo_canvas_get_span (self);
  gint64 beside_ns = kymo_span_length (view) * BESIDE;
  KymoQuestion *question;
  KymoPlotFrame frame;

  self->path_id = 0;
  if (!wants_part (self))
    return G_SOURCE_REMOVE;
  if (self->path_asker == NULL)
    self->path_asker = kymo_asker_new (kymo_session_peek_source (self->session), on_part, self);
  kymo_canvas_get_frame (self, &frame);
  self->path_asked = (KymoSpan) { view.begin_ns - beside_ns, view.end_ns + beside_ns };
  question = kymo_timeline_path_question (&frame, self->path_asked);
  kymo_session_prepare (self->session, question);
  kymo_asker_ask (self->path_asker, question);
  return G_SOURCE_REMOVE;
}

static void
on_range_changed (KymoCanvas *self)
{
  KymoSpan view = kymo_canvas_get_span (self);

  if (!wants_part (self) || self->path_id != 0)
    return;
  if (self->path_part == NULL || view.begin_ns < self->path_span.begin_ns
      || view.end_ns > self->path_span.end_ns
      || kymo_span_length (self->path_span) > COARSE * kymo_span_length (view))
    self->path_id = g_timeout_add (PAUSE_MS, on_due, self);
}

static void
on_path_changed (KymoCanvas *self)
{
  if (!wants_part (self))
    g_clear_pointer (&self->path_part, kymo_table_unref);
  on_range_changed (self);
  kymo_canvas_queue_still (self);
}

/** kymo_canvas_follow_path: once, when the canvas is made */
void
kymo_canvas_follow_path (KymoCanvas *self)
{
  if (!kymo_canvas_is_timeline (self))
    return;
  g_signal_connect_object (self->session, "path-changed", G_CALLBACK (on_path_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "range-changed", G_CALLBACK (on_range_changed), self,
                           G_CONNECT_SWAPPED);
}

/** kymo_canvas_stop_path: when it goes */
void
kymo_canvas_stop_path (KymoCanvas *self)
{
  g_clear_handle_id (&self->path_id, g_source_remove);
  g_clear_pointer (&self->path_asker, kymo_asker_free);
  g_clear_pointer (&self->path_part, kymo_table_unref);
}

/**
 * kymo_canvas_paint_path:
 *
 * Paints the session's path over a timeline, as far as its steps are known. Paints nothing in other
 * pictures.
 */
void
kymo_canvas_paint_path (KymoCanvas *self, cairo_t *cr, const KymoPlotFrame *frame)
{
  KymoPathKind kind = kymo_session_get_path_kind (self->session);
  gboolean critical = kind == KYMO_PATH_CRITICAL;
  KymoTable *answer = critical ? self->path_part : kymo_session_peek_path (self->session);
  KymoTable *steps = answer != NULL ? kymo_timeline_path_steps (answer) : NULL;
  const KymoTimeline *timeline = kymo_canvas_peek_timeline (self);

  if (timeline != NULL && kind != KYMO_PATH_NONE && steps != NULL)
    kymo_timeline_paint_path (cr, timeline, steps,
                              critical ? -1 : kymo_session_get_path_step (self->session));
}
