/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Invariant: the answers at hand are of the block that the session has selected. The session says
 * so before it emits "selection-changed", thus no handler of that signal meets an answer about
 * the block before.
 */
#include "config.h"

#include "kymo-selected-block.h"

#include "kymo-asker.h"
#include "kymo-session-private.h"

/* As many as a timeline draws lines. */
#define MOST_MESSAGES 400

struct _KymoSelectedBlock
{
  GObject      parent_instance;

  KymoSession *session;            /* owns this */
  KymoAsker   *details_asker, *messages_asker;
  KymoTable   *details, *messages; /* or NULL */
  char        *failure;            /* why there are no details, or NULL */
  gboolean     wants_messages;
};

G_DEFINE_FINAL_TYPE (KymoSelectedBlock, kymo_selected_block, G_TYPE_OBJECT)

enum { CHANGED, DETAILS, MESSAGES, N_BLOCK_SIGNALS };

static guint signals[N_BLOCK_SIGNALS];

/* (transfer full) (nullable): about the selected block; NULL without one */
static KymoQuestion *
new_question (KymoSelectedBlock *self, const char *kind)
{
  KymoQuestion *question;
  gint64 location, time_ns;

  if (!kymo_session_get_block (self->session, &location, &time_ns))
    return NULL;
  question = kymo_question_new (kind);
  kymo_question_set_int (question, "location", location);
  kymo_question_set_int (question, "time", time_ns);
  return question;
}

static void
on_details (KymoTable *answer, const GError *error, gpointer data)
{
  KymoSelectedBlock *self = data;

  g_clear_pointer (&self->details, kymo_table_unref);
  g_clear_pointer (&self->failure, g_free);
  if (answer != NULL)
    self->details = kymo_table_ref (answer);
  else
    self->failure = g_strdup (error->message);
  g_signal_emit (self, signals[DETAILS], 0);
}

static void
on_messages (KymoTable *answer, const GError *error, gpointer data)
{
  KymoSelectedBlock *self = data;

  g_clear_pointer (&self->messages, kymo_table_unref);
  if (answer != NULL)
    self->messages = kymo_table_ref (answer);
  g_signal_emit (self, signals[MESSAGES], 0);
}

static void
ask_details (gpointer data)
{
  KymoSelectedBlock *self = data;
  KymoQuestion *question = new_question (self, "details");

  if (question != NULL)
    kymo_asker_ask (self->details_asker, question);
}

/* All messages, whatever timelines leave out, with the places of their ends among the rows. */
static void
ask_messages (gpointer data)
{
  KymoSelectedBlock *self = data;
  KymoQuestion *question;

  if (!self->wants_messages
      || !(kymo_source_get_capabilities (self->session->source) & KYMO_CAN_MESSAGES)
      || (question = new_question (self, "messages")) == NULL)
    return;
  kymo_session_prepare_places (self->session, question);
  kymo_question_set_int (question, "limit", MOST_MESSAGES);
  kymo_asker_ask (self->messages_asker, question);
}

/* The answers at hand stand until the next ones are there. */
static void
on_grown (KymoSelectedBlock *self)
{
  if (kymo_asker_wants_more (self->details_asker))
    ask_details (self);
  if (kymo_asker_wants_more (self->messages_asker))
    ask_messages (self);
}

/**
 * kymo_selected_block_renew:
 *
 * Drops the answers, and asks about the block that the session has selected now. Called by the
 * session where it selects another block, or none.
 */
void
kymo_selected_block_renew (KymoSelectedBlock *self)
{
  gboolean has_block = kymo_session_get_block (self->session, NULL, NULL);

  kymo_asker_cancel (self->details_asker);
  kymo_asker_cancel (self->messages_asker);
  g_clear_pointer (&self->details, kymo_table_unref);
  g_clear_pointer (&self->messages, kymo_table_unref);
  g_clear_pointer (&self->failure, g_free);
  ask_details (self);
  ask_messages (self);
  g_signal_emit (self, signals[CHANGED], 0);
  if (has_block)
    return;
  g_signal_emit (self, signals[DETAILS], 0);
  g_signal_emit (self, signals[MESSAGES], 0);
}

/**
 * kymo_selected_block_peek_details:
 *
 * Returns: (transfer none) (nullable): the answer of kind details, valid until "changed" or
 *   "details"; %NULL without a selected block, until the answer has come, and where it failed
 */
KymoTable *
kymo_selected_block_peek_details (KymoSelectedBlock *self)
{
  return self->details;
}

/**
 * kymo_selected_block_peek_failure:
 *
 * Returns: (transfer none) (nullable): the sentence that says why there are no details; %NULL
 *   where there are some, and until the answer has come
 */
const char *
kymo_selected_block_peek_failure (KymoSelectedBlock *self)
{
  return self->failure;
}

/**
 * kymo_selected_block_want_messages:
 *
 * From now on the messages of each selected block are asked for, too, if the run has messages.
 * May be called more than once.
 */
void
kymo_selected_block_want_messages (KymoSelectedBlock *self)
{
  if (self->wants_messages)
    return;
  self->wants_messages = TRUE;
  ask_messages (self);
}

/**
 * kymo_selected_block_peek_messages:
 *
 * Returns: (transfer none) (nullable): the answer of kind messages about the block, in both
 *   directions and without the filter of messages, valid until "changed" or "messages"; %NULL
 *   without a selected block, until the answer has come, and where nothing wants messages
 */
KymoTable *
kymo_selected_block_peek_messages (KymoSelectedBlock *self)
{
  return self->messages;
}

static void
kymo_selected_block_dispose (GObject *object)
{
  KymoSelectedBlock *self = KYMO_SELECTED_BLOCK (object);

  g_clear_pointer (&self->details_asker, kymo_asker_free);
  g_clear_pointer (&self->messages_asker, kymo_asker_free);
  g_clear_pointer (&self->details, kymo_table_unref);
  g_clear_pointer (&self->messages, kymo_table_unref);
  g_clear_pointer (&self->failure, g_free);
  G_OBJECT_CLASS (kymo_selected_block_parent_class)->dispose (object);
}

static void
kymo_selected_block_class_init (KymoSelectedBlockClass *klass)
{
  static const char *const names[N_BLOCK_SIGNALS] = { "changed", "details", "messages" };

  G_OBJECT_CLASS (klass)->dispose = kymo_selected_block_dispose;
  for (guint i = 0; i < N_BLOCK_SIGNALS; i++)
    signals[i] = kymo_signal_new (names[i], KYMO_TYPE_SELECTED_BLOCK, 0);
}

static void
kymo_selected_block_init (KymoSelectedBlock *self)
{
}

/**
 * kymo_selected_block_of:
 *
 * Returns: (transfer none): the selected block of @session, which owns it; made on first use, so
 *   that a session whose blocks nothing shows asks nothing
 */
KymoSelectedBlock *
kymo_selected_block_of (KymoSession *session)
{
  KymoSelectedBlock *self = session->selected_block;

  if (self != NULL)
    return self;
  self = session->selected_block
    = g_object_new (KYMO_TYPE_SELECTED_BLOCK, NULL);
  self->session = session;
  self->details_asker = kymo_asker_new (session->source, on_details, self);
  self->messages_asker = kymo_asker_new (session->source, on_messages, self);
  kymo_asker_set_again (self->details_asker, ask_details);
  kymo_asker_set_again (self->messages_asker, ask_messages);
  kymo_follow (session, "grown", on_grown, self);
  kymo_follow (session, "filter-changed", ask_messages, self);
  ask_details (self);
  return self;
}
