/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Waiting in tests: the main loop runs until something holds, and a test that waits
 * too long ends with the words of what it waited for.
 */
#pragma once

#include <glib.h>

#define WAIT_FOR_SECONDS 120

static inline gboolean
wait_for_on_limit (gpointer condition)
{
  g_error ("waited %d s for %s", WAIT_FOR_SECONDS, (const char *) condition);
  return G_SOURCE_REMOVE;
}

/* The main loop sleeps for ever where nothing happens any more: it wakes now and then. */
static inline gboolean
wait_for_on_beat (gpointer unused)
{
  return G_SOURCE_CONTINUE;
}

#define WAIT_FOR(condition)                                             \
  G_STMT_START                                                          \
    {                                                                   \
      guint limit_ = g_timeout_add_seconds (WAIT_FOR_SECONDS,           \
                                            wait_for_on_limit,          \
                                            (gpointer) #condition);     \
      guint beat_ = g_timeout_add (10, wait_for_on_beat, NULL);         \
      while (!(condition))                                              \
        g_main_context_iteration (NULL, TRUE);                          \
      g_source_remove (beat_);                                          \
      g_source_remove (limit_);                                         \
    }                                                                   \
  G_STMT_END
