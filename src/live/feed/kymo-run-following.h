/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Following a run whose files are still being written: it is read again from time to time,
 * and its source grows. So the window grows with the run.
 *
 * Looking and reading take at most one part in twenty of the time. Where nothing was
 * written nothing is read, but for once a minute: whether a program still writes only the
 * age of its files may tell. Files that cannot be read are tried again, ever more rarely,
 * and given up in the end. Main thread, but for the reading itself.
 */
#pragma once

#include "kymo-open-options.h"
#include "kymo-source.h"

G_BEGIN_DECLS

typedef struct _KymoRunFollowing KymoRunFollowing;

/**
 * KymoGrownFunc:
 * @info: (nullable): the source's answer of kind info, as it is now; %NULL where
 *   the files cannot be read any more
 * @ended: the run will not grow any more, or is not followed any more: nothing follows
 * @error: (nullable): without @info, why
 */
typedef void (*KymoGrownFunc) (gpointer         data,
                               const KymoTable *info,
                               gboolean         ended,
                               const GError    *error);

KymoRunFollowing *kymo_run_following_start (KymoSource       *source,
                                            const char       *path,
                                            const KymoOpenOptions *options,
                                            gint64            read_us,
                                            KymoGrownFunc     grown,
                                            gpointer          data);
void              kymo_run_following_stop  (KymoRunFollowing *self);
void              kymo_run_following_set_least_wait (guint    ms);

G_END_DECLS
