/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoCommunicationView: who sent how much to whom, as one of several pictures: matrix,
 * bars of each location, over time, call table (with the table behind it), and graphs. All
 * show bytes, or all messages.
 *
 * Signals: "message" (sentence). Main thread only.
 */
#pragma once

#include "kymo-canvas.h"

G_BEGIN_DECLS

#define KYMO_TYPE_COMMUNICATION_VIEW (kymo_communication_view_get_type ())
G_DECLARE_FINAL_TYPE (KymoCommunicationView, kymo_communication_view, KYMO, COMMUNICATION_VIEW,
                      GtkBox)

GtkWidget  *kymo_communication_view_new           (KymoSession           *session);
/* KymoCanvas: one a mode. (transfer none) */
GPtrArray  *kymo_communication_view_peek_canvases (KymoCommunicationView *self);
/* By the names of their pictures: "communication", "communication-time", … */
void        kymo_communication_view_set_mode      (KymoCommunicationView *self,
                                                   const char            *plot);
const char *kymo_communication_view_get_mode      (KymoCommunicationView *self);
void        kymo_communication_view_set_of        (KymoCommunicationView *self,
                                                   const char            *of);

G_END_DECLS
