/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which messages timelines show: none, those of the selected block, or all that are
 * under way in view. All timelines of a session show the same. Small ones and those of
 * other tags can be left out; then they are left out of all that counts messages, too.
 * Signal of the session: "messages-changed". Main thread only.
 */
#pragma once

#include "kymo-session.h"

G_BEGIN_DECLS

/** KymoMessageLines: in the order in which a key goes through them */
typedef enum
{
  KYMO_MESSAGES_NONE,
  KYMO_MESSAGES_BLOCK,          /* of the selected block: both of the next two */
  KYMO_MESSAGES_BACK,           /* what started it */
  KYMO_MESSAGES_FORWARD,        /* what it caused */
  KYMO_MESSAGES_ALL,            /* under way in view */
  KYMO_N_MESSAGE_LINES,
} KymoMessageLines;

KymoMessageLines kymo_session_get_messages (KymoSession     *session);
void             kymo_session_set_messages (KymoSession     *session,
                                            KymoMessageLines lines);
/* TRUE if arrows that stand for many messages are weighed by bytes, not by number. */
gboolean         kymo_session_get_by_bytes (KymoSession     *session);
void             kymo_session_set_by_bytes (KymoSession     *session,
                                            gboolean         by_bytes);
/* Smaller ones are not shown; 0 = all are. */
gint64           kymo_session_get_least_bytes (KymoSession  *session);
void             kymo_session_set_least_bytes (KymoSession  *session,
                                               gint64        bytes);
gint64           kymo_session_get_message_tag (KymoSession  *session);
void             kymo_session_set_message_tag (KymoSession  *session,
                                               gint64        tag);
/* Gives questions that count messages, or tell them, what is chosen here. */
void             kymo_session_prepare_messages (KymoSession *session,
                                               KymoQuestion *question);
const char      *kymo_message_lines_to_string (KymoMessageLines lines);
/* FALSE where it is no such word. */
gboolean         kymo_message_lines_from_string (const char   *word,
                                            KymoMessageLines *lines);

G_END_DECLS
