/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoShownBar: while not all PEs are shown, a line over every view that says
 * so, which cluster they are where they are one, and leads back to all.
 * Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-session.h"

G_BEGIN_DECLS

#define KYMO_TYPE_SHOWN_BAR (kymo_shown_bar_get_type ())
G_DECLARE_FINAL_TYPE (KymoShownBar, kymo_shown_bar, KYMO, SHOWN_BAR, GtkBox)

GtkWidget *kymo_shown_bar_new    (KymoSession *session);
/* The cluster whose members alone are shown; -1 where there is none. */
int        kymo_shown_cluster    (KymoSession *session);

G_END_DECLS
