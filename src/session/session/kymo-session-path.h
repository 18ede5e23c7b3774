/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The path that a session shows: the critical path of the run, or the chain of messages
 * back from a block or forward from it, asked for once and then kept while one looks at
 * it. One step of it may be the current one: that is the selected block then. Signal
 * of the session: "path-changed". Main thread only.
 */
#pragma once

#include "kymo-session.h"

G_BEGIN_DECLS

typedef enum
{
  KYMO_PATH_NONE,
  KYMO_PATH_CRITICAL,
  KYMO_PATH_BACK,
  KYMO_PATH_FORWARD,
  KYMO_N_PATH_KINDS,
} KymoPathKind;

/* Asks for it; back and forward are of the selected block, without one they fail. */
void         kymo_session_follow_path      (KymoSession *session,
                                            KymoPathKind kind);
KymoPathKind kymo_session_get_path_kind    (KymoSession *session);
/* TRUE if another question for a path of this kind would show the same path again. */
gboolean     kymo_session_path_is_current  (KymoSession *session,
                                            KymoPathKind kind);
gboolean     kymo_session_get_path_start   (KymoSession *session,
                                            gint64      *location,
                                            gint64      *time_ns);
KymoTable   *kymo_session_peek_path        (KymoSession *session);
const char  *kymo_session_peek_path_failure (KymoSession *session);
/* The current step, a row of "steps", or -1. */
gint         kymo_session_get_path_step    (KymoSession *session);
/* Makes a step the current one: its block is selected and brought into sight. */
void         kymo_session_set_path_step    (KymoSession *session,
                                            gint         step);
/* The next step that is no message, or the one before; FALSE at an end. */
gboolean     kymo_session_walk_path        (KymoSession *session,
                                            gboolean     forward);

G_END_DECLS
