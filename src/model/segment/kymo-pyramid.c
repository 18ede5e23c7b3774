/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-pyramid.h"

#include "kymo-memory.h"

typedef KymoPyramidLevel Level;

struct _KymoPyramid
{
  GArray  *levels;              /* Level, finest first */
  gboolean lent;                /* the arrays belong to someone else */
};

/**
 * kymo_sums_init:
 * @n_states: number of states of the run
 *
 * Makes sums that are all 0. Clear with kymo_sums_clear().
 */
void
kymo_sums_init (KymoSums *sums,
                guint     n_states)
{
  sums->ns = g_new0 (gint64, n_states);
  sums->touched = g_new (guint32, n_states);
  sums->n_touched = 0;
  sums->n_states = n_states;
}

/**
 * kymo_sums_clear:
 *
 * Frees the columns of the sums, not the struct itself.
 */
void
kymo_sums_clear (KymoSums *sums)
{
  g_clear_pointer (&sums->ns, g_free);
  g_clear_pointer (&sums->touched, g_free);
}

/**
 * kymo_sums_reset:
 *
 * Back to zero, at the cost of what was touched.
 */
void
kymo_sums_reset (KymoSums *sums)
{
  for (guint i = 0; i < sums->n_touched; i++)
    sums->ns[sums->touched[i]] = 0;
  sums->n_touched = 0;
}

static void
add_pieces (KymoTimes      piece_begin,
            const guint32 *piece_state,
            guint          first,
            guint          end,
            KymoSums      *sums)
{
  const guint32 *tick = piece_begin.column;
  const gint64 *ns = piece_begin.column;

  if (G_LIKELY (!piece_begin.wide))
    for (guint i = first; i < end; i++)
      kymo_sums_add (sums, piece_state[i],
                     ((gint64) tick[i + 1] - tick[i]) * piece_begin.unit_ns);
  else
    for (guint i = first; i < end; i++)
      kymo_sums_add (sums, piece_state[i], ns[i + 1] - ns[i]);
}

static void
add_nodes (const Level *level,
           guint        first,
           guint        end,
           KymoSums    *sums)
{
  for (guint32 i = level->offsets[first]; i < level->offsets[end]; i++)
    kymo_sums_add (sums, level->states[i], level->ns[i]);
}

/* Moves the accumulator's content to the end of the level as one node. */
static void
flush_node (GArray   *offsets,
            GArray   *states,
            GArray   *ns,
            KymoSums *sums)
{
  guint32 begin = states->len, end = begin + sums->n_touched;

  if (end > begin)
    {
      guint32 *state;
      gint64 *value;

      g_array_set_size (states, end);
      g_array_set_size (ns, end);
      state = &g_array_index (states, guint32, begin);
      value = &g_array_index (ns, gint64, begin);
      for (guint i = 0; i < sums->n_touched; i++)
        {
          state[i] = sums->touched[i];
          value[i] = sums->ns[state[i]];
        }
    }
  g_array_append_val (offsets, end);
  kymo_sums_reset (sums);
}

static Level
level_new (KymoTimes      piece_begin,
           const guint32 *piece_state,
           guint          n_pieces,
           const Level   *below,
           KymoSums      *sums)
{
  guint n_below = below != NULL ? below->n_nodes : n_pieces;
  guint fanout = below != NULL ? KYMO_PYRAMID_FANOUT : KYMO_PYRAMID_LEAF;
  GArray *offsets = g_array_new (FALSE, TRUE, sizeof (guint32));
  GArray *states = g_array_new (FALSE, FALSE, sizeof (guint32));
  GArray *ns = g_array_new (FALSE, FALSE, sizeof (gint64));
  Level level;

  g_array_set_size (offsets, 1);
  for (guint i = 0; i < n_below; i += fanout)
    {
      guint end = MIN (n_below - i, fanout) + i;

      if (below != NULL)
        add_nodes (below, i, end, sums);
      else
        add_pieces (piece_begin, piece_state, i, end, sums);
      flush_node (offsets, states, ns, sums);
    }
  level.n_nodes = offsets->len - 1;
  level.offsets = kymo_array_steal_fitted (offsets);
  level.states = kymo_array_steal_fitted (states);
  level.ns = kymo_array_steal_fitted (ns);
  return level;
}

/* Levels on top of the finest one, until a handful of nodes is left. */
static void
add_levels (KymoPyramid *pyramid,
            KymoSums    *sums)
{
  Level level = g_array_index (pyramid->levels, Level, 0);

  while (level.n_nodes > KYMO_PYRAMID_FANOUT)
    {
      Level below = level;

      level = level_new ((KymoTimes) { 0 }, NULL, 0, &below, sums);
      g_array_append_val (pyramid->levels, level);
    }
}

/**
 * kymo_pyramid_new:
 * @piece_begin: n_pieces + 1 times, ascending
 * @piece_state: (array length=n_pieces): states below @n_states
 *
 * Returns: (transfer full): the pyramid; it does not keep the arrays
 */
KymoPyramid *
kymo_pyramid_new (KymoTimes      piece_begin,
                  const guint32 *piece_state,
                  guint          n_pieces,
                  guint          n_states)
{
  KymoPyramid *pyramid = g_new0 (KymoPyramid, 1);
  KymoSums sums;
  Level level;

  pyramid->levels = g_array_new (FALSE, FALSE, sizeof (Level));
  if (n_pieces <= KYMO_PYRAMID_LEAF)
    return pyramid;
  kymo_sums_init (&sums, n_states);
  level = level_new (piece_begin, piece_state, n_pieces, NULL, &sums);
  g_array_append_val (pyramid->levels, level);
  add_levels (pyramid, &sums);
  kymo_sums_clear (&sums);
  return pyramid;
}

/**
 * kymo_pyramid_plan:
 * @n_pieces: length of a track
 * @n_nodes: (out caller-allocates): nodes of up to KYMO_PYRAMID_MAX_LEVELS
 *   levels, finest first
 *
 * Returns: number of levels that kymo_pyramid_new() makes of @n pieces
 */
guint
kymo_pyramid_plan (guint  n_pieces,
                   guint *n_nodes)
{
  guint n_levels = 0, n = n_pieces;

  if (n_pieces <= KYMO_PYRAMID_LEAF)
    return 0;
  for (guint fanout = KYMO_PYRAMID_LEAF; n > KYMO_PYRAMID_FANOUT; fanout = KYMO_PYRAMID_FANOUT)
    {
      n = n / fanout + (n % fanout != 0);
      n_nodes[n_levels++] = n;
    }
  return n_levels;
}

/**
 * kymo_pyramid_new_lent:
 * @levels: (array length=n_levels): levels whose arrays stay the caller's and
 *   outlive the pyramid
 *
 * Returns: (transfer full): a pyramid over arrays made by another
 */
KymoPyramid *
kymo_pyramid_new_lent (const KymoPyramidLevel *levels,
                       guint                   n_levels)
{
  KymoPyramid *pyramid = g_new0 (KymoPyramid, 1);

  pyramid->lent = TRUE;
  pyramid->levels = g_array_new (FALSE, FALSE, sizeof (Level));
  g_array_append_vals (pyramid->levels, levels, n_levels);
  return pyramid;
}

/** kymo_pyramid_get_n_levels: the number of levels above the pieces */
guint
kymo_pyramid_get_n_levels (const KymoPyramid *pyramid)
{
  return pyramid->levels->len;
}

/**
 * kymo_pyramid_peek_level:
 * @index: from 0, the level next to the pieces
 *
 * Returns: (transfer none): the level, owned by the pyramid
 */
const KymoPyramidLevel *
kymo_pyramid_peek_level (const KymoPyramid *pyramid,
                         guint              index)
{
  return &g_array_index (pyramid->levels, Level, index);
}

/**
 * kymo_pyramid_new_from_nodes:
 * @offsets: (transfer full) (array): n_nodes + 1 offsets into @states and @ns
 * @states: (transfer full): states below @n_states, each at most once a node
 * @ns: (transfer full): what each state has in its node, > 0
 *
 * Returns: (transfer full): the pyramid over given nodes; to be read with
 * kymo_pyramid_peek_node() and kymo_pyramid_sum_nodes()
 */
KymoPyramid *
kymo_pyramid_new_from_nodes (guint32 *offsets,
                             guint32 *states,
                             gint64  *ns,
                             guint    n_nodes,
                             guint    n_states)
{
  KymoPyramid *pyramid = g_new0 (KymoPyramid, 1);
  Level level = { n_nodes, offsets, states, ns };
  KymoSums sums;

  pyramid->levels = g_array_new (FALSE, FALSE, sizeof (Level));
  g_array_append_val (pyramid->levels, level);
  kymo_sums_init (&sums, n_states);
  add_levels (pyramid, &sums);
  kymo_sums_clear (&sums);
  return pyramid;
}

/**
 * kymo_pyramid_map_states:
 * @state_of: the new number of every state
 *
 * Renumbers the states; before the pyramid is read by anyone else.
 */
void
kymo_pyramid_map_states (KymoPyramid   *pyramid,
                         const guint32 *state_of)
{
  for (guint i = 0; i < pyramid->levels->len; i++)
    {
      Level *level = &g_array_index (pyramid->levels, Level, i);

      for (guint32 k = 0; k < level->offsets[level->n_nodes]; k++)
        level->states[k] = state_of[level->states[k]];
    }
}

/**
 * kymo_pyramid_peek_node:
 * @states: (out) (transfer none): states of the node, in the order given
 * @ns: (out) (transfer none): their sums
 *
 * Returns: how many states the given node has
 */
guint
kymo_pyramid_peek_node (const KymoPyramid  *pyramid,
                        guint               node,
                        const guint32     **states,
                        const gint64      **ns)
{
  const Level *level = &g_array_index (pyramid->levels, Level, 0);
  guint n = level->offsets[node + 1] - level->offsets[node];

  /* A level whose nodes are all empty has no arrays. */
  *states = n > 0 ? level->states + level->offsets[node] : NULL;
  *ns = n > 0 ? level->ns + level->offsets[node] : NULL;
  return n;
}

/**
 * kymo_pyramid_free:
 *
 * Frees @pyramid. %NULL is ignored. Columns that it only borrows stay their owner's.
 */
void
kymo_pyramid_free (KymoPyramid *pyramid)
{
  if (pyramid == NULL)
    return;
  for (guint i = 0; i < pyramid->levels->len && !pyramid->lent; i++)
    {
      Level *level = &g_array_index (pyramid->levels, Level, i);

      g_free (level->offsets);
      g_free (level->states);
      g_free (level->ns);
    }
  g_array_unref (pyramid->levels);
  g_free (pyramid);
}

/** kymo_pyramid_get_bytes: the memory of the pyramid in bytes, borrowed columns included */
gsize
kymo_pyramid_get_bytes (const KymoPyramid *pyramid)
{
  gsize bytes = sizeof *pyramid;

  for (guint i = 0; i < pyramid->levels->len; i++)
    {
      const Level *level = &g_array_index (pyramid->levels, Level, i);

      bytes += (level->n_nodes + 1) * sizeof (guint32)
        + level->offsets[level->n_nodes] * (sizeof (guint32) + sizeof (gint64));
    }
  return bytes;
}

/**
 * kymo_pyramid_sum:
 * @piece_begin: when each piece begins
 * @piece_state: the state of each piece
 * @first: first piece
 * @end: one past the last piece
 * @sums: added to
 *
 * Adds the lengths of whole pieces by state: climbs while whole nodes fit, taking the ragged
 * ends on each level.
 */
void
kymo_pyramid_sum (const KymoPyramid *pyramid,
                  KymoTimes          piece_begin,
                  const guint32     *piece_state,
                  guint              first,
                  guint              end,
                  KymoSums          *sums)
{
  guint fanout = KYMO_PYRAMID_LEAF;

  for (guint k = 0; k <= pyramid->levels->len; k++, fanout = KYMO_PYRAMID_FANOUT)
    {
      const Level *level = k > 0 ? &g_array_index (pyramid->levels, Level, k - 1) : NULL;
      guint up_first = (first + fanout - 1) / fanout;
      guint up_end = end / fanout;
      gboolean climb = k < pyramid->levels->len && up_first < up_end;
      guint left_end = climb ? up_first * fanout : end;

      if (level != NULL)
        add_nodes (level, first, left_end, sums);
      else
        add_pieces (piece_begin, piece_state, first, left_end, sums);
      if (!climb)
        return;
      if (level != NULL)
        add_nodes (level, up_end * fanout, end, sums);
      else
        add_pieces (piece_begin, piece_state, up_end * fanout, end, sums);
      first = up_first;
      end = up_end;
    }
}

/**
 * kymo_pyramid_sum_nodes:
 * @first: first given node
 * @end: one past the last
 * @sums: added to
 *
 * kymo_pyramid_sum() of a pyramid over given nodes.
 */
void
kymo_pyramid_sum_nodes (const KymoPyramid *pyramid,
                        guint              first,
                        guint              end,
                        KymoSums          *sums)
{
  for (guint k = 0; first < end; k++)
    {
      const Level *level = &g_array_index (pyramid->levels, Level, k);
      guint up_first = (first + KYMO_PYRAMID_FANOUT - 1) / KYMO_PYRAMID_FANOUT;
      guint up_end = end / KYMO_PYRAMID_FANOUT;

      if (k + 1 == pyramid->levels->len || up_first >= up_end)
        {
          add_nodes (level, first, end, sums);
          return;
        }
      add_nodes (level, first, up_first * KYMO_PYRAMID_FANOUT, sums);
      add_nodes (level, up_end * KYMO_PYRAMID_FANOUT, end, sums);
      first = up_first;
      end = up_end;
    }
}
