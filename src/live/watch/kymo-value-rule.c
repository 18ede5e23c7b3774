/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A second has one figure, in thousandths of the value's unit, because a mean over processes is no
 * whole number. The last seconds are a ring of at most a hundred steps of whole seconds, as of the
 * other rules.
 */
#include "config.h"

#include "kymo-value-rule.h"

#include <glib/gi18n-lib.h>

#include "kymo-units.h"

#define STEPS 100
#define SCALE 1000
#define SECOND_NS G_GINT64_CONSTANT (1000000000)
#define LONGEST_S (24 * 3600)

/* 86,400 seconds of the largest figure do not overflow it. */
typedef __int128 Sum;

struct _KymoValueRule
{
  KymoCondition *condition;
  guint          step_s;                /* seconds of a step */
  guint          n_steps;
  Sum           *steps;                 /* a ring */
  Sum            sum;                   /* of the full steps */
  guint          at;                    /* the step that is being filled */
  guint          n_seconds;             /* in it */
  guint          n_full;                /* steps */
  Sum            told;                  /* sum of the last whole stretch */
  gint64         rank;                  /* that had the last figure; -1 = of all */
};

/**
 * kymo_value_rule_new:
 * @condition: on a value; copied
 *
 * Returns: (transfer full): the rule; free with kymo_value_rule_free()
 */
KymoValueRule *
kymo_value_rule_new (const KymoCondition *condition)
{
  KymoValueRule *rule = g_new0 (KymoValueRule, 1);
  guint seconds = CLAMP ((condition->for_ns + SECOND_NS - 1) / SECOND_NS, 1, LONGEST_S);

  rule->condition = kymo_condition_copy (condition);
  rule->step_s = (seconds + STEPS - 1) / STEPS;
  rule->n_steps = (seconds + rule->step_s - 1) / rule->step_s;
  rule->steps = g_new0 (Sum, rule->n_steps);
  return rule;
}

/**
 * kymo_value_rule_free:
 *
 * Frees @rule. %NULL is ignored.
 */
void
kymo_value_rule_free (KymoValueRule *rule)
{
  if (rule == NULL)
    return;
  kymo_condition_free (rule->condition);
  g_free (rule->steps);
  g_free (rule);
}

/**
 * kymo_value_rule_forget:
 *
 * Forgets all seconds: the next stretch begins with the next one.
 */
void
kymo_value_rule_forget (KymoValueRule *rule)
{
  rule->sum = 0;
  rule->at = rule->n_seconds = rule->n_full = 0;
  for (guint i = 0; i < rule->n_steps; i++)
    rule->steps[i] = 0;
}

static Sum
get_figure (KymoValueRule        *rule,
            const KymoStreamValue *value)
{
  KymoWatchedFigure figure = rule->condition->figure;

  rule->rank = figure == KYMO_WATCHED_LOWEST ? value->least_rank
    : figure == KYMO_WATCHED_HIGHEST ? value->most_rank : -1;
  if (figure == KYMO_WATCHED_MEAN)
    return (Sum) value->sum * SCALE / value->n;
  return (Sum) (figure == KYMO_WATCHED_LOWEST ? value->least : value->most) * SCALE;
}

/**
 * kymo_value_rule_take:
 * @values: of the second that follows the one before; a second without the value breaks the stretch
 *
 * Returns: TRUE if a whole stretch ends here, so that kymo_value_rule_is_met() tells of it
 */
gboolean
kymo_value_rule_take (KymoValueRule         *rule,
                       const KymoStreamValues *values)
{
  const KymoStreamValue *value = kymo_stream_values_find (values, rule->condition->value->id);

  if (value == NULL)
    {
      kymo_value_rule_forget (rule);
      return FALSE;
    }
  rule->steps[rule->at] += get_figure (rule, value);
  if (++rule->n_seconds < rule->step_s)
    return FALSE;
  rule->sum += rule->steps[rule->at];
  rule->n_seconds = 0;
  rule->at = (rule->at + 1) % rule->n_steps;
  if (++rule->n_full < rule->n_steps)
    return FALSE;
  rule->told = rule->sum;
  rule->sum -= rule->steps[rule->at];
  rule->steps[rule->at] = 0;
  rule->n_full--;
  return TRUE;
}

/**
 * kymo_value_rule_is_met:
 *
 * Returns: TRUE if the last whole stretch meets the condition
 */
gboolean
kymo_value_rule_is_met (const KymoValueRule *rule)
{
  Sum limit = (Sum) rule->condition->amount * SCALE * rule->n_steps * rule->step_s;

  return rule->condition->below ? rule->told < limit : rule->told > limit;
}

/** kymo_value_rule_get_length_ns: length of a stretch in nanoseconds */
gint64
kymo_value_rule_get_length_ns (const KymoValueRule *rule)
{
  return (gint64) rule->n_steps * rule->step_s * SECOND_NS;
}

/* The sentences, by figure and side: of the value, the limit, the length, and what was found. */
static const char *
peek_sentence (const KymoCondition *condition)
{
  static const char *const sentences[KYMO_WATCHED_N_FIGURES][2] = {
    { N_("%s: lowest above %s for %s (%s)"), N_("%s: lowest below %s for %s (%s)") },
    { N_("%s: mean above %s for %s (%s)"), N_("%s: mean below %s for %s (%s)") },
    { N_("%s: highest above %s for %s (%s)"), N_("%s: highest below %s for %s (%s)") },
  };

  return _(sentences[condition->figure][condition->below]);
}

/**
 * kymo_value_rule_tell:
 *
 * Returns: (transfer full): a sentence for people about the last whole stretch:
 *   "Load: lowest below 20 % for 5 s (12 %, rank 3)"
 */
char *
kymo_value_rule_tell (const KymoValueRule *rule)
{
  const KymoCondition *condition = rule->condition;
  gint64 seconds = (gint64) rule->n_steps * rule->step_s;
  gint64 mean = (gint64) (rule->told / ((Sum) SCALE * seconds));
  g_autofree char *limit = kymo_watched_value_format (condition->value, condition->amount);
  g_autofree char *length = kymo_format_duration_exact (condition->for_ns);
  g_autofree char *found = kymo_watched_value_format (condition->value, mean);

  if (rule->rank >= 0)
    {
      g_autofree char *alone = g_steal_pointer (&found);

      found = g_strdup_printf (_("%s, rank %" G_GINT64_FORMAT), alone, rule->rank);
    }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  return g_strdup_printf (peek_sentence (condition), _(condition->value->label), limit, length,
                          found);
#pragma GCC diagnostic pop
}
