/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A dialog that brings a run of another machine here, with all its files. Where some of it was
 * fetched before, the rest is.
 *
 * Main thread only.
 */
#pragma once

#include "kymo-session.h"
#include "kymo-write-dialog.h"

G_BEGIN_DECLS

GtkWindow *kymo_fetch_dialog_present (GtkWindow     *parent,
                                      KymoSession   *session,
                                      const char    *address,
                                      KymoWriteDone  done,
                                      GObject       *data);

G_END_DECLS
