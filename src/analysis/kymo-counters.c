/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Hardware counters of blocks. A block's figure holds those of the blocks
 * nested in it; its own is what is left without them, and is not known where
 * one of them is not.
 */
#include "config.h"

#include <string.h>

#include "kymo-profile.h"
#include "kymo-memory.h"

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
  kymo_autoscratch gint64 *own = n > 0 ? kymo_segment_exclusive_counters (segment) : NULL;
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
