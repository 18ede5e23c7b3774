/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What stands above the findings: the time that was looked at, and its efficiencies.
 */
#include "config.h"

#include <math.h>

#include "kymo-findings-private.h"

/** WALL: metric that all rules share: the elapsed time */
#define WALL "wall"
/** KEPT, STANDS_FOR: metrics that all rules share: of a reduced run, from how many of its locations
 *  figures are estimated for how many */
#define KEPT "kept"
#define STANDS_FOR "stands-for"
/** efficiencies: shares that all rules share: the first is the product of the others */
static const struct { const char *metric, *key; } efficiencies[] = {
  { "parallel-efficiency", "parallel_efficiency" },
  { "load-balance", "load_balance" },
  { "communication-efficiency", "communication_efficiency" },
};

/**
 * kymo_findings_get_metric:
 * @name: of a metric; files of rules may lack it
 *
 * Returns: the value in ns or bytes; NaN if it is not known
 */
double
kymo_findings_get_metric (const KymoRules *rules,
                          KymoRunMetrics  *measure,
                          const char      *name)
{
  const KymoRule *rule = kymo_rules_find (rules, name);

  return rule != NULL && rule->kind == KYMO_RULE_NAME_METRIC
    ? kymo_run_metrics_get (measure, rule)->value : NAN;
}

static void
set_estimate (KymoTable       *answer,
              const KymoRules *rules,
              KymoRunMetrics  *measure)
{
  double kept = kymo_findings_get_metric (rules, measure, KEPT);
  double stands_for = kymo_findings_get_metric (rules, measure, STANDS_FOR);

  if (isnan (kept) || isnan (stands_for))
    return;
  kymo_table_set_int (answer, "kept", llround (kept));
  kymo_table_set_int (answer, "stands_for", llround (stands_for));
}

/**
 * kymo_findings_set_head:
 * @answer: gets the range, the elapsed time, the efficiencies, and "kept" and "stands_for" where
 *   the figures of a reduced run are estimates for the run that it stands for
 *
 * Measures these alone, which takes a small part of the time that all rules take.
 */
void
kymo_findings_set_head (KymoTable       *answer,
                        const KymoRules *rules,
                        KymoRunMetrics  *measure)
{
  KymoSpan range = kymo_run_metrics_get_range (measure);
  double wall = kymo_findings_get_metric (rules, measure, WALL);

  kymo_table_set_int (answer, "begin_ns", range.begin_ns);
  kymo_table_set_int (answer, "end_ns", range.end_ns);
  kymo_table_set_string (answer, "part", kymo_run_metrics_get_part (measure));
  kymo_table_set_int (answer, "wall_ns", isnan (wall) ? KYMO_NULL_INT : llround (wall));
  set_estimate (answer, rules, measure);
  for (guint i = 0; i < G_N_ELEMENTS (efficiencies); i++)
    kymo_table_set_double (answer, efficiencies[i].key,
                           kymo_findings_get_metric (rules, measure, efficiencies[i].metric));
}
