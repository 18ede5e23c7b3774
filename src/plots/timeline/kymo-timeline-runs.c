/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cells of a row, in one form for all that is not hot: an answer has them
 * as cells (exact columns of the range) or dense (every column of a grid).
 * Dense columns that one activity fills without a gap are one run: as far as
 * can be seen, a block.
 */
#include "config.h"

#include <math.h>

#include "kymo-order.h"
#include "kymo-timeline.h"

/* First cell of a row that ends beyond a column. */
static guint
first_beyond (const KymoTimelineCells *cells, guint row, gint64 from)
{
  return KYMO_FIND_FIRST (i, cells->offsets[row], cells->offsets[row + 1], cells->x1[i] > from);
}

static void
runs_of_cells (const KymoTimelineCells *cells, guint row, gint64 from,
               gint64 to, GArray *runs)
{
  if (cells->offsets == NULL)
    return;
  for (guint i = first_beyond (cells, row, from);
       i < cells->offsets[row + 1] && cells->x0[i] < to; i++)
    {
      KymoTimelineRun run = { cells->x0[i], cells->x1[i], cells->activity[i],
                              cells->share != NULL ? cells->share[i] : 1 };

      g_array_append_val (runs, run);
    }
}

static void
runs_of_dense (const KymoTimeline *timeline, guint row, gint64 from,
               gint64 to, GArray *runs)
{
  const guint32 *cell
    = timeline->dense.cell + (gsize) row * timeline->n_columns;

  for (gint64 x = from; x < to;)
    {
      KymoTimelineRun run = { x, x + 1, cell[x] >> 16,
                              (cell[x] & KYMO_DENSE_FULL)
                              / (double) KYMO_DENSE_FULL };

      if ((cell[x] & KYMO_DENSE_FULL) == KYMO_DENSE_FULL)
        while (run.x1 < to && cell[run.x1] == cell[x])
          run.x1++;
      if (cell[x] != KYMO_DENSE_NOTHING)
        g_array_append_val (runs, run);
      x = run.x1;
    }
}

/**
 * kymo_timeline_runs:
 * @row: of the answer
 * @from: first column
 * @to: the column after the last
 * @runs: of #KymoTimelineRun; emptied first
 */
void
kymo_timeline_runs (const KymoTimeline *timeline, guint row, gint64 from,
                    gint64 to, GArray *runs)
{
  g_array_set_size (runs, 0);
  if (row >= timeline->n_rows)
    return;
  if (timeline->dense.cell != NULL)
    runs_of_dense (timeline, row, MAX (from, 0), MIN (to, timeline->n_columns),
                   runs);
  else
    runs_of_cells (&timeline->cells, row, from, to, runs);
}

/**
 * kymo_timeline_columns:
 * @from: (out): first column of the answer in sight
 * @to: (out): the column after the last in sight; equals @from where no column is in sight
 */
void
kymo_timeline_columns (const KymoTimeline *timeline, gint64 *from, gint64 *to)
{
  double left = (timeline->area.x - timeline->x_zero) / timeline->x_step;
  double right = left + timeline->area.width / timeline->x_step;

  *from = CLAMP (floor (left), 0, timeline->n_columns);
  *to = CLAMP (ceil (right), *from, timeline->n_columns);
}

static gboolean
is_block (const KymoTimeline *timeline, const KymoTimelineRun *run)
{
  const KymoTimelineActivity *activity
    = kymo_timeline_activity (timeline, run->activity);

  return activity != NULL && activity->kind == KYMO_KIND_ENTRY
         && !activity->hidden && run->x1 - run->x0 >= 3;
}

/**
 * kymo_timeline_is_edge:
 * @runs: a row's
 * @i: index of one
 *
 * Returns: whether it is one column between two blocks that can be seen
 */
gboolean
kymo_timeline_is_edge (const KymoTimeline *timeline, const GArray *runs,
                       guint i)
{
  const KymoTimelineRun *run = &g_array_index (runs, KymoTimelineRun, i);

  return i > 0 && i + 1 < runs->len && run->x1 - run->x0 <= 1
         && run[-1].x1 == run->x0 && run[1].x0 == run->x1
         && is_block (timeline, run - 1) && is_block (timeline, run + 1);
}

/**
 * kymo_timeline_file_of_run:
 * @run: a run of that row
 *
 * Returns: (transfer none) (nullable): the file that is read or written in the block that the run
 *   is; %NULL where there is none, or where there are several
 */
const char *
kymo_timeline_file_of_run (const KymoTimeline *timeline, guint row, const KymoTimelineRun *run)
{
  guint n = timeline->files != NULL ? kymo_table_get_n_rows (timeline->files) : 0;
  const gint64 *rows, *x0, *x1;
  guint i;

  if (n == 0)
    return NULL;
  rows = kymo_table_peek_ints (timeline->files, "row", NULL);
  x0 = kymo_table_peek_ints (timeline->files, "x0", NULL);
  x1 = kymo_table_peek_ints (timeline->files, "x1", NULL);
  /* A block begins and ends within columns; a run of it fills those between. */
  i = KYMO_FIND_FIRST (k, 0, n, rows[k] > row || (rows[k] == row && x0[k] + 1 >= run->x0));
  return i < n && rows[i] == row && x0[i] <= run->x0 && x1[i] >= run->x1 && x1[i] <= run->x1 + 1
    ? kymo_table_get_string (timeline->files, "file", i) : NULL;
}
