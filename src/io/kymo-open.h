/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Opening a run: the registry of formats is asked who knows the path, and
 * that reader makes the run.
 */
#pragma once

#include "kymo-job.h"
#include "kymo-run.h"

G_BEGIN_DECLS

/**
 * KymoOpenOptions:
 * @base: name of the run where a folder holds several, or NULL
 * @n_threads: most threads to read with; 0 = one per core
 * @memory_limit_bytes: refuse to grow beyond; 0 = no limit
 * @correct_clocks: shift the times of whole processes so that no message
 *   arrives before it was sent, and say so in the report
 * @no_cache: neither read nor write the cache file of the run
 */
typedef struct
{
  const char *base;
  guint       n_threads;
  gint64      memory_limit_bytes;
  gboolean    correct_clocks;
  gboolean    no_cache;
} KymoOpenOptions;

/* Blocks; call on a worker thread. `path` is a folder, an .sts or any file of
   the run. `job` (may be NULL) tells progress and cancels. */
KymoRun *kymo_open_run (const char             *path,
                        const KymoOpenOptions  *options,
                        KymoJob                *job,
                        GError                **error);

G_END_DECLS
