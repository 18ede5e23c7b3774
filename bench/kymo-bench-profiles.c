/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long the views of a profile take: each question as its picture or table asks it,
 * and the picture painted of the answer. The run is opened once, of any format; wall time
 * and CPU of all threads, best and median.
 *
 *   kymo-bench-profiles [--times 9] [--threads 2] [--only thread] [--metric M] RUN
 *
 * "first" is a question to a run of which no figures are kept, "again" the same once more.
 * Pictures are of 1280 x 800 pixels.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "kymo-colors.h"
#include "kymo-open.h"
#include "kymo-plot.h"
#include "kymo-run-index.h"
#include "kymo-run-source.h"

#define WIDTH 1280
#define HEIGHT 800
#define MOST_TIMES 1000

static gint n_times = 9;
static gint n_threads;
static char *only, *metric;

static const GOptionEntry entries[] =
{
  { "times", 0, 0, G_OPTION_ARG_INT, &n_times, "how often", "N" },
  { "threads", 0, 0, G_OPTION_ARG_INT, &n_threads, "to answer with", "N" },
  { "only", 0, 0, G_OPTION_ARG_STRING, &only, "views whose name begins so", "TEXT" },
  { "metric", 0, 0, G_OPTION_ARG_STRING, &metric, "a metric, or an expression of them", "M" },
  { NULL },
};

/* View: a picture, or a table that is none; @key is one more keyword. */
typedef struct
{
  const char *name;
  const char *plot;             /* NULL: a table in the window */
  const char *kind;             /* of tables */
  const char *key, *value;      /* value NULL: the function with most */
} View;

static const View views[] =
{
  { "thread-bars", "thread-bars" },
  { "function-bars", "function-bars", NULL, "of" },
  { "function-threads-histogram", "function-threads-histogram", NULL, "of" },
  { "thread-scatter, places", "thread-scatter", NULL, "clusters", "none" },
  { "thread-scatter", "thread-scatter" },
  { "icicle", "icicle" },
  { "calltree", "calltree" },
  { "call-graph", "call-graph" },
  { "thread", "thread" },
  { "thread, one", "thread", NULL, "of", "0" },
  { "thread, paths", NULL, "thread", "paths", "paths" },
  { "threads", "threads", NULL, "of", "mean,min,max,0" },
  { "user-events", "user-events" },
  { "phases", "phases" },
  { "profile", NULL, "profile" },
};

typedef struct
{
  double wall_ms[MOST_TIMES], cpu_ms[MOST_TIMES];
} Times;

typedef struct
{
  KymoRun      *run;
  KymoSource   *source;
  KymoColors   *colors;
  char         *functions[2];   /* with most */
  KymoPlotFrame frame;
} Bench;

static double
get_cpu_ms (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3
    + (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3;
}

static int
compare (gconstpointer a,
         gconstpointer b)
{
  const double *x = a, *y = b;

  return *x < *y ? -1 : *x > *y;
}

static void
begin (Times *times,
       gint   i)
{
  times->wall_ms[i] = (double) g_get_monotonic_time () / 1e3;
  times->cpu_ms[i] = get_cpu_ms ();
}

static void
end (Times *times,
     gint   i)
{
  times->wall_ms[i] = (double) g_get_monotonic_time () / 1e3 - times->wall_ms[i];
  times->cpu_ms[i] = get_cpu_ms () - times->cpu_ms[i];
}

static void
print (Times *times)
{
  qsort (times->wall_ms, n_times, sizeof (double), compare);
  qsort (times->cpu_ms, n_times, sizeof (double), compare);
  printf (" | %7.2f %7.2f %7.2f", times->wall_ms[0], times->wall_ms[n_times / 2],
          times->cpu_ms[n_times / 2]);
}

/* What earlier questions left. */
static void
forget (Bench *bench)
{
  KymoRunIndex *index = bench->run->index;

  g_mutex_lock (&index->kept_mutex);
  g_clear_pointer (&index->figures, g_ptr_array_unref);
  if (index->kept != NULL)
    g_clear_pointer (&index->kept, index->free_kept);
  g_mutex_unlock (&index->kept_mutex);
}

static KymoQuestion *
make_question (Bench      *bench,
               const View *view)
{
  KymoQuestion *question = view->plot == NULL ? kymo_question_new (view->kind)
    : kymo_plot_find (view->plot)->question (&bench->frame);

  if (view->key != NULL)
    kymo_question_set (question, view->key,
                       view->value != NULL ? view->value : bench->functions[0]);
  if (g_strcmp0 (view->plot, "thread-scatter") == 0)
    {
      kymo_question_set (question, "x", bench->functions[0]);
      kymo_question_set (question, "y", bench->functions[1]);
    }
  if (metric != NULL)
    kymo_question_set (question, "metric", metric);
  return question;
}

static void
paint (Bench                *bench,
       const KymoPlotClass  *plot,
       const KymoTable      *answer,
       Times                *times,
       gint                  i)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  g_autoptr (KymoPicture) picture = NULL;
  cairo_t *cr = cairo_create (surface);

  begin (times, i);
  picture = kymo_picture_new (plot, answer, &bench->frame);
  plot->paint (cr, picture);
  cairo_surface_flush (surface);
  end (times, i);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

static void
measure (Bench      *bench,
         const View *view)
{
  static Times first, again, painting;
  g_autoptr (KymoQuestion) question = make_question (bench, view);

  printf ("%-28s", view->name);
  for (gint i = 0; i < n_times; i++)
    for (gint round = 0; round < 2; round++)
      {
        g_autoptr (GError) error = NULL;
        g_autoptr (KymoTable) answer = NULL;

        if (round == 0)
          forget (bench);
        begin (round == 0 ? &first : &again, i);
        answer = kymo_source_ask (bench->source, question, NULL, &error);
        end (round == 0 ? &first : &again, i);
        if (answer == NULL)
          {
            printf ("   %s\n", error->message);
            return;
          }
        if (view->plot != NULL)
          paint (bench, kymo_plot_find (view->plot), answer, &painting, i);
      }
  print (&first);
  print (&again);
  if (view->plot != NULL)
    print (&painting);
  printf ("\n");
}

static gboolean
find_functions (Bench *bench)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("thread-bars");
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoTable) answer = NULL;
  KymoTable *functions;

  kymo_question_set_resolution (question, 2, 1);
  answer = kymo_source_ask (bench->source, question, NULL, &error);
  functions = answer != NULL ? kymo_table_peek_nested (answer, "functions", NULL) : NULL;
  for (guint i = 0; i < G_N_ELEMENTS (bench->functions); i++)
    {
      if (functions == NULL || kymo_table_get_n_rows (functions) <= i)
        {
          fprintf (stderr, "kymo-bench-profiles: %s\n",
                   error != NULL ? error->message : "there are too few functions");
          return FALSE;
        }
      bench->functions[i] = g_strdup (kymo_table_get_string (functions, "name", i));
    }
  return TRUE;
}

static int
measure_all (Bench *bench)
{
  bench->colors = kymo_colors_new (KYMO_PALETTE_STANDARD);
  kymo_plot_frame_init (&bench->frame, WIDTH, HEIGHT, FALSE, bench->colors,
                        kymo_source_get_span (bench->source));
  if (!find_functions (bench))
    return 1;
  printf ("%u %s; wall best, wall median, CPU median in ms\n%-28s | %-23s | %-23s | %s\n",
          bench->run->locations->len, kymo_terms_row (bench->run->terms, TRUE), "", "first",
          "again", "painting");
  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    if (only == NULL || g_str_has_prefix (views[i].name, only))
      measure (bench, &views[i]);
  return 0;
}

int
main (int   argc,
      char *argv[])
{
  g_autoptr (GOptionContext) context = g_option_context_new ("RUN");
  KymoOpenOptions options = { .no_cache = TRUE };
  g_autoptr (GError) error = NULL;
  Bench bench = { 0 };
  int status;

  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error) || argc != 2 || n_times < 1
      || n_times > MOST_TIMES)
    {
      fprintf (stderr, "kymo-bench-profiles: %s\n",
               error != NULL ? error->message : "see --help");
      return 2;
    }
  bench.run = kymo_open_run (argv[1], &options, NULL, &error);
  if (bench.run == NULL)
    {
      fprintf (stderr, "kymo-bench-profiles: %s\n", error->message);
      return 1;
    }
  bench.source = KYMO_SOURCE (kymo_run_source_new (bench.run, n_threads));
  status = measure_all (&bench);
  g_clear_object (&bench.source);
  kymo_run_unref (bench.run);
  g_clear_pointer (&bench.colors, kymo_colors_unref);
  for (guint i = 0; i < G_N_ELEMENTS (bench.functions); i++)
    g_free (bench.functions[i]);
  return status;
}
