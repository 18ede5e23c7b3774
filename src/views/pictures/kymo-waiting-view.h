/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoWaitingView: who waited for whom in the visible range: as a matrix, or in sums by kind,
 * function, call path or row of the timeline, and below the longest single waits, of
 * what is chosen in the sums. From a wait links lead to where it was, and to the rank that
 * was late.
 *
 * Signals: "show-view" (id of a view). Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-canvas.h"

G_BEGIN_DECLS

#define KYMO_TYPE_WAITING_VIEW (kymo_waiting_view_get_type ())
G_DECLARE_FINAL_TYPE (KymoWaitingView, kymo_waiting_view, KYMO, WAITING_VIEW,
                      GtkBox)

GtkWidget  *kymo_waiting_view_new         (KymoSession     *session);
KymoCanvas *kymo_waiting_view_peek_matrix (KymoWaitingView *view);

G_END_DECLS
