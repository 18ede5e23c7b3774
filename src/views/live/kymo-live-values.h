/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a job under kymo-record tells of its ranks: lines of the lowest, the mean and the highest
 * load of the last minutes, bars of the ranks with the highest and the lowest load, and counters.
 * It is not visible before the first values come. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-feed.h"

G_BEGIN_DECLS

#define KYMO_TYPE_LIVE_VALUES (kymo_live_values_get_type ())
G_DECLARE_FINAL_TYPE (KymoLiveValues, kymo_live_values, KYMO, LIVE_VALUES, GtkBox)

GtkWidget *kymo_live_values_new (KymoFeed *feed);

G_END_DECLS
