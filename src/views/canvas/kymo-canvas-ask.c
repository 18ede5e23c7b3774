/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a canvas asks, and when. A question is about more than is visible, in
 * time and in rows, so that to pan and to scroll is to paint: a new one is due
 * where the view nears the end of what is at hand, and once more when it has
 * come to rest, for then the figures of exactly this range are wanted.
 *
 * Invariant: a mapped canvas whose need_answer is set has a tick callback
 * pending, so that any number of changes cost one question a frame. An
 * unmapped canvas asks when it is mapped.
 */
#include "config.h"

#include <math.h>

#include "kymo-canvas-private.h"
#include "kymo-session-messages.h"
#include "kymo-session-profile.h"
#include "kymo-timeline.h"

/* An answer later than this dims the picture that waits for it. */
#define DIM_MS 250
/* So long after the last move the view is at rest. */
#define REST_MS 150
/* Time asked for on each side, in lengths of the visible range; with less
   than NEAR left of it, or of the rows, more is asked for. */
#define TIME_BEYOND 0.5
#define NEAR 0.2

/* -- what is at hand ------------------------------------------------------ */

static gboolean
covers_time (KymoCanvas *self, const KymoCoverage *at_hand,
             const KymoPlotFrame *frame, double beyond)
{
  KymoSpan full = kymo_session_get_full_range (self->session);
  gint64 length = kymo_span_length (frame->span);
  gint64 more = length * beyond;
  gint64 slip = length - kymo_span_length (at_hand->view);

  /* Half a pixel over the whole picture is the same scale. */
  if (ABS (slip) * 2 > length / MAX (frame->width_px * frame->scale, 1))
    return FALSE;
  return at_hand->span.begin_ns <= MAX (frame->span.begin_ns - more,
                                        full.begin_ns)
         && at_hand->span.end_ns >= MIN (frame->span.end_ns + more,
                                         full.end_ns);
}

static gboolean
covers_rows (KymoCanvas *self, const KymoCoverage *at_hand,
             const KymoPlotFrame *frame, double beyond)
{
  guint group = kymo_timeline_group (frame);
  double row_px = frame->row_px * group, first, end, total;

  if (self->klass->natural_height == NULL || at_hand->all_rows)
    return TRUE;
  if (frame->row_px <= 0)
    return at_hand->row_px <= 0;
  if (at_hand->row_px != frame->row_px || at_hand->group != group)
    return FALSE;
  total = ceil ((double) frame->n_locations / group);
  first = floor ((frame->scroll_px - beyond * frame->height_px) / row_px);
  end = ceil ((frame->scroll_px + (1 + beyond) * frame->height_px) / row_px);
  return at_hand->first_row <= MAX (first, 0)
         && at_hand->end_row >= MIN (end, total);
}

/* Whether what was asked serves this frame, and `beyond` heights and lengths
   more of it. */
static gboolean
covers (KymoCanvas *self, const KymoCoverage *at_hand,
        const KymoPlotFrame *frame, double beyond)
{
  return at_hand->width_px == frame->width_px
         && at_hand->height_px == frame->height_px
         && at_hand->scale == frame->scale
         && covers_time (self, at_hand, frame, beyond)
         && covers_rows (self, at_hand, frame, beyond);
}

/* The frame with the time on both sides, as wide as that takes. */
static KymoPlotFrame
widened_canvas_ask (KymoCanvas *self, const KymoPlotFrame *frame)
{
  KymoSpan full = kymo_session_get_full_range (self->session);
  KymoRect area = kymo_plot_frame_area (self->klass, frame);
  gint64 length = MAX (kymo_span_length (frame->span), 1);
  gint64 more = length * TIME_BEYOND;
  KymoPlotFrame wide = *frame;

  wide.span.begin_ns = MIN (frame->span.begin_ns,
                            MAX (frame->span.begin_ns - more, full.begin_ns));
  wide.span.end_ns = MAX (frame->span.end_ns,
                          MIN (frame->span.end_ns + more, full.end_ns));
  wide.width_px += area.width * ((double) kymo_span_length (wide.span)
                                 / length - 1);
  return wide;
}

static KymoCoverage
coverage_of (KymoQuestion *question, const KymoPlotFrame *frame, KymoSpan span)
{
  KymoCoverage asked = { frame->span, span, frame->width_px, frame->height_px,
                         frame->scale, frame->row_px,
                         kymo_timeline_group (frame) };
  gint64 count;

  kymo_question_get_int (question, "first-row", 0, &asked.first_row, NULL);
  kymo_question_get_int (question, "n-rows", G_MAXINT32, &count, NULL);
  asked.end_row = asked.first_row + count;
  return asked;
}

/* -- answers -------------------------------------------------------------- */

static void
set_dimmed (KymoCanvas *self, gboolean dimmed)
{
  g_clear_handle_id (&self->dim_id, g_source_remove);
  if (self->dimmed == dimmed)
    return;
  self->dimmed = dimmed;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
on_late (gpointer data)
{
  KymoCanvas *self = data;

  self->dim_id = 0;
  set_dimmed (self, TRUE);
  return G_SOURCE_REMOVE;
}

/* How many locations the rows are made of. */
static void
learn_rows (KymoCanvas *self)
{
  KymoTable *rows = kymo_table_peek_nested (self->answer, "rows", NULL);
  gint64 n = rows != NULL ? kymo_table_get_n_rows (rows) : 0;
  gint64 total = MAX (kymo_table_get_int (self->answer, "rows_total", 0), n);
  gint64 group = MAX (kymo_table_get_int (self->answer, "group", 0), 1);
  gint64 places = MAX (kymo_table_get_int (self->answer, "places_total", 0), 0);
  gint64 told = places > 0 ? places
    : MAX (kymo_table_get_int (self->answer, "locations", 0),
                     kymo_table_get_int (self->answer, "n_locations", 0));

  self->shown = self->asked;
  self->shown.all_rows = (rows != NULL && group == 1 && n == total)
                         || kymo_canvas_has_levels (self);
  self->n_locations = kymo_canvas_has_levels (self) ? 0
                      : CLAMP (told > 0 ? told : n, 0, G_MAXINT32);
}

/** kymo_canvas_on_answer: KymoAskerDone of the canvas @data */
void
kymo_canvas_on_answer (KymoTable *answer, const GError *error, gpointer data)
{
  KymoCanvas *self = data;

  set_dimmed (self, FALSE);
  g_clear_pointer (&self->failure, g_free);
  if (answer != NULL)
    {
      kymo_table_ref (answer);
      /* The next one may come to lie at the address of this one. */
      if (answer != self->answer)
        self->box_answer = NULL;
      g_clear_pointer (&self->answer, kymo_table_unref);
      self->answer = answer;
      learn_rows (self);
    }
  else
    self->failure = g_strdup (error->message);
  kymo_canvas_configure_rows (self);
  kymo_canvas_queue_paint (self);
  kymo_canvas_queue_still (self);
  if (self->klass->wide && answer != NULL && !kymo_canvas_waits (self))
    kymo_canvas_review (self);
  /* What it tells is also of the box that is hit. */
  kymo_canvas_update_hit (self);
  kymo_canvas_update_accessible (self);
  g_signal_emit_by_name (self, "answer-changed");
}

/* -- questions ------------------------------------------------------------ */

static void
ask_now (KymoCanvas *self)
{
  KymoPlotFrame frame, asked;
  KymoQuestion *question;
  GHashTableIter iter;
  gpointer key, value;

  self->need_answer = FALSE;
  kymo_canvas_get_frame (self, &frame);
  if (frame.width_px < 2 || frame.height_px < 2)
    return;
  /* What is replaced as a whole needs nothing beside it. */
  asked = self->klass->wide && !kymo_canvas_waits (self)
          ? widened_canvas_ask (self, &frame) : frame;
  question = self->klass->question (&asked);
  kymo_session_prepare (self->session, question);
  if (kymo_canvas_is_profile (self))
    kymo_profile_options_prepare (self->options, question);
  if (self->klass->of_all)
    kymo_question_set_locations (question, NULL);
  kymo_canvas_prepare_own_rows (self, question);
  if (self->klass->wide)
    {
      /* Figures of rows are of what is visible. */
      kymo_question_set_int (question, "busy-begin", frame.span.begin_ns);
      kymo_question_set_int (question, "busy-end", frame.span.end_ns);
    }
  g_hash_table_iter_init (&iter, self->parameters);
  while (g_hash_table_iter_next (&iter, &key, &value))
    kymo_question_set (question, key, value);
  if (self->dim_id == 0 && !self->dimmed)
    self->dim_id = g_timeout_add (DIM_MS, on_late, self);
  self->asked = coverage_of (question, &frame, asked.span);
  kymo_asker_ask (self->asker, question);
}

static gboolean
on_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  KymoCanvas *self = KYMO_CANVAS (widget);

  self->tick_id = 0;
  if (self->need_answer)
    ask_now (self);
  return G_SOURCE_REMOVE;
}

/** kymo_canvas_queue_answer: asks again at the next frame, once mapped */
void
kymo_canvas_queue_answer (KymoCanvas *self)
{
  if (self->given)
    {
      kymo_canvas_queue_paint (self);
      return;
    }
  self->need_answer = TRUE;
  if (self->tick_id == 0 && gtk_widget_get_mapped (GTK_WIDGET (self)))
    self->tick_id = gtk_widget_add_tick_callback (GTK_WIDGET (self), on_tick,
                                                  NULL, NULL);
  /* What waits for its answer is drawn then, once. */
  if (!kymo_canvas_waits (self))
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

/** kymo_canvas_stop_asking: until it is mapped again */
void
kymo_canvas_stop_asking (KymoCanvas *self)
{
  if (self->tick_id != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick_id);
  self->tick_id = 0;
  if (self->rest_id != 0)
    self->need_answer = TRUE;
  g_clear_handle_id (&self->rest_id, g_source_remove);
}

/**
 * kymo_canvas_expect:
 *
 * For a canvas whose owner asks: an answer is on its way, and the canvas asks nothing from now on.
 * The old picture is dimmed where the answer takes more than 0.25 s.
 */
void
kymo_canvas_expect (KymoCanvas *self)
{
  self->given = self->need_answer = TRUE;
  if (self->dim_id == 0 && !self->dimmed && self->answer != NULL)
    self->dim_id = g_timeout_add (DIM_MS, on_late, self);
}

/**
 * kymo_canvas_take_answer:
 * @answer: (nullable) (transfer none): what to paint
 * @error: (nullable): why there is none
 *
 * With neither what was expected does not come: the picture stays.
 */
void
kymo_canvas_take_answer (KymoCanvas *self, KymoTable *answer,
                         const GError *error)
{
  self->given = TRUE;
  self->need_answer = FALSE;
  if (answer != NULL || error != NULL)
    kymo_canvas_on_answer (answer, error, self);
  else
    set_dimmed (self, FALSE);
}

static gboolean
on_rest (gpointer data)
{
  KymoCanvas *self = data;
  KymoPlotFrame frame;

  self->rest_id = 0;
  kymo_canvas_get_frame (self, &frame);
  if (frame.span.begin_ns != self->shown.view.begin_ns
      || frame.span.end_ns != self->shown.view.end_ns)
    kymo_canvas_queue_answer (self);
  return G_SOURCE_REMOVE;
}

static void
wait_for_rest (KymoCanvas *self, const KymoPlotFrame *frame)
{
  g_clear_handle_id (&self->rest_id, g_source_remove);
  if (frame->span.begin_ns != self->shown.view.begin_ns
      || frame->span.end_ns != self->shown.view.end_ns)
    self->rest_id = g_timeout_add (REST_MS, on_rest, self);
}

/**
 * kymo_canvas_review:
 *
 * After range or rows have moved: paints what is at hand, and asks where that
 * does not reach. A question under way that will serve is waited for, so that
 * a view in motion is not one that never gets an answer.
 */
void
kymo_canvas_review (KymoCanvas *self)
{
  KymoPlotFrame frame;

  if (self->klass->time_axis)
    kymo_canvas_queue_paint (self);
  if (self->given)
    return;
  if (!self->klass->wide || !gtk_widget_get_mapped (GTK_WIDGET (self))
      || self->need_answer)
    {
      kymo_canvas_queue_answer (self);
      return;
    }
  kymo_canvas_get_frame (self, &frame);
  if (kymo_asker_is_busy (self->asker))
    {
      if (!covers (self, &self->asked, &frame, 0))
        kymo_canvas_queue_answer (self);
    }
  else if (self->answer == NULL || !covers (self, &self->shown, &frame, NEAR))
    kymo_canvas_queue_answer (self);
  else
    wait_for_rest (self, &frame);
}

/* -- messages that count -------------------------------------------------- */

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

/**
 * kymo_canvas_follow_counted:
 *
 * Has a picture of sums of messages asked for anew when other messages count. Does nothing for
 * other pictures. Call it once, when the canvas is made.
 */
void
kymo_canvas_follow_counted (KymoCanvas *self)
{
  take_counted (self);
  if (self->klass->needs == KYMO_CAN_MESSAGES)
    kymo_follow (self->session, "messages-changed", on_counted_changed, self);
}
