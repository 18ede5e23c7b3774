/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoJobClient: one connection to a recorded job, for its actions (docs/formats/actions.md).
 *
 * Signals: "changed" (its actions are others, or it is connected or closed) and "order"
 * (KymoJobOrder *: how an action stands, of any client). All functions and signals are for the
 * thread-default main context in which it was made, and nothing waits.
 */
#pragma once

#include <gio/gio.h>

#include "kymo-job-line.h"

G_BEGIN_DECLS

#define KYMO_TYPE_JOB_CLIENT (kymo_job_client_get_type ())
G_DECLARE_FINAL_TYPE (KymoJobClient, kymo_job_client, KYMO, JOB_CLIENT, GObject)

KymoJobClient     *kymo_job_client_new         (const char          *socket);
KymoJobClient     *kymo_job_client_new_command (const char *const   *words);
void               kymo_job_client_start       (KymoJobClient       *self);
void               kymo_job_client_stop        (KymoJobClient       *self);
const KymoJobInfo *kymo_job_client_peek_info   (KymoJobClient       *self);
GPtrArray         *kymo_job_client_peek_actions (KymoJobClient      *self);
const KymoJobAction *kymo_job_client_find      (KymoJobClient       *self,
                                                const char          *name);
const char        *kymo_job_client_peek_closed (KymoJobClient       *self);
void               kymo_job_client_list        (KymoJobClient       *self);
void               kymo_job_client_do_async    (KymoJobClient       *self,
                                                const char          *name,
                                                const char *const   *arguments,
                                                GAsyncReadyCallback  callback,
                                                gpointer             data);
gboolean           kymo_job_client_do_finish   (KymoJobClient       *self,
                                                GAsyncResult        *result,
                                                guint64             *number,
                                                GError             **error);

G_END_DECLS
