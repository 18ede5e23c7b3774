/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * communication-time: messages and bytes over time, in columns: when they were sent (as the
 * senders recorded it), received (as kymo-traffic.h counts), and how many were in flight.
 * By what they are for: the entry method that they run, or the function that sent or
 * received them. Sums over columns are the totals of the question communication.
 *
 * In flight is a matched message from its creation to its receipt, where it is received by a
 * location asked for, whenever that is. "in_flight_ns" is the time of all of them in a
 * column, so divided by its length their mean number; "in_flight_bytes" their mean bytes,
 * in which what a message has of a column that it does not fill is rounded down.
 * Sent and received of a range are never equal: some were under way at its begin, others are
 * at its end.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-column-sums.h"
#include "kymo-keywords.h"
#include "kymo-traffic.h"

#define DEFAULT_COLUMNS 100
#define MOST_COLUMNS 10000
/* Of all threads, where every activity has messages. */
#define MOST_BYTES ((guint64) 1 << 30)

typedef struct
{
  KymoTrafficRules rules;
  gint64          *edges_ns;
  guint            n_columns;
} Plan;

/* Figures of a column. The last two are differences: flights that fill whole columns begin and end
   there. */
enum
{
  SENT_MESSAGES,
  SENT_BYTES,
  RECEIVED_MESSAGES,
  RECEIVED_BYTES,
  FLIGHT_NS,
  FLIGHT_BYTES,
  N_KEYS,
  WHOLE_MESSAGES = N_KEYS,
  WHOLE_BYTES,
  N_LINES,
};

static const char *const keys[N_KEYS] = {
  "sent_messages", "sent_bytes", "received_messages", "received_bytes", "in_flight_ns",
  "in_flight_bytes",
};

typedef struct
{
  gint64 **columns;             /* by activity, the last one of no function: N_LINES times
                                   n_columns, or NULL */
  guint    n_activities;
  guint   *hints;
  gint64  *unmatched;           /* received ones by column, with their bytes behind them */
  KymoTrafficTotals totals, left_out;
} State;

/* Each thread has columns of its own: the more of them, the fewer threads. */
static void
choose_threads (KymoAsk    *ask,
                const Plan *plan)
{
  guint64 bytes = (guint64) (ask->run->activities->len + 1) * plan->n_columns * N_LINES
    * sizeof (gint64);

  ask->n_threads = CLAMP (MOST_BYTES / bytes, 1, ask->n_threads);
}

static gboolean
communication_time_prepare (KymoAsk  *ask,
                            GError  **error)
{
  Plan *plan = g_new0 (Plan, 1);

  ask->plan = plan;
  if (!kymo_traffic_rules_init (&plan->rules, ask, error))
    return FALSE;
  plan->edges_ns = kymo_ask_edges (ask, DEFAULT_COLUMNS, MOST_COLUMNS, &plan->n_columns, error);
  if (plan->edges_ns == NULL)
    return FALSE;
  choose_threads (ask, plan);
  return TRUE;
}

static void
communication_time_release (KymoAsk *ask)
{
  Plan *plan = ask->plan;

  kymo_traffic_rules_clear (&plan->rules);
  g_free (plan->edges_ns);
  g_free (plan);
}

static gpointer
state_new (const KymoAsk *ask)
{
  State *state = g_new0 (State, 1);

  state->n_activities = ask->run->activities->len + 1;
  state->columns = g_new0 (gint64 *, state->n_activities);
  state->hints = g_new0 (guint, MAX (ask->run->locations->len, 1));
  state->unmatched = g_new0 (gint64, 2 * ((const Plan *) ask->plan)->n_columns);
  return state;
}

static void
state_free (gpointer data)
{
  State *state = data;

  for (guint i = 0; i < state->n_activities; i++)
    g_free (state->columns[i]);
  g_free (state->columns);
  g_free (state->hints);
  g_free (state->unmatched);
  g_free (state);
}

/* The column that a time of the range lies in; what is on its last nanosecond lies in the
   last one. */
static guint
column_of (const Plan *plan,
           gint64      time_ns)
{
  return MIN (kymo_find_column (plan->edges_ns, 0, plan->n_columns, time_ns),
              plan->n_columns - 1);
}

static gint64 *
line_of (const Plan *plan,
         State      *state,
         guint32     activity,
         guint       line)
{
  guint i = MIN (activity, state->n_activities - 1);

  if (state->columns[i] == NULL)
    state->columns[i] = g_new0 (gint64, (gsize) N_LINES * plan->n_columns);
  return state->columns[i] + (gsize) line * plan->n_columns;
}

static void
add_communication_time (gint64 *sum,
                        gint64  more)
{
  *sum = kymo_saturating_add (*sum, more);
}

/* Adds a message's flight to a column that the flight may fill in part. */
static void
add_part (const Plan *plan,
          State      *state,
          guint32     activity,
          guint       column,
          KymoSpan    flight,
          gint64      bytes)
{
  KymoSpan bin = { plan->edges_ns[column], plan->edges_ns[column + 1] };
  gint64 ns = MIN (flight.end_ns, bin.end_ns) - MAX (flight.begin_ns, bin.begin_ns);

  if (ns <= 0)
    return;
  add_communication_time (&line_of (plan, state, activity, FLIGHT_NS)[column], ns);
  add_communication_time (&line_of (plan, state, activity, FLIGHT_BYTES)[column],
                          (gint64) floor ((double) bytes * ((double) ns / kymo_span_length (bin))));
}

/* Both ends are added as they are; columns between them are two differences, so that a
   long flight costs no more than a short one. */
static void
add_flight (const Plan *plan,
            State      *state,
            guint32     activity,
            KymoSpan    flight,
            gint64      bytes)
{
  guint first, last;

  if (kymo_span_length (flight) <= 0)
    return;
  first = column_of (plan, flight.begin_ns);
  last = column_of (plan, flight.end_ns - 1);
  add_part (plan, state, activity, first, flight, bytes);
  if (last == first)
    return;
  add_part (plan, state, activity, last, flight, bytes);
  if (last - first < 2)
    return;
  line_of (plan, state, activity, WHOLE_MESSAGES)[first + 1]++;
  line_of (plan, state, activity, WHOLE_MESSAGES)[last]--;
  line_of (plan, state, activity, WHOLE_BYTES)[first + 1] += bytes;
  line_of (plan, state, activity, WHOLE_BYTES)[last] -= bytes;
}

static void
on_received (const KymoAsk            *ask,
             gpointer                  data,
             const KymoSegment        *segment,
             const KymoTrafficMessage *message)
{
  const Plan *plan = ask->plan;
  State *state = data;

  if (kymo_sender_is_known (&message->sender))
    {
      KymoSpan flight = { message->sender.sent_ns, message->received_ns };

      add_flight (plan, state, message->activity, kymo_span_intersect (flight, ask->span),
                  message->bytes);
    }
  if (message->received_ns >= kymo_ask_count_end (ask))
    return;
  kymo_traffic_totals_add_received (&state->totals, message);
  guint column = column_of (plan, message->received_ns);
  line_of (plan, state, message->activity, RECEIVED_MESSAGES)[column]++;
  add_communication_time (&line_of (plan, state, message->activity, RECEIVED_BYTES)[column],
                          message->bytes);
  if (!kymo_sender_is_known (&message->sender))
    {
      state->unmatched[column]++;
      add_communication_time (&state->unmatched[plan->n_columns + column], message->bytes);
    }
}

static void
on_sent (const KymoAsk     *ask,
         gpointer           data,
         const KymoSegment *segment,
         guint              i)
{
  const Plan *plan = ask->plan;
  State *state = data;
  guint32 activity = segment->send_activity[i];
  guint column = column_of (plan, kymo_segment_send_time (segment, i));
  gint64 bytes = kymo_traffic_send_bytes (segment, i);

  kymo_traffic_totals_add_sent (&state->totals, segment, i);
  add_communication_time (&line_of (plan, state, activity, SENT_MESSAGES)[column],
                          kymo_segment_send_destinations (segment, i));
  add_communication_time (&line_of (plan, state, activity, SENT_BYTES)[column], bytes);
}

static void
communication_time_partial (const KymoAsk *ask,
                            gpointer       data,
                            KymoSegment   *segment)
{
  const Plan *plan = ask->plan;
  State *state = data;

  kymo_traffic_each_received (ask, &plan->rules, segment, TRUE, state->hints, &state->left_out,
                              on_received, state);
  kymo_traffic_each_sent (ask, &plan->rules, segment, &state->left_out, on_sent, state);
}

static void
add_all (gint64       *into,
         const gint64 *from,
         gsize         n)
{
  for (gsize i = 0; i < n; i++)
    add_communication_time (&into[i], from[i]);
}

static void
communication_time_merge (const KymoAsk *ask,
                          gpointer       into,
                          gpointer       from)
{
  const Plan *plan = ask->plan;
  State *a = into, *b = from;

  for (guint i = 0; i < a->n_activities; i++)
    if (b->columns[i] != NULL)
      add_all (line_of (plan, a, i, 0), b->columns[i], (gsize) N_LINES * plan->n_columns);
  add_all (a->unmatched, b->unmatched, 2 * (gsize) plan->n_columns);
  kymo_traffic_totals_merge (&a->totals, &b->totals);
  kymo_traffic_totals_merge (&a->left_out, &b->left_out);
}

/* Brings what fills whole columns to what has a part of them. */
static void
end_flights (const Plan *plan,
             gint64     *lines)
{
  gsize n = plan->n_columns;
  gint64 messages = 0, bytes = 0;

  for (gsize i = 0; i < n; i++)
    {
      gint64 length_ns = plan->edges_ns[i + 1] - plan->edges_ns[i];
      gint64 ns;

      messages += lines[WHOLE_MESSAGES * n + i];
      bytes += lines[WHOLE_BYTES * n + i];
      if (__builtin_mul_overflow (messages, length_ns, &ns))
        ns = G_MAXINT64;
      add_communication_time (&lines[FLIGHT_NS * n + i], ns);
      /* A column of no length has nothing in it. */
      if (length_ns > 0)
        add_communication_time (&lines[FLIGHT_BYTES * n + i], bytes);
      lines[WHOLE_MESSAGES * n + i] = lines[WHOLE_BYTES * n + i] = 0;
    }
}

static void
weigh_counts (gint64 *counts,
              guint   n,
              gint64  weight)
{
  for (guint i = 0; i < n; i++)
    counts[i] = kymo_weigh_count (counts[i], weight);
}

static void
weigh_all (gint64 *values,
           gsize   n,
           gint64  weight)
{
  for (gsize i = 0; i < n; i++)
    values[i] = kymo_weigh (values[i], weight);
}

/* Counts are in millionths from here on. What fills whole columns is a part of them first:
   it could not be weighed as differences. */
static void
communication_time_weigh (const KymoAsk *ask,
                          gpointer       data,
                          guint          location,
                          gint64         weight)
{
  const Plan *plan = ask->plan;
  State *state = data;
  guint n = plan->n_columns;

  for (guint i = 0; i < state->n_activities; i++)
    {
      gint64 *lines = state->columns[i];

      if (lines != NULL && weight == 0)
        g_clear_pointer (&state->columns[i], g_free);
      if (lines == NULL || weight == 0)
        continue;
      end_flights (plan, lines);
      weigh_counts (lines + SENT_MESSAGES * (gsize) n, n, weight);
      weigh_all (lines + SENT_BYTES * (gsize) n, n, weight);
      weigh_counts (lines + RECEIVED_MESSAGES * (gsize) n, n, weight);
      weigh_all (lines + RECEIVED_BYTES * (gsize) n, 3 * (gsize) n, weight);
    }
  weigh_counts (state->unmatched, n, weight);
  weigh_all (state->unmatched + n, n, weight);
  kymo_traffic_totals_weigh (&state->totals, weight);
  kymo_traffic_totals_weigh (&state->left_out, weight);
}

static void
round_all (const KymoAsk *ask,
           gint64        *counts,
           guint          n)
{
  for (guint i = 0; i < n; i++)
    counts[i] = kymo_ask_round (ask, counts[i]);
}

static KymoTable *
make_series (const KymoAsk *ask,
             State         *state)
{
  const Plan *plan = ask->plan;
  KymoTable *table = kymo_table_new_list ("id name:string");
  guint at[N_KEYS];

  for (guint k = 0; k < N_KEYS; k++)
    at[k] = kymo_table_add_vector (table, keys[k], KYMO_COLUMN_INT, plan->n_columns);
  for (guint i = 0; i < state->n_activities; i++)
    {
      const KymoActivity *activity = i + 1 < state->n_activities
        ? kymo_run_peek_activity (ask->run, i) : NULL;

      if (state->columns[i] == NULL)
        continue;
      end_flights (plan, state->columns[i]);
      round_all (ask, state->columns[i] + SENT_MESSAGES * (gsize) plan->n_columns,
                 plan->n_columns);
      round_all (ask, state->columns[i] + RECEIVED_MESSAGES * (gsize) plan->n_columns,
                 plan->n_columns);
      kymo_table_append_row (table, activity != NULL ? activity->id : KYMO_NULL_INT,
                             activity != NULL ? activity->name : KYMO_TRAFFIC_OUTSIDE);
      for (guint k = 0; k < N_KEYS; k++)
        kymo_table_append_ints (table, at[k], state->columns[i] + (gsize) k * plan->n_columns);
    }
  return table;
}

static KymoTable *
communication_time_finish (const KymoAsk *ask,
                           gpointer       data)
{
  const Plan *plan = ask->plan;
  State *state = data;
  KymoTable *answer = kymo_ask_answer_new (ask);

  kymo_ask_set_counts (ask, answer);
  kymo_table_set_bool (answer, "joined", plan->rules.join);
  kymo_table_set_string (answer, "of", kymo_traffic_of (ask->question));
  kymo_traffic_totals_set (&state->totals, ask, answer);
  kymo_traffic_left_out_set (&state->left_out, &plan->rules.filter, ask, answer);
  kymo_table_set_ints (answer, "edges_ns", plan->edges_ns, plan->n_columns + 1);
  round_all (ask, state->unmatched, plan->n_columns);
  kymo_table_set_ints (answer, "unmatched_messages", state->unmatched, plan->n_columns);
  kymo_table_set_ints (answer, "unmatched_bytes", state->unmatched + plan->n_columns,
                       plan->n_columns);
  kymo_table_set_table (answer, "series", make_series (ask, state));
  return answer;
}

static const KymoKeyword keywords[] =
{
  KYMO_KEYWORD_EXTRAPOLATE,
  { "bins", KYMO_KEYWORD_COUNT, "N", "columns over time", KYMO_KEYWORD_TO_COLUMNS, 100 },
  KYMO_KEYWORD_JOIN,
  KYMO_KEYWORDS_OF_MESSAGES,
  KYMO_KEYWORD_OF_TRAFFIC,
  { NULL }
};

static const KymoQuestionList lists[] =
{
  { "", NULL, TRUE },
  { "series", "id name sent_messages sent_bytes received_messages received_bytes "
    "in_flight_ns in_flight_bytes" },
  { NULL }
};

const KymoAnswerClass kymo_answer_communication_time =
{
  { "communication-time", N_("Communication over time"),
    "messages and bytes sent, received and in flight, in bins", keywords, KYMO_CAN_MESSAGES,
    .of_messages = TRUE, .lists = lists,
    .topic = KYMO_TOPIC_MESSAGES, .example = "--bins 20" },
  communication_time_prepare, communication_time_release, state_new, state_free,
  communication_time_partial, communication_time_merge, communication_time_finish,
  KYMO_NEEDS_BLOCKS | KYMO_NEEDS_SENDS | KYMO_NEEDS_OF_ALL, .weigh = communication_time_weigh,
};
