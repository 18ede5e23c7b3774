/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A picture with rows, and over its right edge a scroll bar while they do not fit.
 */
#pragma once

#include "kymo-canvas.h"

G_BEGIN_DECLS

GtkWidget *kymo_scrolled_canvas_new   (KymoCanvas *canvas);
/* Pictures that are scrolled as one where they have less room than that. */
GtkWidget *kymo_scrolled_pictures_new (GtkWidget  *pictures,
                                       int         least_px);

G_END_DECLS
