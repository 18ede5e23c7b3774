/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoFinderMarks: which bookmarks of a session a search finds, in the order in which it
 * goes to them: by begin, and of one begin by number. A worker looks, for there may be many
 * with long notes. Main thread only.
 */
#pragma once

#include "kymo-session.h"

G_BEGIN_DECLS

typedef struct _KymoFinderMarks KymoFinderMarks;

/* done: called when the worker has looked; session: not owned, and may go before. */
KymoFinderMarks *kymo_finder_marks_new    (KymoSession      *session,
                                           void            (*done) (gpointer data),
                                           gpointer          data);
/* done is not called any more. */
void             kymo_finder_marks_free   (KymoFinderMarks  *self);
/* Finds none, and why it could not is forgotten. */
void             kymo_finder_marks_forget (KymoFinderMarks  *self);
/* Looks anew. FALSE where there is nothing to look at: done is not called. */
gboolean         kymo_finder_marks_look   (KymoFinderMarks  *self,
                                           const char       *text,
                                           gboolean          regex);
gboolean         kymo_finder_marks_is_busy (KymoFinderMarks *self);
/* (nullable): why they could not be searched */
const char      *kymo_finder_marks_peek_failure (KymoFinderMarks *self);
/* index: of a bookmark that there is */
gint64           kymo_finder_marks_begin  (KymoFinderMarks  *self,
                                           guint             index);
/* Those found that begin no later than a time. */
gint64           kymo_finder_marks_until  (KymoFinderMarks  *self,
                                           gint64            time_ns);
/* The next one that is found, from the bookmark `at` on, or where that is -1 from a time on;
   direction: 1 or -1; wrap: the first (the last, going back) wherever one is.
   Returns: its number, -1 = none */
int              kymo_finder_marks_next   (KymoFinderMarks  *self,
                                           int               at,
                                           gint64            at_ns,
                                           int               direction,
                                           gboolean          wrap);

G_END_DECLS
