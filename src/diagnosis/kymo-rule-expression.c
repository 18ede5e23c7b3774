/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What an expression is of, and its value. Nodes come behind their operands, so the check is one
 * pass; the evaluation starts at the root and leaves out what cannot change the value.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-error.h"
#include "kymo-rule-expression-private.h"
#include "kymo-units.h"

static const KymoRuleNode *
peek_node (const KymoRuleExpression *expression,
           guint                     index)
{
  return &g_array_index (expression->nodes, KymoRuleNode, index);
}

/**
 * kymo_rule_expression_peek_names:
 * @expression: (nullable): %NULL has no names
 * @n_names: (out): how many
 *
 * Returns: (transfer none): the names in the expression, each once, in order
 */
const char *const *
kymo_rule_expression_peek_names (const KymoRuleExpression *expression,
                                 guint                    *n_names)
{
  *n_names = expression != NULL ? expression->names->len : 0;
  return expression != NULL ? (const char *const *) expression->names->pdata : NULL;
}

/**
 * kymo_rule_expression_is_relative:
 *
 * Returns: whether the value depends on reference runs
 */
gboolean
kymo_rule_expression_is_relative (const KymoRuleExpression *expression)
{
  for (guint i = 0; i < expression->nodes->len; i++)
    {
      KymoRuleNodeKind kind = peek_node (expression, i)->kind;

      if (kind == NODE_REF || kind == NODE_EXCEEDS || kind == NODE_BEYOND)
        return TRUE;
    }
  return FALSE;
}

/* -- types ----------------------------------------------------------------------- */

typedef struct
{
  const KymoRuleExpression *expression;
  const KymoRuleScope      *scope;
  gpointer                  data;
  KymoRuleType             *types;              /* of each node so far */
  GError                  **error;
} Check;

static gboolean
refuse_types (const Check *check,
              const char  *why)
{
  g_autofree char *shown = kymo_elide_middle (check->expression->text, 60);

  g_set_error (check->error, KYMO_ERROR, KYMO_ERROR_USAGE, _("“%s” cannot be evaluated: %s"), shown,
               why);
  return FALSE;
}

static gboolean
check_name (const Check        *check,
            const KymoRuleNode *node,
            KymoRuleType       *type)
{
  KymoRuleName meaning = check->scope->find (check->data, node->name, type);
  g_autofree char *why = NULL;

  if (meaning == KYMO_RULE_NAME_NONE)
    why = g_strdup_printf (_("“%s” is no expectation, metric or diagnosis"), node->name);
  else if (node->kind != NODE_NAME && meaning != KYMO_RULE_NAME_METRIC)
    why = g_strdup_printf (_("“%s” is no metric"), node->name);
  if (node->kind == NODE_EXCEEDS || node->kind == NODE_BEYOND || node->kind == NODE_KNOWN)
    *type = (KymoRuleType) { .is_truth = TRUE };
  return why == NULL || refuse_types (check, why);
}

static gboolean
is_same_type (const KymoRuleType *a,
              const KymoRuleType *b)
{
  return a->is_truth == b->is_truth && a->time == b->time && a->bytes == b->bytes;
}

/* What an operand is, with its name if it has one. */
static char *
describe_operand (const Check *check,
                  guint        operand)
{
  const KymoRuleNode *node = peek_node (check->expression, operand);
  const KymoRuleType *type = &check->types[operand];
  g_autofree char *unit = NULL, *name = NULL;

  if (type->time == 0 && type->bytes == 0)
    unit = g_strdup (_("a number without a unit"));
  else if (type->time == 1 && type->bytes == 0)
    unit = g_strdup (_("a time"));
  else if (type->time == 0 && type->bytes == 1)
    unit = g_strdup (_("bytes"));
  else if (type->time == -1 && type->bytes == 0)
    unit = g_strdup (_("a number per second"));
  else if (type->time == -1 && type->bytes == 1)
    unit = g_strdup (_("bytes per second"));
  else
    unit = g_strdup_printf ("s^%d B^%d", type->time, type->bytes);
  name = node->name != NULL ? kymo_elide_middle (node->name, 40) : NULL;
  return name != NULL ? g_strdup_printf ("“%s” (%s)", name, unit) : g_steal_pointer (&unit);
}

static gboolean
refuse_units (const Check *check,
              guint        left,
              guint        right)
{
  g_autofree char *a = describe_operand (check, left), *b = describe_operand (check, right);
  g_autofree char *why = g_strdup_printf (_("two units do not fit each other: %s and %s"), a, b);

  return refuse_types (check, why);
}

static gboolean
check_numbers (const Check        *check,
               const KymoRuleNode *node,
               KymoRuleType       *type)
{
  const KymoRuleType *a = &check->types[node->left], *b = &check->types[node->right];

  if (a->is_truth || b->is_truth)
    return refuse_types (check, _("a truth stands where a number must be"));
  *type = *a;
  if (node->kind == NODE_MULTIPLY || node->kind == NODE_DIVIDE)
    {
      int sign = node->kind == NODE_MULTIPLY ? 1 : -1;

      *type = (KymoRuleType) { FALSE, CLAMP (a->time + sign * b->time, -100, 100),
                               CLAMP (a->bytes + sign * b->bytes, -100, 100) };
      return TRUE;
    }
  if (!is_same_type (a, b))
    return refuse_units (check, node->left, node->right);
  if (node->kind >= NODE_LESS)
    *type = (KymoRuleType) { .is_truth = TRUE };
  return TRUE;
}

static gboolean
check_node (const Check        *check,
            const KymoRuleNode *node,
            KymoRuleType       *type)
{
  const KymoRuleType *left = &check->types[node->left];

  switch (node->kind)
    {
    case NODE_NUMBER:
      *type = node->type;
      return TRUE;
    case NODE_NAME:
    case NODE_REF:
    case NODE_EXCEEDS:
    case NODE_BEYOND:
    case NODE_KNOWN:
      return check_name (check, node, type);
    case NODE_NEGATE:
    case NODE_LOG2:
      *type = *left;
      if (left->is_truth)
        return refuse_types (check, _("a truth stands where a number must be"));
      return node->kind == NODE_NEGATE || (left->time == 0 && left->bytes == 0)
        || refuse_types (check, _("log2 is of numbers without a unit"));
    case NODE_NOT:
    case NODE_AND:
    case NODE_OR:
      *type = (KymoRuleType) { .is_truth = TRUE };
      return (left->is_truth && (node->kind == NODE_NOT || check->types[node->right].is_truth))
        || refuse_types (check, _("a number stands where a truth must be"));
    default:
      return check_numbers (check, node, type);
    }
}

/**
 * kymo_rule_expression_check:
 * @scope: the names that are known
 * @type: (out): what the expression is
 *
 * Sets %KYMO_ERROR_USAGE for a name that is not known and for units that do not fit each other.
 *
 * Returns: whether the expression can be evaluated
 */
gboolean
kymo_rule_expression_check (const KymoRuleExpression  *expression,
                            const KymoRuleScope       *scope,
                            gpointer                   data,
                            KymoRuleType              *type,
                            GError                   **error)
{
  guint n = expression->nodes->len;
  g_autofree KymoRuleType *types = g_new0 (KymoRuleType, n);
  const Check check = { expression, scope, data, types, error };

  for (guint i = 0; i < n; i++)
    if (!check_node (&check, peek_node (expression, i), &types[i]))
      return FALSE;
  *type = types[n - 1];
  return TRUE;
}

/* -- values ---------------------------------------------------------------------- */

typedef struct
{
  const KymoRuleExpression *expression;
  const KymoRuleValues     *values;
  gpointer                  data;
} Evaluation;

static double
apply_numbers (KymoRuleNodeKind kind,
               double           a,
               double           b)
{
  switch (kind)
    {
    case NODE_ADD:
      return a + b;
    case NODE_SUBTRACT:
      return a - b;
    case NODE_MULTIPLY:
      return a * b;
    case NODE_DIVIDE:
      return b != 0 ? a / b : NAN;
    case NODE_MIN:
      return isnan (a) || isnan (b) ? NAN : MIN (a, b);
    default:
      return isnan (a) || isnan (b) ? NAN : MAX (a, b);
    }
}

/* The depth is bounded by KYMO_RULE_MOST_NODES. */
static double
get_number (const Evaluation *evaluation,
            guint             index)
{
  const KymoRuleNode *node = peek_node (evaluation->expression, index);
  double left;

  switch (node->kind)
    {
    case NODE_NUMBER:
      return node->number;
    case NODE_NAME:
      return evaluation->values->number (evaluation->data, node->name);
    case NODE_REF:
      return evaluation->values->reference (evaluation->data, node->name);
    case NODE_NEGATE:
      return -get_number (evaluation, node->left);
    case NODE_LOG2:
      left = get_number (evaluation, node->left);
      return left > 0 ? log2 (left) : NAN;
    case NODE_FIRST:
      left = get_number (evaluation, node->left);
      return isnan (left) ? get_number (evaluation, node->right) : left;
    default:
      left = get_number (evaluation, node->left);
      return isnan (left) ? NAN
        : apply_numbers (node->kind, left, get_number (evaluation, node->right));
    }
}

static KymoTruth
compare_numbers (const Evaluation   *evaluation,
                 const KymoRuleNode *node)
{
  double a = get_number (evaluation, node->left);
  double b = isnan (a) ? NAN : get_number (evaluation, node->right);

  if (isnan (a) || isnan (b))
    return KYMO_TRUTH_UNTESTED;
  switch (node->kind)
    {
    case NODE_LESS:
      return a < b;
    case NODE_LESS_OR_EQUAL:
      return a <= b;
    case NODE_MORE:
      return a > b;
    default:
      return a >= b;
    }
}

static KymoTruth
get_truth (const Evaluation *evaluation,
           guint             index)
{
  const KymoRuleNode *node = peek_node (evaluation->expression, index);
  KymoTruth left, right, decides;

  switch (node->kind)
    {
    case NODE_NAME:
      return evaluation->values->truth (evaluation->data, node->name);
    case NODE_EXCEEDS:
      return evaluation->values->exceeds (evaluation->data, node->name);
    case NODE_BEYOND:
      return evaluation->values->beyond (evaluation->data, node->name);
    case NODE_KNOWN:
      return !isnan (evaluation->values->number (evaluation->data, node->name));
    case NODE_NOT:
      left = get_truth (evaluation, node->left);
      return left == KYMO_TRUTH_UNTESTED ? left : !left;
    case NODE_AND:
    case NODE_OR:
      decides = node->kind == NODE_AND ? KYMO_TRUTH_FALSE : KYMO_TRUTH_TRUE;
      left = get_truth (evaluation, node->left);
      if (left == decides)
        return left;
      right = get_truth (evaluation, node->right);
      return right == decides || left != KYMO_TRUTH_UNTESTED ? right : left;
    default:
      return compare_numbers (evaluation, node);
    }
}

/**
 * kymo_rule_expression_test:
 * @expression: an expression that was checked to be a truth
 * @values: the values of names
 *
 * Returns: its value
 */
KymoTruth
kymo_rule_expression_test (const KymoRuleExpression *expression,
                           const KymoRuleValues     *values,
                           gpointer                  data)
{
  const Evaluation evaluation = { expression, values, data };

  return get_truth (&evaluation, expression->nodes->len - 1);
}

/**
 * kymo_rule_expression_get:
 * @expression: an expression that was checked to be a number
 * @values: the values of names
 *
 * Returns: its value in ns and bytes; NaN if it depends on something that is not known, or divides
 *   by 0
 */
double
kymo_rule_expression_get (const KymoRuleExpression *expression,
                          const KymoRuleValues     *values,
                          gpointer                  data)
{
  const Evaluation evaluation = { expression, values, data };

  return get_number (&evaluation, expression->nodes->len - 1);
}
