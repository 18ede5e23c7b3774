/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How clusters of PEs look and what they are called, the same in every picture.
 * Any thread may call.
 */
#pragma once

#include "kymo-plot.h"

G_BEGIN_DECLS

KymoRgba kymo_class_color (KymoLook look,
                           gint     cluster);
/* (transfer full): "Cluster 2": the number that answers have */
char    *kymo_class_name  (gint     cluster);

G_END_DECLS
