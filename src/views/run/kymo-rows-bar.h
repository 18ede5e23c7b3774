/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoRowsBar: the line above a timeline. Its menus say how rows are arranged;
 * beside them stands in words how they are. Its actions ("rows.…") work in all
 * of the widget that the bar is made for. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-session.h"

G_BEGIN_DECLS

#define KYMO_TYPE_ROWS_BAR (kymo_rows_bar_get_type ())
G_DECLARE_FINAL_TYPE (KymoRowsBar, kymo_rows_bar, KYMO, ROWS_BAR, GtkBox)

GtkWidget *kymo_rows_bar_new (KymoSession *session,
                              GtkWidget   *timeline,
                              GtkWidget   *chart);

G_END_DECLS
