/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which bookmarks a search finds: those whose name or note matches. The same rule for the
 * window, where a worker looks, and the command line.
 */
#pragma once

#include "kymo-bookmarks.h"
#include "kymo-pattern.h"

G_BEGIN_DECLS

/* name, note: (nullable) */
gboolean  kymo_bookmark_matches       (KymoPattern         *pattern,
                                       const char          *name,
                                       const char          *note);
/* Looks at the bookmarks that the session has now. Main thread. */
void      kymo_bookmarks_match_start  (KymoSession         *session,
                                       const char          *text,
                                       gboolean             regex,
                                       GCancellable        *cancellable,
                                       GAsyncReadyCallback  done,
                                       gpointer             data);
/* (transfer full) (nullable): by bookmark whether it matches; n: how many there were, 0 on
   failure: a text that is none, or an expression that takes too many steps */
gboolean *kymo_bookmarks_match_finish (GAsyncResult        *result,
                                       guint               *n,
                                       GError             **error);

G_END_DECLS
