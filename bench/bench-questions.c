/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stages about questions: of a whole run, for the first time and again; of a
 * large run the timeline at many zooms; and painting the answers.
 */
#include "config.h"

#include <stdlib.h>

#include "bench.h"
#include "kymo-colors.h"
#include "kymo-diagnose.h"
#include "kymo-open.h"
#include "kymo-plot.h"
#include "kymo-run-source.h"

#define WIDTH 1920
#define HEIGHT 1080
#define N_ZOOMS 20

/** bench_run_bytes: of all columns of a run */
gsize
bench_run_bytes (const KymoRun *run)
{
  gsize sum = 0;

  for (guint i = 0; i < run->segments->len; i++)
    sum += kymo_segment_get_bytes (g_ptr_array_index (run->segments, i));
  return sum;
}

/* What a pass over the track reads: a time and a state of each piece. */
static gsize
track_bytes (const KymoRun *run)
{
  gsize n = 0;

  for (guint i = 0; i < run->segments->len; i++)
    n += ((const KymoSegment *) g_ptr_array_index (run->segments, i))->n_pieces;
  return n * 2 * sizeof (guint32);
}

/** Asking: what is asked of whom; the last answer is kept */
typedef struct
{
  KymoSource   *source;
  KymoQuestion *question;
  KymoTable    *answer;
} Asking;

static void
ask (gpointer data)
{
  Asking *asking = data;
  g_autoptr (GError) error = NULL;

  g_clear_pointer (&asking->answer, kymo_table_unref);
  asking->answer = kymo_source_ask (asking->source, asking->question, NULL, &error);
  if (asking->answer == NULL)
    {
      g_printerr ("kymo-bench: %s\n", error->message);
      exit (1);
    }
}

static void
asking_clear (Asking *asking)
{
  g_clear_pointer (&asking->question, kymo_question_unref);
  g_clear_pointer (&asking->answer, kymo_table_unref);
}

/* The question that the picture of that name asks, of the whole run. */
static KymoQuestion *
question_of_picture (const char *name,
                     KymoSource *source,
                     KymoColors *colors)
{
  const KymoPlotClass *plot = kymo_plot_find (name);
  KymoPlotFrame frame;

  kymo_plot_frame_init (&frame, WIDTH, HEIGHT, FALSE, colors, kymo_source_get_span (source));
  return plot->question (&frame);
}

static const char *const kinds[] =
  { "time-profile", "usage", "histogram", "profile", "communication" };

static BenchRow *
row_of (const char *stage,
        const char *kind,
        const char *when)
{
  g_autofree char *key = g_strconcat (stage, ".", kind, ".", when, NULL);

  return bench_row (key);
}

/* Every kind of question for the first time; a sample each. */
static void
ask_first (KymoSource  *source,
           KymoColors  *colors,
           BenchSample *samples,
           guint        n_kinds)
{
  for (guint i = 0; i < n_kinds; i++)
    {
      Asking asking = { source, question_of_picture (kinds[i], source, colors) };
      BenchSample begin = bench_now ();

      ask (&asking);
      samples[i] = bench_since (begin);
      asking_clear (&asking);
    }
}

static void
ask_again (const Bench *bench,
           const char  *stage,
           KymoSource  *source,
           KymoColors  *colors,
           guint        n_kinds,
           double       bound,
           gint64       n_records)
{
  for (guint i = 0; i < n_kinds; i++)
    {
      Asking asking = { source, question_of_picture (kinds[i], source, colors) };
      BenchRow *row = row_of (stage, kinds[i], "again");

      bench_measure (bench, row, ask, &asking, 0, n_records);
      bench_row_limit (row, "reading the track once", bound);
      bench_row_limit (row_of (stage, kinds[i], "first"), "reading the track once", bound);
      asking_clear (&asking);
    }
}

/** Painting: a picture into a surface */
typedef struct
{
  const KymoPlotClass *plot;
  KymoPlotFrame        frame;
  KymoTable           *answer;
  cairo_surface_t     *surface, *other;
} Painting;

static void
paint (gpointer data)
{
  Painting *painting = data;
  g_autoptr (KymoPicture) picture = kymo_picture_new (painting->plot, painting->answer,
                                                      &painting->frame);
  cairo_t *cr = cairo_create (painting->surface);

  painting->plot->paint (cr, picture);
  cairo_surface_flush (painting->surface);
  cairo_destroy (cr);
}

/* The least a frame costs: the pixels from one place to another. */
static void
copy_pixels (gpointer data)
{
  Painting *painting = data;
  cairo_t *cr = cairo_create (painting->surface);

  cairo_set_operator (cr, CAIRO_OPERATOR_SOURCE);
  cairo_set_source_surface (cr, painting->other, 0, 0);
  cairo_paint (cr);
  cairo_surface_flush (painting->surface);
  cairo_destroy (cr);
}

static void
measure_painting (const Bench *bench,
                  BenchRow    *row,
                  const char  *name,
                  KymoSource  *source,
                  KymoColors  *colors)
{
  Asking asking = { source, question_of_picture (name, source, colors) };
  Painting painting = { kymo_plot_find (name) };

  ask (&asking);
  kymo_plot_frame_init (&painting.frame, WIDTH, HEIGHT, FALSE, colors,
                        kymo_source_get_span (source));
  painting.answer = asking.answer;
  painting.surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  painting.other = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  bench_measure (bench, row, paint, &painting, WIDTH * HEIGHT * 4, 0);
  bench_row_limit (row, "copying the pixels",
                   bench_measure (bench, NULL, copy_pixels, &painting, 0, 0));
  cairo_surface_destroy (painting.surface);
  cairo_surface_destroy (painting.other);
  asking_clear (&asking);
}

static KymoRun *
open_fresh (const char *path)
{
  KymoOpenOptions options = { .no_cache = TRUE };
  g_autoptr (GError) error = NULL;
  KymoRun *run = kymo_open_run (path, &options, NULL, &error);

  if (run == NULL)
    {
      g_printerr ("kymo-bench: %s\n", error->message);
      exit (1);
    }
  return run;
}

/* First questions need a run that was asked nothing, so it is loaded anew for
   each measurement. */
static void
ask_whole_run (Bench      *bench,
               KymoColors *colors)
{
  g_autofree BenchSample *samples = g_new0 (BenchSample, bench->n_times * G_N_ELEMENTS (kinds));
  g_autofree BenchSample *each = g_new0 (BenchSample, bench->n_times);
  g_autoptr (KymoRun) run = NULL;
  g_autoptr (KymoRunSource) source = NULL;

  for (gint i = 0; i < bench->n_times; i++)
    {
      g_clear_object (&source);
      g_clear_pointer (&run, kymo_run_unref);
      run = open_fresh (bench->text);
      source = kymo_run_source_new (run, 0);
      ask_first (KYMO_SOURCE (source), colors, samples + i * G_N_ELEMENTS (kinds),
                 G_N_ELEMENTS (kinds));
    }
  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    {
      for (gint i = 0; i < bench->n_times; i++)
        each[i] = samples[i * G_N_ELEMENTS (kinds) + k];
      bench_row_set (row_of ("whole", kinds[k], "first"), each, bench->n_times, 0,
                     run->n_records);
    }
  ask_again (bench, "whole", KYMO_SOURCE (source), colors, G_N_ELEMENTS (kinds),
             bench_limit_memory (bench, track_bytes (run)), run->n_records);
}

/* What the page with which a run opens needs: of a run that was asked nothing before. */
static void
diagnose_whole_run (Bench *bench)
{
  g_autofree BenchSample *drafts = g_new0 (BenchSample, bench->n_times);
  g_autofree BenchSample *all = g_new0 (BenchSample, bench->n_times);
  g_autoptr (KymoQuestion) question = kymo_question_new (KYMO_QUESTION_FINDINGS);
  gint64 n_records = 0;

  kymo_question_set_span (question, KYMO_SPAN_ALL);
  for (gint i = 0; i < bench->n_times; i++)
    {
      g_autoptr (KymoRun) run = open_fresh (bench->text);
      g_autoptr (KymoRunSource) source = kymo_run_source_new (run, 0);
      BenchSample begin = bench_now ();
      g_autoptr (KymoTable) draft = kymo_diagnose_draft (KYMO_SOURCE (source), question, NULL,
                                                         NULL);
      g_autoptr (KymoTable) answer = NULL;

      drafts[i] = bench_since (begin);
      begin = bench_now ();
      answer = kymo_diagnose (KYMO_SOURCE (source), question, NULL, NULL);
      all[i] = bench_since (begin);
      all[i].wall_s = all[i].cpu_s;
      n_records = run->n_records;
      if (draft == NULL || answer == NULL)
        g_error ("the rules are faulty");
    }
  bench_row_set (bench_row ("findings.draft"), drafts, bench->n_times, 0, n_records);
  bench_row_set (bench_row ("findings.all"), all, bench->n_times, 0, n_records);
}

static void
paint_whole_run (Bench      *bench,
                 KymoColors *colors)
{
  g_autoptr (KymoRun) run = open_fresh (bench->text);
  g_autoptr (KymoRunSource) source = kymo_run_source_new (run, 0);

  measure_painting (bench, bench_row ("paint.timeline"), "timeline", KYMO_SOURCE (source),
                    colors);
  measure_painting (bench, bench_row ("paint.time-profile"), "time-profile",
                    KYMO_SOURCE (source), colors);
}

/** bench_whole_run: whole.*, findings.* and paint.* */
void
bench_whole_run (Bench *bench)
{
  g_autoptr (KymoColors) colors = kymo_colors_new (KYMO_PALETTE_STANDARD);

  if (bench_wants (bench, "whole."))
    ask_whole_run (bench, colors);
  if (bench_wants (bench, "findings."))
    diagnose_whole_run (bench);
  if (bench_wants (bench, "paint."))
    paint_whole_run (bench, colors);
}

/* Zoom @i of the large run as the window asks it: half as wide as the one
   before, each somewhere else; of some thousand PEs the rows that a screen
   shows, somewhere else too, or all, several a row. */
static KymoQuestion *
timeline_question (KymoSource    *source,
                   const KymoRun *run,
                   guint          i,
                   gboolean       merged)
{
  KymoQuestion *question = kymo_question_new ("timeline");
  KymoSpan span = kymo_source_get_span (source);
  gint64 length = MAX (kymo_span_length (span) >> i, WIDTH);
  gint64 room = MAX (kymo_span_length (span) - length, 0);
  gint64 begin = span.begin_ns + (gint64) ((double) room * ((i * 7) % N_ZOOMS) / N_ZOOMS);
  guint n_rows = MIN (run->locations->len, HEIGHT);

  kymo_question_set_span (question, (KymoSpan) { begin, begin + length });
  kymo_question_set_resolution (question, WIDTH, merged ? HEIGHT : run->locations->len);
  kymo_question_set_int (question, "grid", 1);
  kymo_question_set_int (question, "dense", 1);
  if (!merged)
    {
      kymo_question_set_int (question, "first-row",
                             (run->locations->len - n_rows) * ((i * 3) % N_ZOOMS) / N_ZOOMS);
      kymo_question_set_int (question, "n-rows", n_rows);
    }
  return question;
}

/* Median over the zooms of each zoom's median, and the worst of these. */
static void
ask_timelines (const Bench *bench,
               KymoSource  *source,
               const KymoRun *run,
               const char  *key,
               gboolean     merged,
               double       bound)
{
  g_autofree char *worst_key = g_strconcat (key, ".worst", NULL);
  BenchRow *row = bench_row (key), *worst = bench_row (worst_key);
  BenchSample zooms[N_ZOOMS];
  guint slowest = 0;

  for (guint i = 0; i < N_ZOOMS; i++)
    {
      Asking asking = { source, timeline_question (source, run, i, merged) };
      BenchRow one = { .unit = "s" };

      bench_measure (bench, &one, ask, &asking, 0, 0);
      zooms[i] = (BenchSample) { one.figure, one.cpu_s, 0 };
      slowest = zooms[i].wall_s > zooms[slowest].wall_s ? i : slowest;
      asking_clear (&asking);
    }
  bench_row_set (row, zooms, N_ZOOMS, 0, 0);
  bench_row_set (worst, &zooms[slowest], 1, 0, 0);
  bench_row_limit (row, "writing 8 bytes a cell", bound);
  bench_row_limit (worst, "writing 8 bytes a cell", bound);
}

static void
ask_large_whole (const Bench   *bench,
                 KymoSource    *source,
                 const KymoRun *run,
                 KymoColors    *colors)
{
  BenchSample samples[G_N_ELEMENTS (kinds)];
  guint n_kinds = G_N_ELEMENTS (kinds) - 1;     /* it sends no messages */

  ask_first (source, colors, samples, n_kinds);
  for (guint i = 0; i < n_kinds; i++)
    bench_row_set (row_of ("large", kinds[i], "first"), &samples[i], 1, 0, run->n_records);
  ask_again (bench, "large", source, colors, n_kinds,
             bench_limit_memory (bench, track_bytes (run)), run->n_records);
}

static void
ask_first_timeline (KymoSource    *source,
                    const KymoRun *run)
{
  Asking asking = { source, timeline_question (source, run, 0, TRUE) };
  BenchSample begin = bench_now ();

  ask (&asking);
  begin = bench_since (begin);
  bench_row_set (bench_row ("timeline.first"), &begin, 1, 0, run->n_records);
  asking_clear (&asking);
}

/** bench_large_run: timeline.* and large.* */
void
bench_large_run (Bench *bench)
{
  g_autoptr (KymoColors) colors = NULL;
  g_autoptr (KymoRun) run = NULL;
  g_autoptr (KymoRunSource) source = NULL;
  double cells;

  if (!bench_wants (bench, "timeline.") && !bench_wants (bench, "large."))
    return;
  colors = kymo_colors_new (KYMO_PALETTE_STANDARD);
  run = bench_make_large (bench);
  source = kymo_run_source_new (run, 0);
  if (bench_wants (bench, "timeline."))
    {
      cells = bench_limit_pages (bench, WIDTH * HEIGHT * 8);
      ask_first_timeline (KYMO_SOURCE (source), run);
      ask_timelines (bench, KYMO_SOURCE (source), run, "timeline.visible", FALSE, cells);
      ask_timelines (bench, KYMO_SOURCE (source), run, "timeline.merged", TRUE, cells);
    }
  if (bench_wants (bench, "large."))
    ask_large_whole (bench, KYMO_SOURCE (source), run, colors);
}
