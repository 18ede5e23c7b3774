/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A dialog that tests a machine step by step, with what ssh and the other side say, and offers to
 * install a server where none is found.
 *
 * Main thread only; the machine is asked on a worker thread.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

GtkWindow *kymo_host_dialog_present (GtkWindow  *parent,
                                     const char *host,
                                     const char *launch);

G_END_DECLS
