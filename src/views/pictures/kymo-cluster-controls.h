/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoClusterControls: how PEs are to be put into classes, as a row of controls
 * and a popover of those that are seldom touched. Signal: "changed".
 * Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-terms.h"

G_BEGIN_DECLS

#define KYMO_TYPE_CLUSTER_CONTROLS (kymo_cluster_controls_get_type ())
G_DECLARE_FINAL_TYPE (KymoClusterControls, kymo_cluster_controls, KYMO,
                      CLUSTER_CONTROLS, GtkBox)

GtkWidget  *kymo_cluster_controls_new       (KymoTerms terms);
/* (transfer full): keyword -> value of the question, as they are set */
GHashTable *kymo_cluster_controls_dup_words (KymoClusterControls *self);
/* Of the whole run rather than of the visible range. */
gboolean    kymo_cluster_controls_get_whole (KymoClusterControls *self);

G_END_DECLS
