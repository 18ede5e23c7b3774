/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Canvases of the profile family: what the session has chosen of a profile enters
 * their question and picture, and a click chooses. Other canvases pay nothing for
 * it: kymo_canvas_is_profile() says which are meant.
 */
#include "config.h"

#include "kymo-canvas-private.h"
#include "kymo-session-profile.h"

/** kymo_canvas_is_profile: whether the picture is one of functions by metric */
gboolean
kymo_canvas_is_profile (KymoCanvas *self)
{
  return (self->klass->needs & (KYMO_CAN_METRICS | KYMO_CAN_PATHS | KYMO_CAN_PHASES
                                | KYMO_CAN_USER_EVENTS | KYMO_CAN_COUNTERS)) != 0;
}

/** kymo_canvas_frame_profile: adds to a frame what is chosen */
void
kymo_canvas_frame_profile (KymoCanvas *self, KymoPlotFrame *frame)
{
  frame->chosen = kymo_session_peek_function (self->session);
  frame->chosen_location = kymo_session_get_thread_location (self->session);
  frame->unit = kymo_profile_options_peek (self->options, "unit");
  frame->focus = self->focus;
  frame->relative = self->relative;
}

static void
on_chosen (KymoCanvas *self)
{
  kymo_canvas_queue_paint (self);
  kymo_canvas_queue_still (self);
}

/* Also where the unit alone is another: then the answer comes at once, again. */
static void
on_options (KymoCanvas *self)
{
  kymo_canvas_queue_answer (self);
  kymo_canvas_queue_paint (self);
}

/**
 * kymo_canvas_follow_profile:
 *
 * Connects a picture of a profile to the session's options, function and thread. Does nothing for
 * other pictures. Call it once, when the canvas is made.
 */
void
kymo_canvas_follow_profile (KymoCanvas *self)
{
  if (!kymo_canvas_is_profile (self))
    return;
  kymo_follow (self->options, "changed", on_options, self);
  kymo_follow (self->session, "function-changed", on_chosen, self);
  kymo_follow (self->session, "thread-changed", on_chosen, self);
}

/**
 * kymo_canvas_choose_hit:
 *
 * A click on a function chooses it, one on a row its thread; what lies beside both
 * leaves what is chosen.
 */
void
kymo_canvas_choose_hit (KymoCanvas *self)
{
  g_autofree char *name = g_strdup (self->hit.name);

  if (!kymo_canvas_is_profile (self))
    return;
  if (name != NULL)
    kymo_session_set_function (self->session, name);
  if (self->hit.location >= 0)
    {
      g_autofree char *of = g_strdup_printf ("%" G_GINT64_FORMAT,
                                             self->hit.location);

      kymo_session_set_thread (self->session, of);
    }
}

/** kymo_canvas_set_focus_path: @path: (nullable): the node that fills the picture */
void
kymo_canvas_set_focus_path (KymoCanvas *self, const char *path)
{
  if (g_strcmp0 (path, self->focus) == 0)
    return;
  g_free (self->focus);
  self->focus = g_strdup (path);
  kymo_canvas_queue_paint (self);
  g_signal_emit_by_name (self, "focus-changed");
}

/** kymo_canvas_peek_focus_path: (nullable): */
const char *
kymo_canvas_peek_focus_path (KymoCanvas *self)
{
  return self->focus;
}

/** kymo_canvas_peek_hit_path: (nullable): of what lies under the pointer */
const char *
kymo_canvas_peek_hit_path (KymoCanvas *self)
{
  return self->hit.path;
}

/** kymo_canvas_set_relative: @relative: stacked bars are all of full length */
void
kymo_canvas_set_relative (KymoCanvas *self, gboolean relative)
{
  self->relative = relative;
  kymo_canvas_queue_paint (self);
}

/**
 * kymo_canvas_get_relative:
 *
 * Returns: whether stacked bars are all of full length
 */
gboolean
kymo_canvas_get_relative (KymoCanvas *self)
{
  return self->relative;
}
