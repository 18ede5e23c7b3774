/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-traffic.h"

#include "kymo-keywords.h"
#include "kymo-ways.h"
#include "kymo-senders.h"

/**
 * kymo_traffic_rules_init:
 * @rules: (out): by the keywords "join", "least-bytes", "tag" and "hide" of the question,
 *   and the run; to be cleared in any case
 *
 * Returns: %FALSE and a usage error where a keyword cannot be
 */
gboolean
kymo_traffic_rules_init (KymoTrafficRules  *rules,
                         const KymoAsk     *ask,
                         GError           **error)
{
  *rules = (KymoTrafficRules) {
    .join = kymo_question_get_flag (ask->question, "join"),
    .exchanges = kymo_run_has_exchanges (ask->run),
  };
  for (guint i = 0; rules->join && i < ask->run->locations->len && !rules->has_ways; i++)
    rules->has_ways = kymo_run_peek_location (ask->run, i)->kind == KYMO_LOCATION_COMM;
  return kymo_message_filter_init (&rules->filter, ask, error);
}

/**
 * kymo_traffic_rules_clear:
 *
 * Frees what the rules hold, not the rules themselves; to be called also where
 * kymo_traffic_rules_init() failed.
 */
void
kymo_traffic_rules_clear (KymoTrafficRules *rules)
{
  kymo_message_filter_clear (&rules->filter);
}

/* A walk over what one location received. */
typedef struct
{
  const KymoAsk          *ask;
  const KymoTrafficRules *rules;
  KymoSegment            *segment;
  guint                  *hints;
  KymoTrafficTotals      *left_out;
  gint64                  end_ns;       /* of the asked range */
  KymoTrafficFunc         func;
  gpointer                data;
} Walk;

/* A doubtful sender counts for the filter, since its line is drawn, too, but is not told. */
static void
tell_traffic (const Walk         *walk,
              guint               index,
              KymoTrafficMessage *message,
              KymoMatch           match)
{
  gboolean taken = kymo_message_filter_takes (&walk->rules->filter, walk->ask,
                                              walk->segment->location, index, &message->sender);

  if (match != KYMO_MATCH_SAME)
    message->sender = KYMO_SENDER_UNKNOWN;
  if (taken)
    walk->func (walk->ask, walk->data, walk->segment, message);
  else if (message->received_ns < walk->end_ns)
    kymo_traffic_totals_add_received (walk->left_out, message);
}

static void
tell_block (const Walk *walk,
            guint       block)
{
  KymoSegment *segment = walk->segment;
  KymoTrafficMessage message = {
    .from = segment->block_source[block],
    .received_ns = kymo_segment_block_begin (segment, block),
    .bytes = segment->block_bytes[block],
    .activity = segment->block_activity[block],
    .index = block,
  };
  KymoMatch match;

  if (walk->rules->has_ways)
    {
      KymoWay way;

      if (kymo_block_is_hop (walk->ask, segment, block))
        return;
      kymo_way_of_block (walk->ask, segment, block, &way);
      match = way.match;
      message.from = way.from;
      message.sender = way.sender;
    }
  else
    match = kymo_match_block (walk->ask, segment, block, walk->hints, &message.sender);
  tell_traffic (walk, block, &message, match);
}

static void
tell_receive (const Walk *walk,
              guint       i)
{
  KymoReceipt receipt;
  KymoTrafficMessage message;

  kymo_receipt_of (walk->ask, walk->segment, i, &receipt);
  message = (KymoTrafficMessage) {
    .from = receipt.from,
    .received_ns = receipt.time_ns,
    .bytes = receipt.bytes,
    .activity = receipt.activity,
    .sender = receipt.sender,
    .index = i,
  };
  tell_traffic (walk, i, &message, KYMO_MATCH_SAME);
}

static void
walk_receives (const Walk *walk,
               gint64      end_ns)
{
  const KymoExchange *x = walk->segment->exchange;

  for (guint i = 0; x != NULL && i < x->n_receives && !kymo_ask_is_stopped (walk->ask, i); i++)
    {
      gint64 time_ns = kymo_segment_receive_time (walk->segment, i);

      if (time_ns >= walk->ask->span.begin_ns && time_ns < end_ns)
        tell_receive (walk, i);
    }
}

/**
 * kymo_traffic_each_received:
 * @later: those received behind the asked range as well
 * @hints: (nullable): by location of the run, at first 0; see kymo_match_block()
 * @left_out: gets those of the asked range that the filter leaves out
 *
 * Calls @func for each message that the location of @segment received in the asked range.
 * Stops where the question is cancelled.
 */
void
kymo_traffic_each_received (const KymoAsk *ask, const KymoTrafficRules *rules,
                            KymoSegment *segment, gboolean later, guint *hints,
                            KymoTrafficTotals *left_out, KymoTrafficFunc func, gpointer data)
{
  Walk walk = { ask, rules, segment, hints, left_out, kymo_ask_count_end (ask), func, data };
  gint64 end_ns = later ? G_MAXINT64 : walk.end_ns;

  if (rules->exchanges)
    {
      walk_receives (&walk, end_ns);
      return;
    }
  for (guint i = kymo_segment_first_block (segment, ask->span.begin_ns);
       i < segment->n_blocks && kymo_segment_block_begin (segment, i) < end_ns
       && !kymo_ask_is_stopped (ask, i); i++)
    if (segment->block_event[i] >= 0 && kymo_segment_is_first (segment, i))
      tell_block (&walk, i);
}

/**
 * kymo_traffic_each_sent:
 * @left_out: gets those that the filter leaves out
 *
 * Calls @func for each record of sending of the location of @segment in the asked range.
 * Stops where the question is cancelled.
 */
void
kymo_traffic_each_sent (const KymoAsk          *ask,
                        const KymoTrafficRules *rules,
                        const KymoSegment      *segment,
                        KymoTrafficTotals      *left_out,
                        KymoTrafficSentFunc     func,
                        gpointer                data)
{
  gint64 end_ns = kymo_ask_count_end (ask);

  for (guint i = 0; i < segment->n_sends && !kymo_ask_is_stopped (ask, i); i++)
    {
      gint64 time_ns = kymo_segment_send_time (segment, i);

      if (time_ns < ask->span.begin_ns || time_ns >= end_ns)
        continue;
      if (kymo_message_filter_takes_send (&rules->filter, ask, segment, i))
        func (ask, data, segment, i);
      else
        kymo_traffic_totals_add_sent (left_out, segment, i);
    }
}

/**
 * kymo_traffic_sender_of:
 *
 * Returns: the entry method or function whose block created a send, or %KYMO_OUTSIDE; see
 * kymo_send_owner()
 */
guint32
kymo_traffic_sender_of (const KymoAsk     *ask,
                        const KymoSegment *segment,
                        guint              send)
{
  guint32 block = kymo_send_owner (ask, segment, send);

  return block == KYMO_NO_BLOCK ? KYMO_OUTSIDE : segment->block_activity[block];
}

/**
 * kymo_traffic_send_bytes:
 * @send: index among the sends of @segment
 *
 * Returns: its size times its destinations. Both numbers come from files: an absurd product
 *   stays at the largest number
 */
gint64
kymo_traffic_send_bytes (const KymoSegment *segment,
                         guint              send)
{
  guint64 all = (guint64) segment->send_bytes[send]
    * kymo_segment_send_destinations (segment, send);

  return (gint64) MIN (all, G_MAXINT64);
}

/* -- totals ---------------------------------------------------------------- */

static void
add_traffic (gint64 *sum,
             gint64  more)
{
  *sum = kymo_saturating_add (*sum, more);
}

/**
 * kymo_traffic_totals_add_sent:
 * @send: index among the sends of @segment
 *
 * Counts one more record of sending.
 */
void
kymo_traffic_totals_add_sent (KymoTrafficTotals *totals,
                              const KymoSegment *segment,
                              guint              send)
{
  totals->sent_records++;
  add_traffic (&totals->sent_messages, kymo_segment_send_destinations (segment, send));
  add_traffic (&totals->sent_bytes, kymo_traffic_send_bytes (segment, send));
}

/** kymo_traffic_totals_add_received: one more message */
void
kymo_traffic_totals_add_received (KymoTrafficTotals        *totals,
                                  const KymoTrafficMessage *message)
{
  totals->messages++;
  add_traffic (&totals->bytes, message->bytes);
  totals->matched += kymo_sender_is_known (&message->sender);
}

/**
 * kymo_traffic_totals_merge:
 *
 * Adds all counts of @from to those of @into; a sum that is too large stays at the largest number.
 */
void
kymo_traffic_totals_merge (KymoTrafficTotals       *into,
                           const KymoTrafficTotals *from)
{
  add_traffic (&into->messages, from->messages);
  add_traffic (&into->bytes, from->bytes);
  add_traffic (&into->matched, from->matched);
  add_traffic (&into->sent_records, from->sent_records);
  add_traffic (&into->sent_messages, from->sent_messages);
  add_traffic (&into->sent_bytes, from->sent_bytes);
}

/**
 * kymo_traffic_totals_weigh:
 * @totals: of one location
 * @weight: number of locations that it stands for, in millionths
 *
 * Makes the totals those of all the location stands for; counts are in millionths from here
 * on.
 */
void
kymo_traffic_totals_weigh (KymoTrafficTotals *totals,
                           gint64             weight)
{
  totals->messages = kymo_weigh_count (totals->messages, weight);
  totals->bytes = kymo_weigh (totals->bytes, weight);
  totals->matched = kymo_weigh_count (totals->matched, weight);
  totals->sent_records = kymo_weigh_count (totals->sent_records, weight);
  totals->sent_messages = kymo_weigh_count (totals->sent_messages, weight);
  totals->sent_bytes = kymo_weigh (totals->sent_bytes, weight);
}

/** kymo_traffic_totals_set: in an answer, and by whose weight messages count */
void
kymo_traffic_totals_set (const KymoTrafficTotals *totals,
                         const KymoAsk           *ask,
                         KymoTable               *answer)
{
  gint64 messages = kymo_ask_round (ask, totals->messages);
  gint64 matched = kymo_ask_round (ask, totals->matched);

  if (ask->weights != NULL)
    kymo_table_set_string (answer, "weighed_by", "receiver");
  kymo_table_set_int (answer, "messages", messages);
  kymo_table_set_int (answer, "bytes", totals->bytes);
  kymo_table_set_int (answer, "matched", matched);
  kymo_table_set_int (answer, "unmatched", messages - matched);
  kymo_table_set_int (answer, "sent_records", kymo_ask_round (ask, totals->sent_records));
  kymo_table_set_int (answer, "sent_messages", kymo_ask_round (ask, totals->sent_messages));
  kymo_table_set_int (answer, "sent_bytes", totals->sent_bytes);
}

/**
 * kymo_traffic_left_out_set:
 *
 * Notes what the filter left out beside the totals of what it took; nothing where it takes
 * all. What was sent is in records times destinations, as in the totals.
 */
void
kymo_traffic_left_out_set (const KymoTrafficTotals *left_out,
                           const KymoMessageFilter *filter,
                           const KymoAsk           *ask,
                           KymoTable               *answer)
{
  if (!filter->is_on)
    return;
  kymo_message_filter_set (filter, answer);
  kymo_table_set_int (answer, "left_out_messages", kymo_ask_round (ask, left_out->messages));
  kymo_table_set_int (answer, "left_out_bytes", left_out->bytes);
  kymo_table_set_int (answer, "left_out_sent_messages",
                      kymo_ask_round (ask, left_out->sent_messages));
  kymo_table_set_int (answer, "left_out_sent_bytes", left_out->sent_bytes);
}

/**
 * kymo_traffic_of:
 *
 * Returns: what a picture of the answer is to show, by the keyword "of": "messages" or
 * "bytes". Figures do not depend on it
 */
const char *
kymo_traffic_of (const KymoQuestion *question)
{
  return g_strcmp0 (kymo_question_get (question, "of"), "messages") == 0 ? "messages" : "bytes";
}

/* -- messages by groups --------------------------------------------------- */

/**
 * kymo_traffic_prepare:
 *
 * What a question does first whose plan is nothing but rules: the function "prepare" of its class.
 *
 * Returns: %FALSE and a usage error where a keyword cannot be
 */
gboolean
kymo_traffic_prepare (KymoAsk  *ask,
                      GError  **error)
{
  KymoTrafficRules *rules = ask->plan = g_new0 (KymoTrafficRules, 1);

  return kymo_traffic_rules_init (rules, ask, error);
}

/** kymo_traffic_keywords: of a question that takes the rules of kymo_traffic_rules_init() alone */
const KymoKeyword kymo_traffic_keywords[] =
{
  KYMO_KEYWORD_EXTRAPOLATE,
  KYMO_KEYWORD_JOIN,
  KYMO_KEYWORDS_OF_MESSAGES,
  KYMO_KEYWORD_OF_TRAFFIC,
  { NULL }
};

/** kymo_traffic_release: the function "release" after kymo_traffic_prepare() */
void
kymo_traffic_release (KymoAsk *ask)
{
  kymo_traffic_rules_clear (ask->plan);
  g_free (ask->plan);
}

/**
 * kymo_traffic_groups_new:
 *
 * Returns: (transfer full): a #KymoTrafficGroups without groups; to be freed with
 *   kymo_traffic_groups_free()
 */
gpointer
kymo_traffic_groups_new (const KymoAsk *ask)
{
  KymoTrafficGroups *groups = g_new0 (KymoTrafficGroups, 1);

  groups->rows = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  groups->hints = g_new0 (guint, MAX (ask->run->locations->len, 1));
  return groups;
}

/** kymo_traffic_groups_free: @data: (transfer full): a #KymoTrafficGroups */
void
kymo_traffic_groups_free (gpointer data)
{
  KymoTrafficGroups *groups = data;

  g_hash_table_unref (groups->rows);
  g_free (groups->hints);
  g_free (groups);
}

/**
 * kymo_traffic_groups_find:
 * @bytes: of a group, which begins with its key
 * @is_new: (out) (optional): whether the group was made
 *
 * Returns: (transfer none): the group of a key; a new one has the key, and is zero otherwise
 */
gpointer
kymo_traffic_groups_find (KymoTrafficGroups *groups,
                          gint64             key,
                          gsize              bytes,
                          gboolean          *is_new)
{
  gint64 *group = groups->last;

  if (is_new != NULL)
    *is_new = FALSE;
  /* Messages of one kind come in rows. */
  if (group != NULL && *group == key)
    return group;
  group = g_hash_table_lookup (groups->rows, &key);
  if (group == NULL)
    {
      group = g_malloc0 (bytes);
      *group = key;
      g_hash_table_add (groups->rows, group);
      if (is_new != NULL)
        *is_new = TRUE;
    }
  return groups->last = group;
}

/**
 * kymo_traffic_groups_count:
 * @received: called with @groups for each message that the location received
 * @sent: called with @groups for each record of a send
 *
 * Goes through the messages of one location in the range of the question, which was prepared by
 * kymo_traffic_prepare().
 */
void
kymo_traffic_groups_count (KymoTrafficGroups   *groups,
                           const KymoAsk       *ask,
                           KymoSegment         *segment,
                           KymoTrafficFunc      received,
                           KymoTrafficSentFunc  sent)
{
  kymo_traffic_each_received (ask, ask->plan, segment, FALSE, groups->hints, &groups->left_out,
                              received, groups);
  kymo_traffic_each_sent (ask, ask->plan, segment, &groups->left_out, sent, groups);
}

/**
 * kymo_traffic_groups_weigh:
 * @weight: of the location whose messages @groups holds, in millionths; 0 removes all groups
 * @weigh: called with each group
 *
 * For the function "weigh" of a question: from here on the counts are in millionths.
 */
void
kymo_traffic_groups_weigh (KymoTrafficGroups    *groups,
                           gint64                weight,
                           KymoTrafficWeighFunc  weigh)
{
  GHashTableIter iter;
  gpointer group;

  if (weight == 0)
    g_hash_table_remove_all (groups->rows);
  groups->last = NULL;
  g_hash_table_iter_init (&iter, groups->rows);
  while (g_hash_table_iter_next (&iter, &group, NULL))
    weigh (group, weight);
  kymo_traffic_totals_weigh (&groups->totals, weight);
  kymo_traffic_totals_weigh (&groups->left_out, weight);
}
