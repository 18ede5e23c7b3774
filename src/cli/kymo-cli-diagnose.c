/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `diagnose`: what limits a run, or several repeats of it that vote.
 *
 * Thread: the worker's.
 */
#include "config.h"

#include "kymo-cli.h"

#include <string.h>

#include "kymo-acknowledged.h"
#include "kymo-diagnose.h"
#include "kymo-findings.h"
#include "kymo-findings-text.h"
#include "kymo-place.h"
#include "kymo-probe-start.h"
#include "kymo-regions.h"
#include "kymo-source-facts.h"
#include "kymo-units.h"

/* -- rules ------------------------------------------------------------------------ */

static KymoRules *
read_rules (KymoCli *cli, GError **error)
{
  g_autoptr (KymoRules) rules = kymo_diagnose_dup_rules (error);
  g_autoptr (GPtrArray) faults = g_ptr_array_new_with_free_func (g_free);
  g_auto (GStrv) files = kymo_cli_dup_many (cli, "rules");

  for (guint i = 0; rules != NULL && files[i] != NULL; i++)
    if (!kymo_rules_add_file (rules, files[i], faults, error))
      return NULL;
  if (rules != NULL && files[0] != NULL)
    kymo_rules_check (rules, faults);
  return rules != NULL && kymo_diagnose_refuse (faults, error) ? g_steal_pointer (&rules) : NULL;
}

/* Lists all faults of files, whose rules may use those of Kymo and of the files before them. */
static int
check_rules (KymoCli *cli, GError **error)
{
  g_autoptr (KymoRules) rules = kymo_rules_new_shipped (error);
  g_autoptr (GPtrArray) faults = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (KymoTable) answer = kymo_table_new (KYMO_STYLE_OBJECT);
  g_auto (GStrv) files = kymo_cli_dup_many (cli, "rules-check");
  KymoTable *list;

  if (rules == NULL)
    return KYMO_CLI_FAILED;
  for (guint i = 0; files[i] != NULL; i++)
    if (!kymo_rules_add_file (rules, files[i], faults, error))
      return KYMO_CLI_FAILED;
  kymo_rules_check (rules, faults);
  list = kymo_table_new (KYMO_STYLE_FLAT);
  kymo_table_add_column (list, "fault", KYMO_COLUMN_STRING, 1);
  for (guint i = 0; i < faults->len; i++)
    kymo_table_append_string (list, 0, faults->pdata[i]);
  kymo_table_set_bool (answer, "passed", faults->len == 0);
  kymo_table_set_table (answer, "faults", list);
  if (!kymo_cli_write_table (cli, answer, error))
    return KYMO_CLI_FAILED;
  return faults->len == 0 ? KYMO_CLI_OK : KYMO_CLI_FAILED;
}

/* -- runs ------------------------------------------------------------------------- */

/* The range of one of the runs: a region is found in each run anew. */
static gboolean
find_range_of (KymoCli *cli, KymoSource *source, KymoSpan *range, GError **error)
{
  const char *region = kymo_cli_get (cli, "region");

  *range = kymo_cli_get_span (cli);
  return region == NULL
    || kymo_regions_ask (source, region, kymo_job_peek_cancellable (cli->job), range, error);
}

/* Figures of a range that holds nothing would be those of the whole run. */
static gboolean
has_part (KymoSource *source, const KymoSpan *range, GError **error)
{
  KymoSpan whole = kymo_source_get_span (source), part = kymo_span_intersect (*range, whole);
  g_autoptr (KymoSourceFacts) facts = NULL;
  g_autofree char *begin = NULL, *end = NULL;

  if (kymo_span_is_all (*range) || part.begin_ns < part.end_ns)
    return TRUE;
  facts = kymo_source_dup_facts (source);
  begin = kymo_format_duration_exact (whole.begin_ns);
  end = kymo_format_duration_exact (whole.end_ns);
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
               "the range holds nothing of “%s”, which is from %s to %s",
               facts != NULL && facts->path != NULL ? facts->path : "the run", begin, end);
  return FALSE;
}

static gboolean
open_runs (KymoCli *cli, GPtrArray *runs, GError **error)
{
  for (guint i = 0; i < cli->words->len; i++)
    {
      KymoSource *source = kymo_cli_open_another (cli, cli->words->pdata[i], error);

      if (source == NULL)
        return FALSE;
      g_ptr_array_add (runs, source);
    }
  return TRUE;
}

static gboolean
open_references (KymoCli *cli, GPtrArray *references, GError **error)
{
  g_auto (GStrv) paths = kymo_cli_dup_many (cli, "reference");

  for (guint i = 0; paths[i] != NULL; i++)
    {
      KymoSource *source = kymo_cli_open_another (cli, paths[i], error);

      if (source == NULL)
        return FALSE;
      g_ptr_array_add (references, source);
    }
  return TRUE;
}

/* -- probes ----------------------------------------------------------------------- */

#define LEAST_BUDGET_NS G_GINT64_CONSTANT (100000000)

static void
tell_command (gpointer data, const char *command)
{
  if (!kymo_cli_has (data, "quiet"))
    kymo_cli_tell ("measuring: %s", command);
}

/* As #KymoProbeStart. */
static gboolean
start_probe (gpointer data, KymoSource *source, const char *part, gint64 bound_ns,
             KymoProbed *probed, GCancellable *cancellable, GError **error)
{
  g_autoptr (KymoSourceFacts) facts = kymo_source_dup_facts (source);
  KymoProbeOutcome outcome = { NULL };
  gboolean good;

  if (facts == NULL || facts->path == NULL || kymo_place_is_far (facts->path))
    {
      g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                           "the run is not in files of this machine");
      return FALSE;
    }
  good = kymo_probe_start (facts->path, part, bound_ns, tell_command, data, &outcome, cancellable,
                           error);
  *probed = (KymoProbed) { outcome.lines, outcome.command, outcome.kept, outcome.took_ns };
  return good;
}

/* FALSE with an error where the time is none. */
static gboolean
begin_budget (KymoCli *cli, KymoProbeBudget **budget, GError **error)
{
  const char *text = kymo_cli_get (cli, "probe-time");
  gint64 ns;

  *budget = NULL;
  if (text == NULL)
    return TRUE;
  if (!kymo_parse_time (text, &ns, NULL) || ns < LEAST_BUDGET_NS)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                   "--probe-time wants a time of 100ms or more, such as 10s, not “%s”", text);
      return FALSE;
    }
  *budget = kymo_probe_budget_new (ns, start_probe, cli);
  return TRUE;
}

static KymoRunMetrics *
measure_run (KymoCli *cli, const KymoRules *rules, KymoSource *source, GPtrArray *references,
             GError **error)
{
  g_autoptr (KymoIdSet) locations = kymo_cli_dup_locations (cli);
  g_auto (GStrv) files = kymo_cli_dup_many (cli, "metrics-csv");
  g_autoptr (KymoRunMetrics) measure = NULL;
  KymoSpan range;

  if (!find_range_of (cli, source, &range, error) || !has_part (source, &range, error))
    return NULL;
  measure = kymo_run_metrics_new (rules, source, kymo_span_is_all (range) ? NULL : &range,
                                  locations, kymo_job_peek_cancellable (cli->job));
  for (guint i = 0; i < references->len; i++)
    {
      if (!find_range_of (cli, references->pdata[i], &range, error))
        return NULL;
      kymo_run_metrics_add_reference (measure, references->pdata[i],
                                      kymo_span_is_all (range) ? NULL : &range);
    }
  for (guint i = 0; files[i] != NULL; i++)
    if (!kymo_run_metrics_add_csv (measure, files[i], error))
      return NULL;
  return g_steal_pointer (&measure);
}

/* Evaluates each run. FALSE with an error where one cannot be measured, or the work was stopped. */
static gboolean
evaluate_runs (KymoCli *cli, const KymoRules *rules, KymoProbeBudget *budget, GPtrArray *measures,
               GPtrArray *evaluations, GError **error)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new (), references = g_ptr_array_new ();

  if (!open_runs (cli, runs, error) || !open_references (cli, references, error))
    return FALSE;
  for (guint i = 0; i < runs->len; i++)
    {
      KymoRunMetrics *measure = measure_run (cli, rules, runs->pdata[i], references, error);

      if (measure == NULL)
        return FALSE;
      g_ptr_array_add (measures, measure);
      kymo_run_metrics_set_budget (measure, budget);
      g_ptr_array_add (evaluations, kymo_evaluation_new (rules, measure));
      if (g_cancellable_set_error_if_cancelled (kymo_job_peek_cancellable (cli->job), error))
        return FALSE;
    }
  return TRUE;
}

/* -- causes that are acknowledged ------------------------------------------------- */

static gboolean
acknowledge_cause (KymoCli *cli, const char *key, const KymoTable *answer, GError **error)
{
  const KymoTable *findings = kymo_table_peek_nested (answer, "findings", NULL);
  const char *id = kymo_cli_get (cli, "acknowledge");

  for (guint i = 0; i < kymo_table_get_n_rows (findings); i++)
    if (strcmp (kymo_table_get_string (findings, "id", i), id) == 0)
      {
        g_autofree char *locations = kymo_acknowledged_dup_locations (findings, i);

        return kymo_acknowledged_add (key, id, locations, kymo_cli_get (cli, "note"), error);
      }
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE, "“%s” is no cause that was found", id);
  return FALSE;
}

/* Whichever rows the cause was acknowledged for. */
static gboolean
withdraw_cause (KymoCli *cli, const char *key, GError **error)
{
  g_autoptr (GPtrArray) list = kymo_acknowledged_load (key);
  const char *id = kymo_cli_get (cli, "withdraw");
  gboolean found = FALSE;

  for (guint i = 0; i < list->len; i++)
    {
      const KymoAcknowledgement *one = list->pdata[i];

      if (strcmp (one->rule, id) != 0)
        continue;
      found = TRUE;
      if (!kymo_acknowledged_remove (key, id, one->locations, error))
        return FALSE;
    }
  if (!found)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE, "“%s” is not acknowledged", id);
  return found;
}

/* Of repeats those of the first run. */
static KymoTable *
part_acknowledged (KymoCli *cli, KymoTable *answer, GError **error)
{
  g_autofree char *key = kymo_acknowledged_dup_key (cli->source);
  g_autoptr (GPtrArray) list = NULL;
  gboolean changes = kymo_cli_has (cli, "acknowledge") || kymo_cli_has (cli, "withdraw");

  if (key == NULL && changes)
    g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                         "causes of this run cannot be acknowledged: it lies in no files");
  if (key == NULL)
    return changes ? NULL : kymo_table_ref (answer);
  if ((kymo_cli_has (cli, "acknowledge") && !acknowledge_cause (cli, key, answer, error))
      || (kymo_cli_has (cli, "withdraw") && !withdraw_cause (cli, key, error)))
    return NULL;
  list = kymo_acknowledged_load (key);
  return kymo_acknowledged_part (answer, list);
}

static KymoTable *
find (KymoCli *cli, const KymoRules *rules, GPtrArray *evaluations, GError **error)
{
  g_autoptr (KymoTable) answer = kymo_findings_new (rules, evaluations);

  return part_acknowledged (cli, answer, error);
}

/* -- the command ------------------------------------------------------------------ */

static KymoTable *
explain (KymoCli *cli, const KymoRules *rules, GPtrArray *evaluations, GError **error)
{
  const char *id = kymo_cli_get (cli, "explain");
  const KymoRule *rule = kymo_rules_find (rules, id);

  if (rule != NULL && rule->kind == KYMO_RULE_NAME_DIAGNOSIS)
    return kymo_findings_explain (rules, evaluations->pdata[0], rule);
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE, "“%s” is no diagnosis", id);
  return NULL;
}

/* With --fail: 1 for a cause that is likely or certain, 4 if nothing could be tested. */
static int
find_status (KymoCli *cli, const KymoTable *answer)
{
  const KymoTable *findings = kymo_table_peek_nested (answer, "findings", NULL);

  if (!kymo_cli_has (cli, "fail"))
    return KYMO_CLI_OK;
  for (guint i = 0; i < kymo_table_get_n_rows (findings); i++)
    if (strcmp (kymo_table_get_string (findings, "state", i), "possible") != 0)
      return KYMO_CLI_FAILED;
  return kymo_table_get_int (answer, "tested", 0) == 0 ? KYMO_CLI_UNTESTED : KYMO_CLI_OK;
}

/**
 * kymo_cli_run_diagnose:
 * @cli: the invocation
 * @error: where to put the reason
 *
 * Says what limits a run, or checks a file of rules.
 *
 * Returns: the exit code
 */
int
kymo_cli_run_diagnose (KymoCli *cli, GError **error)
{
  g_autoptr (KymoRules) rules = NULL;
  g_autoptr (KymoProbeBudget) budget = NULL;
  g_autoptr (GPtrArray) measures = NULL, evaluations = NULL;
  g_autoptr (KymoTable) answer = NULL;

  if (kymo_cli_has (cli, "rules-check"))
    return check_rules (cli, error);
  if (cli->words->len == 0)
    {
      g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                           "diagnose needs a run, or --rules-check FILE");
      return KYMO_CLI_USAGE;
    }
  if (kymo_cli_has (cli, "note") && !kymo_cli_has (cli, "acknowledge"))
    {
      g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_USAGE, "--note needs --acknowledge ID");
      return KYMO_CLI_USAGE;
    }
  if (!begin_budget (cli, &budget, error))
    return KYMO_CLI_USAGE;
  rules = read_rules (cli, error);
  measures = g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_run_metrics_free);
  evaluations = g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_evaluation_free);
  if (rules == NULL || !evaluate_runs (cli, rules, budget, measures, evaluations, error))
    return KYMO_CLI_FAILED;
  answer = kymo_cli_has (cli, "explain") ? explain (cli, rules, evaluations, error)
    : find (cli, rules, evaluations, error);
  if (answer == NULL || !kymo_cli_write_table (cli, answer, error))
    return KYMO_CLI_FAILED;
  return kymo_cli_has (cli, "explain") ? KYMO_CLI_OK : find_status (cli, answer);
}

/* -- text ------------------------------------------------------------------------- */

static void
write_faults (const KymoTable *faults, GString *out)
{
  for (guint i = 0; i < kymo_table_get_n_rows (faults); i++)
    g_string_append_printf (out, "%s\n", kymo_table_get_string (faults, "fault", i));
  if (kymo_table_get_n_rows (faults) == 0)
    g_string_append (out, "The rules are sound.\n");
}

/** kymo_cli_text_diagnose: findings with evidence and advice, what was excluded and not tested */
void
kymo_cli_text_diagnose (KymoCli *cli, const KymoTable *answer, GString *out)
{
  if (kymo_table_find_column (answer, "faults") >= 0)
    write_faults (kymo_table_peek_nested (answer, "faults", NULL), out);
  else if (kymo_table_find_column (answer, "findings") < 0)
    kymo_cli_text_generic (answer, out);
  else
    kymo_findings_write (answer, KYMO_FINDINGS_TEXT, out);
}
