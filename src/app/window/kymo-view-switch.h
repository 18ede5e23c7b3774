/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoViewSwitch: the row of buttons that choose a view, as many as there is
 * room for; the others are in a menu at its end. The button of the visible view is
 * never in the menu. Main thread only.
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
