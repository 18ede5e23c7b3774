/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which messages one wants to see, whichever way they are told: large ones alone
 * ("least-bytes"), of functions those with a tag ("tag"), and none from or to names that are
 * left out ("hide": names divided by semicolons, as files of pictures are asked for).
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-error.h"
#include "kymo-exchanges.h"
#include "kymo-messages-private.h"
#include "kymo-senders.h"

static gboolean
read_tag (KymoAsk          *ask,
          KymoMessagePlan  *plan,
          GError          **error)
{
  plan->has_tag = kymo_question_get (ask->question, "tag") != NULL;
  if (!kymo_question_get_int (ask->question, "tag", 0, &plan->tag, error))
    return FALSE;
  if (!plan->has_tag || kymo_run_has_exchanges (ask->run))
    return TRUE;
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE, _("The messages of the run have no tags"));
  return FALSE;
}

static void
read_hidden (KymoAsk         *ask,
             KymoMessagePlan *plan)
{
  const char *list = kymo_question_get (ask->question, "hide");
  g_auto (GStrv) names = list != NULL ? g_strsplit (list, ";", -1) : NULL;
  g_autoptr (GHashTable) set = NULL;

  if (names == NULL)
    return;
  set = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; names[i] != NULL; i++)
    g_hash_table_add (set, names[i]);
  plan->n_hidden = ask->run->activities->len;
  plan->hidden = g_new0 (gboolean, plan->n_hidden);
  for (guint i = 0; i < plan->n_hidden; i++)
    plan->hidden[i] = g_hash_table_contains (set, kymo_run_peek_activity (ask->run, i)->name);
}

/**
 * kymo_messages_read_filter:
 * @plan: the question's; its @hidden is to be freed
 *
 * Returns: %FALSE and a usage error where a keyword is no number, or the run has no tags
 */
gboolean
kymo_messages_read_filter (KymoAsk          *ask,
                           KymoMessagePlan  *plan,
                           GError          **error)
{
  if (!kymo_question_get_int (ask->question, "least-bytes", 0, &plan->least_bytes, error)
      || !read_tag (ask, plan, error))
    return FALSE;
  read_hidden (ask, plan);
  return TRUE;
}

static gboolean
is_hidden (const KymoMessagePlan *plan,
           guint32                activity)
{
  return activity < plan->n_hidden && plan->hidden[activity];
}

static gboolean
block_is_hidden (const KymoMessagePlan *plan,
                 const KymoSegment     *segment,
                 guint32                block)
{
  return block < segment->n_blocks && is_hidden (plan, segment->block_activity[block]);
}

static gboolean
receipt_is_wanted (const KymoMessagePlan *plan,
                   const KymoSegment     *receiver,
                   guint                  index)
{
  const KymoExchange *x = receiver->exchange;

  if ((x != NULL ? x->receive_bytes[index] : receiver->block_bytes[index]) < plan->least_bytes
      || (plan->has_tag && (x == NULL || x->receive_tag[index] != plan->tag)))
    return FALSE;
  return plan->hidden == NULL
    || !block_is_hidden (plan, receiver, x != NULL ? x->receive_block[index] : index);
}

static gboolean
send_is_wanted (const KymoMessagePlan *plan,
                const KymoSegment     *sender,
                guint                  send)
{
  const KymoExchange *x = sender->exchange;

  return sender->send_bytes[send] >= plan->least_bytes
    && (!plan->has_tag || (x != NULL && x->send_tag[send] == plan->tag))
    && !is_hidden (plan, sender->send_activity[send]);
}

/**
 * kymo_message_is_wanted:
 * @receiver: (nullable): where it arrived, if anybody knows; its bytes, tag and name are
 *   what counts then
 * @index: the block, or the receive, there
 * @sender: (nullable): who sent it, if anybody knows
 * @send: its record there
 *
 * Returns: whether a message passes what the question filters by
 */
gboolean
kymo_message_is_wanted (const KymoAsk     *ask,
                        const KymoSegment *receiver,
                        guint              index,
                        const KymoSegment *sender,
                        guint              send)
{
  const KymoMessagePlan *plan = ask->plan;

  if (receiver != NULL ? !receipt_is_wanted (plan, receiver, index)
      : !send_is_wanted (plan, sender, send))
    return FALSE;
  return plan->hidden == NULL || sender == NULL
    || !block_is_hidden (plan, sender, kymo_send_owner (ask, sender, send));
}
