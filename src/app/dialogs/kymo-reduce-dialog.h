/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The dialog that reduces a run to the PEs that stand for all, by the choice
 * of kymo-reducer.h, and shows beforehand what comes of it. Main thread only.
 */
#pragma once

#include "kymo-session.h"
#include "kymo-write-dialog.h"

G_BEGIN_DECLS

/**
 * kymo_reduce_dialog_present:
 * @session: of the run
 * @path: where the run was opened
 * @done: called when it is written
 *
 * Returns: (transfer none): its window
 */
GtkWindow *kymo_reduce_dialog_present (GtkWindow     *parent,
                                       KymoSession   *session,
                                       const char    *path,
                                       KymoWriteDone  done,
                                       GObject       *data);

/**
 * kymo_reduce_dialog_keep:
 * @dialog: of kymo_reduce_dialog_present()
 * @rows: PEs that are to be kept whatever is chosen, as "0-3,17"
 *
 * Fills in a field that the person may change.
 */
void       kymo_reduce_dialog_keep    (GtkWindow     *dialog,
                                       const char    *rows);

G_END_DECLS
