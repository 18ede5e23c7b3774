/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which send a receive belongs to. MPI does not let messages of one sender, receiver,
 * tag and communicator overtake each other (MPI 4.0, section 3.5), so the first send is that
 * of the first receive, the second that of the second. Both are sorted by these keys,
 * then by time, and walked together.
 */
#include "config.h"

#include "kymo-exchange.h"

#include "kymo-run.h"

/* One end of a message. */
typedef struct
{
  gint64  from, to;             /* ranks */
  gint32  tag;
  guint32 comm;
  gint64  time_ns;
  guint32 location;
  guint32 index;                /* in the exchange of its location */
} End;

#define COMPARE(a, b) if ((a) != (b)) return (a) < (b) ? -1 : 1

static int
compare_channels (const End *x,
                  const End *y)
{
  COMPARE (x->from, y->from);
  COMPARE (x->to, y->to);
  COMPARE (x->comm, y->comm);
  COMPARE (x->tag, y->tag);
  return 0;
}

static int
compare_ends (gconstpointer a,
              gconstpointer b)
{
  const End *x = a, *y = b;
  int order = compare_channels (x, y);

  if (order != 0)
    return order;
  COMPARE (x->time_ns, y->time_ns);
  COMPARE (x->location, y->location);
  COMPARE (x->index, y->index);
  return 0;
}

static void
add_sends (const KymoSegment *segment,
           gint64             rank,
           GArray            *ends)
{
  const KymoExchange *x = segment->exchange;

  for (guint i = 0; i < x->n_sends; i++)
    {
      End end = { rank, x->send_partner[i], x->send_tag[i], x->send_comm[i],
                  kymo_segment_send_time (segment, i), segment->location, i };

      g_array_append_val (ends, end);
    }
}

static void
add_receives (const KymoSegment *segment,
              gint64             rank,
              GArray            *ends)
{
  const KymoExchange *x = segment->exchange;

  for (guint i = 0; i < x->n_receives; i++)
    {
      End end = { x->receive_partner[i], rank, x->receive_tag[i], x->receive_comm[i],
                  x->receive_time_ns[i], segment->location, i };

      g_array_append_val (ends, end);
    }
}

static guint32 *
new_unmatched (guint n)
{
  guint32 *column = g_new (guint32, MAX (n, 1));

  for (guint i = 0; i < n; i++)
    column[i] = KYMO_UNMATCHED;
  return column;
}

static void
prepare (KymoExchange *x)
{
  g_clear_pointer (&x->send_location, g_free);
  g_clear_pointer (&x->send_receive, g_free);
  g_clear_pointer (&x->receive_location, g_free);
  g_clear_pointer (&x->receive_send, g_free);
  x->send_location = new_unmatched (x->n_sends);
  x->send_receive = new_unmatched (x->n_sends);
  x->receive_location = new_unmatched (x->n_receives);
  x->receive_send = new_unmatched (x->n_receives);
}

static void
join (GPtrArray *of_location,
      const End *send,
      const End *receive)
{
  KymoExchange *sender = of_location->pdata[send->location];
  KymoExchange *receiver = of_location->pdata[receive->location];

  sender->send_location[send->index] = receive->location;
  sender->send_receive[send->index] = receive->index;
  receiver->receive_location[receive->index] = send->location;
  receiver->receive_send[receive->index] = send->index;
}

static void
join_all (GPtrArray    *of_location,
          const GArray *sends,
          const GArray *receives)
{
  guint i = 0, j = 0;

  while (i < sends->len && j < receives->len)
    {
      const End *send = &g_array_index (sends, End, i);
      const End *receive = &g_array_index (receives, End, j);
      int order = compare_channels (send, receive);

      if (order == 0)
        join (of_location, send, receive);
      i += order <= 0;
      j += order >= 0;
    }
}

/**
 * kymo_run_match_exchanges:
 * @run: with all its segments, one a location, not sealed yet
 *
 * To be called once by whoever made segments with receives.
 */
void
kymo_run_match_exchanges (KymoRun *run)
{
  g_autoptr (GPtrArray) of_location = g_ptr_array_sized_new (run->locations->len);
  g_autoptr (GArray) sends = g_array_new (FALSE, FALSE, sizeof (End));
  g_autoptr (GArray) receives = g_array_new (FALSE, FALSE, sizeof (End));

  g_ptr_array_set_size (of_location, run->locations->len);
  for (guint i = 0; i < run->segments->len; i++)
    {
      KymoSegment *segment = run->segments->pdata[i];
      gint64 rank = kymo_run_peek_location (run, segment->location)->process;

      if (segment->exchange == NULL)
        continue;
      prepare (segment->exchange);
      of_location->pdata[segment->location] = segment->exchange;
      add_sends (segment, rank, sends);
      add_receives (segment, rank, receives);
    }
  g_array_sort (sends, compare_ends);
  g_array_sort (receives, compare_ends);
  join_all (of_location, sends, receives);
}
