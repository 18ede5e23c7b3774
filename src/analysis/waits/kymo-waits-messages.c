/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Late senders and late receivers of one location, from the messages that were
 * matched. Where an end lies in no call that counts, its own moment stands for the
 * begin of the call.
 */
#include "config.h"

#include "kymo-waits.h"

#include "kymo-ways.h"

/* Whether the call in which an end of a message lies counts; @activity: %G_MAXUINT32 = no call */
static gboolean
call_counts (const guint8 *rules,
             guint32       activity,
             guint8        rule)
{
  return activity != G_MAXUINT32 && (rules[activity] & rule) != 0;
}

/* When a location began to do its part of a message. */
static gint64
came_ns (const guint8 *rules,
         guint32       activity,
         gint64        begin_ns,
         gint64        time_ns)
{
  return call_counts (rules, activity, KYMO_WAITS_FOR_MESSAGES) ? begin_ns : time_ns;
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
  guint32 block = x->receive_block[receive];
  KymoReceipt receipt;
  KymoSentIn in;

  if (block == KYMO_NO_BLOCK || x->receive_location[receive] == KYMO_UNMATCHED
      || !(rules[segment->block_activity[block]] & KYMO_WAITS_FOR_MESSAGES))
    return;
  kymo_receipt_of (ask, segment, receive, &receipt);
  kymo_sent_in (ask, &receipt.sender, &in);
  append_waits_messages (waits, segment, block, KYMO_WAIT_LATE_SENDER, receipt.sender.location,
                         came_ns (rules, in.activity, in.begin_ns, receipt.sender.sent_ns),
                         MIN (receipt.time_ns, kymo_segment_block_end (segment, block)));
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
  guint32 block = x->send_block[send];
  KymoDelivery delivery;
  gint64 begin_ns;

  if (block == KYMO_NO_BLOCK || x->send_location[send] == KYMO_UNMATCHED
      || !(rules[segment->block_activity[block]] & KYMO_WAITS_FOR_RECEIVERS))
    return;
  kymo_delivery_of (ask, segment, send, &delivery);
  /* A receive that was posted before it was waited for: the moment is unknown. */
  if (call_counts (rules, delivery.activity, KYMO_WAITS_FOR_REQUESTS))
    return;
  begin_ns = came_ns (rules, delivery.activity, delivery.begin_ns, delivery.time_ns);
  if (begin_ns < kymo_segment_block_end (segment, block))
    append_waits_messages (waits, segment, block, KYMO_WAIT_LATE_RECEIVER, delivery.location,
                           begin_ns, begin_ns);
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
