/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Late senders and late receivers of one location, from the messages that were
 * matched. Where an end lies in no call that counts, its own moment stands for the
 * begin of the call.
 */
#include "config.h"

#include "kymo-waits.h"

/* When the location began to do its part of a message. */
static gint64
came_ns (const KymoAsk     *ask,
         const guint8      *rules,
         const KymoSegment *segment,
         guint32            block,
         gint64             time_ns)
{
  if (block == KYMO_NO_BLOCK
      || !(rules[segment->block_activity[block]] & KYMO_WAITS_FOR_MESSAGES))
    return time_ns;
  return kymo_segment_block_begin (segment, block);
}

static void
append_waits_messages (GArray            *waits,
                       const KymoSegment *segment,
                       guint32            block,
                       KymoWaitKind       kind,
                       guint32            by,
                       gint64             by_begin_ns,
                       gint64             end_ns)
{
  gint64 begin_ns = kymo_segment_block_begin (segment, block);
  KymoWait wait = { begin_ns, MIN (by_begin_ns, end_ns) - begin_ns, by_begin_ns, block, by, kind };

  if (wait.wait_ns > 0)
    g_array_append_val (waits, wait);
}

static void
add_late_sender (const KymoAsk *ask,
                 const guint8  *rules,
                 KymoSegment   *segment,
                 guint          receive,
                 GArray        *waits)
{
  const KymoExchange *x = segment->exchange;
  guint32 block = x->receive_block[receive], from = x->receive_location[receive];
  guint32 send = x->receive_send[receive];
  const KymoSegment *sender;

  if (block == KYMO_NO_BLOCK || from == KYMO_UNMATCHED
      || !(rules[segment->block_activity[block]] & KYMO_WAITS_FOR_MESSAGES))
    return;
  sender = kymo_ask_segment_of (ask, from);
  append_waits_messages (waits, segment, block, KYMO_WAIT_LATE_SENDER, from,
                         came_ns (ask, rules, sender, sender->exchange->send_block[send],
                                  kymo_segment_send_time (sender, send)),
                         MIN (kymo_segment_receive_time (segment, receive),
                              kymo_segment_block_end (segment, block)));
}

/* A receive that was posted before it was waited for: the moment is unknown. */
static gboolean
was_posted (const guint8      *rules,
            const KymoSegment *segment,
            guint32            block)
{
  return block != KYMO_NO_BLOCK
    && (rules[segment->block_activity[block]] & KYMO_WAITS_FOR_REQUESTS);
}

/* A send that returned before the receiver came did not wait for it. */
static void
add_late_receiver (const KymoAsk *ask,
                   const guint8  *rules,
                   KymoSegment   *segment,
                   guint          send,
                   GArray        *waits)
{
  const KymoExchange *x = segment->exchange;
  guint32 block = x->send_block[send], to = x->send_location[send];
  guint32 receive = x->send_receive[send];
  const KymoSegment *receiver;
  gint64 begin_ns;

  if (block == KYMO_NO_BLOCK || to == KYMO_UNMATCHED
      || !(rules[segment->block_activity[block]] & KYMO_WAITS_FOR_RECEIVERS))
    return;
  receiver = kymo_ask_segment_of (ask, to);
  if (was_posted (rules, receiver, receiver->exchange->receive_block[receive]))
    return;
  begin_ns = came_ns (ask, rules, receiver, receiver->exchange->receive_block[receive],
                      kymo_segment_receive_time (receiver, receive));
  if (begin_ns < kymo_segment_block_end (segment, block))
    append_waits_messages (waits, segment, block, KYMO_WAIT_LATE_RECEIVER, to, begin_ns, begin_ns);
}

/**
 * kymo_waits_add_messages:
 * @rules: #KymoWaitRules by activity
 * @location: the waiting location, index in the run
 * @waits: appended to
 */
void
kymo_waits_add_messages (const KymoAsk *ask,
                         const guint8  *rules,
                         guint          location,
                         GArray        *waits)
{
  KymoSegment *segment = kymo_ask_segment_of (ask, location);
  const KymoExchange *x = segment->exchange;

  if (x == NULL || x->receive_location == NULL)
    return;
  for (guint i = 0; i < x->n_receives && !kymo_ask_is_stopped (ask, i); i++)
    add_late_sender (ask, rules, segment, i, waits);
  for (guint i = 0; i < x->n_sends && !kymo_ask_is_stopped (ask, i); i++)
    add_late_receiver (ask, rules, segment, i, waits);
}
