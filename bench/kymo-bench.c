/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How fast Kymo is on a run, and beside each figure what the machine can do
 * at most on the same files in the same minute: reading them, looking for line
 * ends, inflating. A table on standard error, one JSON object on standard
 * output. Every figure is the median of --times measurements.
 *
 * Loads are measured in a process of their own (this program again), so that
 * peak memory is that of the load alone.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <math.h>
#include <spawn.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kymo-colors.h"
#include "kymo-inflate.h"
#include "kymo-open.h"
#include "kymo-plot.h"
#include "kymo-run-source.h"

#define BUFFER_BYTES (1 << 20)
#define WIDTH 1920
#define HEIGHT 1080

extern char **environ;

static gint n_times = 5;
static char *cli;
static gboolean only_load;

static const GOptionEntry options[] =
{
  { "times", 't', 0, G_OPTION_ARG_INT, &n_times, "Measurements of each figure (5)", "N" },
  { "cli", 'c', 0, G_OPTION_ARG_FILENAME, &cli, "kymo-cli, for whole processes", "FILE" },
  { "only-load", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &only_load, NULL, NULL },
  { NULL }
};

/** Figure: one row of the table */
typedef struct
{
  const char *name;
  double      seconds;
  double      cpu_seconds;      /* of all threads; NAN = not measured */
  gint64      peak_bytes;       /* 0 = not measured */
  double      limit_seconds;    /* the machine's own best; NAN = none */
} Figure;

typedef struct
{
  const char *path;
  GPtrArray  *files;            /* paths of the logs */
  gint64      file_bytes, plain_bytes, n_records;
  GArray     *figures;          /* Figure */
} Bench;

static double
now (void)
{
  return (double) g_get_monotonic_time () / 1e6;
}

static int
compare_figures (gconstpointer a,
                 gconstpointer b)
{
  const Figure *x = a, *y = b;

  return x->seconds < y->seconds ? -1 : x->seconds > y->seconds;
}

typedef Figure (*Measure) (Bench         *bench,
                           gconstpointer  data);

/* The median by time of several measurements, once without counting. */
static Figure *
measure (Bench         *bench,
         const char    *name,
         Measure        function,
         gconstpointer  data)
{
  g_autofree Figure *all = g_new0 (Figure, n_times);
  Figure *median;

  function (bench, data);
  for (gint i = 0; i < n_times; i++)
    all[i] = function (bench, data);
  qsort (all, n_times, sizeof (Figure), compare_figures);
  median = &all[n_times / 2];
  median->name = name;
  median->limit_seconds = NAN;
  g_array_append_val (bench->figures, *median);
  return &g_array_index (bench->figures, Figure, bench->figures->len - 1);
}

/* A whole process: its time, CPU and peak memory. */
static Figure
run_process (char *const *command)
{
  Figure figure = { .cpu_seconds = NAN };
  posix_spawn_file_actions_t actions;
  struct rusage usage;
  double begin = now ();
  pid_t pid;
  int status;

  posix_spawn_file_actions_init (&actions);
  posix_spawn_file_actions_addopen (&actions, 1, "/dev/null", O_WRONLY, 0);
  if (posix_spawn (&pid, command[0], &actions, NULL, command, environ) != 0
      || wait4 (pid, &status, 0, &usage) < 0 || !WIFEXITED (status)
      || WEXITSTATUS (status) != 0)
    {
      g_printerr ("kymo-bench: %s failed\n", command[0]);
      exit (1);
    }
  posix_spawn_file_actions_destroy (&actions);
  figure.seconds = now () - begin;
  figure.cpu_seconds = (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
    + (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
  figure.peak_bytes = usage.ru_maxrss * 1024;
  return figure;
}

static Figure
measure_load (Bench         *bench,
              gconstpointer  data)
{
  char *command[] = { (char *) data, "--only-load", (char *) bench->path, NULL };

  return run_process (command);
}

static Figure
measure_second_open (Bench         *bench,
                     gconstpointer  data)
{
  char *command[] = { cli, (char *) data, (char *) bench->path, "--quiet", NULL };

  return run_process (command);
}

/* What the machine can do: each file through a function, on as many threads
   as a load has. */
typedef gint64 (*Walk) (const char *path,
                        guint8     *buffer);

static gint64
walk_read (const char *path,
           guint8     *buffer)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  gint64 sum = 0;
  ssize_t n;

  while (fd >= 0 && (n = read (fd, buffer, BUFFER_BYTES)) > 0)
    sum += n;
  close (fd);
  return sum;
}

static gint64
walk_inflate (const char *path,
              guint8     *buffer)
{
  g_autoptr (KymoInflate) inflate = kymo_inflate_open (path, NULL);
  gint64 sum = 0;
  gsize n;

  while (inflate != NULL && (n = kymo_inflate_read (inflate, buffer, BUFFER_BYTES, NULL)) > 0)
    sum += n;
  return sum;
}

static gint64
walk_lines (const char *path,
            guint8     *buffer)
{
  g_autoptr (KymoInflate) inflate = kymo_inflate_open (path, NULL);
  gint64 lines = 0;
  gsize n;

  while (inflate != NULL && (n = kymo_inflate_read (inflate, buffer, BUFFER_BYTES, NULL)) > 0)
    for (guint8 *p = buffer; (p = memchr (p, '\n', buffer + n - p)) != NULL; p++)
      lines++;
  return lines;
}

typedef struct
{
  Walk   walk;
  gint64 sum;                   /* atomic */
} Walking;

static void
walk_file (gpointer data,
           gpointer user_data)
{
  Walking *walking = user_data;
  g_autofree guint8 *buffer = g_malloc (BUFFER_BYTES);

  __atomic_add_fetch (&walking->sum, walking->walk (data, buffer), __ATOMIC_RELAXED);
}

static gint64
walk_all (const Bench *bench,
          Walk         walk)
{
  Walking walking = { walk, 0 };
  GThreadPool *pool = g_thread_pool_new (walk_file, &walking, g_get_num_processors (), FALSE,
                                         NULL);

  for (guint i = 0; i < bench->files->len; i++)
    g_thread_pool_push (pool, bench->files->pdata[i], NULL);
  g_thread_pool_free (pool, FALSE, TRUE);
  return walking.sum;
}

static Figure
measure_walk (Bench         *bench,
              gconstpointer  data)
{
  Figure figure = { .cpu_seconds = NAN };
  double begin = now ();

  walk_all (bench, *(const Walk *) data);
  figure.seconds = now () - begin;
  return figure;
}

/** Asking: a question, or the picture of its answer */
typedef struct
{
  KymoSource          *source;
  const KymoPlotClass *plot;
  KymoPlotFrame        frame;
  KymoTable           *answer;
} Asking;

static Figure
measure_question (Bench         *bench,
                  gconstpointer  data)
{
  const Asking *asking = data;
  g_autoptr (KymoQuestion) question = asking->plot->question (&asking->frame);
  Figure figure = { .cpu_seconds = NAN };
  double begin = now ();
  KymoTable *answer = kymo_source_ask (asking->source, question, NULL, NULL);

  figure.seconds = now () - begin;
  g_clear_pointer (&answer, kymo_table_unref);
  return figure;
}

static Figure
measure_painting (Bench         *bench,
                  gconstpointer  data)
{
  const Asking *asking = data;
  Figure figure = { .cpu_seconds = NAN };
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  cairo_t *cr = cairo_create (surface);
  double begin = now ();

  asking->plot->paint (cr, asking->answer, &asking->frame);
  cairo_surface_flush (surface);
  figure.seconds = now () - begin;
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  return figure;
}

static void
ask_all (Bench      *bench,
         KymoSource *source)
{
  static const char *const names[] =
    { "timeline", "time-profile", "usage", "histogram", "profile", "communication" };
  static const char *const paintings[] = { "paint timeline", "paint time-profile" };
  g_autoptr (KymoColors) colors = kymo_colors_new (KYMO_PALETTE_STANDARD);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      Asking asking = { source, kymo_plot_find (names[i]) };
      g_autoptr (KymoQuestion) question = NULL;

      kymo_plot_frame_init (&asking.frame, WIDTH, HEIGHT, FALSE, colors,
                            kymo_source_get_span (source));
      question = asking.plot->question (&asking.frame);
      asking.answer = kymo_source_ask (source, question, NULL, NULL);
      if (asking.answer == NULL)
        continue;
      measure (bench, names[i], measure_question, &asking);
      if (i < G_N_ELEMENTS (paintings))
        measure (bench, paintings[i], measure_painting, &asking);
      kymo_table_unref (asking.answer);
    }
}

static void
find_logs (Bench      *bench,
           const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      char *path = g_build_filename (folder, name, NULL);

      if (strstr (name, ".projdir.") != NULL)
        find_logs (bench, path);
      if (g_str_has_suffix (name, ".log") || g_str_has_suffix (name, ".log.gz"))
        g_ptr_array_add (bench->files, path);
      else
        g_free (path);
    }
}

static gboolean
bench_run (Bench      *bench,
           const char *self,
           GError    **error)
{
  static const Walk reading = walk_read, inflating = walk_inflate, scanning = walk_lines;
  KymoOpenOptions open_options = { .no_cache = TRUE };
  g_autoptr (KymoRun) run = NULL;
  g_autoptr (KymoRunSource) source = NULL;
  double scan;

  find_logs (bench, bench->path);
  bench->file_bytes = walk_all (bench, walk_read);
  bench->plain_bytes = walk_all (bench, walk_inflate);
  measure (bench, "limit: reading", measure_walk, &reading);
  measure (bench, "limit: inflating", measure_walk, &inflating);
  scan = measure (bench, "limit: line ends", measure_walk, &scanning)->seconds;
  measure (bench, "load", measure_load, self)->limit_seconds = scan;
  if (cli != NULL)
    {
      measure (bench, "second open: profile", measure_second_open, "profile");
      measure (bench, "second open: info", measure_second_open, "info");
    }
  run = kymo_open_run (bench->path, &open_options, NULL, error);
  if (run == NULL)
    return FALSE;
  bench->n_records = run->n_records;
  source = kymo_run_source_new (run, 0);
  ask_all (bench, KYMO_SOURCE (source));
  return TRUE;
}

static void
print_number (const char *key,
              double      value,
              const char *format)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (isfinite (value))
    g_print (",\"%s\":%s", key, g_ascii_formatd (text, sizeof text, format, value));
}

static void
print_json (const Bench *bench)
{
  g_autofree char *path = g_strescape (bench->path, NULL);

  g_print ("{\"run\":\"%s\",\"version\":\"%s\",\"cores\":%u,\"times\":%d,\"files\":%u,"
           "\"file_bytes\":%" G_GINT64_FORMAT ",\"plain_bytes\":%" G_GINT64_FORMAT
           ",\"records\":%" G_GINT64_FORMAT ",\"figures\":[", path, KYMO_VERSION,
           g_get_num_processors (), n_times, bench->files->len, bench->file_bytes,
           bench->plain_bytes, bench->n_records);
  for (guint i = 0; i < bench->figures->len; i++)
    {
      const Figure *f = &g_array_index (bench->figures, Figure, i);

      g_print ("%s{\"name\":\"%s\"", i > 0 ? "," : "", f->name);
      print_number ("seconds", f->seconds, "%.6f");
      print_number ("cpu_seconds", f->cpu_seconds, "%.6f");
      if (f->peak_bytes > 0)
        g_print (",\"peak_bytes\":%" G_GINT64_FORMAT, f->peak_bytes);
      if (isfinite (f->cpu_seconds))
        print_number ("records_per_cpu_second",
                      (double) bench->n_records / f->cpu_seconds, "%.0f");
      print_number ("limit_ratio", f->seconds / f->limit_seconds, "%.3f");
      g_print ("}");
    }
  g_print ("]}\n");
}

static void
print_table (const Bench *bench)
{
  g_printerr ("%s: %" G_GINT64_FORMAT " records, %.1f MB in %u files, %.1f MB plain; "
              "%u cores, median of %d\n", bench->path, bench->n_records,
              (double) bench->file_bytes / 1e6, bench->files->len,
              (double) bench->plain_bytes / 1e6, g_get_num_processors (), n_times);
  g_printerr ("%-22s %10s %10s %12s %12s %8s\n", "", "wall ms", "CPU ms", "Mrec/s/core",
              "bytes/rec", "x limit");
  for (guint i = 0; i < bench->figures->len; i++)
    {
      const Figure *f = &g_array_index (bench->figures, Figure, i);
      double n = (double) bench->n_records;

      g_printerr ("%-22s %10.1f", f->name, f->seconds * 1e3);
      if (isfinite (f->cpu_seconds))
        g_printerr (" %10.1f %12.1f", f->cpu_seconds * 1e3, n / f->cpu_seconds / 1e6);
      if (f->peak_bytes > 0)
        g_printerr (" %12.1f", (double) f->peak_bytes / n);
      if (isfinite (f->limit_seconds))
        g_printerr (" %8.1f", f->seconds / f->limit_seconds);
      g_printerr ("\n");
    }
}

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

int
main (int    argc,
      char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new ("RUN");
  g_autoptr (GError) error = NULL;
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);
  Bench bench = { 0 };
  gboolean fine;

  g_option_context_set_summary (context, "Measures Kymo on a run.");
  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error) || argc != 2 || n_times < 1)
    {
      g_printerr ("%s\n", error != NULL ? error->message
                  : "Usage: kymo-bench [--times N] [--cli KYMO-CLI] RUN");
      return 2;
    }
  if (only_load)
    return load_once (argv[1]);
  bench.path = argv[1];
  bench.files = g_ptr_array_new_with_free_func (g_free);
  bench.figures = g_array_new (FALSE, FALSE, sizeof (Figure));
  fine = bench_run (&bench, self != NULL ? self : argv[0], &error);
  if (fine)
    {
      print_table (&bench);
      print_json (&bench);
    }
  else
    g_printerr ("kymo-bench: %s\n", error->message);
  g_ptr_array_unref (bench.files);
  g_array_unref (bench.figures);
  return fine ? 0 : 1;
}
