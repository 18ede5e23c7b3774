/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command line of the window's program. Options are read in the process that was
 * started; what is to be opened goes to the process that runs already, if there is one.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

void kymo_application_add_options (GApplication *application);
/* Does what was asked for; those of pictures the application knows itself.
   Returns: -1 to go on, or the exit status */
int  kymo_application_do_options  (GApplication *application,
                                   GVariantDict *options);

G_END_DECLS
