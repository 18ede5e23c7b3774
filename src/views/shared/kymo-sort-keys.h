/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Keys that sort a table, for the headings of a column view take no focus: Ctrl+Shift with Left and
 * Right sorts by the column before and after, with Down the largest first, with Up the smallest.
 * Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void kymo_sort_keys_attach   (GtkColumnView       *view);
void kymo_sort_keys_set_text (GtkColumnViewColumn *column);

G_END_DECLS
