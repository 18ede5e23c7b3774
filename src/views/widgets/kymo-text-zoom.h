/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How much larger the desktop wants text than usual. Pictures grow by it as a
 * whole (margins, rows and lines with the text), so that nothing is clipped and
 * what they share with each other stays aligned. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* 1 for text of the usual size; 0.5 to 4 */
double kymo_text_zoom        (void);
/* A width for text of the usual size, for text as it is. */
int    kymo_text_px          (int        width_px);
/* Calls changed (widget) when it is another. */
void   kymo_text_zoom_follow (GtkWidget *widget,
                              GCallback  changed);

G_END_DECLS
