/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The answer of explain: figures of each reason.
 */
#include "config.h"

#include "kymo-explain-private.h"

#include <math.h>

typedef struct
{
  KymoTable *table;
  guint sentence;
  guint ns[2], mean[2], blocks[2], calls[2], block[2], waiting[2], sent[2], bytes[2];
  guint location, begin, end;
} List;

/* A figure of the chosen PEs and the same of all. */
static void
add_pair (KymoTable  *table,
          const char *of_chosen,
          const char *of_all,
          guint      *columns)
{
  columns[0] = kymo_table_add_column (table, of_chosen, KYMO_COLUMN_INT, 1);
  columns[1] = kymo_table_add_column (table, of_all, KYMO_COLUMN_INT, 1);
}

static List
list_new (void)
{
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);
  List list = { table };

  kymo_table_add_columns (table, "id name:string kind:string difference_ns deviations:double");
  add_pair (table, "mean_ns", "mean_of_all_ns", list.mean);
  add_pair (table, "sum_ns", "sum_of_all_ns", list.ns);
  add_pair (table, "blocks", "blocks_of_all", list.blocks);
  add_pair (table, "calls", "calls_of_all", list.calls);
  add_pair (table, "mean_block_ns", "mean_block_of_all_ns", list.block);
  add_pair (table, "waiting_ns", "waiting_of_all_ns", list.waiting);
  add_pair (table, "sent", "sent_of_all", list.sent);
  add_pair (table, "sent_bytes", "sent_of_all_bytes", list.bytes);
  list.location = kymo_table_add_column (table, "location", KYMO_COLUMN_INT, 1);
  list.begin = kymo_table_add_column (table, "begin_ns", KYMO_COLUMN_INT, 1);
  list.end = kymo_table_add_column (table, "end_ns", KYMO_COLUMN_INT, 1);
  list.sentence = kymo_table_add_column (table, "sentence", KYMO_COLUMN_STRING, 1);
  return list;
}

static void
append_explain_answer (KymoTable *table,
                       guint      column,
                       gboolean   known,
                       gint64     value)
{
  kymo_table_append_int (table, column, known ? value : KYMO_NULL_INT);
}

/* Only entry methods have blocks and messages. */
static void
append_figures (const List               *list,
                const KymoExplainFigures *figures,
                guint                     i,
                gboolean                  known)
{
  append_explain_answer (list->table, list->blocks[i], known, figures->blocks);
  append_explain_answer (list->table, list->calls[i], known, figures->calls);
  append_explain_answer (
    list->table, list->block[i], known && figures->blocks > 0,
    figures->blocks > 0 ? kymo_explain_divide (figures->block_ns, figures->blocks) : 0);
  append_explain_answer (list->table, list->waiting[i], known, figures->waiting_ns);
  append_explain_answer (list->table, list->sent[i], known, figures->sent);
  append_explain_answer (list->table, list->bytes[i], known, figures->sent_bytes);
}

static void
append_instance (const List               *list,
                 const KymoAsk            *ask,
                 const KymoExplainLongest *longest)
{
  gboolean known = longest->ns >= 0;

  append_explain_answer (list->table, list->location, known, known
                         ? kymo_run_peek_location (ask->run, longest->location)->id : 0);
  append_explain_answer (list->table, list->begin, known, longest->begin_ns);
  append_explain_answer (list->table, list->end, known, longest->end_ns);
}

static void
append_reason (const List            *list,
               const KymoAsk         *ask,
               const KymoExplainSums *sums,
               const KymoReason      *reason)
{
  const KymoExplainPlan *plan = ask->plan;
  guint32 state = reason->state;
  gboolean known = plan->counts && state >= KYMO_STATE_ACTIVITY;
  __int128 pairs = (__int128) plan->n_chosen * plan->n_pes;
  g_autofree char *sentence = kymo_explain_sentence (ask, sums, reason);
  double difference = (double) reason->difference / (double) pairs;

  kymo_table_append_row (list->table, kymo_ask_state_id (ask, state),
                         kymo_ask_state_name (ask, state), kymo_ask_state_kind (ask, state),
                         kymo_explain_divide (reason->difference, pairs),
                         reason->deviation_ns > 0 ? difference / reason->deviation_ns : NAN);
  kymo_table_append_int (list->table, list->mean[0],
                         kymo_explain_divide (reason->chosen_ns, plan->n_chosen));
  kymo_table_append_int (list->table, list->mean[1],
                         kymo_explain_divide (reason->all_ns, plan->n_pes));
  kymo_table_append_int (list->table, list->ns[0], reason->chosen_ns);
  kymo_table_append_int (list->table, list->ns[1], reason->all_ns);
  append_figures (list, &sums->chosen[state], 0, known);
  append_figures (list, &sums->all[state], 1, known);
  append_instance (list, ask, &sums->longest[state]);
  kymo_table_append_string (list->table, list->sentence, sentence);
}

/* Ids of the compared PEs that are chosen, or that are not compared. */
static void
set_pes (const KymoAsk *ask,
         KymoTable     *answer)
{
  const KymoExplainPlan *plan = ask->plan;
  g_autofree gint64 *of = g_new (gint64, ask->n_locations);
  g_autofree gint64 *left_out = g_new (gint64, ask->n_locations);
  guint n_of = 0, n_left_out = 0;

  for (guint row = 0; row < ask->n_locations; row++)
    {
      gint64 id = kymo_run_peek_location (ask->run, ask->locations[row])->id;

      if (plan->is_chosen[row])
        of[n_of++] = id;
      else if (!kymo_ask_compares (ask, row))
        left_out[n_left_out++] = id;
    }
  kymo_table_set_ints (answer, "of", of, n_of);
  kymo_table_set_ints (answer, "left_out", left_out, n_left_out);
}

/**
 * kymo_explain_answer:
 * @reasons: (element-type KymoReason): in their order
 *
 * Returns: (transfer full): the answer
 */
KymoTable *
kymo_explain_answer (const KymoAsk         *ask,
                     const KymoExplainSums *sums,
                     const GArray          *reasons)
{
  KymoTable *answer = kymo_ask_answer_new (ask);
  List list = list_new ();

  for (guint i = 0; i < reasons->len; i++)
    append_reason (&list, ask, sums, &g_array_index (reasons, KymoReason, i));
  kymo_table_set_int (answer, "pes", ((KymoExplainPlan *) ask->plan)->n_pes);
  set_pes (ask, answer);
  kymo_table_set_table (answer, "reasons", list.table);
  return answer;
}
