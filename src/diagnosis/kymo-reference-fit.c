/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether reference runs did the work of the run: the same arguments on as many ranks, with as many
 * calls, messages and bytes. A reference that did other work says nothing of what is usual, so it
 * is left out, and what is missing then tells why.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "kymo-run-metrics-private.h"

/* Amounts of equal work may differ by this share, and counts by this number. */
#define MOST_DIFFERENCE 0.02
#define MOST_COUNT 2

/* What polls is called as often as there is time. */
static const char *const polls[] = { "*Test*", "*robe*", "*Yield*", NULL };

static const KymoTable *
ask_whole (KymoRunMetrics    *measure,
           KymoMetricsOfRun  *run,
           const char        *question)
{
  const KymoMetricRule metric = { .question = (char *) question, .whole = TRUE };
  const char *why;

  return kymo_run_metrics_find_answer (measure, run, &metric, &why);
}

/**
 * kymo_run_metrics_peek_environment:
 *
 * Returns: (transfer none) (nullable): group, key and value of what surrounded the run
 */
const KymoTable *
kymo_run_metrics_peek_environment (KymoRunMetrics   *measure,
                                   KymoMetricsOfRun *run)
{
  const KymoTable *info = ask_whole (measure, run, "info");

  return info != NULL && kymo_table_find_column (info, "environment") >= 0
    ? kymo_table_peek_nested (info, "environment", NULL) : NULL;
}

static const char *
find_fact (const KymoTable *environment,
           const char      *group,
           const char      *key)
{
  for (guint i = 0; environment != NULL && i < kymo_table_get_n_rows (environment); i++)
    if (g_strcmp0 (kymo_table_get_string (environment, "group", i), group) == 0
        && g_strcmp0 (kymo_table_get_string (environment, "key", i), key) == 0)
      return kymo_table_get_string (environment, "value", i);
  return NULL;
}

/* The arguments without the folder of the program. */
static const char *
skip_folder (const char *arguments)
{
  const char *end = strchrnul (arguments, ','), *slash = memrchr (arguments, '/', end - arguments);

  return slash != NULL ? slash + 1 : arguments;
}

static char *
compare_facts (const KymoTable *own,
               const KymoTable *other,
               gboolean        *is_same_build)
{
  static const struct { const char *group, *key, *title; } facts[] = {
    { "Command", "arguments", N_("arguments") }, { "Placement", "ranks", N_("ranks") },
    { "Processor", "model", N_("processor") },
  };
  const char *build = find_fact (own, "Command", "build-id");

  if (build != NULL && g_strcmp0 (build, find_fact (other, "Command", "build-id")) != 0)
    *is_same_build = FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (facts); i++)
    {
      const char *a = find_fact (own, facts[i].group, facts[i].key);
      const char *b = find_fact (other, facts[i].group, facts[i].key);

      if (a != NULL && b != NULL && strcmp (skip_folder (a), skip_folder (b)) != 0)
        return g_strdup_printf (_("%s: “%s” is not “%s”"), _(facts[i].title), skip_folder (b),
                                skip_folder (a));
    }
  return NULL;
}

static gboolean
is_near (double a,
         double b)
{
  return fabs (a - b) <= MAX (MOST_DIFFERENCE * MAX (a, b), MOST_COUNT);
}

static gboolean
is_poll (const char *name)
{
  for (guint i = 0; polls[i] != NULL; i++)
    if (g_pattern_match_simple (polls[i], name))
      return TRUE;
  return FALSE;
}

/* Calls of a row: a number, or of a profile the total of a list of its own. */
static double
get_calls (const KymoTable *activities,
           guint            row)
{
  const guint *offsets;
  const KymoTable *nested;

  if (kymo_table_get_column_type (activities, kymo_table_find_column (activities, "calls"))
      != KYMO_COLUMN_TABLE)
    return kymo_table_get_number (activities, "calls", row);
  nested = kymo_table_peek_nested (activities, "calls", &offsets);
  return offsets[row] < offsets[row + 1] ? kymo_table_get_number (nested, "total", offsets[row])
    : NAN;
}

/* (transfer full): name -> calls of entry methods, of communication and of input and output */
static GHashTable *
count_calls (const KymoTable *profile)
{
  static const char *const roles[] = { "communication", "synchronization", "wait", "io", NULL };
  const KymoTable *list = profile != NULL ? kymo_table_peek_nested (profile, "activities", NULL)
                                          : NULL;
  GHashTable *counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  if (list == NULL || kymo_table_find_column (list, "calls") < 0)
    return counts;
  for (guint i = 0; i < kymo_table_get_n_rows (list); i++)
    {
      const char *role = kymo_table_get_string (list, "role", i);
      const char *name = kymo_table_get_string (list, "name", i);
      double calls = get_calls (list, i), *known;

      if (name == NULL || !(calls > 0) || is_poll (name)
          || (g_strcmp0 (kymo_table_get_string (list, "kind", i), "entry") != 0
              && (role == NULL || !g_strv_contains (roles, role))))
        continue;
      known = g_hash_table_lookup (counts, name);
      if (known != NULL)
        *known += calls;
      else
        g_hash_table_insert (counts, g_strdup (name), g_memdup2 (&calls, sizeof calls));
    }
  return counts;
}

/* The function whose calls differ most, where all calls together differ. */
static char *
compare_calls (GHashTable *own,
               GHashTable *other)
{
  GHashTableIter iter;
  gpointer name, calls;
  const char *worst = NULL;
  double sum = 0, other_sum = 0, most = 0, a = 0, b = 0;

  for (guint pass = 0; pass < 2; pass++)
    {
      g_hash_table_iter_init (&iter, pass == 0 ? own : other);
      while (g_hash_table_iter_next (&iter, &name, &calls))
        {
          const double *x = g_hash_table_lookup (own, name), *y = g_hash_table_lookup (other, name);
          double here = x != NULL ? *x : 0, there = y != NULL ? *y : 0;

          *(pass == 0 ? &sum : &other_sum) += *(double *) calls;
          if (is_near (here, there) || fabs (here - there) < most
              || (fabs (here - there) == most && worst != NULL && strcmp (worst, name) < 0))
            continue;
          most = fabs (here - there);
          worst = name;
          a = here;
          b = there;
        }
    }
  return worst == NULL || (is_near (sum, other_sum) && most <= MOST_DIFFERENCE * sum) ? NULL
    : g_strdup_printf (_("%.0f calls of %s, not %.0f"), b, worst, a);
}

static char *
compare_messages (const KymoTable *own,
                  const KymoTable *other)
{
  static const struct { const char *column, *words; } amounts[] = {
    { "messages", N_("%.0f messages, not %.0f") },
    { "bytes", N_("%.0f bytes of messages, not %.0f") },
  };

  for (guint i = 0; own != NULL && other != NULL && i < G_N_ELEMENTS (amounts); i++)
    {
      double a = kymo_table_get_number (own, amounts[i].column, 0);
      double b = kymo_table_get_number (other, amounts[i].column, 0);

      if (!isnan (a) && !isnan (b) && !is_near (a, b))
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        return g_strdup_printf (_(amounts[i].words), b, a);
#pragma GCC diagnostic pop
    }
  return NULL;
}

static char *
find_difference (KymoRunMetrics   *measure,
                 KymoMetricsOfRun *own,
                 KymoMetricsOfRun *other)
{
  g_autoptr (GHashTable) own_calls = NULL, other_calls = NULL;
  const KymoTable *a = ask_whole (measure, own, "info"), *b = ask_whole (measure, other, "info");
  char *why = compare_facts (kymo_run_metrics_peek_environment (measure, own),
                             kymo_run_metrics_peek_environment (measure, other),
                             &measure->is_same_build);

  if (why == NULL && a != NULL && b != NULL
      && kymo_table_get_int (a, "locations_original", 0)
         != kymo_table_get_int (b, "locations_original", 0))
    why = g_strdup_printf (_("%" G_GINT64_FORMAT " rows, not %" G_GINT64_FORMAT),
                           kymo_table_get_int (b, "locations_original", 0),
                           kymo_table_get_int (a, "locations_original", 0));
  if (why != NULL)
    return why;
  own_calls = count_calls (ask_whole (measure, own, "profile"));
  other_calls = count_calls (ask_whole (measure, other, "profile"));
  why = compare_calls (own_calls, other_calls);
  return why != NULL ? why : compare_messages (ask_whole (measure, own, "communication"),
                                               ask_whole (measure, other, "communication"));
}

/**
 * kymo_run_metrics_test_fit:
 *
 * Tells the reference runs that did the work of the run from others, once.
 */
void
kymo_run_metrics_test_fit (KymoRunMetrics *measure)
{
  if (measure->was_fit_tested)
    return;
  measure->was_fit_tested = TRUE;
  measure->is_same_build = TRUE;
  measure->n_fit = 0;
  for (guint i = 1; i < measure->runs->len; i++)
    {
      KymoMetricsOfRun *run = measure->runs->pdata[i];

      g_free (run->unfit);
      run->unfit = find_difference (measure, measure->runs->pdata[0], run);
      measure->n_fit += run->unfit == NULL;
    }
}

/** kymo_run_metrics_get_n_fitting: how many reference runs did the work of the run */
guint
kymo_run_metrics_get_n_fitting (KymoRunMetrics *measure)
{
  kymo_run_metrics_test_fit (measure);
  return measure->n_fit;
}

/** kymo_run_metrics_is_same_build: whether all reference runs are of the same executable, as far as
 * their environments tell */
gboolean
kymo_run_metrics_is_same_build (KymoRunMetrics *measure)
{
  kymo_run_metrics_test_fit (measure);
  return measure->is_same_build;
}

/**
 * kymo_run_metrics_peek_unfit:
 *
 * Returns: (transfer none) (nullable): why the first reference run that did other work does not fit
 */
const char *
kymo_run_metrics_peek_unfit (KymoRunMetrics *measure)
{
  kymo_run_metrics_test_fit (measure);
  for (guint i = 1; i < measure->runs->len; i++)
    {
      const KymoMetricsOfRun *run = measure->runs->pdata[i];

      if (run->unfit != NULL)
        return run->unfit;
    }
  return NULL;
}

/**
 * kymo_run_metrics_dup_lack:
 *
 * Returns: (transfer full): what is missing where there are too few reference runs
 */
char *
kymo_run_metrics_dup_lack (KymoRunMetrics *measure)
{
  const char *why = kymo_run_metrics_peek_unfit (measure);
  guint n = measure->runs->len - 1;

  if (why == NULL)
    return g_strdup_printf (_("at least %d reference runs with the same work"),
                            KYMO_LEAST_REFERENCES);
  return g_strdup_printf (_("at least %d reference runs with the same work; %u of %u do not fit: "
                            "%s"), KYMO_LEAST_REFERENCES, n - measure->n_fit, n, why);
}
