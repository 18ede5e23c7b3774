/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoCountersView: user values, statistics, memory and metrics over time: all of them, or
 * one that is chosen, a lane a location; or one as a map of all locations. Main thread only.
 */
#pragma once

#include "kymo-canvas.h"

G_BEGIN_DECLS

#define KYMO_TYPE_COUNTERS_VIEW (kymo_counters_view_get_type ())
G_DECLARE_FINAL_TYPE (KymoCountersView, kymo_counters_view, KYMO, COUNTERS_VIEW, GtkBox)

GtkWidget  *kymo_counters_view_new           (KymoSession      *session);
/* KymoCanvas: curves and map. (transfer none) */
GPtrArray  *kymo_counters_view_peek_canvases (KymoCountersView *self);
/* @name: of a counter that the run has, or will turn out to have; NULL is all. */
void        kymo_counters_view_choose        (KymoCountersView *self,
                                              const char       *name);
/* "curves", "map", or "memory": curves of the memory in use, where that was sampled */
void        kymo_counters_view_set_mode      (KymoCountersView *self,
                                              const char       *mode);

G_END_DECLS
