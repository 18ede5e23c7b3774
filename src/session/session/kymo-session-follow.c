/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A session whose run grows: it follows the newest stretch, or stands where the
 * person looks; and sessions beside another one. Main thread only.
 *
 * Invariant: while it follows, the visible range ends with the run (or, in the
 * first seconds, with the stretch that is to be filled), and the full range is
 * as long as what is followed, so that nothing rescales while that fills.
 */
#include "config.h"

#include "kymo-session-private.h"

/* Less is not followed: a bar of a stream is 1 ms. */
#define LEAST_FOLLOW_NS G_GINT64_CONSTANT (10000000)

/** kymo_session_measure: the full range, of what the source has now */
void
kymo_session_measure (KymoSession *self)
{
  KymoSpan span = kymo_source_get_span (self->source);
  gboolean follows = self->followed_ns > 0;
  gint64 least = follows && self->followed_ns < KYMO_FOLLOW_ALL
                 ? self->followed_ns : KYMO_SESSION_LEAST_NS;

  if (self->has_bounds)
    {
      self->full = self->bounds;
      return;
    }
  if (span.end_ns <= span.begin_ns
      || (follows && kymo_span_length (span) < least))
    span.end_ns = span.begin_ns + least;
  self->full = span;
}

static void
show_newest (KymoSession *self)
{
  gint64 length = MIN (self->follow_ns, kymo_span_length (self->full));

  kymo_session_show (self, (KymoSpan) { self->full.end_ns - length,
                                        self->full.end_ns });
}

/* TRUE if the range grows with the run: a window that shows the whole run goes on showing it,
   and a zoomed range stands still. The whole of a stream, when it is paused, is a range like
   any other. */
static gboolean
grows_with_run (KymoSession *self)
{
  return kymo_spans_equal (self->range, self->full)
         && (self->followed_ns == 0 || self->grows);
}

/** kymo_session_grow: the source knows more of its run */
void
kymo_session_grow (KymoSession *self)
{
  g_autofree char *draft = kymo_source_dup_draft (self->source);
  gboolean grows = grows_with_run (self);

  kymo_session_measure (self);
  if (self->follow_ns > 0)
    show_newest (self);
  else
    kymo_session_show (self, grows ? self->full
                       : kymo_session_fitted (self, self->range.begin_ns,
                                              kymo_span_length (self->range)));
  if (draft == NULL && self->first == NULL)
    kymo_session_ask_for_names (self);
  kymo_session_emit (self, GROWN);
}

/* -- following ------------------------------------------------------------ */

/** kymo_session_stand: follows no more, whatever grows */
void
kymo_session_stand (KymoSession *self)
{
  self->grows = FALSE;
  if (self->follow_ns == 0)
    return;
  self->follow_ns = 0;
  kymo_session_notify (self, PROP_FOLLOW);
}

/**
 * kymo_session_set_follow:
 * @self: the session
 * @length_ns: how much of the newest is to be visible, %KYMO_FOLLOW_ALL for
 *   the whole run; 0 = the view stands, as if paused
 *
 * With every "grown" the visible range becomes the last @length_ns of the run.
 * Nothing of it enters the history.
 */
void
kymo_session_set_follow (KymoSession *self,
                         gint64       length_ns)
{
  if (length_ns <= 0)
    {
      kymo_session_stand (self);
      return;
    }
  length_ns = MAX (length_ns, LEAST_FOLLOW_NS);
  if (length_ns == self->follow_ns)
    return;
  self->follow_ns = self->followed_ns = length_ns;
  self->grows = FALSE;
  self->gesture_us = G_MININT64 / 2;
  kymo_session_measure (self);
  show_newest (self);
  kymo_session_notify (self, PROP_FOLLOW);
}

/** kymo_session_get_follow: Returns: nanoseconds; 0 = it does not follow */
gint64
kymo_session_get_follow (KymoSession *self)
{
  return self->follow_ns;
}

/** kymo_session_get_followed: Returns: what it follows or would follow again;
 * 0 = it never did */
gint64
kymo_session_get_followed (KymoSession *self)
{
  return self->followed_ns;
}

/**
 * kymo_session_go_live:
 *
 * Follows again, as long a stretch as before; what is visible goes into the
 * history.
 *
 * Returns: %FALSE where it never followed
 */
gboolean
kymo_session_go_live (KymoSession *self)
{
  if (self->followed_ns == 0)
    return FALSE;
  if (self->follow_ns == 0)
    {
      kymo_session_push_history (self);
      kymo_session_set_follow (self, self->followed_ns);
    }
  return TRUE;
}

/**
 * kymo_session_zoom_follow:
 * @factor: above 1 shows less
 *
 * Returns: whether it follows, and so goes on doing with another length
 */
gboolean
kymo_session_zoom_follow (KymoSession *self,
                          double       factor)
{
  double length = kymo_span_length (self->range) / factor;
  double most = kymo_span_length (self->full);

  if (self->follow_ns == 0)
    return FALSE;
  /* The whole run stays the whole run. */
  if (length < most)
    kymo_session_set_follow (self, MAX (length, 1));
  else if (self->follow_ns != KYMO_FOLLOW_ALL)
    kymo_session_set_follow (self, most);
  return TRUE;
}

/* -- beside another one --------------------------------------------------- */

static void
on_colors_changed (KymoSession *self)
{
  kymo_session_emit (self, COLORS_CHANGED);
}

static void
on_filter_changed (KymoSession *self)
{
  kymo_session_emit (self, FILTER_CHANGED);
}

static void
on_hovered (KymoSession *self)
{
  kymo_session_notify (self, PROP_HOVERED_NAME);
}

static void
on_hover_changed (KymoSession *self)
{
  kymo_session_emit (self, HOVER_CHANGED);
}

static void
on_palette (KymoSession *self)
{
  kymo_session_notify (self, PROP_PALETTE);
}

/** kymo_session_share: changes of names in the first one are taken over */
void
kymo_session_share (KymoSession *self)
{
  kymo_follow (self->first, "colors-changed", on_colors_changed, self);
  kymo_follow (self->first, "filter-changed", on_filter_changed, self);
  kymo_follow (self->first, "notify::hovered-name", on_hovered, self);
  kymo_follow (self->first, "hover-changed", on_hover_changed, self);
  kymo_follow (self->first, "notify::palette", on_palette, self);
}

/**
 * kymo_session_new_beside:
 * @session: another session
 *
 * Returns: (transfer full): a session on the same source with a range,
 *   history, selection and markers of its own; colours, palette, hidden and
 *   hovered names and locations are those of @session
 */
KymoSession *
kymo_session_new_beside (KymoSession *session)
{
  session = kymo_session_of_names (session);
  return g_object_new (KYMO_TYPE_SESSION, "source", session->source, "first",
                       session, NULL);
}
