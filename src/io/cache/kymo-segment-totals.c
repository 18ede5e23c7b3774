/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The totals of a run's segments as sections of its file, and back.
 */
#include "config.h"

#include "kymo-segment-totals.h"

#include <string.h>

/**
 * kymo_stored_totals_clear:
 *
 * Frees the lists, not the struct itself.
 */
void
kymo_stored_totals_clear (KymoStoredTotalsLists *lists)
{
  g_clear_pointer (&lists->segments, g_array_unref);
  g_clear_pointer (&lists->activities, g_array_unref);
  g_clear_pointer (&lists->counters, g_array_unref);
}

/**
 * kymo_stored_totals_make:
 * @run: sealed, its segments in memory
 * @lists: (out): what the sections hold; kymo_stored_totals_clear()
 *
 * Makes the totals that were not made yet. Any thread.
 */
void
kymo_stored_totals_make (const KymoRun         *run,
                         KymoStoredTotalsLists *lists)
{
  lists->segments = g_array_new (FALSE, TRUE, sizeof (KymoStoredTotals));
  lists->activities = g_array_new (FALSE, FALSE, sizeof (KymoActivityTotal));
  lists->counters = g_array_new (FALSE, FALSE, sizeof (KymoCounterTotal));
  for (guint i = 0; i < run->segments->len; i++)
    {
      KymoSegment *segment = g_ptr_array_index (run->segments, i);
      const KymoTotals *totals = kymo_segment_peek_totals (segment);
      KymoStoredTotals stored = { totals->reach.begin_ns, totals->reach.end_ns };

      memcpy (stored.stretch_ns, totals->stretch_ns, sizeof stored.stretch_ns);
      stored.n_activities = totals->n_activities;
      g_array_append_val (lists->segments, stored);
      if (totals->n_activities > 0)
        g_array_append_vals (lists->activities, totals->activities, totals->n_activities);
      if (totals->counters != NULL && totals->n_activities > 0)
        g_array_append_vals (lists->counters, totals->counters,
                             totals->n_activities * segment->n_counters);
    }
}

static gboolean
in_reach (gint64 ns)
{
  return ns > -KYMO_SEGMENT_MAX_NS && ns < KYMO_SEGMENT_MAX_NS;
}

/* States ascend, and counts are of what the segment holds. */
static gboolean
check_activities (const KymoSegment       *segment,
                  const KymoActivityTotal *totals,
                  guint64                  n_totals,
                  guint64                  n_states)
{
  gint64 n_blocks = segment->n_blocks, n_points = kymo_segment_get_n_points (segment);
  guint32 before = KYMO_STATE_ACTIVITY - 1;

  for (guint64 i = 0; i < n_totals; i++)
    {
      const KymoActivityTotal *t = &totals[i];

      if (t->state <= before || t->state >= n_states || t->blocks < 0 || t->blocks > n_blocks
          || t->brackets < 0 || t->brackets > n_points || t->calls < 0 || t->calls > t->blocks
          || t->inclusive_ns < 0 || t->bracket_ns < 0 || t->longest_ns < 0
          || !in_reach (t->longest_ns) || !in_reach (t->longest_begin_ns)
          || t->shortest_ns < 0 || t->shortest_ns > t->longest_ns
          || t->length_ns < t->longest_ns)
        return FALSE;
      before = t->state;
      n_blocks -= t->blocks;
      n_points -= t->brackets;
    }
  return n_blocks == 0;
}

static gboolean
check_counters (const KymoCounterTotal *counters,
                guint64                 n,
                gint64                  n_blocks)
{
  for (guint64 i = 0; i < n; i++)
    if (counters[i].counted < 0 || counters[i].counted > n_blocks)
      return FALSE;
  return TRUE;
}

static gboolean
check_stored (const KymoStoredTotals *stored,
              KymoSpan                span)
{
  for (guint i = 0; i < KYMO_N_STRETCH_KINDS; i++)
    if (stored->stretch_ns[i] < 0)
      return FALSE;
  return in_reach (stored->reach_begin_ns) && in_reach (stored->reach_end_ns)
    && stored->reach_begin_ns <= span.begin_ns && stored->reach_end_ns >= span.end_ns;
}

/**
 * kymo_stored_totals_take:
 * @bytes: of the whole file
 * @header: whose places lie inside the file
 * @run: its segments get the totals, which stay where they are
 *
 * Returns: whether the sections can be believed
 */
gboolean
kymo_stored_totals_take (const guint8            *bytes,
                         const KymoSegmentHeader *header,
                         KymoRun                 *run)
{
  const KymoStoredTotals *stored = (gconstpointer) (bytes + header->totals.offset);
  const KymoActivityTotal *row = (gconstpointer) (bytes + header->activity_totals.offset);
  const KymoCounterTotal *counter = (gconstpointer) (bytes + header->counter_totals.offset);
  guint64 n_rows = header->activity_totals.n_bytes / sizeof *row;
  guint64 n_counters = header->counter_totals.n_bytes / sizeof *counter;

  if (header->totals.n_bytes != run->segments->len * sizeof *stored
      || header->activity_totals.n_bytes % sizeof *row != 0
      || header->counter_totals.n_bytes % sizeof *counter != 0)
    return FALSE;
  for (guint i = 0; i < run->segments->len; i++)
    {
      KymoSegment *s = g_ptr_array_index (run->segments, i);
      guint64 n = stored[i].n_activities, n_here;

      if (n > n_rows || !check_stored (&stored[i], s->span)
          || !check_activities (s, row, n, header->n_states))
        return FALSE;
      n_here = n * s->n_counters;
      if (n_here > n_counters || !check_counters (counter, n_here, s->n_blocks))
        return FALSE;
      s->totals = (KymoTotals) { { stored[i].reach_begin_ns, stored[i].reach_end_ns }, { 0 }, n,
                                 row, n_here > 0 ? counter : NULL };
      memcpy (s->totals.stretch_ns, stored[i].stretch_ns, sizeof s->totals.stretch_ns);
      s->totals_lent = TRUE;
      row += n;
      n_rows -= n;
      counter += n_here;
      n_counters -= n_here;
    }
  return n_rows == 0 && n_counters == 0;
}
