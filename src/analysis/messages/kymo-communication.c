/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * communication: who sent how much to whom, seen from the receivers, and what
 * the senders recorded. Joined, a way through communication threads counts
 * once, from its first sender to where it arrives. Of messages between functions each
 * receive is one, from rank to rank; "sent" is by location all the same.
 *
 * Extrapolated, every record counts for all that the location stands for whose
 * log has it: messages and cells for the receiver's (from one sender to all that
 * the receiver stands for), "sent" for the sender's. So the sums of both sides
 * are of all, whether or not the other one was kept.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-clocks.h"
#include "kymo-error.h"
#include "kymo-keywords.h"
#include "kymo-ways.h"
#include "kymo-pairs.h"
#include "kymo-traffic.h"

typedef struct
{
  gint64           limit;
  KymoTrafficRules rules;
  gint64          *ranks;       /* ascending, where messages go from rank to rank; or NULL */
  guint            n_ranks;
} Plan;

typedef struct
{
  gint64 records, destinations, bytes;
} Sent;

/* From one location or rank to the segment at hand. */
typedef struct
{
  gint64 messages, bytes;
} Received;

/* Figures over all messages; NO_SOURCE counts messages of a PE that the run never had. Halves are
   messages between functions of which the run has the send or the receive alone. */
enum
{
  MESSAGES,
  MATCHED,
  NO_SOURCE,
  HALF_SENDS,
  HALF_RECEIVES,
  BLOCKS_SAME,
  BLOCKS_OTHER,
  BLOCKS_NONE,
  N_SUMS,
};

typedef struct
{
  GHashTable *pairs;            /* KymoPair */
  Received   *received;         /* by location of the run, or by rank */
  guint      *touched;          /* those with messages */
  guint       n_touched;
  guint      *hints;            /* by location: see kymo_match_block() */
  Sent       *sent;             /* by row */
  guint8     *cancelled;        /* by send of the segment at hand, or NULL */
  guint       n_rows;
  gint64      bytes;
  gint64      sums[N_SUMS];
  KymoTrafficTotals left_out;
} State;

static gpointer
state_new (const KymoAsk *ask)
{
  State *state = g_new0 (State, 1);
  guint n = MAX (ask->run->locations->len, 1);

  state->received = g_new0 (Received, n);
  state->touched = g_new (guint, n);
  state->hints = g_new0 (guint, n);
  state->pairs = kymo_pairs_new ();
  state->n_rows = ask->n_locations;
  state->sent = g_new0 (Sent, ask->n_locations);
  return state;
}

static void
state_free (gpointer data)
{
  State *state = data;

  g_hash_table_unref (state->pairs);
  g_free (state->received);
  g_free (state->touched);
  g_free (state->hints);
  g_free (state->sent);
  g_free (state);
}

/* Every begin record, by whether its creation names the same entry method:
   stricter than a match, which lets a broadcast be created under another. */
static void
count_block (State             *state,
             const KymoSegment *segment,
             guint              block,
             const KymoSender  *sender)
{
  if (!kymo_sender_is_known (sender))
    state->sums[BLOCKS_NONE]++;
  else if (sender->activity == segment->block_activity[block])
    state->sums[BLOCKS_SAME]++;
  else
    state->sums[BLOCKS_OTHER]++;
}

static gboolean
takes (const KymoAsk     *ask,
       const KymoSegment *segment,
       guint              i,
       const KymoSender  *sender)
{
  return kymo_message_filter_takes (&((const Plan *) ask->plan)->rules.filter, ask,
                                    segment->location, i, sender);
}

static void
leave_out (State  *state,
           gint64  bytes)
{
  KymoTrafficMessage message = { .bytes = bytes, .sender = KYMO_SENDER_UNKNOWN };

  kymo_traffic_totals_add_received (&state->left_out, &message);
}

static void
count_message (const KymoAsk     *ask,
               State             *state,
               const KymoSegment *segment,
               guint              block,
               KymoMatch          match,
               gint64             from)
{
  gint64 to = kymo_run_peek_location (ask->run, segment->location)->id;
  gint64 bytes = segment->block_bytes[block];
  gint location = kymo_run_find_location (ask->run, from);

  state->sums[MESSAGES]++;
  state->bytes += bytes;
  state->sums[MATCHED] += match == KYMO_MATCH_SAME;
  if (from < 0 || from >= ask->run->n_locations_original)
    state->sums[NO_SOURCE]++;
  if (location < 0)
    {
      kymo_pairs_add (state->pairs, &(KymoPair) { from, to, 1, bytes, 0, 0 });
      return;
    }
  if (state->received[location].messages++ == 0)
    state->touched[state->n_touched++] = location;
  state->received[location].bytes += bytes;
}

static void
count_receive (const KymoAsk     *ask,
               State             *state,
               const KymoSegment *segment,
               guint              i)
{
  const Plan *plan = ask->plan;
  const KymoExchange *x = segment->exchange;
  gint rank = kymo_find_process (plan->ranks, plan->n_ranks, x->receive_partner[i]);
  KymoReceipt receipt;

  kymo_receipt_of (ask, segment, i, &receipt);
  if (!takes (ask, segment, i, &receipt.sender))
    {
      leave_out (state, x->receive_bytes[i]);
      return;
    }
  state->sums[MESSAGES]++;
  state->bytes += x->receive_bytes[i];
  state->sums[MATCHED] += x->receive_location != NULL && x->receive_location[i] != KYMO_UNMATCHED;
  state->sums[HALF_RECEIVES] += kymo_exchange_receive_is_half (x, i);
  if (rank < 0)
    {
      KymoPair pair = { x->receive_partner[i],
                        kymo_run_peek_location (ask->run, segment->location)->process,
                        1, x->receive_bytes[i], 0, 0 };

      state->sums[NO_SOURCE]++;
      kymo_pairs_add (state->pairs, &pair);
      return;
    }
  if (state->received[rank].messages++ == 0)
    state->touched[state->n_touched++] = rank;
  state->received[rank].bytes += x->receive_bytes[i];
}

/* The hash knows pairs of locations; a message is added to an array, where
   the receiver's segment is the same for many. */
static void
flush_received (const KymoAsk     *ask,
                State             *state,
                const KymoSegment *segment)
{
  const Plan *plan = ask->plan;
  const KymoLocation *here = kymo_run_peek_location (ask->run, segment->location);
  gint64 to = plan->ranks != NULL ? here->process : here->id;

  for (guint i = 0; i < state->n_touched; i++)
    {
      guint sender = state->touched[i];
      Received *received = &state->received[sender];
      gint64 from = plan->ranks != NULL ? plan->ranks[sender]
        : kymo_run_peek_location (ask->run, sender)->id;

      kymo_pairs_add (state->pairs,
                      &(KymoPair) { from, to, received->messages, received->bytes, 0, 0 });
      *received = (Received) { 0, 0 };
    }
  state->n_touched = 0;
}

/* Of a way through communication threads its ends count. */
static void
count_way (const KymoAsk     *ask,
           State             *state,
           const KymoSegment *segment,
           guint              block)
{
  KymoWay way;

  kymo_way_of_block (ask, segment, block, &way);
  if (takes (ask, segment, block, &way.sender))
    count_message (ask, state, segment, block, way.match, way.from);
  else
    leave_out (state, segment->block_bytes[block]);
}

static void
add_received (const KymoAsk *ask,
              State         *state,
              KymoSegment   *segment)
{
  const Plan *plan = ask->plan;
  gint64 end_ns = kymo_ask_count_end (ask);

  for (guint i = kymo_segment_first_block (segment, ask->span.begin_ns);
       i < segment->n_blocks && kymo_segment_block_begin (segment, i) < end_ns; i++)
    {
      KymoSender sender;
      gboolean taken;
      KymoMatch match;

      if (kymo_ask_is_stopped (ask, i))
        return;
      match = kymo_match_block (ask, segment, i, state->hints, &sender);
      taken = takes (ask, segment, i, &sender);
      if (taken)
        count_block (state, segment, i, &sender);
      if (segment->block_event[i] < 0 || !kymo_segment_is_first (segment, i))
        continue;
      if (plan->rules.has_ways && !kymo_block_is_hop (ask, segment, i))
        count_way (ask, state, segment, i);
      else if (!plan->rules.has_ways && taken)
        count_message (ask, state, segment, i, match, segment->block_source[i]);
      else if (!plan->rules.has_ways)
        leave_out (state, segment->block_bytes[i]);
    }
}

static void
on_sent (const KymoAsk     *ask,
         gpointer           data,
         const KymoSegment *segment,
         guint              i)
{
  State *state = data;
  Sent *sent = &state->sent[ask->row_of[segment->location]];

  if (segment->exchange != NULL && (state->cancelled == NULL || !state->cancelled[i]))
    state->sums[HALF_SENDS] += kymo_exchange_send_is_half (segment->exchange, i);
  sent->records++;
  sent->destinations += kymo_segment_send_destinations (segment, i);
  sent->bytes = kymo_saturating_add (sent->bytes, kymo_traffic_send_bytes (segment, i));
}

static void
communication_partial (const KymoAsk *ask,
                       gpointer       data,
                       KymoSegment   *segment)
{
  const Plan *plan = ask->plan;
  State *state = data;

  if (plan->ranks == NULL)
    add_received (ask, state, segment);
  for (guint i = 0; segment->exchange != NULL && i < segment->exchange->n_receives
       && !kymo_ask_is_stopped (ask, i); i++)
    if (kymo_receive_is_asked (ask, segment, i))
      count_receive (ask, state, segment, i);
  flush_received (ask, state, segment);
  state->cancelled = kymo_segment_dup_cancelled (segment);
  kymo_traffic_each_sent (ask, &plan->rules, segment, &state->left_out, on_sent, state);
  g_clear_pointer (&state->cancelled, g_free);
}

static void
communication_merge (const KymoAsk *ask,
                     gpointer       into,
                     gpointer       from)
{
  State *a = into, *b = from;

  kymo_pairs_merge (a->pairs, b->pairs, 1, ask->cancellable);
  for (guint i = 0; i < a->n_rows; i++)
    {
      Sent *to = &a->sent[i];
      const Sent *more = &b->sent[i];

      to->records = kymo_saturating_add (to->records, more->records);
      to->destinations = kymo_saturating_add (to->destinations, more->destinations);
      to->bytes = kymo_saturating_add (to->bytes, more->bytes);
    }
  for (guint i = 0; i < N_SUMS; i++)
    a->sums[i] = kymo_saturating_add (a->sums[i], b->sums[i]);
  a->bytes = kymo_saturating_add (a->bytes, b->bytes);
  kymo_traffic_totals_merge (&a->left_out, &b->left_out);
}

/* Counts in millionths from here on, bytes whole. */
static void
communication_weigh (const KymoAsk *ask,
                     gpointer       data,
                     guint          location,
                     gint64         weight)
{
  State *state = data;
  Sent *sent = &state->sent[ask->row_of[location]];
  GHashTableIter iter;
  gpointer key;

  if (weight == 0)
    g_hash_table_remove_all (state->pairs);
  g_hash_table_iter_init (&iter, state->pairs);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      KymoPair *pair = key;

      pair->messages = kymo_weigh_count (pair->messages, weight);
      pair->bytes = kymo_weigh (pair->bytes, weight);
    }
  *sent = (Sent) { kymo_weigh_count (sent->records, weight),
                   kymo_weigh_count (sent->destinations, weight),
                   kymo_weigh (sent->bytes, weight) };
  for (guint i = 0; i < N_SUMS; i++)
    state->sums[i] = kymo_weigh_count (state->sums[i], weight);
  state->bytes = kymo_weigh (state->bytes, weight);
  kymo_traffic_totals_weigh (&state->left_out, weight);
}

/* Cells of counts in millionths add up to their sum, rounded once. */
static KymoTable *
make_matrix (const KymoAsk *ask,
             GHashTable    *pairs)
{
  KymoTable *table = kymo_table_new_list ("from to messages bytes");
  g_autoptr (GPtrArray) order = kymo_pairs_sort (pairs, ask->cancellable);
  gint64 sum = 0, before = 0;

  for (guint i = 0; i < order->len && !kymo_ask_is_stopped (ask, i); i++)
    {
      const KymoPair *pair = g_ptr_array_index (order, i);

      sum = kymo_saturating_add (sum, pair->messages);
      kymo_table_append_row (table, pair->from, pair->to, kymo_ask_round (ask, sum) - before,
                             pair->bytes);
      before = kymo_ask_round (ask, sum);
    }
  return table;
}

static KymoTable *
make_sent (const KymoAsk *ask,
           const State   *state)
{
  KymoTable *table = kymo_table_new_list ("location records destinations bytes");
  guint weight = ask->weights == NULL ? 0
    : kymo_table_add_column (table, "weight", KYMO_COLUMN_DOUBLE, 1);

  for (guint row = 0; row < state->n_rows && !kymo_ask_is_stopped (ask, row); row++)
    {
      kymo_table_append_row (table, kymo_run_peek_location (ask->run, ask->locations[row])->id,
                             kymo_ask_round (ask, state->sent[row].records),
                             kymo_ask_round (ask, state->sent[row].destinations),
                             state->sent[row].bytes);
      if (ask->weights != NULL)
        kymo_table_append_double (table, weight,
                                  (double) kymo_ask_weight_of (ask, ask->locations[row])
                                  / KYMO_WEIGHT_ONE);
    }
  return table;
}

static KymoTable *
make_blocks (const KymoAsk *ask,
             const State   *state)
{
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECT);

  kymo_table_set_int (table, "same_entry", kymo_ask_round (ask, state->sums[BLOCKS_SAME]));
  kymo_table_set_int (table, "other_entry",
                      kymo_ask_round (ask, state->sums[BLOCKS_OTHER]));
  kymo_table_set_int (table, "none", kymo_ask_round (ask, state->sums[BLOCKS_NONE]));
  return table;
}

static gboolean
communication_prepare (KymoAsk  *ask,
                       GError  **error)
{
  Plan *plan = g_new0 (Plan, 1);

  ask->plan = plan;
  if (kymo_run_has_exchanges (ask->run))
    plan->ranks = kymo_run_dup_processes (ask->run, &plan->n_ranks);
  if (!kymo_traffic_rules_init (&plan->rules, ask, error)
      || !kymo_question_get_int (ask->question, "limit", KYMO_MOST_PAIRS, &plan->limit, error))
    return FALSE;
  if (plan->limit < 1)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE, _("The limit must be at least 1"));
      return FALSE;
    }
  return TRUE;
}

static void
communication_release (KymoAsk *ask)
{
  Plan *plan = ask->plan;

  kymo_traffic_rules_clear (&plan->rules);
  g_free (plan->ranks);
  g_free (plan);
}

/* Number of rows and columns of the matrix. */
static gint64
count_ids (const KymoAsk *ask)
{
  const Plan *plan = ask->plan;

  if (plan->ranks == NULL)
    return ask->run->n_locations_original;
  return plan->n_ranks > 0 ? plan->ranks[plan->n_ranks - 1] + 1 : 0;
}

static KymoTable *
communication_finish (const KymoAsk *ask,
                      gpointer       data)
{
  State *state = data;
  KymoTable *answer = kymo_ask_answer_new (ask);
  const Plan *plan = ask->plan;
  gint64 size = kymo_pairs_group_size (state->pairs, count_ids (ask), plan->limit);
  g_autoptr (GHashTable) grouped = kymo_pairs_new ();
  gint64 messages = kymo_ask_round (ask, state->sums[MESSAGES]);
  gint64 matched = kymo_ask_round (ask, state->sums[MATCHED]);

  kymo_pairs_merge (grouped, state->pairs, size, ask->cancellable);
  kymo_ask_set_counts (ask, answer);
  kymo_table_set_bool (answer, "joined", plan->rules.join);
  if (kymo_question_get (ask->question, "of") != NULL)
    kymo_table_set_string (answer, "of", kymo_traffic_of (ask->question));
  /* Of what is counted once a message; "sent" has weights of its own. */
  if (ask->weights != NULL)
    kymo_table_set_string (answer, "weighed_by", "receiver");
  kymo_table_set_int (answer, "messages", messages);
  kymo_table_set_int (answer, "bytes", state->bytes);
  kymo_table_set_int (answer, "matched", matched);
  kymo_table_set_int (answer, "unmatched", messages - matched);
  kymo_table_set_int (answer, "unknown_source",
                      kymo_ask_round (ask, state->sums[NO_SOURCE]));
  if (state->sums[HALF_SENDS] > 0 || state->sums[HALF_RECEIVES] > 0)
    {
      kymo_table_set_int (answer, "half_sends", kymo_ask_round (ask, state->sums[HALF_SENDS]));
      kymo_table_set_int (answer, "half_receives",
                          kymo_ask_round (ask, state->sums[HALF_RECEIVES]));
    }
  kymo_traffic_left_out_set (&state->left_out, &plan->rules.filter, ask, answer);
  kymo_table_set_table (answer, "blocks", make_blocks (ask, state));
  kymo_table_set_int (answer, "locations", count_ids (ask));
  kymo_table_set_string (answer, "row_term", plan->ranks != NULL ? "rank"
                         : kymo_terms_row (ask->run->terms, FALSE));
  kymo_table_set_int (answer, "group_size", size);
  kymo_table_set_table (answer, "matrix", make_matrix (ask, grouped));
  kymo_table_set_table (answer, "sent", make_sent (ask, state));
  return answer;
}

static const KymoKeyword keywords[] =
{
  KYMO_KEYWORD_EXTRAPOLATE,
  { "limit", KYMO_KEYWORD_COUNT, "N", "list at most N pairs" },
  KYMO_KEYWORD_JOIN,
  KYMO_KEYWORDS_OF_MESSAGES,
  KYMO_KEYWORD_OF_TRAFFIC,
  { NULL }
};

static const KymoQuestionList lists[] =
{
  { "matrix", "from to messages bytes", TRUE },
  { "sent", "location records destinations bytes weight", TRUE },
  { "blocks", "same_entry other_entry none" },
  { NULL }
};

const KymoAnswerClass kymo_answer_communication =
{
  { "communication", N_("Communication"), "who sent how much to whom", keywords, KYMO_CAN_MESSAGES,
    .of_messages = TRUE, .lists = lists,
    .topic = KYMO_TOPIC_MESSAGES, .example = "--limit 16" },
  communication_prepare, communication_release, state_new, state_free, communication_partial,
  communication_merge, communication_finish,
  KYMO_NEEDS_BLOCKS | KYMO_NEEDS_SENDS | KYMO_NEEDS_OF_ALL, .weigh = communication_weigh,
};
