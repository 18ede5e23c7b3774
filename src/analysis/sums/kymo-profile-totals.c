/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The profile of segments that lie wholly inside the asked range, from their
 * totals: the same figures as kymo_profile_walk() makes, without a look at a
 * column.
 */
#include "config.h"

#include "kymo-profile.h"

/**
 * kymo_ask_takes_totals:
 *
 * Returns: whether everything the segment's totals count lies inside the
 * asked range
 */
gboolean
kymo_ask_takes_totals (const KymoAsk *ask,
                       KymoSegment   *segment)
{
  gint64 count_end_ns = kymo_ask_count_end (ask);
  KymoSpan reach = segment->span;

  if (segment->bins != NULL || reach.begin_ns < ask->span.begin_ns
      || reach.end_ns > ask->span.end_ns || reach.end_ns >= count_end_ns)
    return FALSE;
  reach = kymo_segment_peek_totals (segment)->reach;
  return reach.begin_ns >= ask->span.begin_ns && reach.end_ns <= ask->span.end_ns
    && reach.end_ns < count_end_ns;
}

/**
 * kymo_profile_needs:
 *
 * Returns: the columns that kymo_profile_partial() reads of a segment
 */
guint
kymo_profile_needs (const KymoAsk *ask,
                    KymoSegment   *segment)
{
  return kymo_ask_takes_totals (ask, segment) ? KYMO_NEEDS_SUMS
    : KYMO_NEEDS_TRACK | KYMO_NEEDS_BLOCKS | KYMO_NEEDS_POINTS;
}

static void
add_activity (KymoActivitySums        *sums,
              const KymoActivityTotal *total,
              guint                    location)
{
  gint64 n = total->blocks + total->brackets;

  if (n > 0 && (sums->blocks == 0 || total->longest_ns > sums->longest_ns))
    {
      sums->longest_ns = total->longest_ns;
      sums->longest_begin_ns = total->longest_begin_ns;
      sums->longest_location = location;
    }
  if (n > 0 && (sums->blocks == 0 || total->shortest_ns < sums->shortest_ns))
    sums->shortest_ns = total->shortest_ns;
  sums->length_ns = kymo_saturating_add (sums->length_ns, total->length_ns);
  sums->blocks += n;
  sums->calls += total->calls + total->brackets;
  sums->exclusive_ns = kymo_saturating_add (sums->exclusive_ns, total->bracket_ns);
  sums->inclusive_ns = kymo_saturating_add (sums->inclusive_ns, total->inclusive_ns);
}

static void
add_counters (KymoProfileState *state,
              const KymoTotals *totals,
              guint             n_counters)
{
  guint n = MIN (n_counters, state->n_metrics);

  for (guint i = 0; totals->counters != NULL && i < totals->n_activities; i++)
    for (guint k = 0; k < n; k++)
      {
        const KymoCounterTotal *from = &totals->counters[(gsize) i * n_counters + k];
        gsize to = (gsize) totals->activities[i].state * state->n_metrics + k;

        state->counters[to] = kymo_saturating_add (state->counters[to], from->total);
        state->counted[to] += from->counted;
      }
}

/**
 * kymo_profile_add_totals:
 * @segment: of which kymo_ask_takes_totals() said yes
 * @blocks: (nullable): begin records by state, added to
 *
 * Adds what kymo_profile_walk() would.
 */
void
kymo_profile_add_totals (const KymoAsk    *ask,
                         KymoProfileState *state,
                         KymoSegment      *segment,
                         gint64           *blocks)
{
  const KymoTotals *totals = kymo_segment_peek_totals (segment);

  for (guint i = 0; i < totals->n_activities; i++)
    {
      const KymoActivityTotal *total = &totals->activities[i];

      add_activity (&state->activities[total->state], total, segment->location);
      if (blocks != NULL)
        blocks[total->state] += total->blocks;
    }
  add_counters (state, totals, segment->n_counters);
  for (guint i = 0; i < KYMO_N_STRETCH_KINDS; i++)
    state->stretch_ns[i] = kymo_saturating_add (state->stretch_ns[i], totals->stretch_ns[i]);
}
