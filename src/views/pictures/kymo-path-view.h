/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoPathView: the session's path as tables: its steps one by one with the time each
 * took, and the share of each entry method, of messages and of waiting. A step that is
 * chosen is selected in the timeline.
 *
 * Signals: "show-view" (id of a view). Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-session-path.h"

G_BEGIN_DECLS

#define KYMO_TYPE_PATH_VIEW (kymo_path_view_get_type ())
G_DECLARE_FINAL_TYPE (KymoPathView, kymo_path_view, KYMO, PATH_VIEW, GtkBox)

GtkWidget *kymo_path_view_new (KymoSession *session);

G_END_DECLS
