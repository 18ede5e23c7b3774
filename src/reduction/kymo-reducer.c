/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Choosing the PEs of a reduction, and all that is said of the choice: clusters,
 * weights, quality, errors.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-reducer-private.h"

#include "kymo-error.h"
#include "kymo-quality.h"
#include "kymo-run-source.h"
#include "kymo-weights.h"

static gboolean
check_run (const KymoRun  *run,
           GError        **error)
{
  if (kymo_run_is_binned (run))
    g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                         _("Only runs with records of each PE can be reduced; this run is a "
                           "summary "
                           "or a stream"));
  else if (run->profiles != NULL)
    g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                         _("A profile cannot be reduced: there is no time in it to compare; "
                           "extract "
                           "writes some of its ranks or threads"));
  else if (run->draft != NULL)
    g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                         _("A run can be reduced when all its logs are read"));
  else
    return TRUE;
  return FALSE;
}

/* Time over which PEs are compared. */
static gboolean
check_span (KymoSource             *source,
            const KymoReducerWish  *wish,
            GError                **error)
{
  g_autoptr (KymoRun) run = kymo_source_ref_run (source);

  if (kymo_span_length (kymo_span_intersect (wish->span, run->span)) > 0
      || kymo_span_length (run->span) == 0)
    return TRUE;
  g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                       _("The time range that was asked for is not in the run"));
  return FALSE;
}

/**
 * kymo_reducer_check:
 * @error: says why it cannot be reduced
 */
gboolean
kymo_reducer_check (KymoSource  *source,
                    GError     **error)
{
  g_autoptr (KymoRun) run = kymo_source_ref_run (source);

  return check_run (run, error);
}

/* Of the whole run, whatever time the PEs were compared over: whole logs are
   kept. So it is what `quality` says of both runs. */
static KymoTable *
ask_grain (KymoSource    *source,
           KymoIdSet     *locations,
           GCancellable  *cancellable,
           GError       **error)
{
  g_autoptr (KymoQuestion) question = kymo_quality_new_question ();

  if (locations != NULL)
    kymo_question_set_locations (question, locations);
  return kymo_source_ask (source, question, cancellable, error);
}

static KymoTable *
ask_quality (KymoSource    *source,
             const KymoRun *run,
             KymoIdSet     *kept,
             GCancellable  *cancellable,
             GError       **error)
{
  g_autoptr (KymoTable) full = ask_grain (source, NULL, cancellable, error);
  g_autoptr (KymoTable) reduced = full != NULL ? ask_grain (source, kept, cancellable, error)
    : NULL;

  return reduced == NULL ? NULL
    : kymo_quality_compare (full, reduced, kymo_quality_count_pes (run, NULL),
                            kymo_quality_count_pes (run, kept));
}

/* One line for every kept PE. */
static KymoTable *
list_weights (const KymoTable     *locations,
              const KymoIdWeights *weights)
{
  KymoTable *table = kymo_table_new_list ("location cluster kept_as:string weight:double");

  for (guint i = 0; i < kymo_table_get_n_rows (locations); i++)
    if (kymo_table_get_string (locations, "kept_as", i) != NULL)
      {
        gint64 pe = kymo_table_get_int (locations, "location", i);

        kymo_table_append_row (table, pe, kymo_table_get_int (locations, "cluster", i),
                               kymo_table_get_string (locations, "kept_as", i),
                               (double) kymo_id_weights_get (weights, pe) / KYMO_WEIGHT_ONE);
      }
  return table;
}

/**
 * kymo_reducer_new_question:
 *
 * Returns: (transfer full): `clusters` with what was wished, and with vectors,
 * for PEs are weighed by them
 */
KymoQuestion *
kymo_reducer_new_question (const KymoReducerWish *wish)
{
  KymoQuestion *question = kymo_question_new ("clusters");
  const struct { const char *key, *value; } words[] =
    {
      { "clusters", wish->clusters }, { "outliers", wish->outliers }, { "keep", wish->keep },
      { "quota", wish->quota }, { "union", wish->union_of },
      { "critical-path", wish->critical_path ? "1" : NULL }, { "also", wish->also },
    };

  kymo_question_set_span (question, wish->span);
  kymo_question_set_int (question, "vectors", 1);
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (words[i].value != NULL)
      kymo_question_set (question, words[i].key, words[i].value);
  return question;
}

static void
set_parameters (KymoTable             *choice,
                const KymoReducerWish *wish,
                const KymoTable       *clusters)
{
  static const char *const counts[] = { "begin_ns", "end_ns", "k", "outliers" };
  static const char *const words[] = { "seeding", "scale", "quota", "union" };

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    kymo_table_set_int (choice, counts[i], kymo_table_get_int (clusters, counts[i], 0));
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    kymo_table_set_string (choice, words[i], kymo_table_get_string (clusters, words[i], 0));
  kymo_table_set_bool (choice, "critical_path", wish->critical_path);
  kymo_table_set_string (choice, "also", wish->also != NULL ? wish->also : "");
}

static void
set_clusters (KymoTable           *choice,
              const KymoTable     *clusters,
              const KymoIdWeights *weights)
{
  guint n;
  const gint64 *kept = kymo_table_peek_ints (clusters, "kept", &n);

  kymo_table_set_int (choice, "pes", kymo_table_get_int (clusters, "pes", 0));
  kymo_table_set_int (choice, "stands_for",
                      (kymo_id_weights_get_sum (weights) + KYMO_WEIGHT_ONE / 2) / KYMO_WEIGHT_ONE);
  kymo_table_set_ints (choice, "kept", kept, n);
  kymo_table_set_table (choice, "clusters", kymo_table_ref (
    kymo_table_peek_nested (clusters, "clusters", NULL)));
  kymo_table_set_table (choice, "weights", list_weights (
    kymo_table_peek_nested (clusters, "locations", NULL), weights));
}

/* Takes what the run was off before it was reduced again into account. */
static gboolean
set_errors (KymoTable               *choice,
            const KymoReducerTruth  *truth,
            KymoIdWeights           *weights,
            GError                 **error)
{
  const KymoReduction *before = truth->run->reduction;
  KymoTable *errors;
  double share;

  if (!kymo_reducer_measure_bars (truth, weights, &share, error))
    return FALSE;
  errors = kymo_reducer_measure_entries (truth, weights, error);
  if (errors == NULL)
    return FALSE;
  if (before != NULL && before->time_profile > 0)
    share += before->time_profile;
  kymo_table_set_double (choice, "time_profile_error", share);
  kymo_table_set_int (choice, "bars", KYMO_REDUCER_BARS);
  kymo_table_set_table (choice, "errors", errors);
  return TRUE;
}

static gboolean
set_quality (KymoTable               *choice,
             const KymoReducerTruth  *truth,
             GError                 **error)
{
  guint n;
  const gint64 *kept = kymo_table_peek_ints (choice, "kept", &n);
  g_autoptr (KymoIdSet) set = kymo_id_set_new_list (kept, n);
  KymoTable *quality = ask_quality (truth->source, truth->run, set, truth->cancellable, error);

  if (quality != NULL)
    kymo_table_set_table (choice, "quality", quality);
  return quality != NULL;
}

/* All that is said of the PEs that an answer to `clusters` keeps. */
static KymoTable *
make_choice (const KymoReducerTruth  *truth,
             const KymoReducerWish   *wish,
             const KymoTable         *clusters,
             guint                    n_tried,
             GError                 **error)
{
  g_autoptr (KymoTable) choice = kymo_table_new (KYMO_STYLE_OBJECT);
  g_autoptr (KymoIdWeights) weights = kymo_weights_new (
    kymo_table_peek_nested (clusters, "locations", NULL), truth->before);

  kymo_table_set_int (choice, "processors", truth->run->n_locations_original);
  kymo_table_set_bool (choice, "corrected_clocks", kymo_run_has_corrected_clocks (truth->run));
  if (kymo_span_length (truth->run->selection) > 0)
    kymo_table_set_ints (choice, "selection", (const gint64[]) { truth->run->selection.begin_ns,
                                                                 truth->run->selection.end_ns },
                         2);
  set_parameters (choice, wish, clusters);
  if (wish->error > 0)
    {
      kymo_table_set_double (choice, "wished_error", wish->error);
      kymo_table_set_int (choice, "sets_tried", n_tried);
    }
  set_clusters (choice, clusters, weights);
  return set_errors (choice, truth, weights, error) && set_quality (choice, truth, error)
    && kymo_reducer_set_dropped (choice, truth, error)
    ? g_steal_pointer (&choice) : NULL;
}

/* For a bound any clusters will do to begin with: they name the PEs. */
static KymoTable *
ask_first (KymoSource             *source,
           const KymoReducerWish  *wish,
           GCancellable           *cancellable,
           GError                **error)
{
  const KymoReducerWish one = { .clusters = "1", .outliers = "0", .span = wish->span };
  g_autoptr (KymoQuestion) question = kymo_reducer_new_question (wish->error > 0 ? &one : wish);

  return kymo_source_ask (source, question, cancellable, error);
}

/**
 * kymo_reducer_choose:
 * @source: a run source
 * @wish: what to choose by
 * @job: (nullable): progress, and cancelling
 * @error: where to put the reason
 *
 * Chooses the PEs that stand for all.
 *
 * Returns: (transfer full) (nullable): the choice
 */
KymoTable *
kymo_reducer_choose (KymoSource             *source,
                     const KymoReducerWish  *wish,
                     KymoJob                *job,
                     GError                **error)
{
  GCancellable *cancellable = job != NULL ? kymo_job_peek_cancellable (job) : NULL;
  g_autoptr (KymoReducerTruth) truth = NULL;
  guint n_tried = 1;

  if (!kymo_reducer_check (source, error) || !check_span (source, wish, error))
    return NULL;
  g_autoptr (KymoTable) clusters = ask_first (source, wish, cancellable, error);
  if (clusters == NULL)
    return NULL;
  truth = kymo_reducer_truth_new (source, clusters, cancellable, error);
  if (truth == NULL)
    return NULL;
  if (wish->error > 0)
    {
      g_autoptr (KymoTable) first = g_steal_pointer (&clusters);

      clusters = kymo_reducer_search (truth, wish,
                                      kymo_table_peek_nested (first, "locations", NULL), &n_tried,
                                      job, error);
      if (clusters == NULL)
        return NULL;
    }
  kymo_job_begin (job, _("Measuring"), 0);
  return make_choice (truth, wish, clusters, n_tried, error);
}
