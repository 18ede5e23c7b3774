/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The popover of a line of the legend: which colour its name has, or its group,
 * and hiding it or all others. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-session.h"

G_BEGIN_DECLS

/* Below @parent, open; it is gone when it is closed. */
GtkWidget *kymo_color_popover_show (GtkWidget   *parent,
                                    KymoSession *session,
                                    const char  *name);

G_END_DECLS
