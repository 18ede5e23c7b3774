/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoWrapLayout: children in a row, each as wide as it would like to be, and on more
 * rows where there is no room for all: so controls never make a window wider. The
 * first one of a row that expands takes what is left. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define KYMO_TYPE_WRAP_LAYOUT (kymo_wrap_layout_get_type ())
G_DECLARE_FINAL_TYPE (KymoWrapLayout, kymo_wrap_layout, KYMO, WRAP_LAYOUT,
                      GtkLayoutManager)

GtkLayoutManager *kymo_wrap_layout_new (int spacing);

G_END_DECLS
