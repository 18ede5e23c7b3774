/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * timeline: rows of cells, at most one a column. A cell tells the state that
 * took most of its time and what share that was; a run of columns inside one
 * piece of the track is one cell with share 1, so that neighbouring blocks of
 * one entry stay apart.
 *
 * With fewer rows than locations each row is several locations together;
 * then cells are one column wide and the share is of all of them.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "kymo-engine.h"
#include "kymo-timeline-extras.h"

#define DEFAULT_COLUMNS 1000
#define MAX_COLUMNS 100000
/* A merged row's list of parts is summed up when it gets longer than this. */
#define MAX_PARTS 65536

typedef struct
{
  guint   n_columns, n_rows;
  gint64 *edges_ns;             /* n_columns + 1 */
} Plan;

typedef struct
{
  guint   x0, x1;
  guint32 state;
  double  share;
} Cell;

/* A stretch of a merged row: time of one state in one column. */
typedef struct
{
  guint   column;
  guint32 state;
  gint64  ns;
} Part;

typedef struct
{
  GArray       *cells;          /* Cell: rows of one location */
  GArray       *parts;          /* Part: merged rows */
  KymoRowExtras extras;
  gint64        busy_ns[2];     /* of workers, of communication threads */
  gint64        span_ns[2];
} Row;

typedef struct
{
  Row    *rows;
  guint   n_rows;
  GArray *marks;                /* KymoMark */
  gint64 *total_ns;             /* by state: exact, not of the cells */
  guint   n_states;
} State;

static gboolean
prepare (KymoAsk  *ask,
         GError  **error)
{
  guint n_rows = kymo_question_get_rows (ask->question);
  Plan *plan = g_new0 (Plan, 1);

  ask->plan = plan;
  plan->n_rows = n_rows == 0 ? ask->n_locations : MIN (n_rows, ask->n_locations);
  plan->edges_ns = kymo_ask_edges (ask, DEFAULT_COLUMNS, MAX_COLUMNS, &plan->n_columns, error);
  return plan->edges_ns != NULL;
}

static void
release (KymoAsk *ask)
{
  g_free (((Plan *) ask->plan)->edges_ns);
  g_free (ask->plan);
}

static gpointer
state_new (const KymoAsk *ask)
{
  const Plan *plan = ask->plan;
  State *state = g_new0 (State, 1);

  state->n_rows = plan->n_rows;
  state->rows = g_new0 (Row, plan->n_rows);
  state->marks = kymo_marks_new ();
  state->n_states = ask->n_states;
  state->total_ns = g_new0 (gint64, ask->n_states);
  return state;
}

static void
row_clear (Row *row)
{
  g_clear_pointer (&row->cells, g_array_unref);
  g_clear_pointer (&row->parts, g_array_unref);
  kymo_row_extras_clear (&row->extras);
}

static void
state_free (gpointer data)
{
  State *state = data;

  for (guint i = 0; i < state->n_rows; i++)
    row_clear (&state->rows[i]);
  g_free (state->rows);
  g_array_unref (state->marks);
  g_free (state->total_ns);
  g_free (state);
}

static guint
row_of (const Plan    *plan,
        const KymoAsk *ask,
        guint          place)
{
  return (guint) ((guint64) place * plan->n_rows / ask->n_locations);
}

/* Most time wins; of equals an activity before idle and overhead, then the
   lower number. */
static guint32
dominant (const KymoSums *sums)
{
  guint32 best = sums->touched[0];

  for (guint i = 1; i < sums->n_touched; i++)
    {
      guint32 state = sums->touched[i];
      gboolean is_activity = state >= KYMO_STATE_ACTIVITY;
      gboolean best_is = best >= KYMO_STATE_ACTIVITY;

      if (sums->ns[state] > sums->ns[best]
          || (sums->ns[state] == sums->ns[best]
              && (is_activity > best_is || (is_activity == best_is && state < best))))
        best = state;
    }
  return best;
}

/* First column after `column` whose end lies beyond time_ns. */
static guint
column_beyond (const Plan *plan,
               guint       column,
               gint64      time_ns)
{
  guint low = column, high = plan->n_columns;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (plan->edges_ns[middle + 1] > time_ns)
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

/* Cells of one location: whole pieces are jumped over, the columns where
   pieces meet are summed up. */
static void
fill_cells (const KymoAsk     *ask,
            const KymoSegment *segment,
            GArray            *cells)
{
  const Plan *plan = ask->plan;
  KymoSpan visible = kymo_span_intersect (ask->span, segment->span);
  guint column = column_beyond (plan, 0, visible.begin_ns);
  guint hint = 0;
  KymoSums sums;

  kymo_sums_init (&sums, ask->n_states);
  while (column < plan->n_columns && plan->edges_ns[column] < visible.end_ns
         && !kymo_ask_is_stopped (ask, column))
    {
      KymoSpan here = { plan->edges_ns[column], plan->edges_ns[column + 1] };
      guint beyond = column;
      Cell cell = { column, column + 1, 0, 1 };

      if (here.begin_ns >= visible.begin_ns)
        {
          hint = kymo_segment_find_piece (segment, here.begin_ns);
          beyond = column_beyond (plan, column, kymo_segment_piece_begin (segment, hint + 1));
        }
      if (beyond > column)
        {
          cell.x1 = beyond;
          cell.state = segment->piece_state[hint];
        }
      else
        {
          kymo_segment_sum (segment, here, &hint, &sums);
          if (sums.n_touched > 0)
            {
              cell.state = dominant (&sums);
              cell.share = (double) sums.ns[cell.state] / (double) kymo_span_length (here);
            }
        }
      if (beyond > column || sums.n_touched > 0)
        g_array_append_val (cells, cell);
      kymo_sums_reset (&sums);
      column = cell.x1;
    }
  kymo_sums_clear (&sums);
}

/* Cells of bins, for a draft: of each column what takes most of it. */
static void
fill_cells_of_bins (const KymoAsk     *ask,
                    const KymoSegment *segment,
                    GArray            *cells)
{
  const Plan *plan = ask->plan;
  KymoSums sums;

  kymo_sums_init (&sums, ask->n_states);
  for (guint i = 0; i < plan->n_columns && !kymo_ask_is_stopped (ask, i); i++)
    {
      KymoSpan here = { plan->edges_ns[i], plan->edges_ns[i + 1] };
      Cell cell = { i, i + 1, 0, 0 };

      kymo_segment_sum (segment, here, NULL, &sums);
      if (sums.n_touched == 0)
        continue;
      cell.state = dominant (&sums);
      cell.share = (double) sums.ns[cell.state] / (double) kymo_span_length (here);
      g_array_append_val (cells, cell);
      kymo_sums_reset (&sums);
    }
  kymo_sums_clear (&sums);
}

static int
compare_parts (gconstpointer a,
               gconstpointer b)
{
  const Part *x = a, *y = b;

  if (x->column != y->column)
    return x->column < y->column ? -1 : 1;
  return x->state < y->state ? -1 : x->state > y->state;
}

static void
sum_up_parts (GArray *parts)
{
  guint n = 0;

  g_array_sort (parts, compare_parts);
  for (guint i = 0; i < parts->len; i++)
    {
      Part *last = n > 0 ? &g_array_index (parts, Part, n - 1) : NULL;
      Part part = g_array_index (parts, Part, i);

      if (last != NULL && compare_parts (last, &part) == 0)
        last->ns += part.ns;
      else
        g_array_index (parts, Part, n++) = part;
    }
  g_array_set_size (parts, n);
}

static void
fill_parts (const KymoAsk     *ask,
            const KymoSegment *segment,
            GArray            *parts)
{
  const Plan *plan = ask->plan;
  guint hint = 0;
  KymoSums sums;

  kymo_sums_init (&sums, ask->n_states);
  for (guint i = 0; i < plan->n_columns && !kymo_ask_is_stopped (ask, i); i++)
    {
      kymo_segment_sum (segment, (KymoSpan) { plan->edges_ns[i], plan->edges_ns[i + 1] }, &hint,
                        &sums);
      for (guint k = 0; k < sums.n_touched; k++)
        {
          Part part = { i, sums.touched[k], sums.ns[sums.touched[k]] };

          g_array_append_val (parts, part);
        }
      kymo_sums_reset (&sums);
    }
  kymo_sums_clear (&sums);
  if (parts->len > MAX_PARTS)
    sum_up_parts (parts);
}

static void
add_busy (const KymoAsk     *ask,
          const KymoSegment *segment,
          State             *state,
          Row               *row)
{
  KymoLocationKind kind = kymo_run_peek_location (ask->run, segment->location)->kind;
  KymoSums sums;

  kymo_sums_init (&sums, ask->n_states);
  kymo_segment_sum (segment, ask->span, NULL, &sums);
  for (guint i = 0; i < sums.n_touched; i++)
    {
      guint32 s = sums.touched[i];

      state->total_ns[s] += sums.ns[s];
      if (s >= KYMO_STATE_ACTIVITY)
        row->busy_ns[kind] += sums.ns[s];
      if (s != KYMO_STATE_UNTRACED)
        row->span_ns[kind] += sums.ns[s];
    }
  kymo_sums_clear (&sums);
}

static void
partial (const KymoAsk *ask,
         gpointer       data,
         KymoSegment   *segment)
{
  const Plan *plan = ask->plan;
  State *state = data;
  Row *row = &state->rows[row_of (plan, ask, ask->row_of[segment->location])];

  add_busy (ask, segment, state, row);
  kymo_marks_collect (ask, segment, state->marks);
  if (plan->n_rows < ask->n_locations)
    {
      if (row->parts == NULL)
        row->parts = g_array_new (FALSE, FALSE, sizeof (Part));
      fill_parts (ask, segment, row->parts);
      return;
    }
  row->cells = g_array_new (FALSE, FALSE, sizeof (Cell));
  if (segment->bins != NULL)
    fill_cells_of_bins (ask, segment, row->cells);
  else
    fill_cells (ask, segment, row->cells);
  kymo_row_extras_collect (ask, segment, plan->edges_ns, plan->n_columns, &row->extras);
}

static void
merge (const KymoAsk *ask,
       gpointer       into,
       gpointer       from)
{
  State *a = into, *b = from;

  for (guint i = 0; i < a->n_rows; i++)
    {
      Row *x = &a->rows[i], *y = &b->rows[i];

      for (guint k = 0; k < 2; k++)
        {
          x->busy_ns[k] += y->busy_ns[k];
          x->span_ns[k] += y->span_ns[k];
        }
      if (y->cells != NULL)
        {
          x->cells = g_steal_pointer (&y->cells);
          kymo_row_extras_clear (&x->extras);
          x->extras = y->extras;
          y->extras = (KymoRowExtras) { NULL, NULL, NULL };
        }
      if (y->parts != NULL && x->parts == NULL)
        x->parts = g_steal_pointer (&y->parts);
      else if (y->parts != NULL)
        g_array_append_vals (x->parts, y->parts->data, y->parts->len);
    }
  for (guint i = 0; i < a->n_states; i++)
    a->total_ns[i] += b->total_ns[i];
  g_array_append_vals (a->marks, b->marks->data, b->marks->len);
  g_array_set_clear_func (b->marks, NULL);
}

/* Of each column of a merged row the dominant state. */
static void
parts_to_cells (const KymoAsk *ask,
                Row           *row,
                guint          n_locations)
{
  const Plan *plan = ask->plan;

  row->cells = g_array_new (FALSE, FALSE, sizeof (Cell));
  sum_up_parts (row->parts);
  for (guint i = 0; i < row->parts->len;)
    {
      const Part *best = &g_array_index (row->parts, Part, i);
      guint column = best->column;
      gint64 width_ns = plan->edges_ns[column + 1] - plan->edges_ns[column];
      Cell cell = { column, column + 1, 0, 0 };

      for (; i < row->parts->len && g_array_index (row->parts, Part, i).column == column; i++)
        {
          const Part *part = &g_array_index (row->parts, Part, i);

          if (part->ns > best->ns
              || (part->ns == best->ns && best->state < KYMO_STATE_ACTIVITY))
            best = part;
        }
      cell.state = best->state;
      cell.share = (double) best->ns / ((double) width_ns * n_locations);
      g_array_append_val (row->cells, cell);
    }
}

/* Numbers the states that occur, in their own order. */
typedef struct
{
  gint      *index_of;          /* by state, -1 = does not occur */
  KymoTable *names, *kinds, *total_ns;
  guint      n;
} NameTable;

static gint
use_state (NameTable     *names,
           const KymoAsk *ask,
           const gint64  *total_ns,
           guint32        state)
{
  if (names->index_of[state] < 0)
    {
      kymo_table_append_string (names->names, 0, kymo_ask_state_name (ask, state));
      kymo_table_append_string (names->kinds, 0, kymo_ask_state_kind (ask, state));
      kymo_table_append_int (names->total_ns, 0, total_ns[state]);
      names->index_of[state] = names->n++;
    }
  return names->index_of[state];
}

static void
mark_used (const State *state,
           gboolean    *used)
{
  for (guint i = 0; i < state->n_rows; i++)
    {
      const Row *row = &state->rows[i];

      for (guint k = 0; row->cells != NULL && k < row->cells->len; k++)
        used[g_array_index (row->cells, Cell, k).state] = TRUE;
      kymo_row_extras_mark_used (&row->extras, used);
    }
}

static NameTable
make_names (const KymoAsk *ask,
            const State   *state)
{
  NameTable names = { g_new (gint, ask->n_states), kymo_table_new (KYMO_STYLE_FLAT),
                      kymo_table_new (KYMO_STYLE_FLAT), kymo_table_new (KYMO_STYLE_FLAT), 0 };
  g_autofree gboolean *used = g_new0 (gboolean, ask->n_states);

  kymo_table_add_column (names.names, "name", KYMO_COLUMN_STRING, 1);
  kymo_table_add_column (names.kinds, "kind", KYMO_COLUMN_STRING, 1);
  kymo_table_add_column (names.total_ns, "ns", KYMO_COLUMN_INT, 1);
  memset (names.index_of, 0xff, ask->n_states * sizeof (gint));
  mark_used (state, used);
  for (guint32 s = 0; s < ask->n_states; s++)
    used[s] = used[s] || state->total_ns[s] > 0;
  for (guint32 s = 0; s < ask->n_states; s++)
    if (used[s])
      use_state (&names, ask, state->total_ns, s);
  return names;
}

typedef struct
{
  KymoTable *table, *locations, *cells, *outer, *events, *lanes;
  guint      label, kind, busy, locations_column, cells_column, outer_column, events_column;
  guint      lanes_column;
} RowTable;

static RowTable
row_table_new (void)
{
  RowTable t = { kymo_table_new (KYMO_STYLE_OBJECTS), kymo_table_new (KYMO_STYLE_FLAT),
                 kymo_table_new (KYMO_STYLE_TUPLES), kymo_span_table_new ("level"),
                 kymo_span_table_new ("lane"), kymo_lane_table_new () };

  kymo_table_add_column (t.locations, "location", KYMO_COLUMN_INT, 1);
  kymo_table_add_column (t.cells, "x0", KYMO_COLUMN_INT, 1);
  kymo_table_add_column (t.cells, "x1", KYMO_COLUMN_INT, 1);
  kymo_table_add_column (t.cells, "activity", KYMO_COLUMN_INT, 1);
  kymo_table_add_column (t.cells, "share", KYMO_COLUMN_DOUBLE, 1);
  t.label = kymo_table_add_column (t.table, "label", KYMO_COLUMN_STRING, 1);
  t.kind = kymo_table_add_column (t.table, "kind", KYMO_COLUMN_STRING, 1);
  t.busy = kymo_table_add_column (t.table, "busy", KYMO_COLUMN_DOUBLE, 1);
  t.locations_column = kymo_table_add_nested (t.table, "locations", t.locations);
  t.cells_column = kymo_table_add_nested (t.table, "cells", t.cells);
  t.outer_column = kymo_table_add_nested (t.table, "outer", t.outer);
  t.events_column = kymo_table_add_nested (t.table, "events", t.events);
  t.lanes_column = kymo_table_add_nested (t.table, "lanes", t.lanes);
  return t;
}

static char *
row_label (const KymoAsk *ask,
           guint          first,
           guint          end)
{
  const KymoLocation *a = kymo_run_peek_location (ask->run, ask->locations[first]);
  const KymoLocation *b = kymo_run_peek_location (ask->run, ask->locations[end - 1]);

  if (end - first == 1)
    return g_strdup (a->label);
  return a->kind != b->kind ? g_strdup_printf ("%s–%s", a->label, b->label)
    : g_strdup_printf ("%s–%" G_GINT64_FORMAT, a->label, b->id);
}

/* Workers come before communication threads. */
static const char *
row_kind (const KymoAsk *ask,
          guint          first,
          guint          end)
{
  KymoLocationKind a = kymo_run_peek_location (ask->run, ask->locations[first])->kind;
  KymoLocationKind b = kymo_run_peek_location (ask->run, ask->locations[end - 1])->kind;

  return a == b ? kymo_location_kind_to_string (a) : "mixed";
}

/* Communication threads count only where a row has nothing else. */
static double
row_busy (const Row *row)
{
  guint kind = row->span_ns[KYMO_LOCATION_WORKER] > 0 ? KYMO_LOCATION_WORKER
    : KYMO_LOCATION_COMM;

  return row->span_ns[kind] > 0 ? (double) row->busy_ns[kind] / (double) row->span_ns[kind]
    : NAN;
}

static void
append_row (RowTable        *t,
            const NameTable *names,
            const KymoAsk   *ask,
            const Row       *row,
            guint            first,
            guint            end)
{
  g_autofree char *label = row_label (ask, first, end);

  kymo_table_append_string (t->table, t->label, label);
  kymo_table_append_string (t->table, t->kind, row_kind (ask, first, end));
  kymo_table_append_double (t->table, t->busy, row_busy (row));
  for (guint i = first; i < end; i++)
    kymo_table_append_int (t->locations, 0,
                           kymo_run_peek_location (ask->run, ask->locations[i])->id);
  for (guint i = 0; row->cells != NULL && i < row->cells->len; i++)
    {
      const Cell *cell = &g_array_index (row->cells, Cell, i);

      kymo_table_append_int (t->cells, 0, cell->x0);
      kymo_table_append_int (t->cells, 1, cell->x1);
      kymo_table_append_int (t->cells, 2, names->index_of[cell->state]);
      kymo_table_append_double (t->cells, 3, cell->share);
    }
  kymo_row_extras_append (&row->extras, names->index_of, t->outer, t->events,
                          t->lanes);
  kymo_table_end_nested (t->table, t->locations_column);
  kymo_table_end_nested (t->table, t->cells_column);
  kymo_table_end_nested (t->table, t->outer_column);
  kymo_table_end_nested (t->table, t->events_column);
  kymo_table_end_nested (t->table, t->lanes_column);
}

static KymoTable *
finish (const KymoAsk *ask,
        gpointer       data)
{
  const Plan *plan = ask->plan;
  State *state = data;
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);
  RowTable rows = row_table_new ();
  g_autofree guint *row_end = g_new0 (guint, plan->n_rows);
  NameTable names;

  for (guint i = 0; i < ask->n_locations; i++)
    row_end[row_of (plan, ask, i)] = i + 1;
  for (guint r = 0; r < plan->n_rows; r++)
    if (state->rows[r].parts != NULL)
      parts_to_cells (ask, &state->rows[r], row_end[r] - (r > 0 ? row_end[r - 1] : 0));
  names = make_names (ask, state);
  for (guint r = 0; r < plan->n_rows; r++)
    append_row (&rows, &names, ask, &state->rows[r], r > 0 ? row_end[r - 1] : 0, row_end[r]);
  kymo_table_set_int (answer, "begin_ns", ask->span.begin_ns);
  kymo_table_set_int (answer, "end_ns", ask->span.end_ns);
  kymo_table_set_int (answer, "columns", plan->n_columns);
  kymo_table_set_table (answer, "names", names.names);
  kymo_table_set_table (answer, "kinds", names.kinds);
  kymo_table_set_table (answer, "names_ns", names.total_ns);
  kymo_table_set_table (answer, "rows", rows.table);
  kymo_table_set_table (answer, "phases", kymo_phases_of_run (ask->run));
  kymo_table_set_table (answer, "marks", kymo_marks_to_table (ask, state->marks));
  g_free (names.index_of);
  return answer;
}

const KymoAnswerClass kymo_answer_timeline =
  { "timeline", prepare, release, state_new, state_free, partial, merge, finish,
    .requires = KYMO_CAN_ROWS };
