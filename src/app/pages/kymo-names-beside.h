/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds the names of a stream's entry methods by itself: the .util.sts that
 * the program wrote beside a run that is open, or else that run's own .sts.
 * Looks on a worker thread, for folders may be large and far away.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* What there is beside one file or folder. Any thread. */
char *kymo_names_beside_find        (const char          *path);
/* `paths`: the first that has something beside it counts. */
void  kymo_names_beside_find_async  (const char *const   *paths,
                                     GCancellable        *cancellable,
                                     GAsyncReadyCallback  callback,
                                     gpointer             data);
/* (transfer full) (nullable): path of an .sts; NULL where there is none */
char *kymo_names_beside_find_finish (GAsyncResult        *result);

G_END_DECLS
