/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Expressions of diagnosis rules: "waits > 10 % * wall and known (ranks)".
 *
 * Numbers with units (10 ms, 4 KiB, 20 %, 1000/s), names, + - * / with the usual order,
 * comparisons, and, or, not, brackets, and the functions ref, exceeds,
 * beyond, known, min, max, first (the first of two that is known) and log2. A name may
 * contain points and hyphens, so a minus stands between spaces.
 *
 * An expression is a number with a dimension or a truth of Kleene's three-valued logic: what
 * depends on something that was not measured is untested, unless the measured rest decides.
 * Operands are evaluated from left to right and no further than needed, so what costs much stands
 * last.
 * Immutable after it was made; any thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** KYMO_RULE_MOST_NODES: numbers, names and operators of one expression */
#define KYMO_RULE_MOST_NODES 256

/** KYMO_RULE_MOST_DEPTH: brackets, signs and functions inside each other */
#define KYMO_RULE_MOST_DEPTH 32

typedef enum
{
  KYMO_TRUTH_FALSE,
  KYMO_TRUTH_TRUE,
  KYMO_TRUTH_UNTESTED,
} KymoTruth;

/**
 * KymoRuleType:
 * @is_truth: true, false or untested; otherwise a number
 * @time: power of ns of a number
 * @bytes: power of bytes of a number
 */
typedef struct
{
  gboolean is_truth;
  gint8    time, bytes;
} KymoRuleType;

/**
 * KymoRuleName:
 * @KYMO_RULE_NAME_NONE: nothing has this name
 */
typedef enum
{
  KYMO_RULE_NAME_NONE,
  KYMO_RULE_NAME_EXPECTATION,
  KYMO_RULE_NAME_METRIC,
  KYMO_RULE_NAME_DIAGNOSIS,
} KymoRuleName;

/**
 * KymoRuleScope:
 * @find: what a name means, and its type
 *
 * The names that an expression may use.
 */
typedef struct
{
  KymoRuleName (*find) (gpointer      data,
                        const char   *name,
                        KymoRuleType *type);
} KymoRuleScope;

/**
 * KymoRuleValues:
 * @number: the value of an expectation or a metric; NaN: it is not known
 * @reference: the median of a metric over the reference runs; NaN: it is not known
 * @exceeds: whether a metric is well above the reference runs
 * @truth: the value of a diagnosis
 * @beyond: whether a metric is above what is usual for the reference runs
 *
 * The values of names while an expression is evaluated.
 */
typedef struct
{
  double    (*number)    (gpointer data, const char *name);
  double    (*reference) (gpointer data, const char *name);
  KymoTruth (*exceeds)   (gpointer data, const char *name);
  KymoTruth (*truth)     (gpointer data, const char *name);
  KymoTruth (*beyond)    (gpointer data, const char *name);
} KymoRuleValues;

typedef struct _KymoRuleExpression KymoRuleExpression;

KymoRuleExpression *kymo_rule_expression_new   (const char               *text,
                                                GError                  **error);
void                kymo_rule_expression_free  (KymoRuleExpression       *expression);
const char *const  *kymo_rule_expression_peek_names
                                               (const KymoRuleExpression *expression,
                                                guint                    *n_names);
gboolean            kymo_rule_expression_is_relative
                                               (const KymoRuleExpression *expression);
gboolean            kymo_rule_expression_check (const KymoRuleExpression *expression,
                                                const KymoRuleScope      *scope,
                                                gpointer                  data,
                                                KymoRuleType             *type,
                                                GError                  **error);
KymoTruth           kymo_rule_expression_test  (const KymoRuleExpression *expression,
                                                const KymoRuleValues     *values,
                                                gpointer                  data);
double              kymo_rule_expression_get   (const KymoRuleExpression *expression,
                                                const KymoRuleValues     *values,
                                                gpointer                  data);
gboolean            kymo_rule_number_parse     (const char               *text,
                                                double                   *number,
                                                KymoRuleType             *type);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoRuleExpression, kymo_rule_expression_free)

G_END_DECLS
