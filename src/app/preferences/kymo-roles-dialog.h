/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The dialog of roles: what each function of the run is for, and the rules by names
 * that say so, both to be changed. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-session.h"

G_BEGIN_DECLS

/**
 * kymo_roles_dialog_present:
 * @session: (nullable): of the run whose functions are listed
 *
 * Changed rules are kept in the person's own file and count for runs that are opened
 * from then on; "win.reload" of @parent is activated, so that its run is.
 *
 * Returns: (transfer none): its window
 */
GtkWindow *kymo_roles_dialog_present (GtkWindow   *parent,
                                      KymoSession *session);

G_END_DECLS
