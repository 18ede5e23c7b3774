/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages from one rank to another: each *channel*, a tag and a communicator, is a
 * queue. Programs mostly receive in the order of sending, so that the n-th receive is
 * that of the n-th send, whatever their channels: as long as these agree, nothing
 * else is asked. From the first disagreement on sends are put in lists by channel,
 * which a hash table finds.
 *
 * Where a rank has one location its ends are read in place. Those of several are
 * brought into one order first: by time, which does not fall within a location.
 *
 * Where the begin of a record is cut away, the first receive there is may be that of any send. If
 * no end is missing the last ones belong together. If one is, too, times decide: a message is
 * received after it was sent, and it is taken to be on its way as short as that allows.
 */
#include "config.h"

#include "kymo-exchange-private.h"
#include "kymo-order.h"

#include "kymo-bytes.h"
#include "kymo-run.h"

#define NONE G_MAXUINT32
#define FIRST_SLOTS 64          /* a power of two */

/* An end of a message. */
typedef struct
{
  guint32 location;
  guint32 index;                /* in the exchange of its location */
} End;

typedef struct
{
  gint64 time_ns;
  End    end;
} TimedEnd;

/* All ends of one side. */
typedef struct
{
  guint          n;
  guint32        location;      /* where all are of one */
  const guint32 *order;         /* or NULL */
  GArray        *ends;          /* End; where not */
} Side;

/* A channel: its sends that were not received yet, a list. */
typedef struct
{
  guint64 key;
  guint32 head, tail;           /* places among the sends; tail NONE = a free slot */
} Channel;

/* An end and its channel. */
typedef struct
{
  guint64 key;
  guint32 place;                /* among those of its side */
} KeyedEnd;

struct _KymoExchangePair
{
  const KymoRun *run;
  KymoExchange **exchanges;     /* by location */
  const guint8  *cuts;          /* by location, or NULL */
  Side           sends, receives;
  GArray        *timed;         /* TimedEnd */
  Channel       *channels;
  guint          n_slots, n_channels;
  guint32       *next;          /* by place among the sends */
  gsize          cap_next;
};

/**
 * kymo_exchange_pair_new:
 * @run: must outlive it, as must @exchanges
 * @exchanges: by location
 * @cuts: (nullable): #KymoExchangeCut by location; must outlive it
 *
 * Returns: (transfer full): what one thread needs to match pairs
 */
KymoExchangePair *
kymo_exchange_pair_new (const KymoRun  *run,
                        KymoExchange  **exchanges,
                        const guint8   *cuts)
{
  KymoExchangePair *pair = g_new0 (KymoExchangePair, 1);

  pair->run = run;
  pair->exchanges = exchanges;
  pair->cuts = cuts;
  pair->sends.ends = g_array_new (FALSE, FALSE, sizeof (End));
  pair->receives.ends = g_array_new (FALSE, FALSE, sizeof (End));
  pair->timed = g_array_new (FALSE, FALSE, sizeof (TimedEnd));
  return pair;
}

/**
 * kymo_exchange_pair_free:
 *
 * Frees the messages of a pair of ranks.
 */
void
kymo_exchange_pair_free (KymoExchangePair *pair)
{
  g_array_unref (pair->sends.ends);
  g_array_unref (pair->receives.ends);
  g_array_unref (pair->timed);
  g_free (pair->channels);
  g_free (pair->next);
  g_free (pair);
}

static inline End
end_at (const Side *side,
        guint       i)
{
  return side->order != NULL ? (End) { side->location, side->order[i] }
    : g_array_index (side->ends, End, i);
}

static inline guint64
key_of_send (const KymoExchangePair *pair,
             End                     end)
{
  const KymoExchange *x = pair->exchanges[end.location];

  return (guint64) x->send_comm[end.index] << 32 | (guint32) x->send_tag[end.index];
}

static inline guint64
key_of_receive (const KymoExchangePair *pair,
                End                     end)
{
  const KymoExchange *x = pair->exchanges[end.location];

  return (guint64) x->receive_comm[end.index] << 32 | (guint32) x->receive_tag[end.index];
}

static inline void
join_exchange_pair (const KymoExchangePair *pair,
                    End                     send,
                    End                     receive)
{
  KymoExchange *sender = pair->exchanges[send.location];
  KymoExchange *receiver = pair->exchanges[receive.location];

  sender->send_location[send.index] = receive.location;
  sender->send_receive[send.index] = receive.index;
  receiver->receive_location[receive.index] = send.location;
  receiver->receive_send[receive.index] = send.index;
}

/* -- ends of several locations ---------------------------------------------- */

static int
compare_timed (gconstpointer a,
               gconstpointer b)
{
  const TimedEnd *x = a, *y = b;

  KYMO_ORDER_BY (x->time_ns, y->time_ns);
  KYMO_ORDER_BY (x->end.location, y->end.location);
  return x->end.index < y->end.index ? -1 : x->end.index > y->end.index;
}

static void
add_timed (KymoExchangePair        *pair,
           const KymoExchangeGroup *group,
           gboolean                 of_sends)
{
  const KymoSegment *segment = g_ptr_array_index (pair->run->segments, group->location);
  gint64 last_ns = G_MININT64;

  for (guint i = 0; i < group->n; i++)
    {
      guint32 index = group->order[i];
      TimedEnd timed = { of_sends ? kymo_segment_send_time (segment, index)
                         : kymo_segment_receive_time (segment, index),
                         { group->location, index } };

      timed.time_ns = last_ns = MAX (timed.time_ns, last_ns);
      g_array_append_val (pair->timed, timed);
    }
}

static void
take_side (KymoExchangePair        *pair,
           Side                    *side,
           const KymoExchangeGroup *groups,
           guint                    n_groups)
{
  side->order = n_groups == 1 ? groups->order : NULL;
  side->location = groups->location;
  side->n = groups->n;
  if (n_groups == 1)
    return;
  g_array_set_size (pair->timed, 0);
  for (guint i = 0; i < n_groups; i++)
    add_timed (pair, &groups[i], side == &pair->sends);
  g_array_sort (pair->timed, compare_timed);
  g_array_set_size (side->ends, side->n = pair->timed->len);
  for (guint i = 0; i < side->n; i++)
    g_array_index (side->ends, End, i) = g_array_index (pair->timed, TimedEnd, i).end;
}

/* -- channels ----------------------------------------------------------------- */

/* The channel's slot, or the free one where it would stand. */
static inline Channel *
find_channel (const KymoExchangePair *pair,
              guint64                 key)
{
  guint slot = (guint) kymo_mix_bits (key) & (pair->n_slots - 1);

  while (pair->channels[slot].tail != NONE && pair->channels[slot].key != key)
    slot = (slot + 1) & (pair->n_slots - 1);
  return &pair->channels[slot];
}

static void
clear_channels (KymoExchangePair *pair,
                guint             n_slots)
{
  if (n_slots != pair->n_slots)
    {
      g_free (pair->channels);
      pair->channels = g_new (Channel, n_slots);
    }
  pair->n_slots = n_slots;
  pair->n_channels = 0;
  for (guint i = 0; i < n_slots; i++)
    pair->channels[i].tail = NONE;
}

static void
grow_channels (KymoExchangePair *pair)
{
  g_autofree Channel *old = g_steal_pointer (&pair->channels);
  guint n_old = pair->n_slots;

  pair->n_slots = 0;
  clear_channels (pair, n_old * 2);
  for (guint i = 0; i < n_old; i++)
    if (old[i].tail != NONE)
      {
        *find_channel (pair, old[i].key) = old[i];
        pair->n_channels++;
      }
}

static void
put_sends (KymoExchangePair *pair,
           guint             first)
{
  guint n = pair->sends.n;

  if (n > pair->cap_next)
    {
      g_free (pair->next);
      pair->next = g_new (guint32, n);
      pair->cap_next = n;
    }
  clear_channels (pair, FIRST_SLOTS);
  for (guint i = first; i < n; i++)
    {
      guint64 key = key_of_send (pair, end_at (&pair->sends, i));
      Channel *channel = find_channel (pair, key);

      pair->next[i] = NONE;
      if (channel->tail != NONE)
        pair->next[channel->tail] = i;
      else
        {
          *channel = (Channel) { key, i, i };
          pair->n_channels++;
        }
      channel->tail = i;
      if (pair->n_channels > pair->n_slots / 2)
        grow_channels (pair);
    }
}

static void
match_by_channel (KymoExchangePair *pair,
                  guint             first)
{
  put_sends (pair, first);
  for (guint i = first; i < pair->receives.n; i++)
    {
      End receive = end_at (&pair->receives, i);
      Channel *channel = find_channel (pair, key_of_receive (pair, receive));

      if (channel->tail == NONE || channel->head == NONE)
        continue;
      join_exchange_pair (pair, end_at (&pair->sends, channel->head), receive);
      channel->head = pair->next[channel->head];
    }
}

/* -- records that are cut ----------------------------------------------------- */

static int
compare_keyed (gconstpointer a,
               gconstpointer b)
{
  const KeyedEnd *x = a, *y = b;

  KYMO_ORDER_BY (x->key, y->key);
  return x->place < y->place ? -1 : x->place > y->place;
}

static KeyedEnd *
sort_ends (const KymoExchangePair *pair,
           const Side             *side)
{
  KeyedEnd *ends = g_new (KeyedEnd, MAX (side->n, 1));

  for (guint i = 0; i < side->n; i++)
    {
      End end = end_at (side, i);

      ends[i] = (KeyedEnd) { side == &pair->sends ? key_of_send (pair, end)
                             : key_of_receive (pair, end), i };
    }
  qsort (ends, side->n, sizeof *ends, compare_keyed);
  return ends;
}

static guint
count_of_channel (const KeyedEnd *ends,
                  guint           n)
{
  guint k = 0;

  while (k < n && ends[k].key == ends[0].key)
    k++;
  return k;
}

static gint64
time_of_send (const KymoExchangePair *pair,
              const KeyedEnd         *keyed)
{
  End end = end_at (&pair->sends, keyed->place);

  return kymo_segment_send_time (g_ptr_array_index (pair->run->segments, end.location), end.index);
}

static gint64
time_of_receive (const KymoExchangePair *pair,
                 const KeyedEnd         *keyed)
{
  End end = end_at (&pair->receives, keyed->place);

  return kymo_segment_receive_time (g_ptr_array_index (pair->run->segments, end.location),
                                    end.index);
}

/* How many sends more there are before a receive's own than receives before it; the largest
   number with which none is received before it was sent. */
static gint64
find_lead (const KymoExchangePair *pair,
           const KeyedEnd         *sends,
           guint                   n_sends,
           const KeyedEnd         *receives,
           guint                   n_receives)
{
  gint64 lead = G_MAXINT64;
  guint before = 0;

  for (guint i = 0; i < n_receives; i++)
    {
      gint64 time_ns = time_of_receive (pair, &receives[i]);

      while (before < n_sends && time_of_send (pair, &sends[before]) <= time_ns)
        before++;
      if (before == n_sends)
        break;
      lead = MIN (lead, (gint64) before - 1 - i);
    }
  return lead != G_MAXINT64 ? lead : (gint64) n_sends - n_receives;
}

static void
match_by_lead (KymoExchangePair *pair,
               gboolean          end_is_cut)
{
  g_autofree KeyedEnd *all_sends = sort_ends (pair, &pair->sends);
  g_autofree KeyedEnd *all_receives = sort_ends (pair, &pair->receives);
  const KeyedEnd *sends = all_sends, *receives = all_receives;
  guint sends_left = pair->sends.n, receives_left = pair->receives.n;

  while (sends_left > 0 && receives_left > 0)
    {
      gboolean take_sends = sends->key <= receives->key;
      gboolean take_receives = receives->key <= sends->key;
      guint n_sends = take_sends ? count_of_channel (sends, sends_left) : 0;
      guint n_receives = take_receives ? count_of_channel (receives, receives_left) : 0;
      gint64 lead = !take_sends || !take_receives ? 0
        : end_is_cut ? find_lead (pair, sends, n_sends, receives, n_receives)
        : (gint64) n_sends - n_receives;

      for (gint64 i = MAX (lead, 0); i < n_sends && i - lead < n_receives; i++)
        join_exchange_pair (pair, end_at (&pair->sends, sends[i].place),
                            end_at (&pair->receives, receives[i - lead].place));
      sends += n_sends;
      sends_left -= n_sends;
      receives += n_receives;
      receives_left -= n_receives;
    }
}

static guint8
cuts_of (const KymoExchangePair  *pair,
         const KymoExchangeGroup *groups,
         guint                    n_groups)
{
  guint8 cuts = 0;

  for (guint i = 0; i < n_groups && pair->cuts != NULL; i++)
    cuts |= pair->cuts[groups[i].location];
  return cuts;
}

/**
 * kymo_exchange_pair_match:
 * @sends: (array length=n_sends): those from one rank to another, one group a location
 * @receives: (array length=n_receives): likewise
 *
 * Joins each receive with its send. Several threads may do it at a time, for
 * other pairs.
 */
void
kymo_exchange_pair_match (KymoExchangePair        *pair,
                          const KymoExchangeGroup *sends,
                          guint                    n_sends,
                          const KymoExchangeGroup *receives,
                          guint                    n_receives)
{
  guint8 cuts = cuts_of (pair, sends, n_sends) | cuts_of (pair, receives, n_receives);
  guint i = 0, n;

  take_side (pair, &pair->sends, sends, n_sends);
  take_side (pair, &pair->receives, receives, n_receives);
  if ((cuts & KYMO_CUT_BEGIN) != 0)
    {
      match_by_lead (pair, (cuts & KYMO_CUT_END) != 0);
      return;
    }
  n = MIN (pair->sends.n, pair->receives.n);
  for (; i < n; i++)
    {
      End send = end_at (&pair->sends, i), receive = end_at (&pair->receives, i);

      if (key_of_send (pair, send) != key_of_receive (pair, receive))
        break;
      join_exchange_pair (pair, send, receive);
    }
  if (i < n)
    match_by_channel (pair, i);
}
