/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The button that lists all views of a run by group, each with the question it answers. Main
 * thread only.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

GtkWidget *kymo_view_chooser_new (void);

G_END_DECLS
