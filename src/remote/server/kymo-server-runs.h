/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs that all sessions of a process share. A run is read once and stays in memory after its last
 * session, for the next one, as far as the memory goes.
 */
#pragma once

#include "kymo-open.h"

G_BEGIN_DECLS

typedef struct _KymoServerRuns KymoServerRuns;

KymoServerRuns *kymo_server_runs_new   (gint64                  limit_bytes);
void            kymo_server_runs_free  (KymoServerRuns         *runs);
KymoRun        *kymo_server_runs_open  (KymoServerRuns         *runs,
                                        const char             *path,
                                        const KymoOpenOptions  *options,
                                        KymoJob                *job,
                                        GError                **error);
void            kymo_server_runs_trim  (KymoServerRuns         *runs);
guint           kymo_server_runs_count (KymoServerRuns         *runs);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoServerRuns, kymo_server_runs_free)

G_END_DECLS
