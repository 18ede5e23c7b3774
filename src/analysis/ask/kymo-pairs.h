/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sums over messages by pair of sender and receiver; shared by the kinds
 * communication and messages. Only pairs that exist take room.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * KymoPair:
 * @from: id of the sending location
 * @to: id of the receiving one
 * @messages: how many
 * @bytes: their sizes together
 * @matched: of how many the latency is known
 * @latency_ns: sum of those latencies
 */
typedef struct
{
  gint64 from, to;
  gint64 messages, bytes, matched, latency_ns;
} KymoPair;

GHashTable *kymo_pairs_new   (void);
void        kymo_pairs_add   (GHashTable     *pairs,
                              const KymoPair *pair);
void        kymo_pairs_merge (GHashTable     *into,
                              GHashTable     *from,
                              gint64          group_size);
GPtrArray  *kymo_pairs_sort  (GHashTable     *pairs);

G_END_DECLS
