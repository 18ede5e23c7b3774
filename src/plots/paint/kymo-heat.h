/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One scale of colours for amounts, from faint to strong through one hue, and its key.
 * Any thread may call.
 */
#pragma once

#include "kymo-plot-private.h"

G_BEGIN_DECLS

/* The colour of a share of the largest, 0 to 1. */
KymoRgba kymo_heat_color     (const KymoPlotFrame *frame,
                              double               share);
/* The scale from left to right, strongest last. */
void     kymo_heat_paint_key (cairo_t             *cr,
                              const KymoPlotFrame *frame,
                              KymoRect             rect);

G_END_DECLS
