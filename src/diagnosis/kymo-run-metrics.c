/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-run-metrics-private.h"

/** LEAST_SPREAD_NS: differences of times below it are noise of any clock and scheduler */
#define LEAST_SPREAD_NS 5000

static void
measured_free (gpointer data)
{
  KymoMeasured *measured = data;

  if (measured == NULL)
    return;
  g_free (measured->name);
  g_free (measured->label);
  g_free (measured->why);
  g_free (measured);
}

static void
run_free (gpointer data)
{
  KymoMetricsOfRun *run = data;

  g_object_unref (run->source);
  g_hash_table_unref (run->answers);
  g_hash_table_unref (run->refusals);
  g_ptr_array_unref (run->measured);
  g_free (run->unfit);
  g_free (run);
}

static void
add_run (KymoRunMetrics *measure,
         KymoSource     *source,
         const KymoSpan *range)
{
  KymoMetricsOfRun *run = g_new0 (KymoMetricsOfRun, 1);

  run->source = g_object_ref (source);
  run->answers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                        (GDestroyNotify) kymo_table_unref);
  run->refusals = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  run->measured = g_ptr_array_new_with_free_func (measured_free);
  g_ptr_array_set_size (run->measured, kymo_rules_get_n (measure->rules));
  g_ptr_array_add (measure->runs, run);
  run->by_itself = range == NULL;
  measure->was_fit_tested = FALSE;
  run->range = range != NULL ? *range : kymo_run_metrics_find_main (measure, run);
}

/**
 * kymo_run_metrics_new:
 * @rules: they outlive the result
 * @source: the run
 * @range: (nullable): what is asked; %NULL: the main part, without start-up and shutdown
 * @locations: (nullable): what is asked; %NULL: all
 * @cancellable: (nullable): ends questions; what they would have told is then not known
 *
 * Returns: (transfer full): nothing is measured yet
 */
KymoRunMetrics *
kymo_run_metrics_new (const KymoRules *rules,
                      KymoSource      *source,
                      const KymoSpan  *range,
                      KymoIdSet       *locations,
                      GCancellable    *cancellable)
{
  KymoRunMetrics *measure = g_new0 (KymoRunMetrics, 1);

  measure->rules = rules;
  measure->runs = g_ptr_array_new_with_free_func (run_free);
  measure->usual = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_set_size (measure->usual, kymo_rules_get_n (rules));
  measure->csv = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, kymo_csv_column_free);
  measure->locations = locations != NULL ? kymo_id_set_ref (locations) : NULL;
  measure->cancellable = cancellable != NULL ? g_object_ref (cancellable) : NULL;
  add_run (measure, source, range);
  return measure;
}

/**
 * kymo_run_metrics_free:
 *
 * Frees @measure with all that was measured. %NULL is ignored.
 */
void
kymo_run_metrics_free (KymoRunMetrics *measure)
{
  if (measure == NULL)
    return;
  g_ptr_array_unref (measure->runs);
  g_ptr_array_unref (measure->usual);
  g_hash_table_unref (measure->csv);
  g_clear_pointer (&measure->locations, kymo_id_set_unref);
  g_clear_object (&measure->cancellable);
  g_free (measure);
}

/**
 * kymo_run_metrics_add_reference:
 * @source: a run of the same program with the same work, without what is looked for
 * @range: (nullable): what is asked of it; %NULL: its main part
 *
 * Adds a run to those that tell what is usual.
 */
void
kymo_run_metrics_add_reference (KymoRunMetrics *measure,
                                KymoSource     *source,
                                const KymoSpan *range)
{
  add_run (measure, source, range);
}

/** kymo_run_metrics_get_n_references: how many reference runs there are */
guint
kymo_run_metrics_get_n_references (KymoRunMetrics *measure)
{
  return measure->runs->len - 1;
}

/**
 * kymo_run_metrics_dup_profile:
 *
 * Asks a run that has profiles of functions and no times for them, of all its rows. Blocks.
 *
 * Returns: (transfer full) (nullable): the answer of kind profile; %NULL of other runs
 */
KymoTable *
kymo_run_metrics_dup_profile (KymoRunMetrics *measure)
{
  const KymoMetricsOfRun *run = measure->runs->pdata[0];
  KymoCapabilities can = kymo_source_get_capabilities (run->source);
  g_autoptr (KymoQuestion) question = NULL;

  if ((can & KYMO_CAN_METRICS) == 0 || (can & (KYMO_CAN_INTERVALS | KYMO_CAN_BINNED_TIME)) != 0)
    return NULL;
  question = kymo_question_new ("profile");
  return kymo_source_ask (run->source, question, measure->cancellable, NULL);
}

/** kymo_run_metrics_get_range: the range that is asked, within the run */
KymoSpan
kymo_run_metrics_get_range (KymoRunMetrics *measure)
{
  const KymoMetricsOfRun *run = measure->runs->pdata[0];

  return kymo_span_intersect (run->range, kymo_source_get_span (run->source));
}

/**
 * kymo_run_metrics_get_part:
 *
 * Returns: what is asked of the run, static: "whole", "main" (without start-up and shutdown, where
 *   no range is asked) or "range"
 */
const char *
kymo_run_metrics_get_part (KymoRunMetrics *measure)
{
  const KymoMetricsOfRun *run = measure->runs->pdata[0];
  KymoSpan range = kymo_run_metrics_get_range (measure);
  KymoSpan whole = kymo_run_metrics_get_whole (measure);

  if (range.begin_ns == whole.begin_ns && range.end_ns == whole.end_ns)
    return "whole";
  return run->by_itself ? "main" : "range";
}

/** kymo_run_metrics_get_whole: the whole run */
KymoSpan
kymo_run_metrics_get_whole (KymoRunMetrics *measure)
{
  return kymo_source_get_span (((KymoMetricsOfRun *) measure->runs->pdata[0])->source);
}

/* -- one run --------------------------------------------------------------------- */

typedef struct
{
  KymoRunMetrics    *measure;
  KymoMetricsOfRun *run;
  const char     *why;                  /* of the first name that is not known */
} Lookup;

static const KymoMeasured *measure_rule (KymoRunMetrics   *measure,
                                         KymoMetricsOfRun *run,
                                         const KymoRule   *rule);

static double
get_name (gpointer    data,
          const char *name)
{
  Lookup *lookup = data;
  const KymoRule *rule = kymo_rules_find (lookup->measure->rules, name);
  const KymoMeasured *measured;

  if (rule->kind == KYMO_RULE_NAME_EXPECTATION)
    return rule->expectation.value;
  measured = measure_rule (lookup->measure, lookup->run, rule);
  if (isnan (measured->value) && lookup->why == NULL)
    lookup->why = measured->why;
  return measured->value;
}

static double
get_median (gpointer    data,
            const char *name)
{
  Lookup *lookup = data;
  const KymoRule *rule = kymo_rules_find (lookup->measure->rules, name);

  if (lookup->measure->runs->pdata[0] != lookup->run)
    return NAN;
  return kymo_run_metrics_get_usual (lookup->measure, rule)->median;
}

/* A value that is taken over as it is keeps its name and its row. */
static void
keep_origin (KymoRunMetrics       *measure,
             KymoMetricsOfRun     *run,
             const KymoMetricRule *metric,
             KymoMeasured         *measured)
{
  guint n;
  const char *const *names = kymo_rule_expression_peek_names (metric->of, &n);

  for (guint i = 0; i < n; i++)
    {
      const KymoRule *rule = kymo_rules_find (measure->rules, names[i]);
      const KymoMeasured *origin = rule->kind == KYMO_RULE_NAME_METRIC
        ? run->measured->pdata[rule->number] : NULL;

      if (origin == NULL || origin->value != measured->value)
        continue;
      measured->name = g_strdup (origin->name);
      measured->location = origin->location;
      measured->label = g_strdup (origin->label);
      measured->block = origin->block;
      return;
    }
}

static void
compute_metric (KymoRunMetrics       *measure,
                KymoMetricsOfRun     *run,
                const KymoMetricRule *metric,
                KymoMeasured         *measured)
{
  static const KymoRuleValues values = { get_name, get_median };
  Lookup lookup = { measure, run };

  measured->value = kymo_rule_expression_get (metric->of, &values, &lookup);
  if (!isnan (measured->value))
    keep_origin (measure, run, metric, measured);
  else
    measured->why = g_strdup (lookup.why != NULL ? lookup.why
                              : _("a value that is not 0 to divide by"));
}

static const KymoMeasured *
measure_rule (KymoRunMetrics   *measure,
              KymoMetricsOfRun *run,
              const KymoRule   *rule)
{
  KymoMeasured *measured = run->measured->pdata[rule->number];

  if (measured != NULL)
    return measured;
  measured = g_new0 (KymoMeasured, 1);
  measured->value = NAN;
  measured->location = -1;
  if (rule->metric.of != NULL)
    compute_metric (measure, run, &rule->metric, measured);
  else if (rule->metric.crowd)
    kymo_run_metrics_count_crowd (measure, run, measured);
  else if (rule->metric.question != NULL && rule->metric.key == NULL)
    kymo_run_metrics_ask (measure, run, &rule->metric, measured);
  else if (measure->runs->pdata[0] != run)
    measured->why = g_strdup (_("joined metrics of reference runs"));
  else if (rule->metric.key != NULL)
    kymo_run_metrics_sum_excess (measure, &rule->metric, measured);
  else if (rule->metric.changed != NULL)
    kymo_run_metrics_count_changes (measure, &rule->metric, measured);
  else
    kymo_run_metrics_fold_csv (measure, &rule->metric, measured);
  if (isnan (measured->value) && measure->runs->pdata[0] == run
      && (rule->metric.probe != KYMO_PROBE_PART_NONE || rule->metric.record != NULL))
    kymo_run_metrics_probe (measure, run, rule, measured);
  run->measured->pdata[rule->number] = measured;
  return measured;
}

/**
 * kymo_run_metrics_get:
 * @metric: a rule of kind metric
 *
 * Measures a metric of the run, once.
 *
 * Returns: (transfer none): the value, or why it is not known
 */
const KymoMeasured *
kymo_run_metrics_get (KymoRunMetrics *measure,
                      const KymoRule *metric)
{
  return measure_rule (measure, measure->runs->pdata[0], metric);
}

/* -- reference runs -------------------------------------------------------------- */

/**
 * kymo_usual_of:
 * @values: doubles, one of each reference run, NaN left out
 * @is_time: they are ns
 *
 * Returns: what is usual; nothing is known of fewer than %KYMO_LEAST_REFERENCES values
 */
KymoUsual
kymo_usual_of (GArray   *values,
               gboolean  is_time)
{
  g_autoptr (GArray) away = g_array_new (FALSE, FALSE, sizeof (double));
  KymoUsual usual = { values->len, NAN, NAN, NAN, NAN, NAN, NAN };
  guint row;

  if (values->len < KYMO_LEAST_REFERENCES)
    return usual;
  usual.median = kymo_run_metrics_fold (values, KYMO_FOLD_MEDIAN, &row);
  usual.least = kymo_run_metrics_fold (values, KYMO_FOLD_MIN, &row);
  usual.most = kymo_run_metrics_fold (values, KYMO_FOLD_MAX, &row);
  usual.high = usual.least;
  for (guint i = 0; i < values->len; i++)
    if (i != row)
      usual.high = MAX (usual.high, g_array_index (values, double, i));
  for (guint i = 0; i < values->len; i++)
    {
      double distance = fabs (g_array_index (values, double, i) - usual.median);

      g_array_append_val (away, distance);
    }
  usual.deviation = 1.4826 * kymo_run_metrics_fold (away, KYMO_FOLD_MEDIAN, &row);
  usual.spread = MAX (usual.deviation, 0.1 * fabs (usual.median));
  if (is_time)
    usual.spread = MAX (usual.spread, LEAST_SPREAD_NS);
  return usual;
}

/**
 * kymo_usual_is_exceeded:
 *
 * A value exceeds what is usual if it is above the median by more than five spreads and by more
 * than half: significance without size is noise. The median says little where a value is one of
 * two: all references but one must be exceeded by a fifth.
 *
 * Returns: whether @value does; %FALSE where nothing is known
 */
gboolean
kymo_usual_is_exceeded (const KymoUsual *usual,
                        double           value)
{
  return value > usual->median + 5 * usual->spread && value > 1.5 * usual->median
    && value > 1.2 * usual->high;
}

/**
 * kymo_run_metrics_get_usual:
 * @metric: a rule of kind metric
 *
 * Returns: (transfer none): what the reference runs say of it
 */
const KymoUsual *
kymo_run_metrics_get_usual (KymoRunMetrics *measure,
                            const KymoRule *metric)
{
  KymoUsual *usual = measure->usual->pdata[metric->number];
  g_autoptr (GArray) values = NULL;

  if (usual != NULL)
    return usual;
  values = g_array_new (FALSE, FALSE, sizeof (double));
  kymo_run_metrics_test_fit (measure);
  for (guint i = 1; i < measure->runs->len && measure->n_fit >= KYMO_LEAST_REFERENCES; i++)
    {
      KymoMetricsOfRun *run = measure->runs->pdata[i];
      double value = run->unfit != NULL ? NAN : measure_rule (measure, run, metric)->value;

      if (!isnan (value))
        g_array_append_val (values, value);
    }
  usual = g_new0 (KymoUsual, 1);
  *usual = kymo_usual_of (values, metric->metric.type.time == 1 && metric->metric.type.bytes == 0);
  measure->usual->pdata[metric->number] = usual;
  return usual;
}

/**
 * kymo_run_metrics_exceeds:
 * @metric: a rule of kind metric
 *
 * Returns: whether the value of the run exceeds what is usual, see kymo_usual_is_exceeded();
 *   untested if it, or what is usual, is not known
 */
KymoTruth
kymo_run_metrics_exceeds (KymoRunMetrics *measure,
                          const KymoRule *metric)
{
  double value = kymo_run_metrics_get (measure, metric)->value;
  const KymoUsual *usual = kymo_run_metrics_get_usual (measure, metric);

  if (isnan (value) || isnan (usual->median))
    return KYMO_TRUTH_UNTESTED;
  return kymo_usual_is_exceeded (usual, value);
}

/**
 * kymo_run_metrics_is_beyond:
 * @metric: a rule of kind metric
 *
 * Returns: whether the value of the run is above the usual one by more than three spreads;
 *   untested if it, or what is usual, is not known
 */
KymoTruth
kymo_run_metrics_is_beyond (KymoRunMetrics *measure,
                            const KymoRule *metric)
{
  double value = kymo_run_metrics_get (measure, metric)->value;
  const KymoUsual *usual = kymo_run_metrics_get_usual (measure, metric);

  if (isnan (value) || isnan (usual->median))
    return KYMO_TRUTH_UNTESTED;
  return value > usual->median + 3 * usual->spread;
}
