/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lists what a running job can be told to do; what cannot be done is there, too, with a reason.
 * Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-action-sheet.h"
#include "kymo-job-client.h"

G_BEGIN_DECLS

/* `client` may be NULL: then `reason` says why there is none. */
void kymo_actions_dialog_present (GtkWindow           *parent,
                                  KymoJobClient       *client,
                                  const char          *reason,
                                  KymoActionConfirmed  confirmed,
                                  GObject             *data);

G_END_DECLS
