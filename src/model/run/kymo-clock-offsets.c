/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From the smallest latencies between processes to an offset for each clock.
 *
 * Let m(p,q) be the smallest latency of the messages from p to q. With the
 * offsets o every latency is at least f when
 *
 *   o(p) <= o(q) + m(p,q) - f       for all pairs
 *
 * a system of difference constraints: shortest paths in a graph with an edge
 * for each pair. It can be met unless a cycle is negative. The *floor* f is
 * the largest for which it can: the least mean latency of a cycle, by which
 * J. Y. Halpern, N. Megiddo and A. A. Munshi bound how well clocks can be
 * known ("Optimal precision in the presence of uncertainty", Journal of
 * Complexity 1, 1985). For two processes it is half of the fastest round
 * trip, and the offset that follows is the midpoint rule of F. Cristian and of
 * NTP. Where messages go one way only nothing is known of a floor: they are
 * just not to be negative. A floor below zero says that no constant offsets
 * will do (clocks that drift, wrong records); then the worst latency that
 * stays is the floor.
 *
 * Many offsets meet this. Latencies hold the time a message waits at a busy
 * receiver, so the middle of what is possible may be far from the truth where
 * messages are few. So clocks are moved no further than the messages demand:
 * from the first process along a spanning tree of the pairs with most messages
 * each process takes the offset of the one before it, or the nearest that its
 * messages with those already placed allow. What this leaves is put right by
 * Bellman and Ford's relaxation, half way between lowering senders and raising
 * receivers: both meet the constraints, so what lies between does too, and
 * still does when rounded down to ticks.
 *
 * Numbers are 128 bits wide: sums of many 64 bit latencies. One thread.
 */
#include "config.h"

#include "kymo-clocks.h"
#include "kymo-order.h"

/* Offsets are whole microseconds where all latencies are: the tick of the
   files' clocks. */
#define TICK_NS 1000

typedef __int128 Ticks;

typedef struct
{
  guint    from, to;            /* sender and receiver, indices */
  gint64   latency;             /* the smallest, in ticks */
  gint64   n_messages;
  gint64   traffic;             /* messages both ways */
  gboolean two_way;             /* there are messages back */
} Edge;

typedef struct
{
  guint         n;              /* processes */
  Edge         *edges;          /* by sender, then receiver */
  guint         n_edges;
  guint        *first_out;      /* n + 1: edges of a sender */
  guint        *in;             /* edges by receiver */
  guint        *first_in;       /* n + 1 */
  gint64        tick_ns;
  Ticks         floor;          /* what every latency is to be at least */
  Ticks        *offset;         /* by process */
  GCancellable *cancellable;
} Graph;

/* By how much the sender's offset may be above the receiver's. */
static inline Ticks
room_of (const Graph *graph,
         const Edge  *edge)
{
  return edge->latency - (edge->two_way ? graph->floor : MIN (graph->floor, 0));
}

static inline Ticks
half_rounded_down (Ticks value)
{
  return (value - (value & 1)) / 2;
}

/* -- the graph ------------------------------------------------------------ */

static const Edge *
find_edge (const Graph *graph,
           guint        from,
           guint        to)
{
  guint end = graph->first_out[from + 1];
  guint at = KYMO_FIND_FIRST (i, graph->first_out[from], end, graph->edges[i].to >= to);

  return at < end && graph->edges[at].to == to ? &graph->edges[at] : NULL;
}

/* Lists of edges by receiver, as the edges themselves are by sender. */
static void
list_receivers (Graph *graph)
{
  g_autofree guint *next = NULL;

  graph->first_in = g_new0 (guint, (gsize) graph->n + 1);
  graph->in = g_new (guint, MAX (graph->n_edges, 1));
  for (guint i = 0; i < graph->n_edges; i++)
    graph->first_in[graph->edges[i].to + 1]++;
  for (guint i = 0; i < graph->n; i++)
    graph->first_in[i + 1] += graph->first_in[i];
  next = g_memdup2 (graph->first_in, ((gsize) graph->n + 1) * sizeof (guint));
  for (guint i = 0; i < graph->n_edges; i++)
    graph->in[next[graph->edges[i].to]++] = i;
}

static void
add_edges (Graph        *graph,
           const gint64 *processes,
           const GArray *pairs)
{
  for (guint i = 0; i < pairs->len; i++)
    {
      const KymoClockPair *pair = &g_array_index (pairs, KymoClockPair, i);
      gint from = kymo_find_process (processes, graph->n, pair->from);
      gint to = kymo_find_process (processes, graph->n, pair->to);

      if (from < 0 || to < 0 || from == to)
        continue;
      graph->edges[graph->n_edges++] = (Edge) {
        .from = from, .to = to, .n_messages = pair->n_messages,
        .latency = pair->min_latency_ns / graph->tick_ns,
      };
      graph->first_out[from + 1]++;
    }
  for (guint i = 0; i < graph->n; i++)
    graph->first_out[i + 1] += graph->first_out[i];
  for (guint i = 0; i < graph->n_edges; i++)
    {
      Edge *edge = &graph->edges[i];
      const Edge *back = find_edge (graph, edge->to, edge->from);

      edge->two_way = back != NULL;
      edge->traffic = edge->n_messages + (back != NULL ? back->n_messages : 0);
    }
}

static void
build_graph (Graph        *graph,
             const gint64 *processes,
             const GArray *pairs)
{
  graph->edges = g_new (Edge, MAX (pairs->len, 1));
  graph->first_out = g_new0 (guint, (gsize) graph->n + 1);
  graph->offset = g_new0 (Ticks, MAX (graph->n, 1));
  graph->tick_ns = TICK_NS;
  for (guint i = 0; i < pairs->len; i++)
    if (g_array_index (pairs, KymoClockPair, i).min_latency_ns % TICK_NS != 0)
      graph->tick_ns = 1;
  add_edges (graph, processes, pairs);
  list_receivers (graph);
}

static void
graph_clear (Graph *graph)
{
  g_free (graph->edges);
  g_free (graph->first_out);
  g_free (graph->in);
  g_free (graph->first_in);
  g_free (graph->offset);
}

/* -- difference constraints ----------------------------------------------- */

/* TRUE if the chain of predecessors from some node leads back to itself. */
static gboolean
has_cycle (const guint *previous,
           guint        n,
           guint       *mark)
{
  for (guint i = 0; i < n; i++)
    mark[i] = 0;
  for (guint i = 0; i < n; i++)
    {
      guint at = i;

      while (at < n && mark[at] == 0)
        {
          mark[at] = i + 1;
          at = previous[at];
        }
      if (at < n && mark[at] == i + 1)
        return TRUE;
    }
  return FALSE;
}

/* Bellman and Ford: lowers the values of senders (backwards: of receivers)
   until every constraint is met; to and fro over the edges, as J. Y. Yen does,
   so that long chains settle soon. FALSE where a cycle is negative. */
static gboolean
relax (const Graph *graph,
       Ticks       *value,
       gboolean     backwards)
{
  g_autofree guint *previous = g_new (guint, MAX (graph->n, 1));
  g_autofree guint *mark = g_new (guint, MAX (graph->n, 1));
  gboolean changed = TRUE, back = TRUE;

  for (guint i = 0; i < graph->n; i++)
    previous[i] = G_MAXUINT;
  while (changed && !g_cancellable_is_cancelled (graph->cancellable))
    {
      changed = FALSE;
      back = !back;
      for (guint i = 0; i < graph->n_edges; i++)
        {
          const Edge *edge = &graph->edges[back ? graph->n_edges - 1 - i : i];
          guint here = backwards ? edge->to : edge->from;
          guint there = backwards ? edge->from : edge->to;
          Ticks most = value[there] + room_of (graph, edge);

          if (value[here] <= most)
            continue;
          value[here] = most;
          previous[here] = there;
          changed = TRUE;
        }
      if (changed && has_cycle (previous, graph->n, mark))
        return FALSE;
    }
  return TRUE;
}

static gboolean
can_be_met (Graph *graph,
            Ticks  floor)
{
  g_autofree Ticks *value = g_new0 (Ticks, MAX (graph->n, 1));

  graph->floor = floor;
  return relax (graph, value, FALSE);
}

/* The largest floor that can be met. That of the fastest round trip between
   two processes bounds it, and mostly is it. */
static void
find_floor (Graph *graph)
{
  Ticks low = 0, high = 0;
  gboolean two_way = FALSE;

  for (guint i = 0; i < graph->n_edges; i++)
    {
      const Edge *edge = &graph->edges[i];
      const Edge *back = edge->two_way ? find_edge (graph, edge->to, edge->from) : NULL;
      Ticks half = back == NULL ? 0 : half_rounded_down ((Ticks) edge->latency + back->latency);

      low = MIN (low, edge->latency);
      if (back != NULL && (!two_way || half < high))
        {
          high = half;
          two_way = TRUE;
        }
    }
  low = MIN (low, high);
  if (can_be_met (graph, high))
    return;
  while (high - low > 1 && !g_cancellable_is_cancelled (graph->cancellable))
    {
      Ticks middle = low + half_rounded_down (high - low);

      if (can_be_met (graph, middle))
        low = middle;
      else
        high = middle;
    }
  graph->floor = low;
}

/* -- the spanning tree ---------------------------------------------------- */

static guint
find_part (guint *part,
           guint  i)
{
  while (part[i] != i)
    i = part[i] = part[part[i]];
  return i;
}

static int
compare_traffic (gconstpointer a,
                 gconstpointer b,
                 gpointer      data)
{
  guint i = *(const guint *) a, j = *(const guint *) b;
  const Graph *graph = data;
  gint64 x = graph->edges[i].traffic, y = graph->edges[j].traffic;

  KYMO_ORDER_BY (y, x);
  return i < j ? -1 : i > j;
}

/* Kruskal's tree of the pairs with most messages, as lists of neighbours
   that begin at next_of[process] and end at 0: entry i stands for the other
   end of edge i / 2. */
typedef struct
{
  guint *head, *next, *other;
} Tree;

static void
tree_link (Tree *tree,
           guint entry,
           guint process,
           guint other)
{
  tree->other[entry] = other;
  tree->next[entry] = tree->head[process];
  tree->head[process] = entry;
}

static void
tree_init (Tree        *tree,
           const Graph *graph)
{
  g_autofree guint *order = g_new (guint, MAX (graph->n_edges, 1));
  g_autofree guint *part = g_new (guint, MAX (graph->n, 1));
  guint entry = 1;

  tree->head = g_new0 (guint, MAX (graph->n, 1));
  tree->next = g_new0 (guint, 2 * (gsize) graph->n + 1);
  tree->other = g_new0 (guint, 2 * (gsize) graph->n + 1);
  for (guint i = 0; i < graph->n; i++)
    part[i] = i;
  for (guint i = 0; i < graph->n_edges; i++)
    order[i] = i;
  g_qsort_with_data (order, graph->n_edges, sizeof (guint), compare_traffic, (gpointer) graph);
  for (guint i = 0; i < graph->n_edges; i++)
    {
      const Edge *edge = &graph->edges[order[i]];
      guint a = find_part (part, edge->from), b = find_part (part, edge->to);

      if (a == b)
        continue;
      part[MAX (a, b)] = MIN (a, b);
      tree_link (tree, entry++, edge->from, edge->to);
      tree_link (tree, entry++, edge->to, edge->from);
    }
}

static void
tree_clear (Tree *tree)
{
  g_free (tree->head);
  g_free (tree->next);
  g_free (tree->other);
}

/* -- offsets -------------------------------------------------------------- */

/* The offset nearest to the wish that the messages with those already placed
   allow, or the middle where they contradict each other. */
static Ticks
place_clock_offsets (const Graph    *graph,
                     const gboolean *placed,
                     guint           process,
                     Ticks           wish)
{
  gboolean has_low = FALSE, has_high = FALSE;
  Ticks low = wish, high = wish;

  for (guint i = graph->first_out[process]; i < graph->first_out[process + 1]; i++)
    {
      const Edge *edge = &graph->edges[i];
      Ticks most = graph->offset[edge->to] + room_of (graph, edge);

      if (!placed[edge->to] || (has_high && most >= high))
        continue;
      high = most;
      has_high = TRUE;
    }
  for (guint i = graph->first_in[process]; i < graph->first_in[process + 1]; i++)
    {
      const Edge *edge = &graph->edges[graph->in[i]];
      Ticks least = graph->offset[edge->from] - room_of (graph, edge);

      if (!placed[edge->from] || (has_low && least <= low))
        continue;
      low = least;
      has_low = TRUE;
    }
  if (has_low && has_high && low > high)
    return half_rounded_down (low + high);
  if (has_low && wish < low)
    return low;
  return has_high && wish > high ? high : wish;
}

/* Breadth first, from the first process of each part that hangs together. */
static void
walk_tree (Graph *graph)
{
  Tree tree;
  g_autofree gboolean *placed = g_new0 (gboolean, MAX (graph->n, 1));
  g_autofree guint *queue = g_new (guint, MAX (graph->n, 1));

  tree_init (&tree, graph);
  for (guint root = 0; root < graph->n; root++)
    {
      guint first = 0, end = 0;

      if (placed[root])
        continue;
      placed[root] = TRUE;
      queue[end++] = root;
      while (first < end)
        {
          guint from = queue[first++];

          for (guint i = tree.head[from]; i != 0; i = tree.next[i])
            {
              guint to = tree.other[i];

              if (placed[to])
                continue;
              graph->offset[to] = place_clock_offsets (graph, placed, to, graph->offset[from]);
              placed[to] = TRUE;
              queue[end++] = to;
            }
        }
    }
  tree_clear (&tree);
}

/* Meets the constraints that the tree did not meet: half way between lowering the senders and
   raising the receivers. */
static void
settle_clock_offsets (Graph *graph)
{
  g_autofree Ticks *lowered = g_memdup2 (graph->offset, graph->n * sizeof (Ticks));
  g_autofree Ticks *raised = g_new (Ticks, MAX (graph->n, 1));

  for (guint i = 0; i < graph->n; i++)
    raised[i] = -graph->offset[i];
  relax (graph, lowered, FALSE);
  relax (graph, raised, TRUE);
  for (guint i = 0; i < graph->n; i++)
    graph->offset[i] = half_rounded_down (lowered[i] - raised[i]);
}

/* The first process of each part that hangs together keeps its clock. */
static void
anchor (Graph *graph)
{
  g_autofree guint *part = g_new (guint, MAX (graph->n, 1));
  g_autofree Ticks *base = g_memdup2 (graph->offset, graph->n * sizeof (Ticks));

  for (guint i = 0; i < graph->n; i++)
    part[i] = i;
  for (guint i = 0; i < graph->n_edges; i++)
    {
      guint a = find_part (part, graph->edges[i].from), b = find_part (part, graph->edges[i].to);

      part[MAX (a, b)] = MIN (a, b);
    }
  for (guint i = 0; i < graph->n; i++)
    graph->offset[i] -= base[find_part (part, i)];
}

/* The worst latency that stays below zero, as a positive number. */
static Ticks
find_residual (const Graph *graph)
{
  Ticks worst = 0;

  for (guint i = 0; i < graph->n_edges; i++)
    {
      const Edge *edge = &graph->edges[i];
      Ticks latency = edge->latency + graph->offset[edge->to] - graph->offset[edge->from];

      worst = MIN (worst, latency);
    }
  return -worst;
}

/* Larger offsets than times can be are those of no clock: all stay then. */
static void
refuse_impossible (Graph *graph)
{
  Ticks most = KYMO_MAX_CLOCK_OFFSET_NS / graph->tick_ns;
  gboolean possible = TRUE;

  for (guint i = 0; i < graph->n; i++)
    possible = possible && graph->offset[i] <= most && graph->offset[i] >= -most;
  for (guint i = 0; i < graph->n && !possible; i++)
    graph->offset[i] = 0;
}

static KymoClockEstimate *
make_estimate (const Graph  *graph,
               const gint64 *processes)
{
  KymoClockEstimate *estimate = g_new0 (KymoClockEstimate, 1);

  estimate->offsets = g_array_sized_new (FALSE, FALSE, sizeof (KymoClockOffset), graph->n);
  for (guint i = 0; i < graph->n; i++)
    {
      KymoClockOffset offset = { processes[i], (gint64) graph->offset[i] * graph->tick_ns };

      g_array_append_val (estimate->offsets, offset);
    }
  estimate->residual_ns = MIN (find_residual (graph) * graph->tick_ns, G_MAXINT64);
  estimate->consistent = estimate->residual_ns == 0;
  return estimate;
}

/**
 * kymo_clocks_estimate:
 * @processes: every process, ascending
 * @n_processes: how many
 * @pairs: (element-type KymoClockPair): their messages, by @from, then @to, as
 *   kymo_clocks_measure() gives them
 * @cancellable: (nullable): stops it; the estimate is of no use then
 *
 * By how much each clock is to be shifted so that no message arrives before
 * it was sent, or as little before as can be; see the head of this file. The
 * first process keeps its clock, and so does every one whose messages do not
 * ask for more.
 *
 * Returns: (transfer full): the estimate
 */
KymoClockEstimate *
kymo_clocks_estimate (const gint64 *processes,
                      guint         n_processes,
                      const GArray *pairs,
                      GCancellable *cancellable)
{
  Graph graph = { .n = n_processes, .cancellable = cancellable };
  KymoClockEstimate *estimate;

  build_graph (&graph, processes, pairs);
  find_floor (&graph);
  walk_tree (&graph);
  settle_clock_offsets (&graph);
  anchor (&graph);
  refuse_impossible (&graph);
  estimate = make_estimate (&graph, processes);
  graph_clear (&graph);
  return estimate;
}

/**
 * kymo_clock_estimate_free:
 *
 * Frees @estimate. %NULL is ignored.
 */
void
kymo_clock_estimate_free (KymoClockEstimate *estimate)
{
  if (estimate == NULL)
    return;
  g_array_unref (estimate->offsets);
  g_free (estimate);
}
