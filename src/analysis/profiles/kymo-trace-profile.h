/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A profile made of a trace, for any range of time: what each function had on each
 * location, and what each call path had. It is a KymoProfileData like that of a file,
 * so that every question about profiles is answered of traces as well.
 *
 * Times are whole nanoseconds (metric TIME), clipped to the range; calls are of what
 * begins inside it, and so are hardware counters, one metric each. Inclusive figures
 * count the outermost activation only, of a path as of a function. What a location did
 * outside of functions are functions of their own (Idle, Overhead, Untraced; see
 * %KYMO_PROFILE_IDLE and its like), so that exclusive times add up to its span.
 */
#pragma once

#include <gio/gio.h>

#include "kymo-profile-data.h"

G_BEGIN_DECLS

/** KYMO_TRACE_PROFILE_MAX_PATHS: distinct call paths that are kept apart */
#define KYMO_TRACE_PROFILE_MAX_PATHS (1u << 20)

/**
 * KymoTraceProfileOptions:
 * @span: a part of the run's span
 * @count_end_ns: what begins before it is counted; G_MAXINT64 = all
 * @last: length of a path: the last functions of the stack; below 2 = none. Such a
 *   path needs two functions, as in profile files
 * @depth: paths from the root, at most so long; 0 = none. What runs deeper has no path
 *   of its own. A path of one function is that function as a root
 * @by_phase: paths "phase => function" by the closest enclosing phase; where no function
 *   is one, by the stretches between the marks of phases, those of each location itself
 * @most_paths: a profile with more is refused; 0 = %KYMO_TRACE_PROFILE_MAX_PATHS
 *
 * At most one kind of paths is made: by phase before rooted before last.
 */
typedef struct
{
  KymoSpan span;
  gint64   count_end_ns;
  guint    last;
  guint    depth;
  gboolean by_phase;
  guint    most_paths;
} KymoTraceProfileOptions;

KymoProfileData *kymo_trace_profile_new  (const KymoRun                 *run,
                                          const KymoTraceProfileOptions *options,
                                          guint                          n_threads,
                                          GCancellable                  *cancellable,
                                          GError                       **error);
KymoProfileData *kymo_trace_profile_get  (const KymoRun                 *run,
                                          const KymoTraceProfileOptions *options,
                                          guint                          n_threads,
                                          GCancellable                  *cancellable,
                                          GError                       **error);

G_END_DECLS
