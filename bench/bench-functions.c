/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stage about runs of functions: loading a trace of TAU, a file a rank, and
 * profiles of very many threads, a file each. As of logs each figure is of a
 * process of its own.
 */
#include "config.h"

#include "bench.h"

/* As many as the machine that the goals are told of has ranks a node. */
#define TAU_RANKS "8"
#define FUNCTIONS "101"

static void
load (const Bench *bench,
      const char  *folder,
      const char  *key)
{
  g_autofree BenchSample *samples = g_new0 (BenchSample, bench->n_times);
  double files_s = bench_limit_files (bench, folder);
  BenchRow *row = bench_row (key);
  gint64 n_records;
  gsize n_bytes;

  bench_look_into (folder, &n_records, &n_bytes);
  bench_load (bench, folder, samples);
  bench_row_set (row, samples, bench->n_times, 0, n_records);
  bench_row_limit (row, "open, read, close each", files_s);
  if (n_records > 0)                    /* profiles have no columns */
    bench_row_limit (row, "writing the columns' bytes", bench_limit_pages (bench, n_bytes));
}

/** bench_functions: load.tau, load.profiles */
void
bench_functions (Bench *bench)
{
  if (bench_wants (bench, "load.tau"))
    {
      g_autofree char *folder = g_build_filename (bench->folder, "tau", NULL);
      g_autofree char *n = g_strdup_printf ("%" G_GINT64_FORMAT, bench->n_tau_records);
      const char *make[] = { bench->tau_maker, "--records", n, "--ranks", TAU_RANKS, folder, NULL };

      bench_process (make, NULL);
      load (bench, folder, "load.tau");
      bench_remove_tree (folder);
    }
  if (bench_wants (bench, "load.profiles"))
    {
      g_autofree char *folder = g_build_filename (bench->folder, "profiles", NULL);
      g_autofree char *n = g_strdup_printf ("%" G_GINT64_FORMAT, bench->n_profile_threads);
      const char *make[] = { MAKE_PROFILES, folder, "--ranks", n, "--functions", FUNCTIONS, NULL };

      bench_process (make, NULL);
      load (bench, folder, "load.profiles");
      bench_remove_tree (folder);
    }
}
