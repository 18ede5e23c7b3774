/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kymo's own help: one window for the whole program, with the pages of docs/guide. Main thread
 * only.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The page that is shown where no view is. */
#define KYMO_HELP_START "start"

void       kymo_help_present  (GtkWindow  *beside,
                               const char *page);
/* Not in a build without libcmark. */
GtkWindow *kymo_help_peek     (void);
const char *kymo_help_get_page (void);

G_END_DECLS
