/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * call-table: whose blocks sent the messages that ran which entry method, or between which
 * functions messages went. A row is a pair of them with what was received in the range
 * (messages, bytes: kymo-traffic.h) and what was created in it (sent_messages: records times
 * destinations, sent_bytes). The two are never equal in a part of a run, nor where casts are
 * received by fewer than they were sent to.
 *
 * The sender of a message without a record of its creation is unknown: its row has no
 * "from" and the name (unknown). So messages and bytes add up to the totals of the question
 * communication, sent ones to those of its "sent". Latencies are those of matched messages.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-order.h"
#include "kymo-traffic.h"

#include "kymo-keywords.h"

#define UNKNOWN (G_MAXUINT32 - 1)

/**
 * Call: a row; the first member is its key
 * @key: from << 32 | to, indices of activities
 */
typedef struct
{
  gint64 key;
  gint64 messages, bytes, least_bytes, most_bytes;
  gint64 matched, latency_ns;
  gint64 sent_messages, sent_bytes;
} Call;

static Call *
call_of (KymoTrafficGroups *calls,
         gint64             key)
{
  gboolean is_new;
  Call *call = kymo_traffic_groups_find (calls, key, sizeof (Call), &is_new);

  if (is_new)
    call->least_bytes = G_MAXINT64;
  return call;
}

static gint64
key_of (guint32 from,
        guint32 to)
{
  return (gint64) ((guint64) from << 32 | to);
}

static void
add_call_table (gint64 *sum,
                gint64  more)
{
  *sum = kymo_saturating_add (*sum, more);
}

static void
count_received_call (const KymoAsk            *ask,
                     gpointer                  data,
                     const KymoSegment        *segment,
                     const KymoTrafficMessage *message)
{
  KymoTrafficGroups *state = data;
  gboolean matched = kymo_sender_is_known (&message->sender);
  KymoSentIn in = { .activity = UNKNOWN };
  Call *call;

  if (matched)
    kymo_sent_in (ask, &message->sender, &in);
  call = call_of (state, key_of (in.activity, message->activity));
  kymo_traffic_totals_add_received (&state->totals, message);
  call->messages++;
  add_call_table (&call->bytes, message->bytes);
  call->least_bytes = MIN (call->least_bytes, message->bytes);
  call->most_bytes = MAX (call->most_bytes, message->bytes);
  if (!matched)
    return;
  call->matched++;
  add_call_table (&call->latency_ns, message->received_ns
                  - message->sender.sent_ns);
}

/* The purpose of a send: the entry method that it names, or the function that received it. */
static guint32
purpose_of (const KymoAsk     *ask,
            const KymoSegment *segment,
            guint              i)
{
  KymoDelivery delivery;

  if (segment->exchange == NULL)
    return segment->send_activity[i];
  kymo_delivery_of (ask, segment, i, &delivery);
  return delivery.location < 0 ? UNKNOWN : delivery.activity;
}

static void
count_sent_call (const KymoAsk     *ask,
                 gpointer           data,
                 const KymoSegment *segment,
                 guint              i)
{
  KymoTrafficGroups *state = data;
  Call *call = call_of (state, key_of (kymo_traffic_sender_of (ask, segment, i),
                                       purpose_of (ask, segment, i)));

  add_call_table (&call->sent_messages, kymo_segment_send_destinations (segment, i));
  add_call_table (&call->sent_bytes, kymo_traffic_send_bytes (segment, i));
  kymo_traffic_totals_add_sent (&state->totals, segment, i);
}

static void
call_table_partial (const KymoAsk *ask,
                    gpointer       data,
                    KymoSegment   *segment)
{
  kymo_traffic_groups_count (data, ask, segment, count_received_call, count_sent_call);
}

static void
call_table_merge (const KymoAsk *ask,
                  gpointer       into,
                  gpointer       from)
{
  KymoTrafficGroups *a = into, *b = from;
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, b->rows);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      const Call *more = key;
      Call *call = call_of (a, more->key);

      add_call_table (&call->messages, more->messages);
      add_call_table (&call->bytes, more->bytes);
      call->least_bytes = MIN (call->least_bytes, more->least_bytes);
      call->most_bytes = MAX (call->most_bytes, more->most_bytes);
      add_call_table (&call->matched, more->matched);
      add_call_table (&call->latency_ns, more->latency_ns);
      add_call_table (&call->sent_messages, more->sent_messages);
      add_call_table (&call->sent_bytes, more->sent_bytes);
    }
  kymo_traffic_totals_merge (&a->totals, &b->totals);
  kymo_traffic_totals_merge (&a->left_out, &b->left_out);
}

static void
weigh_call (gpointer group,
            gint64   weight)
{
  Call *call = group;

  call->messages = kymo_weigh_count (call->messages, weight);
  call->bytes = kymo_weigh (call->bytes, weight);
  call->matched = kymo_weigh_count (call->matched, weight);
  /* Less than nothing where clocks disagree. */
  call->latency_ns = call->latency_ns < 0 ? -kymo_weigh (-call->latency_ns, weight)
    : kymo_weigh (call->latency_ns, weight);
  call->sent_messages = kymo_weigh_count (call->sent_messages, weight);
  call->sent_bytes = kymo_weigh (call->sent_bytes, weight);
}

static void
call_table_weigh (const KymoAsk *ask,
                  gpointer       data,
                  guint          location,
                  gint64         weight)
{
  kymo_traffic_groups_weigh (data, weight, weigh_call);
}

/* Of extrapolated messages the count is in millionths. */
static gint64
mean_latency (const KymoAsk *ask,
              const Call    *call)
{
  gint64 one = ask->weights != NULL ? KYMO_WEIGHT_ONE : 1;

  return call->matched <= 0 ? KYMO_NULL_INT
    : (gint64) ((__int128) call->latency_ns * one / call->matched);
}

/* Sorts calls by bytes, then by messages, most first; ties by key. */
static int
compare_calls (gconstpointer a,
               gconstpointer b)
{
  const Call *x = *(Call *const *) a, *y = *(Call *const *) b;

  KYMO_ORDER_BY (y->bytes, x->bytes);
  KYMO_ORDER_BY (y->messages, x->messages);
  KYMO_ORDER_BY (y->sent_messages, x->sent_messages);
  return (guint64) x->key < (guint64) y->key ? -1 : (guint64) x->key > (guint64) y->key;
}

static gint64
id_of (const KymoAsk *ask,
       guint32        activity)
{
  return activity == UNKNOWN || activity == KYMO_OUTSIDE ? KYMO_NULL_INT
    : kymo_run_peek_activity (ask->run, activity)->id;
}

static const char *
name_of (const KymoAsk *ask,
         guint32        activity)
{
  return activity == UNKNOWN ? KYMO_TRAFFIC_UNKNOWN
    : activity == KYMO_OUTSIDE ? KYMO_TRAFFIC_OUTSIDE
    : kymo_run_peek_activity (ask->run, activity)->name;
}

static GPtrArray *
sort_calls (GHashTable *calls)
{
  GPtrArray *order = g_ptr_array_sized_new (g_hash_table_size (calls));
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, calls);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_ptr_array_add (order, key);
  g_ptr_array_sort (order, compare_calls);
  return order;
}

static KymoTable *
make_calls (const KymoAsk     *ask,
            KymoTrafficGroups *state)
{
  KymoTable *table = kymo_table_new_list ("from:string to:string from_id to_id messages bytes "
                                          "min_bytes max_bytes mean_latency_ns sent_messages "
                                          "sent_bytes");
  g_autoptr (GPtrArray) order = sort_calls (state->rows);

  for (guint i = 0; i < order->len; i++)
    {
      const Call *call = g_ptr_array_index (order, i);
      guint32 from = (guint64) call->key >> 32, to = (guint32) call->key;
      gboolean any = call->messages > 0;

      kymo_table_append_row (table, name_of (ask, from), name_of (ask, to), id_of (ask, from),
                             id_of (ask, to), kymo_ask_round (ask, call->messages), call->bytes,
                             any ? call->least_bytes : KYMO_NULL_INT,
                             any ? call->most_bytes : KYMO_NULL_INT, mean_latency (ask, call),
                             kymo_ask_round (ask, call->sent_messages), call->sent_bytes);
    }
  return table;
}

static KymoTable *
call_table_finish (const KymoAsk *ask,
                   gpointer       data)
{
  KymoTrafficGroups *state = data;
  KymoTable *answer = kymo_ask_answer_new (ask);

  kymo_ask_set_counts (ask, answer);
  kymo_table_set_bool (answer, "joined", ((const KymoTrafficRules *) ask->plan)->join);
  kymo_table_set_string (answer, "of", kymo_traffic_of (ask->question));
  kymo_table_set_string (answer, "code_term", kymo_terms_code (ask->run->terms, FALSE));
  kymo_traffic_totals_set (&state->totals, ask, answer);
  kymo_traffic_left_out_set (&state->left_out, &((const KymoTrafficRules *) ask->plan)->filter, ask,
                             answer);
  kymo_table_set_table (answer, "calls", make_calls (ask, state));
  return answer;
}

static const KymoQuestionList lists[] =
{
  { "calls", "from to from_id to_id messages bytes min_bytes max_bytes mean_latency_ns "
    "sent_messages sent_bytes", TRUE },
  { NULL }
};

const KymoAnswerClass kymo_answer_call_table =
{
  { "call-table", N_("A call table"), "whose blocks sent the messages that ran which entry method",
    kymo_traffic_keywords, KYMO_CAN_MESSAGES, .of_messages = TRUE, .lists = lists,
    .topic = KYMO_TOPIC_MESSAGES, .example = "--least-bytes 1000" },
  kymo_traffic_prepare, kymo_traffic_release, kymo_traffic_groups_new,
  kymo_traffic_groups_free, call_table_partial, call_table_merge, call_table_finish,
  KYMO_NEEDS_BLOCKS | KYMO_NEEDS_SENDS | KYMO_NEEDS_OF_ALL, .weigh = call_table_weigh,
};
