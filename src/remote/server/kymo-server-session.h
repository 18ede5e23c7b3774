/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One client of kymo-server: reads its frames, opens runs, answers questions and runs commands.
 * Everything it asks for ends when it goes.
 */
#pragma once

#include <gio/gio.h>

#include "kymo-server-runs.h"

G_BEGIN_DECLS

/**
 * KymoServerOptions:
 * @path: (nullable): run of a client that names none
 * @n_threads: most threads of a question; 0 = one per core
 * @memory_limit_bytes: of a run; 0 = kymo_memory_get_limit()
 * @end_s: when the job in which the server is ends, in seconds since 1970; 0 = not known
 * @runs: (nullable): runs that several sessions share
 * @greet: (nullable): adds to the greeting; any thread
 */
typedef struct
{
  const char     *path;
  guint           n_threads;
  gint64          memory_limit_bytes;
  gint64          end_s;
  KymoServerRuns *runs;
  void          (*greet) (GVariantDict *welcome,
                          gpointer      data);
  gpointer        greet_data;
} KymoServerOptions;

gboolean kymo_server_session_run (int                      in,
                                  int                      out,
                                  const KymoServerOptions *options);

G_END_DECLS
