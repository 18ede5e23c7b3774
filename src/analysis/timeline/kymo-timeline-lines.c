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

#include "kymo-counter-samples.h"
#include "kymo-share.h"

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

/** Row: the columns of one, being filled */
typedef struct
{
  const KymoTimelinePlan *plan;
  Column                 *columns;
} Row;

static void
on_sample (gint64   time_ns,
           double   value,
           gpointer data)
{
  const Row *row = data;
  const KymoTimelinePlan *plan = row->plan;
  Column *column;

  if (time_ns < plan->span.begin_ns || time_ns >= plan->span.end_ns)
    return;
  column = &row->columns[kymo_find_column (plan->edges_ns, 0, plan->n_columns, time_ns)];
  column->min = column->n == 0 ? value : MIN (column->min, value);
  column->max = column->n == 0 ? value : MAX (column->max, value);
  column->sum += value;
  column->n++;
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
          kymo_counter_each_sample (rows->ask, segment, rows->name, plan->span, on_sample,
                                    &(Row) { plan, rows->rows[row] });
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
