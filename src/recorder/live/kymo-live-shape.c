/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The processes of a node form a heap with `fan` children each, whose first is the leader
 * of the node; the leaders of all nodes form another one. Processes that do not take part are left
 * out. Rank 0 is the first of the first node, so it is the root.
 */
#include "kymo-live-shape.h"

#include <string.h>

#include "kymo-rec-sys.h"

/* Levels below the entry `at` of a heap of `n` entries: the first child is as deep as any. */
static uint32_t
heap_height (uint32_t at,
             uint32_t n,
             uint32_t fan)
{
  uint32_t height = 0;

  for (uint64_t child = (uint64_t) at * fan + 1; child < n;
       child = child * fan + 1)
    height++;
  return height;
}

/* Where the processes are: `node_of` numbers nodes in the order of their leaders. */
typedef struct
{
  uint32_t *node_of;            /* by rank; KYMO_LIVE_NO_RANK: takes no part */
  uint32_t *leaders;            /* ranks, by number of the node */
  uint32_t n_nodes;
  uint32_t largest;             /* processes of the largest node */
  uint32_t fan;                 /* children of a process on a node, and of a node */
} Places;

static uint64_t
hash_node (uint64_t node)
{
  node ^= node >> 31;
  node *= 0x9e3779b97f4a7c15u;
  return node ^ node >> 29;
}

/* Numbers the nodes; `slots` is a hash table of numbers + 1, `sizes` counts processes. */
static void
number_nodes (Places             *places,
              const KymoLiveCard *cards,
              uint32_t            n,
              uint32_t           *slots,
              uint32_t            n_slots,
              uint32_t           *sizes)
{
  for (uint32_t i = 0; i < n; i++)
    {
      places->node_of[i] = KYMO_LIVE_NO_RANK;
      if (cards[i].open != 1)
        continue;
      uint32_t slot = (uint32_t) hash_node (cards[i].node) & (n_slots - 1);
      while (slots[slot] != 0
             && cards[places->leaders[slots[slot] - 1]].node != cards[i].node)
        slot = (slot + 1) & (n_slots - 1);
      if (slots[slot] == 0)
        {
          places->leaders[places->n_nodes] = i;
          slots[slot] = ++places->n_nodes;
        }
      places->node_of[i] = slots[slot] - 1;
      if (++sizes[places->node_of[i]] > places->largest)
        places->largest = sizes[places->node_of[i]];
    }
}

static void
add_child (KymoLiveShape *shape,
           uint32_t       rank)
{
  if (shape->n_children < KYMO_LIVE_MOST_CHILDREN)
    shape->children[shape->n_children++] = rank;
}

/* Parent and children among the processes of the own node. */
static uint32_t
link_node (KymoLiveShape *shape,
           const Places  *places,
           uint32_t       n)
{
  uint32_t node = places->node_of[shape->rank], own = 0, at = 0;

  for (uint32_t i = places->leaders[node]; i < shape->rank; i++)
    own += places->node_of[i] == node;
  for (uint32_t i = places->leaders[node]; i < n; i++)
    {
      if (places->node_of[i] != node)
        continue;
      if (own > 0 && at == (own - 1) / places->fan)
        shape->parent = i;
      if (at > 0 && (at - 1) / places->fan == own)
        add_child (shape, i);
      at++;
    }
  shape->is_leader = own == 0;
  return heap_height (own, at, places->fan);
}

static void
link_leaders (KymoLiveShape *shape,
              const Places  *places)
{
  uint32_t node = places->node_of[shape->rank];

  if (node > 0)
    {
      shape->parent = places->leaders[(node - 1) / places->fan];
      shape->far = true;
    }
  for (uint32_t i = 1; i <= places->fan; i++)
    {
      uint64_t child = (uint64_t) node * places->fan + i;
      if (child < places->n_nodes)
        {
          add_child (shape, places->leaders[child]);
          shape->far_children = true;
        }
    }
}

/**
 * kymo_live_shape_find:
 * @shape: (out): the place of a process in the tree
 * @cards: of all processes, by rank
 * @rank: of the process
 * @fan: most children of a process on its node, and of a node; 1 to KYMO_LIVE_FAN
 *
 * Returns: FALSE if the process takes no part, or rank 0 does not, or there is no memory
 */
bool
kymo_live_shape_find (KymoLiveShape      *shape,
                      const KymoLiveCard *cards,
                      uint32_t            n_cards,
                      uint32_t            rank,
                      uint32_t            fan)
{
  uint32_t n_slots = 4;

  memset (shape, 0, sizeof *shape);
  shape->rank = rank;
  shape->n_processes = n_cards;
  shape->parent = KYMO_LIVE_NO_RANK;
  if (n_cards == 0 || n_cards > 1u << 28 || rank >= n_cards || cards[rank].open != 1
      || cards[0].open != 1)
    return false;
  while (n_slots < 2 * n_cards)
    n_slots *= 2;
  size_t n_bytes = (3 * (size_t) n_cards + n_slots) * sizeof (uint32_t);
  uint32_t *memory = kymo_sys_map (n_bytes, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == NULL)
    return false;
  Places places = { memory, memory + n_cards, 0, 0, fan };
  number_nodes (&places, cards, n_cards, memory + 3 * (size_t) n_cards, n_slots,
                memory + 2 * (size_t) n_cards);
  uint32_t below = link_node (shape, &places, n_cards);
  uint32_t node_height = heap_height (0, places.largest, fan);
  shape->height = below;
  if (shape->is_leader)
    {
      uint32_t leaders = heap_height (places.node_of[rank], places.n_nodes, fan);
      link_leaders (shape, &places);
      if (leaders > 0)
        shape->height = leaders + node_height;
    }
  shape->tree_height = heap_height (0, places.n_nodes, fan) + node_height;
  kymo_sys_unmap (memory, n_bytes);
  return true;
}
