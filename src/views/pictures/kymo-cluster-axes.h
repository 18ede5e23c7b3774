/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoClusterAxes: along what the PEs of the scatter lie: one of the two
 * directions in which they differ most, or an entry method. Signal: "changed",
 * by the person. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-table.h"
#include "kymo-terms.h"

G_BEGIN_DECLS

#define KYMO_TYPE_CLUSTER_AXES (kymo_cluster_axes_get_type ())
G_DECLARE_FINAL_TYPE (KymoClusterAxes, kymo_cluster_axes, KYMO, CLUSTER_AXES,
                      GtkBox)

GtkWidget  *kymo_cluster_axes_new  (KymoTerms terms);
/* `components`: of an answer of clusters; the choice stays where it still
   is one. */
void        kymo_cluster_axes_fill (KymoClusterAxes *self,
                                    const KymoTable *components);
/* Keywords of the question. */
const char *kymo_cluster_axes_peek_x (KymoClusterAxes *self);
const char *kymo_cluster_axes_peek_y (KymoClusterAxes *self);

G_END_DECLS
