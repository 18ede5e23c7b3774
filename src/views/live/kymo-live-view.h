/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoLiveView: a stream while it comes. The newest seconds as bars that the
 * session follows, the replies on the same axis, milliseconds of the newest
 * block, the busiest entry methods, and the controls of all of it. Whatever
 * lies under the time axis begins at the same pixel. Main thread only.
 */
#pragma once

#include "kymo-busiest-view.h"
#include "kymo-canvas.h"
#include "kymo-feed.h"
#include "kymo-live-detail.h"

G_BEGIN_DECLS

/* What is followed of a stream at first. */
#define KYMO_LIVE_FOLLOW_NS G_GINT64_CONSTANT (10000000000)

#define KYMO_TYPE_LIVE_VIEW (kymo_live_view_get_type ())
G_DECLARE_FINAL_TYPE (KymoLiveView, kymo_live_view, KYMO, LIVE_VIEW, GtkBox)

GtkWidget      *kymo_live_view_new         (KymoSession  *session,
                                            KymoFeed     *feed);
/* (element-type KymoCanvas): the main chart first */
GPtrArray      *kymo_live_view_peek_canvases (KymoLiveView *self);
KymoLiveDetail *kymo_live_view_get_detail  (KymoLiveView *self);
KymoBusiestView *
                kymo_live_view_peek_busiest (KymoLiveView *self);
/* The table of the busiest is the legend of this view. */
void            kymo_live_view_show_legend (KymoLiveView *self,
                                            gboolean      visible);
/* (nullable): rows of an answer's marks, for the rulers */
void            kymo_live_view_set_marks   (KymoLiveView *self,
                                            KymoTable    *marks);
void            kymo_live_view_set_filter  (KymoLiveView *self,
                                            const char   *text);

G_END_DECLS
