/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What kinds of questions ask of a question beside its run: names of states,
 * edges of columns, whom an answer is about and how many PEs that stands for.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-engine.h"

#include <math.h>

#include "kymo-error.h"

/**
 * kymo_ask_state_name:
 *
 * Returns: (transfer none): display name of a state of the track
 */
const char *
kymo_ask_state_name (const KymoAsk *ask,
                     guint32        state)
{
  static const char *const names[] = { "Overhead", "Idle", "Untraced" };

  if (state == KYMO_STATE_OVERHEAD && ask->run->kind == KYMO_RUN_STREAM)
    return "Idle or overhead";
  return state < KYMO_STATE_ACTIVITY ? names[state]
    : kymo_run_peek_activity (ask->run, state - KYMO_STATE_ACTIVITY)->name;
}

/**
 * kymo_ask_state_kind:
 * @state: overhead, idle, untraced or an activity
 *
 * Returns: (transfer none): "overhead", "idle", "untraced", "rest" (idle time or overhead of
 *   a stream), or the kind of the activity
 */
const char *
kymo_ask_state_kind (const KymoAsk *ask,
                     guint32        state)
{
  static const char *const kinds[] = { "overhead", "idle", "untraced" };

  if (state == KYMO_STATE_OVERHEAD && ask->run->kind == KYMO_RUN_STREAM)
    return "rest";
  return state < KYMO_STATE_ACTIVITY ? kinds[state]
    : kymo_activity_kind_to_string (kymo_run_peek_activity (ask->run,
                                                            state - KYMO_STATE_ACTIVITY)->kind);
}

/**
 * kymo_ask_state_id:
 * @state: overhead, idle, untraced or an activity
 *
 * Returns: number of the activity in the files; %KYMO_NULL_INT for other states
 */
gint64
kymo_ask_state_id (const KymoAsk *ask,
                   guint32        state)
{
  return state < KYMO_STATE_ACTIVITY ? KYMO_NULL_INT
    : kymo_run_peek_activity (ask->run, state - KYMO_STATE_ACTIVITY)->id;
}

/**
 * kymo_ask_is_stopped:
 * @i: a loop's counter; the cancellable is looked at every 4,096th time
 *
 * Returns: %TRUE if the question was cancelled, as far as was looked
 */
gboolean
kymo_ask_is_stopped (const KymoAsk *ask,
                     guint          i)
{
  return (i & 0xfff) == 0 && g_cancellable_is_cancelled (ask->cancellable);
}

/**
 * kymo_span_edge:
 *
 * Returns: edge @i of @n equal parts of @span, rounded down; edge 0 is its
 * begin, edge @n its end
 */
gint64
kymo_span_edge (KymoSpan span,
                guint    n,
                guint    i)
{
  return span.begin_ns + (gint64) ((__int128) kymo_span_length (span) * i / n);
}

/**
 * kymo_ask_edges:
 * @fallback: columns where the question does not say
 * @most: columns that can be answered
 * @n_columns: (out): how many it is
 *
 * Returns: (transfer full) (nullable): n_columns + 1 edges of equal parts of
 * the asked range; %NULL and a usage error for too many
 */
gint64 *
kymo_ask_edges (const KymoAsk  *ask,
                guint           fallback,
                guint           most,
                guint          *n_columns,
                GError        **error)
{
  guint n = kymo_question_get_columns (ask->question);
  gint64 *edges_ns;

  if (n == 0)
    n = fallback;
  if (n > most)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                   _("%u parts of the time range are more than the %u that can be answered"), n,
                   most);
      return NULL;
    }
  edges_ns = g_new (gint64, n + 1);
  for (guint i = 0; i <= n; i++)
    edges_ns[i] = kymo_span_edge (ask->span, n, i);
  *n_columns = n;
  return edges_ns;
}

/**
 * kymo_ask_segment_of:
 *
 * Returns: (transfer none): the segment of a location. Readers make one
 * segment a location.
 */
KymoSegment *
kymo_ask_segment_of (const KymoAsk *ask,
                     guint          location)
{
  return g_ptr_array_index (ask->run->segments, location);
}

/**
 * kymo_ask_new_firsts:
 *
 * Returns: (transfer full): by activity the first one of its name: activities of one name are one
 *   function
 */
guint *
kymo_ask_new_firsts (const KymoRun *run)
{
  guint *firsts = g_new (guint, MAX (run->activities->len, 1));
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < run->activities->len; i++)
    {
      char *name = kymo_run_peek_activity (run, i)->name;
      gpointer first;

      if (g_hash_table_lookup_extended (known, name, NULL, &first))
        firsts[i] = GPOINTER_TO_UINT (first);
      else
        {
          firsts[i] = i;
          g_hash_table_insert (known, name, GUINT_TO_POINTER (i));
        }
    }
  return firsts;
}

/**
 * kymo_ask_count_end:
 *
 * Where the range takes everything to the end of the run, what begins on its last nanosecond
 * is inside as well, unless the run is a part of a longer one.
 *
 * Returns: the time before which a record has to begin so that it is counted
 */
gint64
kymo_ask_count_end (const KymoAsk *ask)
{
  return ask->span.end_ns == ask->run->span.end_ns && !ask->run->ends_early ? G_MAXINT64
    : ask->span.end_ns;
}

/**
 * kymo_ask_weight_of:
 * @location: index in the run
 *
 * Returns: how many locations it stands for, in millionths; %KYMO_WEIGHT_ONE
 * where the answer is not extrapolated
 */
gint64
kymo_ask_weight_of (const KymoAsk *ask,
                    guint          location)
{
  return ask->weights == NULL ? KYMO_WEIGHT_ONE
    : kymo_id_weights_get (ask->weights, kymo_run_peek_location (ask->run, location)->id);
}

/**
 * kymo_ask_weighs:
 * @state: not touched
 * @location: not looked at
 * @weight: not looked at
 *
 * The weigh of a #KymoAnswerClass that applies weights where it adds up locations: does
 * nothing.
 */
void
kymo_ask_weighs (const KymoAsk *ask,
                 gpointer       state,
                 guint          location,
                 gint64         weight)
{
}

/**
 * kymo_ask_stands_for:
 * @averaged: only those that enter averages
 *
 * Returns: how many locations the asked ones stand for; their number where
 * the answer is not extrapolated
 */
double
kymo_ask_stands_for (const KymoAsk *ask,
                     gboolean       averaged)
{
  gint64 sum = 0;

  for (guint i = 0; i < ask->n_locations; i++)
    if (!averaged || kymo_ask_is_averaged (ask, ask->locations[i]))
      sum = kymo_saturating_add (sum, kymo_ask_weight_of (ask, ask->locations[i]));
  return (double) sum / KYMO_WEIGHT_ONE;
}

/**
 * kymo_ask_round:
 * @count: a sum over locations; of an answer that is extrapolated one of
 *   kymo_weigh_count()
 *
 * Returns: the sum, a whole number
 */
gint64
kymo_ask_round (const KymoAsk *ask,
                gint64         count)
{
  return ask->weights == NULL ? count : kymo_round_count (count);
}

/**
 * kymo_ask_has_errors:
 *
 * Returns: whether it is known how far figures are off: of a run that is
 * extrapolated by its own weights, where they were measured
 */
gboolean
kymo_ask_has_errors (const KymoAsk *ask)
{
  const KymoReduction *reduction = ask->run->reduction;

  return reduction != NULL && ask->weights == reduction->weights && reduction->errors->len > 0;
}

/**
 * kymo_ask_set_extrapolated:
 *
 * Tells how many locations the figures of an answer are from and how many they
 * stand for, and the known error of these figures.
 */
void
kymo_ask_set_extrapolated (const KymoAsk *ask,
                           KymoTable     *answer)
{
  gint64 n = 0;

  for (guint i = 0; i < ask->n_locations; i++)
    n += kymo_ask_weight_of (ask, ask->locations[i]) > 0;
  kymo_table_set_bool (answer, "extrapolated", TRUE);
  kymo_table_set_int (answer, "extrapolated_from", n);
  kymo_table_set_double (answer, "stands_for", kymo_ask_stands_for (ask, FALSE));
  kymo_table_set_double (answer, "time_profile_error",
                         kymo_ask_has_errors (ask) ? ask->run->reduction->time_profile : NAN);
}

/**
 * kymo_ask_answer_new:
 *
 * Returns: (transfer full): an answer that tells the asked range, "begin_ns" to "end_ns"
 */
KymoTable *
kymo_ask_answer_new (const KymoAsk *ask)
{
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);

  kymo_table_set_int (answer, "begin_ns", ask->span.begin_ns);
  kymo_table_set_int (answer, "end_ns", ask->span.end_ns);
  return answer;
}

/**
 * kymo_ask_set_counts:
 *
 * Tells whom the answer is about: "workers" and "communication_threads" in
 * its sums, and communication threads "left_out".
 */
void
kymo_ask_set_counts (const KymoAsk *ask,
                     KymoTable     *answer)
{
  kymo_table_set_int (answer, "workers", ask->n_workers);
  kymo_table_set_int (answer, "communication_threads", ask->n_locations - ask->n_workers);
  kymo_table_set_int (answer, "left_out", ask->n_left_out);
}
