/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoTimelineView: the timeline with the time profile under it. Both are
 * as wide as the ruler above them; the scroll bar of the rows lies in the
 * margin that all of them have, so that the axes agree to the pixel.
 */
#pragma once

#include "kymo-canvas.h"

G_BEGIN_DECLS

#define KYMO_TYPE_TIMELINE_VIEW (kymo_timeline_view_get_type ())
G_DECLARE_FINAL_TYPE (KymoTimelineView, kymo_timeline_view, KYMO,
                      TIMELINE_VIEW, GtkBox)

GtkWidget  *kymo_timeline_view_new          (KymoSession      *session);
KymoCanvas *kymo_timeline_view_get_timeline (KymoTimelineView *self);
KymoCanvas *kymo_timeline_view_get_pinned  (KymoTimelineView *self);
KymoCanvas *kymo_timeline_view_get_profile  (KymoTimelineView *self);

G_END_DECLS
