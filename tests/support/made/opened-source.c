/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "opened-source.h"

#include "kymo-open.h"
#include "kymo-run-source.h"

/** opened_source: Returns: (transfer full) (nullable): the run, or %NULL where there is none */
KymoSource *
opened_source (const char *path)
{
  KymoOpenOptions options = { .n_threads = 2 };
  g_autoptr (KymoRun) run = kymo_open_run (path, &options, NULL, NULL);

  return run != NULL ? KYMO_SOURCE (kymo_run_source_new (run, 2)) : NULL;
}
