/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a run can answer, and the sentence that says what a question would need of one
 * that cannot.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-engine.h"

#include "kymo-error.h"
#include "kymo-once.h"
#include "kymo-profile-data.h"
#include "kymo-run-index.h"
#include "kymo-term-words.h"

#define SAMPLES (1u << KYMO_POINT_USER_VALUE | 1u << KYMO_POINT_USER_STAT | 1u << KYMO_POINT_MEMORY)

/* Beside capabilities: that they were looked at. */
#define KNOWN ((gsize) 1 << 40)

/* Of a run of kind profile; steps share their events. */
static guint
capabilities_of_profile (const KymoRun *run)
{
  guint can = KYMO_CAN_PROFILE | KYMO_CAN_METRICS;
  const KymoProfileData *data = run->profiles == NULL || run->profiles->len == 0 ? NULL
    : g_ptr_array_index (run->profiles, run->profiles->len - 1);

  if (data == NULL)
    return can;
  if (data->user_names->len > 0)
    can |= KYMO_CAN_USER_EVENTS;
  for (guint i = 0; i < data->events->len; i++)
    {
      guint flags = g_array_index (data->events, KymoProfileEvent, i).flags;

      can |= flags & KYMO_PROFILE_PATH ? KYMO_CAN_PATHS : 0;
      can |= flags & KYMO_PROFILE_PHASE ? KYMO_CAN_PHASES : 0;
    }
  return can;
}

/* Functions that may have waited for others, whom no message names: the
   collectives are found among them. */
static gboolean
has_meetings (const KymoRun *run)
{
  for (guint i = 0; i < run->activities->len; i++)
    {
      const KymoActivity *activity = kymo_run_peek_activity (run, i);

      if (activity->role == KYMO_ROLE_COMMUNICATION || activity->role == KYMO_ROLE_SYNCHRONIZATION
          || activity->role == KYMO_ROLE_WAIT)
        return TRUE;
    }
  return FALSE;
}

static gboolean
defines_comms (const KymoRun *run)
{
  return run->definitions != NULL && run->definitions->comms->len > 0;
}

/* The capabilities that segments add; their points may have to be walked for it. */
static guint
look_at_segments (const KymoRun *run)
{
  guint can = kymo_run_marks_phases (run) ? KYMO_CAN_PHASES : 0;

  for (guint i = 0; i < run->segments->len; i++)
    {
      const KymoSegment *segment = g_ptr_array_index (run->segments, i);
      guint32 points = kymo_segment_get_point_kinds (segment);

      if ((segment->block_counters != NULL && segment->n_counters > 0) || (points & SAMPLES))
        can |= KYMO_CAN_COUNTERS;
      if (points & SAMPLES)
        can |= KYMO_CAN_USER_EVENTS;
      if (points & (1u << KYMO_POINT_USER_EVENT | 1u << KYMO_POINT_BRACKET))
        can |= KYMO_CAN_EVENT_TIMES;
      if (segment->block_depth != NULL)
        can |= KYMO_CAN_PATHS;
      if (segment->exchange != NULL)
        can |= KYMO_CAN_WAITS | (defines_comms (run) ? KYMO_CAN_COMMUNICATORS : 0);
    }
  return can;
}

/* Looks at the segments of a sealed run only once, as they never change. */
static guint
capabilities_of_segments (const KymoRun *run)
{
  gsize *once = &run->index->can_once;

  if (kymo_once_enter (once))
    kymo_once_leave (once, (gsize) look_at_segments (run) | KNOWN);
  return (guint) (kymo_once_get (once) & ~KNOWN);
}

static guint
capabilities_of_trace (const KymoRun *run)
{
  guint can = KYMO_CAN_BINNED_TIME | KYMO_CAN_PROFILE | KYMO_CAN_INTERVALS | KYMO_CAN_MESSAGES
    | KYMO_CAN_ROWS | KYMO_CAN_METRICS;

  if (run->reduction != NULL)
    can |= KYMO_CAN_WEIGHTS;
  if (run->collectives != NULL && defines_comms (run))
    can |= KYMO_CAN_COMMUNICATORS;
  if (run->collectives != NULL
      || (run->terms.code == KYMO_CODE_FUNCTION && has_meetings (run)))
    can |= KYMO_CAN_WAITS;
  return can | capabilities_of_segments (run);
}

/**
 * kymo_capabilities_of:
 *
 * Returns: #KymoCapabilities of the run
 */
guint
kymo_capabilities_of (const KymoRun *run)
{
  guint can = KYMO_CAN_BINNED_TIME | KYMO_CAN_PROFILE;

  if (run->draft != NULL)
    return can | KYMO_CAN_ROWS | KYMO_CAN_GROWING;
  if (run->stream != NULL)
    can |= KYMO_CAN_STREAM | (run->stream->growing ? KYMO_CAN_GROWING : 0);
  if (kymo_run_is_binned (run))
    return can;
  return (run->growing ? KYMO_CAN_GROWING : 0)
    | (run->kind == KYMO_RUN_PROFILE ? capabilities_of_profile (run)
       : capabilities_of_trace (run));
}

/* The sentence that says what a question needs; {what} stands for the title of the question. */
static const char *
words_of_lack (guint lacks)
{
  if (lacks & KYMO_CAN_STREAM)
    return N_("{what} needs a utilization stream.");
  if (lacks & KYMO_CAN_MESSAGES)
    return N_("{what} needs single messages.");
  if (lacks & (KYMO_CAN_INTERVALS | KYMO_CAN_ROWS))
    return N_("{what} needs single blocks.");
  if (lacks & KYMO_CAN_BINNED_TIME)
    return N_("{what} needs to know when things happened.");
  if (lacks & KYMO_CAN_METRICS)
    return N_("{what} needs sums by {code}, of a profile or of single blocks.");
  if (lacks & KYMO_CAN_PATHS)
    return N_("{what} needs {codes} that call each other.");
  if (lacks & KYMO_CAN_USER_EVENTS)
    return N_("{what} needs user events with values.");
  if (lacks & KYMO_CAN_EVENT_TIMES)
    return N_("{what} needs user events.");
  if (lacks & KYMO_CAN_COUNTERS)
    return N_("{what} needs hardware counters, or user events with values.");
  if (lacks & KYMO_CAN_PHASES)
    return N_("{what} needs phases.");
  return N_("{what} needs messages between functions, or collective operations.");
}

/* Why it is missing: a sentence. */
static const char *
words_of_run (const KymoRun *run,
              guint          lacks)
{
  if (lacks & KYMO_CAN_STREAM)
    return N_("This run was read from trace files.");
  if (run->draft != NULL)
    return N_("They are known when all logs are read.");
  if (run->kind == KYMO_RUN_STREAM)
    return N_("This run is a utilization stream: means of all PEs by bins of time. "
              "The program records them with +tracemode projections.");
  if (run->kind == KYMO_RUN_SUMMARY)
    return N_("This run is a summary: sums by bins of time. "
              "The program records them with +tracemode projections.");
  if (run->kind == KYMO_RUN_PROFILE
      && (lacks & (KYMO_CAN_MESSAGES | KYMO_CAN_INTERVALS | KYMO_CAN_ROWS | KYMO_CAN_BINNED_TIME
                   | KYMO_CAN_WAITS)))
    return N_("This run is a profile: sums over all its time. A trace of the program tells more.");
  return N_("This run has none.");
}

/**
 * kymo_capabilities_check:
 * @klass: of the question
 *
 * Returns: %TRUE, or %FALSE and in a sentence what the run is and what the
 * question would need
 */
gboolean
kymo_capabilities_check (const KymoRun            *run,
                         const KymoQuestionClass  *klass,
                         GError                  **error)
{
  guint lacks = klass->requires & ~kymo_capabilities_of (run);
  g_autofree char *sentence = NULL;

  if (lacks == 0)
    return TRUE;
  sentence = kymo_words_filled (kymo_in_terms (run->terms, _(words_of_lack (lacks))), "{what}",
                                kymo_in_terms (run->terms, _(klass->title)), NULL);
  /* Translators: what a run lacks, and why. Each is a sentence. */
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE, _("%s %s"), sentence,
               _(words_of_run (run, lacks)));
  return FALSE;
}
