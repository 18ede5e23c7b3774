/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A banner above a run on another machine: says that the line is lost, why, and when it is tried
 * again, and has a button to try at once. Nothing is to be seen while the line stands.
 *
 * Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-remote-source.h"

G_BEGIN_DECLS

GtkWidget *kymo_line_banner_new (KymoRemoteSource *source);

G_END_DECLS
