/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the names of a run of logs come from: its .sts, one of another trace
 * mode beside it, or, where they are missing, the ids in the logs themselves.
 */
#pragma once

#include "kymo-projections-files.h"
#include "kymo-projections-sts.h"

G_BEGIN_DECLS

char    *kymo_projections_names_file (const KymoProjectionsFiles *files);
KymoSts *kymo_projections_read_names (const KymoProjectionsFiles *files,
                                      KymoRun                    *run,
                                      KymoJob                    *job,
                                      guint                       n_threads);
KymoSts *kymo_projections_read_summary_names (const KymoProjectionsFiles  *files,
                                              KymoRun                    **run);

G_END_DECLS
