/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The jobs of this user on another host: the Kymo there lists them, as lines that go through ssh.
 */
#pragma once

#include "kymo-jobs.h"

G_BEGIN_DECLS

/* What ssh runs on the other host. */
#define KYMO_JOBS_FAR_LIST "exec kymo-cli attach --list --relay"

char      *kymo_jobs_dup_relay  (const char          *where);
char      *kymo_jobs_dup_lines  (GPtrArray           *jobs);
GPtrArray *kymo_jobs_ask        (const char *const   *words,
                                 GCancellable        *cancellable,
                                 GError             **error);
void       kymo_jobs_ask_async  (const char *const   *words,
                                 GCancellable        *cancellable,
                                 GAsyncReadyCallback  callback,
                                 gpointer             data);
GPtrArray *kymo_jobs_ask_finish (GAsyncResult        *result,
                                 GError             **error);

G_END_DECLS
