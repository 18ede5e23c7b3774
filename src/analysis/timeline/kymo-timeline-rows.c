/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tables of a timeline answer: names in the order of the run's states,
 * and a row with its label, locations, cells and extras; and those of place: a view holds
 * only the rows it shows, there it learns how far to scroll.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "kymo-engine.h"
#include "kymo-error.h"
#include "kymo-timeline-private.h"
#include "kymo-wide.h"

/* Numbers the states that occur, in their own order. */
typedef struct
{
  guint32   *index_of;          /* by state, else G_MAXUINT32 */
  KymoTable *names, *kinds, *total_ns;
  KymoTable *comms;             /* or NULL */
} NameTable;

static void
mark_used (const KymoTimelinePlan *plan,
           const KymoTimelineRow  *rows,
           gboolean               *used)
{
  for (guint i = 0; i < plan->n_rows; i++)
    {
      const GArray *cells = rows[i].cells;

      for (guint k = 0; cells != NULL && k < cells->len; k++)
        used[g_array_index (cells, KymoTimelineCell, k).state] = TRUE;
      kymo_row_extras_mark_used (&rows[i].extras, used);
    }
}

/* Where communicators are told apart: @place: -1 of a function's other calls; -2 of what is no
   function. */
static void
append_comm (const KymoTimelinePlan *plan,
             NameTable              *names,
             gint                    place)
{
  g_autofree char *comm = NULL;

  if (names->comms == NULL)
    return;
  comm = place < -1 ? g_strdup ("") : kymo_timeline_comms_dup_name (plan->comms, place);
  kymo_table_append_string (names->comms, 0, comm);
}

/* A function has a name for each communicator, and one for its other calls. */
static void
append_state (const KymoAsk          *ask,
              const KymoTimelinePlan *plan,
              guint32                 state,
              gint64                  total_ns,
              NameTable              *names)
{
  gint place = state < ask->n_states ? -1 : (gint) (state - ask->n_states);
  guint32 own = place < 0 ? state
    : KYMO_STATE_ACTIVITY + kymo_timeline_comms_activity (plan->comms, place);
  gboolean is_code = own >= KYMO_STATE_ACTIVITY
    && kymo_run_peek_activity (ask->run, own - KYMO_STATE_ACTIVITY)->kind != KYMO_ACTIVITY_EVENT;

  kymo_table_append_string (names->names, 0, kymo_ask_state_name (ask, own));
  kymo_table_append_string (names->kinds, 0, kymo_ask_state_kind (ask, own));
  kymo_table_append_int (names->total_ns, 0, total_ns);
  append_comm (plan, names, is_code ? place : -2);
}

/* The dominant state of a packed cell has time, so that its name is known
   from the totals. */
static NameTable
make_names (const KymoAsk          *ask,
            const KymoTimelinePlan *plan,
            const KymoTimelineRow  *rows,
            const gint64           *total_ns)
{
  NameTable names = { g_new (guint32, plan->n_states), kymo_table_new (KYMO_STYLE_FLAT),
                      kymo_table_new (KYMO_STYLE_FLAT), kymo_table_new (KYMO_STYLE_FLAT) };
  g_autofree gboolean *used = g_new0 (gboolean, plan->n_states);
  guint32 n_named = plan->n_states - (plan->least_ns > 0), n = 0;

  if (plan->comms != NULL)
    {
      names.comms = kymo_table_new (KYMO_STYLE_FLAT);
      kymo_table_add_column (names.comms, "communicator", KYMO_COLUMN_STRING, 1);
    }

  kymo_table_add_column (names.names, "name", KYMO_COLUMN_STRING, 1);
  kymo_table_add_column (names.kinds, "kind", KYMO_COLUMN_STRING, 1);
  kymo_table_add_column (names.total_ns, "ns", KYMO_COLUMN_INT, 1);
  memset (names.index_of, 0xff, plan->n_states * sizeof (guint32));
  mark_used (plan, rows, used);
  for (guint32 state = 0; state < n_named; state++)
    {
      if (!used[state] && total_ns[state] <= 0)
        continue;
      append_state (ask, plan, state, total_ns[state], &names);
      names.index_of[state] = n++;
    }
  /* Cells alone show hidden blocks: their time counts under their own names. */
  if (plan->least_ns > 0)
    {
      kymo_table_append_string (names.names, 0, "Shorter blocks");
      kymo_table_append_string (names.kinds, 0, "short");
      kymo_table_append_int (names.total_ns, 0, 0);
      append_comm (plan, &names, -2);
      names.index_of[plan->n_states - 1] = n++;
    }
  return names;
}

typedef struct
{
  KymoTable *table, *locations, *cells, *outer, *events, *lanes;
  guint      weight, locations_column, cells_column, outer_column;
  guint      events_column, lanes_column;
} RowTable;

/* Of an answer that is not to be extrapolated NULL. Rows stay those of single
   locations; they only tell how many each stands for. */
static KymoIdWeights *
weights_of (const KymoAsk *ask)
{
  KymoIdWeights *weights = kymo_question_peek_weights (ask->question);

  if (weights == NULL && kymo_question_get_flag (ask->question, "extrapolate")
      && ask->run->reduction != NULL)
    weights = ask->run->reduction->weights;
  return weights;
}

static RowTable
row_table_new (const KymoAsk *ask)
{
  RowTable t = { kymo_table_new (KYMO_STYLE_OBJECTS), kymo_table_new (KYMO_STYLE_FLAT),
                 kymo_table_new (KYMO_STYLE_TUPLES), kymo_span_table_new ("level"),
                 kymo_span_table_new ("lane"), kymo_lane_table_new () };

  kymo_table_add_column (t.locations, "location", KYMO_COLUMN_INT, 1);
  kymo_table_add_column (t.cells, "x0", KYMO_COLUMN_INT, 1);
  kymo_table_add_column (t.cells, "x1", KYMO_COLUMN_INT, 1);
  kymo_table_add_column (t.cells, "activity", KYMO_COLUMN_INT, 1);
  kymo_table_add_column (t.cells, "share", KYMO_COLUMN_DOUBLE, 1);
  kymo_table_add_columns (t.table, "label:string kind:string busy:double useful:double");
  if (weights_of (ask) != NULL)
    t.weight = kymo_table_add_column (t.table, "weight", KYMO_COLUMN_DOUBLE, 1);
  t.locations_column = kymo_table_add_nested (t.table, "locations", t.locations);
  t.cells_column = kymo_table_add_nested (t.table, "cells", t.cells);
  t.outer_column = kymo_table_add_nested (t.table, "outer", t.outer);
  t.events_column = kymo_table_add_nested (t.table, "events", t.events);
  t.lanes_column = kymo_table_add_nested (t.table, "lanes", t.lanes);
  return t;
}

/* Neighbours, and all of a choice that ascends, are told by the first and the
   last; of another order these would say nothing of those between. */
static char *
label_of (const KymoAsk *ask,
          guint          first,
          guint          end)
{
  const KymoLocation *a = kymo_run_peek_location (ask->run, ask->locations[first]);
  const KymoLocation *b = kymo_run_peek_location (ask->run, ask->locations[end - 1]);

  if (end - first == 1)
    return g_strdup (a->label);
  for (guint i = first + 1; i < end && ask->is_ordered; i++)
    if (ask->locations[i] != ask->locations[i - 1] + 1)
      return g_strdup_printf ("%s +%u", a->label, end - first - 1);
  return a->kind != b->kind ? g_strdup_printf ("%s–%s", a->label, b->label)
    : g_strdup_printf ("%s–%" G_GINT64_FORMAT, a->label, b->id);
}

/* A folded group has its own name; where several rows are one, the first is
   named, and how many places more there are. */
static char *
row_label (const KymoAsk          *ask,
           const KymoTimelinePlan *plan,
           guint                   row,
           guint                   first,
           guint                   end)
{
  guint place = kymo_timeline_row_place (ask, plan, row);
  guint n = kymo_timeline_row_place (ask, plan, row + 1) - place;
  gint group = ask->place_group != NULL ? ask->place_group[place] : -1;

  if (end - first == n && group < 0)
    return label_of (ask, first, end);
  if (group >= 0)
    {
      const char *label
        = kymo_row_groups_peek (kymo_question_peek_groups (ask->question), group)->label;

      return n == 1 ? g_strdup (label) : g_strdup_printf ("%s +%u", label, n - 1);
    }
  return g_strdup_printf ("%s +%u",
                          kymo_run_peek_location (ask->run, ask->locations[first])->label, n - 1);
}

static const char *
row_kind (const KymoAsk *ask,
          guint          first,
          guint          end)
{
  KymoLocationKind a = kymo_run_peek_location (ask->run, ask->locations[first])->kind;

  for (guint i = first + 1; i < end; i++)
    if (kymo_run_peek_location (ask->run, ask->locations[i])->kind != a)
      return "mixed";
  return kymo_location_kind_to_string (a);
}

/* Communication threads count only where a row has nothing else. */
static double
row_share (const KymoTimelineRow *row,
           const gint64          *ns)
{
  guint kind = row->span_ns[KYMO_LOCATION_WORKER] > 0 ? KYMO_LOCATION_WORKER
    : KYMO_LOCATION_COMM;

  return row->span_ns[kind] > 0 ? (double) ns[kind] / (double) row->span_ns[kind]
    : NAN;
}

static void
append_cells (RowTable        *t,
              const NameTable *names,
              const GArray    *cells)
{
  gint64 *x0 = kymo_table_extend_ints (t->cells, 0, cells->len);
  gint64 *x1 = kymo_table_extend_ints (t->cells, 1, cells->len);
  gint64 *activity = kymo_table_extend_ints (t->cells, 2, cells->len);
  double *share = kymo_table_extend_doubles (t->cells, 3, cells->len);

  for (guint i = 0; i < cells->len; i++)
    {
      const KymoTimelineCell *cell = &g_array_index (cells, KymoTimelineCell, i);

      x0[i] = cell->x0;
      x1[i] = cell->x1;
      activity[i] = names->index_of[cell->state];
      share[i] = cell->share;
    }
}

static double
row_weight (const KymoAsk *ask,
            guint          first,
            guint          end)
{
  gint64 sum = 0;

  for (guint i = first; i < end; i++)
    sum += kymo_id_weights_get (weights_of (ask),
                                kymo_run_peek_location (ask->run, ask->locations[i])->id);
  return (double) sum / KYMO_WEIGHT_ONE;
}

static void
append_row (RowTable              *t,
            const NameTable       *names,
            const KymoAsk         *ask,
            const KymoTimelinePlan *plan,
            const KymoTimelineRow *row,
            guint                  number)
{
  guint first = kymo_timeline_row_begin (ask, plan, number);
  guint end = kymo_timeline_row_begin (ask, plan, number + 1);
  g_autofree char *label = row_label (ask, plan, number, first, end);
  gint64 *ids;

  kymo_table_append_row (t->table, label, row_kind (ask, first, end), row_share (row, row->busy_ns),
                         row_share (row, row->useful_ns));
  if (t->weight > 0)
    kymo_table_append_double (t->table, t->weight, row_weight (ask, first, end));
  ids = kymo_table_extend_ints (t->locations, 0, end - first);
  for (guint i = first; i < end; i++)
    ids[i - first] = kymo_run_peek_location (ask->run, ask->locations[i])->id;
  if (row->cells != NULL)
    append_cells (t, names, row->cells);
  kymo_row_extras_append (&row->extras, names->index_of, t->outer, t->events,
                          t->lanes);
  kymo_table_end_nested (t->table, t->locations_column);
  kymo_table_end_nested (t->table, t->cells_column);
  kymo_table_end_nested (t->table, t->outer_column);
  kymo_table_end_nested (t->table, t->events_column);
  kymo_table_end_nested (t->table, t->lanes_column);
}

/* From states to indices of names. A state without a name is one of which a
   kept run's stored sums know nothing: they lie, and the cell is left out. */
static KYMO_WIDE void
name_cells (guint32       *cells,
            gsize          n,
            const guint32 *index_of)
{
  for (gsize i = 0; i < n; i++)
    {
      guint32 index = index_of[cells[i] >> 16];
      guint32 named = index << 16 | (cells[i] & 0xffff);

      cells[i] = index == G_MAXUINT32 ? KYMO_NO_CELL : named;
    }
}

static KymoTable *
dense_table (const KymoAsk          *ask,
             const KymoTimelinePlan *plan,
             const NameTable        *names,
             guint32                *dense)
{
  KymoTable *table = kymo_table_new (KYMO_STYLE_FLAT);
  gsize n = (gsize) plan->n_rows * plan->n_columns;
  g_autofree guint32 *index_of = g_new (guint32, 1 << 16);

  /* With all that 16 bits can tell, so that no cell has to be looked at twice. */
  memset (index_of, 0xff, (1 << 16) * sizeof (guint32));
  memcpy (index_of, names->index_of,
          MIN (plan->n_states, KYMO_MOST_PACKED_STATES) * sizeof (guint32));
  name_cells (dense, n, index_of);
  kymo_table_take_packed (table, kymo_table_add_column (table, "cell", KYMO_COLUMN_PACKED, 1),
                          dense, n);
  return table;
}

/**
 * kymo_timeline_set_rows:
 * @rows: (array): the rows that are given
 * @total_ns: their time by state
 * @dense: (nullable) (transfer full): packed cells of states, row by row
 *
 * Sets names, kinds, names_ns, rows, records and dense; where communicators are told apart
 * communicators.
 */
void
kymo_timeline_set_rows (const KymoAsk          *ask,
                        const KymoTimelinePlan *plan,
                        const KymoTimelineRow  *rows,
                        const gint64           *total_ns,
                        guint32                *dense,
                        KymoTable              *answer)
{
  NameTable names = make_names (ask, plan, rows, total_ns);
  RowTable table = row_table_new (ask);
  KymoTable *records = NULL, *files = NULL;

  for (guint i = 0; i < plan->n_rows; i++)
    {
      append_row (&table, &names, ask, plan, &rows[i], plan->first_row + i);
      kymo_timeline_append_records (rows[i].extras.records, i, &records);
      kymo_timeline_append_files (rows[i].extras.files, i, &files);
    }
  kymo_table_set_table (answer, "names", names.names);
  kymo_table_set_table (answer, "kinds", names.kinds);
  kymo_table_set_table (answer, "names_ns", names.total_ns);
  if (names.comms != NULL)
    kymo_table_set_table (answer, "communicators", names.comms);
  kymo_table_set_table (answer, "rows", table.table);
  if (records != NULL)
    kymo_table_set_table (answer, "records", records);
  if (files != NULL)
    kymo_table_set_table (answer, "files", files);
  if (dense != NULL)
    kymo_table_set_table (answer, "dense", dense_table (ask, plan, &names, dense));
  g_free (names.index_of);
}

/* -- place: the rows of locations, counted without groups ------------------ */

static KymoTable *
place_answer (KymoAsk  *ask,
              guint     n_threads,
              GError  **error)
{
  const char *text = kymo_question_get (ask->question, "of");
  g_autoptr (KymoIdSet) wanted = NULL;
  KymoTable *answer, *places;

  if (text == NULL)
    {
      g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                           _("place needs the locations it is about"));
      return NULL;
    }
  wanted = kymo_id_set_parse (text, error);
  if (wanted == NULL)
    return NULL;
  answer = kymo_table_new (KYMO_STYLE_OBJECT);
  places = kymo_table_new_list ("location place");
  for (guint i = 0; i < ask->n_locations; i++)
    {
      gint64 id = kymo_run_peek_location (ask->run, ask->locations[i])->id;

      if (kymo_id_set_contains (wanted, id))
        kymo_table_append_row (places, id, kymo_ask_place_of (ask, i));
    }
  kymo_table_set_int (answer, "locations", ask->n_locations);
  kymo_table_set_table (answer, "places", places);
  return answer;
}

static const KymoKeyword keywords[] =
{
  { "of", KYMO_KEYWORD_TEXT, "LIST", "the locations, as 3,17", .internal = TRUE },
  { NULL }
};

static const KymoQuestionList lists[] =
{
  { "places", "location place" },
  { NULL }
};

const KymoAnswerClass kymo_answer_place =
{
  { "place", N_("The place of a row"), .keywords = keywords, .lists = lists },
  .answer = place_answer, .in_order = TRUE, .in_groups = TRUE,
};
