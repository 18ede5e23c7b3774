/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sums by pair of locations, of messages or of waiting; shared by several kinds. Only pairs that
 * exist take room.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* What an answer lists, unless it is told otherwise. */
#define KYMO_MOST_PAIRS 100000

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
                              gint64          group_size,
                              GCancellable   *cancellable);
gint64      kymo_pairs_group_size (GHashTable *pairs,
                                   gint64      n_ids,
                                   gint64      limit);
GPtrArray  *kymo_pairs_sort  (GHashTable     *pairs,
                              GCancellable   *cancellable);

G_END_DECLS
