/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoSideBox: a box on the colour of one side of a comparison, with its letter:
 * the same wherever something of that side is shown. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define KYMO_TYPE_SIDE_BOX (kymo_side_box_get_type ())
G_DECLARE_FINAL_TYPE (KymoSideBox, kymo_side_box, KYMO, SIDE_BOX, GtkBox)

GtkWidget *kymo_side_box_new (guint       side,
                              const char *label);

G_END_DECLS
