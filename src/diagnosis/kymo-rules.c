/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-order.h"
#include "kymo-rules-private.h"
#include "kymo-rules-resource.h"

#define SHIPPED "/io/github/kymo_trace/Kymo/rules"

static void
clear_metric (KymoMetricRule *metric)
{
  g_free (metric->title);
  g_free (metric->needs);
  g_free (metric->record);
  kymo_rule_expression_free (metric->of);
  g_free (metric->csv);
  g_free (metric->question);
  g_strfreev (metric->keywords);
  g_free (metric->list);
  g_clear_pointer (&metric->where, g_array_unref);
  g_free (metric->value);
  g_free (metric->name_column);
  g_free (metric->location_column);
  g_free (metric->begin_column);
  g_free (metric->end_column);
  g_strfreev (metric->key);
  g_free (metric->times);
  g_free (metric->signal);
  g_free (metric->also);
  g_strfreev (metric->changed);
}

static void
clear_diagnosis (KymoDiagnosisRule *diagnosis)
{
  g_free (diagnosis->layer);
  g_free (diagnosis->title);
  g_free (diagnosis->says);
  g_free (diagnosis->advice);
  g_free (diagnosis->target);
  g_free (diagnosis->view);
  g_free (diagnosis->share_of);
  kymo_rule_expression_free (diagnosis->needs);
  kymo_rule_expression_free (diagnosis->cost);
  kymo_rule_expression_free (diagnosis->vote_cost);
  kymo_rule_expression_free (diagnosis->confirms);
  g_clear_pointer (&diagnosis->when, g_ptr_array_unref);
  g_strfreev (diagnosis->within);
  g_strfreev (diagnosis->triggers);
  g_strfreev (diagnosis->evidence);
}

/**
 * kymo_rule_free:
 * @rule: a #KymoRule
 *
 * Frees a rule and all that it has.
 */
void
kymo_rule_free (gpointer data)
{
  KymoRule *rule = data;

  if (rule->kind == KYMO_RULE_NAME_METRIC)
    clear_metric (&rule->metric);
  else if (rule->kind == KYMO_RULE_NAME_DIAGNOSIS)
    clear_diagnosis (&rule->diagnosis);
  else
    g_free (rule->expectation.basis);
  g_free (rule->name);
  g_free (rule->file);
  g_hash_table_unref (rule->lines);
  g_free (rule);
}

/**
 * kymo_rules_new:
 *
 * Returns: (transfer full): no rules yet
 */
KymoRules *
kymo_rules_new (void)
{
  KymoRules *rules = g_new0 (KymoRules, 1);

  rules->list = g_ptr_array_new_with_free_func (kymo_rule_free);
  rules->by_name = g_hash_table_new (g_str_hash, g_str_equal);
  return rules;
}

/**
 * kymo_rules_free:
 *
 * Frees @rules. %NULL is ignored.
 */
void
kymo_rules_free (KymoRules *rules)
{
  if (rules == NULL)
    return;
  g_hash_table_unref (rules->by_name);
  g_ptr_array_unref (rules->list);
  g_free (rules);
}

/**
 * kymo_rules_add_fault:
 * @faults: (element-type utf8): where the sentence goes
 * @line: from 1; 0 for the whole file
 *
 * Adds "FILE:LINE: what is wrong".
 */
void
kymo_rules_add_fault (GPtrArray  *faults,
                      const char *file,
                      guint       line,
                      const char *format,
                      ...)
{
  g_autofree char *what = NULL;
  va_list args;

  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  g_ptr_array_add (faults, line > 0 ? g_strdup_printf ("%s:%u: %s", file, line, what)
                   : g_strdup_printf ("%s: %s", file, what));
}

static gboolean
is_name (const char *name)
{
  g_autoptr (KymoRuleExpression) expression = kymo_rule_expression_new (name, NULL);
  guint n;
  const char *const *names = kymo_rule_expression_peek_names (expression, &n);

  return n == 1 && strcmp (names[0], name) == 0;
}

static const KymoRuleType *
peek_type (const KymoRule *rule)
{
  static const KymoRuleType truth = { .is_truth = TRUE };

  return rule->kind == KYMO_RULE_NAME_METRIC ? &rule->metric.type
    : rule->kind == KYMO_RULE_NAME_EXPECTATION ? &rule->expectation.type : &truth;
}

/* Others use a rule by its name, so one that replaces it must be of the same kind and unit. */
static gboolean
can_take (const KymoRules *rules,
          const KymoRule  *rule,
          GPtrArray       *faults)
{
  const KymoRule *old = kymo_rules_find (rules, rule->name);
  const KymoRuleType *type = peek_type (rule), *was = old != NULL ? peek_type (old) : type;

  if (!is_name (rule->name))
    kymo_rules_add_fault (faults, rule->file, rule->line,
                          _("“%s” is no name that an expression can use"), rule->name);
  else if (old != NULL && old->kind != rule->kind)
    kymo_rules_add_fault (faults, rule->file, rule->line,
                          _("“%s” is the name of another kind of rule (%s:%u)"), rule->name,
                          old->file, old->line);
  else if (type->time != was->time || type->bytes != was->bytes)
    kymo_rules_add_fault (faults, rule->file, rule->line,
                          _("“%s” has a unit that does not fit the rule that it replaces (%s:%u)"),
                          rule->name, old->file, old->line);
  else
    return TRUE;
  return FALSE;
}

/**
 * kymo_rules_take:
 * @rule: (transfer full): it replaces one of the same name, in its place
 * @faults: (element-type utf8): gets a sentence if the rule cannot be used by its name, or not in
 *   place of the one that has it; then it is left out
 */
void
kymo_rules_take (KymoRules *rules,
                 KymoRule  *rule,
                 GPtrArray *faults)
{
  KymoRule *old = g_hash_table_lookup (rules->by_name, rule->name);

  if (!can_take (rules, rule, faults))
    {
      kymo_rule_free (rule);
      return;
    }
  g_hash_table_replace (rules->by_name, rule->name, rule);
  if (old == NULL)
    {
      rule->number = rules->list->len;
      g_ptr_array_add (rules->list, rule);
      return;
    }
  rule->number = old->number;
  rules->list->pdata[rule->number] = rule;
  kymo_rule_free (old);
}

/**
 * kymo_rules_new_shipped:
 *
 * Returns: (transfer full) (nullable): the rules that Kymo ships, or an error that names their
 *   first fault
 */
KymoRules *
kymo_rules_new_shipped (GError **error)
{
  g_autoptr (KymoRules) rules = kymo_rules_new ();
  g_autoptr (GPtrArray) faults = g_ptr_array_new_with_free_func (g_free);
  GResource *shipped = kymo_rules_get_resource ();
  g_auto (GStrv) names = g_resource_enumerate_children (shipped, SHIPPED, 0, error);

  if (names == NULL)
    return NULL;
  qsort (names, g_strv_length (names), sizeof *names, kymo_compare_strings);
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autofree char *path = g_strconcat (SHIPPED, "/", names[i], NULL);
      g_autoptr (GBytes) bytes = g_resource_lookup_data (shipped, path, 0, error);

      if (bytes == NULL)
        return NULL;
      kymo_rules_add_text (rules, names[i], g_bytes_get_data (bytes, NULL),
                           g_bytes_get_size (bytes), faults);
    }
  kymo_rules_check (rules, faults);
  if (faults->len == 0)
    return g_steal_pointer (&rules);
  g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, faults->pdata[0]);
  return NULL;
}

/**
 * kymo_rules_find:
 *
 * Returns: (transfer none) (nullable): the rule of this name
 */
const KymoRule *
kymo_rules_find (const KymoRules *rules,
                 const char      *name)
{
  return g_hash_table_lookup (rules->by_name, name);
}

static gboolean
is_relative_expression (const KymoRules          *rules,
                        const KymoRuleExpression *expression)
{
  guint n;
  const char *const *names = kymo_rule_expression_peek_names (expression, &n);

  for (guint i = 0; i < n; i++)
    if (kymo_rules_is_relative (rules, kymo_rules_find (rules, names[i])))
      return TRUE;
  return expression != NULL && kymo_rule_expression_is_relative (expression);
}

/**
 * kymo_rules_is_relative:
 * @rule: a rule of rules that were checked
 *
 * Returns: whether the value of @rule depends on reference runs
 */
gboolean
kymo_rules_is_relative (const KymoRules *rules,
                        const KymoRule  *rule)
{
  if (rule->kind == KYMO_RULE_NAME_METRIC)
    return rule->metric.key != NULL || rule->metric.changed != NULL
      || is_relative_expression (rules, rule->metric.of);
  if (rule->kind != KYMO_RULE_NAME_DIAGNOSIS)
    return FALSE;
  for (guint i = 0; i < rule->diagnosis.when->len; i++)
    if (is_relative_expression (rules, rule->diagnosis.when->pdata[i]))
      return TRUE;
  return is_relative_expression (rules, rule->diagnosis.needs);
}

/** kymo_rules_get_n: how many rules there are, of all kinds */
guint
kymo_rules_get_n (const KymoRules *rules)
{
  return rules->list->len;
}

/**
 * kymo_rules_peek:
 * @number: from 0
 *
 * Returns: (transfer none): the rule with this number
 */
const KymoRule *
kymo_rules_peek (const KymoRules *rules,
                 guint            number)
{
  return rules->list->pdata[number];
}
