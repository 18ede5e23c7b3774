/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * call-graph: functions, and who calls whom, with the figures of one thread. Layers
 * are for drawing: roots are in layer 0, every function one below the lowest of those
 * that call it; calls that go round (recursion) go back up and are marked so. This is
 * the first step of layered drawing (Sugiyama, Tagawa and Toda, 1981); the calls that
 * go back are those that a walk from the roots finds to close a ring.
 */
#include "config.h"

#include "kymo-order.h"
#include "kymo-profile-thread.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-keywords.h"

#define NONE G_MAXUINT32

typedef struct
{
  guint32 event;
  guint   layer;
  guint   first, n;             /* its edges, in order of from */
} Node;

typedef struct
{
  guint32  from, to;            /* nodes */
  double   calls, inclusive;
  guint    n_paths;             /* whose figures it has */
  gboolean back;
} Edge;

typedef struct
{
  const KymoProfileLook   *look;
  const KymoThreadFigures *thread;
  GArray                  *nodes;       /* Node */
  GArray                  *edges;       /* Edge */
  guint32                 *node_of;     /* by event */
} Graph;

static Node *
node_at (Graph   *graph,
         guint32  i)
{
  return &g_array_index (graph->nodes, Node, i);
}

static Edge *
edge_at (Graph *graph,
         guint  i)
{
  return &g_array_index (graph->edges, Edge, i);
}

static gboolean
is_outside (const KymoProfileEvent *event)
{
  return event->flags & (KYMO_PROFILE_IDLE | KYMO_PROFILE_OVERHEAD | KYMO_PROFILE_UNTRACED);
}

static guint32
get_node (Graph   *graph,
          guint32  event)
{
  Node node = { event };

  if (graph->node_of[event] == NONE)
    {
      graph->node_of[event] = graph->nodes->len;
      g_array_append_val (graph->nodes, node);
    }
  return graph->node_of[event];
}

static void
add_edge (Graph                  *graph,
          GHashTable             *known,
          const KymoProfileEvent *path,
          const KymoThreadValues *values)
{
  const guint32 *parts = (const guint32 *) graph->look->data->parts->data + path->first_part;
  guint32 caller = parts[path->n_parts - 2], callee = parts[path->n_parts - 1];
  guint64 key;
  gpointer found;
  Edge *edge;

  if (!graph->look->chosen[caller] || !graph->look->chosen[callee])
    return;
  key = (guint64) caller << 32 | callee;
  if (!g_hash_table_lookup_extended (known, &key, NULL, &found))
    {
      Edge made = { get_node (graph, caller), get_node (graph, callee) };

      found = GUINT_TO_POINTER (graph->edges->len);
      g_hash_table_insert (known, g_memdup2 (&key, sizeof key), found);
      g_array_append_val (graph->edges, made);
    }
  edge = edge_at (graph, GPOINTER_TO_UINT (found));
  edge->calls += values->calls;
  /* Figures that do not add up are known for a single path only. */
  edge->inclusive = edge->n_paths++ == 0 || graph->look->is_additive
    ? edge->inclusive + values->inclusive : NAN;
}

static void
add_all (Graph *graph)
{
  const KymoProfileData *data = graph->look->data;
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);

  for (guint32 e = 0; e < data->events->len; e++)
    if (kymo_profile_look_is_flat (graph->look, e) && graph->thread->values[e].has
        && !is_outside (kymo_profile_look_event (graph->look, e)))
      get_node (graph, e);
  for (guint32 e = 0; e < data->events->len; e++)
    {
      const KymoProfileEvent *event = kymo_profile_look_event (graph->look, e);

      if ((event->flags & KYMO_PROFILE_PATH) && event->n_parts > 1
          && graph->thread->values[e].has)
        add_edge (graph, known, event, &graph->thread->values[e]);
    }
}

static int
compare_edges (gconstpointer a,
               gconstpointer b)
{
  const Edge *x = a, *y = b;

  KYMO_ORDER_BY (x->from, y->from);
  return x->to < y->to ? -1 : x->to > y->to;
}

static void
sort_edges (Graph *graph)
{
  g_array_sort (graph->edges, compare_edges);
  for (guint i = 0; i < graph->edges->len; i++)
    {
      Node *from = node_at (graph, edge_at (graph, i)->from);

      if (from->n++ == 0)
        from->first = i;
    }
}

/* -- layers ----------------------------------------------------------------- */

typedef struct
{
  guint32 node;
  guint   next;                 /* of its edges */
} Open;

typedef struct
{
  guint8 *seen;                 /* by node: 0 = not, 1 = open, 2 = done */
  GArray *order;                /* guint32: nodes as they are done */
} Walk;

/* Marks the calls that close a ring; the last one has no caller left. */
static void
walk_from (Graph   *graph,
           Walk    *walk,
           guint32  root)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (Open));

  if (walk->seen[root] != 0)
    return;
  walk->seen[root] = 1;
  g_array_append_val (stack, ((Open) { root, 0 }));
  while (stack->len > 0)
    {
      Open *top = &g_array_index (stack, Open, stack->len - 1);
      Node *node = node_at (graph, top->node);
      Edge *edge;

      if (top->next == node->n)
        {
          walk->seen[top->node] = 2;
          g_array_append_val (walk->order, top->node);
          g_array_set_size (stack, stack->len - 1);
          continue;
        }
      edge = edge_at (graph, node->first + top->next++);
      edge->back = walk->seen[edge->to] == 1;
      if (walk->seen[edge->to] != 0)
        continue;
      walk->seen[edge->to] = 1;
      g_array_append_val (stack, ((Open) { edge->to, 0 }));
    }
}

static int
compare_inclusive (gconstpointer a,
                   gconstpointer b,
                   gpointer      data)
{
  Graph *graph = data;
  guint32 i = *(const guint32 *) a, k = *(const guint32 *) b;
  double x = graph->thread->values[node_at (graph, i)->event].inclusive;
  double y = graph->thread->values[node_at (graph, k)->event].inclusive;

  KYMO_ORDER_BY (y, x);
  return i < k ? -1 : i > k;
}

/* Walks from the functions without callers, then from the functions with the most time, to reach
   rings that are called from nowhere else. */
static void
walk_all (Graph *graph,
          Walk  *walk)
{
  guint n = graph->nodes->len;
  g_autofree gboolean *is_called = g_new0 (gboolean, MAX (n, 1));
  g_autofree guint32 *order = g_new (guint32, MAX (n, 1));

  for (guint i = 0; i < graph->edges->len; i++)
    if (edge_at (graph, i)->from != edge_at (graph, i)->to)
      is_called[edge_at (graph, i)->to] = TRUE;
  for (guint i = 0; i < n; i++)
    order[i] = i;
  g_qsort_with_data (order, n, sizeof (guint32), compare_inclusive, graph);
  for (guint called = 0; called < 2; called++)
    for (guint i = 0; i < n; i++)
      if (is_called[order[i]] == (called == 1))
        walk_from (graph, walk, order[i]);
}

static void
find_layers (Graph *graph)
{
  Walk walk = { g_new0 (guint8, MAX (graph->nodes->len, 1)),
                g_array_new (FALSE, FALSE, sizeof (guint32)) };

  walk_all (graph, &walk);
  for (guint i = walk.order->len; i-- > 0;)
    {
      Node *from = node_at (graph, g_array_index (walk.order, guint32, i));

      for (guint k = from->first; k < from->first + from->n; k++)
        {
          Edge *edge = edge_at (graph, k);
          Node *to = node_at (graph, edge->to);

          if (!edge->back)
            to->layer = MAX (to->layer, from->layer + 1);
        }
    }
  g_free (walk.seen);
  g_array_unref (walk.order);
}

/* -- the answer ------------------------------------------------------------- */

static KymoTable *
list_nodes (Graph *graph)
{
  KymoTable *table = kymo_table_new_list ("name:string groups:string role:string exclusive:double "
                                          "inclusive:double calls:double layer");

  for (guint i = 0; i < graph->nodes->len; i++)
    {
      const Node *node = node_at (graph, i);
      const KymoProfileEvent *event = kymo_profile_look_event (graph->look, node->event);
      const KymoThreadValues *values = &graph->thread->values[node->event];

      kymo_table_append_row (table, event->shown, event->groups, kymo_role_to_string (event->role),
                             values->exclusive, values->inclusive, values->calls, node->layer);
    }
  return table;
}

static KymoTable *
list_edges (Graph *graph)
{
  KymoTable *table = kymo_table_new_list ("from to calls:double inclusive:double back:bool");

  for (guint i = 0; i < graph->edges->len; i++)
    {
      const Edge *edge = edge_at (graph, i);

      kymo_table_append_row (table, edge->from, edge->to, edge->calls, edge->inclusive, edge->back);
    }
  return table;
}

static KymoTable *
make_graph (const KymoProfileLook   *look,
            const KymoThreadFigures *thread)
{
  guint n = MAX (look->data->events->len, 1);
  Graph graph = { look, thread, g_array_new (FALSE, FALSE, sizeof (Node)),
                  g_array_new (FALSE, FALSE, sizeof (Edge)), g_new (guint32, n) };
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);

  for (guint i = 0; i < n; i++)
    graph.node_of[i] = NONE;
  add_all (&graph);
  sort_edges (&graph);
  find_layers (&graph);
  kymo_profile_look_set (look, answer);
  kymo_thread_figures_set (thread, look, answer);
  kymo_table_set_bool (answer, "has_paths", graph.edges->len > 0);
  kymo_table_set_table (answer, "nodes", list_nodes (&graph));
  kymo_table_set_table (answer, "edges", list_edges (&graph));
  g_array_unref (graph.nodes);
  g_array_unref (graph.edges);
  g_free (graph.node_of);
  return answer;
}

static KymoTable *
call_graph_answer (KymoAsk  *ask,
                   guint     n_threads,
                   GError  **error)
{
  const char *of = kymo_question_get (ask->question, "of");
  g_autoptr (KymoProfileLook) look = kymo_profile_look_new (ask, KYMO_LOOK_PAIRS, error);
  g_autoptr (KymoThreadFigures) thread = NULL;

  if (look == NULL)
    return NULL;
  thread = kymo_thread_figures_new (look, of != NULL ? of : "total", error);
  return thread == NULL ? NULL : kymo_profile_look_end (look, make_graph (look, thread), error);
}

/* from and to of "edges" are indices of "nodes"; back: it goes up a layer. */
static const KymoKeyword keywords[] =
{
  { "of", KYMO_KEYWORD_TEXT, "WHOM", "a location, mean, mean-present, total (total), min, max …" },
  KYMO_KEYWORDS_OF_PROFILES,
  KYMO_KEYWORDS_OF_PATHS,
  { NULL }
};

static const KymoQuestionList lists[] =
{
  { "nodes", "name groups role exclusive inclusive calls layer", TRUE },
  { "edges", "from to calls inclusive back", TRUE },
  KYMO_LISTS_OF_PROFILES,
  { NULL }
};

const KymoAnswerClass kymo_answer_call_graph =
{
  { "call-graph", N_("A call graph"), "functions and who calls whom, without paths", keywords,
    KYMO_CAN_METRICS, .lists = lists,
    .topic = KYMO_TOPIC_CODE },
  .answer = call_graph_answer,
};
