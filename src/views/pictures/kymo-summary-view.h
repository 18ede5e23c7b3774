/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoSummaryView: how efficient the run was (utilization, load imbalance), what it is (provenance,
 * size) and the load report.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-session.h"

G_BEGIN_DECLS

#define KYMO_TYPE_SUMMARY_VIEW (kymo_summary_view_get_type ())
G_DECLARE_FINAL_TYPE (KymoSummaryView, kymo_summary_view, KYMO, SUMMARY_VIEW,
                      GtkBox)

GtkWidget *kymo_summary_view_new      (KymoSession     *session,
                                       const KymoTable *info);
void       kymo_summary_view_set_info (KymoSummaryView *self,
                                       const KymoTable *info);

G_END_DECLS
