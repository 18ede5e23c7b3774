/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which send a receive belongs to. MPI does not let messages of one sender, receiver,
 * tag and communicator overtake each other (MPI 4.0, section 3.5), so the first send is that
 * of the first receive, the second that of the second.
 *
 * Nothing is sorted. The ends of each location are grouped by the rank at the other
 * end (locations side by side); the groups go to the rank that receives; and each
 * pair of ranks is a matter of its own (receiving ranks side by side), of which
 * kymo-exchange-pair.c knows. What comes out does not depend on the split.
 *
 * Cost: linear in messages and in pairs of ranks that talk; 4 bytes an end and 24 a
 * pair while it runs.
 */
#include "config.h"

#include "kymo-exchange-private.h"
#include "kymo-order.h"

#include "kymo-clocks.h"
#include "kymo-run.h"
#include "kymo-share.h"

#include <string.h>

/* Below this many ends a second thread costs more than it saves. */
#define ENDS_FOR_THREADS 50000

/* Ranks are looked up in an array if it has at most this many places for each rank. */
#define MOST_PLACES_A_RANK 16

/* Both sides of messages: from whom, and to whom. */
enum
{
  SENDS,
  RECEIVES,
  N_SIDES,
};

typedef struct
{
  KymoRun       *run;
  GCancellable  *cancellable;
  KymoExchange **exchanges;     /* by location, or NULL */
  const guint8  *cuts;          /* by location, or NULL */
  gint64        *ranks;         /* ascending */
  guint          n_ranks;
  gint          *places;        /* of a rank less the first one; -1 = none; or NULL */
  guint64        n_places;
  gint          *rank_of;       /* by location: index of its rank, or -1 */
  guint32       *orders[N_SIDES];       /* of all locations, one behind the other */
  gsize         *starts[N_SIDES];       /* by location: where its part begins */
  GArray       **groups[N_SIDES];       /* by location: KymoExchangeGroup */
  GArray        *lists[N_SIDES];        /* KymoExchangeGroup, by receiving rank */
  guint         *firsts[N_SIDES];       /* by receiving rank, n_ranks + 1: into lists */
  gint           next;          /* atomic: the next item of the stage */
} Match;

static gint
find_rank (const Match *match,
           gint32       partner)
{
  guint64 place;

  if (match->places == NULL)
    return kymo_find_process (match->ranks, match->n_ranks, partner);
  place = (guint64) partner - (guint64) match->ranks[0];
  return partner >= 0 && place < match->n_places ? match->places[place] : -1;
}

static void
make_places (Match *match)
{
  if (match->n_ranks == 0)
    return;
  match->n_places = match->ranks[match->n_ranks - 1] - match->ranks[0] + 1;
  if (match->n_places / MOST_PLACES_A_RANK > match->n_ranks)
    return;
  match->places = g_new (gint, match->n_places);
  for (guint64 i = 0; i < match->n_places; i++)
    match->places[i] = -1;
  for (guint i = 0; i < match->n_ranks; i++)
    match->places[match->ranks[i] - match->ranks[0]] = i;
}

/* -- groups of the ends of a location ------------------------------------- */

/* Counters of a worker, by rank, and the ranks it has counted; all counts are 0 between two
   locations. */
typedef struct
{
  guint *counts;
  guint *touched;
} Counter;

/* @skipped: (nullable): by end whether it belongs to no other one */
static void
group_ends (Match        *match,
            Counter      *counter,
            guint         location,
            guint         side,
            const gint32 *partners,
            const guint8 *skipped,
            guint         n)
{
  guint32 *order = match->orders[side] + match->starts[side][location];
  GArray *groups = g_array_new (FALSE, FALSE, sizeof (KymoExchangeGroup));
  guint n_touched = 0, first = 0;

  for (guint i = 0; i < n; i++)
    {
      gint rank = skipped != NULL && skipped[i] ? -1 : find_rank (match, partners[i]);

      if (rank >= 0 && counter->counts[rank]++ == 0)
        counter->touched[n_touched++] = rank;
    }
  qsort (counter->touched, n_touched, sizeof (guint), kymo_compare_uints);
  for (guint k = 0; k < n_touched; k++)
    {
      guint rank = counter->touched[k], count = counter->counts[rank];
      KymoExchangeGroup group = { rank, location, order + first, count };

      g_array_append_val (groups, group);
      counter->counts[rank] = first;
      first += count;
    }
  for (guint i = 0; i < n; i++)
    {
      gint rank = skipped != NULL && skipped[i] ? -1 : find_rank (match, partners[i]);

      if (rank >= 0)
        order[counter->counts[rank]++] = i;
    }
  for (guint k = 0; k < n_touched; k++)
    counter->counts[counter->touched[k]] = 0;
  match->groups[side][location] = groups;
}

static guint32 *
new_unmatched (const KymoSegment *segment,
               guint              n)
{
  guint32 *column = kymo_segment_new_made (segment, n, sizeof *column);

  memset (column, 0xff, (gsize) n * sizeof *column);
  return column;
}

static void
prepare_exchange (const KymoSegment *segment)
{
  KymoExchange *x = segment->exchange;

  kymo_exchange_free_matches (x);
  x->send_location = new_unmatched (segment, x->n_sends);
  x->send_receive = new_unmatched (segment, x->n_sends);
  x->receive_location = new_unmatched (segment, x->n_receives);
  x->receive_send = new_unmatched (segment, x->n_receives);
}

static gpointer
group_locations (gpointer data)
{
  Match *match = data;
  g_autofree guint *counts = g_new0 (guint, MAX (match->n_ranks, 1));
  g_autofree guint *touched = g_new (guint, MAX (match->n_ranks, 1));
  Counter counter = { counts, touched };
  gint i;

  while ((i = g_atomic_int_add (&match->next, 1)) < (gint) match->run->segments->len
         && !g_cancellable_is_cancelled (match->cancellable))
    {
      const KymoSegment *segment = g_ptr_array_index (match->run->segments, i);
      const KymoExchange *x = segment->exchange;
      guint location = segment->location;
      g_autofree guint8 *cancelled = NULL;

      if (x == NULL)
        continue;
      prepare_exchange (segment);
      if (match->rank_of[location] < 0)
        continue;
      cancelled = kymo_segment_dup_cancelled (segment);
      group_ends (match, &counter, location, SENDS, x->send_partner, cancelled, x->n_sends);
      group_ends (match, &counter, location, RECEIVES, x->receive_partner, NULL, x->n_receives);
    }
  return NULL;
}

/* -- groups by the rank that receives -------------------------------------- */

static guint
receiver_of (const Match             *match,
             guint                    side,
             const KymoExchangeGroup *group)
{
  return side == SENDS ? group->rank : (guint) match->rank_of[group->location];
}

static void
list_groups (Match *match,
             guint  side)
{
  guint *firsts = g_new0 (guint, match->n_ranks + 2);
  GArray *list = g_array_new (FALSE, FALSE, sizeof (KymoExchangeGroup));
  guint n_locations = match->run->locations->len;

  /* Counted two places on, so that filling leaves each one's begin. */
  for (guint i = 0; i < n_locations; i++)
    for (guint k = 0; match->groups[side][i] != NULL && k < match->groups[side][i]->len; k++)
      firsts[receiver_of (match, side, &g_array_index (match->groups[side][i],
                                                       KymoExchangeGroup, k)) + 2]++;
  for (guint i = 2; i < match->n_ranks + 2; i++)
    firsts[i] += firsts[i - 1];
  g_array_set_size (list, firsts[match->n_ranks + 1]);
  for (guint i = 0; i < n_locations; i++)
    for (guint k = 0; match->groups[side][i] != NULL && k < match->groups[side][i]->len; k++)
      {
        KymoExchangeGroup group = g_array_index (match->groups[side][i], KymoExchangeGroup, k);
        guint receiver = receiver_of (match, side, &group);

        /* From here on the rank is that of the sender, on both sides. */
        if (side == SENDS)
          group.rank = match->rank_of[i];
        g_array_index (list, KymoExchangeGroup, firsts[receiver + 1]++) = group;
      }
  match->lists[side] = list;
  match->firsts[side] = firsts;
}

/* -- pairs of ranks --------------------------------------------------------- */

static int
compare_groups (gconstpointer a,
                gconstpointer b)
{
  const KymoExchangeGroup *x = a, *y = b;

  KYMO_ORDER_BY (x->rank, y->rank);
  return x->location < y->location ? -1 : x->location > y->location;
}

/* As a rule locations ascend with their ranks, and nothing is to be done. */
static void
sort_groups (KymoExchangeGroup *groups,
             guint              n)
{
  for (guint i = 1; i < n; i++)
    if (compare_groups (&groups[i - 1], &groups[i]) > 0)
      {
        qsort (groups, n, sizeof *groups, compare_groups);
        return;
      }
}

static guint
count_of_rank (const KymoExchangeGroup *groups,
               guint                    n)
{
  guint k = 0;

  while (k < n && groups[k].rank == groups[0].rank)
    k++;
  return k;
}

static void
match_rank (Match            *match,
            KymoExchangePair *pair,
            guint             receiver)
{
  KymoExchangeGroup *at[N_SIDES];
  guint left[N_SIDES];

  for (guint side = 0; side < N_SIDES; side++)
    {
      guint first = match->firsts[side][receiver];

      left[side] = match->firsts[side][receiver + 1] - first;
      if (left[side] == 0)
        return;
      at[side] = &g_array_index (match->lists[side], KymoExchangeGroup, first);
      sort_groups (at[side], left[side]);
    }
  while (left[SENDS] > 0 && left[RECEIVES] > 0)
    {
      guint n_sends = count_of_rank (at[SENDS], left[SENDS]);
      guint n_receives = count_of_rank (at[RECEIVES], left[RECEIVES]);
      gboolean sends_first = at[SENDS]->rank <= at[RECEIVES]->rank;
      gboolean receives_first = at[RECEIVES]->rank <= at[SENDS]->rank;

      if (sends_first && receives_first)
        kymo_exchange_pair_match (pair, at[SENDS], n_sends, at[RECEIVES], n_receives);
      at[SENDS] += sends_first ? n_sends : 0;
      left[SENDS] -= sends_first ? n_sends : 0;
      at[RECEIVES] += receives_first ? n_receives : 0;
      left[RECEIVES] -= receives_first ? n_receives : 0;
    }
}

static gpointer
match_ranks (gpointer data)
{
  Match *match = data;
  KymoExchangePair *pair = kymo_exchange_pair_new (match->run, match->exchanges,
                                                   match->cuts);
  gint i;

  while ((i = g_atomic_int_add (&match->next, 1)) < (gint) match->n_ranks
         && !g_cancellable_is_cancelled (match->cancellable))
    match_rank (match, pair, i);
  kymo_exchange_pair_free (pair);
  return NULL;
}

/* -- all of it -------------------------------------------------------------- */

static void
run_stage (Match       *match,
           GThreadFunc  func,
           guint        n_threads)
{
  match->next = 0;
  kymo_share_run ("kymo-match", n_threads, func, match, 0);
}

/* Returns the number of ends. */
static gsize
begin_match (Match *match)
{
  KymoRun *run = match->run;
  guint n = MAX (run->locations->len, 1);
  gsize n_ends[N_SIDES] = { 0, 0 };

  match->ranks = kymo_run_dup_processes (run, &match->n_ranks);
  make_places (match);
  match->exchanges = g_new0 (KymoExchange *, n);
  match->rank_of = g_new (gint, n);
  for (guint side = 0; side < N_SIDES; side++)
    {
      match->starts[side] = g_new0 (gsize, n);
      match->groups[side] = g_new0 (GArray *, n);
    }
  for (guint i = 0; i < run->segments->len; i++)
    {
      const KymoSegment *segment = g_ptr_array_index (run->segments, i);
      KymoExchange *x = segment->exchange;

      match->rank_of[segment->location]
        = kymo_find_process (match->ranks, match->n_ranks,
                             kymo_run_peek_location (run, segment->location)->process);
      match->exchanges[segment->location] = x;
      match->starts[SENDS][segment->location] = n_ends[SENDS];
      match->starts[RECEIVES][segment->location] = n_ends[RECEIVES];
      n_ends[SENDS] += x != NULL ? x->n_sends : 0;
      n_ends[RECEIVES] += x != NULL ? x->n_receives : 0;
    }
  for (guint side = 0; side < N_SIDES; side++)
    match->orders[side] = g_new (guint32, MAX (n_ends[side], 1));
  return n_ends[SENDS] + n_ends[RECEIVES];
}

static void
end_match (Match *match)
{
  for (guint side = 0; side < N_SIDES; side++)
    {
      for (guint i = 0; i < match->run->locations->len; i++)
        if (match->groups[side][i] != NULL)
          g_array_unref (match->groups[side][i]);
      g_free (match->groups[side]);
      g_free (match->starts[side]);
      g_free (match->orders[side]);
      g_free (match->firsts[side]);
      g_clear_pointer (&match->lists[side], g_array_unref);
    }
  g_free (match->exchanges);
  g_free (match->ranks);
  g_free (match->places);
  g_free (match->rank_of);
}

/**
 * kymo_run_match_cut_exchanges:
 * @run: with all its segments, one a location, not sealed yet
 * @cuts: (nullable): #KymoExchangeCut by location
 * @n_threads: most threads, the caller's included; 0 = one per core
 * @cancellable: (nullable): stops it; not all that can be is matched then
 *
 * To be called once by the reader that made segments with receives, before clocks are
 * corrected. Blocks.
 *
 * Within a location records are in their own order, also where its clock went
 * back; between the locations of a rank time decides, of equals the number of the
 * location.
 */
void
kymo_run_match_cut_exchanges (KymoRun      *run,
                              const guint8 *cuts,
                              guint         n_threads,
                              GCancellable *cancellable)
{
  Match match = { .run = run, .cuts = cuts, .cancellable = cancellable };
  gsize n_ends = begin_match (&match);
  guint n = n_threads > 0 ? n_threads : g_get_num_processors ();

  if (n_ends < ENDS_FOR_THREADS)
    n = 1;
  run_stage (&match, group_locations, MIN (n, MAX (run->segments->len, 1)));
  for (guint side = 0; side < N_SIDES; side++)
    list_groups (&match, side);
  run_stage (&match, match_ranks, MIN (n, MAX (match.n_ranks, 1)));
  end_match (&match);
}

/** kymo_run_match_exchanges: kymo_run_match_cut_exchanges() of records that are whole */
void
kymo_run_match_exchanges (KymoRun      *run,
                          guint         n_threads,
                          GCancellable *cancellable)
{
  kymo_run_match_cut_exchanges (run, NULL, n_threads, cancellable);
}

/**
 * kymo_run_count_halves:
 * @run: whose exchanges are matched
 *
 * Returns: of how many messages only the send, or only the receive, is in the run. Cancelled sends
 *   and one-sided transfers, which have one record, do not count
 */
guint64
kymo_run_count_halves (const KymoRun *run)
{
  guint64 n = 0;

  for (guint i = 0; i < run->segments->len; i++)
    {
      KymoSegment *segment = run->segments->pdata[i];
      const KymoExchange *exchange = segment->exchange;
      g_autofree guint8 *cancelled = NULL;

      if (exchange == NULL || !kymo_segment_use (segment, KYMO_PART_SENDS))
        continue;
      cancelled = kymo_segment_dup_cancelled (segment);
      for (guint k = 0; k < exchange->n_sends; k++)
        n += (cancelled == NULL || !cancelled[k]) && kymo_exchange_send_is_half (exchange, k);
      for (guint k = 0; k < exchange->n_receives; k++)
        n += kymo_exchange_receive_is_half (exchange, k);
    }
  return n;
}
