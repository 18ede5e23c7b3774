/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages and a path over a timeline, as the session wants them.
 *
 * Messages are those of the selected block, or all that are under way in view. All messages of the
 * block are the session's answer (kymo-selected-block.h); where some are left out, and for those
 * in view, the canvas asks itself: a question a selection, or one for a view, with what lies
 * beside it, so that to pan is to paint. The line under the pointer is lifted and told, and a
 * click on a message goes to its block.
 *
 * A chain of messages is painted from the session's own answer; of the critical path, which may
 * have as many steps as the run has blocks, the canvas asks for the part in view, joined to
 * pixels.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-selected-block.h"
#include "kymo-session-messages.h"
#include "kymo-session-path.h"
#include "kymo-theme.h"
#include "kymo-timeline-canvas.h"
#include "kymo-timeline-messages.h"
#include "kymo-timeline-path.h"

/* A range that is dragged changes with every frame. */
#define PAUSE_MS 60
/* Asked for on both sides of what is visible, in lengths of it. */
#define BESIDE 0.5
/* Where the answer is of so much more than what is visible, it is too coarse. */
#define COARSE 3.0

/* What is visible, with what one may pan to. */
static KymoSpan
span_to_ask (KymoCanvas *canvas)
{
  KymoSpan view = kymo_canvas_get_span (canvas);
  gint64 beside_ns = kymo_span_length (view) * BESIDE;

  return kymo_span_intersect (
    (KymoSpan) { view.begin_ns - beside_ns, view.end_ns + beside_ns },
    kymo_session_get_full_range (canvas->session));
}

/* Asks anew where the answer does not serve what is visible. */
static void
review_layer (KymoCanvas *canvas, KymoTimelineLayer *layer)
{
  KymoSpan view = kymo_canvas_get_span (canvas);

  if (layer->answer == NULL || view.begin_ns < layer->span.begin_ns
      || view.end_ns > layer->span.end_ns
      || kymo_span_length (layer->span) > COARSE * kymo_span_length (view))
    kymo_view_asker_queue (layer->asker);
}

/* -- messages: asking ------------------------------------------------------ */

static void
forget_messages (KymoTimelineCanvas *self)
{
  kymo_timeline_layer_take (&self->messages, NULL);
  g_clear_pointer (&self->lines, g_array_unref);
  self->line = -1;
}

/* Where one way alone is wanted and there is nothing on it, no line tells so. Of what is
   still read or followed it is unknown yet. */
static void
say_nothing (KymoCanvas *canvas, KymoTable *answer)
{
  KymoMessageLines lines = kymo_session_get_messages (canvas->session);
  gboolean back = lines == KYMO_MESSAGES_BACK;
  gboolean is_block = kymo_table_get_int (answer, "begin_ns", 0) != KYMO_NULL_INT;
  KymoTable *list = kymo_table_peek_nested (answer, back ? "messages" : "caused", NULL);

  if ((!back && lines != KYMO_MESSAGES_FORWARD) || !is_block
      || kymo_table_find_column (answer, "draft") >= 0
      || kymo_session_get_follow (canvas->session) > 0
      || (list != NULL && kymo_table_get_n_rows (list) > 0))
    return;
  g_signal_emit_by_name (canvas, "message", back ? _("No message started the selected block")
                                            : _("The selected block sent no message"));
}

static void
on_messages (KymoTable *answer, const GError *error, gpointer data)
{
  KymoTimelineCanvas *self = data;

  forget_messages (self);
  kymo_timeline_layer_take (&self->messages, answer);
  if (answer != NULL)
    say_nothing (data, answer);
  kymo_canvas_queue_still (data);
}

/* Whether all messages of the selected block are shown, and nothing else. */
static gboolean
shows_block (KymoSession *session)
{
  return kymo_session_get_messages (session) == KYMO_MESSAGES_BLOCK
         && kymo_session_peek_hidden (session) == NULL
         && kymo_session_get_least_bytes (session) == 0
         && kymo_session_get_message_tag (session) < 0;
}

static KymoQuestion *
make_messages_question (gpointer view)
{
  KymoTimelineCanvas *self = view;
  KymoCanvas *canvas = view;
  KymoSession *session = canvas->session;
  KymoSelectedBlock *block = kymo_selected_block_of (session);
  KymoMessageLines lines = kymo_session_get_messages (session);
  KymoQuestion *question;
  KymoPlotFrame frame;
  gint64 location, time_ns = 0;

  /* Only an answer tells how many locations share a row. */
  if (!(kymo_source_get_capabilities (kymo_session_peek_source (session)) & KYMO_CAN_MESSAGES)
      || (lines == KYMO_MESSAGES_ALL && canvas->answer == NULL))
    return NULL;
  if (shows_block (session))
    {
      kymo_selected_block_want_messages (block);
      on_messages (kymo_selected_block_peek_messages (block), NULL, self);
      return NULL;
    }
  if (!kymo_session_get_block (session, &location, &time_ns))
    location = -1;
  kymo_canvas_get_frame (canvas, &frame);
  self->messages.asked = span_to_ask (canvas);
  question = kymo_timeline_messages_question (&frame, self->messages.asked,
                                              kymo_message_lines_to_string (lines), location,
                                              time_ns);
  if (question != NULL)
    kymo_session_prepare (session, question);
  else
    on_messages (NULL, NULL, self);
  return question;
}

static void
on_messages_of_block (KymoTimelineCanvas *self)
{
  if (shows_block (KYMO_CANVAS (self)->session))
    kymo_view_asker_ask (self->messages.asker);
}

/** kymo_timeline_canvas_ask_messages: after the selection has changed, or what is wanted */
void
kymo_timeline_canvas_ask_messages (KymoTimelineCanvas *self)
{
  if (kymo_session_get_messages (KYMO_CANVAS (self)->session) == KYMO_MESSAGES_ALL
      && self->messages.answer != NULL
      && kymo_table_find_column (self->messages.answer, "location") < 0)
    return;                            /* those in view are of no selection */
  forget_messages (self);
  kymo_view_asker_ask (self->messages.asker);
}

static void
on_messages_changed (KymoTimelineCanvas *self)
{
  forget_messages (self);
  kymo_timeline_canvas_ask_messages (self);
  kymo_canvas_queue_still (KYMO_CANVAS (self));
}

/* -- the path -------------------------------------------------------------- */

static gboolean
wants_part (KymoSession *session)
{
  return kymo_session_get_path_kind (session) == KYMO_PATH_CRITICAL
         && kymo_session_peek_path (session) != NULL;
}

static void
on_part (KymoTable *answer, const GError *error, gpointer data)
{
  kymo_timeline_layer_take (&KYMO_TIMELINE_CANVAS (data)->path, answer);
  kymo_canvas_queue_still (data);
}

static KymoQuestion *
make_path_question (gpointer view)
{
  KymoTimelineCanvas *self = view;
  KymoCanvas *canvas = view;
  KymoQuestion *question;
  KymoPlotFrame frame;

  /* Without an answer it may have no width yet. */
  if (!wants_part (canvas->session) || canvas->answer == NULL)
    return NULL;
  kymo_canvas_get_frame (canvas, &frame);
  self->path.asked = span_to_ask (canvas);
  question = kymo_timeline_path_question (&frame, self->path.asked);
  kymo_session_prepare (canvas->session, question);
  return question;
}

/** kymo_timeline_canvas_paint_path: the session's path, as far as its steps are known */
void
kymo_timeline_canvas_paint_path (KymoTimelineCanvas *self, const KymoTimeline *timeline,
                                 cairo_t *cr)
{
  KymoSession *session = KYMO_CANVAS (self)->session;
  KymoPathKind kind = kymo_session_get_path_kind (session);
  gboolean critical = kind == KYMO_PATH_CRITICAL;
  KymoTable *answer = critical ? self->path.answer : kymo_session_peek_path (session);
  KymoTable *steps = answer != NULL ? kymo_timeline_path_steps (answer) : NULL;

  if (kind != KYMO_PATH_NONE && steps != NULL)
    kymo_timeline_paint_path (cr, timeline, steps,
                              critical ? -1 : kymo_session_get_path_step (session));
}

/* -- following the session ------------------------------------------------- */

static void
on_range_changed (KymoTimelineCanvas *self)
{
  KymoCanvas *canvas = KYMO_CANVAS (self);

  if (kymo_session_get_messages (canvas->session) == KYMO_MESSAGES_ALL)
    review_layer (canvas, &self->messages);
  if (wants_part (canvas->session))
    review_layer (canvas, &self->path);
}

/* What was wanted before the first answer. */
static void
on_answer_changed (KymoTimelineCanvas *self)
{
  KymoCanvas *canvas = KYMO_CANVAS (self);

  if (kymo_session_get_messages (canvas->session) == KYMO_MESSAGES_ALL
      && kymo_view_asker_is_settled (self->messages.asker))
    review_layer (canvas, &self->messages);
  if (wants_part (canvas->session) && kymo_view_asker_is_settled (self->path.asker))
    review_layer (canvas, &self->path);
}

static void
on_path_changed (KymoTimelineCanvas *self)
{
  KymoCanvas *canvas = KYMO_CANVAS (self);

  if (wants_part (canvas->session))
    review_layer (canvas, &self->path);
  else
    kymo_timeline_layer_take (&self->path, NULL);
  kymo_canvas_queue_still (canvas);
}

/** kymo_timeline_canvas_follow_lines: once, when the canvas is made */
void
kymo_timeline_canvas_follow_lines (KymoTimelineCanvas *self)
{
  static const KymoViewQuestion of_messages = {
    .question = make_messages_question, .answered = on_messages, .pause_ms = PAUSE_MS,
    .seen = KYMO_VIEW_UNSEEN,
  };
  static const KymoViewQuestion of_path = {
    .question = make_path_question, .answered = on_part, .pause_ms = PAUSE_MS,
    .seen = KYMO_VIEW_UNSEEN,
  };
  KymoSession *session = KYMO_CANVAS (self)->session;

  self->messages.asker = kymo_view_asker_new (&of_messages, self, session);
  self->path.asker = kymo_view_asker_new (&of_path, self, session);
  kymo_follow (session, "messages-changed", on_messages_changed, self);
  kymo_follow (kymo_selected_block_of (session), "messages", on_messages_of_block, self);
  kymo_follow (session, "filter-changed", kymo_view_asker_ask, self->messages.asker);
  kymo_follow (session, "range-changed", on_range_changed, self);
  kymo_follow (self, "answer-changed", on_answer_changed, self);
  kymo_follow (session, "path-changed", on_path_changed, self);
}

/* -- messages: painting ---------------------------------------------------- */

/** kymo_timeline_canvas_paint_messages: all of them */
void
kymo_timeline_canvas_paint_messages (KymoTimelineCanvas *self, const KymoTimeline *timeline,
                                     cairo_t *cr)
{
  if (self->messages.answer == NULL)
    return;
  self->lines = kymo_timeline_message_lines (
    timeline, self->messages.answer, kymo_session_get_by_bytes (KYMO_CANVAS (self)->session));
  kymo_timeline_paint_messages (cr, timeline, self->messages.answer, self->lines);
}

static const KymoMessageLine *
line_at_pointer (KymoTimelineCanvas *self)
{
  if (self->line < 0 || self->lines == NULL
      || self->line >= (gint) self->lines->len)
    return NULL;
  return &g_array_index (self->lines, KymoMessageLine, self->line);
}

/** kymo_timeline_canvas_lift_message: the one under the pointer, again and stronger */
void
kymo_timeline_canvas_lift_message (KymoCanvas *canvas, GtkSnapshot *snapshot)
{
  KymoTimelineCanvas *self = KYMO_TIMELINE_CANVAS (canvas);
  const KymoMessageLine *line = line_at_pointer (self);
  const KymoTimeline *timeline = line != NULL ? kymo_timeline_canvas_peek (canvas) : NULL;
  graphene_rect_t bounds;
  cairo_t *cr;

  if (timeline == NULL || self->messages.answer == NULL)
    return;
  graphene_rect_init (&bounds, timeline->area.x, timeline->area.y, timeline->area.width,
                      timeline->area.height);
  cr = gtk_snapshot_append_cairo (snapshot, &bounds);
  kymo_timeline_lift_message (cr, timeline, self->messages.answer, line);
  cairo_destroy (cr);
}

/* -- messages: the pointer ------------------------------------------------- */

/** kymo_timeline_canvas_hit_message: the words of the line at the pointer */
void
kymo_timeline_canvas_hit_message (KymoTimelineCanvas *self, KymoPlotHit *hit)
{
  KymoCanvas *canvas = KYMO_CANVAS (self);
  const KymoMessageLine *line;

  self->line = self->lines != NULL && self->messages.answer != NULL && canvas->inside
               ? kymo_message_lines_hit (self->lines, canvas->x, canvas->y) : -1;
  line = line_at_pointer (self);
  if (line == NULL)
    return;
  g_free (hit->text);
  hit->text = kymo_message_line_words (self->messages.answer, line);
  hit->rect = (KymoRect) { 0 };
}

static gboolean
click_fan (KymoSession *session, const KymoTable *fan, guint row)
{
  if (kymo_table_get_int (fan, "count", row) > 1)
    return FALSE;
  kymo_session_set_block (session, kymo_table_get_int (fan, "to", row),
                          kymo_table_get_int (fan, "begin_ns", row) - 1);
  return TRUE;
}

/**
 * kymo_timeline_canvas_click_message:
 *
 * A single message goes to the block that it started, one that was not received to the
 * block that sent it, a line of a collective to the part of whom it ends at.
 *
 * Returns: whether there was one under the pointer
 */
gboolean
kymo_timeline_canvas_click_message (KymoTimelineCanvas *self)
{
  KymoSession *session = KYMO_CANVAS (self)->session;
  const KymoMessageLine *line = line_at_pointer (self);
  const KymoTable *table;
  gboolean open;
  gint64 location;

  if (line == NULL || line->of == KYMO_LINES_OF_GROUPS)
    return FALSE;
  table = kymo_message_line_table (self->messages.answer, line->of);
  if (line->of == KYMO_LINES_OF_FAN)
    return click_fan (session, table, line->row);
  open = kymo_table_get_int (table, "to_location", line->row) == KYMO_NULL_INT
         || line->of == KYMO_LINES_BACK;
  location = kymo_table_get_int (table, open ? "from_location" : "to_location",
                                 line->row);
  if (location == KYMO_NULL_INT)
    return FALSE;
  kymo_session_set_block (session, location,
                          kymo_table_get_int (table, open ? "sent_ns" : "begin_ns",
                                              line->row));
  return TRUE;
}
