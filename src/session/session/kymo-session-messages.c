/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-session-messages.h"

#include "kymo-question-class.h"
#include "kymo-session-private.h"

static const char *const words[KYMO_N_MESSAGE_LINES]
  = { "none", "block", "back", "forward", "all" };

/**
 * kymo_message_lines_to_string:
 *
 * Returns: the word for it in desks and options; static
 */
const char *
kymo_message_lines_to_string (KymoMessageLines lines)
{
  return words[lines];
}

/**
 * kymo_message_lines_from_string:
 * @word: (nullable): as kymo_message_lines_to_string() writes it
 * @lines: (out): left alone where @word is none of these
 *
 * Returns: whether @word is one of these
 */
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

/**
 * kymo_session_get_messages:
 *
 * Returns: which messages timelines show; at first those of the selected block
 */
KymoMessageLines
kymo_session_get_messages (KymoSession *self)
{
  return kymo_session_of_names (self)->messages;
}

/**
 * kymo_session_set_messages:
 *
 * Chooses which messages timelines show, for all sessions beside each other. The first of them
 * emits "messages-changed" where it is another choice.
 */
void
kymo_session_set_messages (KymoSession *self, KymoMessageLines lines)
{
  self = kymo_session_of_names (self);
  if (self->messages == lines)
    return;
  self->messages = lines;
  kymo_session_emit (self, MESSAGES_CHANGED);
}

/**
 * kymo_session_get_by_bytes:
 *
 * Returns: whether arrows of many messages are weighed by bytes; %FALSE: by number
 */
gboolean
kymo_session_get_by_bytes (KymoSession *self)
{
  return kymo_session_of_names (self)->by_bytes;
}

/**
 * kymo_session_set_by_bytes:
 * @by_bytes: %TRUE weighs arrows of many messages by bytes, %FALSE by number
 *
 * The first of the sessions beside each other emits "messages-changed" where it is another
 * choice.
 */
void
kymo_session_set_by_bytes (KymoSession *self, gboolean by_bytes)
{
  self = kymo_session_of_names (self);
  if (self->by_bytes == by_bytes)
    return;
  self->by_bytes = by_bytes;
  kymo_session_emit (self, MESSAGES_CHANGED);
}

/**
 * kymo_session_get_least_bytes:
 *
 * Returns: the size in bytes below which messages are left out; 0 = all are shown
 */
gint64
kymo_session_get_least_bytes (KymoSession *self)
{
  return kymo_session_of_names (self)->least_bytes;
}

/**
 * kymo_session_set_least_bytes:
 * @bytes: smaller messages are left out of timelines and sums; 0 = none, as is less
 *
 * The first of the sessions beside each other emits "messages-changed" where it is another size.
 */
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

/**
 * kymo_session_get_message_tag:
 *
 * Returns: the tag whose messages alone are shown and counted; -1 = all are, as in a run
 *   whose messages have no tags
 */
gint64
kymo_session_get_message_tag (KymoSession *self)
{
  return has_tags (self) ? kymo_session_of_names (self)->message_tag : -1;
}

/**
 * kymo_session_set_message_tag:
 * @tag: of the messages to show and count; -1 = all
 *
 * Does nothing in a run whose messages have no tags, as messages of entry methods.
 */
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

/**
 * kymo_session_prepare_messages:
 * @question: any about the run of the session
 */
void
kymo_session_prepare_messages (KymoSession *self, KymoQuestion *question)
{
  const KymoQuestionClass *klass
    = kymo_question_class_find (kymo_question_get_kind (question));
  gint64 tag = kymo_session_get_message_tag (self);

  self = kymo_session_of_names (self);
  if (klass == NULL || !klass->of_messages)
    return;
  if (self->least_bytes > 0)
    kymo_question_set_int (question, "least-bytes", self->least_bytes);
  if (tag >= 0)
    kymo_question_set_int (question, "tag", tag);
}
