/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoOverview: the strip of the whole run; its brush is the visible range.
 * Drag the brush to move it, its edges to resize it, elsewhere to draw a new
 * one; a click centres it. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-session.h"

G_BEGIN_DECLS

#define KYMO_TYPE_OVERVIEW (kymo_overview_get_type ())
G_DECLARE_FINAL_TYPE (KymoOverview, kymo_overview, KYMO, OVERVIEW, GtkWidget)

GtkWidget *kymo_overview_new (KymoSession *session);

G_END_DECLS
