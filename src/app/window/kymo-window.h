/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoWindow: a tab for each open run and each stream that is followed, the
 * header, and the win.* actions.
 * Main thread only.
 */
#pragma once

#include <adwaita.h>

#include "kymo-page.h"
#include "kymo-stream-settings.h"

G_BEGIN_DECLS

#define KYMO_TYPE_WINDOW (kymo_window_get_type ())
G_DECLARE_FINAL_TYPE (KymoWindow, kymo_window, KYMO, WINDOW,
                      AdwApplicationWindow)

GtkWidget   *kymo_window_new       (AdwApplication *application);
void         kymo_window_open_path (KymoWindow     *self,
                                    const char     *path);
/* Compares two or more runs in a new tab; the first is A. */
void         kymo_window_compare_paths (KymoWindow *self,
                                    const char *const *paths);
KymoPage    *kymo_window_get_page  (KymoWindow     *self);
/* Follows a running program in a new tab. */
void         kymo_window_attach    (KymoWindow     *self,
                                    const KymoAttachChoice *choice);
/* As that, with names from beside an open run where none were chosen. */
void         kymo_window_attach_unasked (KymoWindow *self,
                                    const KymoAttachChoice *choice);
/* Plays a recording in a new tab. */
void         kymo_window_replay    (KymoWindow     *self,
                                    const char     *path);
/* The tab of an alarm; FALSE where it is not in this window (any more). */
gboolean     kymo_window_show_page (KymoWindow     *self,
                                    guint           id);

G_END_DECLS
