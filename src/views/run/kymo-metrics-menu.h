/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A button with a menu: which system metrics are shown under the rows of a timeline. It is seen
 * where the run has any.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-session.h"

G_BEGIN_DECLS

#define KYMO_TYPE_METRICS_MENU (kymo_metrics_menu_get_type ())
G_DECLARE_FINAL_TYPE (KymoMetricsMenu, kymo_metrics_menu, KYMO, METRICS_MENU, GtkBox)

GtkWidget *kymo_metrics_menu_new (KymoSession *session);

G_END_DECLS
