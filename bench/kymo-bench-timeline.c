/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How fast a timeline answers: a run of any size is made in memory, without
 * files, and asked at twenty zooms from the whole run to single pieces, for
 * the rows of a window: some of all locations, or all of them merged.
 *
 *   kymo-bench-timeline --pes 4096 --pieces 24400
 *
 * A line a zoom: wall time of the answer (best and median), CPU time of all
 * threads, width of a column and form of the cells.
 */
#include "config.h"

#include <stdlib.h>
#include <sys/resource.h>

#include "kymo-run-index.h"
#include "kymo-run-source.h"
#include "kymo-segment-builder.h"

#define N_ENTRIES 24
#define TICK_NS 1000
static gint n_zooms = 20;

static gint n_pes = 4096, n_pieces = 24400, n_columns = 1920, n_rows = 1080, n_times = 7;
static gint n_threads;
static gboolean shuffled;

static const GOptionEntry options[] =
{
  { "pes", 'p', 0, G_OPTION_ARG_INT, &n_pes, "Locations (4096)", "N" },
  { "pieces", 'n', 0, G_OPTION_ARG_INT, &n_pieces, "Pieces a location (24400)", "N" },
  { "columns", 'c', 0, G_OPTION_ARG_INT, &n_columns, "Columns asked for (1920)", "N" },
  { "rows", 'r', 0, G_OPTION_ARG_INT, &n_rows, "Rows asked for (1080)", "N" },
  { "zooms", 'z', 0, G_OPTION_ARG_INT, &n_zooms, "Zooms, each half of the one before (20)", "N" },
  { "times", 't', 0, G_OPTION_ARG_INT, &n_times, "Measurements of each figure (7)", "N" },
  { "shuffled", 's', 0, G_OPTION_ARG_NONE, &shuffled,
    "Rows in an order of their own, as that of clusters", NULL },
  { "threads", 'j', 0, G_OPTION_ARG_INT, &n_threads, "Most threads (one per core)", "N" },
  { NULL }
};

/* A step of blocks, some with a gap of idle or overhead after. */
static KymoSegment *
make_segment (guint location)
{
  KymoSegmentBuilder *builder = kymo_segment_builder_new (location, N_ENTRIES);
  guint32 seed = location * 2654435761u + 12345;
  KymoRepairs repairs;
  KymoSegment *segment;
  gint64 ticks = 0;

  kymo_segment_builder_touch (builder, 0);
  for (gint i = 0; i < n_pieces; i += 2)
    {
      guint step = (guint) ticks >> 14, r;

      seed = seed * 1664525u + 1013904223u;
      r = seed >> 8;
      kymo_segment_builder_begin_block (builder, ticks * TICK_NS, (step * 5 + r % 6) % N_ENTRIES,
                                        0, -1, 0, NULL);
      ticks += 2 + (r >> 4) % 30;
      kymo_segment_builder_end_block (builder, ticks * TICK_NS);
      kymo_segment_builder_set_idle (builder, ticks * TICK_NS, (r & 0x300) != 0);
      ticks += 1 + (r >> 10) % 12;
      kymo_segment_builder_set_idle (builder, ticks * TICK_NS, FALSE);
    }
  segment = kymo_segment_builder_seal (builder, n_pieces, FALSE, &repairs);
  kymo_segment_builder_free (builder);
  return segment;
}

static void
make_some (gpointer data,
           gpointer user_data)
{
  guint location = GPOINTER_TO_UINT (data) - 1;
  KymoSegment **segments = user_data;

  segments[location] = make_segment (location);
}

static KymoRun *
make_run (void)
{
  g_autofree KymoSegment **segments = g_new0 (KymoSegment *, n_pes);
  GThreadPool *pool = g_thread_pool_new (make_some, segments, g_get_num_processors (), FALSE,
                                         NULL);
  KymoRun *run = kymo_run_new ();

  for (gint i = 0; i < n_pes; i++)
    g_thread_pool_push (pool, GUINT_TO_POINTER (i + 1), NULL);
  g_thread_pool_free (pool, FALSE, TRUE);
  run->format = g_strdup ("made");
  run->title = g_strdup ("made");
  for (gint i = 0; i < N_ENTRIES; i++)
    {
      g_autofree char *name = g_strdup_printf ("Chare%d::method", i);

      kymo_run_add_activity (run, KYMO_ACTIVITY_ENTRY, i, name, NULL, NULL);
    }
  for (gint i = 0; i < n_pes; i++)
    {
      KymoLocation location = { .id = i, .label = g_strdup_printf ("PE %d", i), .kept = TRUE };

      kymo_run_add_location (run, &location, segments[i]);
    }
  run->n_locations_original = n_pes;
  kymo_run_seal (run);
  return run;
}

static double
cpu_seconds (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
    + (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/* What the first question of a window would wait for. */
static void
build_mosaic (const KymoRun *run)
{
  KymoMosaic *mosaic = kymo_run_peek_mosaic (run);
  double before = cpu_seconds ();
  gint64 begin = g_get_monotonic_time ();

  if (mosaic == NULL)
    return;
  kymo_mosaic_build (mosaic, run, n_threads > 0 ? (guint) n_threads : g_get_num_processors (),
                     NULL);
  g_print ("mosaic: built in %.3f s, %.3f s CPU; %.1f MB, %.2f bytes a piece\n",
           (double) (g_get_monotonic_time () - begin) / 1e6, cpu_seconds () - before,
           (double) kymo_mosaic_get_bytes (mosaic) / 1e6,
           (double) kymo_mosaic_get_bytes (mosaic) / ((double) n_pes * n_pieces));
}

/* Every location has its place, far from its neighbours'. */
static void
set_order (KymoQuestion *question)
{
  g_autoptr (GArray) order = g_array_sized_new (FALSE, FALSE, sizeof (gint64), n_pes);
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);

  for (gint64 i = 0; i < n_pes; i++)
    g_array_append_val (order, i);
  for (gint i = n_pes - 1; i > 0; i--)
    {
      gint64 *ids = (gint64 *) order->data, other = g_rand_int_range (rand, 0, i + 1), id = ids[i];

      ids[i] = ids[other];
      ids[other] = id;
    }
  kymo_question_set_order (question, order);
}

static KymoQuestion *
make_question (KymoSpan span,
               gboolean merged)
{
  KymoQuestion *question = kymo_question_new ("timeline");

  kymo_question_set_span (question, span);
  kymo_question_set_resolution (question, n_columns, merged ? n_rows : 0);
  kymo_question_set_int (question, "grid", 1);
  kymo_question_set_int (question, "dense", 1);
  if (!merged)
    {
      kymo_question_set_int (question, "first-row", MAX (n_pes - n_rows, 0) / 2);
      kymo_question_set_int (question, "n-rows", n_rows);
    }
  if (shuffled)
    set_order (question);
  return question;
}

static int
compare_doubles (gconstpointer a,
                 gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

static void
measure (KymoSource *source,
         KymoSpan    span,
         gboolean    merged)
{
  g_autoptr (KymoQuestion) question = make_question (span, merged);
  g_autofree double *seconds = g_new (double, n_times);
  double cpu = 0;
  gint64 column_ns = 0, group = 0;
  gboolean dense = FALSE;

  for (gint i = -1; i < n_times; i++)
    {
      g_autoptr (GError) error = NULL;
      double before = cpu_seconds ();
      gint64 begin = g_get_monotonic_time ();
      KymoTable *answer = kymo_source_ask (source, question, NULL, &error);

      if (answer == NULL)
        g_error ("%s", error->message);
      if (i < 0)
        g_print ("%9.3f ", (double) (g_get_monotonic_time () - begin) / 1e3);
      else
        seconds[i] = (double) (g_get_monotonic_time () - begin) / 1e3;
      cpu += i >= 0 ? cpu_seconds () - before : 0;
      column_ns = kymo_table_get_int (answer, "column_ns", 0);
      group = kymo_table_get_int (answer, "group", 0);
      dense = kymo_table_peek_nested (answer, "dense", NULL) != NULL;
      kymo_table_unref (answer);
    }
  qsort (seconds, n_times, sizeof (double), compare_doubles);
  g_print ("%9.3f %9.3f %9.3f  %14" G_GINT64_FORMAT " %10" G_GINT64_FORMAT " %6" G_GINT64_FORMAT
           " %s\n", seconds[0], seconds[n_times / 2], cpu * 1e3 / n_times,
           kymo_span_length (span), column_ns, group, dense ? "dense" : "cells");
}

int
main (int    argc,
      char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new ("- speed of timelines");
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoRun) run = NULL;
  g_autoptr (KymoRunSource) source = NULL;

  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error) || n_pes < 1 || n_pieces < 1
      || n_times < 1 || n_rows < 1 || n_columns < 1)
    {
      g_printerr ("kymo-bench-timeline: %s\n", error != NULL ? error->message
                  : "numbers from 1 are needed");
      return 2;
    }
  run = make_run ();
  source = kymo_run_source_new (run, n_threads);
  build_mosaic (run);
  for (guint merged = 0; merged < 2; merged++)
    {
      double length = (double) kymo_span_length (run->span);

      g_print ("%s\n  first ms   best ms    median    CPU ms        range ns  column ns  group\n",
               merged ? "all locations" : "some of the locations");
      for (guint i = 0; i < (guint) n_zooms; i++, length /= 2)
        {
          gint64 begin = run->span.begin_ns + (kymo_span_length (run->span) - (gint64) length) / 3;

          measure (KYMO_SOURCE (source), (KymoSpan) { begin, begin + MAX ((gint64) length, 1) },
                   merged);
        }
    }
  return 0;
}
