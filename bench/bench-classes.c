/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stage about classes of PEs: clusters of a run whose logs are loaded, and
 * `kymo-cli reduce` of the same run as a whole process.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "kymo-open.h"
#include "kymo-run-source.h"

#define K "10"

/* With classes as programs have them, and with one entry method that drowns
   them: then there is no gap between clusters and rounds are many. */
static void
make_run (const Bench  *bench,
          const char   *name,
          const char   *hidden,
          char        **folder)
{
  g_autofree char *pes = g_strdup_printf ("%" G_GINT64_FORMAT, bench->n_class_pes);
  g_autofree char *entries = g_strdup_printf ("%" G_GINT64_FORMAT, bench->n_class_entries);
  const char *command[] = { bench->classes_maker, "--pes", pes, "--entries", entries, "--steps",
                            "4", "--poor", "more", "--hidden", hidden, NULL, NULL };

  *folder = g_build_filename (bench->folder, name, NULL);
  command[11] = *folder;
  bench_process (command, NULL);
}

typedef struct
{
  KymoSource   *source;
  KymoQuestion *question;
  gint64        n_values;       /* compared */
  gint64        rounds;
} Asking;

static void
ask (gpointer data)
{
  Asking *asking = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoTable) answer =
    kymo_source_ask (asking->source, asking->question, NULL, &error);

  if (answer == NULL)
    {
      g_printerr ("kymo-bench: %s\n", error->message);
      exit (1);
    }
  asking->rounds = kymo_table_get_int (answer, "rounds", 0);
  asking->n_values = kymo_table_get_int (answer, "pes", 0)
    * kymo_table_get_n_rows (kymo_table_peek_nested (answer, "components", NULL));
}

static void
measure_clusters (const Bench *bench,
                  const char  *folder,
                  const char  *key)
{
  KymoOpenOptions options = { .no_cache = TRUE };
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoRun) run = kymo_open_run (folder, &options, NULL, &error);
  g_autoptr (KymoRunSource) source = NULL;
  g_autoptr (KymoQuestion) question = kymo_question_new ("clusters");
  Asking asking = { .question = question };

  if (run == NULL)
    {
      g_printerr ("kymo-bench: %s\n", error->message);
      exit (1);
    }
  source = kymo_run_source_new (run, 0);
  asking.source = KYMO_SOURCE (source);
  kymo_question_set (question, "clusters", K);
  bench_measure (bench, bench_row (key), ask, &asking, 0, 0);
  bench_row_limit (bench_row (key), "reading the vectors each round",
                   asking.rounds
                   * bench_limit_memory (bench, asking.n_values * sizeof (double)));
}

/* A whole process; the run has to be written anew each time. */
static void
measure_reduce (const Bench *bench,
                const char  *folder)
{
  BenchRow *row = bench_row ("classes.reduce");
  g_autofree BenchSample *samples = g_new0 (BenchSample, bench->n_times);
  g_autofree char *out = g_build_filename (bench->folder, "reduced", NULL);
  const char *command[] = { bench->cli, "reduce", folder, out, "-k", K, "--no-cache", NULL };
  BenchLogs logs;

  for (gint i = -1; i < bench->n_times; i++)
    {
      BenchSample sample = bench_process (command, NULL);

      if (i >= 0)
        samples[i] = sample;
      bench_remove_tree (out);
    }
  bench_logs_measure (bench, folder, &logs);
  bench_row_set (row, samples, bench->n_times, logs.file_bytes, 0);
  bench_row_limit (row, "reading the logs", logs.read_s);
  bench_row_limit (row, "numbers of digits", logs.numbers_s);
  bench_logs_clear (&logs);
}

/** bench_classes: classes.* */
void
bench_classes (Bench *bench)
{
  g_autofree char *folder = NULL, *drowned = NULL;

  if (bench_wants (bench, "classes."))
    make_run (bench, "classes", "none", &folder);
  if (bench_wants (bench, "classes.clusters"))
    measure_clusters (bench, folder, "classes.clusters");
  if (bench_wants (bench, "classes.clusters.drowned"))
    {
      make_run (bench, "drowned", "heavy", &drowned);
      measure_clusters (bench, drowned, "classes.clusters.drowned");
    }
  if (bench_wants (bench, "classes.reduce"))
    measure_reduce (bench, folder);
}
