/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Choosing the PEs of a reduction, and all that is said of the choice: clusters,
 * weights, quality.
 */
#include "config.h"

#include "kymo-reducer-private.h"

#include "kymo-error.h"
#include "kymo-quality.h"
#include "kymo-run-source.h"
#include "kymo-weights.h"

static gboolean
check_run (const KymoRun  *run,
           GError        **error)
{
  if (g_strcmp0 (run->format, "projections") == 0
      && (run->kind == KYMO_RUN_TRACE || run->kind == KYMO_RUN_REDUCED))
    return TRUE;
  g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                       "Only logs of Projections can be reduced; this run is a summary or a "
                       "stream");
  return FALSE;
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
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);
  guint location = kymo_table_add_column (table, "location", KYMO_COLUMN_INT, 1);
  guint cluster = kymo_table_add_column (table, "cluster", KYMO_COLUMN_INT, 1);
  guint as = kymo_table_add_column (table, "kept_as", KYMO_COLUMN_STRING, 1);
  guint weight = kymo_table_add_column (table, "weight", KYMO_COLUMN_DOUBLE, 1);

  for (guint i = 0; i < kymo_table_get_n_rows (locations); i++)
    if (kymo_table_get_string (locations, "kept_as", i) != NULL)
      {
        gint64 pe = kymo_table_get_int (locations, "location", i);

        kymo_table_append_int (table, location, pe);
        kymo_table_append_int (table, cluster, kymo_table_get_int (locations, "cluster", i));
        kymo_table_append_string (table, as, kymo_table_get_string (locations, "kept_as", i));
        kymo_table_append_double (table, weight, (double) kymo_id_weights_get (weights, pe)
                                  / KYMO_WEIGHT_ONE);
      }
  return table;
}

/**
 * kymo_reducer_new_question:
 *
 * Returns: (transfer full): `clusters` with what was wished
 */
KymoQuestion *
kymo_reducer_new_question (const KymoReducerWish *wish)
{
  KymoQuestion *question = kymo_question_new ("clusters");
  const struct { const char *key, *value; } words[] =
    {
      { "clusters", wish->clusters }, { "outliers", wish->outliers }, { "keep", wish->keep },
      { "quota", wish->quota }, { "union", wish->union_of },
      { "critical-path", wish->critical_path ? "1" : NULL },
    };

  kymo_question_set_span (question, wish->span);
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
  static const char *const words[] = { "seeding", "scale" };

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    kymo_table_set_int (choice, counts[i], kymo_table_get_int (clusters, counts[i], 0));
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    kymo_table_set_string (choice, words[i], kymo_table_get_string (clusters, words[i], 0));
  kymo_table_set_string (choice, "quota", wish->quota != NULL ? wish->quota : "size");
  kymo_table_set_string (choice, "union", wish->union_of != NULL ? wish->union_of : "");
  kymo_table_set_bool (choice, "critical_path", wish->critical_path);
}

static KymoTable *
make_choice (const KymoRun         *run,
             const KymoReducerWish *wish,
             const KymoTable       *clusters,
             const KymoIdWeights   *weights,
             KymoTable             *quality)
{
  KymoTable *choice = kymo_table_new (KYMO_STYLE_OBJECT);
  guint n;
  const gint64 *kept = kymo_table_peek_ints (clusters, "kept", &n);

  kymo_table_set_int (choice, "processors", run->n_locations_original);
  kymo_table_set_int (choice, "pes", kymo_table_get_int (clusters, "pes", 0));
  kymo_table_set_int (choice, "stands_for",
                      (kymo_id_weights_get_sum (weights) + KYMO_WEIGHT_ONE / 2) / KYMO_WEIGHT_ONE);
  kymo_table_set_ints (choice, "kept", kept, n);
  set_parameters (choice, wish, clusters);
  kymo_table_set_table (choice, "clusters", kymo_table_ref (
    kymo_table_peek_nested (clusters, "clusters", NULL)));
  kymo_table_set_table (choice, "weights", list_weights (
    kymo_table_peek_nested (clusters, "locations", NULL), weights));
  kymo_table_set_table (choice, "quality", kymo_table_ref (quality));
  return choice;
}

/**
 * kymo_reducer_choose:
 * @source: a run source; logs of Projections
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
  KymoRun *run = kymo_run_source_peek_run (KYMO_RUN_SOURCE (source));
  g_autoptr (KymoQuestion) question = kymo_reducer_new_question (wish);
  guint n;
  const gint64 *kept;

  if (!check_run (run, error))
    return NULL;
  g_autoptr (KymoTable) clusters = kymo_source_ask (source, question, cancellable, error);
  if (clusters == NULL)
    return NULL;
  kept = kymo_table_peek_ints (clusters, "kept", &n);
  g_autoptr (KymoIdSet) set = kymo_id_set_new_list (kept, n);
  g_autoptr (KymoTable) quality = ask_quality (source, run, set, cancellable, error);
  if (quality == NULL)
    return NULL;
  g_autoptr (KymoIdWeights) weights = kymo_weights_new (
    kymo_table_peek_nested (clusters, "locations", NULL),
    run->reduction != NULL ? run->reduction->weights : NULL);

  return make_choice (run, wish, clusters, weights, quality);
}
