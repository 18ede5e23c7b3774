/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A dialog that opens a run on another machine: which machine, how a server begins there where
 * that is to be chosen, and which run.
 *
 * Main thread only.
 */
#pragma once

#include <adwaita.h>

#include "kymo-remote-folder.h"

G_BEGIN_DECLS

GtkWindow *kymo_remote_dialog_present (GtkWindow         *parent,
                                       KymoRemoteChosen   done,
                                       GObject           *data);

G_END_DECLS
