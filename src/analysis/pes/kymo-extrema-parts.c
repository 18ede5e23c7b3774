/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a PE's value is made of, by entry method. The parts of a PE add up to
 * its value; by idle time and by overhead they add up to all of its span,
 * and that part comes first. A message counts for the entry method in which it
 * was sent, or which it called. Of a mean block each entry method has its
 * exclusive time, divided by all blocks; of the longest block there is one
 * part.
 *
 * Thousands of PEs times hundreds of entry methods are more than anyone reads:
 * beyond MOST_PARTS lines only those entry methods are told that are largest
 * on any PE, so that what makes a single PE stick out is not among the others.
 */
#include "config.h"

#include "kymo-extrema-private.h"

#include <math.h>

#include "kymo-memory.h"
#include "kymo-ways.h"

#define MOST_PARTS 262144
#define LEAST_NAMES 16

/* States of parts that are none. */
#define STATE_OTHER (G_MAXUINT32 - 1)
#define STATE_OUTSIDE G_MAXUINT32

/**
 * kymo_extrema_parts_new:
 *
 * Returns: (transfer full): no parts yet, of as many rows as locations are asked
 */
KymoExtremaParts *
kymo_extrema_parts_new (const KymoAsk *ask)
{
  KymoExtremaParts *parts = g_new0 (KymoExtremaParts, 1);

  parts->n_rows = ask->n_locations;
  parts->of_row = g_new0 (GArray *, ask->n_locations);
  return parts;
}

/** kymo_extrema_parts_free: frees the parts of all rows */
void
kymo_extrema_parts_free (KymoExtremaParts *parts)
{
  for (guint row = 0; row < parts->n_rows; row++)
    g_clear_pointer (&parts->of_row[row], g_array_unref);
  g_free (parts->of_row);
  g_free (parts);
}

/**
 * kymo_extrema_parts_needs:
 *
 * Returns: #KymoAnswerNeeds beside those of the sums
 */
guint
kymo_extrema_parts_needs (KymoExtremaBy by)
{
  switch (by)
    {
    case KYMO_BY_GRAIN: return KYMO_NEEDS_TRACK | KYMO_NEEDS_BLOCKS;
    case KYMO_BY_SENT:
    case KYMO_BY_BYTES_SENT: return KYMO_NEEDS_SENDS | KYMO_NEEDS_TRACK;
    case KYMO_BY_RECEIVED:
    case KYMO_BY_BYTES_RECEIVED: return KYMO_NEEDS_BLOCKS;
    default: return 0;
    }
}

/* -- by segment ------------------------------------------------------------ */

/* The state at a time. Times of calls ascend like pieces, so the search goes on from the last
   piece. A message sent at the very end of a block, where no other block begins, belongs to that
   block. */
static guint32
state_at (const KymoSegment *segment,
          gint64             time_ns,
          guint             *piece)
{
  guint i;

  while (*piece + 1 < segment->n_pieces
         && kymo_segment_piece_begin (segment, *piece + 1) <= time_ns)
    (*piece)++;
  for (i = *piece; i > 0 && segment->piece_state[i] < KYMO_STATE_ACTIVITY
       && kymo_segment_piece_begin (segment, i) == time_ns;)
    i--;
  return segment->n_pieces > 0 ? segment->piece_state[i] : KYMO_STATE_UNTRACED;
}

/* `values`: by state, and one more: outside of entry methods. */
static void
add_sent (const KymoAsk *ask,
          KymoSegment   *segment,
          gboolean       bytes,
          gint64        *values)
{
  gint64 end_ns = kymo_ask_count_end (ask);
  guint piece = 0;

  for (guint i = 0; i < segment->n_sends && !kymo_ask_is_stopped (ask, i); i++)
    {
      gint64 time_ns = kymo_segment_send_time (segment, i);
      guint64 n = kymo_segment_send_destinations (segment, i);
      guint32 state;

      if (time_ns < ask->span.begin_ns || time_ns >= end_ns)
        continue;
      if (segment->exchange == NULL)
        state = state_at (segment, time_ns, &piece);
      else
        state = segment->send_activity[i] == G_MAXUINT32 ? KYMO_STATE_OVERHEAD
          : KYMO_STATE_ACTIVITY + segment->send_activity[i];
      if (state < KYMO_STATE_ACTIVITY)
        state = ask->n_states;
      values[state] = kymo_saturating_add (values[state], bytes
                                           ? MIN (n * segment->send_bytes[i], G_MAXINT64) : n);
    }
}

static void
add_received (const KymoAsk *ask,
              KymoSegment   *segment,
              gboolean       bytes,
              gint64        *values)
{
  gint64 end_ns = kymo_ask_count_end (ask);

  for (guint i = kymo_segment_first_block (segment, ask->span.begin_ns);
       i < segment->n_blocks && kymo_segment_block_begin (segment, i) < end_ns; i++)
    {
      if (kymo_ask_is_stopped (ask, i))
        return;
      if (segment->block_event[i] >= 0 && kymo_segment_is_first (segment, i))
        values[KYMO_STATE_ACTIVITY + segment->block_activity[i]] +=
          bytes ? segment->block_bytes[i] : 1;
    }
}

/* By the function that received it. */
static void
add_receives (const KymoAsk     *ask,
              const KymoSegment *segment,
              gboolean           bytes,
              gint64            *values)
{
  for (guint i = 0; i < segment->exchange->n_receives && !kymo_ask_is_stopped (ask, i); i++)
    {
      KymoReceipt receipt;

      if (!kymo_receive_is_asked (ask, segment, i))
        continue;
      kymo_receipt_of (ask, segment, i, &receipt);
      values[receipt.activity == G_MAXUINT32 ? ask->n_states
             : KYMO_STATE_ACTIVITY + receipt.activity] += bytes ? receipt.bytes : 1;
    }
}

static void
add_blocks (const KymoAsk *ask,
            KymoSegment   *segment,
            gint64        *values)
{
  gint64 end_ns = kymo_ask_count_end (ask);
  kymo_autoscratch gint64 *exclusive_ns = kymo_segment_new_exclusive (segment);

  for (guint i = kymo_segment_first_block (segment, ask->span.begin_ns);
       i < segment->n_blocks && kymo_segment_block_begin (segment, i) < end_ns; i++)
    {
      if (kymo_ask_is_stopped (ask, i))
        return;
      values[KYMO_STATE_ACTIVITY + segment->block_activity[i]] +=
        exclusive_ns != NULL ? exclusive_ns[i]
        : kymo_segment_block_end (segment, i) - kymo_segment_block_begin (segment, i);
    }
}

static void
add_part (GArray  *parts,
          guint32  state,
          gint64   value)
{
  KymoPart part = { state, value };

  if (value > 0)
    g_array_append_val (parts, part);
}

/**
 * kymo_extrema_parts_add:
 *
 * Adds one segment, where the sums per PE do not tell its parts.
 */
void
kymo_extrema_parts_add (const KymoAsk    *ask,
                        KymoExtremaParts *parts,
                        KymoExtremaBy     by,
                        KymoSegment      *segment)
{
  guint row = ask->row_of[segment->location];
  gboolean bytes = by == KYMO_BY_BYTES_SENT || by == KYMO_BY_BYTES_RECEIVED;
  g_autofree gint64 *values = NULL;

  if (by < KYMO_BY_GRAIN || !kymo_ask_compares (ask, row))
    return;
  values = g_new0 (gint64, ask->n_states + 1);
  if (by == KYMO_BY_GRAIN)
    add_blocks (ask, segment, values);
  else if (by == KYMO_BY_SENT || by == KYMO_BY_BYTES_SENT)
    add_sent (ask, segment, bytes, values);
  else if (segment->exchange != NULL)
    add_receives (ask, segment, bytes, values);
  else
    add_received (ask, segment, bytes, values);
  parts->of_row[row] = g_array_new (FALSE, FALSE, sizeof (KymoPart));
  for (guint32 s = 0; s < ask->n_states; s++)
    add_part (parts->of_row[row], s, values[s]);
  add_part (parts->of_row[row], STATE_OUTSIDE, values[ask->n_states]);
}

/**
 * kymo_extrema_parts_merge:
 *
 * Adds @from to @into; a location stands in one of them only.
 */
void
kymo_extrema_parts_merge (KymoExtremaParts *into,
                          KymoExtremaParts *from)
{
  for (guint row = 0; row < into->n_rows; row++)
    if (from->of_row[row] != NULL)
      {
        g_clear_pointer (&into->of_row[row], g_array_unref);
        into->of_row[row] = g_steal_pointer (&from->of_row[row]);
      }
}

/* -- by PE ----------------------------------------------------------------- */

static int
compare_parts (gconstpointer a,
               gconstpointer b)
{
  const KymoPart *x = a, *y = b;

  if (x->value != y->value)
    return x->value > y->value ? -1 : 1;
  return (x->state > y->state) - (x->state < y->state);
}

/* Entry methods, or functions that compute; by idle time or overhead all functions, these two and
   untraced time as well. */
static GArray *
parts_of_times (const KymoAsk    *ask,
                const KymoPeSums *sums,
                KymoExtremaBy     by,
                guint             row)
{
  const KymoLocationSums *times = &sums->times->locations[row];
  GArray *parts = g_array_new (FALSE, FALSE, sizeof (KymoPart));

  for (guint i = 0; times->shares != NULL && i < times->shares->len; i++)
    {
      const KymoLocationShare *share = &g_array_index (times->shares, KymoLocationShare, i);

      if (by != KYMO_BY_BUSY || kymo_profile_work_of (ask, share->state) == KYMO_WORK_USEFUL)
        add_part (parts, share->state, share->exclusive_ns);
    }
  if (by == KYMO_BY_BUSY)
    return parts;
  add_part (parts, KYMO_STATE_IDLE, times->idle_ns);
  add_part (parts, KYMO_STATE_OVERHEAD, times->overhead_ns);
  add_part (parts, KYMO_STATE_UNTRACED, times->untraced_ns);
  return parts;
}

/* Rounded so that they still add up to the rounded mean. */
static void
divide_parts (GArray *parts,
              gint64  by)
{
  gint64 before = 0;
  long double sum = 0;

  for (guint i = 0; i < parts->len; i++)
    {
      KymoPart *part = &g_array_index (parts, KymoPart, i);
      gint64 upto;

      sum += part->value;
      upto = llroundl (sum / by);
      part->value = upto - before;
      before = upto;
    }
}

static void
make_parts (const KymoAsk    *ask,
            KymoExtremaParts *parts,
            const KymoPeSums *sums,
            KymoExtremaBy     by,
            const KymoRanked *ranked)
{
  GArray **of_row = &parts->of_row[ranked->row];

  if (by <= KYMO_BY_OVERHEAD)
    *of_row = parts_of_times (ask, sums, by, ranked->row);
  else if (by == KYMO_BY_LONGEST)
    {
      *of_row = g_array_new (FALSE, FALSE, sizeof (KymoPart));
      add_part (*of_row, sums->counts[ranked->row].longest_state, ranked->of);
    }
  if (*of_row == NULL)
    *of_row = g_array_new (FALSE, FALSE, sizeof (KymoPart));
  g_array_sort (*of_row, compare_parts);
  if (by == KYMO_BY_GRAIN)
    divide_parts (*of_row, ranked->by);
}

/* -- too many -------------------------------------------------------------- */

static gboolean
is_activity (guint32 state)
{
  return state >= KYMO_STATE_ACTIVITY && state < STATE_OTHER;
}

/* The value that `n` entry methods reach on some PE, and which do. */
static gboolean *
choose_names (const KymoAsk          *ask,
              const KymoExtremaParts *parts,
              const GArray           *ranked,
              guint                   n)
{
  g_autofree KymoPart *largest = g_new0 (KymoPart, ask->n_states);
  gboolean *chosen = g_new0 (gboolean, ask->n_states);

  for (guint32 s = 0; s < ask->n_states; s++)
    largest[s].state = s;
  for (guint i = 0; i < ranked->len; i++)
    {
      const GArray *own = parts->of_row[g_array_index (ranked, KymoRanked, i).row];

      for (guint k = 0; k < own->len; k++)
        {
          const KymoPart *part = &g_array_index (own, KymoPart, k);

          if (is_activity (part->state))
            largest[part->state].value = MAX (largest[part->state].value, part->value);
        }
    }
  qsort (largest, ask->n_states, sizeof *largest, compare_parts);
  for (guint i = 0; i < MIN (n, ask->n_states); i++)
    chosen[largest[i].state] = TRUE;
  return chosen;
}

static void
join_others (GArray         *own,
             const gboolean *chosen)
{
  gint64 other = 0;
  guint n = 0;

  for (guint i = 0; i < own->len; i++)
    {
      KymoPart part = g_array_index (own, KymoPart, i);

      if (is_activity (part.state) && !chosen[part.state])
        other += part.value;
      else
        g_array_index (own, KymoPart, n++) = part;
    }
  g_array_set_size (own, n);
  add_part (own, STATE_OTHER, other);
}

/* Order of the parts of a bar: idle time is first, or overhead where PEs are ranked by it; the
   other of these two follows the entry methods, and untraced time is last. */
static guint
place_of (KymoExtremaBy  by,
          guint32        state)
{
  if (state == KYMO_STATE_IDLE)
    return by == KYMO_BY_OVERHEAD ? 4 : 0;
  if (state == KYMO_STATE_OVERHEAD)
    return by == KYMO_BY_OVERHEAD ? 0 : 4;
  if (state == KYMO_STATE_UNTRACED)
    return 5;
  return state == STATE_OTHER ? 2 : state == STATE_OUTSIDE ? 3 : 1;
}

static int
compare_places (gconstpointer a,
                gconstpointer b,
                gpointer      data)
{
  const KymoPart *x = a, *y = b;
  KymoExtremaBy by = GPOINTER_TO_INT (data);
  guint place_x = place_of (by, x->state), place_y = place_of (by, y->state);

  return place_x != place_y ? (place_x < place_y ? -1 : 1) : compare_parts (a, b);
}

/**
 * kymo_extrema_parts_list:
 * @ranked: #KymoRanked: the PEs that are told
 * @table: of them
 *
 * Makes the parts of these PEs, and the nested table "parts".
 *
 * Returns: its column
 */
guint
kymo_extrema_parts_list (const KymoAsk    *ask,
                         KymoExtremaParts *parts,
                         const KymoPeSums *sums,
                         KymoExtremaBy     by,
                         const GArray     *ranked,
                         KymoTable        *table)
{
  KymoTable *child = kymo_table_new_list ("id name:string kind:string value");
  guint64 n = 0;
  g_autofree gboolean *chosen = NULL;

  for (guint i = 0; i < ranked->len; i++)
    {
      const KymoRanked *one = &g_array_index (ranked, KymoRanked, i);

      make_parts (ask, parts, sums, by, one);
      n += parts->of_row[one->row]->len;
    }
  if (n > MOST_PARTS)
    chosen = choose_names (ask, parts, ranked, MAX (MOST_PARTS / ranked->len, LEAST_NAMES));
  for (guint i = 0; i < ranked->len; i++)
    {
      GArray *own = parts->of_row[g_array_index (ranked, KymoRanked, i).row];

      if (chosen != NULL)
        join_others (own, chosen);
      g_array_sort_with_data (own, compare_places, GINT_TO_POINTER (by));
    }
  return kymo_table_add_nested (table, "parts", child);
}

static const char *
outside_of (const KymoAsk *ask)
{
  return ask->run->terms.code == KYMO_CODE_FUNCTION ? "Outside functions"
    : "Outside entry methods";
}

/**
 * kymo_extrema_parts_append:
 * @row: number of the PE among the asked
 * @table: the list of PEs
 * @column: what kymo_extrema_parts_list() gave
 *
 * Appends the parts of one PE.
 */
void
kymo_extrema_parts_append (const KymoAsk    *ask,
                           KymoExtremaParts *parts,
                           guint             row,
                           KymoTable        *table,
                           guint             column)
{
  KymoTable *child = kymo_table_peek_nested (table, "parts", NULL);
  const GArray *own = parts->of_row[row];

  for (guint i = 0; i < own->len; i++)
    {
      const KymoPart *part = &g_array_index (own, KymoPart, i);
      gboolean state = part->state < STATE_OTHER, other = part->state == STATE_OTHER;

      if (part->value <= 0)
        continue;
      kymo_table_append_row (child, state ? kymo_ask_state_id (ask, part->state) : KYMO_NULL_INT,
                             state ? kymo_ask_state_name (ask, part->state)
                             : other ? "Other" : outside_of (ask),
                             state ? kymo_ask_state_kind (ask, part->state)
                             : other ? "other" : "outside",
                             part->value);
    }
  kymo_table_end_nested (table, column);
}
