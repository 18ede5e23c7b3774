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

/* `title` of the runs; `budget_bytes` of bins, 0 = the default of 192 MiB. */
KymoStreamStore *kymo_stream_store_new       (const char       *title,
                                              gint64            budget_bytes);
void             kymo_stream_store_free      (KymoStreamStore  *store);
/* Returns what the frame was to the decoder; `block` as there. */
KymoStreamResult kymo_stream_store_take      (KymoStreamStore  *store,
                                              KymoStreamFrame  *frame,
                                              const KymoStreamBlock **block,
                                              GError          **error);
/* So many bytes of replies are still to come, if that is known: what cannot
   stay in bins of 1 ms is thinned at once, which costs less. */
void             kymo_stream_store_expect    (KymoStreamStore  *store,
                                              gint64            bytes);
/* Forgets all that came, keeps the names. */
void             kymo_stream_store_reset     (KymoStreamStore  *store);
/* Names of ids from an .sts or a recording that holds one; renames all. `sts`
   as in kymo_stream_names_read(). */
gboolean         kymo_stream_store_set_names (KymoStreamStore  *store,
                                              const char       *path,
                                              GBytes          **sts,
                                              GError          **error);
/* (nullable): the name of an id, "entry 57" where none is known */
char            *kymo_stream_store_dup_name  (KymoStreamStore  *store,
                                              gint64            id);
gint64           kymo_stream_store_get_end_ns (const KymoStreamStore *store);
gint64           kymo_stream_store_get_bytes (const KymoStreamStore *store);
/* (transfer full): a run of kind KYMO_RUN_STREAM; `growing` while more may
   come. NULL before the first block. */
KymoRun         *kymo_stream_store_snapshot  (KymoStreamStore  *store,
                                              gboolean          growing);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoStreamStore, kymo_stream_store_free)

G_END_DECLS
