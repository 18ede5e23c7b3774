/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The profile of a summary.
 *
 * Busy, idle and overhead come from the bins, as in every other answer. Of
 * the whole run the files tell the entry methods exactly (time, calls, the
 * longest), so those figures stand in for what the bins say of them, and the
 * unknown activity has what they leave of the busy time. Of a part of the
 * run only the bins tell, and the longest is not known. The shortest never is.
 */
#include "config.h"

#include "kymo-profile.h"

static void
add_calls (KymoProfileState  *state,
           const KymoSegment *segment,
           guint32            s,
           gint64             calls,
           gint64             longest_ns,
           gint64            *blocks)
{
  KymoActivitySums *sums = &state->activities[s];
  gboolean known = longest_ns >= 0 && (sums->blocks == 0 || sums->longest_ns >= 0);

  if (calls <= 0)
    return;
  if (!known)
    sums->longest_ns = -1;
  else if (sums->blocks == 0 || longest_ns > sums->longest_ns)
    {
      sums->longest_ns = longest_ns;
      sums->longest_location = segment->location;
    }
  sums->longest_begin_ns = KYMO_NULL_INT;
  sums->shortest_ns = -1;
  sums->blocks += calls;
  sums->calls += calls;
  if (blocks != NULL)
    blocks[s] += calls;
}

/* Puts the exact figures in the place of those of the bins. */
static void
take_totals (KymoProfileState  *state,
             const KymoSegment *segment,
             KymoSums          *sums,
             gint64            *blocks)
{
  const KymoBins *bins = segment->bins;
  gint64 busy_ns = 0, idle_ns = sums->ns[KYMO_STATE_IDLE];
  gint64 overhead_ns = sums->ns[KYMO_STATE_OVERHEAD];

  for (guint i = 0; i < sums->n_touched; i++)
    if (sums->touched[i] >= KYMO_STATE_ACTIVITY)
      busy_ns += sums->ns[sums->touched[i]];
  kymo_sums_reset (sums);
  kymo_sums_add (sums, KYMO_STATE_IDLE, idle_ns);
  kymo_sums_add (sums, KYMO_STATE_OVERHEAD, overhead_ns);
  for (guint i = 0; i < bins->totals->len; i++)
    {
      const KymoBinsTotal *total = &g_array_index (bins->totals, KymoBinsTotal, i);

      kymo_sums_add (sums, total->state, total->ns);
      busy_ns -= total->ns;
      add_calls (state, segment, total->state, total->calls, total->longest_ns, blocks);
    }
  kymo_sums_add (sums, bins->unknown, busy_ns);
  state->stretch_ns[KYMO_STRETCH_PACK] += bins->pack_ns;
  state->stretch_ns[KYMO_STRETCH_UNPACK] += bins->unpack_ns;
}

static void
count_part (const KymoAsk     *ask,
            KymoProfileState  *state,
            const KymoSegment *segment,
            gint64            *blocks)
{
  const KymoBins *bins = segment->bins;
  KymoSums counts;

  kymo_sums_init (&counts, ask->n_states);
  kymo_bins_count (bins, bins->calls, ask->span, &counts);
  for (guint i = 0; i < counts.n_touched; i++)
    add_calls (state, segment, counts.touched[i], counts.ns[counts.touched[i]], -1, blocks);
  kymo_sums_reset (&counts);
  kymo_bins_count (bins, bins->packing, ask->span, &counts);
  state->stretch_ns[KYMO_STRETCH_PACK] += counts.ns[0];
  state->stretch_ns[KYMO_STRETCH_UNPACK] += counts.ns[1];
  state->packing_unknown |= bins->packing == NULL;
  kymo_sums_clear (&counts);
}

/**
 * kymo_profile_add_bins:
 * @segment: of a summary
 * @sums: (inout): its times by state in the asked range; exact ones after,
 *   where the files tell them
 * @blocks: (nullable): calls by state, added to
 *
 * Adds calls, their lengths and packing.
 */
void
kymo_profile_add_bins (const KymoAsk     *ask,
                       KymoProfileState  *state,
                       const KymoSegment *segment,
                       KymoSums          *sums,
                       gint64            *blocks)
{
  KymoSpan run = ask->run->span;
  gboolean whole = ask->span.begin_ns <= run.begin_ns && ask->span.end_ns >= run.end_ns;

  if (whole && segment->bins->totals->len > 0)
    take_totals (state, segment, sums, blocks);
  else
    count_part (ask, state, segment, blocks);
  for (guint i = 0; i < sums->n_touched; i++)
    {
      KymoActivitySums *of = &state->activities[sums->touched[i]];

      of->length_ns = kymo_saturating_add (of->length_ns, sums->ns[sums->touched[i]]);
    }
}
