/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The dialog that writes the chosen PEs and a range of time of a run as a run
 * of its own (kymo-extract.h). Main thread only.
 */
#pragma once

#include "kymo-session.h"
#include "kymo-write-dialog.h"

G_BEGIN_DECLS

/**
 * kymo_extract_dialog_present:
 * @session: of the run: which PEs and which time are chosen
 * @path: where the run was opened
 * @done: called when it is written
 *
 * Returns: (transfer none): its window
 */
GtkWindow *kymo_extract_dialog_present (GtkWindow     *parent,
                                        KymoSession   *session,
                                        const char    *path,
                                        KymoWriteDone  done,
                                        GObject       *data);

G_END_DECLS
