/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sends of a segment: found by their event numbers, and the blocks they
 * were made in.
 */
#include "config.h"

#include "kymo-order.h"
#include "kymo-segment.h"

#include "kymo-once.h"

static int
compare_events (gconstpointer a,
                gconstpointer b,
                gpointer      data)
{
  const gint32 *events = data;
  guint32 i = *(const guint32 *) a, j = *(const guint32 *) b;

  KYMO_ORDER_BY (events[i], events[j]);
  return i < j ? -1 : i > j;
}

static const guint32 *
peek_send_order (KymoSegment *segment)
{
  if (segment->sends_ascend)
    return NULL;
  if (kymo_once_enter (&segment->sends_once))
    {
      segment->sends_by_event = kymo_segment_new_made (segment, segment->n_sends,
                                                       sizeof (guint32));
      for (guint i = 0; i < segment->n_sends; i++)
        segment->sends_by_event[i] = i;
      g_qsort_with_data (segment->sends_by_event, segment->n_sends, sizeof (guint32),
                         compare_events, segment->send_event);
      kymo_once_leave (&segment->sends_once, 1);
    }
  return segment->sends_by_event;
}

/**
 * kymo_segment_find_send:
 * @event: event number of a creation on this location
 *
 * Returns: index of the first send with that number, or -1. Any thread.
 */
gint
kymo_segment_find_send (KymoSegment *segment,
                        gint32       event)
{
  const guint32 *order = peek_send_order (segment);
  guint at = KYMO_FIND_FIRST (i, 0, segment->n_sends,
                              segment->send_event[order != NULL ? order[i] : i] >= event);

  if (at >= segment->n_sends)
    return -1;
  at = order != NULL ? order[at] : at;
  return segment->send_event[at] == event ? (gint) at : -1;
}

/* First of the ascending events that is >= event, galloping from a guess;
   n where there is none. */
static gsize
gallop (const gint32 *events,
        gsize         n,
        gsize         guess,
        gint32        event)
{
  gsize low, high, step = 1;

  if (events[guess] < event)
    {
      low = guess + 1;
      while (low < n && step < n - low && events[low + step] < event)
        {
          low += step + 1;
          step *= 2;
        }
      high = step < n - MIN (low, n) ? low + step : n;
    }
  else
    {
      high = guess;
      while (step < high && events[high - step] >= event)
        {
          high -= step;
          step *= 2;
        }
      low = step < high ? high - step : 0;
    }
  return KYMO_FIND_FIRST (i, low, high, events[i] >= event);
}

/**
 * kymo_segment_find_send_near:
 * @event: event number of a message of this location
 * @hint: (inout): the place of the send found last, at first 0; one for each segment and
 *   thread
 *
 * Finds what kymo_segment_find_send() finds. Messages of one sender arrive roughly in order,
 * so that the next creation is galloped to from the last one.
 *
 * Returns: index of the first send with that number, or -1
 */
gint
kymo_segment_find_send_near (KymoSegment *segment,
                             gint32       event,
                             guint       *hint)
{
  gsize at;

  if (!segment->sends_ascend)
    return kymo_segment_find_send (segment, event);
  if (segment->n_sends == 0)
    return -1;
  at = gallop (segment->send_event, segment->n_sends, *hint, event);
  if (at == segment->n_sends)
    return -1;
  *hint = at;
  return segment->send_event[at] == event ? (gint) at : -1;
}

/* Most blocks at the same time among which the block of a send is looked for. */
#define MOST_AT_ONE_TIME 256

static gboolean
may_have_sent (const KymoSegment *segment,
               guint              block,
               guint              send)
{
  return block < segment->n_blocks
         && kymo_segment_block_begin (segment, block) <= kymo_segment_send_time (segment, send)
    && kymo_segment_send_time (segment, send) <= kymo_segment_block_end (segment, block)
    && segment->block_activity[block] == segment->send_activity[send];
}

/* Blocks and sends are both in order of recording. Times are ticks of a coarse
   clock, so that many blocks may stand at one time: a block that has not sent
   yet goes before one that has. */
static void
make_send_blocks (KymoSegment *segment)
{
  guint next = 0;               /* the first block that has not sent */
  guint last = KYMO_NO_BLOCK;

  segment->send_block = kymo_segment_new_made (segment, segment->n_sends, sizeof (guint32));
  segment->block_send = kymo_segment_new_made (segment, segment->n_blocks, sizeof (guint32));
  for (guint i = 0; i < segment->n_blocks; i++)
    segment->block_send[i] = G_MAXUINT32;
  for (guint i = 0; i < segment->n_sends; i++)
    {
      while (next < segment->n_blocks
             && kymo_segment_block_end (segment, next) < kymo_segment_send_time (segment, i))
        next++;
      for (guint k = next; k < segment->n_blocks && k - next < MOST_AT_ONE_TIME
           && kymo_segment_block_begin (segment, k) <= kymo_segment_send_time (segment, i); k++)
        if (may_have_sent (segment, k, i))
          {
            last = k;
            next = k + 1;
            segment->block_send[k] = i;
            break;
          }
      segment->send_block[i] = may_have_sent (segment, last, i) ? last : KYMO_NO_BLOCK;
    }
}

/**
 * kymo_segment_peek_send_blocks:
 *
 * Of each send the block of the same activity that it was made in: how a
 * communication thread passes a message on. Meant for logs whose blocks do
 * not nest and send for themselves.
 *
 * Returns: (transfer none): n_sends block numbers, or %KYMO_NO_BLOCK. Made
 * on first use; any thread.
 */
const guint32 *
kymo_segment_peek_send_blocks (KymoSegment *segment)
{
  if (kymo_once_enter (&segment->send_blocks_once))
    {
      make_send_blocks (segment);
      kymo_once_leave (&segment->send_blocks_once, 1);
    }
  return segment->send_block;
}

/**
 * kymo_segment_block_sends:
 *
 * Returns: whether a message of the block's own activity was sent in it; see
 * kymo_segment_peek_send_blocks()
 */
gboolean
kymo_segment_block_sends (KymoSegment *segment,
                          guint        block)
{
  kymo_segment_peek_send_blocks (segment);
  return segment->block_send[block] != G_MAXUINT32;
}

/* (transfer full): the numbers of requests that were cancelled, by number */
static guint8 *
cancelled_numbers (const KymoSegment *segment,
                   guint32           *n_numbers)
{
  guint8 *numbers = NULL;
  guint32 most = 0;

  for (guint i = 0; i < segment->n_asides; i++)
    if (segment->aside_op[i] == KYMO_ASIDE_CANCELLED)
      most = MAX (most, segment->aside_number[i]);
  *n_numbers = most;
  if (most > 0)
    numbers = g_new0 (guint8, (gsize) most + 1);
  for (guint i = 0; i < segment->n_asides && most > 0; i++)
    if (segment->aside_op[i] == KYMO_ASIDE_CANCELLED)
      numbers[segment->aside_number[i]] = TRUE;
  return numbers;
}

/**
 * kymo_segment_dup_cancelled:
 * @segment: one whose sends name whom they are for
 *
 * Cancelled sends bring no message. Any thread.
 *
 * Returns: (transfer full) (nullable): for each send whether it was cancelled; %NULL if none was
 */
guint8 *
kymo_segment_dup_cancelled (const KymoSegment *segment)
{
  const KymoExchange *x = segment->exchange;
  guint32 n_numbers;
  g_autofree guint8 *numbers = NULL;
  guint8 *cancelled;

  if (x == NULL || x->send_request == NULL)
    return NULL;
  numbers = cancelled_numbers (segment, &n_numbers);
  if (numbers == NULL)
    return NULL;
  cancelled = g_new0 (guint8, MAX (x->n_sends, 1));
  for (guint i = 0; i < x->n_sends; i++)
    cancelled[i] = x->send_request[i] <= n_numbers && numbers[x->send_request[i]];
  return cancelled;
}

/**
 * kymo_segment_send_is_cancelled:
 * @send: index of a send; see kymo_segment_dup_cancelled() for many
 *
 * Returns: whether it was cancelled
 */
gboolean
kymo_segment_send_is_cancelled (const KymoSegment *segment,
                                guint              send)
{
  const KymoExchange *x = segment->exchange;
  guint32 number = x != NULL && x->send_request != NULL ? x->send_request[send] : 0;

  for (guint i = 0; i < segment->n_asides && number > 0; i++)
    if (segment->aside_op[i] == KYMO_ASIDE_CANCELLED && segment->aside_number[i] == number)
      return TRUE;
  return FALSE;
}
