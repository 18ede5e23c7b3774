/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoThreadScatterView: threads as dots by two functions or metrics, in the colours of
 * their clusters; the axes are chosen above. Signal: "show-view" (id). Main thread
 * only.
 */
#pragma once

#include "kymo-canvas.h"

G_BEGIN_DECLS

#define KYMO_TYPE_THREAD_SCATTER_VIEW (kymo_thread_scatter_view_get_type ())
G_DECLARE_FINAL_TYPE (KymoThreadScatterView, kymo_thread_scatter_view, KYMO,
                      THREAD_SCATTER_VIEW, GtkBox)

GtkWidget  *kymo_thread_scatter_view_new        (KymoSession           *session);
KymoCanvas *kymo_thread_scatter_view_get_canvas (KymoThreadScatterView *self);

G_END_DECLS
