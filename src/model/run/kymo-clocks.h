/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Clocks of processes: which messages arrive before they were sent, and by
 * how much the clock of each process would have to be shifted so that none
 * does.
 *
 * Locations of one process share a clock, so messages within a process are
 * not looked at; nor are those of a location whose process is not known. A
 * *message* here is a begin record whose creation is in the run; a creation
 * for one destination must name the same activity. Some activities (those of
 * reductions) carry the event number of an older message, which by chance may
 * be one of the right activity; so an activity that is met just once with a
 * creation for another one is *stale*, and no number of it is believed.
 *
 * Between functions a message is a receive whose send was found (kymo-exchange.h), and
 * its latency is the time between these two.
 *
 * A block that the runtime interrupted begins again with the same creation
 * and counts again: it cannot change the smallest latency.
 *
 * A matcher belongs to one thread; matchers of several threads are merged.
 * What comes out does not depend on the split.
 */
#pragma once

#include <gio/gio.h>

#include "kymo-run.h"

G_BEGIN_DECLS

/** KYMO_MAX_CLOCK_OFFSET_NS: no clock is shifted further; times are bounded
 * by as much, so that no sum of the two overflows */
#define KYMO_MAX_CLOCK_OFFSET_NS (G_MAXINT64 / 4)

/**
 * KymoClockPair: messages from one process to another
 * @from: the sending process
 * @to: the executing process
 * @n_messages: begin records whose creation is known, or receives with a send
 * @n_negative: of these, how many begin before their creation
 * @min_latency_ns: smallest time from creation to begin
 * @location: index of the location that executes the message of the smallest
 *   latency; of several the first
 * @begin_ns: where that message begins, or was received
 */
typedef struct
{
  gint64 from, to;
  gint64 n_messages, n_negative;
  gint64 min_latency_ns;
  guint  location;
  gint64 begin_ns;
} KymoClockPair;

/**
 * KymoClockOffset:
 * @process: the process
 * @offset_ns: to be added to its times
 */
typedef struct
{
  gint64 process;
  gint64 offset_ns;
} KymoClockOffset;

/**
 * KymoClockEstimate:
 * @offsets: (element-type KymoClockOffset): every known process, ascending
 * @consistent: with these offsets no message arrives before it was sent
 * @residual_ns: else, by how much the worst still does; 0 where consistent
 */
typedef struct
{
  GArray   *offsets;
  gboolean  consistent;
  gint64    residual_ns;
} KymoClockEstimate;

typedef struct _KymoClockMatcher KymoClockMatcher;

/* -- measuring (kymo-clocks.c) ------------------------------------------- */
gint              *kymo_clocks_find_stale    (const KymoRun     *run,
                                              guint              n_threads,
                                              GCancellable      *cancellable);
KymoClockMatcher  *kymo_clock_matcher_new    (const KymoRun     *run,
                                              const gint        *stale);
void               kymo_clock_matcher_free   (KymoClockMatcher  *matcher);
void               kymo_clock_matcher_add    (KymoClockMatcher  *matcher,
                                              const KymoSegment *segment,
                                              gint64             begin_ns,
                                              gint64             end_ns,
                                              GCancellable      *cancellable);
void               kymo_clock_matcher_merge  (KymoClockMatcher  *into,
                                              KymoClockMatcher  *from);
GArray            *kymo_clock_matcher_finish (KymoClockMatcher  *matcher);
gint64            *kymo_run_dup_processes    (const KymoRun     *run,
                                              guint             *n_processes);
gint               kymo_find_process         (const gint64      *processes,
                                              guint              n_processes,
                                              gint64             process);
GArray            *kymo_clocks_measure       (const KymoRun     *run,
                                              guint              n_threads,
                                              GCancellable      *cancellable);
guint              kymo_clocks_correct       (KymoRun           *run,
                                              const KymoClockEstimate *estimate);

/* -- the estimate (kymo-clock-offsets.c) --------------------------------- */
KymoClockEstimate *kymo_clocks_estimate      (const gint64      *processes,
                                              guint              n_processes,
                                              const GArray      *pairs,
                                              GCancellable      *cancellable);
void               kymo_clock_estimate_free  (KymoClockEstimate *estimate);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoClockMatcher, kymo_clock_matcher_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoClockEstimate, kymo_clock_estimate_free)

G_END_DECLS
