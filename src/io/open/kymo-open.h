/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Opening a run: the formats of the registry are asked for the path, and
 * that reader makes the run.
 */
#pragma once

#include "kymo-job.h"
#include "kymo-open-options.h"

G_BEGIN_DECLS

/* Blocks; call on a worker thread. `path` is a folder, an .sts or any file of
   the run. `job` (may be NULL) tells progress and cancels. */
KymoRun *kymo_open_run (const char             *path,
                        const KymoOpenOptions  *options,
                        KymoJob                *job,
                        GError                **error);

G_END_DECLS
