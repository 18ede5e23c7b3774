/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Dijkstra's shunting-yard: operators wait on a stack until one that binds less
 * strongly comes, so nothing recurses on what was typed. What is left is computed
 * with a stack of numbers.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-metric-expression.h"

#include <math.h>
#include <string.h>

#include "kymo-error.h"

typedef enum
{
  TERM_NUMBER,
  TERM_METRIC,
  TERM_ADD,
  TERM_SUBTRACT,
  TERM_MULTIPLY,
  TERM_DIVIDE,
  TERM_NEGATE,
  TERM_OPEN,                    /* on the stack of operators alone */
} TermKind;

typedef struct
{
  TermKind kind;
  double   number;
  guint    metric;
} Term;

struct _KymoMetricExpression
{
  guint n_terms;
  Term  terms[KYMO_METRIC_MOST_TERMS];  /* operators behind what they are of */
};

typedef struct
{
  const char           *text, *p;
  const char *const    *metrics;
  guint                 n_metrics;
  KymoMetricExpression *made;
  Term                  waiting[KYMO_METRIC_MOST_TERMS];
  guint                 n_waiting;
  gboolean              wants_value;
  GError              **error;
} Parser;

static gboolean
fail_metric_expression (Parser     *parser,
                        const char *why)
{
  g_autofree char *text = g_utf8_make_valid (parser->text, -1);

  if (parser->error == NULL || *parser->error == NULL)
    g_set_error (parser->error, KYMO_ERROR, KYMO_ERROR_USAGE, _("“%s” is no metric: %s"), text,
                 why);
  return FALSE;
}

static gboolean
emit_metric_expression (Parser     *parser,
                        const Term *term)
{
  if (parser->made->n_terms == KYMO_METRIC_MOST_TERMS)
    return fail_metric_expression (parser, _("it is too long"));
  parser->made->terms[parser->made->n_terms++] = *term;
  return TRUE;
}

static gboolean
hold_metric_expression (Parser   *parser,
                        TermKind  kind)
{
  if (parser->n_waiting == KYMO_METRIC_MOST_TERMS)
    return fail_metric_expression (parser, _("it is too long"));
  parser->waiting[parser->n_waiting++] = (Term) { kind };
  return TRUE;
}

static int
strength_of (TermKind kind)
{
  switch (kind)
    {
    case TERM_ADD:
    case TERM_SUBTRACT:
      return 1;
    case TERM_MULTIPLY:
    case TERM_DIVIDE:
      return 2;
    case TERM_NEGATE:
      return 3;
    default:
      return 0;
    }
}

/* Lets operators go that bind at least so strongly. */
static gboolean
metric_expression_release (Parser *parser,
                           int     strength)
{
  while (parser->n_waiting > 0
         && strength_of (parser->waiting[parser->n_waiting - 1].kind) >= strength)
    if (!emit_metric_expression (parser, &parser->waiting[--parser->n_waiting]))
      return FALSE;
  return TRUE;
}

static gboolean
take_name (Parser     *parser,
           const char *name,
           gsize       length)
{
  g_autofree char *shown = NULL, *why = NULL;

  if (parser->metrics == NULL && length > 0)
    return emit_metric_expression (parser, &(Term) { TERM_METRIC, 0, 0 });
  for (guint i = 0; i < parser->n_metrics; i++)
    if (strlen (parser->metrics[i]) == length
        && g_ascii_strncasecmp (parser->metrics[i], name, length) == 0)
      return emit_metric_expression (parser, &(Term) { TERM_METRIC, 0, i });
  shown = g_strndup (name, length);
  why = g_strdup_printf ("“%s” is none of this run", shown);
  return fail_metric_expression (parser, why);
}

static gboolean
is_of_name (char c)
{
  return g_ascii_isalnum (c) || c == '_' || c == ':' || c == '.' || (c & 0x80);
}

static gboolean
take_value (Parser *parser)
{
  const char *begin = parser->p;
  char *end;

  if (*begin == '"')
    {
      const char *close = strchr (begin + 1, '"');

      if (close == NULL)
        return fail_metric_expression (parser, _("a quote is not closed"));
      parser->p = close + 1;
      return take_name (parser, begin + 1, close - begin - 1);
    }
  if (g_ascii_isdigit (*begin) || *begin == '.')
    {
      double number = g_ascii_strtod (begin, &end);

      if (end > begin && isfinite (number) && !is_of_name (*end))
        {
          parser->p = end;
          return emit_metric_expression (parser, &(Term) { TERM_NUMBER, number });
        }
    }
  while (is_of_name (*parser->p))
    parser->p++;
  return parser->p > begin ? take_name (parser, begin, parser->p - begin)
    : fail_metric_expression (parser, *begin == '\0' ? _("it ends too early")
                              : _("a number or a name is missing"));
}

/* Takes a number, a name, or the sign or bracket before it. */
static gboolean
take_operand (Parser *parser)
{
  if (*parser->p == '(' || *parser->p == '-')
    return hold_metric_expression (parser, *parser->p++ == '(' ? TERM_OPEN : TERM_NEGATE);
  parser->wants_value = FALSE;
  return take_value (parser);
}

static gboolean
close_bracket (Parser *parser)
{
  if (!metric_expression_release (parser, 1))
    return FALSE;
  if (parser->n_waiting == 0)
    return fail_metric_expression (parser, _("a bracket is not opened"));
  parser->n_waiting--;
  parser->p++;
  return TRUE;
}

static gboolean
take_operator (Parser *parser)
{
  static const char signs[] = "+-*/";
  const char *sign;
  TermKind kind;

  if (*parser->p == ')')
    return close_bracket (parser);
  sign = strchr (signs, *parser->p);
  if (sign == NULL)
    return fail_metric_expression (parser, _("an operator is missing"));
  kind = TERM_ADD + (sign - signs);
  parser->p++;
  parser->wants_value = TRUE;
  return metric_expression_release (parser, strength_of (kind))
    && hold_metric_expression (parser, kind);
}

static gboolean
parse_metric_expression (Parser *parser)
{
  while (TRUE)
    {
      while (g_ascii_isspace (*parser->p))
        parser->p++;
      if (*parser->p == '\0' && !parser->wants_value)
        break;
      if (!(parser->wants_value ? take_operand (parser) : take_operator (parser)))
        return FALSE;
    }
  if (!metric_expression_release (parser, 1))
    return FALSE;
  return parser->n_waiting == 0 || fail_metric_expression (parser, _("a bracket is not closed"));
}

/**
 * kymo_metric_expression_new:
 * @text: the expression
 * @metrics: (nullable): names, upper and lower case alike; %NULL: any name will do, and
 *   nothing can be computed
 *
 * Returns: (transfer full) (nullable): the expression, or a usage error that says what is
 *   wrong with it
 */
KymoMetricExpression *
kymo_metric_expression_new (const char         *text,
                            const char *const  *metrics,
                            guint               n_metrics,
                            GError            **error)
{
  g_autoptr (KymoMetricExpression) made = g_new0 (KymoMetricExpression, 1);
  GError *local = NULL;
  Parser parser = { .text = text, .p = text, .metrics = metrics, .n_metrics = n_metrics,
                    .made = made, .wants_value = TRUE, .error = &local };

  if (parse_metric_expression (&parser))
    return g_steal_pointer (&made);
  g_propagate_error (error, local);
  return NULL;
}

/**
 * kymo_metric_expression_check:
 * @text: an expression
 *
 * Sets %KYMO_ERROR_USAGE with a sentence that says what is wrong with it.
 *
 * Returns: whether it would be an expression in a run that has the metrics it names
 */
gboolean
kymo_metric_expression_check (const char  *text,
                              GError     **error)
{
  g_autoptr (KymoMetricExpression) made = kymo_metric_expression_new (text, NULL, 0, error);

  return made != NULL;
}

/**
 * kymo_metric_expression_free:
 *
 * Frees @expression. %NULL is ignored.
 */
void
kymo_metric_expression_free (KymoMetricExpression *expression)
{
  g_free (expression);
}

/* Kind of a part of an expression: the same for all figures, a sum of metrics times constants, or
   another one. */
typedef enum
{
  PART_CONSTANT,
  PART_SUM,
  PART_OTHER,
} Part;

static Part
part_of (TermKind kind,
         Part     a,
         Part     b)
{
  switch (kind)
    {
    case TERM_ADD:
    case TERM_SUBTRACT:
      return a == b ? a : PART_OTHER;
    case TERM_MULTIPLY:
      return a == PART_CONSTANT ? b : b == PART_CONSTANT ? a : PART_OTHER;
    default:
      return b == PART_CONSTANT ? a : PART_OTHER;
    }
}

/**
 * kymo_metric_expression_is_additive:
 *
 * Returns: whether the value of a sum is the sum of the values: sums and differences of
 *   metrics, and these times or by constants. A constant alone is not, a ratio is not
 */
gboolean
kymo_metric_expression_is_additive (const KymoMetricExpression *expression)
{
  Part stack[KYMO_METRIC_MOST_TERMS];
  guint n = 0;

  for (guint i = 0; i < expression->n_terms; i++)
    {
      TermKind kind = expression->terms[i].kind;

      if (kind == TERM_NUMBER || kind == TERM_METRIC)
        stack[n++] = kind == TERM_NUMBER ? PART_CONSTANT : PART_SUM;
      else if (kind != TERM_NEGATE)
        {
          n--;
          stack[n - 1] = part_of (kind, stack[n - 1], stack[n]);
        }
    }
  return stack[0] == PART_SUM;
}

static double
apply_metric_expression (TermKind kind,
                         double   a,
                         double   b)
{
  switch (kind)
    {
    case TERM_ADD:
      return a + b;
    case TERM_SUBTRACT:
      return a - b;
    case TERM_MULTIPLY:
      return a * b;
    default:
      return b != 0 ? a / b : 0;
    }
}

/**
 * kymo_metric_expression_get:
 * @values: figures by metric, @stride apart
 *
 * Returns: the value; 0 where it is no finite number
 */
double
kymo_metric_expression_get (const KymoMetricExpression *expression,
                            const double               *values,
                            guint                       stride)
{
  double stack[KYMO_METRIC_MOST_TERMS];
  guint n = 0;

  for (guint i = 0; i < expression->n_terms; i++)
    {
      const Term *term = &expression->terms[i];

      if (term->kind == TERM_NUMBER)
        stack[n++] = term->number;
      else if (term->kind == TERM_METRIC)
        stack[n++] = values[(gsize) term->metric * stride];
      else if (term->kind == TERM_NEGATE)
        stack[n - 1] = -stack[n - 1];
      else
        {
          n--;
          stack[n - 1] = apply_metric_expression (term->kind, stack[n - 1], stack[n]);
        }
    }
  return isfinite (stack[0]) ? stack[0] : 0;
}
