/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * waiting: the sums of kymo-waiting.c as tables.
 */
#include "config.h"

#include "kymo-waiting-private.h"

#include <math.h>

/* ns, count and the longest, of whatever a table lists. */
typedef struct
{
  guint ns, count, longest;
} SumColumns;

static SumColumns
add_sum_columns (KymoTable *table)
{
  SumColumns columns;

  columns.ns = kymo_table_add_column (table, "ns", KYMO_COLUMN_INT, 1);
  columns.count = kymo_table_add_column (table, "count", KYMO_COLUMN_INT, 1);
  columns.longest = kymo_table_add_column (table, "max_ns", KYMO_COLUMN_INT, 1);
  return columns;
}

static void
append_sum (KymoTable         *table,
            SumColumns         columns,
            const KymoWaitSum *sum)
{
  kymo_table_append_int (table, columns.ns, sum->ns);
  kymo_table_append_int (table, columns.count, sum->count);
  kymo_table_append_int (table, columns.longest, sum->longest_ns);
}

static gboolean
is_empty (const KymoWaitSum *sum)
{
  return sum->ns == 0 && sum->count == 0;
}

/* An order of sums, the longest first, without those that are empty. */
typedef struct
{
  const KymoWaitSum *sum;
  guint              index;
} Ranked;

static int
compare_ranked (gconstpointer a,
                gconstpointer b)
{
  const Ranked *x = a, *y = b;

  if (x->sum->ns != y->sum->ns)
    return x->sum->ns > y->sum->ns ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

static void
rank_waiting_answer (GArray            *ranked,
                     const KymoWaitSum *sum,
                     guint              index)
{
  Ranked one = { sum, index };

  if (!is_empty (sum))
    g_array_append_val (ranked, one);
}

static KymoTable *
list_kinds (const KymoWaitingState *state)
{
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);
  guint kind = kymo_table_add_column (table, "kind", KYMO_COLUMN_STRING, 1);
  guint name = kymo_table_add_column (table, "name", KYMO_COLUMN_STRING, 1);
  SumColumns columns = add_sum_columns (table);

  for (guint i = 0; i < KYMO_N_WAIT_KINDS; i++)
    {
      kymo_table_append_string (table, kind, kymo_wait_kind_to_string (i));
      kymo_table_append_string (table, name, kymo_wait_kind_to_words (i));
      append_sum (table, columns, &state->kinds[i]);
    }
  return table;
}

static KymoTable *
list_functions (const KymoAsk          *ask,
                const KymoWaitingState *state)
{
  g_autoptr (GArray) ranked = g_array_new (FALSE, FALSE, sizeof (Ranked));
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);
  guint id = kymo_table_add_column (table, "id", KYMO_COLUMN_INT, 1);
  guint name = kymo_table_add_column (table, "name", KYMO_COLUMN_STRING, 1);
  guint role = kymo_table_add_column (table, "role", KYMO_COLUMN_STRING, 1);
  SumColumns columns = add_sum_columns (table);
  guint kinds = kymo_table_add_column (table, "kind_ns", KYMO_COLUMN_INT, KYMO_N_WAIT_KINDS);

  for (guint i = 0; i < ask->run->activities->len; i++)
    rank_waiting_answer (ranked, &state->functions[i], i);
  g_array_sort (ranked, compare_ranked);
  for (guint i = 0; i < ranked->len; i++)
    {
      const Ranked *one = &g_array_index (ranked, Ranked, i);
      const KymoActivity *activity = kymo_run_peek_activity (ask->run, one->index);

      kymo_table_append_int (table, id, activity->id);
      kymo_table_append_string (table, name, activity->name);
      kymo_table_append_string (table, role, kymo_role_to_string (activity->role));
      append_sum (table, columns, one->sum);
      kymo_table_append_ints (table, kinds,
                              &state->function_kinds[(gsize) one->index * KYMO_N_WAIT_KINDS]);
    }
  return table;
}

static KymoTable *
list_paths (const KymoAsk          *ask,
            const KymoWaitingState *state)
{
  g_autoptr (GArray) ranked = g_array_new (FALSE, FALSE, sizeof (Ranked));
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);
  guint path = kymo_table_add_column (table, "path", KYMO_COLUMN_STRING, 1);
  SumColumns columns = add_sum_columns (table);

  for (guint i = 1; i < state->nodes->len; i++)
    rank_waiting_answer (ranked, &g_array_index (state->nodes, KymoPathNode, i).sum, i);
  g_array_sort (ranked, compare_ranked);
  for (guint i = 0; i < ranked->len; i++)
    {
      const Ranked *one = &g_array_index (ranked, Ranked, i);
      g_autofree char *words = kymo_waiting_dup_path (ask, state->nodes, one->index);

      kymo_table_append_string (table, path, words);
      append_sum (table, columns, one->sum);
    }
  return table;
}

static void
append_location (const KymoAsk          *ask,
                 const KymoWaitingState *state,
                 guint                   row,
                 KymoTable              *table,
                 const guint            *columns)
{
  guint index = ask->locations[row];
  const KymoLocation *location = kymo_run_peek_location (ask->run, index);
  const KymoWaitSum *of = &state->of[(gsize) row * KYMO_N_WAIT_KINDS];
  gint64 span_ns = kymo_span_length (kymo_span_intersect (ask->span, location->span));
  gint64 values[KYMO_N_WAIT_KINDS], ns = 0, count = 0;

  for (guint k = 0; k < KYMO_N_WAIT_KINDS; k++)
    {
      values[k] = of[k].ns;
      ns += of[k].ns;
      count += of[k].count;
    }
  kymo_table_append_int (table, columns[0], location->id);
  kymo_table_append_string (table, columns[1], location->label);
  kymo_table_append_int (table, columns[2], ns);
  kymo_table_append_int (table, columns[3], count);
  kymo_table_append_double (table, columns[4], span_ns > 0 ? (double) ns / (double) span_ns : NAN);
  kymo_table_append_int (table, columns[5], state->caused[index].ns);
  kymo_table_append_int (table, columns[6], state->caused[index].count);
  kymo_table_append_ints (table, columns[7], values);
}

/* Every location asked for: how long it waited, by kind, and how long others
   waited for it. */
static KymoTable *
list_locations (const KymoAsk          *ask,
                const KymoWaitingState *state)
{
  static const struct { const char *name; KymoColumnType type; guint width; } all[] = {
    { "location", KYMO_COLUMN_INT, 1 }, { "label", KYMO_COLUMN_STRING, 1 },
    { "ns", KYMO_COLUMN_INT, 1 }, { "count", KYMO_COLUMN_INT, 1 },
    { "share", KYMO_COLUMN_DOUBLE, 1 }, { "caused_ns", KYMO_COLUMN_INT, 1 },
    { "caused_count", KYMO_COLUMN_INT, 1 }, { "kind_ns", KYMO_COLUMN_INT, KYMO_N_WAIT_KINDS },
  };
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);
  guint columns[G_N_ELEMENTS (all)];

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    columns[i] = kymo_table_add_column (table, all[i].name, all[i].type, all[i].width);
  for (guint row = 0; row < ask->n_locations; row++)
    append_location (ask, state, row, table, columns);
  return table;
}

/* Ids are below it, also where files of a run are missing. */
static gint64
count_ids (const KymoRun *run)
{
  gint64 n = run->n_locations_original;

  for (guint i = 0; i < run->locations->len; i++)
    n = MAX (n, kymo_run_peek_location (run, i)->id + 1);
  return n;
}

/* Who waited for whom, by pairs of locations or of groups of them. */
static void
add_matrix (const KymoAsk          *ask,
            const KymoWaitingState *state,
            KymoTable              *answer)
{
  gint64 n = count_ids (ask->run);
  gint64 size = kymo_pairs_group_size (state->pairs, n, KYMO_MOST_PAIRS);
  g_autoptr (GHashTable) grouped = kymo_pairs_new ();
  g_autoptr (GPtrArray) order = NULL;
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);
  guint location = kymo_table_add_column (table, "location", KYMO_COLUMN_INT, 1);
  guint by = kymo_table_add_column (table, "by", KYMO_COLUMN_INT, 1);
  guint ns = kymo_table_add_column (table, "ns", KYMO_COLUMN_INT, 1);
  guint count = kymo_table_add_column (table, "count", KYMO_COLUMN_INT, 1);

  kymo_pairs_merge (grouped, state->pairs, size, ask->cancellable);
  order = kymo_pairs_sort (grouped, ask->cancellable);
  for (guint i = 0; i < order->len; i++)
    {
      const KymoPair *pair = order->pdata[i];

      kymo_table_append_int (table, location, pair->from);
      kymo_table_append_int (table, by, pair->to);
      kymo_table_append_int (table, ns, pair->bytes);
      kymo_table_append_int (table, count, pair->messages);
    }
  kymo_table_set_int (answer, "all_locations", n);
  kymo_table_set_int (answer, "group_size", size);
  kymo_table_set_table (answer, "matrix", table);
}

/* -- the worst ones -------------------------------------------------------- */

/* The activity that took most of the late location's time, or NULL. */
static const char *
find_cause (const KymoAsk  *ask,
            const KymoWait *wait,
            KymoSums       *sums)
{
  KymoSpan span = { wait->begin_ns, wait->by_begin_ns };
  guint32 most = KYMO_STATE_UNTRACED;

  kymo_segment_sum (kymo_ask_segment_of (ask, wait->by), span, NULL, sums);
  for (guint i = 0; i < sums->n_touched; i++)
    if (sums->ns[sums->touched[i]] > sums->ns[most]
        || (sums->ns[sums->touched[i]] == sums->ns[most] && sums->touched[i] < most))
      most = sums->touched[i];
  most = sums->ns[most] > 0 ? most : G_MAXUINT32;
  kymo_sums_reset (sums);
  return most != G_MAXUINT32 ? kymo_ask_state_name (ask, most) : NULL;
}

typedef struct
{
  KymoTable *table;
  guint      kind, location, label, begin, end, wait, wait_begin, function;
  guint      by, by_label, by_begin, by_did;
} WorstTable;

static WorstTable
worst_table_new (void)
{
  WorstTable t = { kymo_table_new (KYMO_STYLE_OBJECTS) };

  t.kind = kymo_table_add_column (t.table, "kind", KYMO_COLUMN_STRING, 1);
  t.location = kymo_table_add_column (t.table, "location", KYMO_COLUMN_INT, 1);
  t.label = kymo_table_add_column (t.table, "label", KYMO_COLUMN_STRING, 1);
  t.begin = kymo_table_add_column (t.table, "begin_ns", KYMO_COLUMN_INT, 1);
  t.end = kymo_table_add_column (t.table, "end_ns", KYMO_COLUMN_INT, 1);
  t.wait = kymo_table_add_column (t.table, "wait_ns", KYMO_COLUMN_INT, 1);
  t.wait_begin = kymo_table_add_column (t.table, "wait_begin_ns", KYMO_COLUMN_INT, 1);
  t.function = kymo_table_add_column (t.table, "function", KYMO_COLUMN_STRING, 1);
  t.by = kymo_table_add_column (t.table, "by", KYMO_COLUMN_INT, 1);
  t.by_label = kymo_table_add_column (t.table, "by_label", KYMO_COLUMN_STRING, 1);
  t.by_begin = kymo_table_add_column (t.table, "by_begin_ns", KYMO_COLUMN_INT, 1);
  t.by_did = kymo_table_add_column (t.table, "by_did", KYMO_COLUMN_STRING, 1);
  return t;
}

static void
append_worst (const KymoAsk       *ask,
              WorstTable          *t,
              const KymoWorstWait *one,
              KymoSums            *sums)
{
  const KymoWaitingPlan *plan = ask->plan;
  const KymoWait *wait = &g_array_index (plan->waits->of[one->location], KymoWait, one->index);
  const KymoSegment *segment = kymo_ask_segment_of (ask, one->location);
  const KymoLocation *location = kymo_run_peek_location (ask->run, one->location);
  const KymoLocation *by = kymo_run_peek_location (ask->run, wait->by);

  kymo_table_append_string (t->table, t->kind, kymo_wait_kind_to_string (wait->kind));
  kymo_table_append_int (t->table, t->location, location->id);
  kymo_table_append_string (t->table, t->label, location->label);
  kymo_table_append_int (t->table, t->begin, kymo_segment_block_begin (segment, wait->block));
  kymo_table_append_int (t->table, t->end, kymo_segment_block_end (segment, wait->block));
  kymo_table_append_int (t->table, t->wait, one->ns);
  kymo_table_append_int (t->table, t->wait_begin, one->begin_ns);
  kymo_table_append_string (t->table, t->function,
                            kymo_run_peek_activity (ask->run,
                                                    segment->block_activity[wait->block])->name);
  kymo_table_append_int (t->table, t->by, by->id);
  kymo_table_append_string (t->table, t->by_label, by->label);
  kymo_table_append_int (t->table, t->by_begin, wait->by_begin_ns);
  kymo_table_append_string (t->table, t->by_did, find_cause (ask, wait, sums));
}

static KymoTable *
list_worst (const KymoAsk    *ask,
            KymoWaitingState *state)
{
  const KymoWaitingPlan *plan = ask->plan;
  WorstTable table = worst_table_new ();
  KymoSums sums;

  kymo_sums_init (&sums, ask->n_states);
  kymo_waiting_drop_short (state, plan->limit);
  for (guint i = 0; i < state->worst->len && !g_cancellable_is_cancelled (ask->cancellable); i++)
    append_worst (ask, &table, &g_array_index (state->worst, KymoWorstWait, i), &sums);
  kymo_sums_clear (&sums);
  return table.table;
}

static gint64
asked_ns (const KymoAsk *ask)
{
  gint64 ns = 0;

  for (guint row = 0; row < ask->n_locations; row++)
    {
      const KymoLocation *location = kymo_run_peek_location (ask->run, ask->locations[row]);

      ns += kymo_span_length (kymo_span_intersect (ask->span, location->span));
    }
  return ns;
}

/**
 * kymo_waiting_conclude:
 * @data: a #KymoWaitingState of all workers together
 *
 * The conclude of a #KymoAnswerClass: makes the tables. Sets %G_IO_ERROR_CANCELLED.
 *
 * Returns: (transfer full) (nullable): the answer
 */
KymoTable *
kymo_waiting_conclude (const KymoAsk  *ask,
                       gpointer        data,
                       GError        **error)
{
  KymoWaitingState *state = data;
  const KymoWaitingPlan *plan = ask->plan;
  KymoTable *answer = kymo_ask_answer_new (ask);
  gint64 ns = 0, count = 0, span_ns = asked_ns (ask);

  for (guint i = 0; i < KYMO_N_WAIT_KINDS; i++)
    {
      ns = kymo_saturating_add (ns, state->kinds[i].ns);
      count += state->kinds[i].count;
    }
  kymo_table_set_int (answer, "total_ns", ns);
  kymo_table_set_int (answer, "count", count);
  kymo_table_set_int (answer, "span_ns", span_ns);
  kymo_table_set_double (answer, "share", span_ns > 0 ? (double) ns / (double) span_ns : NAN);
  kymo_table_set_bool (answer, "collectives_inferred", plan->waits->inferred);
  kymo_table_set_int (answer, "collectives_may_be_several", plan->waits->n_doubtful);
  kymo_table_set_int (answer, "collectives_without_root", plan->waits->n_rootless);
  kymo_table_set_table (answer, "kinds", list_kinds (state));
  kymo_table_set_table (answer, "functions", list_functions (ask, state));
  kymo_table_set_table (answer, "paths", list_paths (ask, state));
  kymo_table_set_table (answer, "locations", list_locations (ask, state));
  add_matrix (ask, state, answer);
  kymo_table_set_table (answer, "worst", list_worst (ask, state));
  if (g_cancellable_set_error_if_cancelled (ask->cancellable, error))
    g_clear_pointer (&answer, kymo_table_unref);
  return answer;
}
