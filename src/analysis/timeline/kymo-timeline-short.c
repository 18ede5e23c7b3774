/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * least-ns: blocks that last less are hidden. Their pieces of the track get a state
 * of their own, the one behind those of the run, so that cells tell where something
 * is hidden, and how much of it; times by name stay what they are.
 *
 * A piece belongs to the innermost block around it; it is that block's length that
 * counts, however many pieces inner ones cut it into.
 */
#include "config.h"

#include "kymo-timeline-private.h"

#include <string.h>

/**
 * kymo_timeline_hides:
 *
 * Returns: whether any block of the segment may be hidden; bins know none
 */
gboolean
kymo_timeline_hides (const KymoTimelinePlan *plan,
                     const KymoSegment      *segment)
{
  return plan->least_ns > 0 && segment->n_blocks > 0 && segment->n_pieces > 0;
}

/* Blocks that begin up to a time, on a stack of those that are open then. */
static guint
open_blocks (const KymoSegment *segment,
             gint64             time_ns,
             guint              next,
             GArray            *stack)
{
  for (; next < segment->n_blocks && kymo_segment_block_begin (segment, next) <= time_ns; next++)
    {
      while (stack->len > 0
             && kymo_segment_block_end (segment, g_array_index (stack, guint, stack->len - 1))
             <= kymo_segment_block_begin (segment, next))
        g_array_set_size (stack, stack->len - 1);
      g_array_append_val (stack, next);
    }
  while (stack->len > 0
         && kymo_segment_block_end (segment, g_array_index (stack, guint, stack->len - 1))
         <= time_ns)
    g_array_set_size (stack, stack->len - 1);
  return next;
}

/* Where nothing nests no earlier block can be open. */
static guint
first_needed (const KymoSegment *segment,
              gint64             time_ns)
{
  guint first = kymo_segment_first_block (segment, time_ns);

  return segment->block_depth != NULL || first == 0 ? 0 : first - 1;
}

/**
 * kymo_timeline_hide_short:
 * @segment: with blocks
 *
 * Returns: (transfer full): the state of each piece, with n_states - 1 of the plan
 * for those of short blocks; outside of the columns as they are
 */
guint32 *
kymo_timeline_hide_short (const KymoAsk          *ask,
                          const KymoTimelinePlan *plan,
                          const KymoSegment      *segment)
{
  guint32 *states = g_memdup2 (segment->piece_state, segment->n_pieces * sizeof (guint32));
  KymoSpan span = kymo_span_intersect (plan->span, segment->span);
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (guint));
  guint next;

  if (kymo_span_length (span) == 0)
    return states;
  next = first_needed (segment, kymo_segment_piece_begin (
    segment, kymo_segment_find_piece (segment, span.begin_ns)));
  for (guint i = kymo_segment_find_piece (segment, span.begin_ns);
       i < segment->n_pieces && kymo_segment_piece_begin (segment, i) < span.end_ns
         && !kymo_ask_is_stopped (ask, i); i++)
    {
      guint block;

      if (states[i] < KYMO_STATE_ACTIVITY)
        continue;
      next = open_blocks (segment, kymo_segment_piece_begin (segment, i), next, stack);
      if (stack->len == 0)
        continue;
      block = g_array_index (stack, guint, stack->len - 1);
      if (kymo_segment_block_end (segment, block) - kymo_segment_block_begin (segment, block)
          < plan->least_ns)
        states[i] = plan->n_states - 1;
    }
  return states;
}
