/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "kymo-evaluation.h"

/**
 * State:
 * @price: sum of the prices of the metrics it names
 * @parts: (element-type KymoRule): diagnoses that it names
 * @wholes: (element-type KymoRule): diagnoses that name it
 * @is_target: a trigger leads to it
 * @is_active: it was in the queue, or a combination that may be tested at any time
 */
typedef struct
{
  const KymoRule *rule;
  KymoVerdict     verdict;
  guint           price;
  GPtrArray      *parts, *wholes;
  gboolean        is_target, is_free, is_active, is_tested;
} State;

struct _KymoEvaluation
{
  const KymoRules *rules;
  KymoRunMetrics     *measure;
  State           *states;      /* by number; rule = NULL where it is no diagnosis */
  GPtrArray       *queue;       /* State */
  guint            n_steps;
};

static State *
state_of (const KymoEvaluation *evaluation,
          const KymoRule       *rule)
{
  return &evaluation->states[rule->number];
}

/* -- how diagnoses hang together -------------------------------------------------- */

/* Of a metric, and of those that it is computed of; none is computed of itself. */
static guint
find_price (const KymoRules *rules,
            const KymoRule  *rule)
{
  guint n = 0, price;
  const char *const *names = NULL;

  if (rule->kind != KYMO_RULE_NAME_METRIC)
    return 0;
  price = rule->metric.price;
  if (rule->metric.of != NULL)
    names = kymo_rule_expression_peek_names (rule->metric.of, &n);
  for (guint i = 0; i < n; i++)
    price = MAX (price, find_price (rules, kymo_rules_find (rules, names[i])));
  return price;
}

static void
link_names (KymoEvaluation           *evaluation,
            State                    *state,
            const KymoRuleExpression *expression)
{
  guint n;
  const char *const *names = kymo_rule_expression_peek_names (expression, &n);

  for (guint i = 0; i < n; i++)
    {
      const KymoRule *rule = kymo_rules_find (evaluation->rules, names[i]);

      if (rule->kind == KYMO_RULE_NAME_METRIC)
        state->price += find_price (evaluation->rules, rule);
      else if (rule->kind == KYMO_RULE_NAME_DIAGNOSIS
               && !g_ptr_array_find (state->parts, rule, NULL))
        {
          g_ptr_array_add (state->parts, (gpointer) rule);
          g_ptr_array_add (state_of (evaluation, rule)->wholes, (gpointer) state->rule);
        }
    }
}

static void
begin_states (KymoEvaluation *evaluation)
{
  guint n = kymo_rules_get_n (evaluation->rules);

  evaluation->states = g_new0 (State, MAX (n, 1));
  for (guint i = 0; i < n; i++)
    {
      State *state = &evaluation->states[i];
      const KymoRule *rule = kymo_rules_peek (evaluation->rules, i);

      if (rule->kind != KYMO_RULE_NAME_DIAGNOSIS)
        continue;
      state->rule = rule;
      state->verdict.truth = KYMO_TRUTH_UNTESTED;
      state->parts = g_ptr_array_new ();
      state->wholes = g_ptr_array_new ();
    }
}

static void
link_states (KymoEvaluation *evaluation)
{
  for (guint i = 0; i < kymo_rules_get_n (evaluation->rules); i++)
    {
      State *state = &evaluation->states[i];
      const KymoDiagnosisRule *diagnosis;

      if (state->rule == NULL)
        continue;
      diagnosis = &state->rule->diagnosis;
      link_names (evaluation, state, diagnosis->needs);
      for (guint k = 0; k < diagnosis->when->len; k++)
        link_names (evaluation, state, diagnosis->when->pdata[k]);
      for (guint k = 0; diagnosis->triggers != NULL && diagnosis->triggers[k] != NULL; k++)
        {
          const KymoRule *target = kymo_rules_find (evaluation->rules, diagnosis->triggers[k]);

          state_of (evaluation, target)->is_target = TRUE;
        }
    }
}

/* Whether a diagnosis may be tested without a trigger: none leads to it, and it is no part, or part
   of something that may. Rules are no part of themselves, so this ends. */
static gboolean
find_free (const KymoEvaluation *evaluation,
           const State          *state)
{
  if (state->is_target)
    return FALSE;
  if (state->wholes->len == 0)
    return TRUE;
  for (guint i = 0; i < state->wholes->len; i++)
    if (find_free (evaluation, state_of (evaluation, state->wholes->pdata[i])))
      return TRUE;
  return FALSE;
}

/* -- testing ---------------------------------------------------------------------- */

typedef struct
{
  KymoEvaluation *evaluation;
  State          *state;
  char           *why;
} Test;

static void test_state (KymoEvaluation *evaluation,
                        State          *state);

static void
note_missing (Test *test,
              char *why)
{
  if (test->why == NULL)
    test->why = why;
  else
    g_free (why);
}

static double
get_number (gpointer    data,
            const char *name)
{
  Test *test = data;
  const KymoRule *rule = kymo_rules_find (test->evaluation->rules, name);
  const KymoMeasured *measured;

  if (rule->kind == KYMO_RULE_NAME_EXPECTATION)
    return rule->expectation.value;
  measured = kymo_run_metrics_get (test->evaluation->measure, rule);
  if (isnan (measured->value))
    note_missing (test, g_strdup (measured->why));
  return measured->value;
}

static void
note_references (Test *test)
{
  note_missing (test, kymo_run_metrics_dup_lack (test->evaluation->measure));
}

static double
get_reference (gpointer    data,
               const char *name)
{
  Test *test = data;
  const KymoRule *rule = kymo_rules_find (test->evaluation->rules, name);
  double median = kymo_run_metrics_get_usual (test->evaluation->measure, rule)->median;

  if (isnan (median))
    note_references (test);
  return median;
}

static KymoTruth
get_exceeds (gpointer    data,
             const char *name)
{
  Test *test = data;
  const KymoRule *rule = kymo_rules_find (test->evaluation->rules, name);
  KymoTruth truth = kymo_run_metrics_exceeds (test->evaluation->measure, rule);

  if (truth == KYMO_TRUTH_UNTESTED && isnan (get_number (data, name)))
    return truth;
  if (truth == KYMO_TRUTH_UNTESTED)
    note_references (test);
  return truth;
}

static KymoTruth
get_beyond (gpointer    data,
            const char *name)
{
  Test *test = data;
  const KymoRule *rule = kymo_rules_find (test->evaluation->rules, name);
  KymoTruth truth = kymo_run_metrics_is_beyond (test->evaluation->measure, rule);

  if (truth == KYMO_TRUTH_UNTESTED && !isnan (get_number (data, name)))
    note_references (test);
  return truth;
}

/* A part that waits for a trigger stays untested; any other part is tested now. */
static KymoTruth
get_truth (gpointer    data,
           const char *name)
{
  Test *test = data;
  State *part = state_of (test->evaluation, kymo_rules_find (test->evaluation->rules, name));

  if (!part->is_tested && !part->is_target && test->state->is_active)
    test_state (test->evaluation, part);
  if (part->verdict.truth == KYMO_TRUTH_UNTESTED)
    note_missing (test, part->verdict.why != NULL ? g_strdup (part->verdict.why)
                  : g_strdup_printf (_("“%s”, which nothing led to"),
                                     part->rule->diagnosis.title));
  return part->verdict.truth;
}

/* The same of the reference runs. */
static double
get_usual (gpointer    data,
           const char *name)
{
  Test *test = data;
  const KymoRule *rule = kymo_rules_find (test->evaluation->rules, name);

  return rule->kind == KYMO_RULE_NAME_EXPECTATION ? rule->expectation.value
    : kymo_run_metrics_get_usual (test->evaluation->measure, rule)->median;
}

static const KymoRuleValues test_values = { get_number, get_reference, get_exceeds, get_truth,
                                            get_beyond };

/* One definition that is true suffices; all must be false. */
static KymoTruth
test_definitions (Test *test)
{
  const KymoDiagnosisRule *diagnosis = &test->state->rule->diagnosis;
  KymoTruth truth = KYMO_TRUTH_FALSE;

  if (diagnosis->needs != NULL)
    {
      KymoTruth needs = kymo_rule_expression_test (diagnosis->needs, &test_values, test);

      if (needs == KYMO_TRUTH_FALSE)
        note_missing (test, g_strdup (_("a run of another kind")));
      if (needs != KYMO_TRUTH_TRUE)
        return KYMO_TRUTH_UNTESTED;
      /* What may be missing for that was not needed. */
      g_clear_pointer (&test->why, g_free);
    }
  for (guint i = 0; i < diagnosis->when->len; i++)
    {
      KymoTruth one = kymo_rule_expression_test (diagnosis->when->pdata[i], &test_values, test);

      if (one == KYMO_TRUTH_TRUE)
        return one;
      if (one == KYMO_TRUTH_UNTESTED)
        truth = one;
    }
  return truth;
}

static void
put_into_queue (KymoEvaluation *evaluation,
                State          *state)
{
  if (state->is_active)
    return;
  state->is_active = TRUE;
  g_ptr_array_add (evaluation->queue, state);
}

static void
pull_triggers (KymoEvaluation *evaluation,
               const State    *state)
{
  char **triggers = state->rule->diagnosis.triggers;

  for (guint i = 0; triggers != NULL && triggers[i] != NULL; i++)
    put_into_queue (evaluation,
                    state_of (evaluation, kymo_rules_find (evaluation->rules, triggers[i])));
}

static void
test_wholes (KymoEvaluation *evaluation,
             const State    *state)
{
  for (guint i = 0; i < state->wholes->len; i++)
    {
      State *whole = state_of (evaluation, state->wholes->pdata[i]);

      if (whole->is_free || whole->is_tested)
        test_state (evaluation, whole);
    }
}

static gint64
get_cost (Test                     *test,
          const KymoRuleExpression *cost,
          const KymoRuleValues     *values,
          gint64                    fallback)
{
  double ns = cost != NULL ? kymo_rule_expression_get (cost, values, test) : NAN;

  return isnan (ns) ? fallback : (gint64) CLAMP (ns, 0, 9e18);
}

static void
set_cost (Test *test)
{
  static const KymoRuleValues usual_values = { get_usual, get_usual };
  const KymoDiagnosisRule *diagnosis = &test->state->rule->diagnosis;
  KymoVerdict *verdict = &test->state->verdict;

  verdict->cost_ns = get_cost (test, diagnosis->cost, &test_values, 0);
  verdict->vote_cost_ns = get_cost (test, diagnosis->vote_cost, &test_values, verdict->cost_ns);
  verdict->usual_cost_ns
    = kymo_run_metrics_get_n_fitting (test->evaluation->measure) < KYMO_LEAST_REFERENCES ? -1
    : get_cost (test, diagnosis->cost, &usual_values, -1);
  verdict->is_confirmed = diagnosis->confirms != NULL
    && kymo_rule_expression_test (diagnosis->confirms, &test_values, test) == KYMO_TRUTH_TRUE;
}

/* Tests a diagnosis, and what follows from it. A value that is known does not change. */
static void
test_state (KymoEvaluation *evaluation,
            State          *state)
{
  Test test = { evaluation, state };
  KymoVerdict *verdict = &state->verdict;

  if (state->is_tested && verdict->truth != KYMO_TRUTH_UNTESTED)
    return;
  state->is_tested = TRUE;
  verdict->truth = test_definitions (&test);
  g_clear_pointer (&verdict->why, g_free);
  if (verdict->truth == KYMO_TRUTH_UNTESTED)
    verdict->why = g_steal_pointer (&test.why);
  else
    verdict->step = ++evaluation->n_steps;
  if (verdict->truth == KYMO_TRUTH_TRUE)
    {
      set_cost (&test);
      pull_triggers (evaluation, state);
    }
  g_free (test.why);
  test_wholes (evaluation, state);
}

static gboolean
is_before (const State *a,
           const State *b)
{
  if (a->rule->diagnosis.priority != b->rule->diagnosis.priority)
    return a->rule->diagnosis.priority < b->rule->diagnosis.priority;
  return a->price != b->price ? a->price < b->price : a->rule->number < b->rule->number;
}

static State *
take_next (KymoEvaluation *evaluation)
{
  guint best = 0;

  for (guint i = 1; i < evaluation->queue->len; i++)
    if (is_before (evaluation->queue->pdata[i], evaluation->queue->pdata[best]))
      best = i;
  return g_ptr_array_remove_index (evaluation->queue, best);
}

/* What compares begins; what combines follows from its parts. */
static void
fill_queue (KymoEvaluation *evaluation)
{
  for (guint i = 0; i < kymo_rules_get_n (evaluation->rules); i++)
    {
      State *state = &evaluation->states[i];

      if (state->rule == NULL)
        continue;
      state->is_free = find_free (evaluation, state);
      if (state->is_free && state->parts->len == 0)
        put_into_queue (evaluation, state);
    }
}

/* Says of what was never tested which diagnosis would have led to it. */
static void
explain_untested (KymoEvaluation *evaluation)
{
  for (guint i = 0; i < kymo_rules_get_n (evaluation->rules); i++)
    {
      const State *state = &evaluation->states[i];
      char **triggers = state->rule != NULL ? state->rule->diagnosis.triggers : NULL;

      for (guint k = 0; triggers != NULL && triggers[k] != NULL; k++)
        {
          State *target = state_of (evaluation,
                                    kymo_rules_find (evaluation->rules, triggers[k]));

          if (!target->is_tested && target->verdict.why == NULL)
            target->verdict.why = g_strdup_printf (_("“%s”, which would lead to it, to be true"),
                                                   state->rule->diagnosis.title);
        }
    }
}

/**
 * kymo_evaluation_new:
 * @rules: they were checked, and outlive the result
 * @measure: where values come from; outlives the result
 *
 * Tests the diagnoses.
 *
 * Returns: (transfer full): all verdicts
 */
KymoEvaluation *
kymo_evaluation_new (const KymoRules *rules,
                     KymoRunMetrics  *measure)
{
  KymoEvaluation *evaluation = g_new0 (KymoEvaluation, 1);

  evaluation->rules = rules;
  evaluation->measure = measure;
  evaluation->queue = g_ptr_array_new ();
  begin_states (evaluation);
  link_states (evaluation);
  fill_queue (evaluation);
  kymo_run_metrics_let_probe (measure, TRUE);
  while (evaluation->queue->len > 0)
    test_state (evaluation, take_next (evaluation));
  kymo_run_metrics_let_probe (measure, FALSE);
  explain_untested (evaluation);
  return evaluation;
}

/**
 * kymo_evaluation_free:
 *
 * Frees @evaluation. %NULL is ignored.
 */
void
kymo_evaluation_free (KymoEvaluation *evaluation)
{
  if (evaluation == NULL)
    return;
  for (guint i = 0; i < kymo_rules_get_n (evaluation->rules); i++)
    {
      State *state = &evaluation->states[i];

      g_free (state->verdict.why);
      g_clear_pointer (&state->parts, g_ptr_array_unref);
      g_clear_pointer (&state->wholes, g_ptr_array_unref);
    }
  g_free (evaluation->states);
  g_ptr_array_unref (evaluation->queue);
  g_free (evaluation);
}

/**
 * kymo_evaluation_get:
 * @diagnosis: a rule of kind diagnosis
 *
 * Returns: (transfer none): its verdict
 */
const KymoVerdict *
kymo_evaluation_get (const KymoEvaluation *evaluation,
                     const KymoRule       *diagnosis)
{
  return &state_of (evaluation, diagnosis)->verdict;
}

/**
 * kymo_evaluation_find_cost:
 * @diagnosis: a rule of kind diagnosis
 *
 * Measures what the cost names, also where the diagnosis is false and nothing needed it before.
 *
 * Returns: the cost in ns of a diagnosis that was tested, whether it is true or not; 0 of one that
 *   was not or that has no cost
 */
gint64
kymo_evaluation_find_cost (KymoEvaluation *evaluation,
                           const KymoRule *diagnosis)
{
  State *state = state_of (evaluation, diagnosis);
  Test test = { evaluation, state };
  gint64 cost_ns = 0;

  if (state->verdict.truth != KYMO_TRUTH_UNTESTED)
    cost_ns = get_cost (&test, diagnosis->diagnosis.cost, &test_values, 0);
  g_free (test.why);
  return cost_ns;
}

/** kymo_evaluation_peek_measure: (transfer none): where the values came from */
KymoRunMetrics *
kymo_evaluation_peek_measure (KymoEvaluation *evaluation)
{
  return evaluation->measure;
}

static int
compare_steps (gconstpointer a,
               gconstpointer b,
               gpointer      data)
{
  const KymoEvaluation *evaluation = data;
  guint x = state_of (evaluation, *(const KymoRule *const *) a)->verdict.step;
  guint y = state_of (evaluation, *(const KymoRule *const *) b)->verdict.step;

  return (x > y) - (x < y);
}

GPtrArray *
kymo_evaluation_list_steps (const KymoEvaluation *evaluation)
{
  GPtrArray *steps = g_ptr_array_new ();

  for (guint i = 0; i < kymo_rules_get_n (evaluation->rules); i++)
    if (evaluation->states[i].rule != NULL && evaluation->states[i].verdict.step > 0)
      g_ptr_array_add (steps, (gpointer) evaluation->states[i].rule);
  g_ptr_array_sort_with_data (steps, compare_steps, (gpointer) evaluation);
  return steps;
}
