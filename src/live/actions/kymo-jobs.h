/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The jobs of this user that run under kymo-record --live on this machine.
 */
#pragma once

#include <gio/gio.h>

#include "kymo-job-line.h"

G_BEGIN_DECLS

char      *kymo_jobs_dup_folder  (void);
gboolean   kymo_jobs_is_here     (const char          *host);
GPtrArray *kymo_jobs_list        (const char          *folder,
                                  GCancellable        *cancellable);
void       kymo_jobs_list_async  (const char          *folder,
                                  GCancellable        *cancellable,
                                  GAsyncReadyCallback  callback,
                                  gpointer             data);
GPtrArray *kymo_jobs_list_finish (GAsyncResult        *result,
                                  GError             **error);
const KymoJobInfo *
           kymo_jobs_find        (GPtrArray           *jobs,
                                  const char          *address);

G_END_DECLS
