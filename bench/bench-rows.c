/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows: what is measured, what is asked of it, and both ways to print
 * them. The table here is the list of all there is; tests hold the JSON to it.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

/* Bounds of loading are for the run that the goals are told of. */
#define GOAL_RECORDS 16500000
#define GOAL_TAU_RECORDS 18000000

static BenchRow rows[] =
{
  { "load.text", "load from text", "s", 0.7, 0.45, GOAL_RECORDS },
  { "load.gzip", "load from gzip", "s", 0.9, 0.65, GOAL_RECORDS },
  { "load.memory", "peak memory of the load", "bytes/record", 32, 20 },
  { "load.tau", "load a trace of TAU", "s", 0.9, 0.6, GOAL_TAU_RECORDS },
  { "load.profiles", "load profiles, 16,384 threads x 101 functions", "s", 0.5, 0 },
  { "open.second", "second open, profile", "s", 0.15, 0.05 },
  { "open.tenfold", "the same, ten times the records", "s", 0.15, 0.05 },
  { "whole.time-profile.first", "time profile, first", "ms", 250, 0 },
  { "whole.time-profile.again", "time profile, again", "ms", 30, 0 },
  { "whole.usage.first", "usage, first", "ms", 250, 0 },
  { "whole.usage.again", "usage, again", "ms", 30, 0 },
  { "whole.histogram.first", "histogram, first", "ms", 250, 0 },
  { "whole.histogram.again", "histogram, again", "ms", 250, 0 },
  { "whole.profile.first", "profile, first", "ms", 250, 0 },
  { "whole.profile.again", "profile, again", "ms", 30, 0 },
  { "whole.communication.first", "communication, first", "ms", 0, 0 },
  { "whole.communication.again", "communication, again", "ms", 0, 0 },
  { "findings.draft", "findings, draft of the page", "ms", 300, 0 },
  { "findings.all", "findings, all rules, CPU", "s", 1, 0 },
  { "paint.timeline", "painting a dense timeline", "ms", 8, 5 },
  { "paint.time-profile", "painting a time profile", "ms", 0, 0 },
  { "timeline.first", "large run: first timeline", "ms", 0, 0 },
  { "timeline.visible", "timeline, 1,080 PEs, median zoom", "ms", 20, 10 },
  { "timeline.visible.worst", "timeline, 1,080 PEs, worst zoom", "ms", 20, 10 },
  { "timeline.merged", "timeline, all PEs, median zoom", "ms", 20, 10 },
  { "timeline.merged.worst", "timeline, all PEs, worst zoom", "ms", 20, 10 },
  { "large.time-profile.first", "large run: time profile, first", "ms", 0, 0 },
  { "large.time-profile.again", "large run: time profile, again", "ms", 0, 0 },
  { "large.usage.first", "large run: usage, first", "ms", 0, 0 },
  { "large.usage.again", "large run: usage, again", "ms", 0, 0 },
  { "large.histogram.first", "large run: histogram, first", "ms", 0, 0 },
  { "large.histogram.again", "large run: histogram, again", "ms", 0, 0 },
  { "large.profile.first", "large run: profile, first", "ms", 0, 0 },
  { "large.profile.again", "large run: profile, again", "ms", 0, 0 },
  { "files.first", "many small files, profile", "s", 0, 0 },
  { "files.second", "many small files, second open", "s", 0, 0 },
  { "classes.clusters", "clusters of 4,096 PEs, 400 entries", "ms", 200, 100 },
  { "classes.clusters.drowned", "the same, without gaps", "ms", 200, 100 },
  { "classes.reduce", "reduce, the same run, load and all", "s", 0, 0 },
  { "attach.second", "following a heavy stream, CPU of a second", "ms", 5, 3 },
  { "window.launch", "launch to the first frame", "s", 0.25, 0.15 },
  { "window.paint", "a frame while panning, our code", "ms", 8, 5 },
  { "window.frame", "a frame while panning, process CPU", "ms", 20, 16 },
  { "window.gap", "the longest the window was away", "ms", 0, 0 },
  { "window.first-picture", "first picture, text", "s", 1, 0 },
  { "window.first-picture.gzip", "first picture, gzip", "s", 1, 0 },
  { "window.first-picture.tenfold", "first picture, ten times the records", "s", 1, 0 },
  { "window.many-rows", "a frame, many rows, process CPU", "ms", 20, 16 },
};

/**
 * bench_row:
 *
 * Returns: (transfer none): the row; there has to be one
 */
BenchRow *
bench_row (const char *key)
{
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    if (strcmp (rows[i].key, key) == 0)
      return &rows[i];
  g_error ("There is no row “%s”", key);
}

static gboolean
is_chosen (const Bench *bench,
           const char  *key)
{
  if (bench->only == NULL)
    return TRUE;
  for (guint i = 0; bench->only[i] != NULL; i++)
    if (g_str_has_prefix (key, bench->only[i]))
      return TRUE;
  return FALSE;
}

/**
 * bench_wants:
 * @begin: of keys
 *
 * Returns: whether any row whose key begins so was chosen
 */
gboolean
bench_wants (const Bench *bench,
             const char  *begin)
{
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    if (g_str_has_prefix (rows[i].key, begin) && is_chosen (bench, rows[i].key))
      return TRUE;
  return FALSE;
}

static int
compare_samples (gconstpointer a,
                 gconstpointer b)
{
  const BenchSample *x = a, *y = b;

  return x->wall_s < y->wall_s ? -1 : x->wall_s > y->wall_s;
}

static double
in_unit (const BenchRow *row,
         double          seconds)
{
  return strcmp (row->unit, "ms") == 0 ? seconds * 1e3 : seconds;
}

/**
 * bench_row_set:
 * @samples: of which the row takes the median by wall time
 * @bytes: that went through; 0 where that says nothing
 */
void
bench_row_set (BenchRow          *row,
               const BenchSample *samples,
               guint              n,
               gint64             bytes,
               gint64             records)
{
  g_autofree BenchSample *sorted = g_memdup2 (samples, n * sizeof *samples);

  qsort (sorted, n, sizeof *sorted, compare_samples);
  row->done = TRUE;
  row->figure = in_unit (row, sorted[n / 2].wall_s);
  row->best = in_unit (row, sorted[0].wall_s);
  row->cpu_s = sorted[n / 2].cpu_s;
  row->bytes = bytes;
  row->records = records;
}

/** bench_row_set_figure: a figure in the row's own unit */
void
bench_row_set_figure (BenchRow *row,
                      double    figure)
{
  row->done = TRUE;
  row->figure = row->best = figure;
}

/**
 * bench_row_limit:
 * @name: (transfer none): static
 * @seconds: what the machine needs; of rows that are no times, a value in the
 *   row's unit
 */
void
bench_row_limit (BenchRow   *row,
                 const char *name,
                 double      seconds)
{
  g_assert (row->n_limits < BENCH_MAX_LIMITS);
  row->limits[row->n_limits++] = (BenchLimit) { name, in_unit (row, seconds) };
}

/** bench_row_skip: says why there is no figure */
void
bench_row_skip (BenchRow   *row,
                const char *format,
                ...)
{
  va_list args;

  va_start (args, format);
  g_free (row->skipped);
  row->skipped = g_strdup_vprintf (format, args);
  va_end (args);
}

/* Bounds that are for a number of records grow with them. */
static double
scaled (const BenchRow *row,
        double          bound)
{
  return row->for_records > 0 && row->records > 0
    ? bound * (double) row->records / (double) row->for_records : bound;
}

static const BenchLimit *
tightest (const BenchRow *row)
{
  const BenchLimit *most = NULL;

  for (guint i = 0; i < row->n_limits; i++)
    if (most == NULL || row->limits[i].value > most->value)
      most = &row->limits[i];
  return most;
}

static void
put_number (FILE       *out,
            const char *key,
            double      value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (isfinite (value) && value > 0)
    fprintf (out, ",\"%s\":%s", key, g_ascii_formatd (text, sizeof text, "%.9g", value));
}

static void
put_count (FILE       *out,
           const char *key,
           gint64      value)
{
  if (value > 0)
    fprintf (out, ",\"%s\":%" G_GINT64_FORMAT, key, value);
}

/* Only words of our own and paths go in. */
static void
put_words (FILE       *out,
           const char *begin,
           const char *words)
{
  g_autofree char *valid = g_utf8_make_valid (words, -1);

  fprintf (out, "%s\"", begin);
  for (const char *p = valid; *p != '\0'; p++)
    if (*p == '"' || *p == '\\')
      fprintf (out, "\\%c", *p);
    else if ((guchar) *p < 0x20)
      fprintf (out, "\\u%04x", *p);
    else
      fputc (*p, out);
  fputc ('"', out);
}

static void
print_row_json (const BenchRow *row,
                FILE           *out)
{
  put_words (out, "{\"key\":", row->key);
  put_words (out, ",\"name\":", row->words);
  put_words (out, ",\"unit\":", row->unit);
  if (!row->done)
    {
      put_words (out, ",\"skipped\":", row->skipped != NULL ? row->skipped : "not chosen");
      fputc ('}', out);
      return;
    }
  put_number (out, "figure", row->figure);
  put_number (out, "best", row->best);
  put_number (out, "cpu_seconds", row->cpu_s);
  put_count (out, "bytes", row->bytes);
  put_count (out, "records", row->records);
  if (row->records > 0 && row->cpu_s > 0)
    put_number (out, "records_per_core_second", (double) row->records / row->cpu_s);
  put_number (out, "must", scaled (row, row->must));
  put_number (out, "aim", scaled (row, row->aim));
  if (row->must > 0)
    fprintf (out, ",\"kept\":%s", row->figure <= scaled (row, row->must) ? "true" : "false");
  fputs (",\"limits\":[", out);
  for (guint i = 0; i < row->n_limits; i++)
    {
      put_words (out, i > 0 ? ",{\"name\":" : "{\"name\":", row->limits[i].name);
      put_number (out, "value", row->limits[i].value);
      put_number (out, "ratio", row->figure / row->limits[i].value);
      fputc ('}', out);
    }
  fputs ("]}", out);
}

/** bench_print_json: everything, as one object on one line */
void
bench_print_json (const Bench *bench,
                  FILE        *out)
{
  fprintf (out, "{\"version\":\"%s\",\"cores\":%u,\"times\":%d,\"records\":%" G_GINT64_FORMAT
           ",\"pes\":%" G_GINT64_FORMAT ",\"intervals\":%" G_GINT64_FORMAT ",\"large_pes\":%"
           G_GINT64_FORMAT ",\"files\":%" G_GINT64_FORMAT ",\"rows\":[", KYMO_VERSION,
           g_get_num_processors (), bench->n_times, bench->text_records, bench->n_pes,
           bench->n_intervals, bench->n_large_pes, bench->n_files);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      if (i > 0)
        fputc (',', out);
      print_row_json (&rows[i], out);
    }
  fputs ("]}\n", out);
}

/* A number of the table, or nothing where there is none. */
static void
print_cell (FILE   *out,
            int     width,
            double  value)
{
  if (isfinite (value) && value > 0)
    fprintf (out, value < 1000 ? " %*.3g" : " %*.0f", width, value);
  else
    fprintf (out, " %*s", width, "");
}

static void
print_row (const BenchRow *row,
           FILE           *out)
{
  const BenchLimit *limit = tightest (row);
  double must = scaled (row, row->must);

  fprintf (out, "%-36s", row->words);
  if (!row->done)
    {
      fprintf (out, "  %s\n", row->skipped != NULL ? row->skipped : "not chosen");
      return;
    }
  print_cell (out, 8, row->figure);
  fprintf (out, " %-5.5s", row->unit);
  print_cell (out, 8, in_unit (row, row->cpu_s));
  print_cell (out, 8, row->cpu_s > 0 ? (double) row->records / row->cpu_s / 1e6 : 0);
  print_cell (out, 8, (double) row->bytes / 1e6);
  print_cell (out, 7, must);
  print_cell (out, 7, scaled (row, row->aim));
  fprintf (out, " %-4s", row->must <= 0 ? "" : row->figure <= must ? "kept" : "NOT");
  if (limit != NULL)
    fprintf (out, " %6.3g x %s", row->figure / limit->value, limit->name);
  fputc ('\n', out);
}

/** bench_print_table: the same for people */
void
bench_print_table (const Bench *bench,
                   FILE        *out)
{
  fprintf (out, "%u cores, median of %d; beside it the machine's tightest bound\n"
           "%-36s %8s %-5s %8s %8s %8s %7s %7s %-4s %8s\n", g_get_num_processors (),
           bench->n_times, "", "figure", "", "CPU", "Mrec/s/c", "MB", "must", "aim", "",
           "bound");
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    print_row (&rows[i], out);
}
