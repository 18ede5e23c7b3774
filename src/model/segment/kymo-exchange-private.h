/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The messages from one rank to another, for kymo_run_match_exchanges() alone.
 */
#pragma once

#include "kymo-exchange.h"

G_BEGIN_DECLS

/**
 * KymoExchangeGroup: ends of messages of one location and one rank
 * @rank: index of the rank at the other end
 * @location: index of the location whose they are
 * @order: their numbers in its exchange, ascending
 */
typedef struct
{
  guint          rank;
  guint          location;
  const guint32 *order;
  guint          n;
} KymoExchangeGroup;

typedef struct _KymoExchangePair KymoExchangePair;

KymoExchangePair *kymo_exchange_pair_new   (const struct _KymoRun   *run,
                                            KymoExchange           **exchanges,
                                            const guint8            *cuts);
void              kymo_exchange_pair_free  (KymoExchangePair        *pair);
void              kymo_exchange_pair_match (KymoExchangePair        *pair,
                                            const KymoExchangeGroup *sends,
                                            guint                    n_sends,
                                            const KymoExchangeGroup *receives,
                                            guint                    n_receives);

G_END_DECLS
