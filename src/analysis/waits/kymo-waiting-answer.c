/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * waiting: the sums of kymo-waiting.c as tables.
 */
#include "config.h"

#include "kymo-waiting-private.h"

#include <math.h>

/* ns, count and the longest, of whatever a table lists. */
static guint
add_sum_columns (KymoTable *table)
{
  return kymo_table_add_columns (table, "ns count max_ns");
}

static void
append_sum (KymoTable         *table,
            guint              first,
            const KymoWaitSum *sum)
{
  kymo_table_append_from (table, first, sum->ns, sum->count, sum->longest_ns);
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
  KymoTable *table = kymo_table_new_list ("kind:string name:string");
  guint columns = add_sum_columns (table);

  for (guint i = 0; i < KYMO_N_WAIT_KINDS; i++)
    {
      kymo_table_append_row (table, kymo_wait_kind_to_string (i), kymo_wait_kind_to_words (i));
      append_sum (table, columns, &state->kinds[i]);
    }
  return table;
}

static KymoTable *
list_functions (const KymoAsk          *ask,
                const KymoWaitingState *state)
{
  g_autoptr (GArray) ranked = g_array_new (FALSE, FALSE, sizeof (Ranked));
  KymoTable *table = kymo_table_new_list ("id name:string role:string");
  guint columns = add_sum_columns (table);
  guint kinds = kymo_table_add_column (table, "kind_ns", KYMO_COLUMN_INT, KYMO_N_WAIT_KINDS);

  for (guint i = 0; i < ask->run->activities->len; i++)
    rank_waiting_answer (ranked, &state->functions[i], i);
  g_array_sort (ranked, compare_ranked);
  for (guint i = 0; i < ranked->len; i++)
    {
      const Ranked *one = &g_array_index (ranked, Ranked, i);
      const KymoActivity *activity = kymo_run_peek_activity (ask->run, one->index);

      kymo_table_append_row (table, activity->id, activity->name,
                             kymo_role_to_string (activity->role));
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
  KymoTable *table = kymo_table_new_list ("path:string");
  guint columns = add_sum_columns (table);

  for (guint i = 1; i < state->nodes->len; i++)
    rank_waiting_answer (ranked, &g_array_index (state->nodes, KymoPathNode, i).sum, i);
  g_array_sort (ranked, compare_ranked);
  for (guint i = 0; i < ranked->len; i++)
    {
      const Ranked *one = &g_array_index (ranked, Ranked, i);
      g_autofree char *words = kymo_waiting_dup_path (ask, state->nodes, one->index);

      kymo_table_append_row (table, words);
      append_sum (table, columns, one->sum);
    }
  return table;
}

static void
append_location (const KymoAsk          *ask,
                 const KymoWaitingState *state,
                 guint                   row,
                 KymoTable              *table)
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
  kymo_table_append_row (table, location->id, location->label, ns, count,
                         span_ns > 0 ? (double) ns / (double) span_ns : NAN,
                         state->caused[index].ns, state->caused[index].count);
  kymo_table_append_ints (table, 7, values);
}

/* Every location asked for: how long it waited, by kind, and how long others
   waited for it. */
static KymoTable *
list_locations (const KymoAsk          *ask,
                const KymoWaitingState *state)
{
  KymoTable *table = kymo_table_new_list ("location label:string ns count share:double caused_ns "
                                          "caused_count");

  kymo_table_add_column (table, "kind_ns", KYMO_COLUMN_INT, KYMO_N_WAIT_KINDS);
  for (guint row = 0; row < ask->n_locations; row++)
    append_location (ask, state, row, table);
  return table;
}

/* Locations that sent to others in turn. */
static KymoTable *
list_turns (const KymoAsk          *ask,
            const KymoWaitingState *state)
{
  KymoTable *table = kymo_table_new_list ("location label:string rounds last_ns lost_ns");

  for (guint row = 0; row < ask->n_locations; row++)
    {
      const KymoLocation *location = kymo_run_peek_location (ask->run, ask->locations[row]);
      const KymoTurns *sum = &state->turns[row];

      if (sum->n_rounds > 0)
        kymo_table_append_row (table, location->id, location->label, sum->n_rounds, sum->last_ns,
                               sum->lost_ns);
    }
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
  KymoTable *table = kymo_table_new_list ("location by ns count");

  kymo_pairs_merge (grouped, state->pairs, size, ask->cancellable);
  order = kymo_pairs_sort (grouped, ask->cancellable);
  for (guint i = 0; i < order->len; i++)
    {
      const KymoPair *pair = order->pdata[i];

      kymo_table_append_row (table, pair->from, pair->to, pair->bytes, pair->messages);
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

static void
append_worst (const KymoAsk       *ask,
              KymoTable           *table,
              const KymoWorstWait *one,
              KymoSums            *sums)
{
  const KymoWaitingPlan *plan = ask->plan;
  const KymoWait *wait = &g_array_index (plan->waits->of[one->location], KymoWait, one->index);
  const KymoSegment *segment = kymo_ask_segment_of (ask, one->location);
  const KymoLocation *location = kymo_run_peek_location (ask->run, one->location);
  const KymoLocation *by = kymo_run_peek_location (ask->run, wait->by);

  kymo_table_append_row (table, kymo_wait_kind_to_string (wait->kind), location->id,
                         location->label, kymo_segment_block_begin (segment, wait->block),
                         kymo_segment_block_end (segment, wait->block), one->ns, one->begin_ns,
                         kymo_run_peek_activity (ask->run,
                                                 segment->block_activity[wait->block])->name,
                         by->id, by->label, wait->by_begin_ns, find_cause (ask, wait, sums));
}

static KymoTable *
list_worst (const KymoAsk    *ask,
            KymoWaitingState *state)
{
  const KymoWaitingPlan *plan = ask->plan;
  KymoTable *table = kymo_table_new_list ("kind:string location label:string begin_ns end_ns "
                                          "wait_ns wait_begin_ns function:string by "
                                          "by_label:string by_begin_ns by_did:string");
  KymoSums sums;

  kymo_sums_init (&sums, ask->n_states);
  kymo_waiting_drop_short (state, plan->limit);
  for (guint i = 0; i < state->worst->len && !g_cancellable_is_cancelled (ask->cancellable); i++)
    append_worst (ask, table, &g_array_index (state->worst, KymoWorstWait, i), &sums);
  kymo_sums_clear (&sums);
  return table;
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
  if (plan->with_turns)
    kymo_table_set_table (answer, "turns", list_turns (ask, state));
  kymo_table_set_table (answer, "worst", list_worst (ask, state));
  if (g_cancellable_set_error_if_cancelled (ask->cancellable, error))
    g_clear_pointer (&answer, kymo_table_unref);
  return answer;
}
