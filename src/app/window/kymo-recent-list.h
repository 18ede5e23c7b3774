/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The list of recent runs: a picture, a name, what it is and where. Arrows go from run to run,
 * Enter opens one, Delete takes it off the list. What is gone says so and stays until it is
 * taken off.
 *
 * Main thread; files are looked at on another one, so a disk that does not answer delays pictures
 * and nothing else.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

GtkWidget *kymo_recent_list_new (const char *const *paths);

G_END_DECLS
