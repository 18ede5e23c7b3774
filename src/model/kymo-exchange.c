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

/**
 * kymo_exchange_free:
 * @exchange: (nullable): whose columns are its own
 */
void
kymo_exchange_free (KymoExchange *exchange)
{
  if (exchange == NULL)
    return;
  kymo_scratch_free (exchange->send_partner);
  kymo_scratch_free (exchange->send_tag);
  kymo_scratch_free (exchange->send_comm);
  kymo_scratch_free (exchange->send_block);
  kymo_scratch_free (exchange->send_location);
  kymo_scratch_free (exchange->send_receive);
  kymo_scratch_free (exchange->receive_time);
  kymo_scratch_free (exchange->receive_partner);
  kymo_scratch_free (exchange->receive_tag);
  kymo_scratch_free (exchange->receive_comm);
  kymo_scratch_free (exchange->receive_bytes);
  kymo_scratch_free (exchange->receive_block);
  kymo_scratch_free (exchange->receive_location);
  kymo_scratch_free (exchange->receive_send);
  g_free (exchange);
}
