/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What of a location's records is needed so that a reader sees a stretch of time as it
 * sees it in the whole run (docs/formats/kymo.md):
 *
 * - blocks that overlap the stretch, so also all that they lie in, and the last one
 *   before and the first one behind it: pieces of time reach to those;
 * - all blocks directly in one that begins in the stretch, for what is a block's own, of
 *   its time and of hardware counters, is what they leave of it;
 * - all blocks of a call that was not traced for a while;
 * - messages with one end in it or in a block of it, both ends with the blocks around
 *   them: readers pair
 *   the first send with the first receive, so pairs are written as pairs, and ends
 *   without a partner, which are the last of their kind, behind them. An end whose
 *   partner is not chosen, though its rank is there, would be taken for another one's
 *   and is left out;
 * - all members of a collective that has one in it: readers count calls.
 */
#include "config.h"

#include "kymo-convert-trace-private.h"

#include <string.h>

static gboolean
is_in (const KymoTraceChoice *choice,
       gint64                 time_ns)
{
  return time_ns >= choice->counted.begin_ns && time_ns < choice->counted.end_ns;
}

static gboolean
overlaps_trace_parts (const KymoTraceChoice *choice,
                      gint64                 begin_ns,
                      gint64                 end_ns)
{
  return (end_ns > choice->counted.begin_ns
          || (end_ns == choice->counted.begin_ns && begin_ns == end_ns))
    && begin_ns < choice->counted.end_ns;
}

static gboolean
is_chosen (const KymoTraceChoice *choice,
           guint                  location)
{
  return g_array_index (choice->convert->place_of, gint, location) >= 0;
}

/**
 * kymo_trace_choice_has_collective:
 *
 * Returns: whether a chosen location is in the collective within the range
 */
gboolean
kymo_trace_choice_has_collective (const KymoTraceChoice *choice,
                                  const KymoCollectives *all,
                                  const KymoCollective  *collective)
{
  for (guint i = 0; i < collective->n_members; i++)
    {
      const KymoCollectiveMember *member = kymo_collective_member (all, collective, i);

      if (choice->whole || (is_chosen (choice, member->location)
                            && overlaps_trace_parts (choice, member->begin_ns, member->end_ns)))
        return TRUE;
    }
  return FALSE;
}

static void
add_collective (KymoTraceChoice       *choice,
                const KymoCollectives *all,
                const KymoCollective  *collective)
{
  gboolean is_needed = kymo_trace_choice_has_collective (choice, all, collective);

  for (guint i = 0; i < collective->n_members && is_needed; i++)
    {
      const KymoCollectiveMember *member = kymo_collective_member (all, collective, i);
      KymoSpan span = { member->begin_ns, member->end_ns };
      GArray **list = &choice->together[member->location];

      if (*list == NULL)
        *list = g_array_new (FALSE, FALSE, sizeof (KymoSpan));
      g_array_append_val (*list, span);
      /* A collective operation that does not block ends in a function that waits. */
      span.begin_ns = span.end_ns;
      if (collective->kind == KYMO_COLLECTIVE_OTHER)
        g_array_append_val (*list, span);
    }
}

/**
 * kymo_trace_choice_init:
 *
 * All segments of the chosen locations may be read.
 */
void
kymo_trace_choice_init (KymoTraceChoice *choice,
                        KymoConvert     *convert)
{
  const KymoRun *run = convert->run;
  KymoSpan records = kymo_run_get_records_span (run);
  const KymoCollectives *all;

  *choice = (KymoTraceChoice) { .convert = convert, .counted = kymo_convert_counted (convert) };
  choice->whole = convert->places->len == run->locations->len
    && choice->counted.begin_ns <= records.begin_ns && choice->counted.end_ns > records.end_ns;
  choice->ranks = g_hash_table_new (g_int64_hash, g_int64_equal);
  choice->together = g_new0 (GArray *, MAX (run->locations->len, 1));
  for (guint i = 0; i < convert->places->len; i++)
    g_hash_table_add (choice->ranks, (gpointer) &kymo_run_peek_location (
      run, kymo_convert_place (convert, i)->location)->process);
  all = choice->whole ? NULL
    : kymo_run_peek_collectives (run, convert->wish->n_threads,
                                 convert->job != NULL
                                 ? kymo_job_peek_cancellable (convert->job) : NULL);
  for (guint i = 0; all != NULL && i < all->list->len && kymo_convert_goes_on (convert, i); i++)
    add_collective (choice, all, &g_array_index (all->list, KymoCollective, i));
}

void
kymo_trace_choice_clear (KymoTraceChoice *choice)
{
  for (guint i = 0; i < choice->convert->run->locations->len; i++)
    if (choice->together[i] != NULL)
      g_array_unref (choice->together[i]);
  g_free (choice->together);
  g_hash_table_unref (choice->ranks);
}

/* -- one location ----------------------------------------------------------- */

typedef struct
{
  KymoTraceChoice   *choice;
  KymoTraceParts    *parts;
  const KymoSegment *segment;
  guint32           *parents;
} Marking;

static guint
depth_of (const KymoSegment *segment,
          guint              block)
{
  return segment->block_depth != NULL ? segment->block_depth[block] : 0;
}

/* Marks a block and all blocks around it. */
static void
mark_with_parents (Marking *marking,
                   guint32  block)
{
  for (; block < marking->segment->n_blocks && !marking->parts->blocks[block];
       block = marking->parents[block])
    marking->parts->blocks[block] = TRUE;
}

/* Marks the blocks of the range. A block without length at the begin of the range may lie in a
   block that ends there. */
static void
mark_blocks (Marking *marking)
{
  const KymoSegment *segment = marking->segment;
  guint32 open[G_MAXUINT8 + 1];

  for (guint i = 0; i < segment->n_blocks
       && kymo_convert_goes_on (marking->choice->convert, i); i++)
    {
      guint depth = depth_of (segment, i);
      guint32 parent = depth > 0 ? open[depth - 1] : KYMO_NO_BLOCK;

      open[depth] = i;
      marking->parents[i] = parent;
      if (overlaps_trace_parts (marking->choice, kymo_segment_block_begin (segment, i),
                                kymo_segment_block_end (segment, i))
          || (parent != KYMO_NO_BLOCK
              && is_in (marking->choice, kymo_segment_block_begin (segment, parent))))
        mark_with_parents (marking, i);
    }
}

/* The blocks that end the pieces of time which reach over the ends of the range. */
static void
mark_neighbours (Marking *marking)
{
  const KymoSegment *segment = marking->segment;
  KymoSpan counted = marking->choice->counted;
  guint behind = kymo_segment_first_block (segment, counted.end_ns);
  guint32 last = KYMO_NO_BLOCK;
  gint64 last_ns = G_MININT64;

  for (guint i = 0; i < segment->n_blocks
       && kymo_convert_goes_on (marking->choice->convert, i); i++)
    {
      gint64 end_ns = kymo_segment_block_end (segment, i);

      if (kymo_segment_block_begin (segment, i) > counted.begin_ns)
        break;
      if (end_ns <= counted.begin_ns && end_ns >= last_ns)
        {
          last = i;
          last_ns = end_ns;
        }
    }
  mark_with_parents (marking, last);
  mark_with_parents (marking, behind);
}

/* All blocks of a call that went on while it was not traced: the one that it begins with says
   whether a later one counts as a call. */
static void
mark_calls (Marking *marking)
{
  const KymoSegment *segment = marking->segment;
  g_autoptr (GHashTable) calls = g_hash_table_new (NULL, NULL);
  gboolean changed = TRUE;

  while (changed)
    {
      changed = FALSE;
      for (guint i = 0; i < segment->n_blocks; i++)
        if (segment->block_event[i] < KYMO_NO_MESSAGE && marking->parts->blocks[i])
          g_hash_table_add (calls, GINT_TO_POINTER (segment->block_event[i]));
      for (guint i = 0; i < segment->n_blocks && g_hash_table_size (calls) > 0; i++)
        if (segment->block_event[i] < KYMO_NO_MESSAGE && !marking->parts->blocks[i]
            && g_hash_table_contains (calls, GINT_TO_POINTER (segment->block_event[i])))
          {
            mark_with_parents (marking, i);
            changed = TRUE;
          }
    }
}

/* The innermost block around a stretch, with all that it lies in. */
static void
mark_around (Marking  *marking,
             KymoSpan  span)
{
  const KymoSegment *segment = marking->segment;
  guint32 block = kymo_segment_first_block (segment, span.begin_ns + 1);

  block = block > 0 ? block - 1 : KYMO_NO_BLOCK;
  while (block != KYMO_NO_BLOCK && kymo_segment_block_end (segment, block) < span.end_ns)
    block = marking->parents[block];
  mark_with_parents (marking, block);
}

/* An end of a message belongs to the range with its time, or with the block around it:
   a thread that waits there waits for it. */
static gboolean
end_is_in (const KymoTraceChoice *choice,
           const KymoSegment     *segment,
           gint64                 time_ns,
           guint32                block)
{
  return is_in (choice, time_ns)
    || (block < segment->n_blocks && overlaps_trace_parts (
      choice, kymo_segment_block_begin (segment, block),
      kymo_segment_block_end (segment, block)));
}

static gboolean
send_is_in (const KymoTraceChoice *choice,
            const KymoSegment     *segment,
            guint32                send)
{
  return end_is_in (choice, segment, kymo_segment_send_time (segment, send),
                    segment->exchange->send_block[send]);
}

static gboolean
receive_is_in (const KymoTraceChoice *choice,
               const KymoSegment     *segment,
               guint32                receive)
{
  return end_is_in (choice, segment, kymo_segment_receive_time (segment, receive),
                    segment->exchange->receive_block[receive]);
}

static const KymoSegment *
segment_at (const Marking *marking,
            guint32        location)
{
  return g_ptr_array_index (marking->choice->convert->run->segments, location);
}

/**
 * End:
 * @is_in: whether it belongs to the range
 * @other: index of the location of the other end, or KYMO_UNMATCHED
 * @other_is_in: asked for where that location is chosen
 */
typedef struct
{
  gboolean is_in;
  gint32   partner, tag;
  guint32  other, other_index;
  gboolean (*other_is_in) (const KymoTraceChoice *choice,
                           const KymoSegment     *segment,
                           guint32                index);
} End;

static gboolean
wants_end (Marking   *marking,
           const End *end)
{
  KymoTraceChoice *choice = marking->choice;
  gint64 rank = end->partner;

  if (end->tag < 0 && choice->has_one_sided)
    return end->is_in;
  if (end->tag < 0)
    {
      choice->n_one_sided += end->is_in;
      return FALSE;
    }
  if (end->other == KYMO_UNMATCHED)
    return end->is_in;
  if (is_chosen (choice, end->other))
    return end->is_in
      || end->other_is_in (choice, segment_at (marking, end->other), end->other_index);
  if (!end->is_in || !g_hash_table_contains (choice->ranks, &rank))
    return end->is_in;
  choice->n_torn++;
  return FALSE;
}

static void
mark_sends (Marking *marking)
{
  const KymoExchange *x = marking->segment->exchange;

  for (guint i = 0; i < x->n_sends && kymo_convert_goes_on (marking->choice->convert, i); i++)
    {
      End end = { send_is_in (marking->choice, marking->segment, i), x->send_partner[i],
                  x->send_tag[i], KYMO_UNMATCHED, 0, receive_is_in };

      if (x->send_location != NULL && x->send_location[i] != KYMO_UNMATCHED)
        {
          end.other = x->send_location[i];
          end.other_index = x->send_receive[i];
        }
      marking->parts->sends[i] = wants_end (marking, &end);
      if (marking->parts->sends[i] && marking->parents != NULL)
        mark_with_parents (marking, x->send_block[i]);
    }
}

static void
mark_receives (Marking *marking)
{
  const KymoExchange *x = marking->segment->exchange;

  for (guint i = 0; i < x->n_receives && kymo_convert_goes_on (marking->choice->convert, i); i++)
    {
      End end = { receive_is_in (marking->choice, marking->segment, i), x->receive_partner[i],
                  x->receive_tag[i], KYMO_UNMATCHED, 0, send_is_in };

      if (x->receive_location != NULL && x->receive_location[i] != KYMO_UNMATCHED)
        {
          end.other = x->receive_location[i];
          end.other_index = x->receive_send[i];
        }
      marking->parts->receives[i] = wants_end (marking, &end);
      if (marking->parts->receives[i] && marking->parents != NULL)
        mark_with_parents (marking, x->receive_block[i]);
    }
}

/** kymo_trace_parts_init: @parts: (out): to be cleared */
void
kymo_trace_parts_init (KymoTraceParts  *parts,
                       KymoTraceChoice *choice,
                       guint            location)
{
  const KymoSegment *segment = g_ptr_array_index (choice->convert->run->segments, location);
  const GArray *together = choice->together[location];
  g_autofree guint32 *parents = NULL;
  Marking marking = { choice, parts, segment, NULL };

  *parts = (KymoTraceParts) { NULL };
  if (!choice->whole)
    {
      parts->blocks = g_new0 (guint8, MAX (segment->n_blocks, 1));
      marking.parents = parents = g_new (guint32, MAX (segment->n_blocks, 1));
      /* No parents until the walk sets them: a cancelled walk sets only some. */
      memset (parents, 0xff, segment->n_blocks * sizeof *parents);
      mark_blocks (&marking);
      mark_neighbours (&marking);
    }
  if (segment->exchange != NULL)
    {
      parts->sends = g_new0 (guint8, MAX (segment->exchange->n_sends, 1));
      parts->receives = g_new0 (guint8, MAX (segment->exchange->n_receives, 1));
      mark_sends (&marking);
      mark_receives (&marking);
    }
  for (guint i = 0; together != NULL && i < together->len
       && kymo_convert_goes_on (choice->convert, i); i++)
    mark_around (&marking, g_array_index (together, KymoSpan, i));
  if (!choice->whole)
    mark_calls (&marking);
}

void
kymo_trace_parts_clear (KymoTraceParts *parts)
{
  g_free (parts->blocks);
  g_free (parts->sends);
  g_free (parts->receives);
}
