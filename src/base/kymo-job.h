/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A background job as the person sees it: how far, doing what, and a way to
 * stop it. Workers write the fraction without locks; the properties are
 * notified on the thread-default main context of the creator, at most ten
 * times a second.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define KYMO_TYPE_JOB (kymo_job_get_type ())
G_DECLARE_FINAL_TYPE (KymoJob, kymo_job, KYMO, JOB, GObject)

KymoJob      *kymo_job_new              (void);
GCancellable *kymo_job_peek_cancellable (KymoJob    *job);
void          kymo_job_cancel           (KymoJob    *job);
gboolean      kymo_job_is_cancelled     (KymoJob    *job);
void          kymo_job_set_total        (KymoJob    *job,
                                         gint64      total);
void          kymo_job_begin            (KymoJob    *job,
                                         const char *stage,
                                         gint64      total);
void          kymo_job_advance          (KymoJob    *job,
                                         gint64      amount);
double        kymo_job_get_fraction     (KymoJob    *job);
void          kymo_job_set_stage        (KymoJob    *job,
                                         const char *stage);
char         *kymo_job_dup_stage        (KymoJob    *job);

G_END_DECLS
