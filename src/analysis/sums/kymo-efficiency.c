/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How well the locations did as one program: useful time (of activities whose
 * role is compute), how evenly it is spread, and how much of the elapsed time
 * it is.
 *
 *   load balance             = mean useful / highest useful
 *   communication efficiency = highest useful / elapsed
 *   parallel efficiency      = mean useful / elapsed, the product of the two
 *
 * and for ranks that exchange messages, with the time on an ideal network (kymo-ideal-network.h),
 *
 *   serialization efficiency = highest useful / ideal
 *   transfer efficiency      = ideal / elapsed
 *   communication efficiency = the product of the two
 *
 * as in Rosas, Giménez, Labarta: "Scalability Prediction for Fundamental
 * Performance Factors", Supercomputing Frontiers and Innovations 1 (2014), and
 * the method of the POP centre of excellence, which builds on it. Elapsed is the
 * stretch that the locations cover together, without what none of them traced. Of
 * runs in bins the moment is unknown: there the least time that any of them did
 * not trace stands for it, which is right where tracing was switched for all at once.
 *
 * Locations without a traced moment would only pretend an imbalance and are
 * left out, as are those that enter no average.
 */
#include "config.h"

#include "kymo-profile.h"

#include <math.h>

#include "kymo-ideal-network.h"
#include "kymo-profile-data.h"

typedef struct
{
  gint64   highest_ns;
  gint     highest;             /* index in the run, -1 = none */
  gint64   sum_ns;              /* of all that they stand for */
  gint64   n;                   /* of all that they stand for, in millionths */
  KymoSpan hull;                /* that they cover together */
  gint64   untraced_ns;         /* that none of them traced */
  gint64   traced_ns;           /* of all of them; of a profile alone */
} Useful;

static gboolean
counts (const KymoAsk          *ask,
        guint                   location,
        const KymoLocationSums *sums)
{
  return sums->untraced_ns < kymo_span_length (sums->span)
    && kymo_ask_weight_of (ask, location) > 0 && kymo_ask_is_averaged (ask, location);
}

static void
add_location (const KymoAsk          *ask,
              Useful                 *useful,
              guint                   location,
              const KymoLocationSums *sums,
              gint64                  weighed_ns)
{
  if (useful->highest < 0 || sums->work_ns[KYMO_WORK_USEFUL] > useful->highest_ns)
    {
      useful->highest_ns = sums->work_ns[KYMO_WORK_USEFUL];
      useful->highest = (gint) location;
    }
  useful->hull.begin_ns = MIN (useful->hull.begin_ns, sums->span.begin_ns);
  useful->hull.end_ns = MAX (useful->hull.end_ns, sums->span.end_ns);
  useful->untraced_ns = MIN (useful->untraced_ns, sums->untraced_ns);
  useful->sum_ns = kymo_saturating_add (useful->sum_ns, weighed_ns);
  useful->n = kymo_saturating_add (useful->n, kymo_ask_weight_of (ask, location));
}

/* -- untraced time ----------------------------------------------------- */

static void
append_span (GArray   *spans,
             KymoSpan  span)
{
  if (kymo_span_length (span) > 0)
    g_array_append_val (spans, span);
}

/* Of a stretch inside the location's own span what it did not trace. */
static void
append_untraced (const KymoAsk *ask,
                 KymoSegment   *segment,
                 KymoSpan       span,
                 GArray        *spans)
{
  if (kymo_span_length (span) == 0 || !kymo_ask_use (ask, segment, KYMO_PART_TRACK)
      || segment->n_pieces == 0)
    return;
  for (guint i = kymo_segment_find_piece (segment, span.begin_ns);
       i < segment->n_pieces && !kymo_ask_is_stopped (ask, i); i++)
    {
      KymoSpan piece = { kymo_segment_piece_begin (segment, i), span.end_ns };

      if (piece.begin_ns >= span.end_ns)
        return;
      if (i + 1 < segment->n_pieces)
        piece.end_ns = kymo_segment_piece_begin (segment, i + 1);
      if (segment->piece_state[i] == KYMO_STATE_UNTRACED)
        append_span (spans, kymo_span_intersect (piece, span));
    }
}

/* The parts of stretches that no earlier location traced and this location did not trace either. */
static GArray *
keep_untraced (const KymoAsk          *ask,
               guint                   location,
               const KymoLocationSums *sums,
               const GArray           *gaps)
{
  GArray *kept = g_array_new (FALSE, FALSE, sizeof (KymoSpan));
  KymoSpan own = sums->span;

  for (guint i = 0; i < gaps->len; i++)
    {
      KymoSpan gap = g_array_index (gaps, KymoSpan, i);

      append_span (kept, kymo_span_intersect (gap, (KymoSpan) { G_MININT64, own.begin_ns }));
      if (sums->untraced_ns > 0)
        append_untraced (ask, kymo_ask_segment_of (ask, location), kymo_span_intersect (gap, own),
                         kept);
      append_span (kept, kymo_span_intersect (gap, (KymoSpan) { own.end_ns, G_MAXINT64 }));
    }
  return kept;
}

/* Locations that traced all the time come first: mostly nothing is left after one. */
static gint64
untraced_by_all (const KymoAsk          *ask,
                 const KymoProfileState *state,
                 KymoSpan                hull)
{
  g_autoptr (GArray) gaps = g_array_new (FALSE, FALSE, sizeof (KymoSpan));
  gint64 sum_ns = 0;

  append_span (gaps, hull);
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < state->n_rows && gaps->len > 0; i++)
      {
        const KymoLocationSums *sums = &state->locations[i];
        GArray *kept;

        if (!counts (ask, ask->locations[i], sums) || (sums->untraced_ns > 0) != (pass == 1))
          continue;
        kept = keep_untraced (ask, ask->locations[i], sums, gaps);
        g_array_unref (gaps);
        gaps = kept;
      }
  for (guint i = 0; i < gaps->len; i++)
    sum_ns += kymo_span_length (g_array_index (gaps, KymoSpan, i));
  return sum_ns;
}

static Useful
sum_up (const KymoAsk          *ask,
        const KymoProfileState *state)
{
  Useful useful = { 0, -1, 0, 0, { G_MAXINT64, G_MININT64 }, G_MAXINT64 };

  for (guint i = 0; i < state->n_rows; i++)
    if (counts (ask, ask->locations[i], &state->locations[i]))
      add_location (ask, &useful, ask->locations[i], &state->locations[i],
                    state->weighed != NULL ? state->weighed[i].work_ns[KYMO_WORK_USEFUL]
                    : state->locations[i].work_ns[KYMO_WORK_USEFUL]);
  if (useful.highest >= 0 && !kymo_run_is_binned (ask->run) && ask->run->draft == NULL)
    useful.untraced_ns = untraced_by_all (ask, state, useful.hull);
  return useful;
}

/* -- of a run without a time axis ------------------------------------------ */

/* Exclusive time of the functions of one location, and what of it is useful. What
   files tell in fractions is rounded once a location. */
static void
sum_functions (const KymoProfileData *data,
               guint                  location,
               guint                  metric,
               gint64                *useful_ns,
               gint64                *total_ns)
{
  double unit_ns = g_array_index (data->metrics, KymoProfileMetric, metric).unit_ns;
  double useful = 0, total = 0;

  for (guint64 row = data->first[location]; row < data->first[location + 1]; row++)
    {
      const KymoProfileEvent *event = &g_array_index (data->events, KymoProfileEvent,
                                                      data->event[row]);
      double exclusive = data->values[(row * data->metrics->len + metric) * 2];

      if (event->flags & KYMO_PROFILE_PATH)
        continue;
      total += exclusive;
      useful += event->role == KYMO_ROLE_COMPUTE ? exclusive : 0;
    }
  *useful_ns = (gint64) CLAMP (useful * unit_ns + 0.5, 0, 1e18);
  *total_ns = (gint64) CLAMP (total * unit_ns + 0.5, 0, 1e18);
}

/* The longest of the locations ran from begin to end. */
static Useful
sum_up_profile (const KymoAsk *ask)
{
  const GPtrArray *steps = ask->run->profiles;
  const KymoProfileData *data = steps != NULL && steps->len > 0
    ? steps->pdata[steps->len - 1] : NULL;
  gint metric = data != NULL ? kymo_profile_data_find_time (data) : -1;
  Useful useful = { 0, -1, 0, 0, { 0, 0 }, 0, 0 };

  for (guint i = 0; metric >= 0 && i < ask->n_locations; i++)
    {
      guint location = ask->locations[i];
      KymoLocationSums sums = { { 0, 0 }, 0 };

      if (location >= data->n_locations || !kymo_ask_is_averaged (ask, location))
        continue;
      sum_functions (data, location, (guint) metric, &sums.work_ns[KYMO_WORK_USEFUL],
                     &sums.span.end_ns);
      if (sums.span.end_ns == 0)
        continue;
      add_location (ask, &useful, location, &sums, sums.work_ns[KYMO_WORK_USEFUL]);
      useful.traced_ns = kymo_saturating_add (useful.traced_ns, sums.span.end_ns);
    }
  return useful;
}

static double
ratio (double part,
       double whole)
{
  return whole > 0 ? part / whole : NAN;
}

/* Ideal time lies between the highest useful time and the elapsed time: ranks whose clocks
   disagree may seem to need more. */
static void
set_factors (const KymoAsk *ask,
             KymoTable     *answer,
             const Useful  *useful,
             gint64         elapsed_ns)
{
  gint64 ideal_ns = useful->highest >= 0 && elapsed_ns > 0 ? kymo_ideal_network_ns (ask) : -1;
  gboolean known = ideal_ns >= 0;

  ideal_ns = CLAMP (ideal_ns, MIN (useful->highest_ns, elapsed_ns), elapsed_ns);
  kymo_table_set_int (answer, "ideal_ns", known ? ideal_ns : KYMO_NULL_INT);
  kymo_table_set_double (answer, "serialization_efficiency",
                         known ? ratio ((double) useful->highest_ns, (double) ideal_ns) : NAN);
  kymo_table_set_double (answer, "transfer_efficiency",
                         known ? ratio ((double) ideal_ns, (double) elapsed_ns) : NAN);
}

/**
 * kymo_profile_set_efficiency:
 *
 * Sets "imbalance", the three efficiencies and the times they are made of, over
 * the locations that enter averages; of a run of kind profile the "utilization",
 * too. Figures that a mean of all PEs does not have are null; such a mean is always in
 * balance with itself. If the question has the flag "factors", serialization and transfer are
 * set for functions, too; they are null unless the run is a trace of ranks that exchange messages.
 */
void
kymo_profile_set_efficiency (const KymoAsk          *ask,
                             KymoTable              *answer,
                             const KymoProfileState *state)
{
  gboolean is_profile = ask->run->kind == KYMO_RUN_PROFILE;
  Useful useful = is_profile ? sum_up_profile (ask) : sum_up (ask, state);
  gboolean is_mean = ask->run->kind == KYMO_RUN_STREAM;
  gboolean known = useful.highest >= 0;
  const KymoLocation *busiest = known && !is_mean
    ? kymo_run_peek_location (ask->run, (guint) useful.highest) : NULL;
  gint64 elapsed_ns = known ? kymo_span_length (useful.hull) - useful.untraced_ns : 0;
  double n = (double) useful.n / KYMO_WEIGHT_ONE;
  double mean_ns = ratio ((double) useful.sum_ns, n);
  double highest_ns = known ? (double) useful.highest_ns : NAN;

  if (is_profile)
    kymo_table_set_double (answer, "utilization",
                           ratio ((double) useful.sum_ns, (double) useful.traced_ns));
  kymo_table_set_double (answer, "imbalance",
                         is_mean ? NAN : ratio (highest_ns * n, (double) useful.sum_ns));
  kymo_table_set_int (answer, "elapsed_ns", known ? elapsed_ns : KYMO_NULL_INT);
  kymo_table_set_int (answer, "useful_mean_ns", known ? llround (mean_ns) : KYMO_NULL_INT);
  kymo_table_set_int (answer, "useful_max_ns",
                      busiest != NULL ? useful.highest_ns : KYMO_NULL_INT);
  kymo_table_set_int (answer, "useful_max_location",
                      busiest != NULL ? busiest->id : KYMO_NULL_INT);
  kymo_table_set_string (answer, "useful_max_label", busiest != NULL ? busiest->label : NULL);
  kymo_table_set_double (answer, "load_balance", is_mean ? NAN
                         : ratio ((double) useful.sum_ns, highest_ns * n));
  kymo_table_set_double (answer, "communication_efficiency",
                         is_mean ? NAN : ratio (highest_ns, (double) elapsed_ns));
  kymo_table_set_double (answer, "parallel_efficiency",
                         ratio ((double) useful.sum_ns, n * (double) elapsed_ns));
  if (kymo_question_get_flag (ask->question, "factors")
      && ask->run->terms.code == KYMO_CODE_FUNCTION)
    set_factors (ask, answer, &useful, elapsed_ns);
}
