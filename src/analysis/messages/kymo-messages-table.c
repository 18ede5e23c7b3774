/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Single messages as a table.
 */
#include "config.h"

#include "kymo-details.h"
#include "kymo-messages-private.h"
#include "kymo-order.h"
#include "kymo-share.h"
#include "kymo-ways.h"

/**
 * kymo_message_kind_to_string:
 *
 * Returns: the word for the kind in answers: "matched", "uncertain", "unmatched" or "open"
 */
const char *
kymo_message_kind_to_string (KymoMessageKind kind)
{
  static const char *const words[] = { "matched", "uncertain", "unmatched", "open" };

  return words[kind];
}

static gboolean
is_cancelled (const KymoAsk     *ask,
              const KymoMessage *message)
{
  const KymoSegment *segment = kymo_ask_segment_of (ask, message->location);

  return kymo_segment_send_is_cancelled (segment, message->index);
}

/**
 * kymo_message_half:
 *
 * Between functions cancelled sends and one-sided transfers are no halves: there is no other one.
 *
 * Returns: (transfer none) (nullable): "send" or "receive", which alone is recorded; %NULL of a
 *   whole message
 */
const char *
kymo_message_half (const KymoAsk     *ask,
                   const KymoMessage *message)
{
  const KymoExchange *x = kymo_ask_segment_of (ask, message->location)->exchange;

  if (message->kind == KYMO_MESSAGE_OPEN)
    return x == NULL || (kymo_exchange_send_is_half (x, message->index)
                         && !is_cancelled (ask, message)) ? "send" : NULL;
  return message->kind == KYMO_MESSAGE_UNMATCHED
    && (x == NULL || kymo_exchange_receive_is_half (x, message->index)) ? "receive" : NULL;
}

typedef struct
{
  KymoTable *table, *hops, *hops_ns;
  guint      via, via_ns;
  guint      sender, receiver, half, kind, from_label, to_label, from_place, to_place;
  gboolean   with_locations, with_halves, both_ends;
} Columns;

static int
compare_messages (gconstpointer a,
                  gconstpointer b,
                  gpointer      unused)
{
  const KymoMessage *x = a, *y = b;
  gint64 left = x->begin_ns != KYMO_NULL_INT ? x->begin_ns : x->sent_ns;
  gint64 right = y->begin_ns != KYMO_NULL_INT ? y->begin_ns : y->sent_ns;

  KYMO_ORDER_BY (left, right);
  if (x->kind == KYMO_MESSAGE_OPEN || y->kind == KYMO_MESSAGE_OPEN)
    if (x->kind != y->kind)
      return x->kind == KYMO_MESSAGE_OPEN ? 1 : -1;
  KYMO_ORDER_BY (x->location, y->location);
  return x->index < y->index ? -1 : x->index > y->index;
}

static KymoTable *
add_list (Columns    *c,
          const char *name,
          guint      *column)
{
  KymoTable *list = kymo_table_new (KYMO_STYLE_FLAT);

  kymo_table_add_column (list, name, KYMO_COLUMN_INT, 1);
  *column = kymo_table_add_nested (c->table, name, list);
  return list;
}

static void
add_columns (Columns *c)
{
  KymoTable *table = c->table = kymo_table_new (KYMO_STYLE_OBJECTS);

  kymo_table_add_columns (table, "from to sent_ns begin_ns latency_ns bytes name:string "
                                 "certain:bool");
  c->hops = add_list (c, "via", &c->via);
  if (c->with_locations)
    {
      c->sender = kymo_table_add_column (table, "from_location", KYMO_COLUMN_INT, 1);
      c->receiver = kymo_table_add_column (table, "to_location", KYMO_COLUMN_INT, 1);
    }
  if (c->with_halves)
    c->half = kymo_table_add_column (table, "half", KYMO_COLUMN_STRING, 1);
  if (!c->both_ends)
    return;
  c->hops_ns = add_list (c, "via_ns", &c->via_ns);
  c->kind = kymo_table_add_column (table, "kind", KYMO_COLUMN_STRING, 1);
  c->from_label = kymo_table_add_column (table, "from_label", KYMO_COLUMN_STRING, 1);
  c->to_label = kymo_table_add_column (table, "to_label", KYMO_COLUMN_STRING, 1);
  c->from_place = kymo_table_add_column (table, "from_place", KYMO_COLUMN_INT, 1);
  c->to_place = kymo_table_add_column (table, "to_place", KYMO_COLUMN_INT, 1);
}

static gint64
place_of (const KymoAsk *ask,
          gint           location)
{
  return location < 0 || ask->row_of[location] < 0 ? KYMO_NULL_INT : ask->row_of[location];
}

static gint64
id_of (const KymoAsk *ask,
       gint           location)
{
  return location < 0 ? KYMO_NULL_INT : kymo_run_peek_location (ask->run, location)->id;
}

/* Label of an end; an unknown location is named as in the records. */
static void
append_label (const KymoAsk *ask,
              Columns       *c,
              guint          column,
              gint           location,
              gint64         id)
{
  g_autofree char *words = location >= 0 || id == KYMO_NULL_INT ? NULL
    : kymo_run_has_exchanges (ask->run) ? kymo_describe_rank (id)
    : kymo_describe_location (ask, id);

  kymo_table_append_string (c->table, column, location < 0 ? words
                            : kymo_run_peek_location (ask->run, location)->label);
}

static void
append_ends (const KymoAsk     *ask,
             Columns           *c,
             const KymoMessage *m)
{
  gint sender = m->way.sender.location;
  gint receiver = m->kind == KYMO_MESSAGE_OPEN ? -1 : (gint) m->location;

  if (c->with_locations)
    {
      kymo_table_append_int (c->table, c->sender, id_of (ask, sender));
      kymo_table_append_int (c->table, c->receiver, id_of (ask, receiver));
    }
  if (c->with_halves)
    kymo_table_append_string (c->table, c->half, kymo_message_half (ask, m));
  if (!c->both_ends)
    return;
  for (guint k = 0; k < m->way.n_via; k++)
    kymo_table_append_int (c->hops_ns, 0, m->way.via_ns[k]);
  kymo_table_end_nested (c->table, c->via_ns);
  kymo_table_append_string (c->table, c->kind, kymo_message_kind_to_string (m->kind));
  append_label (ask, c, c->from_label, sender, m->way.from);
  append_label (ask, c, c->to_label, receiver, m->to);
  kymo_table_append_int (c->table, c->from_place, place_of (ask, sender));
  kymo_table_append_int (c->table, c->to_place, place_of (ask, receiver));
}

static void
append_messages_table (const KymoAsk     *ask,
                       Columns           *c,
                       const KymoMessage *m)
{
  gboolean timed = m->sent_ns != KYMO_NULL_INT && m->begin_ns != KYMO_NULL_INT;

  kymo_table_append_row (c->table, m->way.from, m->to, m->sent_ns, m->begin_ns,
                         timed ? m->begin_ns - m->sent_ns : KYMO_NULL_INT, m->bytes,
                         m->activity == G_MAXUINT32 ? NULL
                         : kymo_run_peek_activity (ask->run, m->activity)->name,
                         m->way.match == KYMO_MATCH_SAME);
  for (guint k = 0; k < m->way.n_via; k++)
    kymo_table_append_int (c->hops, 0, m->way.via[k]);
  kymo_table_end_nested (c->table, c->via);
  append_ends (ask, c, m);
}

/**
 * kymo_messages_to_table:
 * @messages: #KymoMessage; they are sorted, by begin
 * @both_ends: tell for a picture where both ends are: their places in the order of the
 *   question, and when communication threads passed it on
 *
 * Returns: (transfer full): a row a message; less where it was cancelled
 */
KymoTable *
kymo_messages_to_table (const KymoAsk *ask,
                        GArray        *messages,
                        gboolean       both_ends)
{
  const KymoMessagePlan *plan = ask->plan;
  gboolean exchanged = kymo_run_has_exchanges (ask->run);
  Columns c = { .with_locations = both_ends || exchanged, .with_halves = exchanged || plan->halves,
                .both_ends = both_ends };

  add_columns (&c);
  if (!kymo_share_sort (messages->data, messages->len, sizeof (KymoMessage), compare_messages, NULL,
                        ask->n_threads, ask->cancellable))
    return c.table;
  for (guint i = 0; i < messages->len && !kymo_ask_is_stopped (ask, i << 2); i++)
    append_messages_table (ask, &c, &g_array_index (messages, KymoMessage, i));
  return c.table;
}

/* -- of what was found ----------------------------------------------------- */

static void
of_receive (const KymoAsk     *ask,
            const KymoSegment *receiver,
            guint              index,
            KymoMessage       *message)
{
  KymoReceipt receipt;

  kymo_receipt_of (ask, receiver, index, &receipt);
  *message = (KymoMessage) {
    .sent_ns = receipt.sender.sent_ns, .begin_ns = receipt.time_ns, .to = receipt.to,
    .bytes = receipt.bytes, .activity = receipt.activity, .location = receiver->location,
    .index = index, .kind = KYMO_MESSAGE_MATCHED,
  };
  message->way.match = kymo_sender_is_known (&receipt.sender) ? KYMO_MATCH_SAME : KYMO_MATCH_NONE;
  message->way.sender = receipt.sender;
  message->way.from = receipt.from;
}

static void
of_call (const KymoAsk *ask,
         KymoSegment   *receiver,
         guint          index,
         KymoMessage   *message)
{
  *message = (KymoMessage) {
    .begin_ns = kymo_segment_block_begin (receiver, index),
    .to = kymo_run_peek_location (ask->run, receiver->location)->id,
    .bytes = receiver->block_bytes[index], .activity = receiver->block_activity[index],
    .location = receiver->location, .index = index,
  };
  kymo_way_of_block (ask, receiver, index, &message->way);
  message->sent_ns = message->way.sender.sent_ns;
  message->kind = message->way.match == KYMO_MATCH_SAME ? KYMO_MESSAGE_MATCHED
    : KYMO_MESSAGE_UNCERTAIN;
}

/**
 * kymo_message_of_receiver:
 * @receiver: index of a location in the run
 * @index: a block, or a receive, there
 * @message: (out): the message that it was started by, or took in
 */
void
kymo_message_of_receiver (const KymoAsk *ask,
                          guint          receiver,
                          guint          index,
                          KymoMessage   *message)
{
  KymoSegment *segment = kymo_ask_segment_of (ask, receiver);

  if (segment->exchange != NULL)
    of_receive (ask, segment, index, message);
  else
    of_call (ask, segment, index, message);
  if (!kymo_sender_is_known (&message->way.sender))
    message->kind = KYMO_MESSAGE_UNMATCHED;
}

/** kymo_message_of_open: a send without a known receiver */
void
kymo_message_of_open (const KymoAsk     *ask,
                      const KymoSegment *sender,
                      guint              send,
                      KymoMessage       *message)
{
  const KymoLocation *location = kymo_run_peek_location (ask->run, sender->location);
  gboolean by_rank = sender->exchange != NULL;

  *message = (KymoMessage) {
    .sent_ns = kymo_segment_send_time (sender, send), .begin_ns = KYMO_NULL_INT,
    .to = by_rank ? sender->exchange->send_partner[send] : KYMO_NULL_INT,
    .bytes = sender->send_bytes[send], .activity = sender->send_activity[send],
    .location = sender->location, .index = send, .kind = KYMO_MESSAGE_OPEN,
  };
  message->way.match = KYMO_MATCH_NONE;
  message->way.sender = (KymoSender) { sender->location, send, message->activity,
                                       message->sent_ns };
  message->way.from = by_rank ? location->process : location->id;
  message->way.event = sender->send_event[send];
}

/**
 * kymo_send_is_open:
 *
 * What a communication thread sends on is told where it came from.
 *
 * Returns: %TRUE if a send has no known receiver
 */
gboolean
kymo_send_is_open (const KymoAsk      *ask,
                   const KymoArrivals *arrivals,
                   const KymoSegment  *sender,
                   guint               send)
{
  const KymoArrivalsOf *of = &arrivals->of[sender->location];

  return of->first[send] == of->first[send + 1]
    && kymo_run_peek_location (ask->run, sender->location)->kind != KYMO_LOCATION_COMM;
}
