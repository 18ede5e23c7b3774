/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * compare-info: all that is known of the surroundings of each run, side by side: who
 * ran what where and when, of what size, by which clocks, in which format, what can be
 * answered of it, what its files tell beside, and what was lost while it was read.
 */
#include "config.h"

#include "kymo-comparison-private.h"

#include "kymo-units.h"

typedef struct
{
  const char *section;          /* a constant */
  char       *key;
  guint       n_runs;
  char      **values;           /* by run; NULL where it has none */
} Fact;

typedef struct
{
  guint       n_runs;
  GPtrArray  *facts;            /* Fact, in the order they were met */
  GHashTable *by_key;
} Facts;

static void
fact_free (gpointer data)
{
  Fact *fact = data;

  g_free (fact->key);
  for (guint i = 0; i < fact->n_runs; i++)
    g_free (fact->values[i]);
  g_free (fact->values);
  g_free (fact);
}

static char *
fact_key (const char *section,
          const char *key)
{
  return g_strdup_printf ("%s\x1f%s", section, key);
}

/* Takes the value, which may be NULL. */
static void
take_comparison_info (Facts      *facts,
                      guint       run,
                      const char *section,
                      const char *key,
                      char       *value)
{
  g_autofree char *whole = fact_key (section, key);
  Fact *fact = g_hash_table_lookup (facts->by_key, whole);

  if (value == NULL)
    return;
  if (fact == NULL)
    {
      fact = g_new0 (Fact, 1);
      fact->section = section;
      fact->key = g_strdup (key);
      fact->n_runs = facts->n_runs;
      fact->values = g_new0 (char *, facts->n_runs);
      g_ptr_array_add (facts->facts, fact);
      g_hash_table_insert (facts->by_key, g_steal_pointer (&whole), fact);
    }
  g_free (fact->values[run]);
  fact->values[run] = value;
}

static void
take_text (Facts           *facts,
           guint            run,
           const char      *section,
           const char      *key,
           const KymoTable *info,
           const char      *column)
{
  take_comparison_info (facts, run, section, key,
                        g_strdup (kymo_table_get_string (info, column, 0)));
}

static void
take_count (Facts           *facts,
            guint            run,
            const char      *section,
            const char      *key,
            const KymoTable *info,
            const char      *column)
{
  gint64 value = kymo_table_find_column (info, column) < 0 ? KYMO_NULL_INT
    : kymo_table_get_int (info, column, 0);

  take_comparison_info (facts, run, section, key, value != KYMO_NULL_INT
                        ? kymo_format_count (value) : NULL);
}

/* Adds provenance: the facts that all formats know, then the facts that a format alone has. */
static void
add_provenance (Facts           *facts,
                guint            run,
                const KymoTable *info)
{
  static const char *const known[] =
    { "program", "command_line", "user", "host", "machine", "timestamp", "runtime_version", NULL };
  const KymoTable *table = kymo_table_peek_nested (info, "run", NULL);

  for (guint i = 0; known[i] != NULL; i++)
    take_comparison_info (
      facts, run, "provenance", known[i],
      table != NULL ? g_strdup (kymo_table_get_string (table, known[i], 0)) : NULL);
  for (guint i = 0; table != NULL && i < kymo_table_get_n_columns (table); i++)
    {
      const char *key = kymo_table_get_column_name (table, i);

      if (!g_strv_contains (known, key))
        take_comparison_info (facts, run, "metadata", key,
                              g_strdup (kymo_table_get_string (table, key, 0)));
    }
}

/* What surrounded each run; secrets were masked when it was recorded. What a probe measured is
   another figure each time. */
static void
add_environment (Facts           *facts,
                 guint            run,
                 const KymoTable *info)
{
  const KymoTable *table = kymo_table_peek_nested (info, "environment", NULL);

  for (guint i = 0; table != NULL && i < kymo_table_get_n_rows (table); i++)
    {
      const char *group = kymo_table_get_string (table, "group", i);
      g_autofree char *key = g_strdup_printf ("%s: %s", group,
                                              kymo_table_get_string (table, "key", i));

      if (!g_str_has_prefix (group, "Probe"))
        take_comparison_info (facts, run, "environment", key,
                              g_strdup (kymo_table_get_string (table, "value", i)));
    }
}

static void
add_format (Facts           *facts,
            guint            run,
            const KymoTable *info)
{
  const KymoTable *clocks = kymo_table_peek_nested (info, "clock_correction", NULL);

  take_text (facts, run, "run", "title", info, "title");
  take_text (facts, run, "run", "path", info, "path");
  take_text (facts, run, "run", "kind", info, "kind");
  take_text (facts, run, "run", "format", info, "format");
  take_text (facts, run, "run", "format_version", info, "format_version");
  take_comparison_info (facts, run, "run", "clocks",
                        g_strdup (clocks != NULL ? "corrected" : "as in the files"));
}

/* Number of places of each kind: machines, nodes, processes. */
static void
add_places (Facts           *facts,
            guint            run,
            const KymoTable *info)
{
  const KymoTable *places = kymo_table_peek_nested (info, "places", NULL);
  guint n = places != NULL ? kymo_table_get_n_rows (places) : 0;
  g_autoptr (GHashTable) counts = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) order = g_ptr_array_new ();

  for (guint i = 0; i < n; i++)
    {
      char *kind = (char *) kymo_table_get_string (places, "kind", i);
      guint count = GPOINTER_TO_UINT (g_hash_table_lookup (counts, kind));

      if (count == 0)
        g_ptr_array_add (order, kind);
      g_hash_table_insert (counts, kind, GUINT_TO_POINTER (count + 1));
    }
  for (guint i = 0; i < order->len; i++)
    {
      g_autofree char *key = g_strdup_printf ("places of kind %s", (char *) order->pdata[i]);

      take_comparison_info (facts, run, "size", key, kymo_format_count (
        GPOINTER_TO_UINT (g_hash_table_lookup (counts, order->pdata[i]))));
    }
}

static void
add_size (Facts           *facts,
          guint            run,
          const KymoTable *info)
{
  static const char *const counts[][2] =
  {
    { "workers", "workers" }, { "communication threads", "communication_threads" },
    { "locations of the program", "locations_original" },
    { "locations in the files", "locations_kept" }, { "activities", "activities" },
    { "records", "records" }, { "blocks", "intervals" }, { "messages", "messages" },
    { "points", "points" },
  };
  const KymoTable *phases = kymo_table_peek_nested (info, "phases", NULL);
  const KymoTable *metrics = kymo_table_peek_nested (info, "metrics", NULL);
  gint64 begin_ns = kymo_table_get_int (info, "begin_ns", 0);
  gint64 end_ns = kymo_table_get_int (info, "end_ns", 0);

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    take_count (facts, run, "size", counts[i][0], info, counts[i][1]);
  if (end_ns > begin_ns)
    {
      take_comparison_info (facts, run, "size", "begin", kymo_format_duration_exact (begin_ns));
      take_comparison_info (facts, run, "size", "length",
                            kymo_format_duration_exact (end_ns - begin_ns));
    }
  if (phases != NULL)
    take_comparison_info (facts, run, "size", "phases",
                          kymo_format_count (kymo_table_get_n_rows (phases)));
  for (guint i = 0; metrics != NULL && i < kymo_table_get_n_rows (metrics); i++)
    take_comparison_info (facts, run, "metric", kymo_table_get_string (metrics, "value", i),
                          g_strdup ("yes"));
  add_places (facts, run, info);
}

static void
add_capabilities (Facts           *facts,
                  guint            run,
                  const KymoTable *info)
{
  const KymoTable *can = kymo_table_peek_nested (info, "capabilities", NULL);

  for (guint i = 0; can != NULL && i < kymo_table_get_n_rows (can); i++)
    take_comparison_info (facts, run, "capability", kymo_table_get_string (can, "value", i),
                          g_strdup ("yes"));
}

/* Sentences of one severity, whatever the file. */
static void
add_report (Facts           *facts,
            guint            run,
            const KymoTable *info)
{
  const KymoTable *report = kymo_table_peek_nested (info, "report", NULL);
  const KymoTable *issues = report != NULL
    ? kymo_table_peek_nested (report, "issues", NULL) : NULL;
  g_autoptr (GHashTable) sums = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GPtrArray) order = g_ptr_array_new ();

  if (report == NULL)
    return;
  take_comparison_info (facts, run, "report", "complete",
                        g_strdup (kymo_table_get_bool (report, "complete", 0) ? "yes" : "no"));
  for (guint i = 0; issues != NULL && i < kymo_table_get_n_rows (issues); i++)
    {
      char *key = g_strdup_printf ("%s: %s", kymo_table_get_string (issues, "severity", i),
                                   kymo_table_get_string (issues, "what", i));
      gint64 count = MAX (kymo_table_get_int (issues, "count", i), 1);
      gint64 *sum = g_hash_table_lookup (sums, key);

      if (sum != NULL)
        {
          *sum = kymo_saturating_add (*sum, count);
          g_free (key);
          continue;
        }
      g_ptr_array_add (order, key);
      g_hash_table_insert (sums, key, g_memdup2 (&count, sizeof count));
    }
  for (guint i = 0; i < order->len; i++)
    take_comparison_info (
      facts, run, "report", order->pdata[i],
      kymo_format_count (*(gint64 *) g_hash_table_lookup (sums, order->pdata[i])));
}

static void
add_reduction (Facts           *facts,
               guint            run,
               const KymoTable *info)
{
  const KymoTable *reduction = kymo_table_peek_nested (info, "reduction", NULL);

  if (reduction == NULL)
    return;
  take_count (facts, run, "reduction", "PEs it stands for", reduction, "pes");
  take_count (facts, run, "reduction", "PEs kept", reduction, "kept");
  take_count (facts, run, "reduction", "clusters", reduction, "clusters");
  take_count (facts, run, "reduction", "outliers", reduction, "outliers");
}

static gboolean
differs (const Fact *fact,
         guint       n_runs)
{
  for (guint i = 1; i < n_runs; i++)
    if (g_strcmp0 (fact->values[i], fact->values[0]) != 0)
      return TRUE;
  return FALSE;
}

/* Sections as they stand here, whichever run told a fact first. */
static KymoTable *
list_facts (const Facts *facts)
{
  static const char *const sections[] =
    { "provenance", "environment", "run", "size", "reduction", "metric", "capability", "metadata",
      "report" };
  KymoTable *table = kymo_table_new_list ("section:string key:string");
  KymoTable *values = kymo_table_new (KYMO_STYLE_FLAT);
  guint differ = kymo_table_add_column (table, "differs", KYMO_COLUMN_BOOL, 1), nested;

  kymo_table_add_column (values, "value", KYMO_COLUMN_STRING, 1);
  nested = kymo_table_add_nested (table, "values", values);
  for (guint s = 0; s < G_N_ELEMENTS (sections); s++)
    for (guint i = 0; i < facts->facts->len; i++)
      {
        const Fact *fact = facts->facts->pdata[i];

        if (g_strcmp0 (fact->section, sections[s]) != 0)
          continue;
        kymo_table_append_row (table, fact->section, fact->key);
        kymo_table_append_bool (table, differ, differs (fact, facts->n_runs));
        for (guint run = 0; run < facts->n_runs; run++)
          kymo_table_append_string (values, 0, fact->values[run]);
        kymo_table_end_nested (table, nested);
      }
  return table;
}

static KymoTable *
list_runs (const KymoCompared *compared)
{
  KymoTable *table = kymo_table_new_list ("run side label:string title:string");

  for (guint i = 0; i < compared->n_runs; i++)
    {
      g_autofree char *own = kymo_comparison_dup_label (compared->comparison, i);
      g_autofree char *words
        = kymo_source_dup_title (kymo_comparison_peek_run (compared->comparison, i));

      kymo_table_append_row (table, i, compared->side[i], own, words);
    }
  return table;
}

/**
 * kymo_compare_info:
 *
 * Answers "compare-info": in which facts the runs differ. Sets the error of a run that cannot
 * tell.
 *
 * Returns: (transfer full) (nullable): the answer
 */
KymoTable *
kymo_compare_info (KymoCompared  *compared,
                   GCancellable  *cancellable,
                   GError       **error)
{
  Facts facts = { compared->n_runs, g_ptr_array_new_with_free_func (fact_free),
                  g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL) };
  KymoTable *answer = NULL;

  for (guint i = 0; i < compared->n_runs; i++)
    {
      g_autoptr (KymoQuestion) question = kymo_question_new ("info");
      g_autoptr (KymoTable) info
        = kymo_source_ask (kymo_comparison_peek_run (compared->comparison, i), question,
                           cancellable, error);

      if (info == NULL)
        goto out;
      add_provenance (&facts, i, info);
      add_environment (&facts, i, info);
      add_format (&facts, i, info);
      add_size (&facts, i, info);
      add_reduction (&facts, i, info);
      add_capabilities (&facts, i, info);
      add_report (&facts, i, info);
    }
  answer = kymo_table_new (KYMO_STYLE_OBJECT);
  kymo_table_set_table (answer, "runs", list_runs (compared));
  kymo_table_set_table (answer, "facts", list_facts (&facts));
out:
  g_ptr_array_unref (facts.facts);
  g_hash_table_unref (facts.by_key);
  return answer;
}
