/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * busiest: of every activity its share of all traced time now (in the newest
 * second of the range), over the range, and in its idlest and busiest second.
 *
 * Seconds are those of the run's time axis that lie wholly inside the range;
 * those in which nothing was traced are left out. Where bins are longer, or
 * seconds too many, steps are longer; a range without a whole second that was
 * traced is one step. Communication threads enter no average.
 *
 * Of the whole of a stream the figures are those that were taken down while it
 * came: exact even where its past is kept in longer bins, and they cost
 * activities, not seconds. They are as the program told them; where it told of
 * more than all of a bin, the bins have it cut.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-busiest-private.h"
#include "kymo-keywords.h"
#include "kymo-share.h"

#define SECOND_NS G_GINT64_CONSTANT (1000000000)
#define MOST_STEPS 100000

typedef struct
{
  const KymoAsk          *ask;
  const KymoBusiestSteps *steps;
  gint64                  first, end;
  KymoBusiestTallies      tallies;
} Worker;

static void
tally_add (KymoBusiestTally *tally,
           KymoBusiestShare  share)
{
  if (tally->n_steps == 0 || kymo_busiest_is_less (share, tally->lowest))
    tally->lowest = share;
  if (tally->n_steps == 0 || kymo_busiest_is_less (tally->highest, share))
    tally->highest = share;
  tally->n_steps++;
}

/* Of all that a location stands for. */
static void
add_weighed (const KymoAsk *ask,
             guint          location,
             KymoSpan       span,
             guint         *hint,
             KymoSums      *sums)
{
  KymoSums alone;

  kymo_sums_init (&alone, ask->n_states);
  kymo_segment_sum (kymo_ask_segment_of (ask, location), span, hint, &alone);
  kymo_weigh_parts (alone.ns, ask->n_states, kymo_ask_weight_of (ask, location));
  for (guint i = 0; i < alone.n_touched; i++)
    kymo_sums_add (sums, alone.touched[i], alone.ns[alone.touched[i]]);
  kymo_sums_clear (&alone);
}

/* Time of all locations that enter averages; FALSE when stopped. */
static gboolean
sum_span (const KymoAsk *ask,
          KymoSpan       span,
          guint         *hints,
          KymoSums      *sums)
{
  kymo_sums_reset (sums);
  for (guint i = 0; i < ask->n_locations; i++)
    {
      guint location = ask->locations[i];

      if (kymo_ask_is_stopped (ask, i << 4))
        return FALSE;
      if (!kymo_ask_is_averaged (ask, location))
        continue;
      if (ask->weights != NULL)
        add_weighed (ask, location, span, &hints[i], sums);
      else
        kymo_segment_sum (kymo_ask_segment_of (ask, location), span, &hints[i], sums);
    }
  return TRUE;
}

/* Entry methods are busy all their time, functions where they compute. */
static gboolean
is_busy (const KymoAsk *ask,
         guint32        state)
{
  return state >= KYMO_STATE_ACTIVITY
         && (ask->run->terms.code != KYMO_CODE_FUNCTION
             || kymo_run_peek_activity (ask->run, state - KYMO_STATE_ACTIVITY)->role
                == KYMO_ROLE_COMPUTE);
}

/* Traced time and the busy part of it. */
static KymoBusiestShare
busy_of (const KymoAsk  *ask,
         const KymoSums *sums)
{
  KymoBusiestShare busy = { 0, 0 };

  for (guint i = 0; i < sums->n_touched; i++)
    {
      guint32 state = sums->touched[i];

      busy.of_ns += state != KYMO_STATE_UNTRACED ? sums->ns[state] : 0;
      busy.ns += is_busy (ask, state) ? sums->ns[state] : 0;
    }
  return busy;
}

static void
add_step (const KymoAsk      *ask,
          KymoBusiestTallies *tallies,
          const KymoSums     *sums,
          gint64              step)
{
  KymoBusiestShare busy = busy_of (ask, sums);

  if (busy.of_ns == 0)
    return;
  tallies->n_steps++;
  tallies->newest = step;
  tally_add (&tallies->of[tallies->n_states], busy);
  for (guint i = 0; i < sums->n_touched; i++)
    if (sums->touched[i] >= KYMO_STATE_ACTIVITY)
      tally_add (&tallies->of[sums->touched[i]],
                 (KymoBusiestShare) { sums->ns[sums->touched[i]], busy.of_ns });
}

static gpointer
walk_busiest (gpointer data)
{
  Worker *worker = data;
  const KymoAsk *ask = worker->ask;
  g_autofree guint *hints = g_new0 (guint, ask->n_locations);
  KymoSums sums;

  kymo_sums_init (&sums, ask->n_states);
  for (gint64 i = worker->first; i < worker->end; i++)
    {
      if (kymo_ask_is_stopped (ask, i)
          || !sum_span (ask, kymo_busiest_span_of_step (worker->steps, i), hints, &sums))
        break;
      add_step (ask, &worker->tallies, &sums, i);
    }
  kymo_sums_clear (&sums);
  return NULL;
}

/* `from` is of later steps. */
static void
busiest_merge (KymoBusiestTallies       *into,
               const KymoBusiestTallies *from)
{
  for (guint i = 0; i <= into->n_states; i++)
    {
      KymoBusiestTally *a = &into->of[i];
      const KymoBusiestTally *b = &from->of[i];

      if (b->n_steps > 0 && (a->n_steps == 0 || kymo_busiest_is_less (b->lowest, a->lowest)))
        a->lowest = b->lowest;
      if (b->n_steps > 0 && (a->n_steps == 0 || kymo_busiest_is_less (a->highest, b->highest)))
        a->highest = b->highest;
      a->n_steps += b->n_steps;
    }
  into->n_steps += from->n_steps;
  into->newest = MAX (into->newest, from->newest);
}

static void
walk_all (const KymoAsk          *ask,
          const KymoBusiestSteps *steps,
          guint                   n_threads,
          KymoBusiestTallies     *tallies)
{
  g_autofree Worker *workers = g_new0 (Worker, n_threads);

  for (guint i = 0; i < n_threads; i++)
    {
      workers[i] = (Worker) { ask, steps, steps->n * i / n_threads,
                              steps->n * (i + 1) / n_threads, *tallies };
      if (i > 0)
        workers[i].tallies.of = g_new0 (KymoBusiestTally, ask->n_states + 1);
    }
  kymo_share_run ("kymo-ask", n_threads, walk_busiest, workers, sizeof *workers);
  *tallies = workers[0].tallies;
  for (guint i = 1; i < n_threads; i++)
    {
      busiest_merge (tallies, &workers[i].tallies);
      g_free (workers[i].tallies.of);
    }
}

/* Sums of the range, and of the newest step. */
static void
add_sums (const KymoAsk          *ask,
          const KymoBusiestSteps *steps,
          KymoBusiestTallies     *tallies)
{
  g_autofree guint *hints = g_new0 (guint, ask->n_locations);
  KymoSums sums;
  KymoBusiestShare busy;

  kymo_sums_init (&sums, ask->n_states);
  sum_span (ask, ask->span, hints, &sums);
  busy = busy_of (ask, &sums);
  tallies->traced_ns = busy.of_ns;
  for (guint32 s = KYMO_STATE_ACTIVITY; s < ask->n_states; s++)
    tallies->of[s].ns = sums.ns[s];
  tallies->of[ask->n_states].ns = busy.ns;
  if (tallies->newest >= 0)
    {
      memset (hints, 0, ask->n_locations * sizeof *hints);
      sum_span (ask, kymo_busiest_span_of_step (steps, tallies->newest), hints, &sums);
      busy = busy_of (ask, &sums);
      for (guint32 s = KYMO_STATE_ACTIVITY; s < ask->n_states; s++)
        tallies->of[s].now = (KymoBusiestShare) { sums.ns[s], busy.of_ns };
      tallies->of[ask->n_states].now = busy;
    }
  kymo_sums_clear (&sums);
}

/* -- of the whole of a stream ---------------------------------------------- */

static void
tally_of_seconds (KymoBusiestTally        *tally,
                  const KymoStreamSeconds *seconds,
                  gint64                   n_seconds)
{
  tally->ns = seconds->sum_ns;
  tally->n_steps = n_seconds;
  tally->lowest = (KymoBusiestShare) { seconds->lowest_ns, SECOND_NS };
  tally->highest = (KymoBusiestShare) { seconds->highest_ns, SECOND_NS };
  tally->now = (KymoBusiestShare) { seconds->last_ns, SECOND_NS };
}

static gboolean
is_whole_stream (const KymoAsk *ask)
{
  const KymoRun *run = ask->run;

  return run->stream != NULL && run->stream->n_seconds > 0
    && run->stream->seconds->len == run->activities->len
    && ask->n_locations == run->locations->len
    && ask->span.begin_ns == run->span.begin_ns && ask->span.end_ns == run->span.end_ns;
}

static void
read_log (const KymoAsk      *ask,
          KymoBusiestSteps   *steps,
          KymoBusiestTallies *tallies)
{
  const KymoStreamLog *log = ask->run->stream;

  tallies->n_steps = log->n_seconds;
  tallies->traced_ns = log->n_seconds * SECOND_NS;
  tallies->newest = 0;
  steps->step_ns = SECOND_NS;
  steps->whole = (KymoSpan) { log->newest.end_ns - SECOND_NS, log->newest.end_ns };
  steps->n = 1;
  for (guint i = 0; i < log->seconds->len; i++)
    tally_of_seconds (&tallies->of[KYMO_STATE_ACTIVITY + i],
                      &g_array_index (log->seconds, KymoStreamSeconds, i), log->n_seconds);
  tally_of_seconds (&tallies->of[ask->n_states], &log->busy, log->n_seconds);
}

/* -- steps ----------------------------------------------------------------- */

/* Longer than a second, and of more than one state: then it is unknown how it
   was in its seconds. A long stretch that was lost is no such bin. */
static gboolean
is_coarse (const KymoBins *bins)
{
  const guint32 *states;
  const gint64 *ns;

  if (bins->bin_ns <= SECOND_NS)
    return FALSE;
  for (guint i = 0; i < bins->n_bins; i++)
    if (kymo_pyramid_peek_node (bins->times, i, &states, &ns) != 1 || ns[0] != bins->bin_ns)
      return TRUE;
  return FALSE;
}

/* Of the bins that are longer than a second, if any. */
static gint64
longest_bin (const KymoAsk *ask)
{
  gint64 longest_ns = 0;

  for (guint i = 0; i < ask->n_locations; i++)
    {
      const KymoBins *bins = kymo_ask_segment_of (ask, ask->locations[i])->bins;
      guint n = bins != NULL && bins->chunks != NULL ? bins->chunks->len : 0;

      if (bins != NULL && n == 0 && is_coarse (bins))
        longest_ns = MAX (longest_ns, bins->bin_ns);
      for (guint c = 0; c < n; c++)
        {
          const KymoBins *chunk = g_ptr_array_index (bins->chunks, c);

          if (chunk->begin_ns < ask->span.end_ns && chunk->end_ns > ask->span.begin_ns
              && is_coarse (chunk))
            longest_ns = MAX (longest_ns, chunk->bin_ns);
        }
    }
  return longest_ns;
}

static gint64
floor_to (gint64 time_ns,
          gint64 step_ns)
{
  gint64 rest = time_ns % step_ns;

  return time_ns - (rest < 0 ? rest + step_ns : rest);
}

/* `one`: the range itself is the only one. */
static void
plan_steps (const KymoAsk    *ask,
            gboolean          one,
            KymoBusiestSteps *steps)
{
  static const gint64 factors[] = { 1, 2, 5 };
  gint64 seconds = (longest_bin (ask) + SECOND_NS - 1) / SECOND_NS, power = 1;
  gint64 length = kymo_span_length (ask->span), step_ns = 0;
  gint64 begin_ns, end_ns;

  for (guint i = 0; step_ns == 0 || length / step_ns > MOST_STEPS; i++)
    {
      power *= i > 0 && i % G_N_ELEMENTS (factors) == 0 ? 10 : 1;
      step_ns = MAX (seconds, 1) * power * factors[i % G_N_ELEMENTS (factors)] * SECOND_NS;
    }
  begin_ns = floor_to (ask->span.begin_ns + step_ns - 1, step_ns);
  end_ns = floor_to (ask->span.end_ns, step_ns);
  if (begin_ns < end_ns && !one)
    *steps = (KymoBusiestSteps) { { begin_ns, end_ns }, step_ns, (end_ns - begin_ns) / step_ns };
  else
    *steps = (KymoBusiestSteps) { ask->span, MAX (length, 1), length > 0 };
}

static gboolean
use_columns (const KymoAsk  *ask,
             GError        **error)
{
  for (guint i = 0; i < ask->n_locations; i++)
    if (!kymo_segment_use (kymo_ask_segment_of (ask, ask->locations[i]), KYMO_PART_TRACK))
      {
        kymo_ask_set_stale (ask, error);
        return FALSE;
      }
  return TRUE;
}

static KymoTable *
busiest_answer (KymoAsk  *ask,
                guint     n_threads,
                GError  **error)
{
  KymoBusiestTallies tallies = { g_new0 (KymoBusiestTally, ask->n_states + 1), ask->n_states,
                                 .newest = -1 };
  KymoTable *table = NULL;
  KymoBusiestSteps steps;

  if (is_whole_stream (ask))
    {
      read_log (ask, &steps, &tallies);
      table = kymo_busiest_make_answer (ask, &steps, &tallies);
    }
  else if (use_columns (ask, error))
    {
      plan_steps (ask, FALSE, &steps);
      walk_all (ask, &steps, n_threads, &tallies);
      if (tallies.n_steps == 0)
        {
          plan_steps (ask, TRUE, &steps);
          walk_all (ask, &steps, 1, &tallies);
        }
      add_sums (ask, &steps, &tallies);
      if (!g_cancellable_set_error_if_cancelled (ask->cancellable, error))
        table = kymo_busiest_make_answer (ask, &steps, &tallies);
    }
  g_free (tallies.of);
  return table;
}

static const KymoKeyword keywords[] =
{
  KYMO_KEYWORD_EXTRAPOLATE,
  { NULL }
};

static const KymoQuestionList lists[] =
{
  { "busy", "now mean lowest highest ns" },
  { "rest", "now mean lowest highest ns" },
  { "activities", "id name now mean lowest highest ns" },
  { NULL }
};

const KymoAnswerClass kymo_answer_busiest =
{
  { "busiest", N_("A list of the busiest"),
    "what was busiest in the newest second, and over the run", keywords, KYMO_CAN_BINNED_TIME,
    .lists = lists,
    .topic = KYMO_TOPIC_LOAD },
  .answer = busiest_answer, .weigh = kymo_ask_weighs,
};
