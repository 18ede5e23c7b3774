/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Expressions of metrics ("PAPI_FP_OPS / TIME") that a person has typed, kept from one
 * run to the next in the person's file of metrics, which the command line reads and
 * writes, too (kymo-derived-metrics.h; those that were given a name are there). Whether one
 * can be computed of a run, its source says. Main thread only.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* More are not kept; the oldest goes. */
#define KYMO_KEPT_METRICS_MOST 24

/* (transfer full): the newest last; free with g_strfreev() */
char    **kymo_kept_metrics_load   (void);
gboolean  kymo_kept_metrics_keep   (const char  *expression,
                                       GError     **error);
gboolean  kymo_kept_metrics_forget (const char  *expression,
                                       GError     **error);
/* How often this program changed them: without another number they are the same. */
guint     kymo_kept_metrics_get_changes (void);

G_END_DECLS
