/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The widths that a person gave to columns of lists, for as long as the program runs, and longer
 * where there are settings. Main thread only.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

void kymo_line_widths_use (GSettings  *settings,
                           const char *key);
int  kymo_line_widths_get (const char *column);
void kymo_line_widths_set (const char *column,
                           int         width_px);

G_END_DECLS
