/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoHistogramView: the histogram with what it counts: durations of blocks
 * or sizes of messages, their number or their time, in which bins.
 */
#pragma once

#include "kymo-canvas.h"

G_BEGIN_DECLS

#define KYMO_TYPE_HISTOGRAM_VIEW (kymo_histogram_view_get_type ())
G_DECLARE_FINAL_TYPE (KymoHistogramView, kymo_histogram_view, KYMO,
                      HISTOGRAM_VIEW, GtkBox)

GtkWidget  *kymo_histogram_view_new        (KymoSession       *session);
KymoCanvas *kymo_histogram_view_get_canvas (KymoHistogramView *self);

G_END_DECLS
