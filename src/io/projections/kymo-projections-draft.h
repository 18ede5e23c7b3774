/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Drafts of a run while its logs are read: exact rows where the log has been
 * read, elsewhere what probes, or the .sum and .sumd files beside the logs,
 * let expect. On a thread of its own, which gives each draft to the caller that opens
 * the run (KymoOpenOptions) and ends before the run is put together.
 */
#pragma once

#include "kymo-open-options.h"
#include "kymo-projections-files.h"
#include "kymo-projections-sts.h"

G_BEGIN_DECLS

typedef struct _KymoProjectionsDraft KymoProjectionsDraft;

KymoProjectionsDraft *kymo_projections_draft_start  (const KymoProjectionsFiles *files,
                                                     const KymoSts              *sts,
                                                     const KymoRun              *run,
                                                     const KymoOpenOptions      *options,
                                                     KymoJob                    *job);
void                  kymo_projections_draft_sealed (KymoProjectionsDraft       *draft,
                                                     guint                       index,
                                                     KymoSegment                *segment);
void                  kymo_projections_draft_keep_less (KymoProjectionsDraft    *draft);
void                  kymo_projections_draft_stop   (KymoProjectionsDraft       *draft);

GPtrArray            *kymo_projections_draft_sums   (const KymoProjectionsFiles *files,
                                                     const KymoSts              *sts,
                                                     GCancellable               *cancellable);

G_END_DECLS
