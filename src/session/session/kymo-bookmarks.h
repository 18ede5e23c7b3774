/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bookmarks of a session, with what is noted to them: a name, a stretch of time,
 * words, and PEs where it is about some. "bookmarks-changed" is emitted for every
 * change. Main thread only; see kymo-session.h for counting, peeking, removing.
 *
 * The markers in the files of a run are bookmarks, too: they have the indices behind those of
 * the user, from kymo_session_get_n_bookmarks() on. They are never changed or removed, and a desk
 * does not keep them.
 */
#pragma once

#include "kymo-session.h"

G_BEGIN_DECLS

/** KYMO_BOOKMARKS_MOST: no session holds more */
#define KYMO_BOOKMARKS_MOST 10000

/**
 * kymo_session_set_run_markers:
 * @info: an answer of kind info
 *
 * Takes the markers of the run, in place of those that were there.
 */
void       kymo_session_set_run_markers (KymoSession  *session,
                                         const KymoTable *info);
/**
 * kymo_session_count_bookmarks:
 *
 * Returns: how many there are, the user's and the run's
 */
guint      kymo_session_count_bookmarks (KymoSession  *session);
/* Returns: its index, -1 where there are too many. name, note: (nullable);
   locations: (nullable): all */
int        kymo_session_add_note        (KymoSession  *session,
                                         KymoSpan      span,
                                         const char   *name,
                                         const char   *note,
                                         KymoIdSet    *locations);
void       kymo_session_change_bookmark (KymoSession  *session,
                                         guint         index,
                                         const char   *name,
                                         const char   *note,
                                         KymoIdSet    *locations);
/* Shows its stretch, and its PEs where it is about some; around a moment as much time as is
   visible now, at most a tenth of the run. */
void       kymo_session_go_to_bookmark  (KymoSession  *session,
                                         guint         index);
void       kymo_session_clear_bookmarks (KymoSession  *session);
/* The one whose words or name hold a text, whatever the case, from `from` on and
   round; -1 for none. */
int        kymo_session_find_bookmark   (KymoSession  *session,
                                         const char   *text,
                                         guint         from);
KymoTable *kymo_session_dup_bookmarks   (KymoSession  *session);

G_END_DECLS
