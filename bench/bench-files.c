/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stages about files: loading from text and gzip, a second open, and a run of
 * very many files. Each figure is of a process of its own, so that time and
 * peak memory are those of the load alone.
 */
#include "config.h"

#include <glib/gstdio.h>

#include "bench.h"
#include "kymo-open.h"

/** bench_load: loads in a process of its own: this program again */
void
bench_load (const Bench *bench,
            const char  *run,
            BenchSample *samples)
{
  const char *command[] = { bench->self, "--only-load", run, NULL };

  bench_processes (bench, samples, command);
}

/* What a load has to do at least. */
static void
set_load_limits (BenchRow        *row,
                 const BenchLogs *logs,
                 double           pages_s,
                 gboolean         gzip)
{
  bench_row_limit (row, "reading the files", logs->read_s);
  if (gzip)
    bench_row_limit (row, "inflating alone", logs->inflate_s);
  bench_row_limit (row, "line ends", logs->scan_s);
  bench_row_limit (row, "numbers of digits", logs->numbers_s);
  bench_row_limit (row, "writing the columns' bytes", pages_s);
}

static gint64
peak_of (const BenchSample *samples,
         gint               n)
{
  gint64 peak = 0;

  for (gint i = 0; i < n; i++)
    peak = MAX (peak, samples[i].peak_bytes);
  return peak;
}

/** bench_look_into: opens a run here, for what it holds */
void
bench_look_into (const char *path,
                 gint64     *n_records,
                 gsize      *n_bytes)
{
  KymoOpenOptions options = { .no_cache = TRUE };
  g_autoptr (GError) error = NULL;
  KymoRun *run = kymo_open_run (path, &options, NULL, &error);

  if (run == NULL)
    {
      g_printerr ("kymo-bench: %s\n", error->message);
      exit (1);
    }
  *n_records = run->n_records;
  *n_bytes = bench_run_bytes (run);
  kymo_run_unref (run);
}

static void
load_one (Bench      *bench,
          const char *run,
          BenchRow   *row,
          gint64     *n_records)
{
  g_autofree BenchSample *samples = g_new0 (BenchSample, bench->n_times);
  gboolean gzip = row == bench_row ("load.gzip");
  BenchRow *memory = bench_row ("load.memory");
  BenchLogs logs;
  gsize n_bytes;

  bench_look_into (run, n_records, &n_bytes);
  bench_logs_measure (bench, run, &logs);
  bench_load (bench, run, samples);
  bench_row_set (row, samples, bench->n_times, logs.plain_bytes, *n_records);
  set_load_limits (row, &logs, bench_limit_pages (bench, n_bytes), gzip);
  if (!gzip)
    {
      bench_row_set_figure (memory, (double) peak_of (samples, bench->n_times)
                            / (double) *n_records);
      memory->bytes = peak_of (samples, bench->n_times);
      memory->records = *n_records;
      bench_row_limit (memory, "the columns themselves", (double) n_bytes / (double) *n_records);
    }
  bench_logs_clear (&logs);
}

/** bench_loads: load.* */
void
bench_loads (Bench *bench)
{
  if (bench_wants (bench, "load.text") || bench_wants (bench, "load.memory"))
    load_one (bench, bench->text, bench_row ("load.text"), &bench->text_records);
  if (bench_wants (bench, "load.gzip"))
    load_one (bench, bench->gzip, bench_row ("load.gzip"), &bench->gzip_records);
}

static void
time_start (gpointer data)
{
  const Bench *bench = data;
  const char *command[] = { bench->cli, "--version", NULL };

  bench_process (command, NULL);
}

/* The first opening keeps the run, the others are counted. */
static gboolean
measure_second_open (Bench      *bench,
                     const char *run,
                     BenchRow   *row,
                     gint64      n_records)
{
  g_autofree BenchSample *samples = g_new0 (BenchSample, bench->n_times);
  g_autofree char *cache = g_build_filename (bench->folder, "cache", NULL);
  g_autofree char *kept = g_build_filename (cache, "kymo", NULL);
  g_autoptr (GDir) dir = NULL;
  const char *command[] = { bench->cli, "profile", run, "--quiet", NULL };

  bench_remove_tree (cache);
  bench_process (command, NULL);
  dir = g_dir_open (kept, 0, NULL);
  if (dir == NULL || g_dir_read_name (dir) == NULL)
    {
      bench_row_skip (row, "the first opening kept nothing");
      return FALSE;
    }
  bench_processes (bench, samples, command);
  bench_row_set (row, samples, bench->n_times, 0, n_records);
  bench_row_limit (row, "starting kymo-cli at all",
                   bench_measure (bench, NULL, time_start, bench, 0, 0));
  return TRUE;
}

/** bench_second_opens: open.* */
void
bench_second_opens (Bench *bench)
{
  g_autofree char *cache = g_build_filename (bench->folder, "cache", NULL);
  gsize n_bytes;

  if (bench_wants (bench, "open.second"))
    {
      if (bench->text_records == 0)
        bench_look_into (bench->text, &bench->text_records, &n_bytes);
      measure_second_open (bench, bench->text, bench_row ("open.second"), bench->text_records);
    }
  if (bench_wants (bench, "open.tenfold"))
    measure_second_open (bench, bench->tenfold, bench_row ("open.tenfold"),
                         bench->n_records * 10);
  bench_remove_tree (cache);
}

/** bench_many_files: files.* */
void
bench_many_files (Bench *bench)
{
  g_autofree BenchSample *samples = g_new0 (BenchSample, bench->n_times);
  g_autofree char *run = NULL;
  g_autofree char *cache = g_build_filename (bench->folder, "cache", NULL);
  BenchRow *first = bench_row ("files.first"), *second = bench_row ("files.second");
  const char *command[] = { bench->cli, "profile", NULL, "--quiet", "--no-cache", NULL };
  gint64 n_records;
  gsize n_bytes;
  double bound;

  if (!bench_wants (bench, "files."))
    return;
  bench_make_run (bench, "files", bench->n_files, bench->n_files, FALSE, &run);
  bench_look_into (run, &n_records, &n_bytes);
  bound = bench_limit_files (bench, run);
  command[2] = run;
  bench_processes (bench, samples, command);
  bench_row_set (first, samples, bench->n_times, 0, n_records);
  bench_row_limit (first, "open, read, close each", bound);
  if (measure_second_open (bench, run, second, n_records))
    bench_row_limit (second, "open, read, close each", bound);
  bench_remove_tree (cache);
  bench_remove_tree (run);
}
