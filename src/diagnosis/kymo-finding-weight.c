/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a diagnosis costs, how sure it is, and how much of what a run takes longer than its
 * reference runs is explained.
 *
 * With references of the same executable a cause within the program costs no more than it does in
 * them: what it costs beyond that is the effect of something else.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "kymo-findings-private.h"

/** LEAST_SLOWDOWN: of the usual elapsed time; a run that takes longer by less is as usual */
#define LEAST_SLOWDOWN 0.1
/** LEAST_EXPLAINED: of what a run takes longer; below it the cause is not known */
#define LEAST_EXPLAINED 0.5

/**
 * kymo_finding_free:
 * @finding: a #KymoFinding
 *
 * Frees a finding.
 */
void
kymo_finding_free (gpointer finding)
{
  g_array_unref (((KymoFinding *) finding)->net_ns);
  g_free (finding);
}

static double
get_metric (const KymoFindingsReport *report,
            KymoEvaluation           *evaluation,
            const char               *name)
{
  return kymo_findings_get_metric (report->rules, kymo_evaluation_peek_measure (evaluation), name);
}

/* -- cost and state ---------------------------------------------------------------- */

static gboolean
is_application (const KymoRule *rule)
{
  return strcmp (rule->diagnosis.layer, "application") == 0;
}

/* What the cost of a diagnosis is a share of; NaN if it is not known. */
static double
get_whole (const KymoFindingsReport *report,
           KymoEvaluation           *evaluation,
           const KymoRule           *rule)
{
  const char *whole = rule->diagnosis.share_of;

  return get_metric (report, evaluation, whole != NULL ? whole : KYMO_FINDINGS_WALL);
}

/* The cost in one run by itself: where runs vote by the median length of calls, else by that of
   quick calls, which is the least that it can be. */
static gint64
find_gross (const KymoFindingsReport *report,
            KymoEvaluation           *evaluation,
            const KymoRule           *rule)
{
  const KymoVerdict *verdict = kymo_evaluation_get (evaluation, rule);
  gint64 cost_ns = report->evaluations->len >= KYMO_LEAST_REFERENCES ? verdict->vote_cost_ns
                                                                     : verdict->cost_ns;

  double whole = get_whole (report, evaluation, rule);

  if (verdict->truth != KYMO_TRUTH_TRUE || rule->diagnosis.cost == NULL)
    return 0;
  /* Several threads of a process may wait at the same time. */
  if (whole >= 0 && cost_ns > whole)
    cost_ns = llround (whole);
  if (is_application (rule) && verdict->usual_cost_ns >= 0
      && kymo_run_metrics_is_same_build (kymo_evaluation_peek_measure (evaluation)))
    return MIN (cost_ns, verdict->usual_cost_ns);
  return cost_ns;
}

/* The cost in one run, less what the diagnoses that contain it cost already. */
static gint64
find_net (const KymoFindingsReport *report,
          KymoEvaluation           *evaluation,
          const KymoRule           *rule)
{
  char **within = rule->diagnosis.within;
  gint64 net_ns = find_gross (report, evaluation, rule);

  for (guint i = 0; within != NULL && within[i] != NULL; i++)
    net_ns -= find_gross (report, evaluation, kymo_rules_find (report->rules, within[i]));
  return MAX (net_ns, 0);
}

/** kymo_findings_get_share: what share of the elapsed time, or of what the rule names, a cost is */
double
kymo_findings_get_share (const KymoFindingsReport *report,
                         KymoEvaluation           *evaluation,
                         const KymoRule           *rule,
                         gint64                    cost_ns)
{
  double whole = get_whole (report, evaluation, rule);

  return whole > 0 ? cost_ns / whole : 0;
}

/** Told: a run in which a diagnosis is true and costs enough */
typedef struct
{
  guint  run;
  gint64 net_ns;
} Told;

static int
compare_told (gconstpointer a,
              gconstpointer b)
{
  const Told *x = a, *y = b;

  return x->net_ns != y->net_ns ? (x->net_ns > y->net_ns) - (x->net_ns < y->net_ns)
    : (x->run > y->run) - (x->run < y->run);
}

/* Whether the value comes from a comparison with reference runs. */
static gboolean
is_relative (const KymoFindingsReport *report,
             const KymoFinding        *finding)
{
  KymoRunMetrics *measure = kymo_evaluation_peek_measure (report->evaluations->pdata[0]);

  return kymo_run_metrics_get_n_fitting (measure) >= KYMO_LEAST_REFERENCES
    && kymo_rules_is_relative (report->rules, finding->rule);
}

static KymoFindingState
judge_finding (const KymoFindingsReport *report,
               const KymoFinding        *finding,
               gboolean                  all_confirmed)
{
  guint n = report->evaluations->len;

  if (finding->n_told == 0)
    return KYMO_FINDING_NONE;
  if (n >= KYMO_LEAST_REFERENCES)
    {
      if (finding->n_told * 5 >= n * 4 && all_confirmed)
        return KYMO_FINDING_CERTAIN;
      return finding->n_told * 5 >= n * 3 ? KYMO_FINDING_LIKELY : KYMO_FINDING_NONE;
    }
  return is_relative (report, finding) || finding->share < KYMO_FINDING_SHARE
    || finding->n_told * 2 <= n ? KYMO_FINDING_POSSIBLE : KYMO_FINDING_LIKELY;
}

static void
weigh_finding (const KymoFindingsReport *report,
               KymoFinding              *finding)
{
  g_autoptr (GArray) told = g_array_new (FALSE, FALSE, sizeof (Told));
  gboolean all_confirmed = TRUE;

  for (guint i = 0; i < report->evaluations->len; i++)
    {
      KymoEvaluation *evaluation = report->evaluations->pdata[i];
      Told one = { i, find_net (report, evaluation, finding->rule) };

      g_array_append_val (finding->net_ns, one.net_ns);
      if (one.net_ns <= 0
          || kymo_findings_get_share (report, evaluation, finding->rule, one.net_ns)
             < KYMO_FINDING_SHARE / 2)
        continue;
      g_array_append_val (told, one);
      all_confirmed &= kymo_evaluation_get (evaluation, finding->rule)->is_confirmed;
    }
  finding->n_told = told->len;
  if (told->len > 0)
    {
      Told *shown;

      g_array_sort (told, compare_told);
      shown = &g_array_index (told, Told, (told->len - 1) / 2);
      finding->shown = report->evaluations->pdata[shown->run];
      finding->cost_ns = shown->net_ns;
      finding->share = kymo_findings_get_share (report, finding->shown, finding->rule,
                                                shown->net_ns);
    }
  finding->state = judge_finding (report, finding, all_confirmed);
}

/* -- the elapsed time beside that of references --------------------------------------- */

/** Wall: the elapsed time of a run */
typedef struct
{
  guint  run;
  double ns;
} Wall;

static int
compare_walls (gconstpointer a,
               gconstpointer b)
{
  const Wall *x = a, *y = b;

  return x->ns != y->ns ? (x->ns > y->ns) - (x->ns < y->ns) : (x->run > y->run) - (x->run < y->run);
}

/* The run in the middle of those that vote. */
static Wall
find_middle (const KymoFindingsReport *report)
{
  g_autoptr (GArray) walls = g_array_new (FALSE, FALSE, sizeof (Wall));

  for (guint i = 0; i < report->evaluations->len; i++)
    {
      Wall wall = { i, get_metric (report, report->evaluations->pdata[i],
                                   KYMO_FINDINGS_WALL) };

      if (!isnan (wall.ns))
        g_array_append_val (walls, wall);
    }
  g_array_sort (walls, compare_walls);
  return walls->len > 0 ? g_array_index (walls, Wall, (walls->len - 1) / 2) : (Wall) { 0, NAN };
}

/* The usual elapsed time; NULL if it is not known. */
static const KymoUsual *
find_usual_wall (const KymoFindingsReport *report,
                 Wall                      wall)
{
  KymoRunMetrics *measure = kymo_evaluation_peek_measure (report->evaluations->pdata[wall.run]);
  const KymoRule *rule = kymo_rules_find (report->rules, KYMO_FINDINGS_WALL);
  const KymoUsual *usual = rule != NULL && rule->kind == KYMO_RULE_NAME_METRIC
    ? kymo_run_metrics_get_usual (measure, rule) : NULL;

  return usual != NULL && !isnan (usual->median) && !isnan (wall.ns) ? usual : NULL;
}

static gboolean
is_slower (Wall             wall,
           const KymoUsual *usual)
{
  return wall.ns > usual->median + 3 * usual->deviation
    && wall.ns > usual->median * (1 + LEAST_SLOWDOWN);
}

/* -- all diagnoses ------------------------------------------------------------------ */

/* Whether the cost grew by a good part of what the run takes longer. What a comparison finds costs
   nothing in the reference runs. */
static gboolean
is_cause (const KymoFindingsReport *report,
          const KymoFinding        *finding,
          double                    extra_ns)
{
  gint64 usual_ns, grown_ns;

  if (finding->state == KYMO_FINDING_NONE)
    return FALSE;
  usual_ns = kymo_evaluation_get (finding->shown, finding->rule)->usual_cost_ns;
  if (usual_ns < 0 && !is_relative (report, finding))
    return FALSE;
  grown_ns = finding->cost_ns - MAX (usual_ns, 0);
  return grown_ns > 0
    && (grown_ns >= LEAST_EXPLAINED * extra_ns
        || kymo_findings_get_share (report, finding->shown, finding->rule, grown_ns)
           >= KYMO_FINDING_SHARE);
}

static void
mark_causes (KymoFindingsReport *report)
{
  Wall wall = find_middle (report);
  const KymoUsual *usual = find_usual_wall (report, wall);

  if (usual == NULL || !is_slower (wall, usual))
    return;
  for (guint i = 0; i < report->findings->len; i++)
    {
      KymoFinding *finding = report->findings->pdata[i];

      finding->is_cause = is_cause (report, finding, wall.ns - usual->median);
    }
}

/**
 * kymo_findings_weigh:
 * @report: (inout): gets a finding for each diagnosis with a cost
 */
void
kymo_findings_weigh (KymoFindingsReport *report)
{
  for (guint i = 0; i < kymo_rules_get_n (report->rules); i++)
    {
      const KymoRule *rule = kymo_rules_peek (report->rules, i);
      KymoFinding *finding;

      if (rule->kind != KYMO_RULE_NAME_DIAGNOSIS || rule->diagnosis.cost == NULL)
        continue;
      finding = g_new0 (KymoFinding, 1);
      finding->rule = rule;
      finding->net_ns = g_array_new (FALSE, FALSE, sizeof (gint64));
      weigh_finding (report, finding);
      g_ptr_array_add (report->findings, finding);
    }
  mark_causes (report);
}

/* What is specific, outside of the program and costs enough stands before what slows everything. */
static gboolean
is_specific (const KymoFinding *finding)
{
  return !finding->rule->diagnosis.is_general && !is_application (finding->rule)
    && finding->share >= KYMO_FINDING_SHARE;
}

static int
compare_findings (gconstpointer a,
                  gconstpointer b)
{
  const KymoFinding *x = *(const KymoFinding *const *) a, *y = *(const KymoFinding *const *) b;

  if (x->is_cause != y->is_cause)
    return x->is_cause ? -1 : 1;
  return x->cost_ns != y->cost_ns ? (x->cost_ns < y->cost_ns) - (x->cost_ns > y->cost_ns)
    : (x->rule->number > y->rule->number) - (x->rule->number < y->rule->number);
}

/**
 * kymo_findings_sort:
 * @findings: (inout) (element-type KymoFinding): weighed
 *
 * Puts what costs more before the rest; of a run that is slower than its references what made it
 * slower comes before what costs in them as much. General causes then go behind the last specific
 * one.
 */
void
kymo_findings_sort (GPtrArray *findings)
{
  g_autoptr (GPtrArray) general = g_ptr_array_new ();
  guint n_before = findings->len, n_kept = 0;

  g_ptr_array_sort (findings, compare_findings);
  while (n_before > 0 && !is_specific (findings->pdata[n_before - 1]))
    n_before--;
  for (guint i = 0; i < n_before; i++)
    {
      KymoFinding *finding = findings->pdata[i];

      if (finding->rule->diagnosis.is_general)
        g_ptr_array_add (general, finding);
      else
        findings->pdata[n_kept++] = finding;
    }
  for (guint i = 0; i < general->len; i++)
    findings->pdata[n_kept++] = general->pdata[i];
}

/* -- how much of a longer time is explained ---------------------------------------------- */

/* Causes within the program are the same in the reference runs. */
static gint64
sum_causes (const KymoFindingsReport *report,
            guint                     run)
{
  gint64 sum_ns = 0;

  for (guint i = 0; i < report->findings->len; i++)
    {
      const KymoFinding *finding = report->findings->pdata[i];

      if (finding->state != KYMO_FINDING_NONE && !is_application (finding->rule))
        sum_ns += g_array_index (finding->net_ns, gint64, run);
    }
  return sum_ns;
}

/**
 * kymo_findings_compare_wall:
 * @report: of runs with references, weighed
 *
 * Returns: (transfer full): how much longer the run takes than its references, and how much of that
 *   is explained. "state" is untested (too few references fit), usual, explained or unknown
 */
KymoTable *
kymo_findings_compare_wall (const KymoFindingsReport *report)
{
  Wall wall = find_middle (report);
  KymoRunMetrics *measure = kymo_evaluation_peek_measure (report->evaluations->pdata[wall.run]);
  const KymoUsual *usual = find_usual_wall (report, wall);
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECT);
  const char *state = "untested";
  gint64 extra_ns = 0, explained_ns = 0;

  kymo_table_set_int (table, "given", kymo_run_metrics_get_n_references (measure));
  kymo_table_set_int (table, "fitting", kymo_run_metrics_get_n_fitting (measure));
  kymo_table_set_string (table, "unfit", kymo_run_metrics_peek_unfit (measure));
  if (usual != NULL)
    {
      extra_ns = llround (wall.ns - usual->median);
      explained_ns = MIN (sum_causes (report, wall.run), MAX (extra_ns, 0));
      state = !is_slower (wall, usual) ? "usual"
        : explained_ns >= LEAST_EXPLAINED * extra_ns ? "explained" : "unknown";
      kymo_table_set_int (table, "wall_ns", llround (wall.ns));
      kymo_table_set_int (table, "usual_ns", llround (usual->median));
      kymo_table_set_int (table, "least_ns", llround (usual->least));
      kymo_table_set_int (table, "most_ns", llround (usual->most));
      kymo_table_set_int (table, "extra_ns", extra_ns);
      kymo_table_set_int (table, "explained_ns", explained_ns);
    }
  kymo_table_set_string (table, "state", state);
  return table;
}
