/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * time-profile: time by state in equal bins, summed over locations; or in bars
 * of a given length on the grid of its multiples, so that a bar holds the same
 * time in whatever range it is asked for, and a picture that scrolls only moves.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "kymo-engine.h"
#include "kymo-error.h"
#include "kymo-keywords.h"
#include "kymo-marks.h"
#include "kymo-order.h"
#include "kymo-state-rows.h"

#define DEFAULT_BINS 100
#define MAX_BINS 1000000
/* Of fewer bins each is summed by itself: a whole segment has its sums stored. */
#define LEAST_SPARSE 16

/**
 * Plan:
 * @bar_ns: length of the bars, 0 = equal parts of the range
 * @limits: nothing outside is counted, though bins may reach further
 */
typedef struct
{
  guint    n_bins;
  gint64  *edges_ns;
  gint64   bar_ns;
  KymoSpan limits;
} Plan;

/* The multiple of `bar_ns` at or before a time. */
static gint64
floor_to (gint64 time_ns,
          gint64 bar_ns)
{
  gint64 rest = time_ns % bar_ns;

  return time_ns - (rest < 0 ? rest + bar_ns : rest);
}

/* Joins bars (1, 2, 5, 10, … of them, so that edges stay edges) until at most `most` fit into the
   length of the range. It depends on the length alone: a range that moves keeps its bars. */
static gint64
join_bars (gint64 length_ns,
           gint64 bar_ns,
           gint64 most)
{
  static const gint64 leads[] = { 1, 2, 5 };
  gint64 joined, power = 1;

  for (guint i = 0;; i++)
    {
      if (i > 0 && i % G_N_ELEMENTS (leads) == 0)
        power *= 10;
      if (__builtin_mul_overflow (bar_ns, power * leads[i % G_N_ELEMENTS (leads)], &joined))
        return G_MAXINT64;
      if (length_ns / joined <= most)
        return joined;
    }
}

/* Bars on the grid from the one that the range begins in to the one that it
   ends in, cut to the run. An empty range is one empty bar. */
static gboolean
lay_bars (const KymoAsk  *ask,
          Plan           *plan,
          GError        **error)
{
  gint64 bar_ns = plan->bar_ns, at = floor_to (ask->span.begin_ns, bar_ns), end_ns;
  gboolean empty = kymo_span_length (ask->span) == 0;
  guint64 n = ((guint64) ask->span.end_ns - (guint64) at - 1) / bar_ns + 1;

  if (n > MAX_BINS && !empty)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                   _("%" PRIu64 " bars are more than the %u that can be answered"), n,
                   MAX_BINS);
      return FALSE;
    }
  plan->n_bins = empty ? 1 : n;
  plan->edges_ns = g_new (gint64, plan->n_bins + 1);
  for (guint i = 0; i < plan->n_bins; i++)
    plan->edges_ns[i] = at + i * bar_ns;
  if (__builtin_add_overflow (plan->edges_ns[plan->n_bins - 1], bar_ns, &end_ns))
    end_ns = G_MAXINT64;
  plan->edges_ns[0] = empty ? ask->span.begin_ns : MAX (at, ask->run->span.begin_ns);
  plan->edges_ns[plan->n_bins] = empty ? ask->span.end_ns : MIN (end_ns, ask->run->span.end_ns);
  return TRUE;
}

static gboolean
plan_bars (const KymoAsk  *ask,
           Plan           *plan,
           GError        **error)
{
  gint64 most;

  if (!kymo_question_get_int (ask->question, "bar-ns", 0, &plan->bar_ns, error)
      || !kymo_question_get_int (ask->question, "most-bars", G_MAXINT64, &most, error))
    return FALSE;
  if (plan->bar_ns < 1 || most < 1)
    {
      g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_USAGE, _("A bar has at least 1 ns"));
      return FALSE;
    }
  plan->bar_ns = join_bars (kymo_span_length (ask->span), plan->bar_ns, most);
  return lay_bars (ask, plan, error);
}

static gboolean
time_profile_prepare (KymoAsk  *ask,
                      GError  **error)
{
  Plan *plan = g_new0 (Plan, 1);
  KymoSpan asked = kymo_question_get_span (ask->question);

  ask->plan = plan;
  plan->limits = KYMO_SPAN_ALL;
  if (kymo_question_get (ask->question, "bar-ns") != NULL)
    return plan_bars (ask, plan, error);
  plan->edges_ns = kymo_ask_edges (ask, DEFAULT_BINS, MAX_BINS, &plan->n_bins, error);
  if (plan->edges_ns == NULL || !kymo_question_get_flag (ask->question, "uncut")
      || asked.begin_ns == G_MININT64 || asked.end_ns == G_MAXINT64)
    return plan->edges_ns != NULL;
  plan->limits = ask->span;
  for (guint i = 0; i <= plan->n_bins; i++)
    plan->edges_ns[i] = kymo_span_edge (asked, plan->n_bins, i);
  return TRUE;
}

static void
time_profile_release (KymoAsk *ask)
{
  g_free (((Plan *) ask->plan)->edges_ns);
  g_free (ask->plan);
}

static gpointer
state_new (const KymoAsk *ask)
{
  return kymo_state_rows_new (ask->n_states, ((Plan *) ask->plan)->n_bins);
}

/* A piece from @begin_ns to @end_ns, which @bin begins before or with: adds its time to the bins
   that it lies in. Returns: the bin that it ends in */
static guint
add_piece (const Plan *plan,
           gint64     *row,
           guint       bin,
           gint64      begin_ns,
           gint64      end_ns)
{
  const gint64 *edges = plan->edges_ns;
  guint last;

  while (edges[bin + 1] <= begin_ns)
    bin++;
  if (edges[bin + 1] >= end_ns)
    {
      row[bin] += end_ns - begin_ns;
      return bin;
    }
  row[bin] += edges[bin + 1] - begin_ns;
  last = KYMO_FIND_FIRST (i, bin + 1, plan->n_bins - 1, edges[i + 1] >= end_ns);
  for (guint i = bin + 1; i < last; i++)
    row[i] += edges[i + 1] - edges[i];
  row[last] += end_ns - edges[last];
  return last;
}

/* Piece by piece, where bins are more: with a hundred thousand PEs most have few pieces. */
static void
add_pieces (const Plan        *plan,
            KymoStateRows     *rows,
            const KymoSegment *segment,
            KymoSpan           span,
            guint              first)
{
  guint bin = KYMO_FIND_FIRST (i, 0, plan->n_bins - 1, plan->edges_ns[i + 1] > span.begin_ns);

  for (guint i = first; i < segment->n_pieces; i++)
    {
      gint64 begin_ns = MAX (kymo_segment_piece_begin (segment, i), span.begin_ns);
      gint64 end_ns = MIN (kymo_segment_piece_begin (segment, i + 1), span.end_ns);

      if (begin_ns >= span.end_ns)
        return;
      if (begin_ns < end_ns)
        bin = add_piece (plan, kymo_state_rows_get (rows, segment->piece_state[i]), bin, begin_ns,
                         end_ns);
    }
}

/* Whether the pieces of a segment were fewer than the bins, and are added. */
static gboolean
add_sparse (const Plan        *plan,
            KymoStateRows     *rows,
            const KymoSegment *segment)
{
  KymoSpan all = { plan->edges_ns[0], plan->edges_ns[plan->n_bins] };
  KymoSpan span = kymo_span_intersect (kymo_span_intersect (all, plan->limits), segment->span);
  guint first;

  if (segment->bins != NULL || segment->n_pieces == 0 || plan->n_bins < LEAST_SPARSE
      || span.end_ns <= span.begin_ns)
    return FALSE;
  first = kymo_segment_find_piece (segment, span.begin_ns);
  if (segment->n_pieces - first > plan->n_bins
      && kymo_segment_find_piece (segment, span.end_ns - 1) - first > plan->n_bins)
    return FALSE;
  add_pieces (plan, rows, segment, span, first);
  return TRUE;
}

static void
time_profile_partial (const KymoAsk *ask,
                      gpointer       state,
                      KymoSegment   *segment)
{
  const Plan *plan = ask->plan;
  KymoStateRows *rows = state;
  KymoSums sums;
  guint hint = 0;

  if (add_sparse (plan, rows, segment))
    return;
  kymo_sums_init (&sums, ask->n_states);
  for (guint i = 0; i < plan->n_bins && !kymo_ask_is_stopped (ask, i); i++)
    {
      KymoSpan bin = { plan->edges_ns[i], plan->edges_ns[i + 1] };

      bin = kymo_span_intersect (bin, plan->limits);
      kymo_segment_sum (segment, bin, &hint, &sums);
      for (guint k = 0; k < sums.n_touched; k++)
        kymo_state_rows_get (rows, sums.touched[k])[i] += sums.ns[sums.touched[k]];
      kymo_sums_reset (&sums);
    }
  kymo_sums_clear (&sums);
}

static void
time_profile_merge (const KymoAsk *ask,
                    gpointer       into,
                    gpointer       from)
{
  kymo_state_rows_add (into, from);
}

static void
time_profile_weigh (const KymoAsk *ask,
                    gpointer       state,
                    guint          location,
                    gint64         weight)
{
  kymo_state_rows_weigh (state, weight);
}

static KymoTable *
time_profile_finish (const KymoAsk *ask,
                     gpointer       state)
{
  const Plan *plan = ask->plan;
  KymoStateRows *rows = state;
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);

  kymo_table_set_int (answer, "begin_ns", plan->edges_ns[0]);
  kymo_table_set_int (answer, "end_ns", plan->edges_ns[plan->n_bins]);
  if (plan->bar_ns > 0)
    kymo_table_set_int (answer, "bar_ns", plan->bar_ns);
  kymo_table_set_int (answer, "locations", ask->n_locations);
  kymo_ask_set_counts (ask, answer);
  kymo_table_set_ints (answer, "edges_ns", plan->edges_ns, plan->n_bins + 1);
  kymo_table_set_table (answer, "series", kymo_state_rows_to_table (rows, ask, "ns"));
  kymo_table_set_ints (answer, "idle_ns", kymo_state_rows_get (rows, KYMO_STATE_IDLE),
                       plan->n_bins);
  kymo_table_set_ints (answer, "overhead_ns", kymo_state_rows_get (rows, KYMO_STATE_OVERHEAD),
                       plan->n_bins);
  kymo_table_set_ints (answer, "untraced_ns", kymo_state_rows_get (rows, KYMO_STATE_UNTRACED),
                       plan->n_bins);
  kymo_marks_set (ask->run,
                  (KymoSpan) { plan->edges_ns[0], plan->edges_ns[plan->n_bins] }, answer);
  return answer;
}

/* Bars are in their place on the grid of their length, the first and the last one whole, but
   cut to the run; the answer's begin_ns and end_ns are theirs, and bar_ns their length. */
static const KymoKeyword keywords[] =
{
  KYMO_KEYWORD_EXTRAPOLATE,
  { "bins", KYMO_KEYWORD_COUNT, "N", "number of bins", KYMO_KEYWORD_TO_COLUMNS, 100 },
  { "bar", KYMO_KEYWORD_TIME, "T", "length of a bar instead, as 100ms" },
  { "most-bars", KYMO_KEYWORD_COUNT, "N", "join 2, 5, 10, … bars where there are more",
    .internal = TRUE },
  { "uncut", KYMO_KEYWORD_FLAG, NULL, "bins are parts of all of the asked range, though the "
    "run may begin later and end earlier", .internal = TRUE },
  { NULL }
};

static const KymoQuestionList lists[] =
{
  { "", NULL, TRUE },
  { "series", "id name role ns" },
  KYMO_LIST_OF_MARKS,
  { NULL }
};

const KymoAnswerClass kymo_answer_time_profile =
{
  { "time-profile", N_("A time profile"), "what ran when, in bins over all locations", keywords,
    KYMO_CAN_BINNED_TIME, .lists = lists,
    .topic = KYMO_TOPIC_TIME, .example = "--bins 20" },
  time_profile_prepare, time_profile_release, state_new, (GDestroyNotify) kymo_state_rows_free,
  time_profile_partial, time_profile_merge, time_profile_finish,
  KYMO_NEEDS_TRACK, .weigh = time_profile_weigh,
};
