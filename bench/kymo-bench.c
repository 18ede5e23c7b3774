/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How fast Kymo is, and beside each figure what the machine can do at most on
 * the same data in the same run. A table on standard error, one JSON object
 * on standard output. Every figure is the median of --times measurements.
 *
 * The data are made by the program itself, in a temporary folder that is
 * removed at the end: small by default, with --full those of the goals. Loads
 * are measured in a process of their own (this program again), so that peak
 * memory is that of the load alone.
 */
#include "config.h"

#include <signal.h>
#include <string.h>

#include "bench.h"
#include "kymo-open.h"

static gboolean full, only_load;
static char *only, *text_run, *gzip_run, *cli, *window, *output;
static gint n_times = 5;
static gint64 n_records, n_intervals, n_large_pes, n_files;

static const GOptionEntry options[] =
{
  { "full", 0, 0, G_OPTION_ARG_NONE, &full,
    "The sizes of the goals: 16.5 million records, 100 million intervals, 100,000 files "
    "(needs 10 GB of memory and 8 GB in the temporary folder)", NULL },
  { "times", 't', 0, G_OPTION_ARG_INT, &n_times, "Measurements of each figure (5)", "N" },
  { "only", 0, 0, G_OPTION_ARG_STRING, &only, "Rows whose keys begin so, separated by commas",
    "KEYS" },
  { "records", 0, 0, G_OPTION_ARG_INT64, &n_records, "Records of the runs that are loaded",
    "N" },
  { "intervals", 0, 0, G_OPTION_ARG_INT64, &n_intervals, "Intervals of the large run", "N" },
  { "large-pes", 0, 0, G_OPTION_ARG_INT64, &n_large_pes, "PEs of the large run", "N" },
  { "files", 0, 0, G_OPTION_ARG_INT64, &n_files, "Files of the run of many", "N" },
  { "gzip-run", 0, 0, G_OPTION_ARG_FILENAME, &gzip_run,
    "A compressed run, in place of the one that is made", "RUN" },
  { "cli", 'c', 0, G_OPTION_ARG_FILENAME, &cli, "kymo-cli (of the same build)", "FILE" },
  { "window", 0, 0, G_OPTION_ARG_FILENAME, &window,
    "kymo-bench-window (beside this program)", "FILE" },
  { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output, "Write the JSON there", "FILE" },
  { "only-load", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &only_load, NULL, NULL },
  { NULL }
};

static int
load_once (const char *path)
{
  /* Left to the end of the process, as a program would; static, so that it is
     no leak. */
  static KymoRun *run;
  KymoOpenOptions open_options = { .no_cache = TRUE };
  g_autoptr (GError) error = NULL;

  run = kymo_open_run (path, &open_options, NULL, &error);
  if (run == NULL)
    g_printerr ("kymo-bench: %s\n", error->message);
  return run != NULL ? 0 : 1;
}

static void
choose_sizes (Bench *bench)
{
  bench->n_times = n_times;
  bench->n_pes = 64;
  bench->n_records = n_records > 0 ? n_records : full ? 16500000 : 500000;
  bench->n_large_pes = n_large_pes > 0 ? n_large_pes : full ? 4096 : 1200;
  bench->n_intervals = n_intervals > 0 ? n_intervals : full ? 100000000 : 2000000;
  bench->n_class_pes = full ? 4096 : 256;
  bench->n_class_entries = full ? 400 : 60;
  bench->n_tau_records = full ? 18000000 : 20000;
  bench->n_profile_threads = full ? 16384 : 60;
  bench->n_files = n_files > 0 ? n_files : full ? 100000 : 2000;
  bench->attach_s = full ? 60 : 3;
  bench->only = only != NULL ? g_strsplit (only, ",", -1) : NULL;
}

static char *
beside (const char *self,
        const char *relative)
{
  g_autofree char *folder = g_path_get_dirname (self);

  return g_canonicalize_filename (relative, folder);
}

static gboolean
find_programs (Bench       *bench,
               const char  *name,
               GError     **error)
{
  bench->self = g_file_read_link ("/proc/self/exe", NULL);
  if (bench->self == NULL)
    bench->self = g_canonicalize_filename (name, NULL);
  bench->cli = cli != NULL ? g_canonicalize_filename (cli, NULL)
    : beside (bench->self, "../src/cli/kymo-cli");
  bench->maker = beside (bench->self, "kymo-make-run");
  bench->classes_maker = beside (bench->self, "kymo-make-classes");
  bench->stream_maker = beside (bench->self, "kymo-make-stream");
  bench->tau_maker = beside (bench->self, "kymo-make-tau");
  bench->window = window != NULL ? g_canonicalize_filename (window, NULL)
    : beside (bench->self, "kymo-bench-window");
  if (g_file_test (bench->cli, G_FILE_TEST_IS_EXECUTABLE)
      && g_file_test (bench->maker, G_FILE_TEST_IS_EXECUTABLE))
    return TRUE;
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT, "“%s” or “%s” is missing", bench->cli,
               bench->maker);
  return FALSE;
}

/* Children keep their cache here, whatever is small, and find the settings. */
static void
set_environment (const Bench *bench)
{
  g_autofree char *cache = g_build_filename (bench->folder, "cache", NULL);
  g_autofree char *schemas = beside (bench->self, "../data");

  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
  g_setenv ("KYMO_CACHE_MIN_BYTES", "0", TRUE);
  g_setenv ("GSETTINGS_SCHEMA_DIR", schemas, FALSE);
  g_setenv ("GSETTINGS_BACKEND", "memory", TRUE);
  g_setenv ("GSK_RENDERER", "cairo", FALSE);
}

static gboolean
wants_any (const Bench       *bench,
           const char *const *begins)
{
  for (guint i = 0; begins[i] != NULL; i++)
    if (bench_wants (bench, begins[i]))
      return TRUE;
  return FALSE;
}

static void
make_runs (Bench *bench)
{
  static const char *const of_text[] = { "load.text", "load.memory", "open.second", "whole.",
                                         "findings.", "paint.", "window.", NULL };
  static const char *const of_gzip[] = { "load.gzip", "window.first-picture.gzip", NULL };
  static const char *const of_tenfold[] = { "open.tenfold", "window.first-picture.tenfold", NULL };

  if (text_run != NULL)
    bench->text = g_canonicalize_filename (text_run, NULL);
  else if (wants_any (bench, of_text))
    bench_make_run (bench, "text", bench->n_pes, bench->n_records, FALSE, &bench->text);
  if (gzip_run != NULL)
    bench->gzip = g_canonicalize_filename (gzip_run, NULL);
  else if (wants_any (bench, of_gzip))
    bench_make_run (bench, "gzip", bench->n_pes, bench->n_records, TRUE, &bench->gzip);
  if (wants_any (bench, of_tenfold))
    bench_make_run (bench, "tenfold", bench->n_pes, bench->n_records * 10, FALSE,
                    &bench->tenfold);
}

/* A stage may take a minute: says which it is, and since when it runs. */
static void
say (const char *what)
{
  static gint64 begin_us;
  gint64 now_us = g_get_monotonic_time ();

  begin_us = begin_us > 0 ? begin_us : now_us;
  g_printerr ("%4" G_GINT64_FORMAT " s  %s\n", (now_us - begin_us) / G_USEC_PER_SEC, what);
}

static int
run_bench (Bench *bench)
{
  static const struct { const char *words; void (*run) (Bench *bench); } stages[] = {
    { "loads", bench_loads }, { "traces and profiles of functions", bench_functions },
    { "second opens", bench_second_opens },
    { "questions of a whole run", bench_whole_run }, { "many files", bench_many_files },
    { "classes of PEs", bench_classes },
    { "following a stream", bench_attach },
    { "the window", bench_desktop },
    /* Last: it leaves little memory to others. */
    { "a large run", bench_large_run },
  };
  FILE *out = output != NULL ? fopen (output, "w") : stdout;

  if (out == NULL)
    {
      g_printerr ("kymo-bench: “%s” cannot be written\n", output);
      return 1;
    }
  say ("making runs");
  make_runs (bench);
  for (guint i = 0; i < G_N_ELEMENTS (stages); i++)
    {
      say (stages[i].words);
      stages[i].run (bench);
    }
  say ("done");
  bench_print_table (bench, stderr);
  bench_print_json (bench, out);
  if (out != stdout)
    fclose (out);
  return 0;
}

/* Gigabytes are not left behind, however the program ends. */
static char *made_folder;

static void
remove_made (void)
{
  bench_stop_child ();
  bench_remove_tree (made_folder);
}

static gpointer
wait_for_stop (gpointer data)
{
  int number = 0;

  sigwait (data, &number);
  exit (128 + number);
}

static gboolean
make_folder (Bench   *bench,
             GError **error)
{
  static sigset_t stops;

  bench->folder = g_dir_make_tmp ("kymo-bench-XXXXXX", error);
  if (bench->folder == NULL)
    return FALSE;
  made_folder = g_strdup (bench->folder);
  atexit (remove_made);
  sigemptyset (&stops);
  sigaddset (&stops, SIGINT);
  sigaddset (&stops, SIGTERM);
  sigaddset (&stops, SIGHUP);
  pthread_sigmask (SIG_BLOCK, &stops, NULL);
  g_thread_unref (g_thread_new ("stop", wait_for_stop, &stops));
  return TRUE;
}

static void
bench_clear (Bench *bench)
{
  g_strfreev (bench->only);
  g_free (bench->self);
  g_free (bench->cli);
  g_free (bench->maker);
  g_free (bench->classes_maker);
  g_free (bench->stream_maker);
  g_free (bench->tau_maker);
  g_free (bench->window);
  g_free (bench->folder);
  g_free (bench->text);
  g_free (bench->gzip);
  g_free (bench->tenfold);
}

int
main (int    argc,
      char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new ("[RUN]");
  g_autoptr (GError) error = NULL;
  Bench bench = { 0 };
  int status = 1;

  g_option_context_set_summary (context, "Measures Kymo, on a run or on runs it makes.");
  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error) || argc > 2 || n_times < 1)
    {
      g_printerr ("%s\n", error != NULL ? error->message : "Usage: kymo-bench [--full] [RUN]");
      return 2;
    }
  text_run = argc > 1 ? argv[1] : NULL;
  if (only_load)
    return text_run != NULL ? load_once (text_run) : 2;
  choose_sizes (&bench);
  if (find_programs (&bench, argv[0], &error) && make_folder (&bench, &error))
    {
      set_environment (&bench);
      status = run_bench (&bench);
    }
  else
    g_printerr ("kymo-bench: %s\n", error->message);
  bench_clear (&bench);
  return status;
}
