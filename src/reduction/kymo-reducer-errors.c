/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How far figures are off when the kept PEs stand for all: both sides are
 * answers of the source, asked for all PEs that were compared, and for the
 * kept ones with their weights. So the errors are those of the figures of a reduced run.
 *
 * The error of a time profile: the time is cut into KYMO_REDUCER_BARS equal
 * parts, as `time-profile` does. In each bar, for each entry method, idle time
 * and overhead, the difference of the estimated time and the true one over the
 * time of all PEs in the bar, that is their number times its length; the
 * largest of all, whatever its sign. So it is how far any border in the picture
 * of a time profile can be wrong, as a share of its height, times the number of
 * states below it. Bars without length tell nothing.
 *
 * Of a run that is itself reduced the true figures are those of the run that
 * it was made of where its note knows them, for the same time; else its own,
 * extrapolated. The error of its time profile is then added.
 */
#include "config.h"

#include "kymo-reducer-private.h"

#include <math.h>
#include <string.h>

#include "kymo-fewest.h"
#include "kymo-run-source.h"

/* -- questions ------------------------------------------------------------- */

static KymoTable *
ask_reducer_errors (const KymoReducerTruth  *truth,
                    const char              *kind,
                    KymoIdSet               *locations,
                    KymoIdWeights           *weights,
                    GError                 **error)
{
  g_autoptr (KymoQuestion) question = kymo_question_new (kind);

  kymo_question_set_span (question, truth->span);
  kymo_question_set_locations (question, locations);
  kymo_question_set_weights (question, weights);
  if (strcmp (kind, "time-profile") == 0)
    kymo_question_set_resolution (question, KYMO_REDUCER_BARS, 0);
  return kymo_source_ask (truth->source, question, truth->cancellable, error);
}

static KymoIdSet *
set_of (const KymoIdWeights *weights)
{
  guint n = kymo_id_weights_get_n (weights);
  g_autofree gint64 *ids = g_new (gint64, MAX (n, 1));

  for (guint i = 0; i < n; i++)
    ids[i] = kymo_id_weights_get_id (weights, i);
  return kymo_id_set_new_list (ids, n);
}

static KymoTable *
ask_weighed (const KymoReducerTruth  *truth,
             const char              *kind,
             KymoIdWeights           *weights,
             GError                 **error)
{
  g_autoptr (KymoIdSet) kept = set_of (weights);

  return ask_reducer_errors (truth, kind, kept, weights, error);
}

/**
 * kymo_reducer_truth_new:
 * @source: of a run
 * @clusters: an answer of it to `clusters`: the PEs that are compared, and
 *   the time
 * @cancellable: (nullable): kept as long as the truth
 *
 * Returns: (transfer full) (nullable): what estimates are measured against
 */
KymoReducerTruth *
kymo_reducer_truth_new (KymoSource       *source,
                        const KymoTable  *clusters,
                        GCancellable     *cancellable,
                        GError          **error)
{
  g_autoptr (KymoReducerTruth) truth = g_new0 (KymoReducerTruth, 1);
  g_autoptr (KymoRun) run = kymo_source_ref_run (source);
  KymoTable *locations = kymo_table_peek_nested (clusters, "locations", NULL);
  const gint64 *ids = kymo_table_peek_ints (locations, "location", NULL);
  guint n = kymo_table_get_n_rows (locations);

  truth->source = source;
  truth->cancellable = cancellable;
  truth->span = (KymoSpan) { kymo_table_get_int (clusters, "begin_ns", 0),
                             kymo_table_get_int (clusters, "end_ns", 0) };
  truth->pes = kymo_id_set_new_list (ids, n);
  truth->before = run->reduction != NULL ? kymo_id_weights_ref (run->reduction->weights) : NULL;
  for (guint i = 0; i < n; i++)
    truth->stands_for += truth->before != NULL ? kymo_id_weights_get (truth->before, ids[i])
      : KYMO_WEIGHT_ONE;
  truth->bars = ask_reducer_errors (truth, "time-profile", truth->pes, truth->before, error);
  /* Its columns are in use now, and it may have been read again for that. */
  truth->run = kymo_source_ref_run (source);
  return truth->bars != NULL ? g_steal_pointer (&truth) : NULL;
}

void
kymo_reducer_truth_free (KymoReducerTruth *truth)
{
  g_clear_pointer (&truth->run, kymo_run_unref);
  g_clear_pointer (&truth->pes, kymo_id_set_unref);
  g_clear_pointer (&truth->before, kymo_id_weights_unref);
  g_clear_pointer (&truth->bars, kymo_table_unref);
  g_free (truth);
}

/* -- the time profile ------------------------------------------------------ */

static void
add_row (GHashTable   *sums,
         const char   *key,
         const gint64 *values,
         guint         n,
         int           sign)
{
  gint64 *sum = g_hash_table_lookup (sums, key);

  if (sum == NULL)
    {
      sum = g_new0 (gint64, n);
      g_hash_table_insert (sums, g_strdup (key), sum);
    }
  for (guint i = 0; i < n; i++)
    sum[i] += sign * values[i];
}

/* Entry methods by id and name: functions have ids of their own. */
static void
add_bars (GHashTable      *sums,
          const KymoTable *answer,
          int              sign)
{
  static const char *const others[] = { "idle_ns", "overhead_ns" };
  KymoTable *series = kymo_table_peek_nested (answer, "series", NULL);
  guint n;

  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      const gint64 *values = kymo_table_peek_ints (answer, others[i], &n);

      add_row (sums, others[i], values, n, sign);
    }
  for (guint row = 0; row < kymo_table_get_n_rows (series); row++)
    {
      const gint64 *values = kymo_table_peek_ints (series, "ns", &n);
      g_autofree char *key = g_strdup_printf ("%" G_GINT64_FORMAT " %s",
                                              kymo_table_get_int (series, "id", row),
                                              kymo_table_get_string (series, "name", row));

      add_row (sums, key, values + (gsize) row * n, n, sign);
    }
}

/**
 * kymo_reducer_measure_bars:
 * @weights: of the kept PEs
 * @share: (out): error of their time profile, as the head of this file says;
 *   NaN where the time has no length
 *
 * Returns: %FALSE when it was cancelled
 */
gboolean
kymo_reducer_measure_bars (const KymoReducerTruth  *truth,
                           KymoIdWeights           *weights,
                           double                  *share,
                           GError                 **error)
{
  g_autoptr (KymoTable) estimate = ask_weighed (truth, "time-profile", weights, error);
  g_autoptr (GHashTable) sums = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  const gint64 *edges = kymo_table_peek_ints (truth->bars, "edges_ns", NULL);
  GHashTableIter iter;
  gpointer values;

  if (estimate == NULL)
    return FALSE;
  *share = NAN;
  add_bars (sums, truth->bars, -1);
  add_bars (sums, estimate, 1);
  g_hash_table_iter_init (&iter, sums);
  while (g_hash_table_iter_next (&iter, NULL, &values))
    for (guint i = 0; i < KYMO_REDUCER_BARS; i++)
      if (edges[i + 1] > edges[i])
        *share = fmax (*share, kymo_bar_error (((gint64 *) values)[i], truth->stands_for,
                                               edges[i + 1] - edges[i]));
  return TRUE;
}

/* -- entry methods --------------------------------------------------------- */

static KymoTable *
errors_new (void)
{
  return kymo_table_new_list ("id name:string kind:string true_ns estimated_ns error:double");
}

static void
append_error (KymoTable  *errors,
              gint64      id,
              const char *name,
              const char *kind,
              gint64      true_ns,
              gint64      estimated_ns)
{
  double is_ns = (double) true_ns;

  kymo_table_append_row (errors, id, name, kind, true_ns, estimated_ns,
                         true_ns > 0 ? ((double) estimated_ns - is_ns) / is_ns : NAN);
}

static char *
key_of (const KymoTable *activities,
        guint            row)
{
  return g_strdup_printf ("%s %" G_GINT64_FORMAT,
                          kymo_table_get_string (activities, "kind", row),
                          kymo_table_get_int (activities, "id", row));
}

/* Exclusive times of a profile: key_of() -> row. */
static GHashTable *
index_rows (const KymoTable *activities)
{
  GHashTable *rows = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint row = 0; row < kymo_table_get_n_rows (activities); row++)
    g_hash_table_insert (rows, key_of (activities, row), GUINT_TO_POINTER (row));
  return rows;
}

/* Whether the run that this one was made of was measured over the same time. */
static gboolean
knows_truth (const KymoReducerTruth *truth)
{
  const KymoReduction *before = truth->run->reduction;

  return before != NULL && before->errors_span.begin_ns == truth->span.begin_ns
    && before->errors_span.end_ns == truth->span.end_ns;
}

/* Ids of unknown entry methods are negative, and mean something else there. */
static const KymoReductionError *
find_entry (const KymoReduction *before,
            gint64               id)
{
  return id >= 0 ? kymo_reduction_find_error (before, id) : NULL;
}

/* What it had, where that is known. */
static gint64
true_of (const KymoReducerTruth *truth,
         const KymoTable        *activities,
         guint                   row)
{
  static const struct { const char *kind; gint64 id; } others[] =
    { { "idle", KYMO_REDUCTION_IDLE }, { "overhead", KYMO_REDUCTION_OVERHEAD },
      { "untraced", KYMO_REDUCTION_UNTRACED } };
  const KymoReduction *before = truth->run->reduction;
  const char *kind = kymo_table_get_string (activities, "kind", row);
  const KymoReductionError *known = NULL;

  if (knows_truth (truth))
    {
      if (strcmp (kind, "entry") == 0)
        known = find_entry (before, kymo_table_get_int (activities, "id", row));
      for (guint i = 0; i < G_N_ELEMENTS (others); i++)
        if (strcmp (kind, others[i].kind) == 0)
          known = kymo_reduction_find_error (before, others[i].id);
    }
  return known != NULL ? known->true_ns : kymo_table_get_int (activities, "exclusive_ns", row);
}

/* Entry methods that no PE of this run has any more. */
static void
append_lost (const KymoReducerTruth *truth,
             const KymoTable        *of_all,
             KymoTable              *errors)
{
  g_autoptr (GHashTable) rows = index_rows (of_all);
  const KymoRun *run = truth->run;

  for (guint i = 0; i < run->activities->len && knows_truth (truth); i++)
    {
      const KymoActivity *activity = kymo_run_peek_activity (run, i);
      const KymoReductionError *known = activity->kind == KYMO_ACTIVITY_ENTRY
        ? find_entry (run->reduction, activity->id) : NULL;
      g_autofree char *key = g_strdup_printf ("entry %" G_GINT64_FORMAT, activity->id);

      if (known != NULL && known->true_ns > 0 && !g_hash_table_contains (rows, key))
        append_error (errors, activity->id, activity->name, "entry", known->true_ns, 0);
    }
}

/**
 * kymo_reducer_measure_entries:
 * @weights: of the kept PEs
 *
 * Exclusive time of all PEs by `profile`: of each entry method that has some,
 * and of idle time, overhead and untraced time. An error is the difference of
 * the estimated time and the true one over the true one.
 *
 * Returns: (transfer full) (nullable): rows of id, name, kind, true_ns,
 * estimated_ns, error; %NULL when it was cancelled
 */
KymoTable *
kymo_reducer_measure_entries (const KymoReducerTruth  *truth,
                              KymoIdWeights           *weights,
                              GError                 **error)
{
  g_autoptr (KymoTable) all = ask_reducer_errors (truth, "profile", truth->pes, truth->before,
                                                  error);
  g_autoptr (KymoTable) few = all != NULL ? ask_weighed (truth, "profile", weights, error) : NULL;
  g_autoptr (GHashTable) rows = NULL;
  KymoTable *of_all, *of_few;
  KymoTable *errors;

  if (few == NULL)
    return NULL;
  of_all = kymo_table_peek_nested (all, "activities", NULL);
  of_few = kymo_table_peek_nested (few, "activities", NULL);
  rows = index_rows (of_few);
  errors = errors_new ();
  for (guint row = 0; row < kymo_table_get_n_rows (of_all); row++)
    {
      g_autofree char *key = key_of (of_all, row);
      const char *kind = kymo_table_get_string (of_all, "kind", row);
      gint64 id = kymo_table_get_int (of_all, "id", row), true_ns = true_of (truth, of_all, row);
      gpointer at;
      gint64 estimated_ns = g_hash_table_lookup_extended (rows, key, NULL, &at)
        ? kymo_table_get_int (of_few, "exclusive_ns", GPOINTER_TO_UINT (at)) : 0;

      if (true_ns > 0 || estimated_ns > 0 || id == KYMO_NULL_INT)
        append_error (errors, id, kymo_table_get_string (of_all, "name", row), kind, true_ns,
                      estimated_ns);
    }
  append_lost (truth, of_all, errors);
  return errors;
}
