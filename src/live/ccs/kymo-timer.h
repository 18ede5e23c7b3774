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

static inline gboolean
kymo_timer_dispatch (GSource     *source,
                     GSourceFunc  callback,
                     gpointer     data)
{
  g_source_set_ready_time (source, -1);
  callback (data);
  return G_SOURCE_CONTINUE;
}

/* (transfer full): a timer that is not set */
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

/* At `at_us` of the monotonic clock; -1 = never. */
static inline void
kymo_timer_set (GSource *timer,
                gint64   at_us)
{
  g_source_set_ready_time (timer, at_us);
}

static inline void
kymo_timer_free (GSource *timer)
{
  if (timer == NULL)
    return;
  g_source_destroy (timer);
  g_source_unref (timer);
}

G_END_DECLS
