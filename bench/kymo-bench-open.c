/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long it takes to open a run of any format from its files: wall time and CPU of each
 * time, and the best and the median.
 *
 *   kymo-bench-open [--times 5] [--threads 2] RUN
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "kymo-open.h"

static gint n_times = 5;
static gint n_threads;

static const GOptionEntry entries[] =
{
  { "times", 0, 0, G_OPTION_ARG_INT, &n_times, "how often", "N" },
  { "threads", 0, 0, G_OPTION_ARG_INT, &n_threads, "to read with", "N" },
  { NULL },
};

static gint64
get_cpu_us (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return (gint64) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * G_USEC_PER_SEC
    + usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
}

static int
compare (gconstpointer a,
         gconstpointer b)
{
  const gint64 *x = a, *y = b;

  return *x < *y ? -1 : *x > *y;
}

static gboolean
open_once (const char *path,
           gint64     *wall_us)
{
  KymoOpenOptions options = { .n_threads = n_threads, .no_cache = TRUE };
  gint64 begin = g_get_monotonic_time (), cpu = get_cpu_us ();
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoRun) run = kymo_open_run (path, &options, NULL, &error);

  *wall_us = g_get_monotonic_time () - begin;
  if (run == NULL)
    {
      fprintf (stderr, "kymo-bench-open: %s\n", error->message);
      return FALSE;
    }
  printf ("%.0f ms, CPU %.0f ms, %" G_GINT64_FORMAT " records\n", *wall_us / 1e3,
          (get_cpu_us () - cpu) / 1e3, run->n_records);
  return TRUE;
}

int
main (int   argc,
      char *argv[])
{
  g_autoptr (GOptionContext) context = g_option_context_new ("RUN");
  g_autoptr (GError) error = NULL;
  g_autofree gint64 *times = NULL;

  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error) || argc != 2 || n_times < 1)
    {
      fprintf (stderr, "kymo-bench-open: %s\n", error != NULL ? error->message : "see --help");
      return 2;
    }
  times = g_new (gint64, n_times);
  for (gint i = 0; i < n_times; i++)
    if (!open_once (argv[1], &times[i]))
      return 1;
  qsort (times, n_times, sizeof *times, compare);
  printf ("best %.0f ms, median %.0f ms\n", times[0] / 1e3, times[n_times / 2] / 1e3);
  return 0;
}
