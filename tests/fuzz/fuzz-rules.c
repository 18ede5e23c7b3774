/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libFuzzer target: files of rules. A file is sound or has faults that name it; the expressions of
 * sound rules can be evaluated, whatever is known, and what is known cannot undo a decided truth.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "kymo-rules.h"

/* Names that are known: none, or all, as 3. */
static double
get_number (gpointer data, const char *name)
{
  return *(gboolean *) data ? 3 : NAN;
}

static KymoTruth
get_truth (gpointer data, const char *name)
{
  return *(gboolean *) data ? (KymoTruth) (name[0] & 1) : KYMO_TRUTH_UNTESTED;
}

static void
look_at_truth (const KymoRuleExpression *expression, gboolean is_monotone)
{
  static const KymoRuleValues values = { get_number, get_number, get_truth, get_truth, get_truth };
  gboolean known = FALSE;
  KymoTruth before, after;

  if (expression == NULL)
    return;
  before = kymo_rule_expression_test (expression, &values, &known);
  known = TRUE;
  after = kymo_rule_expression_test (expression, &values, &known);
  fuzz_require (before <= KYMO_TRUTH_UNTESTED && after <= KYMO_TRUTH_UNTESTED);
  fuzz_require (!is_monotone || before == KYMO_TRUTH_UNTESTED || before == after);
}

static void
look_at_rule (const KymoRule *rule, gboolean is_monotone)
{
  fuzz_require (rule->name != NULL && rule->line > 0);
  if (rule->kind != KYMO_RULE_NAME_DIAGNOSIS)
    return;
  fuzz_require (rule->diagnosis.when->len > 0);
  look_at_truth (rule->diagnosis.needs, is_monotone);
  look_at_truth (rule->diagnosis.confirms, is_monotone);
  for (guint i = 0; i < rule->diagnosis.when->len; i++)
    look_at_truth (rule->diagnosis.when->pdata[i], is_monotone);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (KymoRules) rules = kymo_rules_new ();
  /* known() tells what is known from what is not, and first() takes another operand. */
  gboolean is_monotone = memmem (data, size, "known", 5) == NULL
    && memmem (data, size, "first", 5) == NULL;
  g_autoptr (GPtrArray) faults = g_ptr_array_new_with_free_func (g_free);

  kymo_rules_add_text (rules, "seed", (const char *) data, size, faults);
  kymo_rules_check (rules, faults);
  for (guint i = 0; i < faults->len; i++)
    fuzz_require (g_str_has_prefix (faults->pdata[i], "seed:")
                  && g_utf8_validate (faults->pdata[i], -1, NULL));
  fuzz_require (kymo_rules_get_n (rules) <= KYMO_RULES_MOST);
  for (guint i = 0; i < kymo_rules_get_n (rules) && faults->len == 0; i++)
    look_at_rule (kymo_rules_peek (rules, i), is_monotone);
  return 0;
}
