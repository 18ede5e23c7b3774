/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-exchange.h"

#define FIRST_ROWS 16

KymoExchange *
kymo_exchange_new (void)
{
  return g_new0 (KymoExchange, 1);
}

/**
 * kymo_exchange_free:
 * @exchange: (nullable): whatever was made of it is gone
 */
void
kymo_exchange_free (KymoExchange *exchange)
{
  if (exchange == NULL)
    return;
  g_free (exchange->send_partner);
  g_free (exchange->send_tag);
  g_free (exchange->send_comm);
  g_free (exchange->send_location);
  g_free (exchange->send_receive);
  g_free (exchange->receive_time_ns);
  g_free (exchange->receive_partner);
  g_free (exchange->receive_tag);
  g_free (exchange->receive_comm);
  g_free (exchange->receive_bytes);
  g_free (exchange->receive_block);
  g_free (exchange->receive_location);
  g_free (exchange->receive_send);
  g_free (exchange);
}

static guint
larger (guint capacity)
{
  return capacity == 0 ? FIRST_ROWS : capacity + capacity / 2;
}

static void
grow_sends (KymoExchange *x)
{
  x->cap_sends = larger (x->cap_sends);
  x->send_partner = g_renew (gint32, x->send_partner, x->cap_sends);
  x->send_tag = g_renew (gint32, x->send_tag, x->cap_sends);
  x->send_comm = g_renew (guint32, x->send_comm, x->cap_sends);
}

static void
grow_receives (KymoExchange *x)
{
  x->cap_receives = larger (x->cap_receives);
  x->receive_time_ns = g_renew (gint64, x->receive_time_ns, x->cap_receives);
  x->receive_partner = g_renew (gint32, x->receive_partner, x->cap_receives);
  x->receive_tag = g_renew (gint32, x->receive_tag, x->cap_receives);
  x->receive_comm = g_renew (guint32, x->receive_comm, x->cap_receives);
  x->receive_bytes = g_renew (guint32, x->receive_bytes, x->cap_receives);
  x->receive_block = g_renew (guint32, x->receive_block, x->cap_receives);
}

/**
 * kymo_exchange_add_send:
 * @partner: rank sent to
 *
 * For the send that was added to the segment last: each has to have one.
 */
void
kymo_exchange_add_send (KymoExchange *x,
                        gint32        partner,
                        gint32        tag,
                        guint32       comm)
{
  guint i = x->n_sends;

  if (i == x->cap_sends)
    grow_sends (x);
  x->send_partner[i] = partner;
  x->send_tag[i] = tag;
  x->send_comm[i] = comm;
  x->n_sends++;
}

/**
 * kymo_exchange_add_receive:
 * @block: the innermost block around it, or %KYMO_NO_BLOCK
 * @partner: rank that sent it
 */
void
kymo_exchange_add_receive (KymoExchange *x,
                           gint64        time_ns,
                           guint32       block,
                           gint32        partner,
                           gint32        tag,
                           guint32       comm,
                           guint32       bytes)
{
  guint i = x->n_receives;

  if (i == x->cap_receives)
    grow_receives (x);
  x->receive_time_ns[i] = time_ns;
  x->receive_partner[i] = partner;
  x->receive_tag[i] = tag;
  x->receive_comm[i] = comm;
  x->receive_bytes[i] = bytes;
  x->receive_block[i] = block;
  x->n_receives++;
}

/**
 * kymo_exchange_get_bytes:
 *
 * Returns: what it takes in memory
 */
gsize
kymo_exchange_get_bytes (const KymoExchange *x)
{
  gsize a_send = 2 * sizeof (gint32) + sizeof (guint32);
  gsize a_receive = sizeof (gint64) + 2 * sizeof (gint32) + 3 * sizeof (guint32);

  if (x->send_location != NULL)
    a_send += 2 * sizeof (guint32);
  if (x->receive_location != NULL)
    a_receive += 2 * sizeof (guint32);
  return sizeof *x + x->cap_sends * a_send + x->cap_receives * a_receive;
}
