/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading a run on a worker thread, for a page: drafts while it is read, then
 * the run or why there is none. All of one reading come from one source,
 * which grows.
 */
#pragma once

#include "kymo-job.h"
#include "kymo-source.h"

G_BEGIN_DECLS

/** KymoLoaded: the run as it is known now */
typedef struct
{
  KymoSource *source;
  KymoTable  *info;                /* its answer of kind info */
  gboolean    is_draft;
  gint64      read_us;             /* how long that took; of a draft 0 */
} KymoLoaded;

/**
 * KymoLoadedFunc:
 * @page: who reads
 * @job: the reading
 * @loaded: (nullable): the run, borrowed; %NULL where there is none
 * @error: (nullable): why
 *
 * On the main thread; any number of drafts first, the last call is no draft.
 */
typedef void (*KymoLoadedFunc) (GObject          *page,
                                KymoJob          *job,
                                const KymoLoaded *loaded,
                                const GError     *error);

void kymo_run_reading_start (GObject        *page,
                             const char     *path,
                             gboolean        correct_clocks,
                             KymoJob        *job,
                             KymoLoadedFunc  show);
void kymo_run_reading_keep  (KymoSource     *source);

G_END_DECLS
