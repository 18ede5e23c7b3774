/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of the reducer share.
 */
#pragma once

#include "kymo-reducer.h"
#include "kymo-run.h"

G_BEGIN_DECLS

/**
 * KymoReducerTruth: what estimates are measured against
 * @run: the source's
 * @span: time over which PEs are compared, within the run
 * @pes: that are compared
 * @before: (nullable): what these stand for, of a run that is itself reduced
 * @stands_for: how many PEs they are or stand for, in millionths
 * @bars: answer to `time-profile`, of all of them
 *
 * One thread at a time.
 */
typedef struct
{
  KymoSource    *source;
  GCancellable  *cancellable;
  KymoRun       *run;
  KymoSpan       span;
  KymoIdSet     *pes;
  KymoIdWeights *before;
  gint64         stands_for;
  KymoTable     *bars;
} KymoReducerTruth;

KymoQuestion     *kymo_reducer_new_question    (const KymoReducerWish   *wish);

/* -- errors (kymo-reducer-errors.c) --------------------------------------- */
KymoReducerTruth *kymo_reducer_truth_new       (KymoSource              *source,
                                                const KymoTable         *clusters,
                                                GCancellable            *cancellable,
                                                GError                 **error);
void              kymo_reducer_truth_free      (KymoReducerTruth        *truth);
gboolean          kymo_reducer_measure_bars    (const KymoReducerTruth  *truth,
                                                KymoIdWeights           *weights,
                                                double                  *share,
                                                GError                 **error);
KymoTable        *kymo_reducer_measure_entries (const KymoReducerTruth  *truth,
                                                KymoIdWeights           *weights,
                                                GError                 **error);

/* -- who is missed (kymo-reducer-dropped.c) -------------------------------- */
gboolean          kymo_reducer_set_dropped     (KymoTable               *choice,
                                                const KymoReducerTruth  *truth,
                                                GError                 **error);

/* -- the smallest set (kymo-reducer-search.c) ------------------------------ */
KymoTable        *kymo_reducer_search          (const KymoReducerTruth  *truth,
                                                const KymoReducerWish   *wish,
                                                const KymoTable         *locations,
                                                guint                   *n_tried,
                                                KymoJob                 *job,
                                                GError                 **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoReducerTruth, kymo_reducer_truth_free)

G_END_DECLS
