/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Iterations of a run laid over each other: asks which ones, and tells the window to compare the
 * run with itself, each time from the begin of another iteration on. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-run-regions.h"

G_BEGIN_DECLS

/** KYMO_OVERLAY_ACTION: of the window; name, begin and end in ns of each stretch of the run */
#define KYMO_OVERLAY_ACTION "win.overlay-spans"

char     *kymo_overlay_dup_choice    (KymoRunRegions *regions);
GVariant *kymo_overlay_parse         (KymoRunRegions *regions,
                                      const char     *text,
                                      char          **why);
gboolean  kymo_overlay_is_possible   (KymoRunRegions *regions);
void      kymo_overlay_iterations_ask (GtkWidget     *widget,
                                      KymoRunRegions *regions);

G_END_DECLS
