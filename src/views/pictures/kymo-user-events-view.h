/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoUserEventsView: user events over time, by number or by the time of brackets, with their
 * table below; where the run has samples of user events, the table of those as well.
 *
 * Signals: "message" (sentence), "turned": it shows something else. Main thread only.
 */
#pragma once

#include "kymo-canvas.h"
#include "kymo-table-view.h"

G_BEGIN_DECLS

#define KYMO_TYPE_USER_EVENTS_VIEW (kymo_user_events_view_get_type ())
G_DECLARE_FINAL_TYPE (KymoUserEventsView, kymo_user_events_view, KYMO, USER_EVENTS_VIEW, GtkBox)

/* @samples: (nullable): the table of samples, which then is a mode of this view */
GtkWidget  *kymo_user_events_view_new        (KymoSession        *session,
                                              GtkWidget          *samples);
KymoCanvas *kymo_user_events_view_get_canvas (KymoUserEventsView *self);
/* Whether what it shows is over time. */
gboolean    kymo_user_events_view_has_axis   (KymoUserEventsView *self);
/* The table of samples where that is what is shown, else NULL. */
KymoTableView *
            kymo_user_events_view_peek_table (KymoUserEventsView *self);
/* "samples", or "events" or "time" for what is stacked over time */
void        kymo_user_events_view_set_mode   (KymoUserEventsView *self,
                                              const char         *mode);

G_END_DECLS
