/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A diagnosis that is true of one of the runs is a cause for all of them: what it costs where it is
 * too small to be true is the other side of the difference. Causes overlap: a process that waits
 * for a CPU computes longer, and a late sender is often a busy one. So each cause gets what the
 * causes that contain it have left of its cost (as findings do), in order of priority, and never
 * more than is left of the time that it can lie in: time that was not useful for causes within the
 * program, first the time of computing for those outside of it.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "kymo-changes.h"
#include "kymo-diagnose.h"
#include "kymo-error.h"
#include "kymo-findings-private.h"

#define N_SIDES 2

/**
 * Split:
 * @wall_ns: of what is compared
 * @computing_ns, @untraced_ns, @rest_ns: beside the causes
 * @cause_ns: (element-type gint64): by number of the rule
 *
 * The time of one side: sums over its runs, then means.
 */
typedef struct
{
  guint   n_runs;
  gint64  wall_ns, computing_ns, untraced_ns, rest_ns;
  GArray *cause_ns;
} Split;

/**
 * Run:
 * @side: 0 or 1
 * @span: what is compared, in its own time
 * @is_whole: all of it
 * @useful_ns, @lost_ns: time that no cause has taken
 */
typedef struct
{
  const KymoRules *rules;
  KymoRunMetrics  *measure;
  KymoEvaluation  *evaluation;
  guint            side;
  KymoSpan         span;
  gboolean         is_whole;
  gint64           useful_ns, lost_ns;
} Run;

static void
run_free (gpointer data)
{
  Run *run = data;

  g_clear_pointer (&run->evaluation, kymo_evaluation_free);
  g_clear_pointer (&run->measure, kymo_run_metrics_free);
  g_free (run);
}

/* -- costs ------------------------------------------------------------------------- */

static gint64
find_net_cost (Run            *run,
               const KymoRule *rule)
{
  char **within = rule->diagnosis.within;
  gint64 net_ns = kymo_evaluation_find_cost (run->evaluation, rule);

  for (guint i = 0; within != NULL && within[i] != NULL; i++)
    net_ns -= kymo_evaluation_find_cost (run->evaluation, kymo_rules_find (run->rules, within[i]));
  return MAX (net_ns, 0);
}

static gint64
take_from (gint64 *left_ns,
           gint64  wanted_ns)
{
  gint64 taken_ns = CLAMP (wanted_ns, 0, *left_ns);

  *left_ns -= taken_ns;
  return taken_ns;
}

/* What has a share of something else lies outside of the range, and is no part of a part of it. */
static gint64
take_cause (Run            *run,
            const KymoRule *rule)
{
  gint64 cost_ns, taken_ns;

  if (rule->diagnosis.share_of != NULL && !run->is_whole)
    return 0;
  cost_ns = find_net_cost (run, rule);
  if (g_strcmp0 (rule->diagnosis.layer, "application") == 0)
    return take_from (&run->lost_ns, cost_ns);
  taken_ns = take_from (&run->useful_ns, cost_ns);
  return taken_ns + take_from (&run->lost_ns, cost_ns - taken_ns);
}

/* -- one run ----------------------------------------------------------------------- */

static int
compare_rules (gconstpointer a,
               gconstpointer b)
{
  const KymoRule *x = *(const KymoRule *const *) a, *y = *(const KymoRule *const *) b;
  gboolean outside = x->diagnosis.share_of != NULL, other = y->diagnosis.share_of != NULL;

  if (outside != other)
    return other - outside;
  if (x->diagnosis.priority != y->diagnosis.priority)
    return x->diagnosis.priority < y->diagnosis.priority ? -1 : 1;
  return x->number < y->number ? -1 : 1;
}

static gboolean
is_true_of_any (GPtrArray      *runs,
                const KymoRule *rule)
{
  for (guint i = 0; i < runs->len; i++)
    if (kymo_evaluation_get (((const Run *) runs->pdata[i])->evaluation, rule)->truth
        == KYMO_TRUTH_TRUE)
      return TRUE;
  return FALSE;
}

/* (transfer container): in the order in which they take their time */
static GPtrArray *
list_causes (const KymoRules *rules,
             GPtrArray       *runs)
{
  GPtrArray *list = g_ptr_array_new ();

  for (guint i = 0; i < kymo_rules_get_n (rules); i++)
    {
      const KymoRule *rule = kymo_rules_peek (rules, i);

      if (rule->kind == KYMO_RULE_NAME_DIAGNOSIS && rule->diagnosis.cost != NULL
          && is_true_of_any (runs, rule))
        g_ptr_array_add (list, (gpointer) rule);
    }
  g_ptr_array_sort (list, compare_rules);
  return list;
}

/* Rules look at the time that was traced, and of a whole run at its main part. */
static gboolean
begin_split (Run   *run,
             Split *split)
{
  double wall = kymo_findings_get_metric (run->rules, run->measure, "wall");
  double whole = kymo_findings_get_metric (run->rules, run->measure, "whole.wall");
  double useful = kymo_findings_get_metric (run->rules, run->measure, "useful.mean");
  gint64 traced_ns, all_ns;

  if (run->is_whole && !isnan (whole) && whole > wall)
    wall = whole;
  if (isnan (wall) || isnan (useful))
    return FALSE;
  traced_ns = llround (wall);
  all_ns = MAX (kymo_span_length (run->span), traced_ns);
  run->useful_ns = CLAMP (llround (useful), 0, traced_ns);
  run->lost_ns = traced_ns - run->useful_ns;
  split->n_runs++;
  split->wall_ns += all_ns;
  split->untraced_ns += all_ns - traced_ns;
  return TRUE;
}

/* Adds a run to its side. FALSE if its time is not known. */
static gboolean
split_run (Run       *run,
           GPtrArray *causes,
           Split     *split)
{
  if (!begin_split (run, split))
    return FALSE;
  for (guint i = 0; i < causes->len; i++)
    {
      const KymoRule *rule = causes->pdata[i];

      g_array_index (split->cause_ns, gint64, rule->number) += take_cause (run, rule);
    }
  split->computing_ns += run->useful_ns;
  return TRUE;
}

/* Means of repeats are whole nanoseconds, and the rest is what is left, so that sums stay exact. */
static void
end_split (Split *split)
{
  split->wall_ns /= split->n_runs;
  split->computing_ns /= split->n_runs;
  split->untraced_ns /= split->n_runs;
  split->rest_ns = split->wall_ns - split->computing_ns - split->untraced_ns;
  for (guint i = 0; i < split->cause_ns->len; i++)
    {
      g_array_index (split->cause_ns, gint64, i) /= split->n_runs;
      split->rest_ns -= g_array_index (split->cause_ns, gint64, i);
    }
}

/* -- two sides --------------------------------------------------------------------- */

typedef struct
{
  char  *id;
  char  *title;
  gint64 ns[N_SIDES];
} Change;

static void
change_free (gpointer data)
{
  g_free (((Change *) data)->id);
  g_free (((Change *) data)->title);
  g_free (data);
}

static gint64
find_difference (const Change *change)
{
  return change->ns[1] - change->ns[0];
}

/* The largest first; what no cause explains last. */
static int
compare_changes (gconstpointer a,
                 gconstpointer b)
{
  const Change *x = *(const Change *const *) a, *y = *(const Change *const *) b;
  gint64 p = ABS (find_difference (x)), q = ABS (find_difference (y));
  gboolean is_rest = strcmp (x->id, KYMO_CHANGE_REST) == 0;

  if (is_rest || strcmp (y->id, KYMO_CHANGE_REST) == 0)
    return is_rest ? 1 : -1;
  return p != q ? (p < q) - (p > q) : strcmp (x->id, y->id);
}

static void
add_change (GPtrArray  *changes,
            const char *id,
            const char *title,
            gint64      a_ns,
            gint64      b_ns)
{
  Change *change = g_new0 (Change, 1);

  change->id = g_strdup (id);
  change->title = g_strdup (title);
  change->ns[0] = a_ns;
  change->ns[1] = b_ns;
  g_ptr_array_add (changes, change);
}

static GPtrArray *
list_changes (GPtrArray   *causes,
              const Split *sides)
{
  GPtrArray *changes = g_ptr_array_new_with_free_func (change_free);

  add_change (changes, KYMO_CHANGE_COMPUTING, _("Computing"), sides[0].computing_ns,
              sides[1].computing_ns);
  for (guint i = 0; i < causes->len; i++)
    {
      const KymoRule *rule = causes->pdata[i];
      gint64 a_ns = g_array_index (sides[0].cause_ns, gint64, rule->number);
      gint64 b_ns = g_array_index (sides[1].cause_ns, gint64, rule->number);

      if (a_ns != 0 || b_ns != 0)
        add_change (changes, rule->name, _(rule->diagnosis.title), a_ns, b_ns);
    }
  if (sides[0].untraced_ns != 0 || sides[1].untraced_ns != 0)
    add_change (changes, KYMO_CHANGE_UNTRACED, _("Not traced"), sides[0].untraced_ns,
                sides[1].untraced_ns);
  add_change (changes, KYMO_CHANGE_REST, _("Waiting and overhead that no cause explains"),
              sides[0].rest_ns, sides[1].rest_ns);
  g_ptr_array_sort (changes, compare_changes);
  return changes;
}

static KymoTable *
build_causes (GPtrArray *changes,
              gint64     wall_ns)
{
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);
  guint id = kymo_table_add_column (table, "id", KYMO_COLUMN_STRING, 1);
  guint title = kymo_table_add_column (table, "title", KYMO_COLUMN_STRING, 1);
  guint a = kymo_table_add_column (table, "a_ns", KYMO_COLUMN_INT, 1);
  guint b = kymo_table_add_column (table, "b_ns", KYMO_COLUMN_INT, 1);
  guint difference = kymo_table_add_column (table, "difference_ns", KYMO_COLUMN_INT, 1);
  guint effect = kymo_table_add_column (table, "effect", KYMO_COLUMN_DOUBLE, 1);

  for (guint i = 0; i < changes->len; i++)
    {
      const Change *change = changes->pdata[i];

      kymo_table_append_string (table, id, change->id);
      kymo_table_append_string (table, title, change->title);
      kymo_table_append_int (table, a, change->ns[0]);
      kymo_table_append_int (table, b, change->ns[1]);
      kymo_table_append_int (table, difference, find_difference (change));
      kymo_table_append_double (table, effect,
                                wall_ns > 0 ? (double) find_difference (change) / wall_ns : NAN);
    }
  return table;
}

/* (transfer full): the runs of both sides, evaluated each in the range in which it was compared */
static GPtrArray *
evaluate_runs (KymoComparison  *comparison,
               const KymoTable *compared,
               const KymoRules *rules,
               GCancellable    *cancellable)
{
  GPtrArray *all = g_ptr_array_new_with_free_func (run_free);
  const KymoTable *runs = kymo_table_peek_nested (compared, "runs", NULL);
  gint64 against = kymo_table_get_int (compared, "against", 0);

  for (guint i = 0; i < kymo_table_get_n_rows (runs); i++)
    {
      gint64 side = kymo_table_get_int (runs, "side", i);
      KymoSource *source = kymo_comparison_peek_run (comparison, i);
      KymoSpan whole = kymo_source_get_span (source);
      Run *run;

      if (side != 0 && side != against)
        continue;
      run = g_new0 (Run, 1);
      run->rules = rules;
      run->side = side != 0;
      run->span = (KymoSpan) { kymo_table_get_int (runs, "begin_ns", i),
                               kymo_table_get_int (runs, "end_ns", i) };
      run->is_whole = run->span.begin_ns <= whole.begin_ns && run->span.end_ns >= whole.end_ns;
      run->measure = kymo_run_metrics_new (rules, source, run->is_whole ? NULL : &run->span, NULL,
                                           cancellable);
      run->evaluation = kymo_evaluation_new (rules, run->measure);
      g_ptr_array_add (all, run);
    }
  return all;
}

static gboolean
split_sides (GPtrArray *runs,
             GPtrArray *causes,
             Split     *sides)
{
  for (guint i = 0; i < runs->len; i++)
    {
      Run *run = runs->pdata[i];

      if (!split_run (run, causes, &sides[run->side]))
        return FALSE;
    }
  return sides[0].n_runs > 0 && sides[1].n_runs > 0;
}

/* -- the surroundings -------------------------------------------------------------- */

static gboolean
is_of_surroundings (const char *section,
                    const char *key)
{
  static const char *const known[] = { "host", "machine", "runtime_version", "command_line", NULL };

  return g_strcmp0 (section, "environment") == 0
    || (g_strcmp0 (section, "provenance") == 0 && g_strv_contains (known, key));
}

/* The first run of each side. */
static void
find_firsts (const KymoTable *compared,
             guint           *firsts)
{
  const KymoTable *runs = kymo_table_peek_nested (compared, "runs", NULL);
  const gint64 sides[N_SIDES] = { 0, kymo_table_get_int (compared, "against", 0) };

  for (guint s = 0; s < N_SIDES; s++)
    for (guint i = kymo_table_get_n_rows (runs); i > 0; i--)
      if (kymo_table_get_int (runs, "side", i - 1) == sides[s])
        firsts[s] = i - 1;
}

/* What differs of library, placement, frequencies and settings: it has no seconds of its own. */
static KymoTable *
list_surroundings (KymoComparison  *comparison,
                   const KymoTable *compared,
                   GCancellable    *cancellable)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("compare-info");
  g_autoptr (KymoTable) info = kymo_source_ask (KYMO_SOURCE (comparison), question, cancellable,
                                                NULL);
  const KymoTable *facts = info != NULL ? kymo_table_peek_nested (info, "facts", NULL) : NULL;
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);
  guint key = kymo_table_add_column (table, "key", KYMO_COLUMN_STRING, 1);
  guint a = kymo_table_add_column (table, "a", KYMO_COLUMN_STRING, 1);
  guint b = kymo_table_add_column (table, "b", KYMO_COLUMN_STRING, 1);
  guint firsts[N_SIDES] = { 0 };

  find_firsts (compared, firsts);
  for (guint i = 0; facts != NULL && i < kymo_table_get_n_rows (facts); i++)
    {
      const guint *offsets;
      const KymoTable *values = kymo_table_peek_nested (facts, "values", &offsets);
      const char *name = kymo_table_get_string (facts, "key", i);
      const char *first = kymo_table_get_string (values, "value", offsets[i] + firsts[0]);
      const char *second = kymo_table_get_string (values, "value", offsets[i] + firsts[1]);

      if (!is_of_surroundings (kymo_table_get_string (facts, "section", i), name)
          || g_strcmp0 (first, second) == 0)
        continue;
      kymo_table_append_string (table, key, name);
      kymo_table_append_string (table, a, first);
      kymo_table_append_string (table, b, second);
    }
  return table;
}

static KymoTable *
build_answer (const KymoTable *compared,
              GPtrArray       *causes,
              const Split     *sides)
{
  g_autoptr (GPtrArray) changes = list_changes (causes, sides);
  const KymoTable *labels = kymo_table_peek_nested (compared, "sides", NULL);
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);
  gint64 against = kymo_table_get_int (compared, "against", 0);

  kymo_table_set_string (answer, "a", kymo_table_get_string (labels, "label", 0));
  kymo_table_set_string (answer, "b", kymo_table_get_string (labels, "label", against));
  kymo_table_set_int (answer, "a_ns", sides[0].wall_ns);
  kymo_table_set_int (answer, "b_ns", sides[1].wall_ns);
  kymo_table_set_int (answer, "difference_ns", sides[1].wall_ns - sides[0].wall_ns);
  kymo_table_set_table (answer, "causes", build_causes (changes, sides[0].wall_ns));
  return answer;
}

/**
 * kymo_changes_new:
 * @comparison: whose runs are asked
 * @compared: its answer to `compare`: which runs, sides and ranges
 * @cancellable: (nullable): ends the questions under way
 *
 * Evaluates the rules of each run of side A and of the side that it is compared with. Blocks; any
 * thread may call.
 *
 * Returns: (transfer full) (nullable): an answer with a_ns, b_ns, difference_ns and the lists
 *   `causes`, the largest difference first, and `surroundings`, what differs around the runs; %NULL
 *   with %KYMO_ERROR_UNANSWERABLE if the elapsed time of a run is not known, with an error of
 *   rules, or with %G_IO_ERROR_CANCELLED
 */
KymoTable *
kymo_changes_new (KymoComparison   *comparison,
                  const KymoTable  *compared,
                  GCancellable     *cancellable,
                  GError          **error)
{
  g_autoptr (KymoRules) rules = kymo_diagnose_dup_rules (error);
  g_autoptr (GPtrArray) runs = NULL, causes = NULL;
  Split sides[N_SIDES] = { 0 };
  KymoTable *answer = NULL;
  gboolean is_known;

  if (rules == NULL)
    return NULL;
  runs = evaluate_runs (comparison, compared, rules, cancellable);
  causes = list_causes (rules, runs);
  for (guint i = 0; i < N_SIDES; i++)
    {
      sides[i].cause_ns = g_array_new (FALSE, TRUE, sizeof (gint64));
      g_array_set_size (sides[i].cause_ns, kymo_rules_get_n (rules));
    }
  is_known = split_sides (runs, causes, sides);
  for (guint i = 0; is_known && i < N_SIDES; i++)
    end_split (&sides[i]);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    ;
  else if (is_known)
    {
      answer = build_answer (compared, causes, sides);
      kymo_table_set_table (answer, "surroundings",
                            list_surroundings (comparison, compared, cancellable));
    }
  else
    g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                         _("The elapsed time of a run is not known"));
  for (guint i = 0; i < N_SIDES; i++)
    g_array_unref (sides[i].cause_ns);
  return answer;
}

/**
 * kymo_changes_ask:
 * @source: a #KymoComparison
 * @question: of kind `compare`
 *
 * Asks the comparison, then kymo_changes_new(). Blocks; any thread may call.
 *
 * Returns: (transfer full) (nullable): its answer, or %NULL with an error
 */
KymoTable *
kymo_changes_ask (KymoSource          *source,
                  const KymoQuestion  *question,
                  GCancellable        *cancellable,
                  GError             **error)
{
  g_autoptr (KymoTable) compared
    = kymo_source_ask (source, (KymoQuestion *) question, cancellable, error);

  return compared != NULL
    ? kymo_changes_new (KYMO_COMPARISON (source), compared, cancellable, error) : NULL;
}
