/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of the legend: a colour that hides and shows, a name and its share. The one
 * under the pointer is the session's hovered name. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-session.h"

G_BEGIN_DECLS

/* Items are KymoLegendItem. */
GtkListItemFactory *kymo_legend_rows_new (KymoSession *session);

/* The list, with words in its place where there are items and none is shown. */
GtkWidget *kymo_legend_rows_over (GtkWidget *list, GListModel *all, GListModel *shown,
                                  const char *words);

G_END_DECLS
