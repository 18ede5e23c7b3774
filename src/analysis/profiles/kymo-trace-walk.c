/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Blocks lie in order of begin with their depth, so a walk needs one stack. A block
 * gives its length to its node and takes it from the node that it lies in: exclusive
 * times need no second look when a block ends.
 */
#include "config.h"

#include "kymo-trace-walk.h"

#include <string.h>

#include "kymo-memory.h"
#include "kymo-trace-profile.h"

typedef struct
{
  guint64 key;                  /* parent << 32 | function */
  guint32 node;
} Slot;

typedef struct
{
  KymoTraceRow sums;
  guint        open;            /* activations on the stack */
  gboolean     touched;
} Node;

struct _KymoTraceWalk
{
  const KymoRun            *run;
  const KymoTraceFunctions *functions;
  GCancellable             *cancellable;
  gboolean                  paths;
  guint                     most_nodes;
  guint                     n_metrics;
  GArray                   *nodes;      /* KymoTraceNode */
  GArray                   *figures;    /* Node, by node */
  GArray                   *counters;   /* gint64, by node, metric, exclusive or not */
  GArray                   *touched;    /* guint32: nodes of this location */
  Slot                     *slots;      /* a power of two of them, node NONE = free */
  guint                     n_slots;
  guint32                  *below;      /* of this base: node of each function */
  guint32                   base;
  gboolean                  is_full;
  /* Of the location that is walked. */
  KymoSegment              *segment;
  gint64                   *own;        /* counters of blocks without their inner ones */
  guint                     at;         /* the last stretch ended before this block */
  guint                     open[G_MAXUINT8 + 1];       /* blocks that it ended in */
  guint                     n_open;
};

#define NONE G_MAXUINT32

/**
 * kymo_trace_walk_new:
 * @paths: whether a node is a call path, or a function
 * @most_nodes: limit of nodes that are kept apart
 * @cancellable: (nullable): looked at every 4,096 blocks
 */
KymoTraceWalk *
kymo_trace_walk_new (const KymoRun            *run,
                     const KymoTraceFunctions *functions,
                     gboolean                  paths,
                     guint                     most_nodes,
                     GCancellable             *cancellable)
{
  KymoTraceWalk *walk = g_new0 (KymoTraceWalk, 1);

  walk->run = run;
  walk->functions = functions;
  walk->cancellable = cancellable;
  walk->paths = paths;
  walk->most_nodes = most_nodes;
  walk->n_metrics = run->metrics->len;
  walk->nodes = g_array_new (FALSE, FALSE, sizeof (KymoTraceNode));
  walk->figures = g_array_new (FALSE, TRUE, sizeof (Node));
  walk->counters = g_array_new (FALSE, TRUE, sizeof (gint64));
  walk->touched = g_array_new (FALSE, FALSE, sizeof (guint32));
  walk->n_slots = 256;
  walk->slots = g_new (Slot, walk->n_slots);
  for (guint i = 0; i < walk->n_slots; i++)
    walk->slots[i].node = NONE;
  walk->below = g_new (guint32, MAX (functions->n_functions, 1));
  walk->base = KYMO_TRACE_ROOT;
  for (guint i = 0; i < functions->n_functions; i++)
    walk->below[i] = NONE;
  return walk;
}

/** kymo_trace_walk_free: frees the nodes and their figures */
void
kymo_trace_walk_free (KymoTraceWalk *walk)
{
  g_array_unref (walk->nodes);
  g_array_unref (walk->figures);
  g_array_unref (walk->counters);
  g_array_unref (walk->touched);
  g_free (walk->slots);
  g_free (walk->below);
  g_free (walk);
}

/* -- nodes ------------------------------------------------------------------ */

/* The slot of a key, or the free one where it belongs; the multiplier is that of
   Fibonacci hashing (Knuth, The Art of Computer Programming, vol. 3, 6.4). */
static Slot *
find_slot (Slot    *slots,
           guint    n_slots,
           guint64  key)
{
  guint i = (guint) ((key * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)) >> 32) & (n_slots - 1);

  while (slots[i].node != NONE && slots[i].key != key)
    i = (i + 1) & (n_slots - 1);
  return &slots[i];
}

static void
grow_slots (KymoTraceWalk *walk)
{
  guint n = walk->n_slots * 2;
  Slot *slots = g_new (Slot, n);

  for (guint i = 0; i < n; i++)
    slots[i].node = NONE;
  for (guint i = 0; i < walk->n_slots; i++)
    if (walk->slots[i].node != NONE)
      *find_slot (slots, n, walk->slots[i].key) = walk->slots[i];
  g_free (walk->slots);
  walk->slots = slots;
  walk->n_slots = n;
}

/* The node of a function below another; NONE where there are too many. */
static guint32
find_node (KymoTraceWalk *walk,
           guint32        parent,
           guint32        function)
{
  guint64 key = (guint64) parent << 32 | function;
  Slot *slot = find_slot (walk->slots, walk->n_slots, key);
  KymoTraceNode node = { parent, function };

  if (slot->node != NONE)
    return slot->node;
  if (walk->nodes->len == walk->most_nodes)
    {
      walk->is_full = TRUE;
      return NONE;
    }
  *slot = (Slot) { key, walk->nodes->len };
  g_array_append_val (walk->nodes, node);
  g_array_set_size (walk->figures, walk->nodes->len);
  g_array_set_size (walk->counters, walk->nodes->len * walk->n_metrics * 2);
  if (walk->nodes->len > walk->n_slots / 2)
    grow_slots (walk);
  return walk->nodes->len - 1;
}

/* The node of a function that stands below the base, without a hash. */
static guint32
find_below (KymoTraceWalk *walk,
            guint32        base,
            guint32        function)
{
  if (walk->base != base)
    {
      walk->base = base;
      for (guint i = 0; i < walk->functions->n_functions; i++)
        walk->below[i] = NONE;
    }
  if (walk->below[function] == NONE)
    walk->below[function] = find_node (walk, base, function);
  return walk->below[function];
}

static inline Node *
touch (KymoTraceWalk *walk,
       guint32        node)
{
  Node *figures = &g_array_index (walk->figures, Node, node);

  if (!figures->touched)
    {
      figures->touched = TRUE;
      g_array_append_val (walk->touched, node);
    }
  return figures;
}

/* -- blocks ----------------------------------------------------------------- */

typedef struct
{
  KymoTraceWalk *walk;
  KymoSegment   *segment;
  KymoSpan       span;
  guint32        below;
  guint32        stack[G_MAXUINT8 + 1];         /* nodes, NONE of those too many */
  guint          blocks[G_MAXUINT8 + 1];        /* beside it */
  guint          depth;
} Here;

static void
add_counters (Here    *here,
              guint    block,
              guint32  node,
              gboolean outermost)
{
  const KymoSegment *segment = here->segment;
  guint n = MIN (segment->n_counters, here->walk->n_metrics);
  gint64 *sums;

  if (n == 0)                   /* then the arrays have no memory */
    return;
  sums = (gint64 *) here->walk->counters->data + (gsize) node * here->walk->n_metrics * 2;
  for (guint k = 0; k < n; k++)
    {
      gint64 own = here->walk->own[(gsize) block * segment->n_counters + k];
      gint64 all = segment->block_counters[(gsize) block * segment->n_counters + k];

      if (own != KYMO_NO_COUNT)
        sums[2 * k] = kymo_saturating_add (sums[2 * k], own);
      if (all != KYMO_NO_COUNT && outermost)
        sums[2 * k + 1] = kymo_saturating_add (sums[2 * k + 1], all);
    }
}

static void
pop_to (Here  *here,
        guint  depth)
{
  while (here->depth > depth)
    if (here->stack[--here->depth] != NONE)
      g_array_index (here->walk->figures, Node, here->stack[here->depth]).open--;
}

/* Pushes a block; counted: it begins inside the range. */
static void
push_block (Here     *here,
            guint     block,
            gboolean  counted)
{
  KymoTraceWalk *walk = here->walk;
  KymoSegment *segment = here->segment;
  guint depth = segment->block_depth != NULL ? segment->block_depth[block] : 0;
  gint64 ns = kymo_span_length (kymo_span_intersect (
    here->span, (KymoSpan) { kymo_segment_block_begin (segment, block),
                             kymo_segment_block_end (segment, block) }));
  guint32 function = walk->functions->of_activity[segment->block_activity[block]];
  guint32 outer, node;
  Node *figures;

  pop_to (here, depth);
  outer = here->depth > 0 ? here->stack[here->depth - 1] : here->below;
  node = !walk->paths || here->depth == 0 ? find_below (walk, here->below, function)
    : outer != NONE ? find_node (walk, outer, function) : NONE;
  if (here->depth > 0 && outer != NONE)
    {
      figures = touch (walk, outer);
      figures->sums.exclusive_ns -= ns;
      /* A call that goes on after a stretch without tracing was counted before. */
      figures->sums.subroutines += counted && (segment->block_event[block] >= KYMO_NO_MESSAGE
                                               || kymo_segment_is_first (segment, block));
    }
  here->blocks[here->depth] = block;
  here->stack[here->depth++] = node;
  if (node == NONE)
    return;
  figures = touch (walk, node);
  figures->sums.exclusive_ns += ns;
  if (figures->open == 0)
    figures->sums.inclusive_ns += ns;
  if (counted)
    {
      figures->sums.calls += segment->block_event[block] == KYMO_NO_MESSAGE
        || kymo_segment_is_first (segment, block);
      if (walk->own != NULL)
        add_counters (here, block, node, figures->open == 0);
    }
  figures->open++;
}

/* Pushes the blocks that are open just before a block, outermost first. They may begin as early as
   the first block, so where a stretch follows another they are taken from the end of that. */
static void
push_ancestors (Here  *here,
                guint  first)
{
  KymoTraceWalk *walk = here->walk;
  const guint8 *depth = here->segment->block_depth;
  guint chain[G_MAXUINT8 + 1], n = 0, below = G_MAXUINT8 + 1;

  for (guint i = 0; i < walk->n_open && walk->at == first; i++)
    push_block (here, walk->open[i], FALSE);
  if (walk->n_open > 0 && walk->at == first)
    return;
  for (guint i = first; i-- > 0 && below > 0;)
    {
      guint at = depth != NULL ? depth[i] : 0;

      if (at >= below)
        continue;
      below = at;
      chain[n++] = i;
    }
  while (n-- > 0)
    push_block (here, chain[n], FALSE);
}

static void
note_end (const Here *here,
          guint       at)
{
  here->walk->at = at;
  here->walk->n_open = here->depth;
  memcpy (here->walk->open, here->blocks, here->depth * sizeof (guint));
}

/* Adds states without a block: idle time, overhead, and untraced time. */
static void
add_states (Here *here)
{
  KymoTraceWalk *walk = here->walk;
  KymoSums sums;

  kymo_sums_init (&sums, KYMO_STATE_ACTIVITY + walk->run->activities->len);
  kymo_segment_sum (here->segment, here->span, NULL, &sums);
  for (guint32 s = 0; s < KYMO_STATE_ACTIVITY; s++)
    {
      guint32 node = sums.ns[s] > 0
        ? find_below (walk, here->below, walk->functions->idle + s) : NONE;

      if (node == NONE)
        continue;
      touch (walk, node)->sums.exclusive_ns += sums.ns[s];
      touch (walk, node)->sums.inclusive_ns += sums.ns[s];
    }
  kymo_sums_clear (&sums);
}

/* Opens the root of the call paths. It is active in the whole range and counts no calls. */
static gboolean
open_base (Here *here)
{
  gint64 ns = kymo_span_length (kymo_span_intersect (here->span, here->segment->span));
  Node *base;

  if (here->below == NONE || ns <= 0)
    return FALSE;
  base = touch (here->walk, here->below);
  base->sums.inclusive_ns += ns;
  base->sums.calls++;
  return TRUE;
}

/**
 * kymo_trace_walk_begin:
 * @segment: its columns are fit to be read
 *
 * Begins a location.
 */
void
kymo_trace_walk_begin (KymoTraceWalk *walk,
                       KymoSegment   *segment)
{
  g_array_set_size (walk->touched, 0);
  walk->segment = segment;
  walk->own = segment->n_counters > 0 && segment->block_counters != NULL && walk->n_metrics > 0
    ? kymo_segment_exclusive_counters (segment) : NULL;
  walk->n_open = 0;
}

/**
 * kymo_trace_walk_add:
 * @below: a function that stands above all, or %KYMO_TRACE_ROOT
 *
 * Adds what the location has in a range; of several ranges the earlier first.
 */
void
kymo_trace_walk_add (KymoTraceWalk *walk,
                     KymoSpan       span,
                     gint64         count_end_ns,
                     guint32        below)
{
  KymoSegment *segment = walk->segment;
  guint first = kymo_segment_first_block (segment, span.begin_ns), i;
  Here here = { .walk = walk, .segment = segment, .span = span,
                .below = below == KYMO_TRACE_ROOT ? KYMO_TRACE_ROOT
                  : find_node (walk, KYMO_TRACE_ROOT, below) };

  if (below != KYMO_TRACE_ROOT && !open_base (&here))
    return;
  push_ancestors (&here, first);
  for (i = first;
       i < segment->n_blocks && kymo_segment_block_begin (segment, i) < count_end_ns; i++)
    {
      if ((i & 0xfff) == 0 && g_cancellable_is_cancelled (walk->cancellable))
        break;
      push_block (&here, i, TRUE);
    }
  note_end (&here, i);
  pop_to (&here, 0);
  add_states (&here);
}

static gboolean
is_nothing (const KymoTraceRow *row,
            const gint64       *counters,
            gsize               n)
{
  for (gsize k = 0; k < n; k++)
    if (counters[k] != 0)
      return FALSE;
  return row->calls == 0 && row->subroutines == 0 && row->exclusive_ns == 0
    && row->inclusive_ns == 0;
}

/**
 * kymo_trace_walk_end:
 * @rows: (out): what the location had; free its arrays
 */
void
kymo_trace_walk_end (KymoTraceWalk *walk,
                     KymoTraceRows *rows)
{
  gsize n = (gsize) walk->n_metrics * 2;

  g_clear_pointer (&walk->own, kymo_scratch_free);
  rows->rows = g_array_new (FALSE, FALSE, sizeof (KymoTraceRow));
  rows->counters = g_array_new (FALSE, FALSE, sizeof (gint64));
  for (guint i = 0; i < walk->touched->len; i++)
    {
      guint32 node = g_array_index (walk->touched, guint32, i);
      Node *figures = &g_array_index (walk->figures, Node, node);
      gint64 *counters = n > 0 ? (gint64 *) walk->counters->data + node * n : NULL;
      KymoTraceRow row = figures->sums;

      row.node = node;
      if (!is_nothing (&row, counters, n))
        {
          g_array_append_val (rows->rows, row);
          g_array_append_vals (rows->counters, counters, n);
        }
      *figures = (Node) { 0 };
      for (gsize k = 0; k < n; k++)
        counters[k] = 0;
    }
}

/**
 * kymo_trace_walk_get_nodes:
 * @n_nodes: (out): how many there are
 *
 * Returns: (transfer none): all nodes that were met, parents before children, owned by the
 *   walk
 */
const KymoTraceNode *
kymo_trace_walk_get_nodes (const KymoTraceWalk *walk,
                           guint               *n_nodes)
{
  *n_nodes = walk->nodes->len;
  return (const KymoTraceNode *) walk->nodes->data;
}

/** kymo_trace_walk_is_full: whether there are more paths than are kept apart */
gboolean
kymo_trace_walk_is_full (const KymoTraceWalk *walk)
{
  return walk->is_full;
}
