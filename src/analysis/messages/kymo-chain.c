/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-chain.h. Back it costs the chain and what its receivers did while its messages
 * waited; forward the tree of what was caused.
 */
#include "config.h"

#include "kymo-chain.h"

#include "kymo-arrivals.h"
#include "kymo-ways.h"
#include "kymo-senders.h"

#define KEY(location, block) ((guint64) (location) << 32 | (block))

typedef struct
{
  const KymoAsk *ask;
  KymoChain     *chain;
  GHashTable    *seen;          /* blocks of the chain */
  KymoSegment   *segment;
  guint          block;
  gint64         time_ns;       /* what is later is on the chain */
} Walk;

/** kymo_chain_new: (transfer full): of no steps */
KymoChain *
kymo_chain_new (void)
{
  KymoChain *chain = g_new0 (KymoChain, 1);

  chain->steps = g_array_new (FALSE, FALSE, sizeof (KymoChainStep));
  return chain;
}

/**
 * kymo_chain_free:
 *
 * Frees the chain with its steps.
 */
void
kymo_chain_free (KymoChain *chain)
{
  g_array_unref (chain->steps);
  g_free (chain);
}

static void
add_step (KymoChain     *chain,
          KymoChainKind  kind,
          guint          location,
          guint32        state,
          gint64         begin_ns,
          gint64         end_ns)
{
  KymoChainStep step = { kind, state, location, location, begin_ns, end_ns, 0 };

  g_array_append_val (chain->steps, step);
}

static gboolean
see (GHashTable *seen,
     guint       location,
     guint       block)
{
  guint64 key = KEY (location, block);

  return g_hash_table_add (seen, g_memdup2 (&key, sizeof key));
}

/* The block that another one is nested in, or KYMO_NO_BLOCK. */
static guint32
outer_block (const KymoSegment *segment,
             guint              block)
{
  if (segment->block_depth == NULL || segment->block_depth[block] == 0)
    return KYMO_NO_BLOCK;
  for (guint i = block; i-- > 0;)
    if (segment->block_depth[i] < segment->block_depth[block])
      return i;
  return KYMO_NO_BLOCK;
}

/* The block before, if this block runs right behind it: no idle time between them, and the same
   element. An element that waits for several messages runs so behind the last of them. A nested
   block depends on the block around it. */
static guint32
block_that_set_off (const KymoSegment *segment,
                    guint              block)
{
  gint64 begin_ns = kymo_segment_block_begin (segment, block), end_ns;
  guint piece;

  if (segment->block_event[block] >= 0 || block == 0
      || kymo_segment_block_object (segment, block) == KYMO_NO_OBJECT
      || kymo_segment_block_object (segment, block - 1)
         != kymo_segment_block_object (segment, block)
      || (segment->block_depth != NULL
          && (segment->block_depth[block] > 0 || segment->block_depth[block - 1] > 0)))
    return KYMO_NO_BLOCK;
  end_ns = kymo_segment_block_end (segment, block - 1);
  if (end_ns > begin_ns)
    return KYMO_NO_BLOCK;
  if (end_ns == begin_ns)
    return block - 1;
  for (piece = kymo_segment_find_piece (segment, begin_ns - 1);
       kymo_segment_piece_begin (segment, piece) >= end_ns; piece--)
    {
      if (segment->piece_state[piece] == KYMO_STATE_IDLE
          || segment->piece_state[piece] == KYMO_STATE_UNTRACED)
        return KYMO_NO_BLOCK;
      if (piece == 0)
        break;
    }
  return block - 1;
}

/**
 * kymo_chain_queued_since:
 * @sent_ns: when a message was sent to the location
 * @begin_ns: when the block that it started began
 *
 * Returns: since when the location was busy without a pause until the block began, but not
 * before the sending: a message that is there ends idle time
 */
gint64
kymo_chain_queued_since (const KymoSegment *segment,
                         gint64             sent_ns,
                         gint64             begin_ns)
{
  guint piece;

  if (segment->n_pieces == 0 || sent_ns >= begin_ns
      || kymo_segment_piece_begin (segment, 0) >= begin_ns)
    return begin_ns;
  for (piece = kymo_segment_find_piece (segment, begin_ns - 1);; piece--)
    {
      guint32 state = segment->piece_state[piece];

      if (state == KYMO_STATE_IDLE || state == KYMO_STATE_UNTRACED)
        return MAX (kymo_segment_piece_begin (segment, piece + 1), sent_ns);
      if (kymo_segment_piece_begin (segment, piece) <= sent_ns)
        return sent_ns;
      if (piece == 0)
        return MAX (kymo_segment_piece_begin (segment, 0), sent_ns);
    }
}

/* A call that was interrupted goes on in another block: that hangs on its first one. */
static gboolean
step_to_first (Walk *walk)
{
  KymoSegment *segment = walk->segment;
  guint first = segment->call_first_block[kymo_segment_peek_calls (segment)[walk->block]];
  gint64 end_ns = MIN (kymo_segment_block_end (segment, first), walk->time_ns);

  walk->chain->end = KYMO_CHAIN_ROUND;
  if (end_ns < walk->time_ns)
    add_step (walk->chain, KYMO_CHAIN_QUEUE, segment->location,
              KYMO_STATE_ACTIVITY + segment->block_activity[walk->block], end_ns, walk->time_ns);
  walk->time_ns = end_ns;
  walk->block = first;
  return see (walk->seen, segment->location, first);
}

/* From the begin of the block to the sending of its message; FALSE at the end. */
static gboolean
step_over_message (Walk *walk)
{
  KymoSegment *segment = walk->segment;
  guint32 state = KYMO_STATE_ACTIVITY + segment->block_activity[walk->block];
  gint64 sent_ns, queued_ns;
  KymoChainStep message;
  KymoSentIn in;
  KymoWay way;

  if (!kymo_segment_is_first (segment, walk->block))
    return step_to_first (walk);
  kymo_way_of_block (walk->ask, segment, walk->block, &way);
  walk->chain->end = kymo_sender_is_known (&way.sender) ? KYMO_CHAIN_UNCERTAIN
    : KYMO_CHAIN_UNMATCHED;
  if (way.match != KYMO_MATCH_SAME)
    return FALSE;
  sent_ns = way.sender.sent_ns;
  queued_ns = kymo_chain_queued_since (segment, sent_ns, walk->time_ns);
  if (queued_ns < walk->time_ns)
    add_step (walk->chain, KYMO_CHAIN_QUEUE, segment->location, state, queued_ns, walk->time_ns);
  message = (KymoChainStep) { KYMO_CHAIN_MESSAGE, state, segment->location,
                              way.sender.location, sent_ns, queued_ns,
                              segment->block_bytes[walk->block] };
  g_array_append_val (walk->chain->steps, message);
  kymo_sent_in (walk->ask, &way.sender, &in);
  walk->chain->end = in.block == KYMO_NO_BLOCK ? KYMO_CHAIN_OUTSIDE : KYMO_CHAIN_ROUND;
  if (in.block == KYMO_NO_BLOCK || !see (walk->seen, way.sender.location, in.block))
    return FALSE;
  walk->segment = kymo_ask_segment_of (walk->ask, way.sender.location);
  walk->block = in.block;
  walk->time_ns = sent_ns;
  return TRUE;
}

/* Steps from a block that no message started to the block around it, or to the block that set it
   off. */
static gboolean
step_out (Walk *walk)
{
  KymoSegment *segment = walk->segment;
  guint32 outer = outer_block (segment, walk->block);

  walk->chain->end = KYMO_CHAIN_STARTED;
  if (outer == KYMO_NO_BLOCK)
    {
      gint64 end_ns;

      outer = block_that_set_off (segment, walk->block);
      if (outer == KYMO_NO_BLOCK)
        return FALSE;
      end_ns = kymo_segment_block_end (segment, outer);
      if (end_ns < walk->time_ns)
        add_step (walk->chain, KYMO_CHAIN_OTHER, segment->location, KYMO_STATE_OVERHEAD, end_ns,
                  walk->time_ns);
      walk->time_ns = end_ns;
    }
  walk->block = outer;
  return see (walk->seen, walk->segment->location, outer);
}

static void
walk_back (Walk    *walk,
           guint64  until)
{
  for (guint i = 0; !kymo_ask_is_stopped (walk->ask, i); i++)
    {
      KymoSegment *segment = walk->segment;
      gint64 begin_ns = kymo_segment_block_begin (segment, walk->block);

      add_step (walk->chain, KYMO_CHAIN_BLOCK, segment->location,
                KYMO_STATE_ACTIVITY + segment->block_activity[walk->block], begin_ns,
                walk->time_ns);
      walk->time_ns = begin_ns;
      walk->chain->end = KYMO_CHAIN_REACHED;
      if (KEY (segment->location, walk->block) == until
          || !(segment->block_event[walk->block] >= 0 ? step_over_message (walk)
               : step_out (walk)))
        return;
    }
}

static KymoChain *
chain_from (const KymoAsk *ask,
            KymoSegment   *segment,
            guint          block,
            gint64         end_ns,
            guint64        until)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  Walk walk = { ask, kymo_chain_new (), seen, segment, block, end_ns };

  see (seen, segment->location, block);
  walk_back (&walk, until);
  return walk.chain;
}

/**
 * kymo_chain_back:
 * @until_ns: where the chain ends; the end of the block, or a time in it
 *
 * Returns: (transfer full): what the block hangs on; in part, where it was cancelled
 */
KymoChain *
kymo_chain_back (const KymoAsk *ask,
                 KymoSegment   *segment,
                 guint          block,
                 gint64         until_ns)
{
  return chain_from (ask, segment, block, until_ns, G_MAXUINT64);
}

/* -- forward --------------------------------------------------------------- */

typedef struct
{
  const KymoAsk      *ask;
  const KymoArrivals *arrivals;
  guint8            **seen;     /* by location: a bit a block; NULL = none yet */
  GArray             *queue;    /* guint64: keys of blocks */
  gint64              last_ns;
  guint64             last;
} Tree;

static gboolean
see_in_tree (Tree  *tree,
             guint  location,
             guint  block)
{
  const KymoSegment *segment = kymo_ask_segment_of (tree->ask, location);
  guint8 bit = 1 << (block & 7);

  if (tree->seen[location] == NULL)
    tree->seen[location] = g_malloc0 (segment->n_blocks / 8 + 1);
  if (tree->seen[location][block >> 3] & bit)
    return FALSE;
  tree->seen[location][block >> 3] |= bit;
  return TRUE;
}

static void
reach (Tree  *tree,
       guint  location,
       guint  block)
{
  const KymoSegment *segment = kymo_ask_segment_of (tree->ask, location);
  gint64 end_ns = kymo_segment_block_end (segment, block);
  guint64 key = KEY (location, block);

  if (!see_in_tree (tree, location, block))
    return;
  g_array_append_val (tree->queue, key);
  if (end_ns > tree->last_ns || (end_ns == tree->last_ns && key < tree->last))
    {
      tree->last_ns = end_ns;
      tree->last = key;
    }
}

/* TRUE if the send belongs to the block, or to a block inside it that no message started. */
static gboolean
is_send_of (const Tree        *tree,
            const KymoSegment *segment,
            guint              send,
            guint              block)
{
  guint32 owner = kymo_send_owner (tree->ask, segment, send);

  while (owner != KYMO_NO_BLOCK && owner != block && segment->block_event[owner] < 0)
    owner = outer_block (segment, owner);
  return owner == block;
}

static void
reach_from (Tree    *tree,
            guint64  key)
{
  guint location = key >> 32, block = (guint32) key;
  const KymoSegment *segment = kymo_ask_segment_of (tree->ask, location);
  const KymoArrivalsOf *of = &tree->arrivals->of[location];
  gint64 end_ns = kymo_segment_block_end (segment, block);

  for (guint i = kymo_segment_first_send (segment, kymo_segment_block_begin (segment, block));
       i < segment->n_sends && kymo_segment_send_time (segment, i) <= end_ns; i++)
    {
      if (of->first[i] == of->first[i + 1] || !is_send_of (tree, segment, i, block))
        continue;
      for (guint k = of->first[i]; k < of->first[i + 1]; k++)
        if (!of->items[k].uncertain)
          reach (tree, of->items[k].location, of->items[k].index);
    }
  if (block + 1 < segment->n_blocks && block_that_set_off (segment, block + 1) == block)
    reach (tree, location, block + 1);
}

/* The block that a message started: a block without a message counts for the block around it. */
static guint
started_block (const KymoSegment *segment,
               guint              block)
{
  guint32 outer;

  while (segment->block_event[block] < 0
         && (outer = outer_block (segment, block)) != KYMO_NO_BLOCK)
    block = outer;
  return block;
}

/**
 * kymo_chain_forward:
 *
 * Returns: (transfer full) (nullable): from the block to the last one it caused; %NULL
 * when it was cancelled
 */
KymoChain *
kymo_chain_forward (const KymoAsk  *ask,
                    KymoSegment    *segment,
                    guint           block,
                    GError        **error)
{
  guint n = ask->run->locations->len;
  g_autofree guint8 **seen = g_new0 (guint8 *, n);
  g_autoptr (GArray) queue = g_array_new (FALSE, FALSE, sizeof (guint64));
  Tree tree = { ask, kymo_arrivals_peek (ask, error), seen, queue, G_MININT64, 0 };
  KymoChain *chain = NULL;
  gint64 caused_ns = 0;
  guint64 first;

  if (tree.arrivals == NULL)
    return NULL;
  block = started_block (segment, block);
  first = KEY (segment->location, block);
  reach (&tree, segment->location, block);
  for (guint i = 0; i < queue->len && !kymo_ask_is_stopped (ask, i); i++)
    {
      guint64 key = g_array_index (queue, guint64, i);
      const KymoSegment *there = kymo_ask_segment_of (ask, key >> 32);

      if (i > 0)
        caused_ns = kymo_saturating_add (
          caused_ns, kymo_segment_block_end (there, (guint32) key)
          - kymo_segment_block_begin (there, (guint32) key));
      reach_from (&tree, key);
    }
  if (!g_cancellable_set_error_if_cancelled (ask->cancellable, error))
    {
      chain = chain_from (ask, kymo_ask_segment_of (ask, tree.last >> 32), (guint32) tree.last,
                          tree.last_ns, first);
      chain->caused = queue->len - 1;
      chain->caused_ns = caused_ns;
    }
  for (guint i = 0; i < n; i++)
    g_free (seen[i]);
  return chain;
}
