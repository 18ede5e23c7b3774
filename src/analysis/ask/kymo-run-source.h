/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A run in memory as a source: every question of the table in
 * kymo-question.h, answered on a thread pool over the run's segments.
 */
#pragma once

#include "kymo-run.h"
#include "kymo-source.h"

G_BEGIN_DECLS

#define KYMO_TYPE_RUN_SOURCE (kymo_run_source_get_type ())
G_DECLARE_FINAL_TYPE (KymoRunSource, kymo_run_source, KYMO, RUN_SOURCE, GObject)

/** KymoRunKeeper: see kymo_source_keep() */
typedef gboolean (*KymoRunKeeper) (KymoRun       *run,
                                   GCancellable  *cancellable,
                                   GError       **error);

KymoRunSource *kymo_run_source_new       (KymoRun       *run,
                                          guint          n_threads);
void           kymo_run_source_set_run   (KymoRunSource *source,
                                          KymoRun       *run);
void           kymo_run_source_build_aside (KymoRunSource *source);
void           kymo_run_source_set_keeper (KymoRunSource *source,
                                          KymoRunKeeper  keeper);
KymoRun       *kymo_run_source_ref_run   (KymoRunSource *source);

/* Of any source; those whose run lies elsewhere have none. */
KymoRun       *kymo_source_ref_run       (KymoSource    *source);
void           kymo_source_set_run       (KymoSource    *source,
                                          KymoRun       *run);
guint          kymo_source_get_threads   (KymoSource    *source);

G_END_DECLS
