/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is lost by sends to one receiver after the other.
 *
 * A round is the sends of a location up to the first whose receiver had its turn before, so that
 * several messages in a row to one receiver are one turn. A tree of messages reaches n receivers
 * in log2 (n + 1) steps, rounded up. When that many receivers have their messages one after the
 * other, a tree would have served all. What the last receiver of a round waits longer than that
 * one is lost.
 *
 * A receiver waits from the begin of its call, but not before the round begins, until the message
 * is there. What the sender does between two sends of the round is not lost by them: it is left
 * out of the waits that it lies in, up to the begin of the receiver's own message. Buffered sends
 * return before their bytes are sent, so their lengths do not tell this; the waits do.
 *
 * The receivers are taken in the order of sends, and rounds that gain are taken off from others:
 * that a receiver waits for a processor now and then is then nothing that is lost.
 */
#include "config.h"

#include "kymo-waiting-private.h"

#include "kymo-order.h"
#include "kymo-ways.h"

/** Turn: a message of a round */
typedef struct
{
  gint64 begin_ns, end_ns;      /* of the call that sends */
  gint64 before_ns;             /* in earlier sends of the round */
  gint64 from_ns, until_ns;     /* of the receiver's wait; equal where it is unknown */
  guint  receiver;              /* of the round, in order */
} Turn;

/** Receiver: what one of a round waited, up to which moment that is counted */
typedef struct
{
  gint64 wait_ns, until_ns;
} Receiver;

typedef struct
{
  GArray     *turns;            /* Turn, by begin */
  GArray     *receivers;        /* Receiver */
  GHashTable *number_of;        /* location -> its number among the receivers, and 1 */
} Round;

/* How long the sender was in sends of the round before a moment. */
static gint64
time_in_sends (const Round *round,
               gint64       time_ns)
{
  const Turn *turns = (gconstpointer) round->turns->data;
  guint next = KYMO_FIND_FIRST (i, 0u, round->turns->len, turns[i].begin_ns > time_ns);

  return next == 0 ? 0
    : turns[next - 1].before_ns + MIN (time_ns, turns[next - 1].end_ns) - turns[next - 1].begin_ns;
}

static void
count_wait (const Round *round,
            const Turn  *turn)
{
  Receiver *receiver = &g_array_index (round->receivers, Receiver, turn->receiver);
  gint64 from_ns = MAX (turn->from_ns, receiver->until_ns);

  if (turn->until_ns <= from_ns)
    return;
  receiver->until_ns = turn->until_ns;
  if (from_ns < turn->begin_ns)
    receiver->wait_ns += time_in_sends (round, MIN (turn->until_ns, turn->begin_ns))
                         - time_in_sends (round, from_ns);
  receiver->wait_ns += MAX (turn->until_ns - MAX (from_ns, turn->begin_ns), 0);
}

static void
end_round (Round     *round,
           KymoTurns *sum)
{
  guint n = round->receivers->len, steps = g_bit_storage (n);
  Turn *turns = (gpointer) round->turns->data;
  const Receiver *receivers = (gconstpointer) round->receivers->data;

  if (n > 1)
    {
      for (guint i = 1; i < round->turns->len; i++)
        turns[i].before_ns = turns[i - 1].before_ns + turns[i - 1].end_ns - turns[i - 1].begin_ns;
      for (guint i = 0; i < round->turns->len; i++)
        count_wait (round, &turns[i]);
      sum->n_rounds++;
      sum->last_ns = kymo_saturating_add (sum->last_ns, receivers[n - 1].wait_ns);
      sum->lost_ns = kymo_saturating_add (sum->lost_ns, receivers[n - 1].wait_ns
                                                        - receivers[steps - 1].wait_ns);
    }
  g_array_set_size (round->turns, 0);
  g_array_set_size (round->receivers, 0);
  g_hash_table_remove_all (round->number_of);
}

/* Whether the round ends before a message to @location. */
static gboolean
had_turn (const Round *round,
          guint        location)
{
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (round->number_of,
                                                        GUINT_TO_POINTER (location)));

  return number != 0 && number != round->receivers->len;
}

static void
find_wait (const KymoAsk      *ask,
           const KymoDelivery *delivery,
           Turn               *turn)
{
  KymoRole role = delivery->activity != G_MAXUINT32
    ? kymo_run_peek_activity (ask->run, delivery->activity)->role : KYMO_ROLE_COMPUTE;

  turn->from_ns = turn->until_ns = MIN (delivery->time_ns, ask->span.end_ns);
  if (role == KYMO_ROLE_COMMUNICATION || role == KYMO_ROLE_WAIT)
    turn->from_ns = MIN (delivery->begin_ns, turn->until_ns);
}

static void
add_turn (const KymoAsk      *ask,
          const KymoSegment  *segment,
          guint               send,
          const KymoDelivery *delivery,
          Round              *round)
{
  guint32 block = segment->exchange->send_block[send];
  gint64 time_ns = kymo_segment_send_time (segment, send), first_ns;
  const Turn *before = round->turns->len > 0
    ? &g_array_index (round->turns, Turn, round->turns->len - 1) : NULL;
  Turn turn = { time_ns, time_ns };

  if (block != KYMO_NO_BLOCK)
    {
      turn.begin_ns = kymo_segment_block_begin (segment, block);
      turn.end_ns = kymo_segment_block_end (segment, block);
    }
  /* Several messages of one call: the next ones take no time of their own. */
  turn.begin_ns = MAX (turn.begin_ns, before != NULL ? before->end_ns : G_MININT64);
  turn.end_ns = MAX (turn.end_ns, turn.begin_ns);
  first_ns = before != NULL ? g_array_index (round->turns, Turn, 0).begin_ns : turn.begin_ns;
  if (!g_hash_table_contains (round->number_of, GINT_TO_POINTER (delivery->location)))
    {
      Receiver receiver = { 0, first_ns };

      g_array_append_val (round->receivers, receiver);
      g_hash_table_insert (round->number_of, GINT_TO_POINTER (delivery->location),
                           GUINT_TO_POINTER (round->receivers->len));
    }
  turn.receiver = round->receivers->len - 1;
  find_wait (ask, delivery, &turn);
  g_array_append_val (round->turns, turn);
}

/**
 * kymo_waits_sum_turns:
 * @segment: of a location whose sends are looked at
 * @sum: added to; rounds count that begin in the asked range, waits to its end
 */
void
kymo_waits_sum_turns (const KymoAsk     *ask,
                      const KymoSegment *segment,
                      KymoTurns         *sum)
{
  const KymoExchange *x = segment->exchange;
  Round round;

  if (x == NULL || x->send_location == NULL)
    return;
  round = (Round){ g_array_new (FALSE, FALSE, sizeof (Turn)),
                   g_array_new (FALSE, FALSE, sizeof (Receiver)), g_hash_table_new (NULL, NULL) };
  for (guint i = 0; i < x->n_sends && !kymo_ask_is_stopped (ask, i); i++)
    {
      gint64 time_ns = kymo_segment_send_time (segment, i);
      KymoDelivery delivery;

      kymo_delivery_of (ask, segment, i, &delivery);
      if (delivery.location < 0 || time_ns < ask->span.begin_ns)
        continue;
      if (had_turn (&round, (guint) delivery.location))
        end_round (&round, sum);
      if (round.turns->len == 0 && time_ns >= kymo_ask_count_end (ask))
        break;
      add_turn (ask, segment, i, &delivery, &round);
    }
  end_round (&round, sum);
  g_array_unref (round.turns);
  g_array_unref (round.receivers);
  g_hash_table_unref (round.number_of);
}
