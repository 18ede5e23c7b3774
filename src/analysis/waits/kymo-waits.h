/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who waited for whom: inside which call, how long, of which pattern and because
 * of which location. The patterns are Scalasca's ("Scalasca performance properties",
 * Jülich Supercomputing Centre; Geimer, Wolf, Wylie, Ábrahám, Becker and Mohr, 2010:
 * "The Scalasca performance toolset architecture", Concurrency and Computation 22):
 *
 *   late sender    a call receives before the partner has begun to send: to that begin
 *   late receiver  a call that blocks sends before the partner has begun to receive, and
 *                  returns after: to that begin. Receives in a call that completes
 *                  earlier requests (MPI_Wait, MPI_Test and their like) do not count,
 *                  because the time of their posting is unknown
 *   barrier        from its own begin to that of the member that came last
 *   all to all     the same, of a collective in which everybody needs everybody's data
 *   late root      a member of one to all waits for the root ("late broadcast")
 *   early root     the root of all to one waits for the last of the others; Scalasca's
 *                  "early reduce" ends with the first of them and is the smaller figure
 *   prefix         a member waits for the last of those of lower rank ("early scan"), as
 *                  locations are in order
 *   thread barrier as barrier, among the threads of one process: OpenMP, pthreads
 *
 * Each wait begins where its call begins, and ends no later than the call, or the
 * moment when the message was there. A call waits once, for whom it waited longest:
 * MPI_Waitall for the last of its messages. Of calls one in another the outer one's
 * wait comes first, and the inner one's is what lies behind it; so waits of a location
 * never overlap, and their sum is time.
 *
 * For messages only calls count whose role is communication, wait or synchronization:
 * where MPI was not measured, a receive lies in a function that did other things, too.
 * Sends that return at once (MPI_Isend and its like) do not wait.
 *
 * Made of a run once, on first use, by the threads of the first question; immutable after.
 */
#pragma once

#include "kymo-engine.h"

G_BEGIN_DECLS

typedef enum
{
  KYMO_WAIT_LATE_SENDER,
  KYMO_WAIT_LATE_RECEIVER,
  KYMO_WAIT_BARRIER,
  KYMO_WAIT_ALL_TO_ALL,
  KYMO_WAIT_LATE_ROOT,
  KYMO_WAIT_EARLY_ROOT,
  KYMO_WAIT_PREFIX,
  KYMO_WAIT_THREAD_BARRIER,
  KYMO_N_WAIT_KINDS,
} KymoWaitKind;

/**
 * KymoWait:
 * @begin_ns: when it begins; later than its call where an outer call waited first
 * @wait_ns: how long; never 0
 * @by_begin_ns: when the late one came; later than the end of the wait where the call
 *   ended, or the message was there, before
 * @block: the call, a block of its location
 * @by: index of the location that was late
 */
typedef struct
{
  gint64       begin_ns;
  gint64       wait_ns;
  gint64       by_begin_ns;
  guint32      block;
  guint32      by;
  KymoWaitKind kind;
} KymoWait;

/**
 * KymoWaits:
 * @of: by location of the run: (nullable): #KymoWait, by begin
 * @n_rootless: collectives whose root is unknown or not there, so
 *   that who waited is not known
 * @inferred: whether collectives were inferred from names and order
 * @n_doubtful: of these, those that may be several at once, on communicators that the
 *   files do not tell
 */
typedef struct
{
  guint    n_locations;
  GArray **of;
  guint    n_rootless;
  gboolean inferred;
  guint    n_doubtful;
} KymoWaits;

/** Columns of all locations that kymo_waits_peek() reads. */
#define KYMO_WAIT_NEEDS (KYMO_NEEDS_TRACK | KYMO_NEEDS_BLOCKS | KYMO_NEEDS_SENDS \
                         | KYMO_NEEDS_OF_ALL)

const KymoWaits *kymo_waits_peek           (const KymoAsk  *ask,
                                            GError        **error);
const KymoWaits *kymo_waits_peek_made      (const KymoRun  *run);
guint            kymo_waits_find           (const GArray   *waits,
                                            gint64          time_ns);
const char      *kymo_wait_kind_to_string  (KymoWaitKind    kind);
const char      *kymo_wait_kind_to_words   (KymoWaitKind    kind);
gint             kymo_wait_kind_from_string (const char    *word);
guint32          kymo_waits_block_around   (const KymoSegment *segment,
                                            gint64          begin_ns,
                                            gint64          end_ns);

/* -- for kymo-waits.c alone ------------------------------------------------ */

/** KymoWaitRules: what calls of each activity may wait for; by activity */
typedef enum
{
  KYMO_WAITS_FOR_MESSAGES = 1 << 0,
  KYMO_WAITS_FOR_RECEIVERS = 1 << 1,
  KYMO_WAITS_FOR_THREADS = 1 << 2,
  KYMO_WAITS_FOR_REQUESTS = 1 << 3,     /* of calls that were made before */
} KymoWaitRules;

/* Each appends #KymoWait to the arrays of @waits that are made for the locations;
   they may overlap, and several may be of one call. */
void kymo_waits_add_messages        (const KymoAsk *ask,
                                     const guint8  *rules,
                                     guint          location,
                                     GArray        *waits);
void kymo_waits_add_collectives     (const KymoAsk *ask,
                                     KymoWaits     *waits);
void kymo_waits_add_thread_barriers (const KymoAsk *ask,
                                     const guint8  *rules,
                                     KymoWaits     *waits);

G_END_DECLS
