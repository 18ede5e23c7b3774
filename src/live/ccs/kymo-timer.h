/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A timer of a main context that is set again and again: one source for all
 * its life, where a g_timeout_add() each time would make and attach one. It
 * may be set from any thread; it is called in its context.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef void (*KymoTimerFunc) (gpointer data);

/**
 * kymo_timer_dispatch:
 * @source: the timer
 * @callback: of the timer
 * @data: for the callback
 *
 * The dispatch function of a timer: unsets it, then calls its callback, which may set it
 * again.
 *
 * Returns: %G_SOURCE_CONTINUE
 */
static inline gboolean
kymo_timer_dispatch (GSource     *source,
                     GSourceFunc  callback,
                     gpointer     data)
{
  g_source_set_ready_time (source, -1);
  callback (data);
  return G_SOURCE_CONTINUE;
}

/**
 * kymo_timer_new:
 * @context: (nullable): where it is called; %NULL = the global default
 * @func: called once each time that the timer runs out
 * @data: for @func
 *
 * Returns: (transfer full): a timer that is not set; free with kymo_timer_free()
 */
static inline GSource *
kymo_timer_new (GMainContext  *context,
                KymoTimerFunc  func,
                gpointer       data)
{
  static GSourceFuncs funcs = { NULL, NULL, kymo_timer_dispatch, NULL, NULL, NULL };
  GSource *source = g_source_new (&funcs, sizeof (GSource));

  g_source_set_callback (source, G_SOURCE_FUNC (func), data, NULL);
  g_source_attach (source, context);
  return source;
}

/**
 * kymo_timer_set:
 * @at_us: monotonic time at which it is called; -1 = never
 *
 * Sets a timer, in place of the time it was set to. Any thread.
 */
static inline void
kymo_timer_set (GSource *timer,
                gint64   at_us)
{
  g_source_set_ready_time (timer, at_us);
}

/**
 * kymo_timer_free:
 *
 * Detaches the timer from its context and drops the reference. %NULL is ignored.
 */
static inline void
kymo_timer_free (GSource *timer)
{
  if (timer == NULL)
    return;
  g_source_destroy (timer);
  g_source_unref (timer);
}

G_END_DECLS
