/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The messages of one block: the one that started it, back to its sender, and all that
 * were sent in it, with their receivers. Of a function that exchanges messages
 * those that it takes in and sends itself, and of a collective call who depended on whom.
 */
#include "config.h"

#include "kymo-details.h"
#include "kymo-messages-private.h"
#include "kymo-senders.h"

/* A list of messages of the answer. */
typedef struct
{
  GArray *messages;             /* KymoMessage */
  gint64  n_left_out;           /* by the filter */
} List;

static void
add_open (const KymoAsk *ask,
          KymoSegment   *sender,
          guint          send,
          List          *list)
{
  KymoMessage message;

  if (!kymo_open_is_wanted (ask, sender, send))
    {
      list->n_left_out++;
      return;
    }
  kymo_message_of_open (ask, sender, send, &message);
  g_array_append_val (list->messages, message);
}

static void
add_received (const KymoAsk *ask,
              guint          receiver,
              guint          index,
              List          *list)
{
  KymoMessage message;

  kymo_message_of_receiver (ask, receiver, index, &message);
  if (kymo_message_is_wanted (ask, receiver, index, &message.way.sender))
    g_array_append_val (list->messages, message);
  else
    list->n_left_out++;
}

static void
add_causes (const KymoAsk *ask,
            KymoSegment   *segment,
            guint          block,
            List          *list)
{
  const KymoExchange *x = segment->exchange;

  if (x == NULL && segment->block_event[block] >= 0)
    add_received (ask, segment->location, block, list);
  for (guint i = 0; x != NULL && i < x->n_receives; i++)
    if (x->receive_block[i] == block)
      add_received (ask, segment->location, i, list);
}

/* Adds the messages that a block sent. Messages of a broadcast share a send. */
static void
add_caused (const KymoAsk      *ask,
            const KymoArrivals *arrivals,
            KymoSegment        *segment,
            guint               block,
            List               *list)
{
  const KymoArrivalsOf *of = &arrivals->of[segment->location];
  gint64 end_ns = kymo_segment_block_end (segment, block);

  for (guint i = kymo_segment_first_send (segment, kymo_segment_block_begin (segment, block));
       i < segment->n_sends && kymo_segment_send_time (segment, i) <= end_ns; i++)
    {
      if (kymo_send_owner (ask, segment, i) != block)
        continue;
      for (guint k = of->first[i]; k < of->first[i + 1]; k++)
        add_received (ask, of->items[k].location, of->items[k].index, list);
      if (kymo_send_is_open (ask, arrivals, segment, i))
        add_open (ask, segment, i, list);
    }
}

static void
set_counts (const GArray *messages,
            KymoTable    *answer)
{
  gint64 of[KYMO_N_MESSAGE_KINDS] = { 0 };

  for (guint i = 0; i < messages->len; i++)
    of[g_array_index (messages, KymoMessage, i).kind]++;
  kymo_table_set_int (answer, "count", messages->len - of[KYMO_MESSAGE_OPEN]);
  kymo_table_set_int (answer, "uncertain", of[KYMO_MESSAGE_UNCERTAIN]);
  kymo_table_set_int (answer, "unmatched", of[KYMO_MESSAGE_UNMATCHED]);
  kymo_table_set_int (answer, "open", of[KYMO_MESSAGE_OPEN]);
}

static void
set_list (const KymoAsk *ask,
          KymoTable     *answer,
          const char    *key,
          const char    *count_key,
          GArray        *messages)
{
  const KymoMessagePlan *plan = ask->plan;

  kymo_table_set_int (answer, count_key, messages->len);
  if (messages->len > plan->limit)
    g_array_set_size (messages, plan->limit);
  kymo_table_set_table (answer, key, kymo_messages_to_table (ask, messages, TRUE));
}

/**
 * kymo_messages_of_block:
 *
 * Returns: (transfer full) (nullable): the answer, with "messages" (what started the
 * block) and "caused", and how many each are; %NULL when it was cancelled
 */
KymoTable *
kymo_messages_of_block (const KymoAsk  *ask,
                        GError        **error)
{
  const KymoMessagePlan *plan = ask->plan;
  KymoSegment *segment = kymo_ask_segment_of (ask, plan->index);
  gint block = kymo_segment_block_at (segment, plan->time_ns);
  g_autoptr (GArray) causes = g_array_new (FALSE, FALSE, sizeof (KymoMessage));
  g_autoptr (GArray) caused = g_array_new (FALSE, FALSE, sizeof (KymoMessage));
  const KymoArrivals *arrivals = NULL;
  List back = { causes, 0 }, forward = { caused, 0 };
  KymoTable *answer;

  if (block >= 0 && plan->forward && (arrivals = kymo_arrivals_peek (ask, error)) == NULL)
    return NULL;
  if (block >= 0 && plan->back)
    add_causes (ask, segment, block, &back);
  if (arrivals != NULL)
    add_caused (ask, arrivals, segment, block, &forward);
  answer = kymo_table_new (KYMO_STYLE_OBJECT);
  kymo_table_set_int (answer, "location", kymo_run_peek_location (ask->run, plan->index)->id);
  kymo_table_set_int (answer, "begin_ns", block < 0 ? KYMO_NULL_INT
                      : kymo_segment_block_begin (segment, block));
  kymo_table_set_int (answer, "end_ns", block < 0 ? KYMO_NULL_INT
                      : kymo_segment_block_end (segment, block));
  kymo_table_set_string (answer, "row_term", kymo_terms_row (ask->run->terms, FALSE));
  kymo_message_filter_set (&plan->filter, answer);
  if (plan->filter.is_on)
    kymo_table_set_int (answer, "left_out_messages", back.n_left_out + forward.n_left_out);
  set_counts (caused, answer);
  set_list (ask, answer, "messages", "causes", causes);
  set_list (ask, answer, "caused", "n_caused", caused);
  if (block >= 0)
    kymo_messages_set_fan (ask, answer);
  return answer;
}
