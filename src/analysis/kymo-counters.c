/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Hardware counters of blocks. A block's figure holds those of the blocks
 * nested in it; its own is what is left without them, and is not known where
 * one of them is not.
 */
#include "config.h"

#include <string.h>

#include "kymo-profile.h"

static void
take_from_parent (gint64 *parent,
                  gint64  inner)
{
  if (*parent == KYMO_NO_COUNT)
    return;
  if (inner == KYMO_NO_COUNT || __builtin_sub_overflow (*parent, inner, parent))
    *parent = KYMO_NO_COUNT;
}

/**
 * kymo_segment_exclusive_counters:
 *
 * Returns: (transfer full) (nullable): n_blocks x n_counters own figures, or
 * %NULL where the segment has no counters. Free with g_free().
 */
gint64 *
kymo_segment_exclusive_counters (const KymoSegment *segment)
{
  guint n = segment->n_counters;
  guint open[G_MAXUINT8 + 1];   /* block at each depth */
  gint64 *own;

  if (segment->block_counters == NULL || n == 0)
    return NULL;
  own = g_memdup2 (segment->block_counters, (gsize) segment->n_blocks * n * sizeof (gint64));
  for (guint i = 0; own != NULL && segment->block_depth != NULL && i < segment->n_blocks; i++)
    {
      guint depth = segment->block_depth[i];

      open[depth] = i;
      for (guint k = 0; depth > 0 && k < n; k++)
        take_from_parent (&own[(gsize) open[depth - 1] * n + k],
                          segment->block_counters[(gsize) i * n + k]);
    }
  return own;
}

/**
 * kymo_profile_add_counters:
 *
 * Adds the own counters of the blocks that begin inside the range.
 */
void
kymo_profile_add_counters (const KymoAsk     *ask,
                           KymoProfileState  *state,
                           const KymoSegment *segment)
{
  guint n = MIN (segment->n_counters, state->n_metrics);
  g_autofree gint64 *own = n > 0 ? kymo_segment_exclusive_counters (segment) : NULL;
  gint64 end_ns = kymo_ask_count_end (ask);

  for (guint i = kymo_segment_first_block (segment, ask->span.begin_ns);
       own != NULL && i < segment->n_blocks && kymo_segment_block_begin (segment, i) < end_ns; i++)
    {
      gsize row = (gsize) (KYMO_STATE_ACTIVITY + segment->block_activity[i]) * state->n_metrics;

      if (kymo_ask_is_stopped (ask, i))
        return;
      for (guint k = 0; k < n; k++)
        {
          gint64 value = own[(gsize) i * segment->n_counters + k];

          if (value == KYMO_NO_COUNT)
            continue;
          state->counters[row + k] = kymo_saturating_add (state->counters[row + k], value);
          state->counted[row + k]++;
        }
    }
}
