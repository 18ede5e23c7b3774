/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sums behind profile and usage; the answer is made in
 * kymo-profile-answer.c.
 *
 * Exclusive time comes from the track (the pyramid), so busy + idle +
 * overhead + untraced = span. Counts are of what begins inside the range;
 * times are clipped to it. Inclusive time counts the outermost activation of
 * an activity only, so that recursion is not counted twice.
 *
 * A segment that lies wholly inside the range has all that added up already
 * (kymo-totals.h); of another one its blocks and points are walked over.
 */
#include "config.h"

#include "kymo-profile.h"
#include "kymo-memory.h"

#include <math.h>
#include <string.h>

/**
 * kymo_profile_state_new:
 * @with_shares: whether locations get times and blocks of each of their activities, too
 *
 * Returns: (transfer full): sums over nothing yet, for the asked locations
 */
KymoProfileState *
kymo_profile_state_new (const KymoAsk *ask,
                        gboolean       with_shares)
{
  KymoProfileState *state = g_new0 (KymoProfileState, 1);

  state->n_states = ask->n_states;
  state->n_rows = ask->n_locations;
  state->with_shares = with_shares;
  state->activities = g_new0 (KymoActivitySums, ask->n_states);
  state->locations = g_new0 (KymoLocationSums, ask->n_locations);
  state->weighed = ask->weights != NULL ? g_new0 (KymoLocationSums, ask->n_locations) : NULL;
  state->averaged = ask->weights != NULL ? g_new0 (gint64, ask->n_states) : NULL;
  state->first_row = ask->n_locations;
  state->n_metrics = ask->run->metrics->len;
  state->counters = g_new0 (gint64, (gsize) ask->n_states * state->n_metrics + 1);
  state->counted = g_new0 (gint64, (gsize) ask->n_states * state->n_metrics + 1);
  return state;
}

/** kymo_profile_state_free: frees the sums with those of locations */
void
kymo_profile_state_free (KymoProfileState *state)
{
  for (guint i = state->first_row; i < state->end_row; i++)
    g_clear_pointer (&state->locations[i].shares, g_array_unref);
  g_free (state->locations);
  g_free (state->weighed);
  g_free (state->averaged);
  g_free (state->activities);
  g_free (state->counters);
  g_free (state->counted);
  g_free (state->wait_ns);
  g_free (state);
}

static gint64
clip_profile (const KymoAsk *ask,
              gint64         begin_ns,
              gint64         end_ns)
{
  return kymo_span_length (kymo_span_intersect (ask->span, (KymoSpan) { begin_ns, end_ns }));
}

/* Adds inclusive time of a block whose open ancestors are known. */
static void
add_inclusive (const KymoAsk     *ask,
               KymoProfileState  *state,
               const KymoSegment *segment,
               guint              block,
               const guint       *ancestors)
{
  guint depth = segment->block_depth != NULL ? segment->block_depth[block] : 0;
  guint32 activity = segment->block_activity[block];

  for (guint d = 0; d < depth; d++)
    if (segment->block_activity[ancestors[d]] == activity)
      return;
  state->activities[KYMO_STATE_ACTIVITY + activity].inclusive_ns +=
    clip_profile (ask, kymo_segment_block_begin (segment, block),
                  kymo_segment_block_end (segment, block));
}

/* The chain of blocks open just before block `first`, by depth. */
static void
find_ancestors (const KymoSegment *segment,
                guint              first,
                guint             *ancestors,
                guint             *n_open)
{
  guint depth = G_MAXUINT8 + 1;

  *n_open = 0;
  for (guint i = first; i-- > 0 && depth > 0;)
    {
      guint here = segment->block_depth != NULL ? segment->block_depth[i] : 0;

      if (here >= depth)
        continue;
      if (depth == G_MAXUINT8 + 1)
        *n_open = here + 1;
      depth = here;
      ancestors[here] = i;
    }
}

/* Of the block or event that was counted last. */
static void
take_length (KymoActivitySums  *sums,
             const KymoSegment *segment,
             gint64             length_ns,
             gint64             begin_ns)
{
  sums->length_ns = kymo_saturating_add (sums->length_ns, length_ns);
  if (length_ns < sums->shortest_ns || sums->blocks == 1)
    sums->shortest_ns = length_ns;
  if (length_ns <= sums->longest_ns && sums->blocks > 1)
    return;
  sums->longest_ns = length_ns;
  sums->longest_begin_ns = begin_ns;
  sums->longest_location = segment->location;
}

static void
add_block_counts (const KymoAsk    *ask,
                  KymoProfileState *state,
                  KymoSegment      *segment,
                  guint             block,
                  gint64            exclusive_ns)
{
  KymoActivitySums *sums = &state->activities[KYMO_STATE_ACTIVITY
                                              + segment->block_activity[block]];

  sums->blocks++;
  sums->calls += kymo_segment_is_first (segment, block);
  take_length (sums, segment, exclusive_ns, kymo_segment_block_begin (segment, block));
}

static void
add_blocks (const KymoAsk    *ask,
            KymoProfileState *state,
            KymoSegment      *segment,
            gint64           *location_blocks)
{
  guint first = kymo_segment_first_block (segment, ask->span.begin_ns);
  gint64 end_ns = kymo_ask_count_end (ask);
  guint ancestors[G_MAXUINT8 + 1];
  kymo_autoscratch gint64 *exclusive_ns = NULL;
  guint n_open;

  if (segment->block_depth != NULL)
    {
      exclusive_ns = kymo_segment_new_made (segment, segment->n_blocks, sizeof (gint64));
      kymo_segment_exclusive (segment, exclusive_ns);
    }
  find_ancestors (segment, first, ancestors, &n_open);
  for (guint d = 0; d < n_open; d++)
    add_inclusive (ask, state, segment, ancestors[d], ancestors);
  for (guint i = first;
       i < segment->n_blocks && kymo_segment_block_begin (segment, i) < end_ns; i++)
    {
      if (kymo_ask_is_stopped (ask, i))
        return;
      ancestors[segment->block_depth != NULL ? segment->block_depth[i] : 0] = i;
      add_inclusive (ask, state, segment, i, ancestors);
      add_block_counts (ask, state, segment, i, exclusive_ns != NULL ? exclusive_ns[i]
                        : kymo_segment_block_end (segment, i)
                          - kymo_segment_block_begin (segment, i));
      if (location_blocks != NULL)
        location_blocks[KYMO_STATE_ACTIVITY + segment->block_activity[i]]++;
    }
}

/* User events and functions: brackets over the blocks, never part of busy. */
static void
add_points (const KymoAsk     *ask,
            KymoProfileState  *state,
            const KymoSegment *segment)
{
  gint64 end_ns = kymo_ask_count_end (ask);

  for (guint i = 0; i < segment->points->len; i++)
    {
      const KymoPoint *point = &g_array_index (segment->points, KymoPoint, i);
      KymoActivitySums *sums;
      gint64 ns;

      if (!kymo_point_is_user_event (point))
        continue;
      sums = &state->activities[KYMO_STATE_ACTIVITY + point->activity];
      ns = clip_profile (ask, point->begin_ns, point->end_ns);
      sums->exclusive_ns = kymo_saturating_add (sums->exclusive_ns, ns);
      sums->inclusive_ns = kymo_saturating_add (sums->inclusive_ns, ns);
      if (point->begin_ns < ask->span.begin_ns || point->begin_ns >= end_ns)
        continue;
      sums->blocks++;
      sums->calls++;
      take_length (sums, segment, point->end_ns - point->begin_ns, point->begin_ns);
    }
}

static void
add_state (const KymoAsk    *ask,
           KymoLocationSums *location,
           guint32           state,
           gint64            ns)
{
  if (state == KYMO_STATE_IDLE)
    location->idle_ns += ns;
  else if (state == KYMO_STATE_OVERHEAD)
    location->overhead_ns += ns;
  else if (state == KYMO_STATE_UNTRACED)
    location->untraced_ns += ns;
  else
    {
      location->busy_ns += ns;
      location->work_ns[kymo_profile_work_of (ask, state)] += ns;
    }
}

static void
add_shares (KymoLocationSums *location,
            const KymoSums   *sums,
            guint             n_states,
            const gint64     *blocks)
{
  KymoLocationShare *shares;
  guint n = 0;

  for (guint32 s = KYMO_STATE_ACTIVITY; s < n_states; s++)
    n += sums->ns[s] > 0 || (blocks != NULL && blocks[s] > 0);
  location->shares = g_array_sized_new (FALSE, FALSE, sizeof (KymoLocationShare), n);
  g_array_set_size (location->shares, n);
  n = 0;
  shares = (KymoLocationShare *) location->shares->data;
  for (guint32 s = KYMO_STATE_ACTIVITY; s < n_states; s++)
    if (sums->ns[s] > 0 || (blocks != NULL && blocks[s] > 0))
      shares[n++] = (KymoLocationShare) { s, blocks != NULL ? blocks[s] : 0, sums->ns[s] };
}

/* The times of one segment for its location. */
static void
add_times (const KymoAsk     *ask,
           KymoProfileState  *state,
           const KymoSegment *segment,
           const KymoSums    *sums)
{
  guint row = ask->row_of[segment->location];
  KymoLocationSums *location = &state->locations[row];

  state->first_row = MIN (state->first_row, row);
  state->end_row = MAX (state->end_row, row + 1);
  location->span = kymo_span_intersect (ask->span, segment->span);
  for (guint i = 0; i < sums->n_touched; i++)
    {
      guint32 s = sums->touched[i];

      add_state (ask, location, s, sums->ns[s]);
    }
}

static void
add_exclusive (KymoProfileState *state,
               const KymoSums   *sums)
{
  for (guint i = 0; i < sums->n_touched; i++)
    {
      KymoActivitySums *of = &state->activities[sums->touched[i]];

      of->exclusive_ns = kymo_saturating_add (of->exclusive_ns, sums->ns[sums->touched[i]]);
    }
}

/**
 * kymo_profile_add_times:
 *
 * Adds the times of one segment, without the counts of its blocks; of the
 * shares of its location, too, where those are asked for.
 */
void
kymo_profile_add_times (const KymoAsk     *ask,
                        KymoProfileState  *state,
                        const KymoSegment *segment)
{
  KymoSums sums;

  kymo_sums_init (&sums, ask->n_states);
  kymo_segment_sum (segment, ask->span, NULL, &sums);
  add_times (ask, state, segment, &sums);
  add_exclusive (state, &sums);
  if (state->with_shares)
    add_shares (&state->locations[ask->row_of[segment->location]], &sums, state->n_states, NULL);
  kymo_sums_clear (&sums);
}

/**
 * kymo_profile_walk:
 * @blocks: (nullable): begin records by state, added to
 *
 * Adds what the exact columns of one segment hold inside the range, but for
 * the times of the track.
 */
void
kymo_profile_walk (const KymoAsk    *ask,
                   KymoProfileState *state,
                   KymoSegment      *segment,
                   gint64           *blocks)
{
  add_blocks (ask, state, segment, blocks);
  add_points (ask, state, segment);
  kymo_profile_add_counters (ask, state, segment);
  for (guint i = 0; i < segment->stretches->len; i++)
    {
      const KymoStretch *stretch = &g_array_index (segment->stretches, KymoStretch, i);

      state->stretch_ns[stretch->kind] =
        kymo_saturating_add (state->stretch_ns[stretch->kind],
                             clip_profile (ask, stretch->begin_ns, stretch->end_ns));
    }
}

/* Counts and what else is not of the track. A draft has none: those of some
   locations alone would mislead. */
static void
add_counts (const KymoAsk    *ask,
            KymoProfileState *state,
            KymoSegment      *segment,
            KymoSums         *sums,
            gint64           *blocks)
{
  if (segment->bins != NULL)
    kymo_profile_add_bins (ask, state, segment, sums, blocks);
  if (kymo_ask_takes_totals (ask, segment))
    kymo_profile_add_totals (ask, state, segment, blocks);
  else
    kymo_profile_walk (ask, state, segment, blocks);
}

/**
 * kymo_profile_partial:
 * @data: a #KymoProfileState
 *
 * Adds one segment; the partial of a #KymoAnswerClass.
 */
void
kymo_profile_partial (const KymoAsk *ask,
                      gpointer       data,
                      KymoSegment   *segment)
{
  KymoProfileState *state = data;
  g_autofree gint64 *blocks = state->with_shares ? g_new0 (gint64, state->n_states) : NULL;
  KymoSums sums;

  kymo_sums_init (&sums, ask->n_states);
  kymo_segment_sum (segment, ask->span, NULL, &sums);
  add_times (ask, state, segment, &sums);
  if (ask->run->draft == NULL)
    add_counts (ask, state, segment, &sums, blocks);
  add_exclusive (state, &sums);
  if (blocks != NULL)
    add_shares (&state->locations[ask->row_of[segment->location]], &sums, state->n_states, blocks);
  kymo_sums_clear (&sums);
}

/* The sum knows no shortest block where a part does not know its own. */
static gint64
merge_shortest (const KymoActivitySums *a,
                const KymoActivitySums *b)
{
  if (a->blocks == 0 || b->blocks == 0)
    return a->blocks > 0 ? a->shortest_ns : b->shortest_ns;
  return a->shortest_ns < 0 || b->shortest_ns < 0 ? -1 : MIN (a->shortest_ns, b->shortest_ns);
}

static void
merge_activity (KymoActivitySums       *into,
                const KymoActivitySums *from)
{
  gboolean take = from->blocks > 0
    && (into->blocks == 0 || from->longest_ns > into->longest_ns
        || (from->longest_ns == into->longest_ns
            && from->longest_location < into->longest_location));

  /* The sum knows no longest block where a part does not know its own. */
  if (from->blocks > 0 && from->longest_ns < 0)
    take = TRUE;
  else if (into->blocks > 0 && into->longest_ns < 0)
    take = FALSE;
  into->shortest_ns = merge_shortest (into, from);
  into->length_ns = kymo_saturating_add (into->length_ns, from->length_ns);
  into->blocks = kymo_saturating_add (into->blocks, from->blocks);
  into->calls = kymo_saturating_add (into->calls, from->calls);
  into->exclusive_ns = kymo_saturating_add (into->exclusive_ns, from->exclusive_ns);
  into->inclusive_ns = kymo_saturating_add (into->inclusive_ns, from->inclusive_ns);
  if (take)
    {
      into->longest_ns = from->longest_ns;
      into->longest_begin_ns = from->longest_begin_ns;
      into->longest_location = from->longest_location;
    }
}

/**
 * kymo_profile_merge:
 * @a: a #KymoProfileState
 * @b: another of the same question
 *
 * Adds @b to @a; a location stands in one of them only. The merge of a
 * #KymoAnswerClass.
 */
void
kymo_profile_merge (const KymoAsk *ask,
                    gpointer       a,
                    gpointer       b)
{
  KymoProfileState *into = a, *from = b;

  for (guint i = 0; i < into->n_states; i++)
    merge_activity (&into->activities[i], &from->activities[i]);
  for (guint i = from->first_row; i < from->end_row; i++)
    {
      KymoLocationSums *location = &from->locations[i];

      if (location->shares == NULL && kymo_span_length (location->span) == 0)
        continue;
      g_clear_pointer (&into->locations[i].shares, g_array_unref);
      into->locations[i] = *location;
      location->shares = NULL;
      if (into->weighed != NULL)
        into->weighed[i] = from->weighed[i];
    }
  for (guint i = 0; into->averaged != NULL && i < into->n_states; i++)
    into->averaged[i] += from->averaged[i];
  into->first_row = MIN (into->first_row, from->first_row);
  into->end_row = MAX (into->end_row, from->end_row);
  for (guint i = 0; i < KYMO_N_STRETCH_KINDS; i++)
    into->stretch_ns[i] = kymo_saturating_add (into->stretch_ns[i], from->stretch_ns[i]);
  for (gsize i = 0; i < (gsize) into->n_states * into->n_metrics; i++)
    {
      into->counters[i] = kymo_saturating_add (into->counters[i], from->counters[i]);
      into->counted[i] = kymo_saturating_add (into->counted[i], from->counted[i]);
    }
  for (guint i = 0; into->wait_ns != NULL && i < into->n_states; i++)
    into->wait_ns[i] += from->wait_ns[i];
  into->packing_unknown |= from->packing_unknown;
}
