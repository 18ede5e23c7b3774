/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The level-of-detail pyramid over a track: sums per state of runs of pieces,
 * so that the sum over any range of pieces costs a few nodes.
 *
 * Level 0 nodes cover KYMO_PYRAMID_LEAF pieces each, every node above covers
 * KYMO_PYRAMID_FANOUT nodes below. A node is a sparse list of (state, ns).
 * Where there are no pieces (a summary knows sums by bins only), level 0 is
 * given: a node a bin.
 * The sums are exact, so an answer from the pyramid equals one from the
 * pieces. The idea of an implicit forest over sorted slices is that of
 * Perfetto's slice mipmaps; here each node keeps all sums, not the longest.
 */
#pragma once

#include <glib.h>

#include "kymo-times.h"

G_BEGIN_DECLS

#define KYMO_PYRAMID_LEAF 64
#define KYMO_PYRAMID_FANOUT 8

/** States of a track before the first activity. */
enum
{
  KYMO_STATE_OVERHEAD,
  KYMO_STATE_IDLE,
  KYMO_STATE_UNTRACED,
  KYMO_STATE_ACTIVITY,          /* + index of the activity */
};

/**
 * KymoSums:
 * @ns: dense sums, one a state
 * @touched: the states whose sum is not zero, in order of first touch
 *
 * An accumulator that is cheap to clear.
 */
typedef struct
{
  gint64  *ns;
  guint32 *touched;
  guint    n_touched;
  guint    n_states;
} KymoSums;

void kymo_sums_init  (KymoSums *sums,
                      guint     n_states);
void kymo_sums_clear (KymoSums *sums);
void kymo_sums_reset (KymoSums *sums);

/**
 * kymo_sums_add:
 * @state: a state, below the number of states
 * @ns: time to add; nothing is done if it is not above 0
 *
 * Adds to the sum of a state, and notes the state as touched when it is the first.
 */
static inline void
kymo_sums_add (KymoSums *sums,
               guint32   state,
               gint64    ns)
{
  if (ns <= 0)
    return;
  if (sums->ns[state] == 0)
    sums->touched[sums->n_touched++] = state;
  sums->ns[state] += ns;
}

typedef struct _KymoPyramid KymoPyramid;

/** KYMO_PYRAMID_MAX_LEVELS: levels of a track of 2^32 pieces */
#define KYMO_PYRAMID_MAX_LEVELS 10

/**
 * KymoPyramidLevel:
 * @n_nodes: nodes of the level
 * @offsets: n_nodes + 1, ascending, into @states and @ns
 * @states: the states of all nodes, one node after the other
 * @ns: nanoseconds of each of them, never 0
 */
typedef struct
{
  guint    n_nodes;
  guint32 *offsets;
  guint32 *states;
  gint64  *ns;
} KymoPyramidLevel;

guint        kymo_pyramid_plan      (guint               n_pieces,
                                     guint              *n_nodes);
KymoPyramid *kymo_pyramid_new_lent  (const KymoPyramidLevel *levels,
                                     guint               n_levels);
guint        kymo_pyramid_get_n_levels (const KymoPyramid *pyramid);
const KymoPyramidLevel *kymo_pyramid_peek_level (const KymoPyramid *pyramid,
                                     guint               index);

KymoPyramid *kymo_pyramid_new       (KymoTimes          piece_begin,
                                     const guint32     *piece_state,
                                     guint              n_pieces,
                                     guint              n_states);
KymoPyramid *kymo_pyramid_new_from_nodes (guint32     *offsets,
                                     guint32           *states,
                                     gint64            *ns,
                                     guint              n_nodes,
                                     guint              n_states);
void         kymo_pyramid_map_states (KymoPyramid      *pyramid,
                                     const guint32     *state_of);
guint        kymo_pyramid_peek_node (const KymoPyramid *pyramid,
                                     guint              node,
                                     const guint32    **states,
                                     const gint64     **ns);
void         kymo_pyramid_sum_nodes (const KymoPyramid *pyramid,
                                     guint              first,
                                     guint              end,
                                     KymoSums          *sums);
void         kymo_pyramid_free      (KymoPyramid       *pyramid);
gsize        kymo_pyramid_get_bytes (const KymoPyramid *pyramid);
void         kymo_pyramid_sum       (const KymoPyramid *pyramid,
                                     KymoTimes          piece_begin,
                                     const guint32     *piece_state,
                                     guint              first,
                                     guint              end,
                                     KymoSums          *sums);

G_END_DECLS
