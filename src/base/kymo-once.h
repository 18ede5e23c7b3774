/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Things made on first use, by whichever thread comes first; the others wait.
 * As g_once_init_enter() does it, but a place waits for itself alone: GLib's
 * wakes all threads that wait for any, and a run has many thousands of segments
 * that are all used for the first time in the same moment.
 *
 * A place is a gsize that is 0 at first. Bit 0 is its lock; the others hold
 * the value. Any thread.
 */
#pragma once

#include <glib.h>

/**
 * kymo_once_get:
 * @once: the place
 *
 * Returns: the value of kymo_once_leave(); 0 if the thing has not been made
 */
static inline gsize
kymo_once_get (const gsize *once)
{
  return __atomic_load_n (once, __ATOMIC_ACQUIRE) >> 1;
}

/**
 * kymo_once_enter:
 * @once: the place
 *
 * Waits while another thread is making the thing.
 *
 * Returns: %TRUE if the caller has to make the thing and to call kymo_once_leave() then
 */
static inline gboolean
kymo_once_enter (gsize *once)
{
  if (kymo_once_get (once) != 0)
    return FALSE;
  g_pointer_bit_lock ((gpointer *) once, 0);
  if (kymo_once_get (once) == 0)
    return TRUE;
  g_pointer_bit_unlock ((gpointer *) once, 0);
  return FALSE;
}

/**
 * kymo_once_leave:
 * @once: the place that kymo_once_enter() locked
 * @value: what was made; not 0, and its topmost bit is lost
 *
 * Stores what was made and wakes the threads that wait for it.
 */
static inline void
kymo_once_leave (gsize *once,
                 gsize  value)
{
  g_atomic_pointer_or ((gpointer *) once, value << 1);
  g_pointer_bit_unlock ((gpointer *) once, 0);
}
