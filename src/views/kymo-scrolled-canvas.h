/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A picture with rows, and over its right edge a scroll bar while they do not fit.
 */
#pragma once

#include "kymo-canvas.h"

G_BEGIN_DECLS

GtkWidget *kymo_scrolled_canvas_new (KymoCanvas *canvas);

G_END_DECLS
