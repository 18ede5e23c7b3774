/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Making the totals of a segment: one walk over its blocks and points. The
 * same figures for a part of a segment are made in kymo-profile.c; a test
 * compares the two.
 */
#include "config.h"

#include "kymo-totals.h"

#include <string.h>

#include "kymo-memory.h"
#include "kymo-once.h"
#include "kymo-order.h"
#include "kymo-segment.h"

G_STATIC_ASSERT (KYMO_N_STRETCH_KINDS == KYMO_TOTALS_N_STRETCH_KINDS);
G_STATIC_ASSERT (sizeof (KymoActivityTotal) == 80);

/* Totals in the making: `place` finds an activity's row. */
typedef struct
{
  KymoSegment *segment;
  GArray      *rows;            /* KymoActivityTotal */
  guint       *place;           /* by activity: row + 1, or 0 */
  KymoSpan     reach;
} Making;

static gint64
add_totals (gint64 a,
            gint64 b)
{
  return kymo_saturating_add (a, b);
}

static KymoActivityTotal *
get_row (Making  *m,
         guint32  activity)
{
  if (m->place[activity] == 0)
    {
      KymoActivityTotal row = { .state = KYMO_STATE_ACTIVITY + activity };

      g_array_append_val (m->rows, row);
      m->place[activity] = m->rows->len;
    }
  return &g_array_index (m->rows, KymoActivityTotal, m->place[activity] - 1);
}

/* Of the block or bracket that was counted last. */
static void
take_length (KymoActivityTotal *row,
             gint64             length_ns,
             gint64             begin_ns)
{
  gboolean is_first = row->blocks + row->brackets == 1;

  row->length_ns = add_totals (row->length_ns, length_ns);
  if (is_first || length_ns < row->shortest_ns)
    row->shortest_ns = length_ns;
  if (!is_first && length_ns <= row->longest_ns)
    return;
  row->longest_ns = length_ns;
  row->longest_begin_ns = begin_ns;
}

static void
widen_totals (Making *m,
              gint64  begin_ns,
              gint64  end_ns)
{
  m->reach.begin_ns = MIN (m->reach.begin_ns, begin_ns);
  m->reach.end_ns = MAX (m->reach.end_ns, end_ns);
}

/* TRUE if the block lies in another block of its activity: recursion counts once. */
static gboolean
is_inside_itself (const KymoSegment *segment,
                  guint              block,
                  guint              depth,
                  const guint       *open)
{
  for (guint d = 0; d < depth; d++)
    if (segment->block_activity[open[d]] == segment->block_activity[block])
      return TRUE;
  return FALSE;
}

static void
add_blocks (Making *m)
{
  KymoSegment *s = m->segment;
  kymo_autoscratch guint8 *firsts = kymo_segment_find_firsts (s);
  kymo_autoscratch gint64 *exclusive_ns = NULL;
  guint open[G_MAXUINT8 + 1];   /* block at each depth */

  if (s->block_depth != NULL)
    {
      exclusive_ns = kymo_segment_new_made (s, s->n_blocks, sizeof (gint64));
      kymo_segment_exclusive (s, exclusive_ns);
    }
  for (guint i = 0; i < s->n_blocks; i++)
    {
      gint64 begin_ns = kymo_segment_block_begin (s, i), end_ns = kymo_segment_block_end (s, i);
      KymoActivityTotal *row = get_row (m, s->block_activity[i]);
      guint depth = s->block_depth != NULL ? s->block_depth[i] : 0;

      open[depth] = i;
      row->blocks++;
      row->calls += firsts[i];
      if (depth == 0 || !is_inside_itself (s, i, depth, open))
        row->inclusive_ns = add_totals (row->inclusive_ns, end_ns - begin_ns);
      take_length (row, exclusive_ns != NULL ? exclusive_ns[i] : end_ns - begin_ns, begin_ns);
      widen_totals (m, begin_ns, end_ns);
    }
}

/* User events and functions lie over the blocks; samples of a value have no length. */
static void
add_points (Making *m)
{
  for (guint i = 0; i < m->segment->points->len; i++)
    {
      const KymoPoint *point = &g_array_index (m->segment->points, KymoPoint, i);
      gint64 ns = point->end_ns - point->begin_ns;
      KymoActivityTotal *row;

      if (!kymo_point_is_user_event (point))
        continue;
      row = get_row (m, point->activity);
      row->brackets++;
      row->inclusive_ns = add_totals (row->inclusive_ns, ns);
      row->bracket_ns = add_totals (row->bracket_ns, ns);
      take_length (row, ns, point->begin_ns);
      widen_totals (m, point->begin_ns, point->end_ns);
    }
}

static void
add_stretches (Making     *m,
               KymoTotals *totals)
{
  for (guint i = 0; i < m->segment->stretches->len; i++)
    {
      const KymoStretch *s = &g_array_index (m->segment->stretches, KymoStretch, i);

      totals->stretch_ns[s->kind] = add_totals (totals->stretch_ns[s->kind], s->end_ns
                                                - s->begin_ns);
      widen_totals (m, s->begin_ns, s->end_ns);
    }
}

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
 * A block's hardware counters hold those of the blocks nested in it; its own
 * are what is left without them, and not known where one of them is not.
 *
 * Returns: (transfer full) (nullable): n_blocks x n_counters own figures, or
 * %NULL where the segment has no counters. Free with
 * kymo_scratch_free().
 */
gint64 *
kymo_segment_exclusive_counters (const KymoSegment *segment)
{
  guint n = segment->n_counters;
  guint open[G_MAXUINT8 + 1];   /* block at each depth */
  gint64 *own;

  if (segment->block_counters == NULL || n == 0)
    return NULL;
  own = kymo_segment_new_made (segment, (gsize) segment->n_blocks * n, sizeof (gint64));
  memcpy (own, segment->block_counters, (gsize) segment->n_blocks * n * sizeof (gint64));
  for (guint i = 0; segment->block_depth != NULL && i < segment->n_blocks; i++)
    {
      guint depth = segment->block_depth[i];

      open[depth] = i;
      for (guint k = 0; depth > 0 && k < n; k++)
        take_from_parent (&own[(gsize) open[depth - 1] * n + k],
                          segment->block_counters[(gsize) i * n + k]);
    }
  return own;
}

/* After the rows were sorted: `place` is made anew. */
static KymoCounterTotal *
make_counters (Making *m)
{
  KymoSegment *s = m->segment;
  kymo_autoscratch gint64 *own = kymo_segment_exclusive_counters (s);
  KymoCounterTotal *counters;

  if (own == NULL)
    return NULL;
  counters = g_new0 (KymoCounterTotal, (gsize) m->rows->len * s->n_counters);
  for (guint i = 0; i < m->rows->len; i++)
    m->place[g_array_index (m->rows, KymoActivityTotal, i).state - KYMO_STATE_ACTIVITY] = i;
  for (guint i = 0; i < s->n_blocks; i++)
    for (guint k = 0; k < s->n_counters; k++)
      {
        gint64 value = own[(gsize) i * s->n_counters + k];
        KymoCounterTotal *c = &counters[(gsize) m->place[s->block_activity[i]] * s->n_counters
                                        + k];

        if (value == KYMO_NO_COUNT)
          continue;
        c->total = add_totals (c->total, value);
        c->counted++;
      }
  return counters;
}

static guint
count_activities (const KymoSegment *segment)
{
  guint n = 0;

  for (guint i = 0; i < segment->n_blocks; i++)
    n = MAX (n, segment->block_activity[i] + 1);
  for (guint i = 0; i < segment->points->len; i++)
    {
      guint32 activity = g_array_index (segment->points, KymoPoint, i).activity;

      if (activity != G_MAXUINT32)
        n = MAX (n, activity + 1);
    }
  return n;
}

static void
make_totals (KymoSegment *segment,
             KymoTotals  *totals)
{
  Making m = { segment, g_array_new (FALSE, FALSE, sizeof (KymoActivityTotal)),
               g_new0 (guint, MAX (count_activities (segment), 1)), segment->span };

  add_blocks (&m);
  add_points (&m);
  add_stretches (&m, totals);
  g_array_sort (m.rows, kymo_compare_uints);
  totals->counters = make_counters (&m);
  totals->reach = m.reach;
  totals->n_activities = m.rows->len;
  totals->activities = (const KymoActivityTotal *) (gpointer) g_array_free (m.rows, FALSE);
  g_free (m.place);
}

/**
 * kymo_segment_peek_totals:
 * @segment: not of a summary; where it has a backing that lends no totals,
 *   its blocks and points must be in use
 *
 * Returns: (transfer none): the totals. Made on first use; any thread.
 */
const KymoTotals *
kymo_segment_peek_totals (KymoSegment *segment)
{
  if (kymo_once_enter (&segment->totals_once))
    {
      if (!segment->totals_lent)
        make_totals (segment, &segment->totals);
      kymo_once_leave (&segment->totals_once, 1);
    }
  return &segment->totals;
}

/**
 * kymo_totals_clear:
 * @segment: a segment that no other thread has, or has any longer
 *
 * Forgets the totals; they are made anew when asked for.
 */
void
kymo_totals_clear (KymoSegment *segment)
{
  if (!segment->totals_lent)
    {
      g_free ((gpointer) segment->totals.activities);
      g_free ((gpointer) segment->totals.counters);
    }
  segment->totals = (KymoTotals) { 0 };
  segment->totals_lent = FALSE;
  segment->totals_once = 0;
}

/**
 * kymo_totals_copy:
 * @n_counters: of the segment they are of
 * @copy: (out): the same, with lists of its own
 */
void
kymo_totals_copy (const KymoTotals *totals,
                  guint             n_counters,
                  KymoTotals       *copy)
{
  *copy = *totals;
  copy->activities = g_memdup2 (totals->activities,
                                totals->n_activities * sizeof *totals->activities);
  copy->counters = g_memdup2 (totals->counters, (gsize) totals->n_activities * n_counters
                              * sizeof *totals->counters);
}

/**
 * kymo_totals_shift:
 * @segment: a segment that no other thread has yet
 * @offset_ns: added to every time
 *
 * Totals that were made or lent move along with the segment.
 */
void
kymo_totals_shift (KymoSegment *segment,
                   gint64       offset_ns)
{
  KymoTotals *totals = &segment->totals;

  if (!segment->totals_lent && kymo_once_get (&segment->totals_once) == 0)
    return;
  if (segment->totals_lent)
    kymo_totals_copy (totals, segment->n_counters, totals);
  segment->totals_lent = FALSE;
  if (kymo_once_enter (&segment->totals_once))
    kymo_once_leave (&segment->totals_once, 1);
  totals->reach.begin_ns += offset_ns;
  totals->reach.end_ns += offset_ns;
  for (guint i = 0; i < totals->n_activities; i++)
    ((KymoActivityTotal *) totals->activities)[i].longest_begin_ns += offset_ns;
}
