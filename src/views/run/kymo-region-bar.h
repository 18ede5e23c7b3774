/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoRegionBar: a button that leaves start-up out, and a list of all regions of the run. Either
 * is absent where the run has none. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-session.h"

G_BEGIN_DECLS

#define KYMO_TYPE_REGION_BAR (kymo_region_bar_get_type ())
G_DECLARE_FINAL_TYPE (KymoRegionBar, kymo_region_bar, KYMO, REGION_BAR, GtkBox)

GtkWidget *kymo_region_bar_new (KymoSession *session);

G_END_DECLS
