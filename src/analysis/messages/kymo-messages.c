/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * messages: those whose execution begins inside the range, one by one, or
 * grouped by pair of locations when there are more than the limit. A way
 * through communication threads is one message, told where it arrives. Between
 * functions those that are received inside the range: from rank to rank, in "from_location"
 * and "to_location" the locations that did it. With "halves" those alone of which the run has one
 * half, also the ones that are sent inside the range. What is under way in a range, and what
 * belongs to one block, are told by kymo-messages-groups.c and -block.c.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-error.h"
#include "kymo-keywords.h"
#include "kymo-messages-private.h"
#include "kymo-pairs.h"
#include "kymo-ways.h"

#define DEFAULT_MESSAGES 1000
#define DEFAULT_COLUMNS 32
#define DEFAULT_ROWS 64
/* Cells of groups; each takes some hundred bytes a thread. */
#define MOST_CELLS 65536
/* Cells are made once a band of senders, so what it costs grows with the square of bands. */
#define MOST_ROWS 1024

typedef struct
{
  GArray     *messages;         /* KymoMessage; dropped once over the limit */
  GHashTable *groups;           /* KymoPair */
  gint64      n_messages, n_left_out;
  gint64      n_half_sends, n_half_receives;
} State;

static gboolean
read_block (KymoAsk          *ask,
            KymoMessagePlan  *plan,
            GError          **error)
{
  const char *direction = kymo_question_get (ask->question, "direction");
  gint64 location;

  plan->of_block = kymo_question_get (ask->question, "location") != NULL;
  if (!plan->of_block)
    return TRUE;
  if (!kymo_question_get_int (ask->question, "location", -1, &location, error)
      || !kymo_question_get_int (ask->question, "time", ask->span.begin_ns, &plan->time_ns, error)
      || !kymo_question_get_int (ask->question, "at-ns", plan->time_ns, &plan->time_ns, error))
    return FALSE;
  plan->index = kymo_run_find_location (ask->run, location);
  plan->back = g_strcmp0 (direction, "forward") != 0;
  plan->forward = g_strcmp0 (direction, "back") != 0;
  if (plan->index >= 0)
    return TRUE;
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
               _("Messages of a block need a location of the run"));
  return FALSE;
}

/* The bands of a picture hold 1, 2, 4 … locations. */
static gboolean
read_resolution (KymoAsk          *ask,
                 KymoMessagePlan  *plan,
                 GError          **error)
{
  plan->columns = kymo_question_get_columns (ask->question);
  plan->rows = MIN (kymo_question_get_rows (ask->question), MOST_ROWS);
  if (plan->columns == 0)
    plan->columns = DEFAULT_COLUMNS;
  if (plan->rows == 0)
    plan->rows = DEFAULT_ROWS;
  if (!kymo_question_get_int (ask->question, "group", 1, &plan->group, error))
    return FALSE;
  if (plan->group >= 1 && plan->group <= G_MAXINT32
      && plan->columns * plan->rows <= MOST_CELLS)
    return TRUE;
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
               _("Messages are put together in at most %d stretches of time times rows"),
               MOST_CELLS);
  return FALSE;
}

static gboolean
messages_prepare (KymoAsk  *ask,
                  GError  **error)
{
  KymoMessagePlan *plan = g_new0 (KymoMessagePlan, 1);

  ask->plan = plan;
  if (!kymo_question_get_int (ask->question, "limit", DEFAULT_MESSAGES, &plan->limit, error)
      || !read_block (ask, plan, error) || !kymo_message_filter_init (&plan->filter, ask, error))
    return FALSE;
  if (plan->limit < 0 || plan->limit > G_MAXINT32)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE, _("The limit is not a count of messages"));
      return FALSE;
    }
  plan->crossing = kymo_question_get_flag (ask->question, "crossing");
  plan->halves = kymo_question_get_flag (ask->question, "halves");
  return read_resolution (ask, plan, error);
}

static void
messages_release (KymoAsk *ask)
{
  KymoMessagePlan *plan = ask->plan;

  if (plan != NULL)
    kymo_message_filter_clear (&plan->filter);
  g_free (plan);
}

static gpointer
state_new (const KymoAsk *ask)
{
  State *state = g_new0 (State, 1);

  state->messages = g_array_new (FALSE, FALSE, sizeof (KymoMessage));
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

/**
 * kymo_message_is_wanted:
 * @receiver: see kymo_message_filter_takes()
 * @index: of the message at its receiver
 * @sender: (nullable): its creation
 *
 * Returns: whether a message that arrived passes what the question filters by
 */
gboolean
kymo_message_is_wanted (const KymoAsk    *ask,
                        guint             receiver,
                        guint             index,
                        const KymoSender *sender)
{
  const KymoMessagePlan *plan = ask->plan;

  return kymo_message_filter_takes (&plan->filter, ask, receiver, index, sender);
}

/**
 * kymo_open_is_wanted:
 * @send: a send of @segment that was not received
 *
 * Returns: whether it passes what the question filters by
 */
gboolean
kymo_open_is_wanted (const KymoAsk     *ask,
                     const KymoSegment *segment,
                     guint              send)
{
  const KymoMessagePlan *plan = ask->plan;

  return kymo_message_filter_takes_send (&plan->filter, ask, segment, send);
}

static void
take_message (const KymoAsk     *ask,
              State             *state,
              const KymoMessage *message)
{
  const KymoMessagePlan *plan = ask->plan;
  gboolean matched = message->way.match == KYMO_MATCH_SAME;
  KymoPair pair = { message->way.from, message->to, 1, message->bytes, matched,
                    matched ? message->begin_ns - message->sent_ns : 0 };

  state->n_messages++;
  kymo_pairs_add (state->groups, &pair);
  if (state->n_messages <= plan->limit)
    g_array_append_vals (state->messages, message, 1);
}

static void
add_message (const KymoAsk     *ask,
             State             *state,
             const KymoMessage *message)
{
  const KymoMessagePlan *plan = ask->plan;

  if (plan->halves && kymo_message_half (ask, message) == NULL)
    return;
  if (!kymo_message_is_wanted (ask, message->location, message->index, &message->way.sender))
    {
      state->n_left_out++;
      return;
    }
  state->n_half_receives += plan->halves;
  take_message (ask, state, message);
}

/* The sends of @sender in the range whose receive is not recorded. */
static void
add_half_sends (const KymoAsk      *ask,
                State              *state,
                const KymoArrivals *arrivals,
                const KymoSegment  *sender)
{
  guint end = kymo_segment_first_send (sender, kymo_ask_count_end (ask));
  g_autofree guint8 *cancelled = kymo_segment_dup_cancelled (sender);

  for (guint i = kymo_segment_first_send (sender, ask->span.begin_ns);
       i < end && !kymo_ask_is_stopped (ask, i); i++)
    {
      KymoMessage message;

      if ((cancelled != NULL && cancelled[i]) || !kymo_send_is_open (ask, arrivals, sender, i)
          || (sender->exchange != NULL && !kymo_exchange_send_is_half (sender->exchange, i)))
        continue;
      kymo_message_of_open (ask, sender, i, &message);
      if (!kymo_open_is_wanted (ask, sender, i))
        {
          state->n_left_out++;
          continue;
        }
      state->n_half_sends++;
      take_message (ask, state, &message);
    }
}

static void
add_receives (const KymoAsk *ask,
              State         *state,
              KymoSegment   *segment)
{
  for (guint i = 0; i < segment->exchange->n_receives && !kymo_ask_is_stopped (ask, i); i++)
    {
      KymoMessage message;

      if (!kymo_receive_is_asked (ask, segment, i))
        continue;
      kymo_message_of_receiver (ask, segment->location, i, &message);
      add_message (ask, state, &message);
    }
}

static void
add_blocks (const KymoAsk *ask,
            State         *state,
            KymoSegment   *segment)
{
  gint64 end_ns = kymo_ask_count_end (ask);

  for (guint i = kymo_segment_first_block (segment, ask->span.begin_ns);
       i < segment->n_blocks && kymo_segment_block_begin (segment, i) < end_ns; i++)
    {
      KymoMessage message;

      if (kymo_ask_is_stopped (ask, i))
        return;
      if (segment->block_event[i] < 0 || !kymo_segment_is_first (segment, i)
          || kymo_block_is_hop (ask, segment, i))
        continue;
      kymo_message_of_receiver (ask, segment->location, i, &message);
      add_message (ask, state, &message);
    }
}

static void
messages_partial (const KymoAsk *ask,
                  gpointer       state,
                  KymoSegment   *segment)
{
  const KymoMessagePlan *plan = ask->plan;

  if (plan->crossing || plan->of_block)
    return;
  if (segment->exchange != NULL)
    add_receives (ask, state, segment);
  else
    add_blocks (ask, state, segment);
}

static void
messages_merge (const KymoAsk *ask,
                gpointer       into,
                gpointer       from)
{
  State *a = into, *b = from;

  kymo_pairs_merge (a->groups, b->groups, 1, ask->cancellable);
  g_array_append_vals (a->messages, b->messages->data, b->messages->len);
  a->n_messages += b->n_messages;
  a->n_left_out += b->n_left_out;
  a->n_half_receives += b->n_half_receives;
}

static KymoTable *
make_groups (const KymoAsk *ask,
             State         *state)
{
  KymoTable *table = kymo_table_new_list ("from to count bytes mean_latency_ns");
  g_autoptr (GPtrArray) order = kymo_pairs_sort (state->groups, ask->cancellable);

  for (guint i = 0; i < order->len && !kymo_ask_is_stopped (ask, i); i++)
    {
      const KymoPair *group = g_ptr_array_index (order, i);

      kymo_table_append_row (table, group->from, group->to, group->messages, group->bytes,
                             group->matched > 0 ? group->latency_ns / group->matched
                             : KYMO_NULL_INT);
    }
  return table;
}

static KymoTable *
messages_conclude (const KymoAsk  *ask,
                   gpointer        data,
                   GError        **error)
{
  const KymoMessagePlan *plan = ask->plan;
  State *state = data;
  KymoTable *answer;

  if (plan->of_block)
    return kymo_messages_of_block (ask, error);
  if (plan->crossing)
    return kymo_messages_under_way (ask, error);
  if (plan->halves)
    {
      const KymoArrivals *arrivals = kymo_arrivals_peek (ask, error);

      if (arrivals == NULL)
        return NULL;
      for (guint i = 0; i < ask->n_locations; i++)
        add_half_sends (ask, state, arrivals, kymo_ask_segment_of (ask, ask->locations[i]));
    }
  answer = kymo_ask_answer_new (ask);
  kymo_table_set_int (answer, "count", state->n_messages);
  if (plan->halves)
    {
      kymo_table_set_int (answer, "half_sends", state->n_half_sends);
      kymo_table_set_int (answer, "half_receives", state->n_half_receives);
    }
  kymo_message_filter_set (&plan->filter, answer);
  if (plan->filter.is_on)
    kymo_table_set_int (answer, "left_out_messages", state->n_left_out);
  kymo_table_set_string (answer, "row_term", kymo_run_has_exchanges (ask->run) ? "rank"
                         : kymo_terms_row (ask->run->terms, FALSE));
  if (state->n_messages <= plan->limit)
    kymo_table_set_table (answer, "messages", kymo_messages_to_table (ask, state->messages, FALSE));
  else
    kymo_table_set_table (answer, "groups", make_groups (ask, state));
  return answer;
}

/* "groups" are by kind, stretch of time (2^k ns) and bands of 2^j locations, at most 1024: from,
   from_last, to and to_last are ids of locations, sent_ns, begin_ns and places are means. Places
   are rows of a timeline, counted without groups. early: begun before they were sent. With
   crossing "open" ones are those that the locations sent without a known receiver.
   Of one block: "messages" that started it and "caused" ones. */
static const KymoKeyword keywords[] =
{
  { "limit", KYMO_KEYWORD_COUNT, "N", "more than N messages are listed in groups (1000)" },
  { "crossing", KYMO_KEYWORD_FLAG, NULL, "all that are under way in the range, not those alone "
    "that arrive in it; groups by rows and stretches of time" },
  { "halves", KYMO_KEYWORD_FLAG, NULL, "only messages of which one half, the sending or the "
    "receiving, is not recorded; also those that are sent in the range" },
  { "stretches", KYMO_KEYWORD_COUNT, "N", "with --crossing: at most N stretches of time",
    KYMO_KEYWORD_TO_COLUMNS, 100 },
  { "rows", KYMO_KEYWORD_COUNT, "R", "with --crossing, or of a collective call: at most R "
    "rows (64)", KYMO_KEYWORD_TO_ROWS },
  { "location", KYMO_KEYWORD_INTEGER, "L", "messages of one block: the location where it ran" },
  { "at", KYMO_KEYWORD_TIME, "T", "with --location: a time in that block" },
  { "direction", KYMO_KEYWORD_WORD, "back|forward|both", "with --location: what started it, or "
    "what it caused (both)" },
  KYMO_KEYWORDS_OF_MESSAGES,
  { "time", KYMO_KEYWORD_INTEGER, "NS", "the same as --at", .internal = TRUE },
  { "group", KYMO_KEYWORD_COUNT, "N", "with crossing: least locations in a band (1)",
    .internal = TRUE },
  { NULL }
};

static const KymoQuestionList lists[] =
{
  { "groups", "from to count bytes mean_latency_ns from_last to_last kind early "
    "min_latency_ns max_latency_ns sent_ns begin_ns first_ns last_ns from_place to_place "
    "from_label to_label" },
  { "messages", "from to sent_ns begin_ns latency_ns bytes name certain via from_location "
    "to_location half via_ns kind from_label to_label from_place to_place" },
  { "caused", "from to sent_ns begin_ns latency_ns bytes name certain via from_location "
    "to_location half via_ns kind from_label to_label from_place to_place" },
  { NULL }
};

const KymoAnswerClass kymo_answer_messages =
{
  { "messages", N_("A list of messages"), "single messages, or groups of them", keywords,
    KYMO_CAN_MESSAGES, .of_messages = TRUE, .lists = lists,
    .topic = KYMO_TOPIC_MESSAGES, .example = "--limit 20" },
  messages_prepare, messages_release, state_new, state_free, messages_partial, messages_merge,
  .conclude = messages_conclude, .in_order = TRUE,
};
