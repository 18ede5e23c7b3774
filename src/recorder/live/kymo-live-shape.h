/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The shape of the tree: who is whose child. Each process finds it from the cards of all; nothing
 * is communicated.
 */
#pragma once

#include "kymo-live.h"

#define KYMO_LIVE_FAN 8                 /* most children on the own node, and on other nodes */
#define KYMO_LIVE_MOST_CHILDREN (2 * KYMO_LIVE_FAN)
#define KYMO_LIVE_NO_RANK UINT32_MAX

typedef struct
{
  uint32_t rank, n_processes;
  uint32_t parent;              /* KYMO_LIVE_NO_RANK of rank 0 */
  uint32_t children[KYMO_LIVE_MOST_CHILDREN];
  uint32_t n_children;
  uint32_t height;              /* levels below this process; 0 = it has no children */
  uint32_t tree_height;         /* levels below rank 0 */
  bool is_leader;               /* the first process of its node */
  bool far;                     /* the parent is on another node */
  bool far_children;            /* one of the children is */
} KymoLiveShape;

#pragma GCC visibility push (hidden)

bool kymo_live_shape_find (KymoLiveShape      *shape,
                           const KymoLiveCard *cards,
                           uint32_t            n_cards,
                           uint32_t            rank,
                           uint32_t            fan);

#pragma GCC visibility pop
