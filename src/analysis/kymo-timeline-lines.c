/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * line=NAME: a counter under the rows: a user event with values, a statistic, the
 * memory in use, or a metric of functions, as the kind "counters" lists them. "lines"
 * are tuples row, x, min, max, mean: of what was sampled in column x on all locations
 * of a row of this answer, nothing where there was none; "line_min" and "line_max" of
 * all that is given. A sample of a metric is a call, at its begin.
 */
#include "config.h"

#include "kymo-timeline-private.h"

#include <math.h>
#include <string.h>

#include "kymo-memory.h"
#include "kymo-share.h"
#include "kymo-trace-profile-private.h"

#define ROWS_AT_ONCE 8

/** Column: samples in it */
typedef struct
{
  gint64 n;
  double min, max, sum;
} Column;

typedef struct
{
  const KymoAsk          *ask;
  const KymoTimelinePlan *plan;
  const char             *name;
  Column                **rows;         /* n_columns each, or NULL without samples */
  gint                    unfit;        /* atomic */
} Rows;

static void
add_sample (const Rows *rows,
            Column     *columns,
            gint64      time_ns,
            double      value)
{
  const KymoTimelinePlan *plan = rows->plan;
  Column *column;

  if (time_ns < plan->span.begin_ns || time_ns >= plan->span.end_ns)
    return;
  column = &columns[kymo_find_column (plan->edges_ns, 0, plan->n_columns, time_ns)];
  column->min = column->n == 0 ? value : MIN (column->min, value);
  column->max = column->n == 0 ? value : MAX (column->max, value);
  column->sum += value;
  column->n++;
}

/* Neighbours are mostly of one kind, so that names are looked up seldom. */
static void
add_points (const Rows        *rows,
            const KymoSegment *segment,
            Column            *columns)
{
  KymoTraceSample last = { .kind = KYMO_N_POINT_KINDS };
  gboolean wanted = FALSE;

  for (guint i = 0; i < segment->points->len && !kymo_ask_is_stopped (rows->ask, i); i++)
    {
      const KymoPoint *point = &g_array_index (segment->points, KymoPoint, i);

      if (!kymo_trace_is_sample (point))
        continue;
      if (point->kind != last.kind || point->activity != last.activity || point->id != last.id)
        {
          g_autofree char *name = NULL;

          last.kind = point->kind;
          last.activity = point->activity;
          last.id = point->id;
          name = kymo_trace_sample_dup_name (rows->ask->run, &last);
          wanted = g_strcmp0 (name, rows->name) == 0;
        }
      if (wanted)
        add_sample (rows, columns, point->begin_ns, (double) point->value);
    }
}

static void
add_metric (const Rows  *rows,
            KymoSegment *segment,
            Column      *columns)
{
  const KymoRun *run = rows->ask->run;
  guint n = MIN (segment->n_counters, run->metrics->len), k = 0;

  while (k < n && g_strcmp0 (run->metrics->pdata[k], rows->name) != 0)
    k++;
  if (k < n)
    {
      kymo_autoscratch gint64 *own = kymo_segment_exclusive_counters (segment);

      for (guint i = kymo_segment_first_block (segment, rows->plan->span.begin_ns);
           own != NULL && i < segment->n_blocks && !kymo_ask_is_stopped (rows->ask, i)
             && kymo_segment_block_begin (segment, i) < rows->plan->span.end_ns; i++)
        if (own[(gsize) i * segment->n_counters + k] != KYMO_NO_COUNT)
          add_sample (rows, columns, kymo_segment_block_begin (segment, i),
                      (double) own[(gsize) i * segment->n_counters + k]);
    }
}

static void
make_rows (gpointer data,
           guint    step)
{
  Rows *rows = data;
  const KymoTimelinePlan *plan = rows->plan;

  for (guint row = step * ROWS_AT_ONCE; row < MIN ((step + 1) * ROWS_AT_ONCE, plan->n_rows); row++)
    {
      guint first = kymo_timeline_row_begin (rows->ask, plan, plan->first_row + row);
      guint end = kymo_timeline_row_begin (rows->ask, plan, plan->first_row + row + 1);

      rows->rows[row] = g_new0 (Column, plan->n_columns);
      for (guint i = first; i < end; i++)
        {
          KymoSegment *segment = kymo_ask_segment_of (rows->ask, rows->ask->locations[i]);

          if (!kymo_segment_use (segment, KYMO_PART_POINTS | KYMO_PART_BLOCKS))
            {
              g_atomic_int_set (&rows->unfit, 1);
              return;
            }
          add_points (rows, segment, rows->rows[row]);
          add_metric (rows, segment, rows->rows[row]);
        }
    }
}

static void
set_lines (const Rows *rows,
           KymoTable  *answer)
{
  static const char *const names[] = { "row", "x", "min", "max", "mean" };
  KymoTable *table = kymo_table_new (KYMO_STYLE_TUPLES);
  double low = INFINITY, high = -INFINITY;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    kymo_table_add_column (table, names[i], i < 2 ? KYMO_COLUMN_INT : KYMO_COLUMN_DOUBLE, 1);
  for (guint row = 0; row < rows->plan->n_rows; row++)
    for (guint x = 0; x < rows->plan->n_columns && rows->rows[row] != NULL; x++)
      {
        const Column *column = &rows->rows[row][x];

        if (column->n == 0)
          continue;
        kymo_table_append_int (table, 0, row);
        kymo_table_append_int (table, 1, x);
        kymo_table_append_double (table, 2, column->min);
        kymo_table_append_double (table, 3, column->max);
        kymo_table_append_double (table, 4, column->sum / (double) column->n);
        low = MIN (low, column->min);
        high = MAX (high, column->max);
      }
  kymo_table_set_string (answer, "line", rows->name);
  kymo_table_set_double (answer, "line_min", low <= high ? low : NAN);
  kymo_table_set_double (answer, "line_max", low <= high ? high : NAN);
  kymo_table_set_table (answer, "lines", table);
}

/**
 * kymo_timeline_set_lines:
 *
 * Nothing where the question names no line.
 *
 * Returns: FALSE with @error where it was cancelled, or the file lies
 */
gboolean
kymo_timeline_set_lines (const KymoAsk           *ask,
                         const KymoTimelinePlan  *plan,
                         KymoTable               *answer,
                         GError                 **error)
{
  Rows rows = { ask, plan, kymo_question_get (ask->question, "line") };

  if (rows.name == NULL || *rows.name == '\0')
    return TRUE;
  rows.rows = g_new0 (Column *, MAX (plan->n_rows, 1));
  kymo_share_out ((plan->n_rows + ROWS_AT_ONCE - 1) / ROWS_AT_ONCE, ask->n_threads, make_rows,
                  &rows, ask->cancellable);
  if (rows.unfit)
    kymo_ask_set_stale (ask, error);
  else
    set_lines (&rows, answer);
  for (guint row = 0; row < plan->n_rows; row++)
    g_free (rows.rows[row]);
  g_free (rows.rows);
  return !rows.unfit && !g_cancellable_set_error_if_cancelled (ask->cancellable, error);
}
