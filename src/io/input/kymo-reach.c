/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Locations among one another: which of them reach further than the others can confirm. See
 * kymo-sieve.h.
 */
#include "config.h"

#include "kymo-sieve.h"

#define ROW KYMO_SIEVE_ROW
#define SLACK 2
/* In a longer run it is late by this part of the span. */
#define LATE_PART 10

/**
 * kymo_reach_slack_of:
 * @span: of the locations without damage
 *
 * Returns: nanoseconds by which a location without damage may lie beyond the span: a thread
 *   that communicates may well stay as long again as all others, until its process exits
 */
gint64
kymo_reach_slack_of (KymoSpan span)
{
  gint64 ns = span.end_ns - span.begin_ns;

  return MAX (MIN (ns, G_MAXINT64 / 4) * SLACK, KYMO_REACH_LEAST_SLACK_NS);
}

/**
 * kymo_reach_late_of:
 * @span: of the locations without damage
 *
 * Returns: nanoseconds by which a last record lies beyond the span that should not be so late
 */
gint64
kymo_reach_late_of (KymoSpan span)
{
  return MAX ((span.end_ns - span.begin_ns) / LATE_PART, KYMO_SIEVE_LATE_NS);
}

/**
 * kymo_reach_of_segment:
 *
 * Returns: where the records of the segment lie
 */
KymoReach
kymo_reach_of_segment (const KymoSegment *segment)
{
  guint n = segment->n_pieces;

  return (KymoReach)
  {
    .span = segment->span, .known = TRUE,
    .early_ns = kymo_segment_piece_begin (segment, MIN (n, ROW)),
    .late_ns = kymo_segment_piece_begin (segment, MAX (n, ROW) - ROW),
  };
}

/**
 * kymo_reach_is_lopsided:
 *
 * Returns: %TRUE where one half of the span has only a few records: of a location without
 *   other damage, a wrong first or last time looks like this
 */
gboolean
kymo_reach_is_lopsided (const KymoReach *reach)
{
  gint64 middle_ns = reach->span.begin_ns + (reach->span.end_ns - reach->span.begin_ns) / 2;

  return reach->known && (reach->late_ns < middle_ns || reach->early_ns > middle_ns);
}

static int
compare_ends (gconstpointer a,
              gconstpointer b)
{
  gint64 x = (*(const KymoReach *const *) a)->span.end_ns;
  gint64 y = (*(const KymoReach *const *) b)->span.end_ns;

  return (x > y) - (x < y);
}

static int
compare_begins (gconstpointer a,
                gconstpointer b)
{
  gint64 x = (*(const KymoReach *const *) a)->span.begin_ns;
  gint64 y = (*(const KymoReach *const *) b)->span.begin_ns;

  return (x < y) - (x > y);
}

/* Two locations without damage that end (or begin) at about the same far time confirm each
   other: the threads that communicate in a short run stay until the processes exit. */
static gboolean
is_confirmed (const GPtrArray *all,
              guint            i,
              gint64           slack_ns)
{
  const KymoReach *reach = all->pdata[i], *next = i + 1 < all->len ? all->pdata[i + 1] : NULL;

  return next != NULL && ABS (next->span.end_ns - reach->span.end_ns) <= slack_ns
         && ABS (next->span.begin_ns - reach->span.begin_ns) <= slack_ns;
}

/* No other location reaches as far as the last record of this one, which stands alone. */
static gboolean
ends_alone (const GPtrArray *all,
            guint            i,
            KymoSpan         axis)
{
  const KymoReach *reach = all->pdata[i], *next = i + 1 < all->len ? all->pdata[i + 1] : NULL;
  gint64 late_ns = kymo_reach_late_of (axis);

  return reach->quiet_ns > late_ns && reach->span.end_ns > axis.end_ns + late_ns
    && (next == NULL
        || (next->quiet_ns > late_ns && next->span.end_ns > reach->span.end_ns + late_ns));
}

/* From the middle one to the outermost, as long as they follow one another, have many
   records where they are or are confirmed by another one. */
static void
find_end (GPtrArray *all,
          KymoSpan  *axis)
{
  g_ptr_array_sort (all, compare_ends);
  for (guint i = (all->len - 1) / 2; i < all->len; i++)
    {
      KymoReach *reach = all->pdata[i];
      gint64 most_ns = axis->end_ns + kymo_reach_slack_of (*axis);

      if (ends_alone (all, i, *axis)
          || (reach->span.end_ns > most_ns && reach->late_ns <= most_ns
              && !is_confirmed (all, i, kymo_reach_slack_of (*axis))))
        reach->doubtful = TRUE;
      else
        axis->end_ns = MAX (axis->end_ns, reach->span.end_ns);
    }
}

static void
find_begin (GPtrArray *all,
            KymoSpan  *axis)
{
  g_ptr_array_sort (all, compare_begins);
  for (guint i = (all->len - 1) / 2; i < all->len; i++)
    {
      KymoReach *reach = all->pdata[i];
      gint64 least_ns = axis->begin_ns - kymo_reach_slack_of (*axis);

      if (reach->span.begin_ns < least_ns && reach->early_ns >= least_ns
          && !is_confirmed (all, i, kymo_reach_slack_of (*axis)))
        reach->doubtful = TRUE;
      else
        axis->begin_ns = MIN (axis->begin_ns, reach->span.begin_ns);
    }
}

/**
 * kymo_reach_find_axis:
 * @reaches: (array length=n): of the locations of a run; those whose few first or last records
 *   lie far from all others become doubtful
 * @axis: (out): the span of those that are not doubtful
 *
 * Returns: %FALSE where all locations are doubtful, so that nothing is known of the axis
 */
gboolean
kymo_reach_find_axis (KymoReach *reaches,
                      guint      n,
                      KymoSpan  *axis)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  const KymoReach *begin, *end;

  for (guint i = 0; i < n; i++)
    if (reaches[i].known && !reaches[i].doubtful)
      g_ptr_array_add (all, &reaches[i]);
  if (all->len == 0)
    return FALSE;
  g_ptr_array_sort (all, compare_begins);
  begin = all->pdata[(all->len - 1) / 2];
  g_ptr_array_sort (all, compare_ends);
  end = all->pdata[(all->len - 1) / 2];
  axis->begin_ns = MIN (begin->span.begin_ns, end->span.end_ns);
  axis->end_ns = MAX (begin->span.begin_ns, end->span.end_ns);
  find_end (all, axis);
  find_begin (all, axis);
  return TRUE;
}
