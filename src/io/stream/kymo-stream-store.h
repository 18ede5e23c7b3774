/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Makes a run of a row of frames, while they come or when a recording is
 * opened: one location that stands for the mean of all PEs, with bins of 1 ms.
 * What is older is thinned level by level (bins of 10 ms, 100 ms, 1 s, …) when
 * a level takes more than its share of the budget, so that memory stays
 * bounded for a session of any length; sums stay exact at every level.
 *
 * A snapshot shares all finished bins with the ones before and after it: it
 * costs what came since, not the run.
 *
 * One thread at a time; snapshots may be read by any.
 */
#pragma once

#include "kymo-run.h"
#include "kymo-stream-frame.h"

G_BEGIN_DECLS

typedef struct _KymoStreamStore KymoStreamStore;

KymoStreamStore *kymo_stream_store_new       (const char       *title,
                                              gint64            budget_bytes);
void             kymo_stream_store_free      (KymoStreamStore  *store);
KymoStreamResult kymo_stream_store_take      (KymoStreamStore  *store,
                                              KymoStreamFrame  *frame,
                                              const KymoStreamBlock **block,
                                              GError          **error);
void             kymo_stream_store_expect    (KymoStreamStore  *store,
                                              gint64            bytes);
void             kymo_stream_store_reset     (KymoStreamStore  *store);
gboolean         kymo_stream_store_set_names (KymoStreamStore  *store,
                                              const char       *path,
                                              GBytes          **sts,
                                              GError          **error);
char            *kymo_stream_store_dup_name  (KymoStreamStore  *store,
                                              gint64            id);
gboolean         kymo_stream_store_is_compute (KymoStreamStore *store,
                                              gint64            id);
gint64           kymo_stream_store_get_end_ns (const KymoStreamStore *store);
gint64           kymo_stream_store_get_bytes (const KymoStreamStore *store);
KymoRun         *kymo_stream_store_snapshot  (KymoStreamStore  *store,
                                              gboolean          growing);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoStreamStore, kymo_stream_store_free)

G_END_DECLS
