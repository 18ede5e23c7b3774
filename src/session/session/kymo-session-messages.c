/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-session-messages.h"

#include "kymo-session-private.h"

static const char *const words[KYMO_N_MESSAGE_LINES]
  = { "none", "block", "back", "forward", "all" };

/** kymo_message_lines_to_string: "block" */
const char *
kymo_message_lines_to_string (KymoMessageLines lines)
{
  return words[lines];
}

/** kymo_message_lines_from_string: */
gboolean
kymo_message_lines_from_string (const char *word, KymoMessageLines *lines)
{
  for (guint i = 0; i < KYMO_N_MESSAGE_LINES; i++)
    if (g_strcmp0 (word, words[i]) == 0)
      {
        *lines = i;
        return TRUE;
      }
  return FALSE;
}

/** kymo_session_get_messages: those of the selected block at first */
KymoMessageLines
kymo_session_get_messages (KymoSession *self)
{
  return kymo_session_of_names (self)->messages;
}

/** kymo_session_set_messages: */
void
kymo_session_set_messages (KymoSession *self, KymoMessageLines lines)
{
  self = kymo_session_of_names (self);
  if (self->messages == lines)
    return;
  self->messages = lines;
  kymo_session_emit (self, MESSAGES_CHANGED);
}

/** kymo_session_get_by_bytes: */
gboolean
kymo_session_get_by_bytes (KymoSession *self)
{
  return kymo_session_of_names (self)->by_bytes;
}

/** kymo_session_set_by_bytes: */
void
kymo_session_set_by_bytes (KymoSession *self, gboolean by_bytes)
{
  self = kymo_session_of_names (self);
  if (self->by_bytes == by_bytes)
    return;
  self->by_bytes = by_bytes;
  kymo_session_emit (self, MESSAGES_CHANGED);
}

/** kymo_session_get_least_bytes: */
gint64
kymo_session_get_least_bytes (KymoSession *self)
{
  return kymo_session_of_names (self)->least_bytes;
}

/** kymo_session_set_least_bytes: */
void
kymo_session_set_least_bytes (KymoSession *self, gint64 bytes)
{
  self = kymo_session_of_names (self);
  if (self->least_bytes == bytes)
    return;
  self->least_bytes = bytes;
  kymo_session_emit (self, MESSAGES_CHANGED);
}

/* Of the run of the session itself: one it is compared with may be of another kind. */
static gboolean
has_tags (KymoSession *self)
{
  return kymo_source_get_terms (kymo_session_peek_source (self)).code == KYMO_CODE_FUNCTION;
}

/** kymo_session_get_message_tag: -1 is any, as it is of a run whose messages have none */
gint64
kymo_session_get_message_tag (KymoSession *self)
{
  return has_tags (self) ? kymo_session_of_names (self)->message_tag : -1;
}

/** kymo_session_set_message_tag: nothing of a run of entry methods: its messages have none */
void
kymo_session_set_message_tag (KymoSession *self, gint64 tag)
{
  if (!has_tags (self))
    return;
  self = kymo_session_of_names (self);
  tag = MAX (tag, -1);
  if (self->message_tag == tag)
    return;
  self->message_tag = tag;
  kymo_session_emit (self, MESSAGES_CHANGED);
}

static gboolean
is_about_messages (const KymoQuestion *question)
{
  static const char *const kinds[] = {
    "messages", "communication", "communication-locations", "communication-time", "call-table",
    NULL,
  };

  return g_strv_contains (kinds, kymo_question_get_kind (question));
}

/**
 * kymo_session_prepare_messages:
 * @question: any about the run of the session
 */
void
kymo_session_prepare_messages (KymoSession *self, KymoQuestion *question)
{
  gint64 tag = kymo_session_get_message_tag (self);

  self = kymo_session_of_names (self);
  if (!is_about_messages (question))
    return;
  if (self->least_bytes > 0)
    kymo_question_set_int (question, "least-bytes", self->least_bytes);
  if (tag >= 0)
    kymo_question_set_int (question, "tag", tag);
}
