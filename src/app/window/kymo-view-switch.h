/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoViewSwitch: a button for each group of views, a tab for each view of the group that is
 * shown, and a button that lists all views with the questions they answer. What finds no room is
 * in that list alone; the group and the tab that are shown always have room. Main thread only.
 */
#pragma once

#include "kymo-run-view.h"

G_BEGIN_DECLS

#define KYMO_TYPE_VIEW_SWITCH (kymo_view_switch_get_type ())
G_DECLARE_FINAL_TYPE (KymoViewSwitch, kymo_view_switch, KYMO, VIEW_SWITCH,
                      GtkWidget)

GtkWidget *kymo_view_switch_new    (void);
/* The views that the run has, and how it calls them; NULL changes nothing. */
void       kymo_view_switch_follow (KymoViewSwitch *self,
                                    KymoRunView    *view);

G_END_DECLS
