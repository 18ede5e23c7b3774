/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoFocusBar: of a call tree, the way to one function and back: a button that focuses on
 * the chosen function, and where one is in focus the path "All Calls › function". The session
 * holds which, so all call trees have the same. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-session.h"

G_BEGIN_DECLS

#define KYMO_TYPE_FOCUS_BAR (kymo_focus_bar_get_type ())
G_DECLARE_FINAL_TYPE (KymoFocusBar, kymo_focus_bar, KYMO, FOCUS_BAR, GtkBox)

/* The keys are those of `view`, in which the bar lies: I for the chosen function, Escape
   for all calls. */
GtkWidget *kymo_focus_bar_new (KymoSession *session,
                               GtkWidget   *view);

G_END_DECLS
