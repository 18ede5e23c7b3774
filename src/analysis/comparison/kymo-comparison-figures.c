/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What each run had, by display name. Traces and summaries are asked for their
 * `profile`; where a run is a profile, or a metric is asked for, all are asked for the
 * figures of functions by metric, which both kinds have. What has the same name in
 * one run (overloaded methods, functions of several files) is summed up.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-comparison-private.h"

#include <math.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-id-weights.h"

/* Largest figure, so that several can be added and subtracted. */
#define MOST_FIGURE 2e18

static void
activity_free (gpointer data)
{
  KymoComparedActivity *activity = data;

  g_free (activity->key);
  g_free (activity->kind);
  g_free (activity->group);
  g_free (activity->role);
  g_free (activity);
}

static KymoComparedRun *
run_new (void)
{
  KymoComparedRun *run = g_new0 (KymoComparedRun, 1);

  run->activities = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, activity_free);
  return run;
}

/**
 * kymo_compared_run_free:
 *
 * Frees the figures of a run with its activities.
 */
void
kymo_compared_run_free (KymoComparedRun *run)
{
  g_hash_table_unref (run->activities);
  g_free (run->unit);
  g_free (run);
}

static char
class_of (const char *kind)
{
  static const struct { const char *kind; char letter; } letters[] =
    { { "idle", 'i' }, { "overhead", 'o' }, { "rest", 'o' }, { "untraced", 'u' },
      { "event", 'v' } };

  for (guint i = 0; i < G_N_ELEMENTS (letters); i++)
    if (g_strcmp0 (kind, letters[i].kind) == 0)
      return letters[i].letter;
  return 'c';
}

static void
add_activity (KymoComparedRun *run,
              const KymoTable *table,
              guint            row,
              const char      *name,
              gint64           calls,
              gint64           ns)
{
  const char *kind = kymo_table_get_string (table, "kind", row);
  g_autofree char *key = g_strdup_printf ("%c%s", class_of (kind), name);
  KymoComparedActivity *activity = g_hash_table_lookup (run->activities, key);

  if (*key == 'i' || *key == 'o' || *key == 'u')
    calls = KYMO_NULL_INT;
  if (activity != NULL)
    {
      activity->calls = calls == KYMO_NULL_INT || activity->calls == KYMO_NULL_INT
        ? KYMO_NULL_INT : kymo_saturating_add (activity->calls, calls);
      activity->ns = kymo_saturating_add (activity->ns, ns);
      return;
    }
  activity = g_new0 (KymoComparedActivity, 1);
  activity->key = g_steal_pointer (&key);
  activity->kind = g_strdup (kind);
  activity->group = g_strdup (kymo_table_get_string (table, "group", row));
  activity->role = g_strdup (kymo_table_get_string (table, "role", row));
  activity->calls = calls;
  activity->ns = ns;
  g_hash_table_insert (run->activities, activity->key, activity);
}

/* Returns of how many PEs the answer is, in millionths: workers, or all there is, or what they
   stand for. */
static gint64
count_pes (const KymoTable *answer)
{
  double stands_for = kymo_table_get_double (answer, "stands_for", 0);
  gint64 workers = kymo_table_get_int (answer, "workers", 0);
  gint64 others = kymo_table_get_int (answer, "communication_threads", 0);

  if (kymo_table_get_bool (answer, "extrapolated", 0) && isfinite (stands_for)
      && stands_for >= 1 && stands_for < 1e12)
    return llround (stands_for * KYMO_WEIGHT_ONE);
  return MAX (workers > 0 ? workers : others, 1) * KYMO_WEIGHT_ONE;
}

/**
 * kymo_compared_run_take:
 * @answer: to "profile" or "time-profile"
 *
 * Sets the span, the locations and the weight of the PEs of a run.
 */
void
kymo_compared_run_take (KymoComparedRun *run,
                        const KymoTable *answer)
{
  run->span = (KymoSpan) { kymo_table_get_int (answer, "begin_ns", 0),
                           kymo_table_get_int (answer, "end_ns", 0) };
  run->extrapolated = kymo_table_get_bool (answer, "extrapolated", 0);
  run->n_locations = kymo_table_get_int (answer, "workers", 0)
    + kymo_table_get_int (answer, "communication_threads", 0);
  run->pes = count_pes (answer);
}

/* -- times of traces and summaries ------------------------------------------ */

static KymoComparedRun *
read_times (const KymoTable *answer)
{
  static const char *const keys[KYMO_COMPARE_N_TOTALS] =
    { NULL, "span_ns", "busy_ns", "useful_ns", "idle_ns", "overhead_ns", "untraced_ns" };
  KymoTable *table = kymo_table_peek_nested (answer, "activities", NULL);
  KymoComparedRun *run = run_new ();

  run->is_time = TRUE;
  run->unit = g_strdup ("ns");
  kymo_compared_run_take (run, answer);
  run->totals[KYMO_COMPARE_ELAPSED] = kymo_span_length (run->span);
  for (guint k = KYMO_COMPARE_SPAN; k < KYMO_COMPARE_N_TOTALS; k++)
    run->totals[k] = kymo_table_get_int (answer, keys[k], 0);
  for (guint i = 0; i < kymo_table_get_n_rows (table); i++)
    add_activity (run, table, i, kymo_table_get_string (table, "name", i),
                  kymo_table_get_int (table, "calls", i),
                  kymo_table_get_int (table, "exclusive_ns", i));
  return run;
}

/* -- figures of functions by metric ------------------------------------------- */

/* A figure of a function over its locations, as a whole number; 0 for what no program has. */
static gint64
figure_of (const KymoTable *table,
           guint            row,
           const char      *figure,
           const char      *part,
           double           factor)
{
  const guint *offsets = NULL;
  KymoTable *child = kymo_table_peek_nested (table, figure, &offsets);
  double value = child != NULL ? kymo_table_get_double (child, part, offsets[row]) : NAN;

  value *= factor;
  return isfinite (value) && fabs (value) < MOST_FIGURE ? llround (value) : 0;
}

static void
add_to_totals (KymoComparedRun *run,
               const KymoTable *table,
               guint            row,
               gint64           value)
{
  KymoCompareTotal which;

  switch (class_of (kymo_table_get_string (table, "kind", row)))
    {
    case 'i':
      which = KYMO_COMPARE_IDLE;
      break;
    case 'o':
      which = KYMO_COMPARE_OVERHEAD;
      break;
    case 'u':
      which = KYMO_COMPARE_UNTRACED;
      break;
    case 'v':
      return;
    default:
      which = KYMO_COMPARE_BUSY;
      if (g_strcmp0 (kymo_table_get_string (table, "role", row), "compute") == 0)
        run->totals[KYMO_COMPARE_USEFUL]
          = kymo_saturating_add (run->totals[KYMO_COMPARE_USEFUL], value);
    }
  run->totals[which] = kymo_saturating_add (run->totals[which], value);
  run->totals[KYMO_COMPARE_SPAN] = kymo_saturating_add (run->totals[KYMO_COMPARE_SPAN], value);
}

/* Profiles have no begin and no end: the longest call of all stands for what passed. */
static KymoComparedRun *
read_family (const KymoTable *answer)
{
  KymoTable *table = kymo_table_peek_nested (answer, "activities", NULL);
  double unit_ns = kymo_table_get_double (answer, "unit_ns", 0);
  KymoComparedRun *run = run_new ();
  gint64 longest = 0, begin_ns = kymo_table_get_int (answer, "begin_ns", 0);

  run->is_time = isfinite (unit_ns) && unit_ns > 0;
  run->unit = g_strdup (run->is_time ? "ns" : kymo_table_get_string (answer, "unit", 0));
  run->n_locations = kymo_table_get_int (answer, "n_locations", 0);
  run->pes = MAX (run->n_locations, 1) * KYMO_WEIGHT_ONE;
  for (guint i = 0; i < kymo_table_get_n_rows (table); i++)
    {
      double factor = run->is_time ? unit_ns : 1;
      gint64 value = figure_of (table, i, "exclusive", "total", factor);

      if (g_strcmp0 (kymo_table_get_string (table, "kind", i), "path") == 0)
        continue;
      longest = MAX (longest, figure_of (table, i, "inclusive", "max", factor));
      add_to_totals (run, table, i, value);
      add_activity (run, table, i, kymo_table_get_string (table, "shown", i),
                    figure_of (table, i, "calls", "total", 1), value);
    }
  if (kymo_table_find_column (answer, "begin_ns") >= 0)
    run->span = (KymoSpan) { begin_ns, kymo_table_get_int (answer, "end_ns", 0) };
  run->totals[KYMO_COMPARE_ELAPSED]
    = kymo_span_length (run->span) > 0 && run->is_time ? kymo_span_length (run->span) : longest;
  return run;
}

/* -- all runs ----------------------------------------------------------------- */

static gboolean
wants_family (const KymoCompared *compared)
{
  KymoComparison *comparison = compared->comparison;

  if (kymo_question_get (compared->question, "metric") != NULL)
    return TRUE;
  for (guint i = 0; i < compared->n_runs; i++)
    if (!(kymo_source_get_capabilities (kymo_comparison_peek_run (comparison, i))
          & KYMO_CAN_BINNED_TIME))
      return TRUE;
  return FALSE;
}

static int
compare_names (gconstpointer a,
               gconstpointer b)
{
  return strcmp (((const KymoComparedName *) a)->key, ((const KymoComparedName *) b)->key);
}

/* Collects all names; the kind, group and role of each are those of the run that has it first. */
static void
collect_names (KymoCompared *compared)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  compared->names = g_array_new (FALSE, FALSE, sizeof (KymoComparedName));
  for (guint i = 0; i < compared->n_runs; i++)
    {
      GHashTableIter iter;
      gpointer value;

      g_hash_table_iter_init (&iter, compared->runs[i]->activities);
      while (g_hash_table_iter_next (&iter, NULL, &value))
        {
          const KymoComparedActivity *activity = value;
          KymoComparedName name = { activity->key, activity->kind, activity->group,
                                    activity->role };

          if (g_hash_table_add (seen, activity->key))
            g_array_append_val (compared->names, name);
        }
    }
  g_array_sort (compared->names, compare_names);
}

static gboolean
units_fit (const KymoCompared  *compared,
           GError             **error)
{
  for (guint i = 1; i < compared->n_runs; i++)
    if (compared->runs[i]->is_time != compared->runs[0]->is_time
        || (!compared->runs[0]->is_time
            && g_strcmp0 (compared->runs[i]->unit, compared->runs[0]->unit) != 0))
      {
        g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                             _("The runs have figures of different units; a metric that all have "
                             "can be compared"));
        return FALSE;
      }
  return TRUE;
}

/**
 * kymo_compared_read:
 *
 * Asks every run for its figures. Sets %KYMO_ERROR_UNANSWERABLE if figures do not add up, or
 * the error of a run, with the label of the run before its sentence.
 *
 * Returns: whether all runs could tell their figures
 */
gboolean
kymo_compared_read (KymoCompared  *compared,
                    GCancellable  *cancellable,
                    GError       **error)
{
  compared->is_family = wants_family (compared);
  for (guint i = 0; i < compared->n_runs; i++)
    {
      KymoSource *source = kymo_comparison_peek_run (compared->comparison, i);
      g_autoptr (KymoQuestion) question = kymo_compared_question (compared, "profile", i);
      g_autoptr (KymoTable) answer = NULL;

      /* With a metric a trace answers as a profile does. */
      if (compared->is_family && kymo_question_get (question, "metric") == NULL
          && (kymo_source_get_capabilities (source) & KYMO_CAN_BINNED_TIME))
        kymo_question_set (question, "metric", "TIME");
      answer = kymo_source_ask (source, question, cancellable, error);
      if (answer == NULL)
        {
          g_autofree char *label = kymo_comparison_dup_label (compared->comparison, i);

          g_prefix_error (error, "%s: ", label);
          return FALSE;
        }
      if (compared->is_family && kymo_table_find_column (answer, "additive") >= 0
          && !kymo_table_get_bool (answer, "additive", 0))
        {
          g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                       _("Runs are compared by sums; values of “%s” do not add up"),
                       kymo_table_get_string (answer, "metric", 0));
          return FALSE;
        }
      kymo_compared_note (compared, i, answer);
      compared->runs[i] = compared->is_family ? read_family (answer) : read_times (answer);
    }
  if (!units_fit (compared, error))
    return FALSE;
  for (guint i = 1; i < compared->n_runs; i++)
    compared->pes_differ |= compared->runs[i]->pes != compared->runs[0]->pes;
  collect_names (compared);
  return TRUE;
}
