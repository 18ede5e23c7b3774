/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the person points at: the name of an entry method, a location and a time. All views
 * mark them. Main thread only.
 *
 * The session emits "hover-changed" with another location or time. The location, or the
 * set of them, is that of all sessions beside each other; times are each one's own.
 */
#pragma once

#include "kymo-session.h"

G_BEGIN_DECLS

/* The name under the pointer, of the view that sets it: lifted at once, or if the pointer rests. */
void          kymo_session_point_at          (KymoSession    *session,
                                              gconstpointer   teller,
                                              const char     *name,
                                              gboolean        rests);
/* The same teller points at nothing any more. */
void          kymo_session_point_away        (KymoSession    *session,
                                              gconstpointer   teller,
                                              gboolean        rests);
gboolean      kymo_session_is_lifted_by      (KymoSession    *session,
                                              gconstpointer   teller);
/* The location under the pointer, -1 where there is none. */
gint64     kymo_session_get_hovered_location (KymoSession    *session);
/* FALSE where the pointer is at no time. */
gboolean   kymo_session_get_hovered_time     (KymoSession    *session,
                                              gint64         *time_ns);
/* -1 and G_MININT64 are none. */
void       kymo_session_set_hovered_place    (KymoSession    *session,
                                              gint64          location,
                                              gint64          time_ns);
void       kymo_session_set_hovered_set      (KymoSession    *session,
                                              KymoIdSet      *locations);
KymoIdSet *kymo_session_peek_hovered_set     (KymoSession    *session);
/* The same of a row that is of several, where the pointer is at a time. */
void       kymo_session_set_hovered_row      (KymoSession    *session,
                                              KymoIdSet      *locations,
                                              gint64          time_ns);
/* The location to mark: the one that is hovered, else the location of the selected block; -1 =
   none, or several. */
gint64     kymo_session_get_marked_location  (KymoSession    *session);
/* TRUE if the location is marked. */
gboolean   kymo_session_marks_location       (KymoSession    *session,
                                              gint64          location);
gboolean   kymo_session_get_marked_place     (KymoSession    *session,
                                              gint64         *location,
                                              gint64         *time_ns);

G_END_DECLS
