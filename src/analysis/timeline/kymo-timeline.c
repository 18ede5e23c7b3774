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
 * hold less than a piece, columns are equal parts of the asked range, as
 * without a grid: then single blocks are seen.
 */
#include "config.h"

#include "kymo-timeline-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-run-index.h"
#include "kymo-share.h"

/* Marks are of the rows given and of the first locations: more would be the
   same ones again. */
#define MOST_MARKED 500
/* Locations whose time is taken off the time of all. */
#define MOST_LEFT_OUT 100
/* On the grid: no screen has room for more rows that are high enough for
   strips above their cells. */
#define MOST_ROWS_WITH_OUTER 400

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

/* Takes the mosaic where a walk would be slow. It is built for the first question that needs it,
   unless that is the only question, or another thread builds it (kymo-mosaic-aside.h). */
static void
use_mosaic (Work  *work,
            guint  n_threads)
{
  const KymoAsk *ask = work->ask;
  const KymoTimelinePlan *plan = work->plan;
  KymoMosaic *mosaic = plan->mosaic;

  if (plan->column_ns == 0 || mosaic == NULL || kymo_timeline_n_walked (plan) == plan->n_locations
      || !kymo_mosaic_has (mosaic, plan->j, plan->k)
      || (kymo_question_get_flag (ask->question, "once") && !kymo_mosaic_is_built (mosaic)))
    return;
  if (!kymo_mosaic_is_built (mosaic) && g_atomic_int_get (&ask->run->index->build_aside))
    {
      if (kymo_mosaic_want (mosaic))
        g_atomic_int_set (&ask->run->index->mosaic_wanted, 1);
      return;
    }
  if (!kymo_mosaic_build (mosaic, ask->run, n_threads, ask->cancellable))
    return;
  work->mosaic = mosaic;
  work->sums_known = !plan->tells_busy && plan->n_rows == plan->n_rows_total
    && (plan->by_row || ask->run->segments->len - ask->n_locations <= MOST_LEFT_OUT);
}

/* All locations but those left out; a mosaic of rows has no others. */
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
  for (guint i = 0; i < ask->run->segments->len && !plan->by_row
         && ask->n_locations < ask->run->segments->len; i++)
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
           guint       row,
           guint       first,
           guint       end,
           guint32    *line)
{
  const KymoTimelinePlan *plan = work->plan;
  guint group = plan->by_row ? row : work->ask->locations[first] >> plan->j, n_there;
  gint64 from, there;
  const guint32 *cells;

  if (work->mosaic == NULL
      || (!plan->by_row && !kymo_timeline_is_group (work->ask, plan, first, end)))
    return FALSE;
  cells = kymo_mosaic_peek_row (work->mosaic, plan->j, plan->k, group, &there, &n_there);
  /* The range lies in the run's, so that no column is beyond its cells. */
  from = (plan->span.begin_ns >> plan->k) - there;
  if (cells == NULL || from < 0 || from + plan->n_columns > n_there)
    return FALSE;
  memcpy (line, cells + from, plan->n_columns * sizeof (guint32));
  return TRUE;
}

/* Takes the time of calls whose communicator is known from their functions. */
static void
move_to_comms (Worker            *worker,
               const KymoSegment *segment)
{
  const KymoAsk *ask = worker->work->ask;
  KymoTimelinePlan plan = *worker->work->plan;
  KymoSpan span = kymo_span_intersect (plan.span, segment->span);
  g_autofree guint32 *states = NULL;

  if (kymo_span_length (span) == 0 || !kymo_timeline_hides (&plan, segment))
    return;
  /* The time of what is hidden counts, too. */
  plan.least_ns = 0;
  states = kymo_timeline_change_states (ask, &plan, segment);
  for (guint i = kymo_segment_find_piece (segment, span.begin_ns);
       i < segment->n_pieces && kymo_segment_piece_begin (segment, i) < span.end_ns; i++)
    {
      KymoSpan piece = { kymo_segment_piece_begin (segment, i),
                         kymo_segment_piece_begin (segment, i + 1) };
      gint64 ns = kymo_span_length (kymo_span_intersect (span, piece));

      worker->total_ns[states[i]] += ns;
      worker->total_ns[segment->piece_state[i]] -= ns;
    }
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
  if (plan->comms != NULL)
    move_to_comms (worker, segment);
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
      if (s >= KYMO_STATE_ACTIVITY
          && kymo_run_peek_activity (ask->run, s - KYMO_STATE_ACTIVITY)->role == KYMO_ROLE_COMPUTE)
        row->useful_ns[kind] += sums->ns[s];
      if (s != KYMO_STATE_UNTRACED)
        row->span_ns[kind] += sums->ns[s];
    }
  kymo_sums_reset (sums);
}

static void
make_single_row (Worker              *worker,
                 guint                number,
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
      if (!read_line (work, number, place, place + 1, line))
        kymo_timeline_walk_line (work->ask, plan, segment, scratch, line);
      if (own != NULL)
        kymo_timeline_line_cells (plan, line, row->cells = kymo_timeline_cells_new ());
    }
  kymo_row_extras_collect (work->ask, segment, plan->edges_ns, plan->n_columns,
                           !plan->on_grid || plan->n_rows <= MOST_ROWS_WITH_OUTER, &row->extras);
}

/* Time by state, and how busy: a sum a location. FALSE where columns are unfit
   to be read. */
static gboolean
add_locations (Worker              *worker,
               guint                first,
               guint                end,
               KymoTimelineScratch *scratch,
               KymoTimelineRow     *row)
{
  const KymoAsk *ask = worker->work->ask;

  for (guint i = first; i < end; i++)
    {
      KymoSegment *segment = kymo_ask_segment_of (ask, ask->locations[i]);

      if (!kymo_segment_use (segment, worker->work->plan->comms != NULL
                             ? KYMO_PART_TRACK | KYMO_PART_BLOCKS : KYMO_PART_TRACK))
        return FALSE;
      add_busy (worker, segment, row, &scratch->sums);
    }
  return TRUE;
}

/* The cells of a merged row from its pieces, and its time by state with them,
   where no location has added it. */
static gboolean
walk_merged_row (Worker              *worker,
                 guint                first,
                 guint                end,
                 KymoTimelineScratch *scratch,
                 KymoTimelineRow     *row,
                 guint32             *line)
{
  const KymoTimelinePlan *plan = worker->work->plan;

  if (!kymo_timeline_walk_group (worker->work->ask, plan, first, end, scratch,
                                 plan->tells_busy ? NULL : worker->total_ns))
    return FALSE;
  if (line != NULL)
    kymo_timeline_group_line (plan, end - first, scratch, line);
  else
    kymo_timeline_group_cells (plan, end - first, scratch, row->cells);
  return TRUE;
}

static gboolean
make_merged_row (Worker              *worker,
                 guint                number,
                 guint                first,
                 guint                end,
                 KymoTimelineScratch *scratch,
                 KymoTimelineRow     *row,
                 guint32             *line)
{
  const Work *work = worker->work;
  const KymoTimelinePlan *plan = work->plan;
  g_autofree guint32 *own = NULL;

  if (plan->tells_busy && !add_locations (worker, first, end, scratch, row))
    return FALSE;
  if (line == NULL)
    row->cells = kymo_timeline_cells_new ();
  if (line == NULL && plan->column_ns > 0)
    line = own = g_new (guint32, plan->n_columns);
  if (line == NULL || !read_line (work, number, first, end, line))
    {
      if (!walk_merged_row (worker, first, end, scratch, row, line))
        return FALSE;
    }
  else if (!plan->tells_busy && !work->sums_known
           && !add_locations (worker, first, end, scratch, row))
    return FALSE;
  if (own != NULL)
    kymo_timeline_line_cells (plan, own, row->cells);
  return TRUE;
}

static void
make_row (Worker              *worker,
          guint                i,
          KymoTimelineScratch *scratch)
{
  Work *work = worker->work;
  const KymoAsk *ask = work->ask;
  const KymoTimelinePlan *plan = work->plan;
  guint number = plan->first_row + i;
  guint first = kymo_timeline_row_begin (ask, plan, number);
  guint end = kymo_timeline_row_begin (ask, plan, number + 1);
  guint32 *line = work->dense != NULL ? work->dense + (gsize) i * plan->n_columns : NULL;
  gboolean fit;

  if (plan->group == 1 && end - first == 1)
    {
      fit = kymo_segment_use (kymo_ask_segment_of (ask, ask->locations[first]),
                              KYMO_PART_TRACK | KYMO_PART_BLOCKS | KYMO_PART_POINTS)
        && add_locations (worker, first, end, scratch, &work->rows[i]);
      if (fit)
        make_single_row (worker, number, first, scratch, &work->rows[i], line);
    }
  else
    fit = make_merged_row (worker, number, first, end, scratch, &work->rows[i], line);
  if (!fit)
    g_atomic_int_set (&work->unfit, 1);
}

static gpointer
make_rows (gpointer data)
{
  Worker *worker = data;
  Work *work = worker->work;
  KymoTimelineScratch scratch;
  gint i;

  kymo_timeline_scratch_init (&scratch, work->plan, work->plan->n_states);
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

  for (guint i = 0; i < n_threads; i++)
    workers[i] = (Worker) { work, g_new0 (gint64, work->plan->n_states) };
  kymo_share_run ("kymo-ask", n_threads, make_rows, workers, sizeof *workers);
  for (guint i = 1; i < n_threads; i++)
    {
      for (guint s = 0; s < work->plan->n_states; s++)
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
  guint n = 0;

  for (guint i = 0; i < ask->run->segments->len; i++)
    {
      KymoSegment *segment = kymo_ask_segment_of (ask, i);
      gint row = ask->row_of[i];

      if (row < 0)
        continue;
      if (plan->on_grid && n++ >= MOST_MARKED
          && ((guint) row < first || (guint) row >= MIN (end, first + MOST_MARKED)))
        continue;
      if (!kymo_segment_use (segment, KYMO_PART_POINTS))
        return FALSE;
      kymo_marks_collect (ask, segment, marks);
    }
  kymo_marks_collect_markers (ask, marks);
  return TRUE;
}

static KymoTable *
make_answer (Work         *work,
             GArray       *marks,
             const gint64 *total_ns)
{
  const KymoTimelinePlan *plan = work->plan;
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);
  KymoTable *collectives = kymo_timeline_collectives (work->ask, plan->span);

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
      if (work->ask->place_begin != NULL)
        kymo_table_set_int (answer, "places_total", work->ask->n_places);
    }
  kymo_timeline_set_rows (work->ask, plan, work->rows, total_ns,
                          g_steal_pointer (&work->dense), answer);
  if (work->ask->place_begin != NULL)
    kymo_table_set_table (answer, "groups", kymo_timeline_groups (work->ask, plan));
  kymo_table_set_table (answer, "phases", kymo_phases_of_run (work->ask->run));
  kymo_table_set_table (answer, "marks", kymo_marks_to_table (work->ask, marks));
  if (collectives != NULL)
    kymo_table_set_table (answer, "collectives", collectives);
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
timeline_answer (KymoAsk  *ask,
                 guint     n_threads,
                 GError  **error)
{
  KymoTimelinePlan *plan = use_phases (ask, error) ? kymo_timeline_plan_new (ask, error) : NULL;
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
  if (result != NULL && (!kymo_timeline_set_waits (ask, plan, result, error)
                         || !kymo_timeline_set_lines (ask, plan, result, error)))
    g_clear_pointer (&result, kymo_table_unref);
  if (result != NULL)
    kymo_timeline_set_metrics (ask, plan, result);
  for (guint i = 0; i < plan->n_rows; i++)
    {
      g_clear_pointer (&work.rows[i].cells, g_array_unref);
      kymo_row_extras_clear (&work.rows[i].extras);
    }
  g_free (work.rows);
  g_free (work.dense);
  kymo_timeline_plan_free (plan);
  return result;
}

/* On the grid columns are the smallest of 2^k ns that give at most as many as asked for, over
   the asked range widened to the grid: begin_ns, end_ns. The answer tells column_ns, group,
   rows_total and first_row; column_ns is 0 where cells would hold less than a piece. Where a
   walk over very many locations would be slow, columns are twice as wide. In any case columns
   are equal parts of begin_ns to end_ns. With first-row and n-rows names_ns is of those rows.
   Merged rows of thousands of locations have no "busy", hundreds of rows no "outer".
   Dense: in place of the cells of rows a packed column "cell" of the table "dense", rows x
   columns numbers: index of the name << 16 | share in 1 / 65535, 0xffffffff = nothing was
   recorded. Single blocks that are few are cells of rows nevertheless, and there is no "dense".
   With communicators a name stands for calls of a function on one communicator, and those of
   the same place in "communicators" are its name, "(no communicator)" where none is known, "" of
   what is no function.
   Blocks shorter than least-ns are cells of the kind "short". With groups of rows "groups" are
   those that have rows here (kymo-timeline-groups.c), and on the grid "places_total" tells how
   many rows there were, were they not merged. Waits: kymo-timeline-waits.c. */
static const KymoKeyword keywords[] =
{
  { "width", KYMO_KEYWORD_COUNT, "W", "cells in a row", KYMO_KEYWORD_TO_COLUMNS, 1000 },
  { "rows", KYMO_KEYWORD_COUNT, "R", "at most R rows; more locations are merged",
    KYMO_KEYWORD_TO_ROWS },
  { "grid", KYMO_KEYWORD_FLAG, NULL, "columns of 2^k ns and rows of 2^j locations" },
  { "dense", KYMO_KEYWORD_FLAG, NULL, "with --grid: one number a cell" },
  { "first-row", KYMO_KEYWORD_INTEGER, "R", "give the rows from this one on" },
  { "n-rows", KYMO_KEYWORD_COUNT, "N", "number of rows" },
  { "least", KYMO_KEYWORD_TIME, "T", "hide shorter blocks; their time still counts" },
  { "communicators", KYMO_KEYWORD_FLAG, NULL, "tell calls on different communicators apart" },
  { "line", KYMO_KEYWORD_TEXT, "NAME", "a counter under the rows: one that counters lists" },
  { "metrics", KYMO_KEYWORD_TEXT, "LIST",
    "system metrics under the rows: names that info lists, or all" },
  { "fold", KYMO_KEYWORD_TEXT, "WHICH", "rows by node and process; folded: all, none, a kind as "
    "process, or numbers of groups" },
  { "order", KYMO_KEYWORD_ORDER, "LIST|WORD", "rows of these first, as 5,3,0-2; or by busy, idle, "
    "overhead, time:NAME, first:NAME, similarity, cluster; -busy: the other way round" },
  { "busy-begin", KYMO_KEYWORD_INTEGER, "NS", "begin of the range of the rows' busy share",
    .internal = TRUE },
  { "busy-end", KYMO_KEYWORD_INTEGER, "NS", "its end", .internal = TRUE },
  { "waits", KYMO_KEYWORD_WORD, "1|made", "where rows wait; made: if that is known already",
    .internal = TRUE },
  { "extrapolate", KYMO_KEYWORD_FLAG, NULL, "how many PEs each row stands for",
    .internal = TRUE },
  { NULL }
};

static const KymoQuestionList lists[] =
{
  { "rows", "label kind busy useful locations weight", TRUE },
  { "rows.cells", "x0 x1 activity share" },
  { "rows.outer", "x0 x1 activity level" },
  { "rows.events", "x0 x1 activity lane" },
  { "rows.lanes", "nested_id label" },
  { "phases", "phase begin_ns end_ns" },
  { "marks", "time_ns location kind text" },
  { "lines", "row x min max mean" },
  { "records", "row x0 x1 count text" },
  { "files", "row x0 x1 file" },
  { "metrics", "of name unit min max processes", TRUE },
  { "metrics.values", "x0 x1 min max mean" },
  { "collectives", "name begin_ns end_ns time_ns n_members wait_ns first_row last_row "
    "late_row last last_label" },
  { "waits", "row x0 x1 kind share" },
  { NULL }
};

const KymoAnswerClass kymo_answer_timeline =
{
  { "timeline", N_("A timeline"), "what every location did when", keywords, KYMO_CAN_ROWS,
    .lists = lists,
    .topic = KYMO_TOPIC_TIME, .example = "--locations 0-3",
    .coarsens = TRUE },
  .answer = timeline_answer, .in_order = TRUE, .in_groups = TRUE,
};
