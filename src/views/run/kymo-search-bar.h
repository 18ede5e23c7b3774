/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The row in which one searches a run: text, whether it is a regular
 * expression, how much was found, and steps to the next and previous match.
 * Main thread only.
 */
#pragma once

#include "kymo-run-view.h"

G_BEGIN_DECLS

#define KYMO_TYPE_SEARCH_BAR (kymo_search_bar_get_type ())
G_DECLARE_FINAL_TYPE (KymoSearchBar, kymo_search_bar, KYMO, SEARCH_BAR, GtkBox)

GtkWidget *kymo_search_bar_new       (void);
/* @view: (nullable): whose run is searched; its own text comes with it */
void       kymo_search_bar_set_view  (KymoSearchBar *self,
                                      KymoRunView   *view);
GtkWidget *kymo_search_bar_get_entry (KymoSearchBar *self);

G_END_DECLS
