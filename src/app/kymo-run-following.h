/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Following a run whose files are still being written: it is read again from time to time,
 * and its source grows. So the window grows with the run.
 *
 * Reading takes at most one part in twenty of the time, and waits where nothing was
 * written. Main thread, but for the reading itself.
 */
#pragma once

#include "kymo-source.h"

G_BEGIN_DECLS

typedef struct _KymoRunFollowing KymoRunFollowing;

/**
 * KymoGrownFunc:
 * @info: the source's answer of kind info, as it is now
 * @ended: the run will not grow any more: nothing follows
 */
typedef void (*KymoGrownFunc) (gpointer         data,
                               const KymoTable *info,
                               gboolean         ended);

KymoRunFollowing *kymo_run_following_start (KymoSource       *source,
                                            const char       *path,
                                            gboolean          correct_clocks,
                                            gint64            read_us,
                                            KymoGrownFunc     grown,
                                            gpointer          data);
void              kymo_run_following_stop  (KymoRunFollowing *self);

G_END_DECLS
