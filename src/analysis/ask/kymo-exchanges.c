/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-exchanges.h"

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

/**
 * kymo_receipt_of:
 * @receipt: (out): what is known of receive @i of @segment
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
    .sent_ns = KYMO_NULL_INT,
  };
  if (sender == KYMO_UNMATCHED)
    return;
  receipt->sender = kymo_ask_segment_of (ask, sender);
  receipt->send = x->receive_send[i];
  receipt->sent_ns = kymo_segment_send_time (receipt->sender, receipt->send);
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
