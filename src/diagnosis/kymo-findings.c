/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "kymo-finding-words.h"
#include "kymo-findings-private.h"
#include "kymo-units.h"

/** LOST: a metric that all rules share: what of the elapsed time was not useful */
#define LOST "lost"

/* -- tables ----------------------------------------------------------------------- */

typedef struct
{
  KymoTable *table;
  guint metric, title, value, unit, expectation, reference, shown;
} Evidence;

static Evidence
begin_evidence (void)
{
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);

  return (Evidence) {
    table,
    kymo_table_add_column (table, "metric", KYMO_COLUMN_STRING, 1),
    kymo_table_add_column (table, "title", KYMO_COLUMN_STRING, 1),
    kymo_table_add_column (table, "value", KYMO_COLUMN_DOUBLE, 1),
    kymo_table_add_column (table, "unit", KYMO_COLUMN_STRING, 1),
    kymo_table_add_column (table, "expectation", KYMO_COLUMN_STRING, 1),
    kymo_table_add_column (table, "reference", KYMO_COLUMN_DOUBLE, 1),
    kymo_table_add_column (table, "shown", KYMO_COLUMN_STRING, 1),
  };
}

static void
add_evidence (const Evidence  *evidence,
              const KymoRules *rules,
              KymoRunMetrics  *measure,
              const char      *entry)
{
  g_auto (GStrv) words = g_strsplit (entry, " ", 0);
  const KymoRule *metric = kymo_rules_find (rules, words[0]);
  const KymoRule *bound = words[1] != NULL ? kymo_rules_find (rules, words[2]) : NULL;
  const KymoMeasured *measured = kymo_run_metrics_get (measure, metric);
  double factor, median = kymo_run_metrics_get_usual (measure, metric)->median;
  g_autofree char *limit = bound == NULL ? NULL : metric->metric.is_share
    ? kymo_format_percent (bound->expectation.value)
    : kymo_finding_format (bound, bound->expectation.value);
  g_autofree char *expectation = bound != NULL ? g_strdup_printf ("%s %s", words[1], limit) : NULL;
  g_autofree char *shown = kymo_finding_format_measured (metric, measured);

  kymo_table_append_string (evidence->table, evidence->unit, kymo_finding_unit (metric, &factor));
  kymo_table_append_string (evidence->table, evidence->metric, metric->name);
  kymo_table_append_string (evidence->table, evidence->title, _(metric->metric.title));
  kymo_table_append_double (evidence->table, evidence->value, measured->value * factor);
  kymo_table_append_string (evidence->table, evidence->expectation, expectation);
  kymo_table_append_double (evidence->table, evidence->reference, median * factor);
  kymo_table_append_string (evidence->table, evidence->shown, shown);
}

static void
add_all_evidence (const Evidence *evidence,
                  const KymoFindingsReport *report,
                  const KymoFinding        *finding)
{
  char **entries = finding->rule->diagnosis.evidence;

  for (guint i = 0; entries != NULL && entries[i] != NULL; i++)
    add_evidence (evidence, report->rules, kymo_evaluation_peek_measure (finding->shown),
                  entries[i]);
}

/* The rows that the evidence names, each once. */
static void
add_locations (KymoTable     *locations,
               const KymoFindingsReport *report,
               const KymoFinding        *finding)
{
  char **entries = finding->rule->diagnosis.evidence;
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint i = 0; entries != NULL && entries[i] != NULL; i++)
    {
      g_auto (GStrv) words = g_strsplit (entries[i], " ", 0);
      const KymoRule *metric = kymo_rules_find (report->rules, words[0]);
      gint64 id = kymo_run_metrics_get (kymo_evaluation_peek_measure (finding->shown),
                                    metric)->location;
      gboolean is_new = id >= 0;

      for (guint k = 0; k < ids->len; k++)
        is_new &= g_array_index (ids, gint64, k) != id;
      if (is_new)
        {
          g_array_append_val (ids, id);
          kymo_table_append_int (locations, 0, id);
        }
    }
}

/* The first block that the evidence names: what a person looks at first. */
static void
add_block (KymoTable                *blocks,
           const KymoFindingsReport *report,
           const KymoFinding        *finding)
{
  char **entries = finding->rule->diagnosis.evidence;

  for (guint i = 0; entries != NULL && entries[i] != NULL; i++)
    {
      g_auto (GStrv) words = g_strsplit (entries[i], " ", 0);
      const KymoMeasured *measured
        = kymo_run_metrics_get (kymo_evaluation_peek_measure (finding->shown),
                                kymo_rules_find (report->rules, words[0]));

      if (measured->location < 0 || kymo_span_length (measured->block) <= 0)
        continue;
      kymo_table_append_int (blocks, 0, measured->location);
      kymo_table_append_int (blocks, 1, measured->block.begin_ns);
      kymo_table_append_int (blocks, 2, measured->block.end_ns);
      return;
    }
}

static const char *const state_words[]
  = { "none", N_("possible"), N_("likely"), N_("certain") };

typedef struct
{
  KymoTable *table, *locations, *blocks;
  Evidence   evidence;
  guint id, layer, title, state, cost, share, locations_column, blocks_column, begin, end, says;
  guint evidence_column;
  guint advice, target, view, n_told, n_runs;
} Findings;

static Findings
begin_findings (void)
{
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);
  Findings made = { table, kymo_table_new (KYMO_STYLE_FLAT),
                    kymo_table_new_list ("location begin_ns end_ns"), begin_evidence () };

  kymo_table_add_column (made.locations, "location", KYMO_COLUMN_INT, 1);
  made.id = kymo_table_add_column (table, "id", KYMO_COLUMN_STRING, 1);
  made.layer = kymo_table_add_column (table, "layer", KYMO_COLUMN_STRING, 1);
  made.title = kymo_table_add_column (table, "title", KYMO_COLUMN_STRING, 1);
  made.state = kymo_table_add_column (table, "state", KYMO_COLUMN_STRING, 1);
  made.cost = kymo_table_add_column (table, "cost_ns", KYMO_COLUMN_INT, 1);
  made.share = kymo_table_add_column (table, "share", KYMO_COLUMN_DOUBLE, 1);
  made.locations_column = kymo_table_add_nested (table, "locations", made.locations);
  made.blocks_column = kymo_table_add_nested (table, "blocks", made.blocks);
  made.begin = kymo_table_add_column (table, "begin_ns", KYMO_COLUMN_INT, 1);
  made.end = kymo_table_add_column (table, "end_ns", KYMO_COLUMN_INT, 1);
  made.says = kymo_table_add_column (table, "says", KYMO_COLUMN_STRING, 1);
  made.evidence_column = kymo_table_add_nested (table, "evidence", made.evidence.table);
  made.advice = kymo_table_add_column (table, "advice", KYMO_COLUMN_STRING, 1);
  made.target = kymo_table_add_column (table, "target", KYMO_COLUMN_STRING, 1);
  made.view = kymo_table_add_column (table, "view", KYMO_COLUMN_STRING, 1);
  made.n_told = kymo_table_add_column (table, "votes", KYMO_COLUMN_INT, 1);
  made.n_runs = kymo_table_add_column (table, "runs", KYMO_COLUMN_INT, 1);
  return made;
}

static void
append_filled (KymoTable     *table,
               guint          column,
               const KymoFindingsReport *report,
               const KymoFinding        *finding,
               const char    *text)
{
  g_autofree char *filled
    = kymo_finding_fill (_(text), report->rules, kymo_evaluation_peek_measure (finding->shown),
                         finding->cost_ns, finding->share);

  kymo_table_append_string (table, column, filled);
}

static void
add_finding (const Findings *made,
             const KymoFindingsReport *report,
             const KymoFinding        *finding)
{
  const KymoDiagnosisRule *diagnosis = &finding->rule->diagnosis;
  KymoRunMetrics *measure = kymo_evaluation_peek_measure (finding->shown);
  /* What has a share of something else may lie outside of the range. */
  KymoSpan range = diagnosis->share_of != NULL ? kymo_run_metrics_get_whole (measure)
    : kymo_run_metrics_get_range (measure);
  KymoTable *table = made->table;

  kymo_table_append_string (table, made->id, finding->rule->name);
  kymo_table_append_string (table, made->layer, diagnosis->layer);
  append_filled (table, made->title, report, finding, diagnosis->title);
  kymo_table_append_string (table, made->state, state_words[finding->state]);
  kymo_table_append_int (table, made->cost, finding->cost_ns);
  kymo_table_append_double (table, made->share, finding->share);
  add_locations (made->locations, report, finding);
  kymo_table_end_nested (table, made->locations_column);
  add_block (made->blocks, report, finding);
  kymo_table_end_nested (table, made->blocks_column);
  kymo_table_append_int (table, made->begin, range.begin_ns);
  kymo_table_append_int (table, made->end, range.end_ns);
  append_filled (table, made->says, report, finding, diagnosis->says);
  add_all_evidence (&made->evidence, report, finding);
  kymo_table_end_nested (table, made->evidence_column);
  append_filled (table, made->advice, report, finding, diagnosis->advice);
  kymo_table_append_string (table, made->target, diagnosis->target);
  kymo_table_append_string (table, made->view, diagnosis->view);
  kymo_table_append_int (table, made->n_told, finding->n_told);
  kymo_table_append_int (table, made->n_runs, report->evaluations->len);
}

static gboolean
is_tested (const KymoFindingsReport *report,
           const KymoFinding        *finding)
{
  for (guint i = 0; i < report->evaluations->len; i++)
    if (kymo_evaluation_get (report->evaluations->pdata[i], finding->rule)->truth
        != KYMO_TRUTH_UNTESTED)
      return TRUE;
  return FALSE;
}

/* The first figure that speaks against it, as "Load balance: 94 %". */
static char *
dup_figure (const KymoFindingsReport *report,
            const KymoFinding        *finding)
{
  char **entries = finding->rule->diagnosis.evidence;
  const char *title = finding->rule->diagnosis.title;

  for (guint i = 0; entries != NULL && entries[i] != NULL; i++)
    {
      g_auto (GStrv) words = g_strsplit (entries[i], " ", 0);
      const KymoRule *metric = kymo_rules_find (report->rules, words[0]);
      const KymoMeasured *measured
        = kymo_run_metrics_get (kymo_evaluation_peek_measure (report->evaluations->pdata[0]),
                                metric);
      g_autofree char *shown = kymo_finding_format_measured (metric, measured);

      if (isnan (measured->value))
        continue;
      return strcmp (metric->metric.title, title) == 0 ? g_steal_pointer (&shown)
        : g_strdup_printf (_("%s: %s"), _(metric->metric.title), shown);
    }
  return g_strdup (_("it is not true"));
}

/* It is true in this run, but does not cost enough for a finding. */
static char *
dup_cost (const KymoFindingsReport *report,
          const KymoFinding        *finding,
          guint                     run)
{
  KymoEvaluation *evaluation = report->evaluations->pdata[run];
  gint64 gross_ns = kymo_evaluation_get (evaluation, finding->rule)->cost_ns;
  gint64 net_ns = g_array_index (finding->net_ns, gint64, run);
  double share = kymo_findings_get_share (report, evaluation, finding->rule, net_ns);
  g_autofree char *gross = kymo_format_duration (gross_ns), *net = kymo_format_duration (net_ns);
  g_autofree char *part = kymo_format_percent (share);
  g_autofree char *least = kymo_format_percent (KYMO_FINDING_SHARE / 2);

  if (net_ns == 0 && gross_ns > 0)
    return g_strdup_printf (_("it is true, but its %s are part of other causes"), gross);
  /* Translators: a time, a share, and the least share of a finding. */
  return net_ns < gross_ns
    ? g_strdup_printf (_("it is true, but costs only %s (%s) beside other causes, less than %s"),
                       net, part, least)
    : g_strdup_printf (_("it is true, but costs only %s (%s), less than %s"), net, part, least);
}

/* Why something is no finding although it was tested. */
static char *
dup_reason (const KymoFindingsReport *report,
            const KymoFinding        *finding)
{
  for (guint i = 0; i < report->evaluations->len && finding->n_told == 0; i++)
    if (kymo_evaluation_get (report->evaluations->pdata[i], finding->rule)->truth
        == KYMO_TRUTH_TRUE)
      return dup_cost (report, finding, i);
  return finding->n_told == 0 ? dup_figure (report, finding)
    : g_strdup_printf (_("it is true in %u of %u runs only"), finding->n_told,
                       report->evaluations->len);
}

static KymoTable *
list_excluded (const KymoFindingsReport *report)
{
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);
  guint id = kymo_table_add_column (table, "id", KYMO_COLUMN_STRING, 1);
  guint title = kymo_table_add_column (table, "title", KYMO_COLUMN_STRING, 1);
  guint why = kymo_table_add_column (table, "why", KYMO_COLUMN_STRING, 1);

  for (guint i = 0; i < report->findings->len; i++)
    {
      const KymoFinding *finding = report->findings->pdata[i];
      g_autofree char *reason = NULL;

      if (finding->state != KYMO_FINDING_NONE || !is_tested (report, finding))
        continue;
      reason = dup_reason (report, finding);
      kymo_table_append_string (table, id, finding->rule->name);
      kymo_table_append_string (table, title, _(finding->rule->diagnosis.title));
      kymo_table_append_string (table, why, reason);
    }
  return table;
}

static KymoTable *
list_untested (const KymoFindingsReport *report)
{
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);
  guint id = kymo_table_add_column (table, "id", KYMO_COLUMN_STRING, 1);
  guint title = kymo_table_add_column (table, "title", KYMO_COLUMN_STRING, 1);
  guint needs = kymo_table_add_column (table, "needs", KYMO_COLUMN_STRING, 1);
  guint probe = kymo_table_add_column (table, "probe_ns", KYMO_COLUMN_INT, 1);

  for (guint i = 0; i < report->findings->len; i++)
    {
      const KymoFinding *finding = report->findings->pdata[i];
      const KymoVerdict *verdict = kymo_evaluation_get (report->evaluations->pdata[0],
                                                        finding->rule);

      if (is_tested (report, finding))
        continue;
      kymo_table_append_string (table, id, finding->rule->name);
      kymo_table_append_string (table, title, _(finding->rule->diagnosis.title));
      kymo_table_append_string (table, needs, verdict->why);
      kymo_table_append_int (table, probe, kymo_probe_part_parse_need (verdict->why));
    }
  return table;
}

/* The time that was not useful, less all findings; of the run in the middle where there are several
   its first. */
static gint64
find_unexplained (const KymoFindingsReport *report)
{
  KymoRunMetrics *first = kymo_evaluation_peek_measure (report->evaluations->pdata[0]);
  KymoSpan range = kymo_run_metrics_get_range (first), whole = kymo_run_metrics_get_whole (first);
  gboolean is_whole = range.begin_ns == whole.begin_ns && range.end_ns == whole.end_ns;
  double lost = kymo_findings_get_metric (report->rules, first, LOST);

  if (isnan (lost))
    return KYMO_NULL_INT;
  for (guint i = 0; i < report->findings->len; i++)
    {
      const KymoFinding *finding = report->findings->pdata[i];

      /* What has a share of something else is no part of the range, unless that is all. */
      if (finding->state != KYMO_FINDING_NONE
          && (is_whole || finding->rule->diagnosis.share_of == NULL))
        lost -= g_array_index (finding->net_ns, gint64, 0);
    }
  return llround (MAX (lost, 0));
}

/* What was started for the answer, where that was allowed. */
static void
set_probes (KymoTable      *answer,
            KymoRunMetrics *measure)
{
  KymoProbeBudget *budget = kymo_run_metrics_peek_budget (measure);

  if (budget != NULL)
    kymo_table_set_table (answer, "probes", kymo_probe_budget_list (budget));
}

/**
 * kymo_findings_new:
 * @rules: the rules by which runs were evaluated
 * @evaluations: (element-type KymoEvaluation): of one run, or of repeats that vote; at least one
 *
 * Returns: (transfer full): an answer with the lists findings (by cost), excluded and untested, and
 *   "losses", how many kinds of data the first run lacks, where it lacks any
 */
KymoTable *
kymo_findings_new (const KymoRules *rules,
                   GPtrArray       *evaluations)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (kymo_finding_free);
  g_autoptr (GPtrArray) sorted = NULL;
  KymoFindingsReport report = { rules, evaluations, all };
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);
  Findings made = begin_findings ();
  KymoRunMetrics *first = kymo_evaluation_peek_measure (evaluations->pdata[0]);
  guint n_tested = 0, n_losses = kymo_run_metrics_count_losses (first);

  kymo_findings_weigh (&report);
  sorted = g_ptr_array_copy (all, NULL, NULL);
  g_ptr_array_set_free_func (sorted, NULL);
  kymo_findings_sort (sorted);
  for (guint i = 0; i < sorted->len; i++)
    {
      const KymoFinding *finding = sorted->pdata[i];

      n_tested += is_tested (&report, finding);
      if (finding->state != KYMO_FINDING_NONE)
        add_finding (&made, &report, finding);
    }
  kymo_findings_set_head (answer, rules, first);
  kymo_findings_set_functions (answer, first);
  if (n_losses > 0)
    kymo_table_set_int (answer, "losses", n_losses);
  kymo_table_set_int (answer, "tested", n_tested);
  kymo_table_set_table (answer, "findings", made.table);
  kymo_table_set_table (answer, "excluded", list_excluded (&report));
  kymo_table_set_table (answer, "untested", list_untested (&report));
  kymo_table_set_int (answer, "unexplained_ns", find_unexplained (&report));
  if (kymo_run_metrics_get_n_references (first) > 0)
    kymo_table_set_table (answer, "reference", kymo_findings_compare_wall (&report));
  set_probes (answer, first);
  return answer;
}

/* -- how a diagnosis got its value -------------------------------------------------- */

static void
add_names (const Evidence           *evidence,
           const KymoRules          *rules,
           KymoEvaluation           *evaluation,
           const KymoRuleExpression *expression)
{
  guint n;
  const char *const *names = kymo_rule_expression_peek_names (expression, &n);

  for (guint i = 0; i < n; i++)
    if (kymo_rules_find (rules, names[i])->kind == KYMO_RULE_NAME_METRIC)
      add_evidence (evidence, rules, kymo_evaluation_peek_measure (evaluation), names[i]);
}

/**
 * kymo_findings_explain:
 * @diagnosis: a rule of kind diagnosis
 *
 * Returns: (transfer full): an answer with the value of the diagnosis, the metrics that it looks
 *   at, and the diagnoses in the order in which they got their values
 */
KymoTable *
kymo_findings_explain (const KymoRules *rules,
                       KymoEvaluation  *evaluation,
                       const KymoRule  *diagnosis)
{
  static const char *const truths[] = { "false", "true", "untested" };
  const KymoVerdict *verdict = kymo_evaluation_get (evaluation, diagnosis);
  g_autoptr (GPtrArray) steps = kymo_evaluation_list_steps (evaluation);
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT), *order;
  Evidence evidence = begin_evidence ();
  g_autofree char *where = g_strdup_printf ("%s:%u", diagnosis->file, diagnosis->line);
  guint id, value;

  kymo_table_set_string (answer, "id", diagnosis->name);
  kymo_table_set_string (answer, "title", diagnosis->diagnosis.title);
  kymo_table_set_string (answer, "rule", where);
  kymo_table_set_string (answer, "value", truths[verdict->truth]);
  kymo_table_set_string (answer, "needs", verdict->why);
  kymo_table_set_int (answer, "cost_ns", verdict->cost_ns);
  add_names (&evidence, rules, evaluation, diagnosis->diagnosis.needs);
  for (guint i = 0; i < diagnosis->diagnosis.when->len; i++)
    add_names (&evidence, rules, evaluation, diagnosis->diagnosis.when->pdata[i]);
  add_names (&evidence, rules, evaluation, diagnosis->diagnosis.cost);
  kymo_table_set_table (answer, "metrics", evidence.table);
  order = kymo_table_new (KYMO_STYLE_OBJECTS);
  id = kymo_table_add_column (order, "id", KYMO_COLUMN_STRING, 1);
  value = kymo_table_add_column (order, "value", KYMO_COLUMN_STRING, 1);
  for (guint i = 0; i < steps->len; i++)
    {
      const KymoRule *step = steps->pdata[i];

      kymo_table_append_string (order, id, step->name);
      kymo_table_append_string (order, value,
                                truths[kymo_evaluation_get (evaluation, step)->truth]);
    }
  kymo_table_set_table (answer, "order", order);
  set_probes (answer, kymo_evaluation_peek_measure (evaluation));
  return answer;
}
