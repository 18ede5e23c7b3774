/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoWindow: a tab for each open run, the header, and the win.* actions.
 * Main thread only.
 */
#pragma once

#include <adwaita.h>

#include "kymo-run-page.h"

G_BEGIN_DECLS

#define KYMO_TYPE_WINDOW (kymo_window_get_type ())
G_DECLARE_FINAL_TYPE (KymoWindow, kymo_window, KYMO, WINDOW,
                      AdwApplicationWindow)

GtkWidget   *kymo_window_new       (AdwApplication *application);
void         kymo_window_open_path (KymoWindow     *self,
                                    const char     *path);
KymoRunPage *kymo_window_get_page  (KymoWindow     *self);

G_END_DECLS
