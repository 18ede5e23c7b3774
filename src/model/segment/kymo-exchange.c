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
