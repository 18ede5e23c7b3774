/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoExtremaView: a bar a PE by what one asks for, the PEs that are kept
 * marked. It is about all PEs, whichever are shown elsewhere: here one finds
 * those that are worth showing.
 *
 * Signals: "show-view" (id of a view), "explain" (PEs as text: why they stick out).
 * Main thread only.
 */
#pragma once

#include "kymo-canvas.h"

G_BEGIN_DECLS

#define KYMO_TYPE_EXTREMA_VIEW (kymo_extrema_view_get_type ())
G_DECLARE_FINAL_TYPE (KymoExtremaView, kymo_extrema_view, KYMO, EXTREMA_VIEW,
                      GtkBox)

GtkWidget  *kymo_extrema_view_new        (KymoSession     *session);
KymoCanvas *kymo_extrema_view_get_canvas (KymoExtremaView *self);

G_END_DECLS
