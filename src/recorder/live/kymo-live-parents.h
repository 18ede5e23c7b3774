/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The processes above one in the tree, up to rank 0, and how it is connected to the lowest of them
 * that is still there.
 */
#pragma once

#include "kymo-live-node.h"

/* Levels of a tree of 2^28 processes: those of a node, and nodes. */
#define KYMO_LIVE_MOST_PARENTS 24

typedef struct
{
  struct
  {
    uint32_t rank;
    KymoLiveCard card;
  } above[KYMO_LIVE_MOST_PARENTS];      /* the parent first, rank 0 last */
  uint32_t n;
  uint32_t at;                  /* who is connected, or is tried next */
  uint64_t node;                /* that of the process itself, see KymoLiveCard */
  uint64_t since_ns;            /* of this connection */
  bool was_connected;
} KymoLiveParents;

#pragma GCC visibility push (hidden)

void kymo_live_parents_find    (KymoLiveParents     *parents,
                                const KymoLiveCard  *cards,
                                uint32_t             n_cards,
                                const KymoLiveShape *shape,
                                uint32_t             fan);
bool kymo_live_parents_connect (KymoLiveParents     *parents,
                                KymoLiveNode        *node,
                                uint64_t             time_ns);

#pragma GCC visibility pop
