/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What rules say of each other: names, units, and that nothing is computed of itself.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-question-class.h"
#include "kymo-rules-private.h"

/** Check: @marks are by number: 0, on the way down, or done */
typedef struct
{
  const KymoRules *rules;
  GPtrArray       *faults;
  const KymoRule  *rule;
  guint8          *marks;
} Check;

enum
{
  MARK_NONE,
  MARK_OPEN,
  MARK_DONE,
};

static KymoRuleName
find_name (gpointer      data,
           const char   *name,
           KymoRuleType *type)
{
  const KymoRule *rule = kymo_rules_find (((Check *) data)->rules, name);

  if (rule == NULL)
    return KYMO_RULE_NAME_NONE;
  if (rule->kind == KYMO_RULE_NAME_DIAGNOSIS)
    *type = (KymoRuleType) { .is_truth = TRUE };
  else
    *type = rule->kind == KYMO_RULE_NAME_METRIC ? rule->metric.type : rule->expectation.type;
  return rule->kind;
}

/* At the line of @key (nullable), or where the rule begins. */
static void
add_rule_fault (const Check *check,
                const char  *key,
                const char  *what)
{
  guint line = key != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (check->rule->lines, key)) : 0;

  kymo_rules_add_fault (check->faults, check->rule->file, line > 0 ? line : check->rule->line,
                        "[%s]: %s", check->rule->name, what);
}

/* An expression that must be of @wanted. */
static void
check_expression (Check                    *check,
                  const char               *key,
                  const KymoRuleExpression *expression,
                  const KymoRuleType       *wanted)
{
  static const KymoRuleScope scope = { find_name };
  g_autoptr (GError) error = NULL;
  KymoRuleType type;

  if (expression == NULL)
    return;
  if (!kymo_rule_expression_check (expression, &scope, check, &type, &error))
    add_rule_fault (check, key, error->message);
  else if (type.is_truth != wanted->is_truth || type.time != wanted->time
           || type.bytes != wanted->bytes)
    add_rule_fault (check, key, wanted->is_truth ? _("a number stands where a truth must be")
                    : check->rule->kind == KYMO_RULE_NAME_DIAGNOSIS ? _("a cost must be a time")
                    : _("“of” has another unit than “unit” tells"));
}

static void
check_names (Check       *check,
             const char  *key,
             char *const *names)
{
  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    {
      const KymoRule *rule = kymo_rules_find (check->rules, names[i]);
      g_autofree char *what = NULL;

      if (rule == NULL || rule->kind != KYMO_RULE_NAME_DIAGNOSIS)
        what = g_strdup_printf (_("“%s” is no diagnosis"), names[i]);
      else if (rule == check->rule)
        what = g_strdup (_("it names itself"));
      if (what != NULL)
        add_rule_fault (check, key, what);
    }
}

/* METRIC, or METRIC OPERATOR EXPECTATION. */
static void
check_evidence (Check       *check,
                const char  *key,
                char *const *evidence)
{
  for (guint i = 0; evidence != NULL && evidence[i] != NULL; i++)
    {
      g_auto (GStrv) words = g_strsplit (evidence[i], " ", 0);
      guint n = g_strv_length (words);
      const KymoRule *metric = n > 0 ? kymo_rules_find (check->rules, words[0]) : NULL;
      const KymoRule *bound = n == 3 ? kymo_rules_find (check->rules, words[2]) : NULL;
      g_autofree char *what = NULL;

      if (metric == NULL || metric->kind != KYMO_RULE_NAME_METRIC || (n != 1 && n != 3))
        what = g_strdup_printf (_("“%s” is no metric, and no metric with an operator and an "
                                  "expectation"), evidence[i]);
      else if (n == 3 && (bound == NULL || bound->kind != KYMO_RULE_NAME_EXPECTATION))
        what = g_strdup_printf (_("“%s” is no expectation"), words[2]);
      if (what != NULL)
        add_rule_fault (check, key, what);
    }
}

/* Names in braces of a text: %{METRIC}, %{METRIC.name}, %{METRIC.row}, %{cost} and so on. */
static void
check_text (Check      *check,
            const char *key,
            const char *text)
{
  static const char *const parts[] = { "", ".name", ".row", ".usual", NULL };

  while (text != NULL && (text = strstr (text, "%{")) != NULL)
    {
      const char *end = strchr (text, '}');
      g_autofree char *name = end != NULL ? g_strndup (text + 2, end - text - 2) : g_strdup (text);
      gboolean found = strcmp (name, "cost") == 0 || strcmp (name, "share") == 0;

      for (guint i = 0; parts[i] != NULL && !found; i++)
        {
          g_autofree char *metric = g_str_has_suffix (name, parts[i])
            ? g_strndup (name, strlen (name) - strlen (parts[i])) : g_strdup (name);
          const KymoRule *rule = kymo_rules_find (check->rules, metric);

          found = rule != NULL && rule->kind == KYMO_RULE_NAME_METRIC;
        }
      if (!found)
        {
          g_autofree char *what = g_strdup_printf (_("“%s” in a text is no metric"), name);

          add_rule_fault (check, key, what);
        }
      text += 2;
    }
}

/* -- what is taken from answers --------------------------------------------------- */

static const KymoQuestionList *
find_list (const KymoQuestionClass *klass,
           const char              *key)
{
  for (const KymoQuestionList *list = klass->lists; list != NULL && list->key != NULL; list++)
    if (strcmp (list->key, key) == 0)
      return list;
  return NULL;
}

static gboolean
has_column (const KymoQuestionList *list,
            const char             *column)
{
  g_auto (GStrv) columns = list->columns != NULL ? g_strsplit (list->columns, " ", -1) : NULL;

  return columns == NULL || g_strv_contains ((const char *const *) columns, column);
}

/* A column of the list of a metric; "exclusive/total" is one of the list "exclusive" in it. */
static void
check_column (Check                   *check,
              const KymoQuestionClass *klass,
              const char              *key,
              const char              *column)
{
  const KymoMetricRule *metric = &check->rule->metric;
  const char *slash = column != NULL ? strchr (column, '/') : NULL;
  g_autofree char *nested = slash != NULL ? g_strdup_printf ("%s.%.*s", metric->list,
                                                             (int) (slash - column), column) : NULL;
  const KymoQuestionList *list = column == NULL ? NULL
    : find_list (klass, nested != NULL ? nested : metric->list);
  g_autofree char *what = NULL;

  if (column == NULL || (list != NULL && has_column (list, slash != NULL ? slash + 1 : column)))
    return;
  what = g_strdup_printf (_("“%s” is no column of “%s” in the answer to “%s”"), column,
                          metric->list, klass->kind);
  add_rule_fault (check, key, what);
}

static void
check_columns (Check                   *check,
               const KymoQuestionClass *klass)
{
  const KymoMetricRule *metric = &check->rule->metric;

  check_column (check, klass, "value", metric->value);
  check_column (check, klass, "name", metric->name_column);
  check_column (check, klass, "location", metric->location_column);
  check_column (check, klass, "begin", metric->begin_column);
  check_column (check, klass, "end", metric->end_column);
  check_column (check, klass, "times", metric->times);
  check_column (check, klass, "signal", metric->signal);
  check_column (check, klass, "also", metric->also);
  for (guint i = 0; i < metric->where->len; i++)
    check_column (check, klass, "where",
                  g_array_index (metric->where, KymoMetricWhere, i).column);
  for (guint i = 0; metric->key != NULL && metric->key[i] != NULL; i++)
    check_column (check, klass, "key", metric->key[i]);
}

static void
check_keywords (Check                   *check,
                const KymoQuestionClass *klass)
{
  /* What every question takes. */
  static const char *const common[] = { "workers-only", "once", "extrapolate", NULL };
  char *const *keywords = check->rule->metric.keywords;

  for (guint i = 0; keywords != NULL && keywords[i] != NULL; i++)
    {
      g_autofree char *key = g_strndup (keywords[i], strcspn (keywords[i], "="));
      g_autofree char *what = g_strdup_printf (_("“%s” has no keyword “%s”"), klass->kind, key);

      if (!g_strv_contains (common, key) && kymo_question_class_find_keyword (klass, key) == NULL)
        add_rule_fault (check, "keywords", what);
    }
}

/* A mistyped list or column has no rows, which would read as "excluded". */
static void
check_taken (Check *check)
{
  const KymoMetricRule *metric = &check->rule->metric;
  const KymoQuestionClass *klass = kymo_question_class_find (metric->question);
  g_autofree char *what = NULL;

  if (klass == NULL)
    what = g_strdup_printf (_("“%s” is no question"), metric->question);
  else if (metric->list != NULL && find_list (klass, metric->list) == NULL)
    what = g_strdup_printf (_("“%s” is no list in the answer to “%s”"), metric->list, klass->kind);
  if (what != NULL)
    add_rule_fault (check, klass == NULL ? "question" : "list", what);
  if (klass == NULL)
    return;
  check_keywords (check, klass);
  if (metric->list != NULL && what == NULL)
    check_columns (check, klass);
}

static void
check_metric (Check *check)
{
  const KymoMetricRule *metric = &check->rule->metric;

  check_expression (check, "of", metric->of, &metric->type);
  if (metric->question != NULL)
    check_taken (check);
}

/* The key of an expression: when, or when-1 and so on, each of which may be left out. */
static const char *
find_when (const Check *check,
           guint        number)
{
  static const char *const keys[] = { "when", "when-1", "when-2", "when-3", "when-4", "when-5",
                                      "when-6", "when-7", "when-8", "when-9" };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (g_hash_table_contains (check->rule->lines, keys[i]) && number-- == 0)
      return keys[i];
  return NULL;
}

static void
check_diagnosis (Check *check)
{
  static const KymoRuleType truth = { .is_truth = TRUE }, time = { .time = 1 };
  const KymoDiagnosisRule *diagnosis = &check->rule->diagnosis;

  for (guint i = 0; i < diagnosis->when->len; i++)
    check_expression (check, find_when (check, i), diagnosis->when->pdata[i], &truth);
  check_expression (check, "needs", diagnosis->needs, &truth);
  check_expression (check, "confirms", diagnosis->confirms, &truth);
  check_expression (check, "cost", diagnosis->cost, &time);
  check_expression (check, "vote-cost", diagnosis->vote_cost, &time);
  check_names (check, "within", diagnosis->within);
  check_names (check, "triggers", diagnosis->triggers);
  check_evidence (check, "evidence", diagnosis->evidence);
  if (diagnosis->share_of != NULL)
    check_evidence (check, "share-of", (char *[]) { diagnosis->share_of, NULL });
  check_text (check, "title", diagnosis->title);
  check_text (check, "says", diagnosis->says);
  check_text (check, "advice", diagnosis->advice);
}

static void visit_rule (Check          *check,
                        const KymoRule *rule);

static void
visit_expression (Check                    *check,
                  const KymoRuleExpression *expression)
{
  guint n;
  const char *const *names = kymo_rule_expression_peek_names (expression, &n);

  for (guint i = 0; i < n; i++)
    {
      const KymoRule *rule = kymo_rules_find (check->rules, names[i]);

      if (rule != NULL)
        visit_rule (check, rule);
    }
}

/* Follows what a rule is computed of; KYMO_RULES_MOST bounds the depth. */
static void
visit_rule (Check          *check,
            const KymoRule *rule)
{
  if (check->marks[rule->number] == MARK_OPEN)
    {
      check->rule = rule;
      add_rule_fault (check, NULL, _("it is computed of itself"));
    }
  if (check->marks[rule->number] != MARK_NONE)
    return;
  check->marks[rule->number] = MARK_OPEN;
  if (rule->kind == KYMO_RULE_NAME_METRIC)
    visit_expression (check, rule->metric.of);
  else if (rule->kind == KYMO_RULE_NAME_DIAGNOSIS)
    {
      for (guint i = 0; i < rule->diagnosis.when->len; i++)
        visit_expression (check, rule->diagnosis.when->pdata[i]);
      visit_expression (check, rule->diagnosis.needs);
      visit_expression (check, rule->diagnosis.confirms);
      visit_expression (check, rule->diagnosis.cost);
      visit_expression (check, rule->diagnosis.vote_cost);
    }
  check->marks[rule->number] = MARK_DONE;
}

/**
 * kymo_rules_check:
 * @faults: (element-type utf8): gets a sentence for each fault
 *
 * Checks the names and units in all expressions, and that no rule is computed of itself. Triggers
 * may lead back: a diagnosis is tested once.
 */
void
kymo_rules_check (const KymoRules *rules,
                  GPtrArray       *faults)
{
  g_autofree guint8 *marks = g_new0 (guint8, MAX (rules->list->len, 1));
  Check check = { rules, faults, NULL, marks };

  for (guint i = 0; i < rules->list->len; i++)
    {
      check.rule = rules->list->pdata[i];
      if (check.rule->kind == KYMO_RULE_NAME_METRIC)
        check_metric (&check);
      else if (check.rule->kind == KYMO_RULE_NAME_DIAGNOSIS)
        check_diagnosis (&check);
    }
  for (guint i = 0; i < rules->list->len; i++)
    visit_rule (&check, rules->list->pdata[i]);
}
