/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-exchange.h"

#include "kymo-memory.h"

/**
 * kymo_exchange_new:
 *
 * Returns: (transfer full): one without messages, for a KymoSegmentBuilder to fill
 */
KymoExchange *
kymo_exchange_new (void)
{
  return g_new0 (KymoExchange, 1);
}

static void
free_columns (KymoExchange *x)
{
  kymo_scratch_free (x->send_partner);
  kymo_scratch_free (x->send_tag);
  kymo_scratch_free (x->send_comm);
  kymo_scratch_free (x->send_block);
  kymo_scratch_free (x->send_request);
  kymo_scratch_free (x->receive_time);
  kymo_scratch_free (x->receive_partner);
  kymo_scratch_free (x->receive_tag);
  kymo_scratch_free (x->receive_comm);
  kymo_scratch_free (x->receive_bytes);
  kymo_scratch_free (x->receive_block);
  kymo_scratch_free (x->receive_request);
}

/**
 * kymo_exchange_free_matches:
 *
 * Forgets which records belong together.
 */
void
kymo_exchange_free_matches (KymoExchange *exchange)
{
  if (!exchange->matches_lent)
    {
      kymo_scratch_free (exchange->send_location);
      kymo_scratch_free (exchange->send_receive);
      kymo_scratch_free (exchange->receive_location);
      kymo_scratch_free (exchange->receive_send);
    }
  exchange->send_location = exchange->send_receive = NULL;
  exchange->receive_location = exchange->receive_send = NULL;
  exchange->matches_lent = FALSE;
}

/**
 * kymo_exchange_free:
 * @exchange: (nullable): what is not lent goes with it
 */
void
kymo_exchange_free (KymoExchange *exchange)
{
  if (exchange == NULL)
    return;
  kymo_exchange_free_matches (exchange);
  if (!exchange->columns_lent)
    free_columns (exchange);
  g_free (exchange);
}

/**
 * kymo_exchange_send_is_half:
 * @send: of an exchange whose records are matched; not a cancelled one
 *
 * What is put in one-sided communication has no tag, and no receive.
 *
 * Returns: whether the receive of the message is not in the run
 */
gboolean
kymo_exchange_send_is_half (const KymoExchange *exchange,
                            guint               send)
{
  return exchange->send_tag[send] >= 0
    && (exchange->send_location == NULL || exchange->send_location[send] == KYMO_UNMATCHED);
}

/**
 * kymo_exchange_receive_is_half:
 * @receive: of an exchange whose records are matched
 *
 * Returns: whether the send of the message is not in the run
 */
gboolean
kymo_exchange_receive_is_half (const KymoExchange *exchange,
                               guint               receive)
{
  return exchange->receive_tag[receive] >= 0
    && (exchange->receive_location == NULL
        || exchange->receive_location[receive] == KYMO_UNMATCHED);
}
