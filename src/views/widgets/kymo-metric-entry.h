/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoMetricEntry: a button whose popover takes an expression of metrics, as
 * "PAPI_FP_OPS / TIME"; it is kept, and is the session's metric at once. Main thread
 * only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-session.h"

G_BEGIN_DECLS

#define KYMO_TYPE_METRIC_ENTRY (kymo_metric_entry_get_type ())
G_DECLARE_FINAL_TYPE (KymoMetricEntry, kymo_metric_entry, KYMO, METRIC_ENTRY,
                      GtkBox)

GtkWidget *kymo_metric_entry_new         (KymoSession       *session);
gboolean   kymo_metric_entry_open_in     (GtkWidget         *within);
/* The list "metrics" of an answer: what an expression may be made of. */
void       kymo_metric_entry_set_metrics (KymoMetricEntry   *self,
                                          const KymoTable   *metrics);
/* Whether it can be computed of metrics of these names. */
gboolean   kymo_metric_can_be            (const char        *expression,
                                          const char *const *metrics);

G_END_DECLS
