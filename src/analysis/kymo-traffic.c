/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-traffic.h"

#include "kymo-exchanges.h"
#include "kymo-messages.h"
#include "kymo-senders.h"

/**
 * kymo_traffic_rules_init:
 * @rules: (out): by the keyword "join" of the question, and the run
 */
void
kymo_traffic_rules_init (KymoTrafficRules *rules,
                         const KymoAsk    *ask)
{
  *rules = (KymoTrafficRules) {
    .join = kymo_question_get_flag (ask->question, "join"),
    .exchanges = kymo_run_has_exchanges (ask->run),
  };
  for (guint i = 0; rules->join && i < ask->run->locations->len && !rules->has_ways; i++)
    rules->has_ways = kymo_run_peek_location (ask->run, i)->kind == KYMO_LOCATION_COMM;
}

static void
tell_block (const KymoAsk          *ask,
            const KymoTrafficRules *rules,
            KymoSegment            *segment,
            guint                   block,
            guint                  *hints,
            KymoTrafficFunc         func,
            gpointer                data)
{
  KymoTrafficMessage message = {
    .from = segment->block_source[block],
    .received_ns = kymo_segment_block_begin (segment, block),
    .bytes = segment->block_bytes[block],
    .activity = segment->block_activity[block],
  };
  KymoMatch match;

  if (rules->has_ways)
    {
      KymoWay way;

      if (kymo_block_is_hop (ask, segment, block))
        return;
      kymo_way_of_block (ask, segment, block, &way);
      match = way.match;
      message.from = way.from;
      message.sender = way.sender;
      message.send = way.send;
    }
  else
    match = kymo_match_block (ask, segment, block, hints, &message.sender, &message.send);
  if (match != KYMO_MATCH_SAME)
    message.sender = NULL;
  func (ask, data, segment, &message);
}

static void
tell_receive (const KymoAsk   *ask,
              KymoSegment     *segment,
              guint            i,
              KymoTrafficFunc  func,
              gpointer         data)
{
  KymoReceipt receipt;

  kymo_receipt_of (ask, segment, i, &receipt);
  func (ask, data, segment, &(KymoTrafficMessage) {
    .from = receipt.from,
    .received_ns = receipt.time_ns,
    .bytes = receipt.bytes,
    .activity = receipt.activity,
    .sender = (KymoSegment *) receipt.sender,
    .send = receipt.send,
  });
}

/**
 * kymo_traffic_each_received:
 * @later: those received behind the asked range as well
 * @hints: (nullable): by location of the run, at first 0; see kymo_match_block()
 *
 * Calls @func for each message that the location of @segment received in the asked range.
 * Stops where the question is cancelled.
 */
void
kymo_traffic_each_received (const KymoAsk          *ask,
                            const KymoTrafficRules *rules,
                            KymoSegment            *segment,
                            gboolean                later,
                            guint                  *hints,
                            KymoTrafficFunc         func,
                            gpointer                data)
{
  gint64 end_ns = later ? G_MAXINT64 : kymo_ask_count_end (ask);

  if (rules->exchanges)
    {
      for (guint i = 0; segment->exchange != NULL && i < segment->exchange->n_receives
           && !kymo_ask_is_stopped (ask, i); i++)
        {
          gint64 time_ns = kymo_segment_receive_time (segment, i);

          if (time_ns >= ask->span.begin_ns && time_ns < end_ns)
            tell_receive (ask, segment, i, func, data);
        }
      return;
    }
  for (guint i = kymo_segment_first_block (segment, ask->span.begin_ns);
       i < segment->n_blocks && kymo_segment_block_begin (segment, i) < end_ns
       && !kymo_ask_is_stopped (ask, i); i++)
    if (segment->block_event[i] >= 0 && kymo_segment_is_first (segment, i))
      tell_block (ask, rules, segment, i, hints, func, data);
}

/**
 * kymo_traffic_send_is_asked:
 *
 * Returns: whether a send lies in the asked range
 */
gboolean
kymo_traffic_send_is_asked (const KymoAsk     *ask,
                            const KymoSegment *segment,
                            guint              send)
{
  gint64 time_ns = kymo_segment_send_time (segment, send);

  return time_ns >= ask->span.begin_ns && time_ns < kymo_ask_count_end (ask);
}

/**
 * kymo_traffic_sender_of:
 *
 * Returns: the entry method or function whose block created a send, or %KYMO_OUTSIDE; see
 * kymo_send_owner()
 */
guint32
kymo_traffic_sender_of (const KymoAsk     *ask,
                        const KymoSegment *segment,
                        guint              send)
{
  guint32 block = kymo_send_owner (ask, segment, send);

  return block == KYMO_NO_BLOCK ? KYMO_OUTSIDE : segment->block_activity[block];
}

/**
 * kymo_traffic_send_bytes:
 *
 * Returns: its size times its destinations. Both numbers come from files: an absurd
 * product stays at the largest number
 */
gint64
kymo_traffic_send_bytes (const KymoSegment *segment,
                         guint              send)
{
  guint64 all = (guint64) segment->send_bytes[send]
    * kymo_segment_send_destinations (segment, send);

  return (gint64) MIN (all, G_MAXINT64);
}

/* -- totals ---------------------------------------------------------------- */

static void
add (gint64 *sum,
     gint64  more)
{
  *sum = kymo_saturating_add (*sum, more);
}

/** kymo_traffic_totals_add_sent: one more record of sending */
void
kymo_traffic_totals_add_sent (KymoTrafficTotals *totals,
                              const KymoSegment *segment,
                              guint              send)
{
  totals->sent_records++;
  add (&totals->sent_messages, kymo_segment_send_destinations (segment, send));
  add (&totals->sent_bytes, kymo_traffic_send_bytes (segment, send));
}

/** kymo_traffic_totals_add_received: one more message */
void
kymo_traffic_totals_add_received (KymoTrafficTotals        *totals,
                                  const KymoTrafficMessage *message)
{
  totals->messages++;
  add (&totals->bytes, message->bytes);
  totals->matched += message->sender != NULL;
}

/** kymo_traffic_totals_merge: */
void
kymo_traffic_totals_merge (KymoTrafficTotals       *into,
                           const KymoTrafficTotals *from)
{
  add (&into->messages, from->messages);
  add (&into->bytes, from->bytes);
  add (&into->matched, from->matched);
  add (&into->sent_records, from->sent_records);
  add (&into->sent_messages, from->sent_messages);
  add (&into->sent_bytes, from->sent_bytes);
}

/** kymo_traffic_totals_weigh: of one location; counts are in millionths from here on */
void
kymo_traffic_totals_weigh (KymoTrafficTotals *totals,
                           gint64             weight)
{
  totals->messages = kymo_weigh_count (totals->messages, weight);
  totals->bytes = kymo_weigh (totals->bytes, weight);
  totals->matched = kymo_weigh_count (totals->matched, weight);
  totals->sent_records = kymo_weigh_count (totals->sent_records, weight);
  totals->sent_messages = kymo_weigh_count (totals->sent_messages, weight);
  totals->sent_bytes = kymo_weigh (totals->sent_bytes, weight);
}

/** kymo_traffic_totals_set: in an answer, and by whose weight messages count */
void
kymo_traffic_totals_set (const KymoTrafficTotals *totals,
                         const KymoAsk           *ask,
                         KymoTable               *answer)
{
  gint64 messages = kymo_ask_round (ask, totals->messages);
  gint64 matched = kymo_ask_round (ask, totals->matched);

  if (ask->weights != NULL)
    kymo_table_set_string (answer, "weighed_by", "receiver");
  kymo_table_set_int (answer, "messages", messages);
  kymo_table_set_int (answer, "bytes", totals->bytes);
  kymo_table_set_int (answer, "matched", matched);
  kymo_table_set_int (answer, "unmatched", messages - matched);
  kymo_table_set_int (answer, "sent_records", kymo_ask_round (ask, totals->sent_records));
  kymo_table_set_int (answer, "sent_messages", kymo_ask_round (ask, totals->sent_messages));
  kymo_table_set_int (answer, "sent_bytes", totals->sent_bytes);
}

/**
 * kymo_traffic_of:
 *
 * Returns: what a picture of the answer is to show, by the keyword "of": "messages" or
 * "bytes". Figures do not depend on it
 */
const char *
kymo_traffic_of (const KymoQuestion *question)
{
  return g_strcmp0 (kymo_question_get (question, "of"), "messages") == 0 ? "messages" : "bytes";
}
