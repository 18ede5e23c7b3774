/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-message-filter.h"

#include <glib/gi18n-lib.h>

#include "kymo-error.h"
#include "kymo-name.h"
#include "kymo-senders.h"
#include "kymo-ways.h"

static gboolean
read_tag (KymoMessageFilter  *filter,
          const KymoAsk      *ask,
          GError            **error)
{
  filter->has_tag = kymo_question_get (ask->question, "tag") != NULL;
  if (!kymo_question_get_int (ask->question, "tag", 0, &filter->tag, error))
    return FALSE;
  /* A trace of functions that sends none has no message of any tag, which is no mistake. */
  if (!filter->has_tag || ask->run->terms.code == KYMO_CODE_FUNCTION)
    return TRUE;
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE, _("The messages of the run have no tags"));
  return FALSE;
}

/* Names that the run has not hide nothing. Several entry methods may have one name. */
static void
read_hidden (KymoMessageFilter *filter,
             const KymoAsk     *ask)
{
  g_auto (GStrv) names = kymo_name_list_split (kymo_question_get (ask->question, "hide"));
  g_autoptr (GHashTable) set = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) met = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; names[i] != NULL; i++)
    g_hash_table_add (set, names[i]);
  filter->n_activities = ask->run->activities->len;
  filter->hidden = g_new0 (gboolean, MAX (filter->n_activities, 1));
  for (guint i = 0; i < filter->n_activities; i++)
    {
      char *name = kymo_run_peek_activity (ask->run, i)->name;

      filter->hidden[i] = g_hash_table_contains (set, name);
      if (filter->hidden[i])
        g_hash_table_add (met, name);
    }
  filter->n_hidden = g_hash_table_size (met);
  if (filter->n_hidden == 0)
    g_clear_pointer (&filter->hidden, g_free);
}

/**
 * kymo_message_filter_init:
 * @filter: (out): what the keywords "least-bytes", "tag" and "hide" of the question want
 *
 * Returns: %FALSE and a usage error where a keyword is no number, or the run has no tags
 */
gboolean
kymo_message_filter_init (KymoMessageFilter  *filter,
                          const KymoAsk      *ask,
                          GError            **error)
{
  *filter = (KymoMessageFilter) { 0 };
  if (!kymo_question_get_int (ask->question, "least-bytes", 0, &filter->least_bytes, error)
      || !read_tag (filter, ask, error))
    return FALSE;
  if (kymo_question_get (ask->question, "hide") != NULL)
    read_hidden (filter, ask);
  filter->is_on = filter->least_bytes > 0 || filter->has_tag || filter->hidden != NULL;
  return TRUE;
}

/**
 * kymo_message_filter_clear:
 * @filter: initialised, or zero
 *
 * Frees what the filter holds, not the filter itself; may be called more than once.
 */
void
kymo_message_filter_clear (KymoMessageFilter *filter)
{
  g_clear_pointer (&filter->hidden, g_free);
}

static gboolean
is_hidden (const KymoMessageFilter *filter,
           guint32                  activity)
{
  return activity < filter->n_activities && filter->hidden[activity];
}

static gboolean
block_is_hidden (const KymoMessageFilter *filter,
                 const KymoSegment       *segment,
                 guint32                  block)
{
  return block < segment->n_blocks && is_hidden (filter, segment->block_activity[block]);
}

static gboolean
takes_receipt (const KymoMessageFilter *filter,
               const KymoTaken         *taken)
{
  return taken->bytes >= filter->least_bytes
    && (!filter->has_tag || taken->tag == filter->tag)
    && (filter->hidden == NULL || !is_hidden (filter, taken->activity));
}

/* Whom a record of sending names: an entry method, or the function that took it in. */
static gboolean
is_for_hidden (const KymoMessageFilter *filter,
               const KymoAsk           *ask,
               const KymoSegment       *segment,
               guint                    send)
{
  KymoDelivery delivery;

  if (segment->exchange == NULL)
    return is_hidden (filter, segment->send_activity[send]);
  kymo_delivery_of (ask, segment, send, &delivery);
  return is_hidden (filter, delivery.activity);
}

/**
 * kymo_message_filter_takes:
 * @receiver: index of the location where it arrived; its bytes, tag and name are what counts
 * @index: the block, or the receive, there
 * @sender: (nullable): who sent it, if anybody knows
 *
 * Returns: whether a message that arrived passes
 */
gboolean
kymo_message_filter_takes (const KymoMessageFilter *filter,
                           const KymoAsk           *ask,
                           guint                    receiver,
                           guint                    index,
                           const KymoSender        *sender)
{
  KymoTaken taken;
  KymoSentIn in;

  if (!filter->is_on)
    return TRUE;
  kymo_taken_of (ask, receiver, index, &taken);
  if (!takes_receipt (filter, &taken))
    return FALSE;
  if (filter->hidden == NULL || sender == NULL || !kymo_sender_is_known (sender))
    return TRUE;
  kymo_sent_in (ask, sender, &in);
  return !is_hidden (filter, in.activity);
}

/**
 * kymo_message_filter_takes_send:
 * @send: a record of sending of @segment
 *
 * Returns: whether a message passes of which the sender's record alone counts
 */
gboolean
kymo_message_filter_takes_send (const KymoMessageFilter *filter,
                                const KymoAsk           *ask,
                                const KymoSegment       *segment,
                                guint                    send)
{
  const KymoExchange *x = segment->exchange;

  if (!filter->is_on)
    return TRUE;
  if (segment->send_bytes[send] < filter->least_bytes
      || (filter->has_tag && (x == NULL || x->send_tag[send] != filter->tag)))
    return FALSE;
  return filter->hidden == NULL
    || (!is_for_hidden (filter, ask, segment, send)
        && !block_is_hidden (filter, segment, kymo_send_owner (ask, segment, send)));
}

/**
 * kymo_message_filter_set:
 *
 * Notes in an answer by what its messages were chosen: "least_bytes", "tag" and
 * "hidden_names", how many; each only where it leaves any out.
 */
void
kymo_message_filter_set (const KymoMessageFilter *filter,
                         KymoTable               *answer)
{
  if (filter->least_bytes > 0)
    kymo_table_set_int (answer, "least_bytes", filter->least_bytes);
  if (filter->has_tag)
    kymo_table_set_int (answer, "tag", filter->tag);
  if (filter->hidden != NULL)
    kymo_table_set_int (answer, "hidden_names", filter->n_hidden);
}

/**
 * kymo_comm_dup_name:
 * @comm: number of a communicator: its index in the definitions + 1; 0 = none
 *
 * Returns: (transfer full): its name, or its number where the files do not name it; "" of none
 */
char *
kymo_comm_dup_name (const KymoRun *run,
                    guint32        comm)
{
  const KymoDefinitions *definitions = run->definitions;
  const char *name = NULL;

  if (comm == 0)
    return g_strdup ("");
  if (definitions != NULL && definitions->comms != NULL && comm <= definitions->comms->len)
    name = g_array_index (definitions->comms, KymoComm, comm - 1).name;
  return name != NULL && *name != '\0' ? g_strdup (name) : g_strdup_printf ("%u", comm);
}
