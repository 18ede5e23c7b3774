/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bookmarks as marks on a time axis: a line over the stretch of each, with a foot at
 * its begin. Main thread only.
 */
#pragma once

#include "kymo-plot.h"
#include "kymo-session.h"

G_BEGIN_DECLS

void kymo_paint_bookmarks (cairo_t             *cr,
                           KymoSession         *session,
                           const KymoPlotFrame *frame,
                           double               y);
/* (transfer full) (nullable): what is noted at a place of the axis: of the bookmarks
   there the shortest first, name, times and note of each */
char *kymo_bookmarks_dup_words (KymoSession         *session,
                                const KymoPlotFrame *frame,
                                double               x);

G_END_DECLS
