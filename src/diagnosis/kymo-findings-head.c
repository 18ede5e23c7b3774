/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What stands above the findings: the time that was looked at, and its efficiencies.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-findings-text.h"
#include "kymo-units.h"

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

/* -- where to look in a profile ---------------------------------------------------- */

/* Functions that are named. */
#define MOST_FUNCTIONS 3

/* Rows of other kinds are call paths, which count the time of functions again. */
static double
get_total (const KymoTable *activities, const KymoTable *figures, guint row)
{
  return g_strcmp0 (kymo_table_get_string (activities, "kind", row), "function") != 0 ? 0
    : fmax (kymo_table_get_double (figures, "total", row), 0);
}

/* The function with the highest total that is not taken yet; -1 if none is above zero. */
static gint
find_next (const KymoTable *activities, const KymoTable *figures, const gint *taken,
           guint n_taken)
{
  gint best = -1;

  for (guint i = 0; i < kymo_table_get_n_rows (figures); i++)
    {
      gboolean is_taken = FALSE;

      for (guint t = 0; t < n_taken; t++)
        is_taken |= taken[t] == (gint) i;
      if (!is_taken && get_total (activities, figures, i)
          > (best < 0 ? 0 : get_total (activities, figures, best)))
        best = i;
    }
  return best;
}

/**
 * kymo_findings_set_functions:
 * @answer: gets the list "functions" if the run has profiles and no times: which functions have
 *   most of the first metric, with their shares of it in all rows
 *
 * Where there are no blocks to go to, these tell where to look.
 */
void
kymo_findings_set_functions (KymoTable *answer, KymoRunMetrics *measure)
{
  g_autoptr (KymoTable) profile = kymo_run_metrics_dup_profile (measure);
  const KymoTable *activities = profile == NULL ? NULL
    : kymo_table_peek_nested (profile, "activities", NULL);
  const KymoTable *figures = activities == NULL ? NULL
    : kymo_table_peek_nested (activities, "exclusive", NULL);
  KymoTable *list;
  guint name, share;
  double all = 0;
  gint taken[MOST_FUNCTIONS];

  if (figures == NULL || kymo_table_get_n_rows (figures) != kymo_table_get_n_rows (activities))
    return;
  list = kymo_table_new (KYMO_STYLE_OBJECTS);
  name = kymo_table_add_column (list, "name", KYMO_COLUMN_STRING, 1);
  share = kymo_table_add_column (list, "share", KYMO_COLUMN_DOUBLE, 1);
  for (guint i = 0; i < kymo_table_get_n_rows (figures); i++)
    all += get_total (activities, figures, i);
  for (guint n = 0; n < MOST_FUNCTIONS; n++)
    {
      taken[n] = find_next (activities, figures, taken, n);
      if (taken[n] < 0)
        break;
      kymo_table_append_string (list, name, kymo_table_get_string (activities, "shown", taken[n]));
      kymo_table_append_double (list, share,
                                get_total (activities, figures, taken[n]) / all);
    }
  kymo_table_set_string (answer, "metric", kymo_table_get_string (profile, "metric", 0));
  kymo_table_set_table (answer, "functions", list);
}

/**
 * kymo_findings_dup_functions:
 * @answer: of kymo_findings_new()
 *
 * Returns: (transfer full) (nullable): which functions have the most of the metric, such as
 *   “Most of TIME: leaf (95.7 %), mid (4.3 %)”; %NULL of runs with times
 */
char *
kymo_findings_dup_functions (const KymoTable *answer)
{
  const KymoTable *list = kymo_table_find_column (answer, "functions") >= 0
    ? kymo_table_peek_nested (answer, "functions", NULL) : NULL;
  g_autoptr (GString) words = g_string_new (NULL);

  for (guint i = 0; list != NULL && i < kymo_table_get_n_rows (list); i++)
    {
      g_autofree char *share = kymo_format_percent (kymo_table_get_double (list, "share", i));

      g_string_append_printf (words, i > 0 ? ", %s (%s)" : "%s (%s)",
                              kymo_table_get_string (list, "name", i), share);
    }
  /* Translators: a metric and functions, as “Most of TIME: leaf (95.7 %), mid (4.3 %)”. */
  return words->len > 0 ? g_strdup_printf (_("Most of %s: %s"), kymo_table_get_string (
                                             answer, "metric", 0), words->str) : NULL;
}
