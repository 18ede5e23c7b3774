/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoLegendPane: the entry methods by their time in view: colour, name,
 * share. A click on the colour hides, hovering lifts; typing filters.
 * Signal "activated" (name): a double click or Enter on a name.
 * Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-session.h"

G_BEGIN_DECLS

#define KYMO_TYPE_LEGEND_PANE (kymo_legend_pane_get_type ())
G_DECLARE_FINAL_TYPE (KymoLegendPane, kymo_legend_pane, KYMO, LEGEND_PANE,
                      GtkBox)

GtkWidget *kymo_legend_pane_new (KymoSession *session);
void       kymo_legend_pane_set_filter (KymoLegendPane *self,
                                        const char     *text);
/* The first name that holds `text`, busiest first; free with g_free(). */
char      *kymo_legend_pane_match (KymoLegendPane *self,
                                   const char     *text);

/* (transfer full): the names that hold a text, most time first */
char     **kymo_legend_pane_dup_matches (KymoLegendPane *self,
                                         const char     *text,
                                         guint           most);

G_END_DECLS
