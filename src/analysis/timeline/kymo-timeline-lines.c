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

/**
 * Column: samples in it
 * @sum: of the locations that were walked
 * @here: of the location that is walked; sums of locations are joined in their order, so that they
 *   do not depend on who walked which
 */
typedef struct
{
  gint64 n;
  double min, max, sum, here;
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
  column->here += value;
  column->n++;
}

static void
join_columns (Column *columns,
              guint   n)
{
  for (guint i = 0; i < n; i++)
    {
      columns[i].sum += columns[i].here;
      columns[i].here = 0;
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
          kymo_counter_each_sample (rows->ask, segment, rows->name, plan->span, on_sample,
                                    &(Row) { plan, rows->rows[row] });
          join_columns (rows->rows[row], plan->n_columns);
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
        kymo_table_append_row (table, row, x, column->min, column->max,
                               column->sum / (double) column->n);
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

/* least-ns: blocks that last less are hidden. Their pieces of the track get a state
   of their own, the one behind those of the run, so that cells tell where something
   is hidden, and how much of it; times by name stay what they are.

   A piece belongs to the innermost block around it; it is that block's length that
   counts, however many pieces inner ones cut it into.

   communicators: pieces of calls whose communicator is known get the state of their function
   and communicator the same way. */

/**
 * kymo_timeline_hides:
 *
 * Returns: whether any block of the segment may be hidden, or be told apart from others of
 *   its function; bins know none
 */
gboolean
kymo_timeline_hides (const KymoTimelinePlan *plan,
                     const KymoSegment      *segment)
{
  return (plan->least_ns > 0 || plan->comms != NULL)
    && segment->n_blocks > 0 && segment->n_pieces > 0;
}

/* Blocks that begin up to a time, on a stack of those that are open then. */
static guint
open_blocks (const KymoSegment *segment,
             gint64             time_ns,
             guint              next,
             GArray            *stack)
{
  for (; next < segment->n_blocks && kymo_segment_block_begin (segment, next) <= time_ns; next++)
    {
      while (stack->len > 0
             && kymo_segment_block_end (segment, g_array_index (stack, guint, stack->len - 1))
             <= kymo_segment_block_begin (segment, next))
        g_array_set_size (stack, stack->len - 1);
      g_array_append_val (stack, next);
    }
  while (stack->len > 0
         && kymo_segment_block_end (segment, g_array_index (stack, guint, stack->len - 1))
         <= time_ns)
    g_array_set_size (stack, stack->len - 1);
  return next;
}

/* The first block that may be open at the time. Without nesting it is at most a block back. */
static guint
first_needed (const KymoSegment *segment,
              gint64             time_ns)
{
  guint first = kymo_segment_first_block (segment, time_ns);

  return segment->block_depth != NULL || first == 0 ? 0 : first - 1;
}

/* What stands for a piece of a block. */
static guint32
state_of_block (const KymoAsk          *ask,
                const KymoTimelinePlan *plan,
                const KymoSegment      *segment,
                guint                   block,
                guint32                 state)
{
  gint place = -1;

  if (kymo_segment_block_end (segment, block) - kymo_segment_block_begin (segment, block)
      < plan->least_ns)
    return plan->n_states - 1;
  if (plan->comms != NULL && state == KYMO_STATE_ACTIVITY + segment->block_activity[block])
    place = kymo_timeline_comms_find (plan->comms, segment, block);
  return place < 0 ? state : ask->n_states + place;
}

/**
 * kymo_timeline_change_states:
 * @segment: with blocks
 *
 * Returns: (transfer full): the state of each piece, with n_states - 1 of the plan
 * for those of short blocks, and those of communicators; outside of the columns as
 * they are
 */
guint32 *
kymo_timeline_change_states (const KymoAsk          *ask,
                             const KymoTimelinePlan *plan,
                             const KymoSegment      *segment)
{
  guint32 *states = g_memdup2 (segment->piece_state, segment->n_pieces * sizeof (guint32));
  KymoSpan span = kymo_span_intersect (plan->span, segment->span);
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (guint));
  guint next;

  if (kymo_span_length (span) == 0)
    return states;
  next = first_needed (segment, kymo_segment_piece_begin (
    segment, kymo_segment_find_piece (segment, span.begin_ns)));
  for (guint i = kymo_segment_find_piece (segment, span.begin_ns);
       i < segment->n_pieces && kymo_segment_piece_begin (segment, i) < span.end_ns
         && !kymo_ask_is_stopped (ask, i); i++)
    {
      if (states[i] < KYMO_STATE_ACTIVITY)
        continue;
      next = open_blocks (segment, kymo_segment_piece_begin (segment, i), next, stack);
      if (stack->len > 0)
        states[i] = state_of_block (ask, plan, segment,
                                    g_array_index (stack, guint, stack->len - 1), states[i]);
    }
  return states;
}
