/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines of lists and tables that stand for an entry method or a location: pointed at
 * they lift it in all views, and they are marked (the style "kymo-lifted") while it is
 * pointed at elsewhere. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-session.h"

G_BEGIN_DECLS

/* Once for a widget of a line; it stands for nothing yet. */
void kymo_hover_row_attach (GtkWidget   *row,
                            KymoSession *session);
/* What it stands for from now on: a name, or NULL; a location, or -1. */
void kymo_hover_row_set    (GtkWidget   *row,
                            const char  *name,
                            gint64       location);

G_END_DECLS
