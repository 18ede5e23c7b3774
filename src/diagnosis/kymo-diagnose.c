/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-diagnose.h"
#include "kymo-error.h"
#include "kymo-findings-private.h"
#include "kymo-order.h"

/* -- rules ------------------------------------------------------------------------- */

/**
 * kymo_diagnose_refuse:
 * @faults: (element-type utf8): of files of rules
 *
 * Refuses faulty rules: what silently did nothing would read as excluded.
 *
 * Returns: %TRUE without faults; else %FALSE with %KYMO_ERROR_USAGE, which names the first fault
 */
gboolean
kymo_diagnose_refuse (GPtrArray  *faults,
                      GError    **error)
{
  if (faults->len == 0)
    return TRUE;
  if (faults->len == 1)
    g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_USAGE, faults->pdata[0]);
  else
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                 _("%s (and %u more; kymo-cli diagnose --rules-check FILE lists all)"),
                 (char *) faults->pdata[0], faults->len - 1);
  return FALSE;
}

/* The person's files, by name, so that a later one overrides an earlier one. */
static GPtrArray *
list_own_files (void)
{
  g_autofree char *folder = g_build_filename (g_get_user_config_dir (), "kymo", "rules", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  GPtrArray *files = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".rules"))
      g_ptr_array_add (files, g_build_filename (folder, name, NULL));
  g_ptr_array_sort (files, kymo_compare_strings);
  return files;
}

/**
 * kymo_diagnose_dup_rules:
 *
 * Reads the rules that Kymo ships, then `kymo/rules/` + `*.rules` of the person's configuration,
 * which add rules and override rules of the same name.
 *
 * Returns: (transfer full) (nullable): the rules; %NULL with an error that names file and line
 */
KymoRules *
kymo_diagnose_dup_rules (GError **error)
{
  g_autoptr (KymoRules) rules = kymo_rules_new_shipped (error);
  g_autoptr (GPtrArray) faults = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) files = list_own_files ();

  for (guint i = 0; rules != NULL && i < files->len; i++)
    if (!kymo_rules_add_file (rules, files->pdata[i], faults, error))
      return NULL;
  if (rules != NULL && files->len > 0)
    kymo_rules_check (rules, faults);
  return rules != NULL && kymo_diagnose_refuse (faults, error) ? g_steal_pointer (&rules) : NULL;
}

/* -- one run ----------------------------------------------------------------------- */

static KymoRunMetrics *
measure_range (const KymoRules    *rules,
               KymoSource         *source,
               const KymoQuestion *question,
               const KymoSpan     *range,
               GCancellable       *cancellable)
{
  return kymo_run_metrics_new (rules, source, range, kymo_question_peek_locations (question),
                               cancellable);
}

/**
 * kymo_diagnose_draft:
 * @source: the run
 * @question: as that of kymo_diagnose()
 * @cancellable: (nullable): ends the questions under way
 *
 * Answers before any rule is tested, with the elapsed time and the efficiencies. Where the main
 * part is asked for they are those of the whole run, because to find the main part takes longer.
 * Blocks; any thread may call.
 *
 * Returns: (transfer full) (nullable): an answer without findings, for
 *   kymo_findings_dup_efficiency(); %NULL with the errors of kymo_diagnose()
 */
KymoTable *
kymo_diagnose_draft (KymoSource          *source,
                     const KymoQuestion  *question,
                     GCancellable        *cancellable,
                     GError             **error)
{
  g_autoptr (KymoRules) rules = kymo_diagnose_dup_rules (error);
  g_autoptr (KymoRunMetrics) measure = NULL;
  KymoSpan range = kymo_question_get_span (question);
  KymoTable *answer;

  if (rules == NULL)
    return NULL;
  if (kymo_span_is_all (range))
    range = kymo_source_get_span (source);
  measure = measure_range (rules, source, question, &range, cancellable);
  answer = kymo_table_new (KYMO_STYLE_OBJECT);
  kymo_findings_set_head (answer, rules, measure);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    g_clear_pointer (&answer, kymo_table_unref);
  return answer;
}

/* @budget: (nullable): of probes */
static KymoTable *
diagnose_range (KymoSource          *source,
                const KymoQuestion  *question,
                KymoProbeBudget     *budget,
                GCancellable        *cancellable,
                GError             **error)
{
  g_autoptr (KymoRules) rules = kymo_diagnose_dup_rules (error);
  g_autoptr (GPtrArray) evaluations
    = g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_evaluation_free);
  KymoSpan range = kymo_question_get_span (question);
  KymoRunMetrics *measure;
  KymoTable *answer = NULL;

  if (rules == NULL)
    return NULL;
  measure = measure_range (rules, source, question, kymo_span_is_all (range) ? NULL : &range,
                           cancellable);
  kymo_run_metrics_set_budget (measure, budget);
  g_ptr_array_add (evaluations, kymo_evaluation_new (rules, measure));
  if (!g_cancellable_set_error_if_cancelled (cancellable, error))
    answer = kymo_findings_new (rules, evaluations);
  g_clear_pointer (&evaluations, g_ptr_array_unref);
  kymo_run_metrics_free (measure);
  return answer;
}

/**
 * kymo_diagnose:
 * @source: the run
 * @question: of kind %KYMO_QUESTION_FINDINGS: its time range (%KYMO_SPAN_ALL: the main part of the
 *   run) and its locations count
 * @cancellable: (nullable): ends the questions under way
 *
 * Says what limits a run. Blocks; any thread may call.
 *
 * Returns: (transfer full) (nullable): the answer of kymo_findings_new(); %NULL with an error of
 *   rules, or with %G_IO_ERROR_CANCELLED
 */
KymoTable *
kymo_diagnose (KymoSource          *source,
               const KymoQuestion  *question,
               GCancellable        *cancellable,
               GError             **error)
{
  return diagnose_range (source, question, NULL, cancellable, error);
}

/**
 * kymo_diagnose_measured:
 * @question: as that of kymo_diagnose()
 * @budget_ns: how long all probes together may take; somebody allowed that
 * @start: starts one
 *
 * The same with the probes that rules need; the answer lists them. Blocks; any thread may call.
 *
 * Returns: (transfer full) (nullable): as kymo_diagnose()
 */
KymoTable *
kymo_diagnose_measured (KymoSource          *source,
                        const KymoQuestion  *question,
                        gint64               budget_ns,
                        KymoProbeStart       start,
                        gpointer             data,
                        GCancellable        *cancellable,
                        GError             **error)
{
  g_autoptr (KymoProbeBudget) budget = kymo_probe_budget_new (budget_ns, start, data);

  return diagnose_range (source, question, budget, cancellable, error);
}
