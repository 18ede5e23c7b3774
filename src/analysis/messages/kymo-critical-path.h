/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The critical path of a run: the chain of blocks and messages that ends last.
 * What is on it, and nothing else, would have had to be faster for the run to
 * end earlier.
 *
 * Found backwards through the waits, as in Böhme, de Supinski, Geimer, Schulz
 * and Wolf, 2012: "Scalable Critical-Path Based Performance Analysis" (IPDPS).
 * The path itself is Yang and Miller's, 1988: "Critical Path Analysis for the
 * Execution of Parallel and Distributed Programs" (ICDCS). What differs, for a
 * program that is driven by messages: a PE waits where it is idle before a
 * block, and the message that started the block ended the wait; from the
 * sending to that begin the message itself is on the path (Böhme's path takes
 * transfers for nothing), so that its parts add up to the time. Where nobody
 * knows the message, idle time is on the path.
 *
 * Of functions that exchange messages it is Böhme's path: the waits are those of
 * kymo-waits.h, and at the end of each the path goes on where it was waited for.
 * Transfers are part of the calls that take them in. Forks and joins of threads lead
 * from one thread to another; kymo-critical-path.c says how.
 */
#pragma once

#include "kymo-engine.h"

G_BEGIN_DECLS

/** KYMO_PATH_MESSAGE: state of a step that is a message on its way, or waiting
 *  for its receiver to begin */
#define KYMO_PATH_MESSAGE G_MAXUINT32

/**
 * KymoPathStep: a part of the path, never empty
 * @location: index in the run; of a message the receiver
 * @state: of the track, or %KYMO_PATH_MESSAGE
 */
typedef struct
{
  guint   location;
  guint32 state;
  gint64  begin_ns, end_ns;
} KymoPathStep;

/** KymoPathFunc: called for each step, the last one first; they touch */
typedef void (*KymoPathFunc) (const KymoPathStep *step,
                              gpointer            data);

/** Columns of all locations that kymo_critical_path_walk() reads. */
#define KYMO_PATH_NEEDS (KYMO_NEEDS_TRACK | KYMO_NEEDS_BLOCKS | KYMO_NEEDS_SENDS \
                         | KYMO_NEEDS_OF_ALL)

/** KYMO_NO_PATH: it could not be walked */
#define KYMO_NO_PATH G_MININT64

gint64 kymo_critical_path_walk_from (const KymoAsk       *ask,
                                     guint                location,
                                     gint64               time_ns,
                                     const KymoPathStep  *until,
                                     KymoPathFunc         func,
                                     gpointer             data,
                                     GError             **error);
gint64 kymo_critical_path_walk (const KymoAsk  *ask,
                                KymoPathFunc    func,
                                gpointer        data,
                                GError        **error);
gboolean kymo_path_may_visit   (const KymoAsk  *ask,
                                guint           location);
gint64 kymo_path_last_end      (const KymoAsk  *ask,
                                const KymoSegment *segment);

G_END_DECLS
