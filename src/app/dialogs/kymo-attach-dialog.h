/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Asks for the job that is to be attached to: its address, the way there, the
 * key and the names. What was used last is offered again.
 * Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-stream-settings.h"

G_BEGIN_DECLS

/* Called once the person has chosen something that is a target. */
typedef void (*KymoAttachDone) (const KymoAttachChoice *choice,
                                gpointer                data);

/* `open_paths`: runs beside which names may be, the most likely first. `data`
   is a GObject, a reference is held while the dialog is open. */
void kymo_attach_dialog_present (GtkWindow              *parent,
                                 const KymoAttachChoice *choice,
                                 const char *const      *open_paths,
                                 KymoAttachDone          done,
                                 gpointer                data);

G_END_DECLS
