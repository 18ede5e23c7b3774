/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoPathChoice: which call paths there are, as a button with a popover: whole
 * ones, those cut to a number of levels, and of a run whose profile is made of its
 * blocks the last functions alone, or functions by phase. These are the options
 * "depth-limit", "callpath-depth" and "by-phase" of the session, one at a time.
 * Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-session.h"

G_BEGIN_DECLS

#define KYMO_TYPE_PATH_CHOICE (kymo_path_choice_get_type ())
G_DECLARE_FINAL_TYPE (KymoPathChoice, kymo_path_choice, KYMO, PATH_CHOICE,
                      GtkBox)

GtkWidget *kymo_path_choice_new (KymoSession *session);

G_END_DECLS
