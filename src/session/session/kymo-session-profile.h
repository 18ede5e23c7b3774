/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a person has chosen of the profile of a session's run, for all views of
 * the profile family: options of the figures (which metric, which value, which
 * groups; see kymo-profile-options.h), a function and a thread. Main thread only.
 *
 * Options are keywords of questions about profiles (see kymo-question.h):
 * metric, value, step, groups, callpath-depth, depth-limit and by-phase; focus, of call trees
 * alone, is the function whose callers and callees are shown. Beside them
 * "unit" is the unit in which times are shown ("us", "ms", "s", …); it
 * enters no question. NULL is what the question does without it.
 *
 * The session emits "profile-changed" with other options, "function-changed" and
 * "thread-changed". A session beside another one has the choice of that one.
 */
#pragma once

#include "kymo-profile-options.h"
#include "kymo-session.h"

G_BEGIN_DECLS

/* The thread that is chosen where none is: the mean over all. */
#define KYMO_THREAD_MEAN "mean"

/* The options of the part of the desk that has the focus. */
KymoProfileOptions *
            kymo_session_peek_options  (KymoSession  *session);
void        kymo_session_use_options   (KymoSession  *session,
                                        KymoProfileOptions *options);
/* (nullable): the value of an option */
const char *kymo_session_peek_option   (KymoSession  *session,
                                        const char   *key);
void        kymo_session_set_option    (KymoSession  *session,
                                        const char   *key,
                                        const char   *value);
/* Gives a question about profiles the options that are chosen. */
void        kymo_session_prepare_profile (KymoSession  *session,
                                          KymoQuestion *question);
/* (nullable): name of the chosen function */
const char *kymo_session_peek_function (KymoSession  *session);
void        kymo_session_set_function  (KymoSession  *session,
                                        const char   *name);
const char *kymo_session_peek_thread   (KymoSession  *session);
void        kymo_session_set_thread    (KymoSession  *session,
                                        const char   *of);
/* The chosen location; -1 where a statistic of all is chosen. */
gint64      kymo_session_get_thread_location (KymoSession *session);
/* Takes over what was chosen in another session, of a run read again. */
void        kymo_session_take_profile  (KymoSession  *session,
                                        KymoSession  *other);
/* TRUE if the run has a time axis; a run of profiles has none. */
gboolean    kymo_session_has_time      (KymoSession  *session);

G_END_DECLS
