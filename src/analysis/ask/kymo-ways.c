/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a message came from. In a program with communication threads a worker
 * creates it, the thread that takes it from the network executes a block that
 * creates it again, and the receiver's begin record names that thread. The
 * way is followed back to the first creation, so that it is one message.
 */
#include "config.h"

#include "kymo-ways.h"

#include "kymo-senders.h"

/**
 * kymo_match_block:
 * @hints: (nullable): by location of the run the send found last, at first
 *   0; for who walks over blocks in order, one array a thread
 * @sender: (out): the creation
 *
 * Looks for the creation that a block names. A record of one destination must
 * be for the same entry method to be sure.
 */
KymoMatch
kymo_match_block (const KymoAsk     *ask,
                  const KymoSegment *segment,
                  guint              block,
                  guint             *hints,
                  KymoSender        *sender)
{
  gint location, found;
  KymoSegment *creator;

  *sender = KYMO_SENDER_UNKNOWN;
  if (segment->block_event[block] < 0)
    return KYMO_MATCH_NONE;
  location = kymo_run_find_location (ask->run, segment->block_source[block]);
  if (location < 0)
    return KYMO_MATCH_NONE;
  creator = kymo_ask_segment_of (ask, location);
  found = hints != NULL
    ? kymo_segment_find_send_near (creator, segment->block_event[block], &hints[location])
    : kymo_segment_find_send (creator, segment->block_event[block]);
  if (found < 0)
    return KYMO_MATCH_NONE;
  *sender = (KymoSender) { location, found, creator->send_activity[found],
                           kymo_segment_send_time (creator, found) };
  return kymo_segment_send_kind (creator, found) == KYMO_SEND_ONE
    && sender->activity != segment->block_activity[block]
    ? KYMO_MATCH_OTHER_ENTRY : KYMO_MATCH_SAME;
}

/**
 * kymo_sent_in:
 * @sender: a known one
 * @in: (out): the block that created the message; see kymo_send_owner()
 */
void
kymo_sent_in (const KymoAsk    *ask,
              const KymoSender *sender,
              KymoSentIn       *in)
{
  const KymoSegment *segment = kymo_ask_segment_of (ask, sender->location);
  guint32 block = kymo_send_owner (ask, segment, sender->send);

  *in = block == KYMO_NO_BLOCK || block >= segment->n_blocks
    ? (KymoSentIn) { KYMO_NO_BLOCK, G_MAXUINT32, sender->sent_ns }
    : (KymoSentIn) { block, segment->block_activity[block],
                     kymo_segment_block_begin (segment, block) };
}

/** kymo_is_comm_thread: Returns: whether a location is a communication thread */
gboolean
kymo_is_comm_thread (const KymoAsk *ask,
                     guint          location)
{
  return kymo_run_peek_location (ask->run, location)->kind == KYMO_LOCATION_COMM;
}

static void
reverse (gint64 *ids,
         guint   n)
{
  for (guint i = 0; i < n / 2; i++)
    {
      gint64 other = ids[n - 1 - i];

      ids[n - 1 - i] = ids[i];
      ids[i] = other;
    }
}

/**
 * kymo_way_of_block:
 * @way: (out): the way of the message that the block executes
 *
 * Follows a block's message back through communication threads to the first
 * creation. Where a creation is not in the run the way ends there: what is
 * known of its sender is what the last record names.
 */
void
kymo_way_of_block (const KymoAsk     *ask,
                   const KymoSegment *segment,
                   guint              block,
                   KymoWay           *way)
{
  *way = (KymoWay) { .from = segment->block_source[block], .event = segment->block_event[block] };
  way->match = kymo_match_block (ask, segment, block, NULL, &way->sender);
  while (kymo_sender_is_known (&way->sender) && way->n_via < KYMO_MOST_HOPS
         && kymo_is_comm_thread (ask, way->sender.location))
    {
      KymoSegment *hop = kymo_ask_segment_of (ask, way->sender.location);
      guint32 inside = kymo_segment_peek_send_blocks (hop)[way->sender.send];
      KymoMatch match;

      /* The thread's own message, and no other's. */
      if (inside == KYMO_NO_BLOCK || hop->block_event[inside] < 0)
        break;
      way->via_ns[way->n_via] = kymo_segment_block_begin (hop, inside);
      way->via[way->n_via++] = kymo_run_peek_location (ask->run, hop->location)->id;
      way->from = hop->block_source[inside];
      way->event = hop->block_event[inside];
      match = kymo_match_block (ask, hop, inside, NULL, &way->sender);
      way->match = MIN (way->match, match);
    }
  reverse (way->via, way->n_via);
  reverse (way->via_ns, way->n_via);
}

/**
 * kymo_block_is_hop:
 *
 * Returns: whether the block is a communication thread's that passes its
 * message on, so that the message is told where it arrives
 */
gboolean
kymo_block_is_hop (const KymoAsk *ask,
                   KymoSegment   *segment,
                   guint          block)
{
  return kymo_is_comm_thread (ask, segment->location)
    && kymo_segment_block_sends (segment, block);
}

/**
 * kymo_run_has_exchanges:
 *
 * Returns: whether messages of the run are sent and received from inside of
 * functions; blocks are not started by any then
 */
gboolean
kymo_run_has_exchanges (const KymoRun *run)
{
  for (guint i = 0; i < run->segments->len; i++)
    if (((const KymoSegment *) g_ptr_array_index (run->segments, i))->exchange != NULL)
      return TRUE;
  return FALSE;
}

/**
 * kymo_receive_is_asked:
 *
 * Returns: whether receive @i of a segment is inside the asked range
 */
gboolean
kymo_receive_is_asked (const KymoAsk     *ask,
                       const KymoSegment *segment,
                       guint              i)
{
  gint64 time_ns = kymo_segment_receive_time (segment, i);

  return time_ns >= ask->span.begin_ns && time_ns < kymo_ask_count_end (ask);
}

static void
sender_of_exchange (const KymoAsk *ask,
                    guint32        location,
                    guint          send,
                    KymoSender    *sender)
{
  const KymoSegment *segment = kymo_ask_segment_of (ask, location);

  *sender = (KymoSender) { location, send, segment->send_activity[send],
                           kymo_segment_send_time (segment, send) };
}

/**
 * kymo_receipt_of:
 * @receipt: (out): receive @i of @segment and, if the run has it, the send of the message
 */
void
kymo_receipt_of (const KymoAsk     *ask,
                 const KymoSegment *segment,
                 guint              i,
                 KymoReceipt       *receipt)
{
  const KymoExchange *x = segment->exchange;
  guint32 block = x->receive_block[i];
  guint32 sender = x->receive_location != NULL ? x->receive_location[i] : KYMO_UNMATCHED;

  *receipt = (KymoReceipt) {
    .location = segment->location,
    .from = x->receive_partner[i],
    .to = kymo_run_peek_location (ask->run, segment->location)->process,
    .time_ns = kymo_segment_receive_time (segment, i),
    .bytes = x->receive_bytes[i],
    .activity = block != KYMO_NO_BLOCK ? segment->block_activity[block] : G_MAXUINT32,
    .sender = KYMO_SENDER_UNKNOWN,
  };
  if (sender != KYMO_UNMATCHED)
    sender_of_exchange (ask, sender, x->receive_send[i], &receipt->sender);
}

/**
 * kymo_receiver_of_send:
 *
 * Returns: index of the location that received send @i, or -1
 */
gint
kymo_receiver_of_send (const KymoSegment *segment,
                       guint              i)
{
  const KymoExchange *x = segment->exchange;

  return x == NULL || x->send_location == NULL || x->send_location[i] == KYMO_UNMATCHED ? -1
    : (gint) x->send_location[i];
}

/**
 * kymo_delivery_of:
 * @segment: of a run with exchanges
 * @delivery: (out): the receive of send @i of @segment, if the run has it
 */
void
kymo_delivery_of (const KymoAsk     *ask,
                  const KymoSegment *segment,
                  guint              i,
                  KymoDelivery      *delivery)
{
  gint location = kymo_receiver_of_send (segment, i);
  const KymoSegment *receiver;
  guint receive;

  *delivery = (KymoDelivery) { location, KYMO_NULL_INT, KYMO_NO_BLOCK, G_MAXUINT32,
                               KYMO_NULL_INT };
  if (location < 0)
    return;
  receiver = kymo_ask_segment_of (ask, location);
  receive = segment->exchange->send_receive[i];
  delivery->block = receiver->exchange->receive_block[receive];
  delivery->begin_ns = delivery->time_ns = kymo_segment_receive_time (receiver, receive);
  if (delivery->block == KYMO_NO_BLOCK)
    return;
  delivery->activity = receiver->block_activity[delivery->block];
  delivery->begin_ns = kymo_segment_block_begin (receiver, delivery->block);
}

/**
 * kymo_taken_of:
 * @location: index of the location that received the message
 * @index: the block that it started there, or the receive
 * @taken: (out): what is recorded there of the message
 */
void
kymo_taken_of (const KymoAsk *ask,
               guint          location,
               guint          index,
               KymoTaken     *taken)
{
  const KymoSegment *receiver = kymo_ask_segment_of (ask, location);
  const KymoExchange *x = receiver->exchange;
  guint32 block = x != NULL ? x->receive_block[index] : index;

  *taken = (KymoTaken) {
    .bytes = x != NULL ? x->receive_bytes[index] : receiver->block_bytes[index],
    .tag = x != NULL ? x->receive_tag[index] : KYMO_NULL_INT,
    .activity = block < receiver->n_blocks ? receiver->block_activity[block] : G_MAXUINT32,
  };
}
