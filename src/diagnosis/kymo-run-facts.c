/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the environment of a run tells: which of its facts are not those of the reference runs, and
 * how many processes there are for each CPU.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "kymo-run-metrics-private.h"

/* Facts that the name of a metric lists. */
#define MOST_NAMES 3
#define MOST_CPUS 8192

/* -- what changed ------------------------------------------------------------- */

/* A library is told by its build id, wherever it lies: "path, build id". */
static const char *
skip_path (const char *group,
           const char *value)
{
  const char *comma = strcmp (group, "Libraries") == 0 ? strrchr (value, ',') : NULL;

  return comma != NULL && strcmp (comma, ", -") != 0 ? comma + 2 : value;
}

/* (transfer full) (nullable): "GROUP\nKEY" -> value, of some groups */
static GHashTable *
index_facts (KymoRunMetrics   *measure,
             KymoMetricsOfRun *run,
             char *const      *groups)
{
  const KymoTable *environment = kymo_run_metrics_peek_environment (measure, run);
  GHashTable *facts;

  if (environment == NULL)
    return NULL;
  facts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < kymo_table_get_n_rows (environment); i++)
    {
      const char *group = kymo_table_get_string (environment, "group", i);

      if (g_strv_contains ((const char *const *) groups, group))
        g_hash_table_replace (facts, g_strdup_printf ("%s\n%s", group, kymo_table_get_string (
                                environment, "key", i)),
                              (char *) skip_path (group, kymo_table_get_string (environment,
                                                                                "value", i)));
    }
  return facts;
}

/* What the references have in common: FALSE where they differ from each other. */
static gboolean
find_common (const GPtrArray  *references,
             const char       *fact,
             const char      **value)
{
  *value = g_hash_table_lookup (references->pdata[0], fact);
  for (guint i = 1; i < references->len; i++)
    if (g_strcmp0 (g_hash_table_lookup (references->pdata[i], fact), *value) != 0)
      return FALSE;
  return TRUE;
}

static void
note_changes (GHashTable      *own,
              const GPtrArray *references,
              GPtrArray       *changes)
{
  GHashTableIter iter;
  gpointer fact;
  const char *usual;

  g_hash_table_iter_init (&iter, own);
  while (g_hash_table_iter_next (&iter, &fact, NULL))
    if (find_common (references, fact, &usual)
        && g_strcmp0 (g_hash_table_lookup (own, fact), usual) != 0)
      g_ptr_array_add (changes, g_strdup (strchr (fact, '\n') + 1));
  g_hash_table_iter_init (&iter, references->pdata[0]);
  while (g_hash_table_iter_next (&iter, &fact, NULL))
    if (!g_hash_table_contains (own, fact) && find_common (references, fact, &usual))
      g_ptr_array_add (changes, g_strdup (strchr (fact, '\n') + 1));
}

static int
compare_names (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/* "libmpi.so.40, libucp.so.0" */
static char *
dup_names (GPtrArray *changes)
{
  GString *names = g_string_new (NULL);

  g_ptr_array_sort (changes, compare_names);
  for (guint i = 0; i < MIN (changes->len, MOST_NAMES); i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", (char *) changes->pdata[i]);
  if (changes->len > MOST_NAMES)
    g_string_append (names, ", …");
  return g_string_free (names, FALSE);
}

/**
 * kymo_run_metrics_count_changes:
 * @metric: a metric of groups of the environment
 * @measured: (out caller-allocates): gets their number, and the names of the first
 *
 * Counts facts that are the same in all reference runs and not in the run. What differs among the
 * references, such as the name of a job, says nothing.
 */
void
kymo_run_metrics_count_changes (KymoRunMetrics       *measure,
                                const KymoMetricRule *metric,
                                KymoMeasured         *measured)
{
  g_autoptr (GHashTable) own = NULL;
  g_autoptr (GPtrArray) references
    = g_ptr_array_new_with_free_func ((GDestroyNotify) g_hash_table_unref);
  g_autoptr (GPtrArray) changes = g_ptr_array_new_with_free_func (g_free);

  kymo_run_metrics_test_fit (measure);
  for (guint i = 1; i < measure->runs->len; i++)
    {
      KymoMetricsOfRun *run = measure->runs->pdata[i];
      GHashTable *facts = run->unfit == NULL ? index_facts (measure, run, metric->changed) : NULL;

      if (facts != NULL)
        g_ptr_array_add (references, facts);
    }
  own = index_facts (measure, measure->runs->pdata[0], metric->changed);
  if (measure->n_fit < KYMO_LEAST_REFERENCES)
    measured->why = kymo_run_metrics_dup_lack (measure);
  else if (own == NULL || references->len < KYMO_LEAST_REFERENCES)
    measured->why = g_strdup (_("runs of kymo-record, which writes down their environment"));
  if (measured->why != NULL)
    return;
  note_changes (own, references, changes);
  measured->value = changes->len;
  if (changes->len > 0)
    measured->name = dup_names (changes);
}

/* -- processes and CPUs ----------------------------------------------------------- */

/* Adds a process to the CPUs of a list such as "0-3,8", of which each gets its part. */
static void
add_process (const char *processors,
             double     *cpus)
{
  for (guint pass = 0, n = 0; pass < 2; pass++)
    for (const char *p = processors; *p != '\0';)
      {
        char *end;
        guint64 first = g_ascii_strtoull (p, &end, 10), last = first;

        if (end == p)
          return;
        if (*end == '-')
          last = g_ascii_strtoull (end + 1, &end, 10);
        if (first > last || last >= MOST_CPUS)
          return;
        for (guint64 i = first; i <= last; i++)
          if (pass == 0)
            n++;
          else
            cpus[i] += 1.0 / n;
        p = *end == ',' ? end + 1 : end;
        if (p == end && *p != '\0')
          return;
      }
}

/* The node that a process runs on, as far as the run tells; 0 where it has one node. */
static gint64
find_node (const KymoTable *info,
           const char      *label)
{
  const KymoTable *locations = kymo_table_peek_nested (info, "location_list", NULL);
  const KymoTable *places = kymo_table_find_column (info, "places") < 0 ? NULL
    : kymo_table_peek_nested (info, "places", NULL);
  gint64 place = -1;

  for (guint i = 0; places != NULL && place < 0 && i < kymo_table_get_n_rows (locations); i++)
    if (g_strcmp0 (kymo_table_get_string (locations, "label", i), label) == 0)
      place = kymo_table_get_int (locations, "place", i);
  while (place >= 0 && place < kymo_table_get_n_rows (places)
         && g_strcmp0 (kymo_table_get_string (places, "kind", place), "node") != 0)
    place = kymo_table_get_int (places, "parent", place);
  return MAX (place, 0);
}

/**
 * kymo_run_metrics_count_crowd:
 * @measured: (out caller-allocates): gets how many processes there are for a CPU that they may use,
 *   on the CPU that most share
 */
void
kymo_run_metrics_count_crowd (KymoRunMetrics   *measure,
                              KymoMetricsOfRun *run,
                              KymoMeasured     *measured)
{
  const KymoMetricRule metric = { .question = (char *) "info", .whole = TRUE };
  const char *why;
  const KymoTable *info = kymo_run_metrics_find_answer (measure, run, &metric, &why);
  const KymoTable *environment = kymo_run_metrics_peek_environment (measure, run);
  g_autoptr (GHashTable) nodes
    = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  GHashTableIter iter;
  gpointer cpus;

  for (guint i = 0; environment != NULL && i < kymo_table_get_n_rows (environment); i++)
    {
      const char *group = kymo_table_get_string (environment, "group", i);
      g_autofree char *label = NULL;
      gint64 node;

      if (!g_str_has_prefix (group, "Process ")
          || strcmp (kymo_table_get_string (environment, "key", i), "processors") != 0)
        continue;
      label = g_strconcat ("rank ", group + strlen ("Process "), NULL);
      node = find_node (info, label);
      cpus = g_hash_table_lookup (nodes, &node);
      if (cpus == NULL)
        {
          cpus = g_new0 (double, MOST_CPUS);
          g_hash_table_insert (nodes, g_memdup2 (&node, sizeof node), cpus);
        }
      add_process (kymo_table_get_string (environment, "value", i), cpus);
    }
  g_hash_table_iter_init (&iter, nodes);
  while (g_hash_table_iter_next (&iter, NULL, &cpus))
    for (guint i = 0; i < MOST_CPUS; i++)
      if (((double *) cpus)[i] > 0)
        measured->value = isnan (measured->value) ? ((double *) cpus)[i]
          : MAX (measured->value, ((double *) cpus)[i]);
  if (isnan (measured->value))
    measured->why = g_strdup (_("a run of kymo-record, which writes down what CPUs its processes "
                                "may use"));
}

/**
 * kymo_run_metrics_count_losses:
 *
 * Returns: how many kinds of data the load report of the run calls lost
 */
guint
kymo_run_metrics_count_losses (KymoRunMetrics *measure)
{
  const KymoMetricRule metric = { .question = (char *) "info", .whole = TRUE };
  const char *why;
  const KymoTable *info = kymo_run_metrics_find_answer (measure, measure->runs->pdata[0], &metric,
                                                        &why);
  const KymoTable *report = info != NULL ? kymo_table_peek_nested (info, "report", NULL) : NULL;
  const KymoTable *issues = report != NULL ? kymo_table_peek_nested (report, "issues", NULL) : NULL;
  guint n = 0;

  for (guint i = 0; issues != NULL && i < kymo_table_get_n_rows (issues); i++)
    n += g_strcmp0 (kymo_table_get_string (issues, "severity", i), "lost") == 0;
  return n;
}
