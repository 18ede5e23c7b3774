/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A run of kind profile, of what any reader of profiles found: its locations, one
 * activity for each flat function, provenance. One thread.
 */
#pragma once

#include "kymo-profile-data.h"

G_BEGIN_DECLS

/** KymoProfileThread: a location as profile files number them */
typedef struct
{
  gint64 node, context, thread;
} KymoProfileThread;

/* Most metrics of a profile: figures of metrics lie side by side, so a file of a few bytes could
   claim any amount of memory. */
#define KYMO_MAX_PROFILE_METRICS 64

gint     kymo_profile_thread_compare    (gconstpointer  a,
                                         gconstpointer  b);
void     kymo_profile_threads_sort      (GArray        *threads);
void     kymo_profile_time_unit         (const char    *metric,
                                         const char   **unit,
                                         double        *unit_ns);
void     kymo_profile_take_metadata     (const char    *key,
                                         const char    *value,
                                         gpointer       list);
void     kymo_profile_run_add_list      (KymoRun       *run,
                                         const GPtrArray *list);
KymoRun *kymo_profile_run_new           (const char    *format,
                                         GArray        *threads,
                                         GPtrArray     *profiles);
void     kymo_profile_run_take_note     (KymoRun       *run,
                                         GArray        *threads,
                                         const char    *folder);
void     kymo_profile_run_add_metadata  (KymoRun       *run,
                                         const char    *key,
                                         const char    *value);
void     kymo_profile_run_report_ranks  (KymoRun       *run);

G_END_DECLS
