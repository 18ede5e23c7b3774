/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a drag over rows selects beside its stretch of time: locations. They
 * go with the selection of time: where that is none, or another one that was
 * selected without rows, there are none. And markers, moved one by one.
 * Main thread only.
 */
#pragma once

#include "kymo-session.h"

G_BEGIN_DECLS

/* span: as kymo_session_set_selection(); rows: (nullable): of time alone */
void       kymo_session_select_rows        (KymoSession    *session,
                                            const KymoSpan *span,
                                            KymoIdSet      *rows);
/* (transfer none) (nullable): the locations of the selection */
KymoIdSet *kymo_session_peek_selected_rows (KymoSession    *session);
/* Shows the selection alone: its time, and its rows where it has some.
   FALSE where nothing is selected. */
gboolean   kymo_session_zoom_to_selection  (KymoSession    *session);
/* which = 0 (A) or 1 (B); nothing where that one is not set. */
void       kymo_session_move_marker        (KymoSession    *session,
                                            guint           which,
                                            gint64          time_ns);

G_END_DECLS
