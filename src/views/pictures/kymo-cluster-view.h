/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoClusterView: the classes of PEs that behave alike. One answer is shown
 * four ways: what the members do on the mean, where PEs lie, how far they are
 * from the mean of their cluster, and as tables. Choosing a cluster shows its
 * members alone in every view; the session holds the classes from then on.
 *
 * Signals: "show-view" (id of a view), "explain" (PEs as text: why they stick out),
 * "message" (a sentence).
 * Main thread only.
 */
#pragma once

#include "kymo-canvas.h"

G_BEGIN_DECLS

#define KYMO_TYPE_CLUSTER_VIEW (kymo_cluster_view_get_type ())
G_DECLARE_FINAL_TYPE (KymoClusterView, kymo_cluster_view, KYMO, CLUSTER_VIEW,
                      GtkBox)

GtkWidget  *kymo_cluster_view_new            (KymoSession     *session);
/* (element-type KymoCanvas): borrowed */
GPtrArray  *kymo_cluster_view_peek_canvases  (KymoClusterView *self);
gboolean    kymo_cluster_view_is_settled     (KymoClusterView *self);

G_END_DECLS
