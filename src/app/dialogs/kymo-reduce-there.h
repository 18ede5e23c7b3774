/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reducing a run on another machine: the command of kymo-cli does it beside the run, and its words
 * are what the dialog shows.
 *
 * Any thread.
 */
#pragma once

#include "kymo-reducer.h"

G_BEGIN_DECLS

GStrv kymo_reduce_there_dup_options (KymoSource             *source,
                                     const KymoReducerWish  *wish);
char *kymo_reduce_there             (KymoSource             *source,
                                     const char             *path,
                                     const char             *out,
                                     GStrv                   options,
                                     KymoJob                *job,
                                     GError                **error);
char *kymo_reduce_there_take_missed (char                   *text);

G_END_DECLS
