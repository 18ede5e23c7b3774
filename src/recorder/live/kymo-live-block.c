/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kymo-live-block.h"

#include <string.h>

#define STEP (KYMO_LIVE_WHOLE / 250)    /* of a share, for clients */
#define TENTH 25                        /* of a bin, for clients */

/* -- what is told beside the shares ------------------------------------------ */

/**
 * kymo_live_head_scalar: tells a value of one process in a block of that process alone.
 * @kind: a KymoLiveScalarKind
 */
void
kymo_live_head_scalar (KymoLiveHead *head,
                       unsigned      kind,
                       uint32_t      rank,
                       int64_t       value)
{
  head->scalars[kind] = (KymoLiveScalar) { value, value, value, 1, rank, rank, 0 };
  if (kind != KYMO_LIVE_LOAD)
    return;
  head->n_extreme = 1;
  head->idlest[0] = head->busiest[0] = (KymoLiveExtreme) { rank, (uint32_t) value };
}

static int64_t
add_bounded (int64_t a,
             int64_t b)
{
  int64_t sum;

  if (!__builtin_add_overflow (a, b, &sum))
    return sum;
  return a > 0 ? INT64_MAX : INT64_MIN;
}

/* Of equal values that of the lowest rank counts, so the order of children does not matter. */
static void
merge_scalar (KymoLiveScalar       *to,
              const KymoLiveScalar *from)
{
  if (from->n == 0)
    return;
  if (to->n == 0)
    {
      *to = *from;
      return;
    }
  to->sum = add_bounded (to->sum, from->sum);
  if (from->least < to->least
      || (from->least == to->least && from->least_rank < to->least_rank))
    {
      to->least = from->least;
      to->least_rank = from->least_rank;
    }
  if (from->most > to->most || (from->most == to->most && from->most_rank < to->most_rank))
    {
      to->most = from->most;
      to->most_rank = from->most_rank;
    }
  to->n += from->n;
}

static bool
is_before (const KymoLiveExtreme *a,
           const KymoLiveExtreme *b,
           bool                   most)
{
  if (a->load != b->load)
    return most ? a->load > b->load : a->load < b->load;
  return a->rank < b->rank;
}

static void
merge_extremes (KymoLiveExtreme       *to,
                uint32_t               n_to,
                const KymoLiveExtreme *from,
                uint32_t               n_from,
                bool                   most)
{
  KymoLiveExtreme merged[KYMO_LIVE_N_EXTREME];
  uint32_t a = 0, b = 0, n = 0;

  while (n < KYMO_LIVE_N_EXTREME && (a < n_to || b < n_from))
    merged[n++] = b >= n_from || (a < n_to && is_before (&to[a], &from[b], most)) ? to[a++]
                                                                               : from[b++];
  memcpy (to, merged, n * sizeof *merged);
}

static void
merge_head (KymoLiveHead       *to,
            const KymoLiveHead *from)
{
  for (unsigned i = 0; i < KYMO_LIVE_N_SCALARS; i++)
    merge_scalar (&to->scalars[i], &from->scalars[i]);
  merge_extremes (to->idlest, to->n_extreme, from->idlest, from->n_extreme, false);
  merge_extremes (to->busiest, to->n_extreme, from->busiest, from->n_extreme, true);
  to->n_extreme += from->n_extreme;
  if (to->n_extreme > KYMO_LIVE_N_EXTREME)
    to->n_extreme = KYMO_LIVE_N_EXTREME;
}

/* -- merging ------------------------------------------------------------------ */

/**
 * kymo_live_merge_init: begins a block of nobody.
 * @number: of the block
 */
void
kymo_live_merge_init (KymoLiveMerge *merge,
                      uint64_t       number)
{
  memset (merge->n, 0, sizeof merge->n);
  memset (&merge->head, 0, sizeof merge->head);
  merge->weight = 0;
  merge->head.number = number;
}

static uint16_t
other_of (const KymoLiveNames *names,
          uint16_t             id)
{
  return kymo_live_names_role (names, id) == KYMO_LIVE_COMPUTE ? KYMO_LIVE_OTHER
                                                               : KYMO_LIVE_OTHER_REST;
}

/* Where an activity is in a bin, or should be. */
static unsigned
find_place (const KymoLiveMerge *merge,
            unsigned             bin,
            uint16_t             id)
{
  unsigned at = 0;

  while (at < merge->n[bin] && merge->ids[at][bin] < id)
    at++;
  return at;
}

/**
 * kymo_live_merge_share: adds to an activity of a bin.
 * @id: its number in @names, or one of the others
 * @sum: a share, times the processes of which it is the mean
 */
void
kymo_live_merge_share (KymoLiveMerge       *merge,
                       const KymoLiveNames *names,
                       unsigned             bin,
                       uint16_t             id,
                       uint64_t             sum)
{
  unsigned at = find_place (merge, bin, id), n = merge->n[bin];

  if (at == n || merge->ids[at][bin] != id)
    {
      /* Two places are kept for the others. */
      if (id < KYMO_LIVE_OTHER_REST && n >= KYMO_LIVE_MOST_IN_BIN - 2)
        {
          kymo_live_merge_share (merge, names, bin, other_of (names, id), sum);
          return;
        }
      for (unsigned i = n; i > at; i--)
        {
          merge->ids[i][bin] = merge->ids[i - 1][bin];
          merge->sums[i][bin] = merge->sums[i - 1][bin];
        }
      merge->ids[at][bin] = id;
      merge->sums[at][bin] = 0;
      merge->n[bin]++;
    }
  merge->sums[at][bin] += sum;
}

/* Whether bytes are a block; no record of it is looked at twice. */
static bool
check_block (const uint8_t      *bytes,
             size_t              n_bytes,
             const KymoLiveHead *head)
{
  size_t at = sizeof *head;

  if (head->n_processes == 0 || head->n_processes > 1u << 28
      || head->n_extreme > KYMO_LIVE_N_EXTREME)
    return false;
  for (unsigned i = 0; i < KYMO_LIVE_BINS; i++)
    {
      uint16_t n;
      if (n_bytes - at < 2)
        return false;
      memcpy (&n, bytes + at, 2);
      at += 2;
      if (n_bytes - at < 4 * (size_t) n)
        return false;
      at += 4 * (size_t) n;
    }
  return at == n_bytes;
}

/**
 * kymo_live_merge_block: adds a block of a child.
 * @map: (nullable): KYMO_LIVE_MOST_NAMES own numbers, by the numbers of the child
 * @bytes: the block; nothing is added if it is none
 *
 * Returns: FALSE if the bytes are no block
 */
bool
kymo_live_merge_block (KymoLiveMerge       *merge,
                       const KymoLiveNames *names,
                       const uint16_t      *map,
                       const uint8_t       *bytes,
                       size_t               n_bytes)
{
  KymoLiveHead head;
  size_t at = sizeof head;

  if (n_bytes < sizeof head)
    return false;
  memcpy (&head, bytes, sizeof head);
  if (!check_block (bytes, n_bytes, &head))
    return false;
  for (unsigned bin = 0; bin < KYMO_LIVE_BINS; bin++)
    {
      uint16_t n, record[2];
      memcpy (&n, bytes + at, 2);
      at += 2;
      for (unsigned i = 0; i < n; i++, at += 4)
        {
          memcpy (record, bytes + at, 4);
          uint16_t id = record[0];
          if (map != NULL && id < KYMO_LIVE_MOST_NAMES)
            id = map[id];
          else if (id >= KYMO_LIVE_MOST_NAMES && id != KYMO_LIVE_OTHER_REST)
            id = KYMO_LIVE_OTHER;
          kymo_live_merge_share (merge, names, bin, id, (uint64_t) record[1] * head.n_processes);
        }
    }
  merge->weight += head.n_processes;
  merge_head (&merge->head, &head);
  return true;
}

/* -- writing ------------------------------------------------------------------ */

/* A bin as shares, with what is below `least` folded. Returns the number of records. */
static unsigned
fold_bin (const KymoLiveMerge *merge,
          const KymoLiveNames *names,
          unsigned             bin,
          uint64_t             least,
          uint16_t            *ids,
          uint64_t            *shares)
{
  uint64_t others[2] = { 0, 0 };        /* KYMO_LIVE_OTHER_REST, KYMO_LIVE_OTHER */
  unsigned n = 0;

  for (unsigned i = 0; i < merge->n[bin]; i++)
    {
      uint16_t id = merge->ids[i][bin];
      uint64_t sum = merge->sums[i][bin], share = sum / merge->weight;
      if (id >= KYMO_LIVE_OTHER_REST)
        others[id == KYMO_LIVE_OTHER] += sum;
      else if (share < least)
        others[other_of (names, id) == KYMO_LIVE_OTHER] += sum;
      else
        {
          ids[n] = id;
          shares[n++] = share;
        }
    }
  for (unsigned i = 0; i < 2; i++)
    if (others[i] / merge->weight > 0)
      {
        ids[n] = i == 0 ? KYMO_LIVE_OTHER_REST : KYMO_LIVE_OTHER;
        shares[n++] = others[i] / merge->weight;
      }
  return n;
}

/**
 * kymo_live_merge_write: writes the block that goes up the tree.
 * @room: at least KYMO_LIVE_MOST_BLOCK
 *
 * Returns: its bytes; 0 if no process is in it
 */
size_t
kymo_live_merge_write (const KymoLiveMerge *merge,
                       const KymoLiveNames *names,
                       uint8_t             *bytes,
                       size_t               room)
{
  KymoLiveHead head = merge->head;
  uint16_t ids[KYMO_LIVE_MOST_IN_BIN];
  uint64_t shares[KYMO_LIVE_MOST_IN_BIN];
  size_t at = sizeof head;

  if (merge->weight == 0 || room < KYMO_LIVE_MOST_BLOCK)
    return 0;
  head.n_processes = merge->weight;
  memcpy (bytes, &head, sizeof head);
  for (unsigned bin = 0; bin < KYMO_LIVE_BINS; bin++)
    {
      uint16_t n = (uint16_t) fold_bin (merge, names, bin, KYMO_LIVE_FOLD, ids, shares);
      /* Sums above the whole can only come of a child that does not count right. */
      if (n > KYMO_LIVE_WHOLE / KYMO_LIVE_FOLD + 2)
        n = KYMO_LIVE_WHOLE / KYMO_LIVE_FOLD + 2;
      memcpy (bytes + at, &n, 2);
      at += 2;
      for (unsigned i = 0; i < n; i++, at += 4)
        {
          uint16_t share = shares[i] < KYMO_LIVE_WHOLE ? (uint16_t) shares[i] : KYMO_LIVE_WHOLE;
          memcpy (bytes + at, &ids[i], 2);
          memcpy (bytes + at + 2, &share, 2);
        }
    }
  return at;
}

/* Records of the block if what is below `least` is folded. */
static size_t
count_records (const KymoLiveMerge *merge,
               const KymoLiveNames *names,
               unsigned             least)
{
  uint16_t ids[KYMO_LIVE_MOST_IN_BIN];
  uint64_t shares[KYMO_LIVE_MOST_IN_BIN];
  size_t n = 0;

  for (unsigned bin = 0; bin < KYMO_LIVE_BINS; bin++)
    n += fold_bin (merge, names, bin, (uint64_t) least * STEP, ids, shares);
  return n;
}

/* The least share of an activity of its own, in steps of 250: a tenth, or so much that the block
 * has not more than `most` records. */
static unsigned
choose_least (const KymoLiveMerge *merge,
              const KymoLiveNames *names,
              size_t               most)
{
  unsigned low = TENTH, high = 251;

  if (count_records (merge, names, low) <= most)
    return low;
  while (low + 1 < high)
    {
      unsigned middle = (low + high) / 2;
      if (count_records (merge, names, middle) <= most)
        high = middle;
      else
        low = middle;
    }
  return high;
}

static uint8_t *
put_32 (uint8_t *at,
        uint32_t value)
{
  memcpy (at, &value, 4);
  return at + 4;
}

/**
 * kymo_live_merge_write_ccs: writes the block as clients of Charm++ read it (`CkPerfSumDetail
 * compressed`).
 * @carry: (inout): KYMO_LIVE_OTHER + 1 rests: what is cut off a share is added to the next of the
 *   same activity, so that sums over many bins are right to one step
 * @bytes: (out): KYMO_LIVE_MOST_CCS bytes
 *
 * Returns: its bytes
 */
size_t
kymo_live_merge_write_ccs (const KymoLiveMerge *merge,
                           const KymoLiveNames *names,
                           uint32_t            *carry,
                           uint8_t             *bytes)
{
  uint16_t ids[KYMO_LIVE_MOST_IN_BIN];
  uint64_t shares[KYMO_LIVE_MOST_IN_BIN];
  uint8_t *at = bytes;

  if (merge->weight == 0)
    return kymo_live_empty_ccs (0, bytes);
  unsigned least = choose_least (merge, names, (KYMO_LIVE_MOST_CCS - KYMO_LIVE_EMPTY_CCS) / 3);
  at = put_32 (at, KYMO_LIVE_BINS);
  at = put_32 (at, merge->weight);
  for (unsigned bin = 0; bin < KYMO_LIVE_BINS; bin++)
    {
      unsigned n = fold_bin (merge, names, bin, (uint64_t) least * STEP, ids, shares);
      uint8_t *count_at = at;
      uint16_t n_written = 0;
      uint64_t left = 250;
      at += 2;
      for (unsigned i = 0; i < n; i++)
        {
          uint64_t share = shares[i] + carry[ids[i]], steps = share / STEP;
          if (steps > left)
            steps = left;
          share -= steps * STEP;
          left -= steps;
          carry[ids[i]] = (uint32_t) (share < KYMO_LIVE_WHOLE ? share : KYMO_LIVE_WHOLE);
          if (steps == 0)
            continue;
          memcpy (at, &ids[i], 2);
          at[2] = (uint8_t) steps;
          at += 3;
          n_written++;
        }
      memcpy (count_at, &n_written, 2);
    }
  return (size_t) (at - bytes);
}

/**
 * kymo_live_empty_ccs: writes a block of a second of which nothing is known.
 * @bytes: (out): KYMO_LIVE_EMPTY_CCS bytes
 *
 * Returns: KYMO_LIVE_EMPTY_CCS
 */
size_t
kymo_live_empty_ccs (uint32_t n_processes,
                     uint8_t *bytes)
{
  memset (bytes, 0, KYMO_LIVE_EMPTY_CCS);
  put_32 (put_32 (bytes, KYMO_LIVE_BINS), n_processes > 0 ? n_processes : 1);
  return KYMO_LIVE_EMPTY_CCS;
}
