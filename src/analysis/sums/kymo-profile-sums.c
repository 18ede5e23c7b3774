/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the sums of a profile are of: the locations together, and all that they
 * stand for where a profile is extrapolated.
 */
#include "config.h"

#include "kymo-profile.h"
#include "kymo-waits.h"

#include <math.h>

/* Times of the track, which add up to the span, and those of brackets, which
   lie over it. */
static gboolean
is_of_track (const KymoAsk *ask,
             guint32        state)
{
  return state < KYMO_STATE_ACTIVITY
    || kymo_run_peek_activity (ask->run, state - KYMO_STATE_ACTIVITY)->kind != KYMO_ACTIVITY_EVENT;
}

/**
 * kymo_profile_work_of_role:
 *
 * Returns: the sum that time of activities of a role belongs to
 */
KymoWork
kymo_profile_work_of_role (KymoRole role)
{
  switch (role)
    {
    case KYMO_ROLE_COMMUNICATION: return KYMO_WORK_COMMUNICATION;
    case KYMO_ROLE_SYNCHRONIZATION:
    case KYMO_ROLE_WAIT: return KYMO_WORK_WAITING;
    case KYMO_ROLE_IO: return KYMO_WORK_IO;
    case KYMO_ROLE_RUNTIME: return KYMO_WORK_RUNTIME;
    case KYMO_ROLE_COMPUTE:
    default: return KYMO_WORK_USEFUL;
    }
}

/**
 * kymo_profile_work_of:
 * @state: of an activity
 *
 * Returns: the sum that the busy time of the state belongs to
 */
KymoWork
kymo_profile_work_of (const KymoAsk *ask,
                      guint32        state)
{
  return kymo_profile_work_of_role (
    kymo_run_peek_activity (ask->run, state - KYMO_STATE_ACTIVITY)->role);
}

/**
 * kymo_profile_list_works:
 * @keys: (out caller-allocates): static names of columns, by #KymoWork
 *
 * Entry methods compute all the time that they are busy, so answers about them tell the useful
 * time alone.
 *
 * Returns: number of sums that answers about the run tell: the first of #KymoWork
 */
guint
kymo_profile_list_works (const KymoAsk *ask,
                         const char    *keys[KYMO_N_WORK])
{
  static const char *const all[KYMO_N_WORK] =
    { "useful_ns", "communication_ns", "waiting_ns", "io_ns", "runtime_ns" };

  for (guint w = 0; w < KYMO_N_WORK; w++)
    keys[w] = all[w];
  return ask->run->terms.code == KYMO_CODE_FUNCTION ? KYMO_N_WORK : 1;
}

/* By state: of the track as parts of the span. Free it. */
static gint64 *
weigh_exclusive (const KymoAsk          *ask,
                 const KymoProfileState *state,
                 gint64                  weight)
{
  gint64 *parts = g_new (gint64, state->n_states);

  for (guint32 s = 0; s < state->n_states; s++)
    parts[s] = is_of_track (ask, s) ? state->activities[s].exclusive_ns : 0;
  kymo_weigh_parts (parts, state->n_states, weight);
  for (guint32 s = KYMO_STATE_ACTIVITY; s < state->n_states; s++)
    if (!is_of_track (ask, s))
      parts[s] = kymo_weigh (state->activities[s].exclusive_ns, weight);
  return parts;
}

static void
weigh_location (const KymoAsk    *ask,
                const gint64     *parts,
                guint             n_states,
                KymoLocationSums *weighed)
{
  weighed->idle_ns = parts[KYMO_STATE_IDLE];
  weighed->overhead_ns = parts[KYMO_STATE_OVERHEAD];
  weighed->untraced_ns = parts[KYMO_STATE_UNTRACED];
  for (guint32 s = KYMO_STATE_ACTIVITY; s < n_states; s++)
    if (parts[s] != 0 && is_of_track (ask, s))
      {
        weighed->busy_ns += parts[s];
        weighed->work_ns[kymo_profile_work_of (ask, s)] += parts[s];
      }
  weighed->span.end_ns = weighed->busy_ns + weighed->idle_ns + weighed->overhead_ns
    + weighed->untraced_ns;
}

/* Inclusive time never gets smaller than exclusive time by being rounded. */
static void
weigh_activity (KymoActivitySums *sums,
                gint64            exclusive_ns,
                gint64            weight)
{
  gint64 inner_ns = sums->inclusive_ns - sums->exclusive_ns;

  sums->inclusive_ns = inner_ns >= 0
    ? kymo_saturating_add (exclusive_ns, kymo_weigh (inner_ns, weight))
    : kymo_weigh (sums->inclusive_ns, weight);
  sums->exclusive_ns = exclusive_ns;
  sums->length_ns = kymo_weigh (sums->length_ns, weight);
  sums->blocks = kymo_weigh_count (sums->blocks, weight);
  sums->calls = kymo_weigh_count (sums->calls, weight);
}

/* A block's counter without its inner blocks may be negative. */
static gint64
weigh_counter (gint64 value,
               gint64 weight)
{
  return value < 0 ? -kymo_weigh (-MAX (value, -G_MAXINT64), weight) : kymo_weigh (value, weight);
}

/**
 * kymo_profile_weigh:
 * @data: a #KymoProfileState of one location alone
 * @location: index in the run
 * @weight: number of locations that it stands for, in millionths
 *
 * Makes its sums those of all the location stands for; the location keeps its own figures.
 * The weigh of a #KymoAnswerClass.
 */
void
kymo_profile_weigh (const KymoAsk *ask,
                    gpointer       data,
                    guint          location,
                    gint64         weight)
{
  KymoProfileState *state = data;
  guint row = ask->row_of[location];
  g_autofree gint64 *parts = weigh_exclusive (ask, state, weight);

  weigh_location (ask, parts, state->n_states, &state->weighed[row]);
  for (guint32 s = 0; s < state->n_states; s++)
    {
      weigh_activity (&state->activities[s], parts[s], weight);
      if (kymo_ask_is_averaged (ask, location) && is_of_track (ask, s))
        state->averaged[s] = parts[s];
    }
  for (guint i = 0; i < KYMO_N_STRETCH_KINDS; i++)
    state->stretch_ns[i] = kymo_weigh (state->stretch_ns[i], weight);
  for (gsize i = 0; i < (gsize) state->n_states * state->n_metrics; i++)
    {
      state->counters[i] = weigh_counter (state->counters[i], weight);
      state->counted[i] = kymo_weigh_count (state->counted[i], weight);
    }
  for (guint32 s = 0; state->wait_ns != NULL && s < state->n_states; s++)
    state->wait_ns[s] = kymo_weigh (state->wait_ns[s], weight);
}

/**
 * kymo_profile_total:
 * @averaged: only the locations that enter averages
 *
 * Returns: the locations together, or all that they stand for; the span is
 * { 0, sum of the spans }
 */
KymoLocationSums
kymo_profile_total (const KymoAsk          *ask,
                    const KymoProfileState *state,
                    gboolean                averaged)
{
  KymoLocationSums total = { { 0, 0 }, 0 };

  for (guint i = 0; i < state->n_rows; i++)
    {
      const KymoLocationSums *location = state->weighed != NULL ? &state->weighed[i]
        : &state->locations[i];

      if (averaged && !kymo_ask_is_averaged (ask, ask->locations[i]))
        continue;
      total.span.end_ns += kymo_span_length (location->span);
      total.busy_ns += location->busy_ns;
      for (guint w = 0; w < KYMO_N_WORK; w++)
        total.work_ns[w] += location->work_ns[w];
      total.idle_ns += location->idle_ns;
      total.overhead_ns += location->overhead_ns;
      total.untraced_ns += location->untraced_ns;
    }
  return total;
}

/**
 * kymo_profile_set_times:
 * @averaged: sums of the locations that enter averages, not of all
 *
 * Sets the sums over the locations, and over those that enter averages the
 * utilization (useful share of the traced time) and the efficiencies.
 */
void
kymo_profile_set_times (const KymoAsk          *ask,
                        KymoTable              *answer,
                        const KymoProfileState *state,
                        gboolean                averaged)
{
  KymoLocationSums total = kymo_profile_total (ask, state, averaged);
  KymoLocationSums average = kymo_profile_total (ask, state, TRUE);
  gint64 span_ns = total.span.end_ns;
  gint64 traced_ns = average.span.end_ns - average.untraced_ns;
  const char *works[KYMO_N_WORK];
  guint n_works = kymo_profile_list_works (ask, works);

  kymo_table_set_int (answer, "span_ns", span_ns);
  kymo_table_set_int (answer, "busy_ns", total.busy_ns);
  for (guint w = 0; w < n_works; w++)
    kymo_table_set_int (answer, works[w], total.work_ns[w]);
  kymo_table_set_int (answer, "idle_ns", total.idle_ns);
  kymo_table_set_int (answer, "overhead_ns", total.overhead_ns);
  kymo_table_set_int (answer, "untraced_ns", total.untraced_ns);
  if (ask->run->kind != KYMO_RUN_PROFILE)
    kymo_table_set_double (answer, "utilization",
                           traced_ns > 0
                           ? (double) average.work_ns[KYMO_WORK_USEFUL] / (double) traced_ns : NAN);
  kymo_profile_set_efficiency (ask, answer, state);
}

/* Waiting as a figure of the functions of a profile, where the question asks for it
   and the run tells who waited for whom. */

static gboolean
wants (const KymoAsk *ask)
{
  return kymo_question_get_flag (ask->question, "waits")
    && (kymo_capabilities_of (ask->run) & KYMO_CAN_WAITS);
}

/**
 * kymo_profile_wait_needs:
 *
 * Asked once a segment, so it does not look at the whole run for its capabilities: of
 * functions that never wait for each other it tells too much.
 *
 * Returns: KYMO_NEEDS_ flags of the waiting time, beyond those of the profile; 0 if the question
 *   does not ask for waiting time
 */
guint
kymo_profile_wait_needs (const KymoAsk *ask)
{
  return kymo_question_get_flag (ask->question, "waits")
    && ask->run->terms.code == KYMO_CODE_FUNCTION ? KYMO_WAIT_NEEDS : 0;
}

/** kymo_profile_prepare: the prepare of a #KymoAnswerClass; its plan is #KymoWaits, or NULL */
gboolean
kymo_profile_prepare (KymoAsk  *ask,
                      GError  **error)
{
  if (!wants (ask))
    return TRUE;
  ask->plan = (gpointer) kymo_waits_peek (ask, error);
  return ask->plan != NULL;
}

/** kymo_profile_release: the waits are the run's */
void
kymo_profile_release (KymoAsk *ask)
{
  ask->plan = NULL;
}

/**
 * kymo_profile_add_waits:
 *
 * Adds what of the waits of one segment lies inside the range.
 */
void
kymo_profile_add_waits (const KymoAsk     *ask,
                        KymoProfileState  *state,
                        const KymoSegment *segment)
{
  const KymoWaits *all = ask->plan;
  const GArray *waits;

  if (state->wait_ns == NULL)
    return;
  waits = all->of[segment->location];
  for (guint i = kymo_waits_find (waits, ask->span.begin_ns);
       i < waits->len && !kymo_ask_is_stopped (ask, i); i++)
    {
      const KymoWait *wait = &g_array_index (waits, KymoWait, i);
      KymoSpan span = { wait->begin_ns, wait->begin_ns + wait->wait_ns };
      guint32 activity = segment->block_activity[wait->block];

      if (wait->begin_ns >= ask->span.end_ns)
        break;
      state->wait_ns[KYMO_STATE_ACTIVITY + activity] +=
        kymo_span_length (kymo_span_intersect (ask->span, span));
    }
}
