/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a function sends and receives, for details: in the table "messages" and in
 * words. Those of the functions that it calls are theirs.
 */
#include "config.h"

#include "kymo-details.h"
#include "kymo-units.h"
#include "kymo-ways.h"

/* Messages told of one block; a function that waits for many may have thousands. */
#define MOST_MESSAGES 64

typedef struct
{
  const KymoAsk *ask;
  KymoSegment   *segment;
  KymoTable     *table;
  KymoTable     *lines;
  gint64         n_sent, n_received;
} Telling;

enum
{
  DIRECTION,
  RANK,
  LOCATION,
  LABEL,
  BYTES,
  TAG,
  COMMUNICATOR,
  SENT,
  RECEIVED,
  LATENCY,
  HALF,
};

static KymoTable *
new_table (void)
{
  KymoTable *table = kymo_table_new_list ("direction:string rank location label:string bytes tag "
                                          "communicator sent_ns received_ns latency_ns "
                                          "half:string");

  return table;
}

/* The location at the other end, or only its rank where that end is not in the run. */
static void
append_partner (Telling *telling,
                gint64   rank,
                gint     location)
{
  g_autofree char *label = location < 0 ? kymo_describe_rank (rank)
    : g_strdup (kymo_run_peek_location (telling->ask->run, location)->label);

  kymo_table_append_int (telling->table, RANK, rank);
  kymo_table_append_int (telling->table, LOCATION, location < 0 ? KYMO_NULL_INT
                         : kymo_run_peek_location (telling->ask->run, location)->id);
  kymo_table_append_string (telling->table, LABEL, label);
}

static void
append_times (Telling *telling,
              gint64   sent_ns,
              gint64   received_ns)
{
  gboolean both = sent_ns != KYMO_NULL_INT && received_ns != KYMO_NULL_INT;

  kymo_table_append_int (telling->table, SENT, sent_ns);
  kymo_table_append_int (telling->table, RECEIVED, received_ns);
  kymo_table_append_int (telling->table, LATENCY, both ? received_ns - sent_ns : KYMO_NULL_INT);
}

/* "Sends …" for "sends …" */
static void
append_line (Telling *telling,
             char    *words)
{
  words[0] = g_ascii_toupper (words[0]);
  kymo_table_append_string (telling->lines, 0, words);
  g_free (words);
}

static void
tell_send (Telling *telling,
           guint    i)
{
  const KymoSegment *segment = telling->segment;
  const KymoExchange *x = segment->exchange;
  KymoDelivery delivery;

  if (telling->n_sent++ >= MOST_MESSAGES)
    return;
  kymo_delivery_of (telling->ask, segment, i, &delivery);
  kymo_table_append_string (telling->table, DIRECTION, "send");
  append_partner (telling, x->send_partner[i], delivery.location);
  kymo_table_append_int (telling->table, BYTES, segment->send_bytes[i]);
  kymo_table_append_int (telling->table, TAG, x->send_tag[i]);
  kymo_table_append_int (telling->table, COMMUNICATOR, x->send_comm[i]);
  append_times (telling, kymo_segment_send_time (segment, i), delivery.time_ns);
  kymo_table_append_string (telling->table, HALF, kymo_exchange_send_is_half (x, i)
                            && !kymo_segment_send_is_cancelled (segment, i) ? "send" : NULL);
  append_line (telling, kymo_describe_send (telling->ask, telling->segment, i));
}

static void
tell_receive (Telling *telling,
              guint    i)
{
  const KymoExchange *x = telling->segment->exchange;
  KymoReceipt receipt;

  if (telling->n_received++ >= MOST_MESSAGES)
    return;
  kymo_receipt_of (telling->ask, telling->segment, i, &receipt);
  kymo_table_append_string (telling->table, DIRECTION, "receive");
  append_partner (telling, receipt.from, receipt.sender.location);
  kymo_table_append_int (telling->table, BYTES, receipt.bytes);
  kymo_table_append_int (telling->table, TAG, x->receive_tag[i]);
  kymo_table_append_int (telling->table, COMMUNICATOR, x->receive_comm[i]);
  append_times (telling, receipt.sender.sent_ns, receipt.time_ns);
  kymo_table_append_string (telling->table, HALF,
                            kymo_exchange_receive_is_half (x, i) ? "receive" : NULL);
  append_line (telling, kymo_describe_receive (telling->ask, telling->segment, i));
}

static void
tell_rest (Telling    *telling,
           gint64      n,
           const char *what)
{
  g_autofree char *count = kymo_format_count (n - MOST_MESSAGES);

  if (n > MOST_MESSAGES)
    append_line (telling, g_strdup_printf ("and %s %s more", count, what));
}

/**
 * kymo_details_set_exchanges:
 * @block: a function's, of a segment with exchanges
 * @lines: told in words there
 *
 * Adds the messages that the block sends and receives itself.
 */
void
kymo_details_set_exchanges (const KymoAsk *ask,
                            KymoSegment   *segment,
                            guint          block,
                            KymoTable     *answer,
                            KymoTable     *lines)
{
  const KymoExchange *x = segment->exchange;
  Telling telling = { ask, segment, new_table (), lines, 0, 0 };

  for (guint i = 0; i < x->n_sends; i++)
    if (x->send_block[i] == block)
      tell_send (&telling, i);
  tell_rest (&telling, telling.n_sent, "messages sent");
  for (guint i = 0; i < x->n_receives; i++)
    if (x->receive_block[i] == block)
      tell_receive (&telling, i);
  tell_rest (&telling, telling.n_received, "messages received");
  kymo_table_set_int (answer, "sent", telling.n_sent);
  kymo_table_set_int (answer, "received", telling.n_received);
  kymo_table_set_table (answer, "messages", telling.table);
}
