/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * communication: who sent how much to whom, seen from the receivers, and what
 * the senders recorded.
 */
#include "config.h"

#include "kymo-error.h"
#include "kymo-messages.h"
#include "kymo-pairs.h"

#define DEFAULT_PAIRS 100000

typedef struct
{
  gint64 records, destinations, bytes;
} Sent;

typedef struct
{
  GHashTable *pairs;            /* KymoPair */
  Sent       *sent;             /* by row */
  guint       n_rows;
  gint64      messages, bytes, matched;
  gint64      no_source;        /* they name a PE that the run never had */
  gint64      blocks_same, blocks_other, blocks_none;
} State;

/**
 * kymo_match_block:
 * @sender: (out): the segment of the sender, or %NULL
 * @send: (out): the send in it
 *
 * Looks for the creation that a block names. A record of one destination must
 * be for the same entry method to be sure.
 */
KymoMatch
kymo_match_block (const KymoAsk     *ask,
                  const KymoSegment *segment,
                  guint              block,
                  KymoSegment      **sender,
                  guint             *send)
{
  gint location, found;

  *sender = NULL;
  if (segment->block_event[block] < 0)
    return KYMO_MATCH_NONE;
  location = kymo_run_find_location (ask->run, segment->block_source[block]);
  if (location < 0)
    return KYMO_MATCH_NONE;
  found = kymo_segment_find_send (kymo_ask_segment_of (ask, location),
                                  segment->block_event[block]);
  if (found < 0)
    return KYMO_MATCH_NONE;
  *sender = kymo_ask_segment_of (ask, location);
  *send = found;
  return (*sender)->send_kind[found] == KYMO_SEND_ONE
    && (*sender)->send_activity[found] != segment->block_activity[block]
    ? KYMO_MATCH_OTHER_ENTRY : KYMO_MATCH_SAME;
}

static gpointer
state_new (const KymoAsk *ask)
{
  State *state = g_new0 (State, 1);

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
  g_free (state->sent);
  g_free (state);
}

/* Every begin record, by whether its creation names the same entry method:
   stricter than a match, which lets a broadcast be created under another. */
static void
count_block (State             *state,
             const KymoSegment *segment,
             guint              block,
             const KymoSegment *sender,
             guint              send)
{
  if (sender == NULL)
    state->blocks_none++;
  else if (sender->send_activity[send] == segment->block_activity[block])
    state->blocks_same++;
  else
    state->blocks_other++;
}

static void
add_received (const KymoAsk *ask,
              State         *state,
              KymoSegment   *segment)
{
  gint64 to = kymo_run_peek_location (ask->run, segment->location)->id;
  gint64 end_ns = kymo_ask_count_end (ask);

  for (guint i = kymo_segment_first_block (segment, ask->span.begin_ns);
       i < segment->n_blocks && segment->block_begin_ns[i] < end_ns; i++)
    {
      KymoSegment *sender;
      KymoMatch match;
      guint send;

      if (kymo_ask_is_stopped (ask, i))
        return;
      match = kymo_match_block (ask, segment, i, &sender, &send);
      count_block (state, segment, i, sender, send);
      if (segment->block_event[i] < 0 || !kymo_segment_is_first (segment, i))
        continue;
      state->messages++;
      state->bytes += segment->block_bytes[i];
      state->matched += match == KYMO_MATCH_SAME;
      if (segment->block_source[i] < 0
          || segment->block_source[i] >= ask->run->n_locations_original)
        state->no_source++;
      kymo_pairs_add (state->pairs, &(KymoPair) { segment->block_source[i], to, 1,
                                                  segment->block_bytes[i], 0, 0 });
    }
}

static void
partial (const KymoAsk *ask,
         gpointer       data,
         KymoSegment   *segment)
{
  State *state = data;
  Sent *sent = &state->sent[ask->row_of[segment->location]];
  gint64 end_ns = kymo_ask_count_end (ask);

  add_received (ask, state, segment);
  for (guint i = 0; i < segment->n_sends && !kymo_ask_is_stopped (ask, i); i++)
    {
      if (segment->send_ns[i] < ask->span.begin_ns || segment->send_ns[i] >= end_ns)
        continue;
      sent->records++;
      sent->destinations += segment->send_destinations[i];
      sent->bytes += (gint64) segment->send_bytes[i] * segment->send_destinations[i];
    }
}

static void
merge (const KymoAsk *ask,
       gpointer       into,
       gpointer       from)
{
  State *a = into, *b = from;

  kymo_pairs_merge (a->pairs, b->pairs, 1);
  for (guint i = 0; i < a->n_rows; i++)
    {
      a->sent[i].records += b->sent[i].records;
      a->sent[i].destinations += b->sent[i].destinations;
      a->sent[i].bytes += b->sent[i].bytes;
    }
  a->messages += b->messages;
  a->bytes += b->bytes;
  a->matched += b->matched;
  a->no_source += b->no_source;
  a->blocks_same += b->blocks_same;
  a->blocks_other += b->blocks_other;
  a->blocks_none += b->blocks_none;
}

/* Groups ids by ranges so that at most `limit` pairs remain. */
static gint64
group_size (gint64 n_pairs,
            gint64 n_ids,
            gint64 limit)
{
  gint64 size = 1;

  if (n_pairs <= limit)
    return 1;
  while (((n_ids + size - 1) / size) * ((n_ids + size - 1) / size) > limit)
    size *= 2;
  return size;
}

static KymoTable *
make_matrix (GHashTable *pairs)
{
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);
  guint from = kymo_table_add_column (table, "from", KYMO_COLUMN_INT, 1);
  guint to = kymo_table_add_column (table, "to", KYMO_COLUMN_INT, 1);
  guint messages = kymo_table_add_column (table, "messages", KYMO_COLUMN_INT, 1);
  guint bytes = kymo_table_add_column (table, "bytes", KYMO_COLUMN_INT, 1);
  g_autoptr (GPtrArray) order = kymo_pairs_sort (pairs);

  for (guint i = 0; i < order->len; i++)
    {
      const KymoPair *pair = g_ptr_array_index (order, i);

      kymo_table_append_int (table, from, pair->from);
      kymo_table_append_int (table, to, pair->to);
      kymo_table_append_int (table, messages, pair->messages);
      kymo_table_append_int (table, bytes, pair->bytes);
    }
  return table;
}

static KymoTable *
make_sent (const KymoAsk *ask,
           const State   *state)
{
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);
  guint location = kymo_table_add_column (table, "location", KYMO_COLUMN_INT, 1);
  guint records = kymo_table_add_column (table, "records", KYMO_COLUMN_INT, 1);
  guint destinations = kymo_table_add_column (table, "destinations", KYMO_COLUMN_INT, 1);
  guint bytes = kymo_table_add_column (table, "bytes", KYMO_COLUMN_INT, 1);

  for (guint row = 0; row < state->n_rows; row++)
    {
      kymo_table_append_int (table, location,
                             kymo_run_peek_location (ask->run, ask->locations[row])->id);
      kymo_table_append_int (table, records, state->sent[row].records);
      kymo_table_append_int (table, destinations, state->sent[row].destinations);
      kymo_table_append_int (table, bytes, state->sent[row].bytes);
    }
  return table;
}

static KymoTable *
make_blocks (const State *state)
{
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECT);

  kymo_table_set_int (table, "same_entry", state->blocks_same);
  kymo_table_set_int (table, "other_entry", state->blocks_other);
  kymo_table_set_int (table, "none", state->blocks_none);
  return table;
}

static gboolean
prepare (KymoAsk  *ask,
         GError  **error)
{
  gint64 limit;

  if (!kymo_question_get_int (ask->question, "limit", DEFAULT_PAIRS, &limit, error))
    return FALSE;
  if (limit < 1)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE, "The limit must be at least 1");
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

static KymoTable *
finish (const KymoAsk *ask,
        gpointer       data)
{
  State *state = data;
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);
  gint64 limit = *(const gint64 *) ask->plan;
  gint64 size = group_size (g_hash_table_size (state->pairs), ask->run->n_locations_original,
                            limit);
  g_autoptr (GHashTable) grouped = kymo_pairs_new ();

  kymo_pairs_merge (grouped, state->pairs, size);
  kymo_table_set_int (answer, "begin_ns", ask->span.begin_ns);
  kymo_table_set_int (answer, "end_ns", ask->span.end_ns);
  kymo_table_set_int (answer, "messages", state->messages);
  kymo_table_set_int (answer, "bytes", state->bytes);
  kymo_table_set_int (answer, "matched", state->matched);
  kymo_table_set_int (answer, "unmatched", state->messages - state->matched);
  kymo_table_set_int (answer, "unknown_source", state->no_source);
  kymo_table_set_table (answer, "blocks", make_blocks (state));
  kymo_table_set_int (answer, "locations", ask->run->n_locations_original);
  kymo_table_set_int (answer, "group_size", size);
  kymo_table_set_table (answer, "matrix", make_matrix (grouped));
  kymo_table_set_table (answer, "sent", make_sent (ask, state));
  return answer;
}

const KymoAnswerClass kymo_answer_communication =
  { "communication", prepare, release, state_new, state_free, partial, merge, finish };
