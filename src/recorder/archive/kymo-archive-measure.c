/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kymo-archive-measure.h"

/* As in src/model/segment: deeper calls are left out. */
#define MOST_DEPTH 255

/**
 * kymo_archive_measure_edge:
 * @bar: from 0 to %KYMO_ERROR_BARS
 *
 * Returns: when the bar begins, from the begin of the run; rounded down
 */
uint64_t
kymo_archive_measure_edge (const KymoArchiveMeasure *measure,
                           uint32_t                  bar)
{
  return (uint64_t) ((unsigned __int128) (measure->end_ns - measure->begin_ns) * bar
                     / KYMO_ERROR_BARS);
}

static KymoArchiveTotal *
total_of (KymoArchiveMeasure *measure,
          uint32_t            state)
{
  size_t n = KYMO_ARCHIVE_COUNT (&measure->totals, KymoArchiveTotal);

  if (state >= n)
    kymo_archive_bytes_grow (&measure->totals, (state + 1 - n) * sizeof (KymoArchiveTotal));
  return measure->totals.failed ? NULL
    : &KYMO_ARCHIVE_AT (&measure->totals, KymoArchiveTotal)[state];
}

static void
finish_bar (KymoArchiveMeasure *measure)
{
  const uint32_t *touched = KYMO_ARCHIVE_AT (&measure->touched, uint32_t);
  uint64_t *sums = KYMO_ARCHIVE_AT (&measure->sums, uint64_t);

  for (size_t i = 0; i < KYMO_ARCHIVE_COUNT (&measure->touched, uint32_t); i++)
    {
      KymoArchiveShare share = { touched[i], measure->bar, sums[touched[i]] };
      KymoArchiveTotal *total = total_of (measure, share.state);

      if (total != NULL)
        total->ns += share.ns;
      kymo_archive_bytes_add (&measure->shares, &share, sizeof share);
      sums[touched[i]] = 0;
    }
  measure->touched.n = 0;
}

static void
add_sum (KymoArchiveMeasure *measure,
         uint32_t            state,
         uint64_t            ns)
{
  size_t n = KYMO_ARCHIVE_COUNT (&measure->sums, uint64_t);

  if (state >= n)
    kymo_archive_bytes_grow (&measure->sums, (state + 1 - n) * sizeof ns);
  if (measure->sums.failed || ns == 0)
    return;
  if (KYMO_ARCHIVE_AT (&measure->sums, uint64_t)[state] == 0)
    kymo_archive_bytes_add (&measure->touched, &state, sizeof state);
  KYMO_ARCHIVE_AT (&measure->sums, uint64_t)[state] += ns;
}

/* Times ascend, so bars are filled one after the other. */
static void
add_stretch (KymoArchiveMeasure *measure,
             uint32_t            state,
             uint64_t            from_ns,
             uint64_t            to_ns)
{
  while (from_ns < to_ns)
    {
      uint64_t edge_ns = kymo_archive_measure_edge (measure, measure->bar + 1);

      if (edge_ns <= from_ns && measure->bar + 1 < KYMO_ERROR_BARS)
        {
          finish_bar (measure);
          measure->bar++;
          continue;
        }
      if (edge_ns > to_ns || measure->bar + 1 == KYMO_ERROR_BARS)
        edge_ns = to_ns;
      add_sum (measure, state, edge_ns - from_ns);
      from_ns = edge_ns;
    }
}

static uint32_t
current_state (const KymoArchiveMeasure *measure)
{
  size_t depth = KYMO_ARCHIVE_COUNT (&measure->open, KymoArchiveCall);

  if (measure->is_off)
    return KYMO_ARCHIVE_UNTRACED;
  if (depth == 0)
    return KYMO_ARCHIVE_OVERHEAD;
  if (depth > MOST_DEPTH)
    depth = MOST_DEPTH;
  return KYMO_ARCHIVE_REGION + KYMO_ARCHIVE_AT (&measure->open, KymoArchiveCall)[depth - 1].region;
}

static void
cut_piece (KymoArchiveMeasure *measure,
           uint64_t            ns)
{
  uint32_t state = current_state (measure);
  uint64_t length;

  if (!measure->is_started)
    {
      /* What was before the first call is overhead. */
      add_stretch (measure, KYMO_ARCHIVE_OVERHEAD, measure->first_ns, ns);
      measure->is_started = true;
      measure->cursor_ns = ns;
    }
  if (ns <= measure->cursor_ns)
    return;
  length = ns - measure->cursor_ns;
  add_stretch (measure, state, measure->cursor_ns, ns);
  if (state >= KYMO_ARCHIVE_REGION && length >= KYMO_GRAIN_NS)
    measure->grain[length / KYMO_GRAIN_NS < KYMO_GRAIN_BINS ? length / KYMO_GRAIN_NS - 1
                   : KYMO_GRAIN_BINS - 1]++;
  measure->cursor_ns = ns;
}

static uint64_t
from_begin (const KymoArchiveMeasure *measure,
            uint64_t                  ns)
{
  if (ns < measure->begin_ns)
    return 0;
  if (ns > measure->end_ns)
    ns = measure->end_ns;
  return ns - measure->begin_ns;
}

/**
 * kymo_archive_measure_touch:
 * @ns: of an event, on the clock of rank 0; never before the last one
 *
 * The location reaches to it.
 */
void
kymo_archive_measure_touch (KymoArchiveMeasure *measure,
                            uint64_t            ns)
{
  ns = from_begin (measure, ns);
  if (!measure->has_events)
    measure->first_ns = ns;
  measure->has_events = true;
  if (ns > measure->last_ns)
    measure->last_ns = ns;
}

static void
count_call (KymoArchiveMeasure *measure,
            uint32_t            region)
{
  size_t depth = KYMO_ARCHIVE_COUNT (&measure->open, KymoArchiveCall);
  KymoArchiveTotal *total = total_of (measure, KYMO_ARCHIVE_REGION + region);

  if (total != NULL)
    total->calls++;
  if (depth > 0 && (total = total_of (measure, KYMO_ARCHIVE_REGION + KYMO_ARCHIVE_AT (
        &measure->open, KymoArchiveCall)[depth - 1].region)) != NULL)
    total->called++;
}

/* The outermost of calls that contain each other counts. */
static void
end_call (KymoArchiveMeasure *measure,
          uint64_t            ns)
{
  const KymoArchiveCall *open = KYMO_ARCHIVE_AT (&measure->open, KymoArchiveCall);
  size_t depth = KYMO_ARCHIVE_COUNT (&measure->open, KymoArchiveCall) - 1;
  KymoArchiveTotal *total = total_of (measure, KYMO_ARCHIVE_REGION + open[depth].region);

  for (size_t i = 0; i < depth && i < MOST_DEPTH; i++)
    if (open[i].region == open[depth].region)
      return;
  if (total != NULL && ns > open[depth].since_ns)
    total->inclusive_ns += ns - open[depth].since_ns;
}

void
kymo_archive_measure_enter (KymoArchiveMeasure *measure,
                            uint64_t            ns,
                            uint32_t            region)
{
  KymoArchiveCall call = { region, from_begin (measure, ns) };

  kymo_archive_measure_touch (measure, ns);
  if (!measure->is_off && KYMO_ARCHIVE_COUNT (&measure->open, KymoArchiveCall) < MOST_DEPTH)
    cut_piece (measure, from_begin (measure, ns));
  count_call (measure, region);
  kymo_archive_bytes_add (&measure->open, &call, sizeof call);
}

/* Of the innermost region, as events of the archive are balanced. */
void
kymo_archive_measure_leave (KymoArchiveMeasure *measure,
                            uint64_t            ns)
{
  size_t depth = KYMO_ARCHIVE_COUNT (&measure->open, KymoArchiveCall);

  kymo_archive_measure_touch (measure, ns);
  if (!measure->is_off && depth > 0 && depth <= MOST_DEPTH)
    cut_piece (measure, from_begin (measure, ns));
  if (depth == 0)
    return;
  end_call (measure, from_begin (measure, ns));
  measure->open.n -= sizeof (KymoArchiveCall);
}

/* Measurement goes on or off. Calls go on meanwhile. */
void
kymo_archive_measure_switch (KymoArchiveMeasure *measure,
                             uint64_t            ns,
                             bool                on)
{
  kymo_archive_measure_touch (measure, ns);
  if (measure->is_off != on)
    return;
  cut_piece (measure, from_begin (measure, ns));
  measure->is_off = !on;
}

/**
 * kymo_archive_measure_end:
 *
 * After the last event.
 *
 * Returns: FALSE if there was no memory for anything of it
 */
bool
kymo_archive_measure_end (KymoArchiveMeasure *measure)
{
  measure->open.n = 0;
  cut_piece (measure, measure->last_ns);
  finish_bar (measure);
  return !measure->open.failed && !measure->sums.failed && !measure->touched.failed
    && !measure->shares.failed && !measure->totals.failed;
}

/** kymo_archive_measure_clear: frees what @measure holds */
void
kymo_archive_measure_clear (KymoArchiveMeasure *measure)
{
  kymo_archive_bytes_clear (&measure->open);
  kymo_archive_bytes_clear (&measure->sums);
  kymo_archive_bytes_clear (&measure->touched);
  kymo_archive_bytes_clear (&measure->shares);
  kymo_archive_bytes_clear (&measure->totals);
}
