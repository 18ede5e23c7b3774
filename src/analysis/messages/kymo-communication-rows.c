/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * communication-locations: what each location sent and received. What it received is taken
 * apart by how far it came: from itself, from others of its process, of its node, from
 * others, and from what no part of the run is ("unknown": stale numbers in messages name such
 * senders). Processes and nodes are told apart where the run knows them. A creation does not
 * tell for whom it is, so what was sent is one figure.
 *
 * With "rows" fewer than there are locations, each 2^j of them are put together.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-clocks.h"
#include "kymo-keywords.h"
#include "kymo-traffic.h"

typedef enum
{
  FROM_SELF,
  FROM_PROCESS,
  FROM_NODE,
  FROM_OTHERS,
  FROM_UNKNOWN,
  N_DISTANCES,
} Distance;

static const char *const distances[N_DISTANCES] = {
  "self", "process", "node", "others", "unknown",
};

typedef struct
{
  gint64 records, messages, bytes;      /* sent */
  gint64 received[N_DISTANCES], received_bytes[N_DISTANCES];
  gint64 unmatched;
} Row;

typedef struct
{
  KymoTrafficRules rules;
  gint64          *ranks;       /* ascending, and a location of each; or NULL */
  guint           *of_rank;
  guint            n_ranks;
  gint64          *nodes;       /* place by location, -1 = not known */
  gboolean         knows_processes, knows_nodes;
} Plan;

typedef struct
{
  Row   *rows;
  guint  n_rows;
  guint *hints;
  KymoTrafficTotals left_out;
} State;

/* The place of kind "node" that a location lies in, or -1. */
static gint64
node_of (const KymoRun      *run,
         const KymoLocation *location)
{
  gint64 place = location->place;

  while (place >= 0 && place < run->places->len)
    {
      const KymoPlace *at = &g_array_index (run->places, KymoPlace, place);

      if (g_strcmp0 (at->kind, "node") == 0)
        return place;
      place = at->parent;
    }
  return -1;
}

static gboolean
communication_rows_prepare (KymoAsk  *ask,
                            GError  **error)
{
  Plan *plan = g_new0 (Plan, 1);
  guint n = ask->run->locations->len;

  ask->plan = plan;
  if (!kymo_traffic_rules_init (&plan->rules, ask, error))
    return FALSE;
  plan->nodes = g_new (gint64, MAX (n, 1));
  if (plan->rules.exchanges)
    plan->ranks = kymo_run_dup_processes (ask->run, &plan->n_ranks);
  plan->of_rank = g_new0 (guint, MAX (plan->n_ranks, 1));
  for (guint i = n; i-- > 0;)
    {
      const KymoLocation *location = kymo_run_peek_location (ask->run, i);
      gint rank = plan->ranks != NULL
        ? kymo_find_process (plan->ranks, plan->n_ranks, location->process) : -1;

      plan->nodes[i] = node_of (ask->run, location);
      plan->knows_nodes |= plan->nodes[i] >= 0;
      plan->knows_processes |= location->process >= 0;
      if (rank >= 0)
        plan->of_rank[rank] = i;
    }
  return TRUE;
}

static void
communication_rows_release (KymoAsk *ask)
{
  Plan *plan = ask->plan;

  kymo_traffic_rules_clear (&plan->rules);
  g_free (plan->ranks);
  g_free (plan->of_rank);
  g_free (plan->nodes);
  g_free (plan);
}

static gpointer
state_new (const KymoAsk *ask)
{
  State *state = g_new0 (State, 1);

  state->n_rows = ask->n_locations;
  state->rows = g_new0 (Row, MAX (state->n_rows, 1));
  state->hints = g_new0 (guint, MAX (ask->run->locations->len, 1));
  return state;
}

static void
state_free (gpointer data)
{
  State *state = data;

  g_free (state->rows);
  g_free (state->hints);
  g_free (state);
}

static Distance
distance_between (const KymoAsk *ask,
                  guint          here,
                  gint64         from)
{
  const Plan *plan = ask->plan;
  const KymoLocation *to = kymo_run_peek_location (ask->run, here);
  gint there = kymo_run_find_location (ask->run, from);

  if (plan->ranks != NULL)
    {
      gint rank = kymo_find_process (plan->ranks, plan->n_ranks, from);

      if (rank < 0)
        return FROM_UNKNOWN;
      there = plan->of_rank[rank];
      if (to->process == from)
        return FROM_SELF;
    }
  else if (from == to->id)
    return FROM_SELF;
  else if (from < 0 || from >= ask->run->n_locations_original)
    return FROM_UNKNOWN;
  if (there < 0)
    return FROM_OTHERS;
  if (to->process >= 0 && kymo_run_peek_location (ask->run, there)->process == to->process)
    return FROM_PROCESS;
  return plan->nodes[here] >= 0 && plan->nodes[there] == plan->nodes[here] ? FROM_NODE
    : FROM_OTHERS;
}

static void
on_received (const KymoAsk            *ask,
             gpointer                  data,
             const KymoSegment        *segment,
             const KymoTrafficMessage *message)
{
  Row *row = &((State *) data)->rows[ask->row_of[segment->location]];
  Distance distance = distance_between (ask, segment->location, message->from);

  row->received[distance]++;
  row->received_bytes[distance]
    = kymo_saturating_add (row->received_bytes[distance], message->bytes);
  row->unmatched += !kymo_sender_is_known (&message->sender);
}

static void
on_sent (const KymoAsk     *ask,
         gpointer           data,
         const KymoSegment *segment,
         guint              i)
{
  Row *row = &((State *) data)->rows[ask->row_of[segment->location]];

  row->records++;
  row->messages = kymo_saturating_add (row->messages,
                                       kymo_segment_send_destinations (segment, i));
  row->bytes = kymo_saturating_add (row->bytes, kymo_traffic_send_bytes (segment, i));
}

static void
communication_rows_partial (const KymoAsk *ask,
                            gpointer       data,
                            KymoSegment   *segment)
{
  const KymoTrafficRules *rules = &((const Plan *) ask->plan)->rules;
  State *state = data;

  kymo_traffic_each_received (ask, rules, segment, FALSE, state->hints, &state->left_out,
                              on_received, state);
  kymo_traffic_each_sent (ask, rules, segment, &state->left_out, on_sent, state);
}

static void
add_row (Row       *into,
         const Row *from)
{
  into->records = kymo_saturating_add (into->records, from->records);
  into->messages = kymo_saturating_add (into->messages, from->messages);
  into->bytes = kymo_saturating_add (into->bytes, from->bytes);
  into->unmatched += from->unmatched;
  for (guint d = 0; d < N_DISTANCES; d++)
    {
      into->received[d] = kymo_saturating_add (into->received[d], from->received[d]);
      into->received_bytes[d]
        = kymo_saturating_add (into->received_bytes[d], from->received_bytes[d]);
    }
}

static void
communication_rows_merge (const KymoAsk *ask,
                          gpointer       into,
                          gpointer       from)
{
  State *a = into, *b = from;

  for (guint i = 0; i < a->n_rows; i++)
    add_row (&a->rows[i], &b->rows[i]);
  kymo_traffic_totals_merge (&a->left_out, &b->left_out);
}

static gint64
sum_of (const gint64 *parts)
{
  gint64 sum = 0;

  for (guint d = 0; d < N_DISTANCES; d++)
    sum = kymo_saturating_add (sum, parts[d]);
  return sum;
}

/* Columns of a row, made for the list and for the totals alike. */
static void
set_figures (KymoTable *table,
             const Row *row)
{
  kymo_table_set_int (table, "sent_records", row->records);
  kymo_table_set_int (table, "sent_messages", row->messages);
  kymo_table_set_int (table, "sent_bytes", row->bytes);
  kymo_table_set_int (table, "messages", sum_of (row->received));
  kymo_table_set_int (table, "bytes", sum_of (row->received_bytes));
  kymo_table_set_int (table, "matched", sum_of (row->received) - row->unmatched);
  kymo_table_set_int (table, "unmatched", row->unmatched);
}

typedef struct
{
  guint by[N_DISTANCES], bytes_by[N_DISTANCES];
} Columns;

static void
add_columns (KymoTable *table,
             Columns   *at)
{
  kymo_table_add_columns (table, "location label:string n_locations sent_records sent_messages "
                                 "sent_bytes received_messages received_bytes unmatched");
  for (guint d = 0; d < N_DISTANCES; d++)
    {
      g_autofree char *messages = g_strconcat (distances[d], "_messages", NULL);
      g_autofree char *bytes = g_strconcat (distances[d], "_bytes", NULL);

      at->by[d] = kymo_table_add_column (table, messages, KYMO_COLUMN_INT, 1);
      at->bytes_by[d] = kymo_table_add_column (table, bytes, KYMO_COLUMN_INT, 1);
    }
}

static void
append_row (const KymoAsk *ask,
            KymoTable     *table,
            const Columns *at,
            guint          first,
            guint          n,
            const Row     *row)
{
  const KymoLocation *location = kymo_run_peek_location (ask->run, ask->locations[first]);

  kymo_table_append_row (table, location->id, location->label, n, row->records, row->messages,
                         row->bytes, sum_of (row->received), sum_of (row->received_bytes),
                         row->unmatched);
  for (guint d = 0; d < N_DISTANCES; d++)
    {
      kymo_table_append_int (table, at->by[d], row->received[d]);
      kymo_table_append_int (table, at->bytes_by[d], row->received_bytes[d]);
    }
}

static KymoTable *
make_rows (const KymoAsk *ask,
           const State   *state,
           Row           *all)
{
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);
  guint most = kymo_question_get_rows (ask->question), group = 1;
  Columns at;

  add_columns (table, &at);
  while (most > 0 && (state->n_rows + group - 1) / group > most)
    group *= 2;
  for (guint first = 0; first < state->n_rows; first += group)
    {
      guint n = MIN (group, state->n_rows - first);
      Row row = { 0 };

      for (guint i = first; i < first + n; i++)
        add_row (&row, &state->rows[i]);
      add_row (all, &row);
      append_row (ask, table, &at, first, n, &row);
    }
  return table;
}

static KymoTable *
communication_rows_finish (const KymoAsk *ask,
                           gpointer       data)
{
  const Plan *plan = ask->plan;
  KymoTable *answer = kymo_ask_answer_new (ask);
  Row all = { 0 };
  KymoTable *rows = make_rows (ask, data, &all);

  kymo_ask_set_counts (ask, answer);
  kymo_table_set_bool (answer, "joined", plan->rules.join);
  kymo_table_set_string (answer, "of", kymo_traffic_of (ask->question));
  kymo_table_set_bool (answer, "knows_processes", plan->knows_processes);
  kymo_table_set_bool (answer, "knows_nodes", plan->knows_nodes);
  set_figures (answer, &all);
  kymo_traffic_left_out_set (&((const State *) data)->left_out, &plan->rules.filter, ask, answer);
  kymo_table_set_table (answer, "rows", rows);
  return answer;
}

static const KymoKeyword keywords[] =
{
  KYMO_KEYWORD_ROWS,
  KYMO_KEYWORD_JOIN,
  KYMO_KEYWORDS_OF_MESSAGES,
  KYMO_KEYWORD_OF_TRAFFIC,
  { NULL }
};

static const KymoQuestionList lists[] =
{
  { "rows", "location label n_locations sent_records sent_messages sent_bytes "
    "received_messages received_bytes unmatched self_messages self_bytes process_messages "
    "process_bytes node_messages node_bytes others_messages others_bytes unknown_messages "
    "unknown_bytes", TRUE },
  { NULL }
};

const KymoAnswerClass kymo_answer_communication_locations =
{
  { "communication-locations", N_("Communication by {row}"),
    "what every location sent and received", keywords, KYMO_CAN_MESSAGES, .of_messages = TRUE,
    .lists = lists,
    .topic = KYMO_TOPIC_MESSAGES, .example = "--locations 0-3" },
  communication_rows_prepare, communication_rows_release, state_new, state_free,
  communication_rows_partial, communication_rows_merge, communication_rows_finish,
  KYMO_NEEDS_BLOCKS | KYMO_NEEDS_SENDS | KYMO_NEEDS_OF_ALL, .in_order = TRUE,
};
