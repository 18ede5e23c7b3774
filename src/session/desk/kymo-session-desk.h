/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The state of a session kept in a desk, and taken back from one. Main thread
 * only.
 */
#pragma once

#include "kymo-desk.h"
#include "kymo-session.h"

G_BEGIN_DECLS

/* Fills what the session knows of; layout, panes and where the run lies are
   others' to fill. */
void  kymo_session_keep    (KymoSession    *session,
                            KymoDesk       *desk);
char **kymo_session_restore (KymoSession     *session,
                             const KymoDesk  *desk,
                             const KymoTable *info);
/* As it is when a run is opened: nothing chosen, hidden, marked or noted. */
void  kymo_session_start_fresh (KymoSession *session);
/* TRUE if the desk belongs to this run, as far as times and rows tell. */
gboolean kymo_session_is_of_desk (KymoSession     *session,
                                  const KymoDesk  *desk,
                                  const KymoTable *info);
/* TRUE if a run has the metric, by its `info`: (nullable) */
gboolean kymo_session_has_metric (const KymoTable *info,
                                  const char      *name);

G_END_DECLS
