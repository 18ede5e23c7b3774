/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages over a timeline, as the session wants them: those of the selected block, or
 * all that are under way in view. All messages of the block are the session's answer
 * (kymo-selected-block.h); where some are left out, and for those in view, the canvas asks
 * itself: a question a selection, or one for a view, with what lies beside it, so that to
 * pan is to paint. They are painted with what lies over the picture
 * (kymo-timeline-messages.h); the line under the pointer is lifted and told, and a click on
 * a message goes to its block.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-canvas-private.h"
#include "kymo-selected-block.h"
#include "kymo-session-messages.h"
#include "kymo-theme.h"
#include "kymo-timeline-messages.h"

/* A range that is dragged changes with every frame. */
#define PAUSE_MS 60
/* Asked for on both sides of what is visible, in lengths of it. */
#define BESIDE 0.5
/* Where the answer is of so much more than what is visible, it is too coarse. */
#define COARSE 3.0

static void
forget_canvas_message (KymoCanvas *self)
{
  g_clear_pointer (&self->message, kymo_table_unref);
  g_clear_pointer (&self->lines, g_array_unref);
  self->line = -1;
}

/* Where one way alone is wanted and there is nothing on it, no line tells so. Of what is
   still read or followed nobody knows yet. */
static void
say_nothing (KymoCanvas *self, KymoTable *answer)
{
  KymoMessageLines lines = kymo_session_get_messages (self->session);
  gboolean back = lines == KYMO_MESSAGES_BACK;
  gboolean is_block = kymo_table_get_int (answer, "begin_ns", 0) != KYMO_NULL_INT;
  KymoTable *list = kymo_table_peek_nested (answer, back ? "messages" : "caused", NULL);

  if ((!back && lines != KYMO_MESSAGES_FORWARD) || !is_block
      || kymo_table_find_column (answer, "draft") >= 0
      || kymo_session_get_follow (self->session) > 0
      || (list != NULL && kymo_table_get_n_rows (list) > 0))
    return;
  g_signal_emit_by_name (self, "message", back ? _("No message started the selected block")
                                          : _("The selected block sent no message"));
}

static void
on_message (KymoTable *answer, const GError *error, gpointer data)
{
  KymoCanvas *self = data;

  forget_canvas_message (self);
  if (answer != NULL)
    {
      self->message = kymo_table_ref (answer);
      say_nothing (self, answer);
    }
  self->message_span = answer != NULL ? self->message_asked : (KymoSpan) { 0, 0 };
  kymo_canvas_queue_still (self);
}

/* What is visible, with what one may pan to. */
static KymoSpan
span_to_ask (KymoCanvas *self)
{
  KymoSpan view = kymo_canvas_get_span (self);
  gint64 beside_ns = kymo_span_length (view) * BESIDE;

  return kymo_span_intersect (
    (KymoSpan) { view.begin_ns - beside_ns, view.end_ns + beside_ns },
    kymo_session_get_full_range (self->session));
}

/* Whether all messages of the selected block are shown, and nothing else. */
static gboolean
shows_block (KymoCanvas *self)
{
  return kymo_session_get_messages (self->session) == KYMO_MESSAGES_BLOCK
         && kymo_session_peek_hidden (self->session) == NULL
         && kymo_session_get_least_bytes (self->session) == 0
         && kymo_session_get_message_tag (self->session) < 0;
}

static void
ask_canvas_message (KymoCanvas *self)
{
  KymoMessageLines lines = kymo_session_get_messages (self->session);
  KymoSelectedBlock *block = kymo_selected_block_of (self->session);
  KymoQuestion *question;
  KymoPlotFrame frame;
  gint64 location = -1, time_ns = 0;

  if (shows_block (self))
    {
      kymo_asker_cancel (self->message_asker);
      kymo_selected_block_want_messages (block);
      on_message (kymo_selected_block_peek_messages (block), NULL, self);
      return;
    }
  if (!kymo_session_get_block (self->session, &location, &time_ns))
    location = -1;
  kymo_canvas_get_frame (self, &frame);
  self->message_asked = span_to_ask (self);
  question = kymo_timeline_messages_question (&frame, self->message_asked,
                                              kymo_message_lines_to_string (lines),
                                              location, time_ns);
  if (question == NULL)
    {
      kymo_asker_cancel (self->message_asker);
      forget_canvas_message (self);
      kymo_canvas_queue_still (self);
      return;
    }
  kymo_session_prepare (self->session, question);
  kymo_asker_ask (self->message_asker, question);
}

static gboolean
can_ask (KymoCanvas *self)
{
  KymoSource *source = kymo_session_peek_source (self->session);

  if (!kymo_canvas_is_timeline (self)
      || !(kymo_source_get_capabilities (source) & KYMO_CAN_MESSAGES))
    return FALSE;
  if (self->message_asker == NULL)
    self->message_asker = kymo_asker_new (source, on_message, self);
  return TRUE;
}

static void
on_messages_of_block (KymoCanvas *self)
{
  if (can_ask (self) && shows_block (self))
    ask_canvas_message (self);
}

/** kymo_canvas_ask_message: after the selection has changed, or what is wanted */
void
kymo_canvas_ask_message (KymoCanvas *self)
{
  if (!can_ask (self))
    return;
  if (kymo_session_get_messages (self->session) == KYMO_MESSAGES_ALL
      && self->message != NULL
      && kymo_table_find_column (self->message, "location") < 0)
    return;                            /* those in view are of no selection */
  forget_canvas_message (self);
  ask_canvas_message (self);
}

static gboolean
on_due (gpointer data)
{
  KymoCanvas *self = data;

  self->message_id = 0;
  if (kymo_session_get_messages (self->session) == KYMO_MESSAGES_ALL
      && can_ask (self))
    ask_canvas_message (self);
  return G_SOURCE_REMOVE;
}

/** kymo_canvas_review_messages: another range is visible, or other rows */
void
kymo_canvas_review_messages (KymoCanvas *self, gboolean anew)
{
  KymoSpan view = kymo_canvas_get_span (self);
  KymoSpan have = self->message_span;

  if (!kymo_canvas_is_timeline (self) || self->message_id != 0
      || kymo_session_get_messages (self->session) != KYMO_MESSAGES_ALL)
    return;
  if (anew || self->message == NULL || view.begin_ns < have.begin_ns
      || view.end_ns > have.end_ns
      || kymo_span_length (have) > COARSE * kymo_span_length (view))
    self->message_id = g_timeout_add (PAUSE_MS, on_due, self);
}

static void
on_messages_changed (KymoCanvas *self)
{
  if (self->message != NULL)
    forget_canvas_message (self);
  kymo_canvas_ask_message (self);
  kymo_canvas_queue_still (self);
}

/* Of a picture of sums: which messages count. */
static gboolean
take_counted (KymoCanvas *self)
{
  gint64 least = kymo_session_get_least_bytes (self->session);
  gint64 tag = kymo_session_get_message_tag (self->session);
  gboolean changed = least != self->counted_least || tag != self->counted_tag;

  self->counted_least = least;
  self->counted_tag = tag;
  return changed;
}

/* The kind of lines, and what they are weighed by, are no matter of sums. */
static void
on_counted_changed (KymoCanvas *self)
{
  if (take_counted (self))
    kymo_canvas_queue_answer (self);
}

static void
on_range_changed (KymoCanvas *self)
{
  kymo_canvas_review_messages (self, FALSE);
}

static void
on_grown (KymoCanvas *self)
{
  if (self->message_asker != NULL && kymo_asker_wants_more (self->message_asker)
      && can_ask (self))
    ask_canvas_message (self);
}

static void
on_filter_changed (KymoCanvas *self)
{
  if (can_ask (self))
    ask_canvas_message (self);
}

/** kymo_canvas_follow_messages: once, when the canvas is made */
void
kymo_canvas_follow_messages (KymoCanvas *self)
{
  self->line = -1;
  if (!kymo_canvas_is_timeline (self))
    {
      take_counted (self);
      if (self->klass->needs == KYMO_CAN_MESSAGES)
        g_signal_connect_object (self->session, "messages-changed",
                                 G_CALLBACK (on_counted_changed), self, G_CONNECT_SWAPPED);
      return;
    }
  g_signal_connect_object (self->session, "messages-changed",
                           G_CALLBACK (on_messages_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (kymo_selected_block_of (self->session), "messages",
                           G_CALLBACK (on_messages_of_block), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "range-changed",
                           G_CALLBACK (on_range_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "grown", G_CALLBACK (on_grown), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "filter-changed",
                           G_CALLBACK (on_filter_changed), self,
                           G_CONNECT_SWAPPED);
}

/** kymo_canvas_stop_messages: when it goes */
void
kymo_canvas_stop_messages (KymoCanvas *self)
{
  g_clear_handle_id (&self->message_id, g_source_remove);
  g_clear_pointer (&self->message_asker, kymo_asker_free);
  forget_canvas_message (self);
}

/* -- painting ------------------------------------------------------------- */

/** kymo_canvas_paint_message: all of them */
void
kymo_canvas_paint_message (KymoCanvas *self, cairo_t *cr,
                           const KymoPlotFrame *frame)
{
  const KymoTimeline *timeline = kymo_canvas_peek_timeline (self);

  g_clear_pointer (&self->lines, g_array_unref);
  if (self->message == NULL || self->answer == NULL)
    return;
  if (timeline != NULL)
    {
      self->lines = kymo_timeline_message_lines (
        timeline, self->message, kymo_session_get_by_bytes (self->session));
      kymo_timeline_paint_messages (cr, timeline, self->message, self->lines);
    }
}

static const KymoMessageLine *
line_at_pointer (KymoCanvas *self)
{
  if (self->line < 0 || self->lines == NULL
      || self->line >= (gint) self->lines->len)
    return NULL;
  return &g_array_index (self->lines, KymoMessageLine, self->line);
}

/** kymo_canvas_paint_line: the one under the pointer, again and stronger */
void
kymo_canvas_paint_line (KymoCanvas *self, GtkSnapshot *snapshot,
                        const KymoPlotFrame *frame)
{
  const KymoMessageLine *line = line_at_pointer (self);
  const KymoTimeline *timeline = kymo_canvas_peek_timeline (self);
  graphene_rect_t bounds;
  cairo_t *cr;

  if (line == NULL || self->message == NULL || self->answer == NULL)
    return;
  if (timeline != NULL)
    {
      KymoRect area = timeline->area;

      graphene_rect_init (&bounds, area.x, area.y, area.width, area.height);
      cr = gtk_snapshot_append_cairo (snapshot, &bounds);
      kymo_timeline_lift_message (cr, timeline, self->message, line);
      cairo_destroy (cr);
    }
}

/* -- the pointer ---------------------------------------------------------- */

/** kymo_canvas_hit_message: what is told where the pointer is at a line */
void
kymo_canvas_hit_message (KymoCanvas *self, KymoPlotHit *hit)
{
  const KymoMessageLine *line;

  self->line = self->lines != NULL && self->message != NULL && self->inside
               ? kymo_message_lines_hit (self->lines, self->x, self->y) : -1;
  line = line_at_pointer (self);
  if (line == NULL)
    return;
  g_free (hit->text);
  hit->text = kymo_message_line_words (self->message, line);
  hit->rect = (KymoRect) { 0 };
}

static gboolean
click_fan (KymoCanvas *self, const KymoTable *fan, guint row)
{
  if (kymo_table_get_int (fan, "count", row) > 1)
    return FALSE;
  kymo_session_set_block (self->session, kymo_table_get_int (fan, "to", row),
                          kymo_table_get_int (fan, "begin_ns", row) - 1);
  return TRUE;
}

/**
 * kymo_canvas_click_message:
 *
 * A single message goes to the block that it started, one that nobody received to the
 * block that sent it, a line of a collective to the part of whom it ends at.
 *
 * Returns: whether there was one under the pointer
 */
gboolean
kymo_canvas_click_message (KymoCanvas *self)
{
  const KymoMessageLine *line = line_at_pointer (self);
  const KymoTable *table;
  gboolean open;
  gint64 location;

  if (line == NULL || line->of == KYMO_LINES_OF_GROUPS)
    return FALSE;
  table = kymo_message_line_table (self->message, line->of);
  if (line->of == KYMO_LINES_OF_FAN)
    return click_fan (self, table, line->row);
  open = kymo_table_get_int (table, "to_location", line->row) == KYMO_NULL_INT
         || line->of == KYMO_LINES_BACK;
  location = kymo_table_get_int (table, open ? "from_location" : "to_location",
                                 line->row);
  if (location == KYMO_NULL_INT)
    return FALSE;
  kymo_session_set_block (self->session, location,
                          kymo_table_get_int (table, open ? "sent_ns" : "begin_ns",
                                              line->row));
  return TRUE;
}
