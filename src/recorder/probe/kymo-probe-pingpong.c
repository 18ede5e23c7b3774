/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages to and fro between pairs of ranks, one pair after the other: within each node its first
 * rank with the second and with the last, and the first ranks of nodes that follow each other and
 * of nodes that are far apart in their order.
 */
#include "kymo-probe.h"

#include <stdlib.h>
#include <string.h>

#define LARGE_BYTES (UINT64_C (1) << 20)
#define LARGE_TRIPS 4           /* in one batch; likewise of empty messages: */
#define SMALL_TRIPS 100
#define MOST_TIMES 20000        /* of round trips that are kept */

/* -- which pairs --------------------------------------------------------------------- */

static void
add_pair (KymoProbe *probe,
          int        first,
          int        second)
{
  if (first < 0 || second < 0 || first == second || probe->n_pairs == KYMO_PROBE_MOST_PAIRS)
    return;
  for (int i = 0; i < probe->n_pairs; i++)
    if ((probe->pairs[i].first == first && probe->pairs[i].second == second)
        || (probe->pairs[i].first == second && probe->pairs[i].second == first))
      return;
  probe->pairs[probe->n_pairs++] = (KymoProbePair) {
    .first = first, .second = second,
    .within = probe->ranks[first].node == probe->ranks[second].node,
  };
}

/* The rank of a node that has a number there; -1 = the last one */
static int
rank_of (const KymoProbe *probe,
         int              node,
         int              node_rank)
{
  int found = -1;

  for (int i = 0; i < probe->world.size; i++)
    if (probe->ranks[i].node == node
        && (node_rank < 0 || probe->ranks[i].node_rank == node_rank))
      found = i;
  return found;
}

/* The same on all ranks. Of many nodes some, at equal distances. */
static void
choose_pairs (KymoProbe *probe)
{
  int n_nodes = probe->world.n_nodes, step = n_nodes / (KYMO_PROBE_MOST_PAIRS / 4) + 1;

  for (int node = 0; node < n_nodes; node += step)
    {
      int first = rank_of (probe, node, 0);

      add_pair (probe, first, rank_of (probe, node, 1));
      add_pair (probe, first, rank_of (probe, node, -1));
      if (n_nodes > 1)
        add_pair (probe, first, rank_of (probe, (node + 1) % n_nodes, 0));
      if (n_nodes > 3)
        add_pair (probe, first, rank_of (probe, (node + n_nodes / 2) % n_nodes, 0));
    }
}

/* -- one pair ------------------------------------------------------------------------ */

static int
compare_times (const void *a,
               const void *b)
{
  uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;

  return x < y ? -1 : x > y;
}

static uint64_t
trip_ns (int     other,
         char   *bytes,
         size_t  n_bytes)
{
  uint64_t begin_ns = kymo_probe_now ();

  kymo_probe_send (other, bytes, n_bytes);
  kymo_probe_receive (other, bytes, n_bytes);
  return kymo_probe_now () - begin_ns;
}

/* The first of the pair says before each batch whether there is one. Returns the number of round
   trips whose times are known. */
static size_t
lead_trips (int       other,
            char     *bytes,
            size_t    n_bytes,
            int       n_trips,
            uint64_t  share_ns,
            uint64_t *times)
{
  uint64_t end_ns = kymo_probe_now () + share_ns;
  size_t n = 0;
  char goes_on = 1;

  while (goes_on)
    {
      kymo_probe_send (other, &goes_on, 1);
      for (int i = 0; i < n_trips; i++)
        times[n++] = trip_ns (other, bytes, n_bytes);
      goes_on = kymo_probe_now () < end_ns && n + (size_t) n_trips <= MOST_TIMES;
    }
  kymo_probe_send (other, &goes_on, 1);
  return n;
}

static void
follow_trips (int     other,
              char   *bytes,
              size_t  n_bytes,
              int     n_trips)
{
  char goes_on;

  for (kymo_probe_receive (other, &goes_on, 1); goes_on; kymo_probe_receive (other, &goes_on, 1))
    for (int i = 0; i < n_trips; i++)
      {
        kymo_probe_receive (other, bytes, n_bytes);
        kymo_probe_send (other, bytes, n_bytes);
      }
}

static void
lead_pair (KymoProbePair *pair,
           char          *bytes,
           uint64_t      *times,
           uint64_t       share_ns)
{
  size_t n = lead_trips (pair->second, bytes, 0, SMALL_TRIPS, share_ns / 2, times);

  qsort (times, n, sizeof *times, compare_times);
  pair->latency_ns = times[0] / 2;
  pair->median_ns = times[n / 2] / 2;
  n = lead_trips (pair->second, bytes, LARGE_BYTES, LARGE_TRIPS, share_ns / 2, times);
  qsort (times, n, sizeof *times, compare_times);
  pair->message_bytes = LARGE_BYTES;
  if (times[0] > 0)
    pair->rate = (uint64_t) ((double) LARGE_BYTES * 2e9 / (double) times[0]);
}

/**
 * kymo_probe_pingpong: measures pairs of ranks, one after the other; rank 0 gets what they found.
 * @share_ns: how long all of them take
 */
void
kymo_probe_pingpong (KymoProbe *probe,
                     uint64_t   share_ns)
{
  int rank = probe->world.rank;
  char *bytes = calloc (1, LARGE_BYTES);
  uint64_t *times = calloc (MOST_TIMES, sizeof *times);

  if (bytes == NULL || times == NULL)
    kymo_probe_die ("there is no memory");
  choose_pairs (probe);
  for (int i = 0; i < probe->n_pairs; i++)
    {
      KymoProbePair *pair = &probe->pairs[i];

      if (pair->first == rank)
        lead_pair (pair, bytes, times, share_ns / (uint64_t) probe->n_pairs);
      else if (pair->second == rank)
        {
          follow_trips (pair->first, bytes, 0, SMALL_TRIPS);
          follow_trips (pair->first, bytes, LARGE_BYTES, LARGE_TRIPS);
        }
      kymo_probe_barrier ();
      if (pair->first != 0 && rank == pair->first)
        kymo_probe_send (0, pair, sizeof *pair);
      else if (pair->first != 0 && rank == 0)
        kymo_probe_receive (pair->first, pair, sizeof *pair);
    }
  free (bytes);
  free (times);
}
