/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * timeline: rows of cells, at most one a column. A cell tells the state that
 * took most of its time and what share that was; a run of columns inside one
 * piece of the track is one cell with share 1, so that neighbouring blocks of
 * one entry stay apart.
 *
 * With fewer rows than locations each row is several locations together;
 * then cells are one column wide and the share is of all of them.
 *
 * On the grid ("grid") columns are 2^k nanoseconds of absolute time and rows
 * 2^j locations, so that a cell is the same cell in every answer that shows it
 * and nothing flickers while a picture moves. Where a cell of the grid would
 * hold only a few pieces, columns are equal parts of the asked range, as
 * without a grid: then single blocks are seen.
 */
#include "config.h"

#include "kymo-timeline-private.h"

#include <string.h>

#include "kymo-error.h"
#include "kymo-run-index.h"

#define DEFAULT_COLUMNS 1000
#define MAX_COLUMNS 100000
/* Up to so many cells, of pieces told apart, are a list also where one packed
   number a column was asked for: blocks keep their edges. */
#define MOST_LISTED 400000
/* No answer has more packed cells. */
#define MOST_DENSE (1u << 28)
/* Marks are of the rows given and of the first locations: more would be the
   same ones again. */
#define MOST_MARKED 500
#define MOST_LEFT_OUT 100

typedef struct
{
  const KymoAsk    *ask;
  KymoTimelinePlan *plan;
  KymoTimelineRow  *rows;
  guint32          *dense;      /* or NULL */
  const KymoMosaic *mosaic;     /* or NULL: where the cells are read from */
  gboolean          sums_known; /* the mosaic knows names_ns as well */
  gint              next;       /* atomic: next row to take */
  gint              unfit;      /* atomic: the cache file lies */
} Work;

typedef struct
{
  Work   *work;
  gint64 *total_ns;             /* by state: exact, not of the cells */
} Worker;

/* -- the plan ------------------------------------------------------------- */

/**
 * kymo_timeline_row_begin:
 * @row: 0 to n_rows_total
 *
 * Returns: the first location of a row, as a place among the asked ones
 */
guint
kymo_timeline_row_begin (const KymoAsk          *ask,
                         const KymoTimelinePlan *plan,
                         guint                   row)
{
  guint64 n = plan->n_rows_total;

  return plan->on_grid ? MIN ((guint64) row * plan->group, ask->n_locations)
    : ((guint64) row * ask->n_locations + n - 1) / n;
}

/* Pieces that locations have in a stretch of time, on average. */
static double
pieces_in (const KymoRun *run,
           double         ns)
{
  return kymo_run_get_density (run) * ns;
}

/* The smallest width 2^k ns with which the range has at most n columns; -1
   where there is none. */
static int
choose_width (KymoSpan span,
              guint    n)
{
  for (int k = 0; k < 62; k++)
    if (((span.end_ns - 1) >> k) - (span.begin_ns >> k) < (gint64) n)
      return k;
  return -1;
}

/* Puts the columns on the grid of time, where they are wide enough. */
static void
put_on_grid (const KymoAsk    *ask,
             KymoTimelinePlan *plan)
{
  KymoSpan span = { ask->span.begin_ns, MAX (ask->span.end_ns, ask->span.begin_ns + 1) };
  int k = choose_width (span, plan->n_columns);
  gint64 first;

  if (k < 0 || pieces_in (ask->run, (double) (G_GINT64_CONSTANT (1) << k) * plan->group)
      < KYMO_MOSAIC_LEAST_PIECES)
    return;
  first = span.begin_ns >> k;
  plan->k = k;
  plan->column_ns = G_GINT64_CONSTANT (1) << k;
  plan->n_columns = ((span.end_ns - 1) >> k) - first + 1;
  for (guint i = 0; i <= plan->n_columns; i++)
    plan->edges_ns[i] = (first + i) * plan->column_ns;
  plan->span = (KymoSpan) { plan->edges_ns[0], plan->edges_ns[plan->n_columns] };
}

/* Pieces told apart are few, or a cell each of many. */
static gboolean
wants_dense (const KymoAsk          *ask,
             const KymoTimelinePlan *plan)
{
  double cells = (double) plan->n_rows * plan->n_columns;

  if (!kymo_question_get_flag (ask->question, "dense") || cells > MOST_DENSE
      || ask->n_states > KYMO_MOST_PACKED_STATES)
    return FALSE;
  if (plan->column_ns > 0 || plan->group > 1)
    return TRUE;
  return MIN (cells, 2 * pieces_in (ask->run, (double) kymo_span_length (plan->span)
                                    * plan->n_rows)) > MOST_LISTED;
}

static gboolean
plan_rows (const KymoAsk     *ask,
           KymoTimelinePlan  *plan,
           GError           **error)
{
  guint most = kymo_question_get_rows (ask->question);
  gint64 first, n;

  most = most == 0 ? ask->n_locations : MIN (most, ask->n_locations);
  plan->on_grid = kymo_question_get_flag (ask->question, "grid");
  plan->group = 1;
  while (plan->on_grid && (ask->n_locations - 1) / plan->group + 1 > most)
    plan->group = 1u << ++plan->j;
  plan->n_rows_total = plan->on_grid ? (ask->n_locations - 1) / plan->group + 1 : most;
  if (!plan->on_grid && most < ask->n_locations)
    plan->group = 0;
  if (!kymo_question_get_int (ask->question, "first-row", 0, &first, error)
      || !kymo_question_get_int (ask->question, "n-rows", G_MAXUINT, &n, error))
    return FALSE;
  plan->first_row = CLAMP (first, 0, (gint64) plan->n_rows_total);
  plan->n_rows = CLAMP (n, 0, (gint64) (plan->n_rows_total - plan->first_row));
  plan->tells_busy = plan->group <= 1 || (guint64) plan->n_rows * plan->group
    <= ask->run->index->limits.most_busy;
  return TRUE;
}

/* The range of which the rows tell how busy they were: that of the columns,
   unless the question names what of it can be seen. */
static gboolean
plan_busy (const KymoAsk     *ask,
           KymoTimelinePlan  *plan,
           GError           **error)
{
  return kymo_question_get_int (ask->question, "busy-begin", plan->span.begin_ns,
                                &plan->busy.begin_ns, error)
         && kymo_question_get_int (ask->question, "busy-end", plan->span.end_ns,
                                   &plan->busy.end_ns, error);
}

static KymoTimelinePlan *
plan_new (const KymoAsk  *ask,
          GError        **error)
{
  KymoTimelinePlan *plan = g_new0 (KymoTimelinePlan, 1);

  plan->span = ask->span;
  plan->edges_ns = kymo_ask_edges (ask, DEFAULT_COLUMNS, MAX_COLUMNS, &plan->n_columns, error);
  if (plan->edges_ns == NULL || !plan_rows (ask, plan, error))
    {
      g_free (plan->edges_ns);
      g_free (plan);
      return NULL;
    }
  if (plan->on_grid)
    {
      put_on_grid (ask, plan);
      plan->dense = wants_dense (ask, plan);
    }
  if (plan_busy (ask, plan, error))
    return plan;
  g_free (plan->edges_ns);
  g_free (plan);
  return NULL;
}

static void
plan_free (KymoTimelinePlan *plan)
{
  g_free (plan->edges_ns);
  g_free (plan);
}

/* Where a walk would be slow: the mosaic. Built for the first question that
   needs it, unless it is the only one that will be put. */
static void
use_mosaic (Work  *work,
            guint  n_threads)
{
  const KymoAsk *ask = work->ask;
  const KymoTimelinePlan *plan = work->plan;
  KymoMosaic *mosaic;

  if (plan->column_ns == 0)
    return;
  /* The next draft comes before a mosaic would have paid. */
  mosaic = ask->run->draft == NULL ? kymo_run_peek_mosaic (ask->run) : NULL;
  if (mosaic == NULL || !kymo_mosaic_has (mosaic, plan->j, plan->k)
      || (kymo_question_get_flag (ask->question, "once") && !kymo_mosaic_is_built (mosaic))
      || !kymo_mosaic_build (mosaic, ask->run, n_threads, ask->cancellable))
    return;
  work->mosaic = mosaic;
  work->sums_known = !plan->tells_busy && plan->n_rows == plan->n_rows_total
    && ask->run->segments->len - ask->n_locations <= MOST_LEFT_OUT;
}

/* All locations but those left out. */
static gboolean
read_totals (const Work *work,
             gint64     *total_ns)
{
  const KymoAsk *ask = work->ask;
  const KymoTimelinePlan *plan = work->plan;
  gint64 first = plan->span.begin_ns >> plan->k;
  KymoSums sums;
  gboolean known;

  kymo_sums_init (&sums, ask->n_states);
  known = kymo_mosaic_sum (work->mosaic, plan->k, first, first + plan->n_columns, &sums);
  for (guint i = 0; i < sums.n_touched; i++)
    total_ns[sums.touched[i]] = sums.ns[sums.touched[i]];
  kymo_sums_reset (&sums);
  for (guint i = 0; i < ask->run->segments->len && ask->n_locations < ask->run->segments->len; i++)
    if (ask->row_of[i] < 0)
      kymo_segment_sum (kymo_ask_segment_of (ask, i), plan->span, NULL, &sums);
  for (guint i = 0; i < sums.n_touched; i++)
    total_ns[sums.touched[i]] -= sums.ns[sums.touched[i]];
  kymo_sums_clear (&sums);
  return known;
}

/* -- rows ----------------------------------------------------------------- */

/* The cells of a row from the mosaic; FALSE where its locations are no group
   there, of a choice of locations. */
static gboolean
read_line (const Work *work,
           guint       first,
           guint       end,
           guint32    *line)
{
  const KymoTimelinePlan *plan = work->plan;
  const guint *locations = work->ask->locations;
  guint location = locations[first], n = end - first, n_there;
  gint64 from, there;
  const guint32 *cells;

  if (work->mosaic == NULL || location % plan->group != 0
      || locations[end - 1] - location != n - 1
      || (n < plan->group && location + n < work->ask->run->segments->len))
    return FALSE;
  cells = kymo_mosaic_peek_row (work->mosaic, plan->j, plan->k, location >> plan->j, &there,
                                &n_there);
  /* The range lies in the run's, so that no column is beyond its cells. */
  from = (plan->span.begin_ns >> plan->k) - there;
  if (cells == NULL || from < 0 || from + plan->n_columns > n_there)
    return FALSE;
  memcpy (line, cells + from, plan->n_columns * sizeof (guint32));
  return TRUE;
}

static void
add_busy (Worker            *worker,
          const KymoSegment *segment,
          KymoTimelineRow   *row,
          KymoSums          *sums)
{
  const KymoAsk *ask = worker->work->ask;
  const KymoTimelinePlan *plan = worker->work->plan;
  KymoLocationKind kind = kymo_run_peek_location (ask->run, segment->location)->kind;

  kymo_segment_sum (segment, plan->span, NULL, sums);
  for (guint i = 0; i < sums->n_touched; i++)
    worker->total_ns[sums->touched[i]] += sums->ns[sums->touched[i]];
  if (!plan->tells_busy)
    {
      kymo_sums_reset (sums);
      return;
    }
  if (plan->busy.begin_ns != plan->span.begin_ns || plan->busy.end_ns != plan->span.end_ns)
    {
      kymo_sums_reset (sums);
      kymo_segment_sum (segment, plan->busy, NULL, sums);
    }
  for (guint i = 0; i < sums->n_touched; i++)
    {
      guint32 s = sums->touched[i];

      if (s >= KYMO_STATE_ACTIVITY)
        row->busy_ns[kind] += sums->ns[s];
      if (s != KYMO_STATE_UNTRACED)
        row->span_ns[kind] += sums->ns[s];
    }
  kymo_sums_reset (sums);
}

static void
make_single_row (Worker              *worker,
                 guint                place,
                 KymoTimelineScratch *scratch,
                 KymoTimelineRow     *row,
                 guint32             *line)
{
  const Work *work = worker->work;
  const KymoTimelinePlan *plan = work->plan;
  KymoSegment *segment = kymo_ask_segment_of (work->ask, work->ask->locations[place]);
  g_autofree guint32 *own = NULL;

  if (plan->column_ns == 0 && line == NULL)
    {
      row->cells = kymo_timeline_cells_new ();
      kymo_timeline_walk_cells (work->ask, plan, segment, scratch, row->cells);
    }
  else
    {
      if (line == NULL)
        line = own = g_new (guint32, plan->n_columns);
      if (!read_line (work, place, place + 1, line))
        kymo_timeline_walk_line (work->ask, plan, segment, scratch, line);
      if (own != NULL)
        kymo_timeline_line_cells (plan, line, row->cells = kymo_timeline_cells_new ());
    }
  kymo_row_extras_collect (work->ask, segment, plan->edges_ns, plan->n_columns, &row->extras);
}

static void
make_merged_row (Worker              *worker,
                 guint                first,
                 guint                end,
                 KymoTimelineScratch *scratch,
                 KymoTimelineRow     *row,
                 guint32             *line)
{
  Work *work = worker->work;
  const KymoTimelinePlan *plan = work->plan;
  g_autofree guint32 *own = NULL;

  if (line == NULL)
    {
      line = own = g_new (guint32, plan->n_columns);
      row->cells = kymo_timeline_cells_new ();
    }
  if (!read_line (work, first, end, line))
    {
      if (!kymo_timeline_walk_group (work->ask, plan, first, end, scratch))
        {
          g_atomic_int_set (&work->unfit, 1);
          return;
        }
      if (plan->column_ns == 0 && own != NULL)
        {
          kymo_timeline_group_cells (plan, end - first, scratch, row->cells);
          return;
        }
      kymo_timeline_group_line (plan, end - first, scratch, line);
    }
  if (own != NULL)
    kymo_timeline_line_cells (plan, line, row->cells);
}

static void
make_row (Worker              *worker,
          guint                i,
          KymoTimelineScratch *scratch)
{
  Work *work = worker->work;
  const KymoAsk *ask = work->ask;
  const KymoTimelinePlan *plan = work->plan;
  guint first = kymo_timeline_row_begin (ask, plan, plan->first_row + i);
  guint end = kymo_timeline_row_begin (ask, plan, plan->first_row + i + 1);
  guint32 *line = work->dense != NULL ? work->dense + (gsize) i * plan->n_columns : NULL;

  for (guint k = first; k < end && !work->sums_known; k++)
    {
      KymoSegment *segment = kymo_ask_segment_of (ask, ask->locations[k]);

      if (!kymo_segment_use (segment, KYMO_PART_TRACK | KYMO_PART_BLOCKS | KYMO_PART_POINTS))
        {
          g_atomic_int_set (&work->unfit, 1);
          return;
        }
      add_busy (worker, segment, &work->rows[i], &scratch->sums);
    }
  if (plan->group == 1)
    make_single_row (worker, first, scratch, &work->rows[i], line);
  else
    make_merged_row (worker, first, end, scratch, &work->rows[i], line);
}

static gpointer
make_rows (gpointer data)
{
  Worker *worker = data;
  Work *work = worker->work;
  KymoTimelineScratch scratch;
  gint i;

  kymo_timeline_scratch_init (&scratch, work->plan, work->ask->n_states);
  while ((i = g_atomic_int_add (&work->next, 1)) < (gint) work->plan->n_rows)
    {
      if (g_cancellable_is_cancelled (work->ask->cancellable) || g_atomic_int_get (&work->unfit))
        break;
      make_row (worker, i, &scratch);
    }
  kymo_timeline_scratch_clear (&scratch);
  return NULL;
}

/* Returns: (transfer full): time by state of the rows given */
static gint64 *
run_workers (Work  *work,
             guint  n_threads)
{
  g_autofree Worker *workers = g_new0 (Worker, n_threads);
  g_autofree GThread **threads = g_new0 (GThread *, n_threads);

  for (guint i = 0; i < n_threads; i++)
    {
      workers[i] = (Worker) { work, g_new0 (gint64, work->ask->n_states) };
      if (i > 0)
        threads[i] = g_thread_new ("kymo-ask", make_rows, &workers[i]);
    }
  make_rows (&workers[0]);
  for (guint i = 1; i < n_threads; i++)
    {
      g_thread_join (threads[i]);
      for (guint s = 0; s < work->ask->n_states; s++)
        workers[0].total_ns[s] += workers[i].total_ns[s];
      g_free (workers[i].total_ns);
    }
  return workers[0].total_ns;
}

/* -- the answer ----------------------------------------------------------- */

static gboolean
is_whole (const Work  *work,
          GError     **error)
{
  if (g_cancellable_set_error_if_cancelled (work->ask->cancellable, error))
    return FALSE;
  if (!work->unfit)
    return TRUE;
  kymo_ask_set_stale (work->ask, error);
  return FALSE;
}

/* FALSE where points are unfit to be read. */
static gboolean
collect_marks (const Work *work,
               GArray     *marks)
{
  const KymoAsk *ask = work->ask;
  const KymoTimelinePlan *plan = work->plan;
  guint first = kymo_timeline_row_begin (ask, plan, plan->first_row);
  guint end = kymo_timeline_row_begin (ask, plan, plan->first_row + plan->n_rows);

  for (guint i = 0; i < ask->n_locations; i++)
    {
      KymoSegment *segment;

      if (plan->on_grid && i >= MOST_MARKED && (i < first || i >= MIN (end, first + MOST_MARKED)))
        {
          i = i < first ? first - 1 : ask->n_locations - 1;
          continue;
        }
      segment = kymo_ask_segment_of (ask, ask->locations[i]);
      if (!kymo_segment_use (segment, KYMO_PART_POINTS))
        return FALSE;
      kymo_marks_collect (ask, segment, marks);
    }
  return TRUE;
}

static KymoTable *
make_answer (Work         *work,
             GArray       *marks,
             const gint64 *total_ns)
{
  const KymoTimelinePlan *plan = work->plan;
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);

  kymo_table_set_int (answer, "begin_ns", plan->span.begin_ns);
  kymo_table_set_int (answer, "end_ns", plan->span.end_ns);
  kymo_table_set_int (answer, "columns", plan->n_columns);
  if (plan->on_grid)
    {
      kymo_table_set_int (answer, "busy_begin_ns", plan->busy.begin_ns);
      kymo_table_set_int (answer, "busy_end_ns", plan->busy.end_ns);
      kymo_table_set_int (answer, "locations", work->ask->n_locations);
      kymo_table_set_int (answer, "column_ns", plan->column_ns);
      kymo_table_set_int (answer, "group", plan->group);
      kymo_table_set_int (answer, "rows_total", plan->n_rows_total);
      kymo_table_set_int (answer, "first_row", plan->first_row);
    }
  kymo_timeline_set_rows (work->ask, plan, work->rows, total_ns,
                          g_steal_pointer (&work->dense), answer);
  kymo_table_set_table (answer, "phases", kymo_phases_of_run (work->ask->run));
  kymo_table_set_table (answer, "marks", kymo_marks_to_table (work->ask, marks));
  return answer;
}

/* Phases are of the whole run, whichever rows are given. */
static gboolean
use_phases (const KymoAsk  *ask,
            GError        **error)
{
  if (kymo_run_knows_phases (ask->run))
    return TRUE;
  for (guint i = 0; i < ask->run->segments->len; i++)
    {
      KymoSegment *segment = g_ptr_array_index (ask->run->segments, i);

      if (!(kymo_segment_get_point_kinds (segment) & (1u << KYMO_POINT_PHASE))
          || kymo_segment_use (segment, KYMO_PART_POINTS))
        continue;
      kymo_ask_set_stale (ask, error);
      return FALSE;
    }
  return TRUE;
}

static KymoTable *
answer (KymoAsk  *ask,
        guint     n_threads,
        GError  **error)
{
  KymoTimelinePlan *plan = use_phases (ask, error) ? plan_new (ask, error) : NULL;
  Work work = { .ask = ask, .plan = plan };
  g_autofree gint64 *total_ns = NULL;
  g_autoptr (GArray) marks = kymo_marks_new ();
  KymoTable *result = NULL;

  if (plan == NULL)
    return NULL;
  ask->span = plan->span;
  work.rows = g_new0 (KymoTimelineRow, plan->n_rows);
  if (plan->dense)
    work.dense = g_new (guint32, (gsize) plan->n_rows * plan->n_columns);
  use_mosaic (&work, n_threads);
  total_ns = run_workers (&work, CLAMP (n_threads, 1, MAX (plan->n_rows, 1)));
  if (work.sums_known)
    read_totals (&work, total_ns);
  work.unfit |= !collect_marks (&work, marks);
  if (is_whole (&work, error))
    result = make_answer (&work, marks, total_ns);
  for (guint i = 0; i < plan->n_rows; i++)
    {
      g_clear_pointer (&work.rows[i].cells, g_array_unref);
      kymo_row_extras_clear (&work.rows[i].extras);
    }
  g_free (work.rows);
  g_free (work.dense);
  plan_free (plan);
  return result;
}

const KymoAnswerClass kymo_answer_timeline =
  { "timeline", .answer = answer, .requires = KYMO_CAN_ROWS };
