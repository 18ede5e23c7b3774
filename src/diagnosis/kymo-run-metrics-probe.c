/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Metrics that cost more than reading the run: a probe where it ran, or another run.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "kymo-run-metrics-private.h"

/**
 * kymo_run_metrics_set_budget:
 * @budget: (nullable): starts probes for this run, which a person allowed; outlives @measure
 */
void
kymo_run_metrics_set_budget (KymoRunMetrics *measure,
                             KymoProbeBudget     *budget)
{
  measure->budget = budget;
}

/** kymo_run_metrics_peek_budget: (transfer none) (nullable): what was set */
KymoProbeBudget *
kymo_run_metrics_peek_budget (KymoRunMetrics *measure)
{
  return measure->budget;
}

/**
 * kymo_run_metrics_let_probe:
 * @may: whether a value that is asked for may start a probe; what only shows values never does
 */
void
kymo_run_metrics_let_probe (KymoRunMetrics *measure,
                            gboolean        may)
{
  measure->may_probe = may;
}

/* (nullable): a fact of the environment in which the run was. */
static const char *
find_fact (KymoRunMetrics   *measure,
           KymoMetricsOfRun *run,
           const char       *group,
           const char       *key)
{
  const KymoTable *environment = kymo_run_metrics_peek_environment (measure, run);

  for (guint i = 0; environment != NULL && i < kymo_table_get_n_rows (environment); i++)
    if (g_strcmp0 (kymo_table_get_string (environment, "group", i), group) == 0
        && g_strcmp0 (kymo_table_get_string (environment, "key", i), key) == 0)
      return kymo_table_get_string (environment, "value", i);
  return NULL;
}

static char *
dup_rerun (KymoRunMetrics       *measure,
           KymoMetricsOfRun     *run,
           const KymoMetricRule *metric)
{
  const char *ranks = find_fact (measure, run, "Placement", "ranks");

  return ranks != NULL
    ? g_strdup_printf (_("another run: mpirun -n %s kymo-record --%s PROGRAM"), ranks,
                       metric->record)
    : g_strdup_printf (_("another run: kymo-record --%s PROGRAM"), metric->record);
}

/**
 * kymo_run_metrics_probe:
 * @rule: a metric of the run that its files do not tell
 * @measured: (inout): gets the value, or what it takes to get it
 *
 * Measures what a probe can tell, if there is consent and the moment is right. A run that does not
 * say how it was started cannot be probed; nor is anything ever run again.
 */
void
kymo_run_metrics_probe (KymoRunMetrics   *measure,
                        KymoMetricsOfRun *run,
                        const KymoRule   *rule,
                        KymoMeasured     *measured)
{
  const KymoMetricRule *metric = &rule->metric;
  gboolean is_known = find_fact (measure, run, "Command", "launcher") != NULL;
  const KymoTable *lines = NULL;
  const char *why = NULL;
  char *need = NULL;

  if (metric->record != NULL)
    need = dup_rerun (measure, run, metric);
  else if (is_known && measure->budget == NULL)
    need = kymo_probe_part_dup_need (metric->probe);
  else if (is_known && measure->may_probe)
    {
      lines = kymo_probe_budget_measure (measure->budget, run->source, metric->probe, rule->name,
                                   measure->cancellable, &why);
      need = g_strdup (why);
    }
  if (need != NULL)
    {
      g_free (measured->why);
      measured->why = need;
    }
  if (lines == NULL)
    return;
  g_clear_pointer (&measured->why, g_free);
  kymo_run_metrics_fold_rows (metric, lines, measured);
}
