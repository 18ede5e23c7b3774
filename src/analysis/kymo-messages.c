/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * messages: those whose execution begins inside the range, one by one, or
 * grouped by pair of locations when there are more than the limit. A way
 * through communication threads is one message, told where it arrives. Between
 * functions those that are received inside the range: from rank to rank, in "from_location"
 * and "to_location" the locations that did it.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#include "kymo-error.h"
#include "kymo-exchanges.h"
#include "kymo-messages.h"
#include "kymo-pairs.h"

#define DEFAULT_MESSAGES 1000

typedef struct
{
  gint64    sent_ns, begin_ns;
  gint64    to, bytes;
  guint32   activity;
  guint     location;           /* of the receiver, and which of its records it is */
  guint     index;
  KymoWay   way;
} Message;

typedef struct
{
  GArray     *messages;         /* Message; dropped once over the limit */
  GHashTable *groups;           /* KymoPair */
  gint64      n_messages;
} State;

static gboolean
prepare (KymoAsk  *ask,
         GError  **error)
{
  gint64 limit;

  if (!kymo_question_get_int (ask->question, "limit", DEFAULT_MESSAGES, &limit, error))
    return FALSE;
  if (limit < 0 || limit > G_MAXINT32)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE, _("The limit is not a count of messages"));
      return FALSE;
    }
  ask->plan = g_memdup2 (&limit, sizeof limit);
  return TRUE;
}

static void
release (KymoAsk *ask)
{
  g_free (ask->plan);
}

static gpointer
state_new (const KymoAsk *ask)
{
  State *state = g_new0 (State, 1);

  state->messages = g_array_new (FALSE, FALSE, sizeof (Message));
  state->groups = kymo_pairs_new ();
  return state;
}

static void
state_free (gpointer data)
{
  State *state = data;

  g_array_unref (state->messages);
  g_hash_table_unref (state->groups);
  g_free (state);
}

static void
add_message (const KymoAsk *ask,
             State         *state,
             const Message *message)
{
  gint64 limit = *(const gint64 *) ask->plan;
  gboolean matched = message->way.match == KYMO_MATCH_SAME;
  KymoPair pair = { message->way.from, message->to, 1, message->bytes, matched,
                    matched ? message->begin_ns - message->sent_ns : 0 };

  state->n_messages++;
  kymo_pairs_add (state->groups, &pair);
  if (state->n_messages <= limit)
    g_array_append_vals (state->messages, message, 1);
}

static void
add_receives (const KymoAsk     *ask,
              State             *state,
              const KymoSegment *segment)
{
  for (guint i = 0; i < segment->exchange->n_receives && !kymo_ask_is_stopped (ask, i); i++)
    {
      Message message = { .location = segment->location, .index = i };
      KymoReceipt receipt;

      if (!kymo_receive_is_asked (ask, segment, i))
        continue;
      kymo_receipt_of (ask, segment, i, &receipt);
      message.sent_ns = receipt.sent_ns;
      message.begin_ns = receipt.time_ns;
      message.to = receipt.to;
      message.bytes = receipt.bytes;
      message.activity = receipt.activity;
      message.way.match = receipt.sender != NULL ? KYMO_MATCH_SAME : KYMO_MATCH_NONE;
      message.way.sender = (KymoSegment *) receipt.sender;
      message.way.send = receipt.send;
      message.way.from = receipt.from;
      add_message (ask, state, &message);
    }
}

static void
add_blocks (const KymoAsk *ask,
            State         *state,
            KymoSegment   *segment)
{
  gint64 end_ns = kymo_ask_count_end (ask);
  gint64 to = kymo_run_peek_location (ask->run, segment->location)->id;

  for (guint i = kymo_segment_first_block (segment, ask->span.begin_ns);
       i < segment->n_blocks && kymo_segment_block_begin (segment, i) < end_ns; i++)
    {
      Message message;

      if (kymo_ask_is_stopped (ask, i))
        return;
      if (segment->block_event[i] < 0 || !kymo_segment_is_first (segment, i)
          || kymo_block_is_hop (ask, segment, i))
        continue;
      kymo_way_of_block (ask, segment, i, &message.way);
      message.sent_ns = message.way.sender != NULL
        ? kymo_segment_send_time (message.way.sender, message.way.send) : KYMO_NULL_INT;
      message.begin_ns = kymo_segment_block_begin (segment, i);
      message.to = to;
      message.bytes = segment->block_bytes[i];
      message.activity = segment->block_activity[i];
      message.location = segment->location;
      message.index = i;
      add_message (ask, state, &message);
    }
}

static void
partial (const KymoAsk *ask,
         gpointer       state,
         KymoSegment   *segment)
{
  if (segment->exchange != NULL)
    add_receives (ask, state, segment);
  else
    add_blocks (ask, state, segment);
}

static void
merge (const KymoAsk *ask,
       gpointer       into,
       gpointer       from)
{
  State *a = into, *b = from;

  kymo_pairs_merge (a->groups, b->groups, 1);
  g_array_append_vals (a->messages, b->messages->data, b->messages->len);
  a->n_messages += b->n_messages;
}

static int
compare_messages (gconstpointer a,
                  gconstpointer b)
{
  const Message *x = a, *y = b;

  if (x->begin_ns != y->begin_ns)
    return x->begin_ns < y->begin_ns ? -1 : 1;
  if (x->location != y->location)
    return x->location < y->location ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

static KymoTable *
make_messages (const KymoAsk *ask,
               State         *state)
{
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);
  guint from = kymo_table_add_column (table, "from", KYMO_COLUMN_INT, 1);
  guint to = kymo_table_add_column (table, "to", KYMO_COLUMN_INT, 1);
  guint sent = kymo_table_add_column (table, "sent_ns", KYMO_COLUMN_INT, 1);
  guint begin = kymo_table_add_column (table, "begin_ns", KYMO_COLUMN_INT, 1);
  guint latency = kymo_table_add_column (table, "latency_ns", KYMO_COLUMN_INT, 1);
  guint bytes = kymo_table_add_column (table, "bytes", KYMO_COLUMN_INT, 1);
  guint name = kymo_table_add_column (table, "name", KYMO_COLUMN_STRING, 1);
  guint certain = kymo_table_add_column (table, "certain", KYMO_COLUMN_BOOL, 1);
  KymoTable *hops = kymo_table_new (KYMO_STYLE_FLAT);
  guint hop = kymo_table_add_column (hops, "via", KYMO_COLUMN_INT, 1);
  guint via = kymo_table_add_nested (table, "via", hops);
  gboolean by_rank = kymo_run_has_exchanges (ask->run);
  guint sender = by_rank ? kymo_table_add_column (table, "from_location", KYMO_COLUMN_INT, 1) : 0;
  guint receiver = by_rank ? kymo_table_add_column (table, "to_location", KYMO_COLUMN_INT, 1) : 0;

  g_array_sort (state->messages, compare_messages);
  for (guint i = 0; i < state->messages->len; i++)
    {
      const Message *m = &g_array_index (state->messages, Message, i);

      kymo_table_append_int (table, from, m->way.from);
      kymo_table_append_int (table, to, m->to);
      kymo_table_append_int (table, sent, m->sent_ns);
      kymo_table_append_int (table, begin, m->begin_ns);
      kymo_table_append_int (table, latency, m->sent_ns != KYMO_NULL_INT
                             ? m->begin_ns - m->sent_ns : KYMO_NULL_INT);
      kymo_table_append_int (table, bytes, m->bytes);
      kymo_table_append_string (table, name, m->activity == G_MAXUINT32 ? NULL
                                : kymo_run_peek_activity (ask->run, m->activity)->name);
      kymo_table_append_bool (table, certain, m->way.match == KYMO_MATCH_SAME);
      for (guint k = 0; k < m->way.n_via; k++)
        kymo_table_append_int (hops, hop, m->way.via[k]);
      kymo_table_end_nested (table, via);
      if (!by_rank)
        continue;
      kymo_table_append_int (table, sender, m->way.sender == NULL ? KYMO_NULL_INT
                             : kymo_run_peek_location (ask->run, m->way.sender->location)->id);
      kymo_table_append_int (table, receiver, kymo_run_peek_location (ask->run, m->location)->id);
    }
  return table;
}

static KymoTable *
make_groups (State *state)
{
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);
  guint from = kymo_table_add_column (table, "from", KYMO_COLUMN_INT, 1);
  guint to = kymo_table_add_column (table, "to", KYMO_COLUMN_INT, 1);
  guint count = kymo_table_add_column (table, "count", KYMO_COLUMN_INT, 1);
  guint bytes = kymo_table_add_column (table, "bytes", KYMO_COLUMN_INT, 1);
  guint mean = kymo_table_add_column (table, "mean_latency_ns", KYMO_COLUMN_INT, 1);
  g_autoptr (GPtrArray) order = kymo_pairs_sort (state->groups);

  for (guint i = 0; i < order->len; i++)
    {
      const KymoPair *group = g_ptr_array_index (order, i);

      kymo_table_append_int (table, from, group->from);
      kymo_table_append_int (table, to, group->to);
      kymo_table_append_int (table, count, group->messages);
      kymo_table_append_int (table, bytes, group->bytes);
      kymo_table_append_int (table, mean, group->matched > 0
                             ? group->latency_ns / group->matched : KYMO_NULL_INT);
    }
  return table;
}

static KymoTable *
finish (const KymoAsk *ask,
        gpointer       data)
{
  State *state = data;
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);

  kymo_table_set_int (answer, "begin_ns", ask->span.begin_ns);
  kymo_table_set_int (answer, "end_ns", ask->span.end_ns);
  kymo_table_set_int (answer, "count", state->n_messages);
  kymo_table_set_string (answer, "row_term", kymo_run_has_exchanges (ask->run) ? "rank"
                         : kymo_terms_row (ask->run->terms, FALSE));
  if (state->n_messages <= *(const gint64 *) ask->plan)
    kymo_table_set_table (answer, "messages", make_messages (ask, state));
  else
    kymo_table_set_table (answer, "groups", make_groups (state));
  return answer;
}

const KymoAnswerClass kymo_answer_messages =
  { "messages", prepare, release, state_new, state_free, partial, merge, finish,
    .requires = KYMO_CAN_MESSAGES };
