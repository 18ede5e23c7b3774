/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kymo-live-parents.h"

#include <string.h>

#include "kymo-live-socket.h"

/* A connection that ends within this time was refused: the next process is tried. */
#define REFUSED_NS 1000000000u

/**
 * kymo_live_parents_find: finds who is above a process.
 * @parents: (out)
 * @cards: of all processes, by rank; not needed any more after the call
 * @shape: the place of the process
 * @fan: see kymo_live_shape_find()
 */
void
kymo_live_parents_find (KymoLiveParents     *parents,
                        const KymoLiveCard  *cards,
                        uint32_t             n_cards,
                        const KymoLiveShape *shape,
                        uint32_t             fan)
{
  KymoLiveShape above = *shape;

  memset (parents, 0, sizeof *parents);
  parents->node = cards[shape->rank].node;
  while (above.parent != KYMO_LIVE_NO_RANK && parents->n < KYMO_LIVE_MOST_PARENTS)
    {
      uint32_t rank = above.parent;
      parents->above[parents->n].rank = rank;
      parents->above[parents->n++].card = cards[rank];
      if (!kymo_live_shape_find (&above, cards, n_cards, rank, fan))
        return;
    }
}

/**
 * kymo_live_parents_connect: connects a process to the lowest one above it that can be reached. May
 * take two seconds for each that gives no answer at all.
 * @time_ns: of the stream
 *
 * Returns: FALSE if none can be reached
 */
bool
kymo_live_parents_connect (KymoLiveParents *parents,
                           KymoLiveNode    *node,
                           uint64_t         time_ns)
{
  if (parents->was_connected && time_ns < parents->since_ns + REFUSED_NS)
    parents->at++;
  for (; parents->at < parents->n; parents->at++)
    {
      uint32_t at = parents->at;
      uint32_t via = at == 0 ? node->shape.rank : parents->above[at - 1].rank;
      bool far = parents->above[at].card.node != parents->node;
      int fd = kymo_live_reach (&parents->above[at].card, far);
      if (fd >= 0 && kymo_live_node_connect (node, fd, parents->above[at].rank, via, far))
        {
          parents->was_connected = true;
          parents->since_ns = time_ns;
          return true;
        }
    }
  return false;
}
