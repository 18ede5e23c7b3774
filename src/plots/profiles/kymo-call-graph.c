/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-call-graph.h.
 */
#include "config.h"

#include "kymo-call-graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A layer is no higher than this, or than this share of a high picture. */
#define MOST_LAYER_PX 96
#define MOST_LAYER_SHARE 0.15
#define LEAST_LAYER_PX 30
#define MOST_BOX_PX 40
#define LEAST_WIDTH_PX 72
#define MOST_WIDTH_PX 190
/* Where there is room boxes are wider than that, all by one factor, as names want it: a letter of
   small text, and what lies beside a name. */
#define MOST_WIDENED 2.2
#define LETTER_PX 6.6
#define BESIDE_PX 14
#define LEAST_GAP_PX 10
#define MOST_GAP_PX 44
/* A layer has no more boxes than have so much room each. */
#define FAIR_PX 92
#define MOST_LINE_PX 7
#define NEAR_PX 4
#define STEPS 24

typedef struct
{
  double inclusive;
  guint  node;
} Candidate;

static int
compare_candidates (const void *a, const void *b)
{
  const Candidate *x = a, *y = b;

  if (x->inclusive != y->inclusive)
    return x->inclusive > y->inclusive ? -1 : 1;
  return x->node < y->node ? -1 : x->node > y->node;
}

static double
positive (const KymoTable *table, const char *key, guint row)
{
  double value = kymo_table_get_double (table, key, row);

  return isfinite (value) && value > 0 ? value : 0;
}

static guint
layer_of (const KymoCallGraph *graph, guint node)
{
  gint64 layer = kymo_table_get_int (graph->nodes, "layer", node);

  return CLAMP (layer, 0, G_MAXINT32);
}

/* The functions with most, as many a layer as there is room for; layers that end up
   empty close up. */
static void
choose_boxes (KymoCallGraph *graph, const KymoPlotFrame *frame)
{
  guint n = kymo_table_get_n_rows (graph->nodes), deepest = 0;
  guint most = MAX (2, (guint) (graph->area.width / FAIR_PX));
  guint most_layers = MAX (1, (guint) (graph->area.height / LEAST_LAYER_PX));
  g_autofree Candidate *all = g_new (Candidate, n);
  g_autoptr (GHashTable) filled = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < n; i++)
    all[i] = (Candidate) { positive (graph->nodes, "inclusive", i), i };
  qsort (all, n, sizeof *all, compare_candidates);
  graph->boxes = g_new0 (KymoGraphBox, n);
  graph->node_of = g_new (guint, n);
  for (guint i = 0; i < n; i++)
    {
      gpointer layer = GUINT_TO_POINTER (layer_of (graph, all[i].node));
      guint here = GPOINTER_TO_UINT (g_hash_table_lookup (filled, layer));

      if (here >= most || (here == 0 && g_hash_table_size (filled) >= most_layers)
          || kymo_is_hidden (frame, kymo_table_get_string (graph->nodes, "name", all[i].node)))
        continue;
      g_hash_table_insert (filled, layer, GUINT_TO_POINTER (here + 1));
      graph->node_of[graph->n_boxes] = all[i].node;
      graph->boxes[graph->n_boxes++].layer = GPOINTER_TO_UINT (layer);
      deepest = MAX (deepest, GPOINTER_TO_UINT (layer));
    }
  graph->n_left_out = n - graph->n_boxes;
  graph->n_layers = g_hash_table_size (filled);
}

static int
compare_uints (const void *a, const void *b)
{
  guint x = *(const guint *) a, y = *(const guint *) b;

  return x < y ? -1 : x > y;
}

static void
close_layers (KymoCallGraph *graph)
{
  g_autofree guint *layers = g_new (guint, MAX (graph->n_boxes, 1));
  guint n = 0;

  for (guint i = 0; i < graph->n_boxes; i++)
    layers[i] = graph->boxes[i].layer;
  qsort (layers, graph->n_boxes, sizeof *layers, compare_uints);
  for (guint i = 0; i < graph->n_boxes; i++)
    if (i == 0 || layers[i] != layers[n - 1])
      layers[n++] = layers[i];
  for (guint i = 0; i < graph->n_boxes; i++)
    {
      guint *found = bsearch (&graph->boxes[i].layer, layers, n, sizeof *layers, compare_uints);

      graph->boxes[i].layer = found - layers;
    }
  graph->n_layers = n;
}

static void
add_lines (KymoCallGraph *graph)
{
  guint n_nodes = kymo_table_get_n_rows (graph->nodes);
  guint n = graph->edges != NULL ? kymo_table_get_n_rows (graph->edges) : 0;
  g_autofree guint *box_of = g_new0 (guint, n_nodes);

  for (guint i = 0; i < graph->n_boxes; i++)
    box_of[graph->node_of[i]] = i + 1;
  graph->lines = g_new (KymoGraphLine, MAX (n, 1));
  graph->edge_of = g_new (guint, MAX (n, 1));
  graph->back = g_new (gboolean, MAX (n, 1));
  for (guint i = 0; i < n; i++)
    {
      gint64 from = kymo_table_get_int (graph->edges, "from", i);
      gint64 to = kymo_table_get_int (graph->edges, "to", i);
      KymoGraphLine line = { .weight = positive (graph->edges, "inclusive", i) };

      if (from < 0 || from >= n_nodes || to < 0 || to >= n_nodes || box_of[from] == 0
          || box_of[to] == 0)
        continue;
      line.from = box_of[from] - 1;
      line.to = box_of[to] - 1;
      graph->back[graph->n_lines] = graph->boxes[line.to].layer <= graph->boxes[line.from].layer;
      graph->edge_of[graph->n_lines] = i;
      graph->lines[graph->n_lines++] = line;
      graph->most_line = MAX (graph->most_line, line.weight);
    }
}

static void
size_boxes (KymoCallGraph *graph)
{
  for (guint i = 0; i < graph->n_boxes; i++)
    {
      graph->most_inclusive = MAX (graph->most_inclusive, kymo_call_graph_inclusive (graph, i));
      graph->most_exclusive = MAX (graph->most_exclusive, kymo_call_graph_exclusive (graph, i));
    }
  /* The area of a box goes by the value: its sides by the root. */
  for (guint i = 0; i < graph->n_boxes; i++)
    graph->boxes[i].width = LEAST_WIDTH_PX
      + (MOST_WIDTH_PX - LEAST_WIDTH_PX)
        * (graph->most_inclusive > 0
           ? sqrt (kymo_call_graph_inclusive (graph, i) / graph->most_inclusive) : 0);
  graph->layer_px = CLAMP (graph->area.height / graph->n_layers, LEAST_LAYER_PX,
                           MAX (MOST_LAYER_PX, graph->area.height * MOST_LAYER_SHARE));
  graph->box_px = CLAMP (graph->layer_px * 0.55, 14, MOST_BOX_PX);
}

/* All by one factor, so that sizes can still be compared. */
static void
widen_boxes (KymoCallGraph *graph)
{
  g_autofree double *sums = g_new0 (double, graph->n_layers);
  g_autofree guint *counts = g_new0 (guint, graph->n_layers);
  double factor = 1;

  for (guint i = 0; i < graph->n_boxes; i++)
    {
      double wanted = g_utf8_strlen (kymo_call_graph_name (graph, i), -1) * LETTER_PX + BESIDE_PX;

      factor = MIN (MAX (factor, wanted / graph->boxes[i].width), MOST_WIDENED);
      sums[graph->boxes[i].layer] += graph->boxes[i].width;
      counts[graph->boxes[i].layer]++;
    }
  for (guint i = 0; i < graph->n_layers; i++)
    if (counts[i] > 0)
      factor = MIN (factor, (graph->area.width - (counts[i] - 1) * 2 * LEAST_GAP_PX) / sums[i]);
  for (guint i = 0; factor > 1 && i < graph->n_boxes; i++)
    graph->boxes[i].width *= factor;
}

/* Where there is room boxes stand further apart. */
static double
find_gap (const KymoCallGraph *graph)
{
  g_autofree double *sums = g_new0 (double, graph->n_layers);
  g_autofree guint *counts = g_new0 (guint, graph->n_layers);
  double gap = MOST_GAP_PX;

  for (guint i = 0; i < graph->n_boxes; i++)
    {
      sums[graph->boxes[i].layer] += graph->boxes[i].width;
      counts[graph->boxes[i].layer]++;
    }
  for (guint i = 0; i < graph->n_layers; i++)
    if (counts[i] > 1)
      gap = MIN (gap, (graph->area.width - sums[i]) / (counts[i] - 1));
  return MAX (gap, LEAST_GAP_PX);
}

/**
 * kymo_call_graph_init:
 * @answer: an answer of kind call-graph
 */
gboolean
kymo_call_graph_init (KymoCallGraph *graph, const KymoTable *answer, const KymoPlotFrame *frame)
{
  *graph = (KymoCallGraph) { kymo_plot_frame_area (&kymo_plot_call_graph, frame) };
  graph->nodes = kymo_table_peek_nested (answer, "nodes", NULL);
  graph->edges = kymo_table_peek_nested (answer, "edges", NULL);
  if (graph->nodes == NULL || kymo_table_get_n_rows (graph->nodes) == 0
      || graph->area.width < LEAST_WIDTH_PX || graph->area.height < LEAST_LAYER_PX)
    return FALSE;
  kymo_measure_init (&graph->inclusive_words, answer, frame, "inclusive");
  kymo_measure_init (&graph->exclusive_words, answer, frame, "exclusive");
  choose_boxes (graph, frame);
  if (graph->n_boxes == 0)
    return FALSE;
  close_layers (graph);
  size_boxes (graph);
  widen_boxes (graph);
  add_lines (graph);
  kymo_graph_layout (graph->boxes, graph->n_boxes, graph->lines, graph->n_lines,
                     graph->area.width, find_gap (graph));
  return TRUE;
}

/**
 * kymo_call_graph_clear:
 *
 * Frees the memory of kymo_call_graph_init(), due also where it returned %FALSE. The answer stays.
 */
void
kymo_call_graph_clear (KymoCallGraph *graph)
{
  g_clear_pointer (&graph->boxes, g_free);
  g_clear_pointer (&graph->lines, g_free);
  g_clear_pointer (&graph->node_of, g_free);
  g_clear_pointer (&graph->edge_of, g_free);
  g_clear_pointer (&graph->back, g_free);
}

/**
 * kymo_call_graph_name:
 * @box: below graph->n_boxes
 *
 * Returns: (transfer none): the function's name, of the answer; "" where it has none
 */
const char *
kymo_call_graph_name (const KymoCallGraph *graph, guint box)
{
  const char *name = kymo_table_get_string (graph->nodes, "name", graph->node_of[box]);

  return name != NULL ? name : "";
}

/**
 * kymo_call_graph_inclusive:
 * @box: below graph->n_boxes
 *
 * Returns: the function's inclusive value in the metric's unit; 0 where it is negative or unknown
 */
double
kymo_call_graph_inclusive (const KymoCallGraph *graph, guint box)
{
  return positive (graph->nodes, "inclusive", graph->node_of[box]);
}

/**
 * kymo_call_graph_exclusive:
 * @box: below graph->n_boxes
 *
 * Returns: the function's exclusive value in the metric's unit; 0 where it is negative or unknown
 */
double
kymo_call_graph_exclusive (const KymoCallGraph *graph, guint box)
{
  return positive (graph->nodes, "exclusive", graph->node_of[box]);
}

/**
 * kymo_call_graph_rect:
 * @box: below graph->n_boxes
 *
 * Returns: where the box lies in the picture, px; both sides grow with its inclusive value
 */
KymoRect
kymo_call_graph_rect (const KymoCallGraph *graph, guint box)
{
  const KymoGraphBox *b = &graph->boxes[box];
  double share = graph->most_inclusive > 0
                 ? kymo_call_graph_inclusive (graph, box) / graph->most_inclusive : 1;
  double height = MAX (graph->box_px * (0.6 + 0.4 * sqrt (share)), 14);
  double middle = graph->area.y + (b->layer + 0.5) * graph->layer_px;

  return (KymoRect) { graph->area.x + b->x - b->width / 2, middle - height / 2, b->width,
                      height };
}

/**
 * kymo_call_graph_line_px:
 * @line: below graph->n_lines
 *
 * Returns: width of the line, 1 to 7 px, by the root of its share of the heaviest line
 */
double
kymo_call_graph_line_px (const KymoCallGraph *graph, guint line)
{
  return 1 + (graph->most_line > 0
              ? (MOST_LINE_PX - 1) * sqrt (graph->lines[line].weight / graph->most_line) : 0);
}

/* From the lower edge of the caller to the upper one of what it calls; each is met nearer
   to the side where the other is. */
static KymoCallCurve
curve_down (KymoRect a, KymoRect b)
{
  double ax = a.x + a.width / 2, bx = b.x + b.width / 2, reach;

  ax += CLAMP ((bx - ax) * 0.25, -a.width * 0.35, a.width * 0.35);
  bx += CLAMP ((a.x + a.width / 2 - bx) * 0.25, -b.width * 0.35, b.width * 0.35);
  reach = MAX ((b.y - a.y - a.height) * 0.5, 6);
  return (KymoCallCurve) { { ax, ax, bx, bx },
                           { a.y + a.height, a.y + a.height + reach, b.y - reach, b.y } };
}

/* Over the boxes between two of one layer. */
static KymoCallCurve
curve_over (KymoRect a, KymoRect b, double room)
{
  double ax = a.x + a.width * (b.x > a.x ? 0.8 : 0.2);
  double bx = b.x + b.width * (b.x > a.x ? 0.2 : 0.8);

  return (KymoCallCurve) { { ax, ax, bx, bx },
                           { a.y, MIN (a.y, b.y) - room, MIN (a.y, b.y) - room, b.y } };
}

/** kymo_call_graph_curve: what goes back up leaves and arrives at the right */
KymoCallCurve
kymo_call_graph_curve (const KymoCallGraph *graph, guint line)
{
  const KymoGraphLine *l = &graph->lines[line];
  KymoRect a = kymo_call_graph_rect (graph, l->from), b = kymo_call_graph_rect (graph, l->to);
  double ax = a.x + a.width, bx = b.x + b.width, reach;

  if (!graph->back[line])
    return curve_down (a, b);
  if (l->from != l->to && graph->boxes[l->from].layer == graph->boxes[l->to].layer)
    return curve_over (a, b, (graph->layer_px - graph->box_px) * 0.75);
  reach = l->from == l->to ? 22 : 30 + fabs (ax - bx) * 0.15;
  return (KymoCallCurve) { { ax, MAX (ax, bx) + reach, MAX (ax, bx) + reach, bx },
                           { a.y + a.height * 0.7, a.y + a.height * (l->from == l->to ? 1.1 : 0.7),
                             b.y + b.height * (l->from == l->to ? -0.1 : 0.3),
                             b.y + b.height * 0.3 } };
}

/** kymo_call_graph_is_near: whether the point lies on the line, as the hand hits it */
gboolean
kymo_call_graph_is_near (const KymoCallGraph *graph, guint line, double x, double y)
{
  KymoCallCurve c = kymo_call_graph_curve (graph, line);
  double near = NEAR_PX + kymo_call_graph_line_px (graph, line) / 2;
  double px = c.x[0], py = c.y[0];

  for (guint i = 1; i <= STEPS; i++)
    {
      double t = (double) i / STEPS, u = 1 - t;
      double qx = u * u * u * c.x[0] + 3 * u * u * t * c.x[1] + 3 * u * t * t * c.x[2]
                  + t * t * t * c.x[3];
      double qy = u * u * u * c.y[0] + 3 * u * u * t * c.y[1] + 3 * u * t * t * c.y[2]
                  + t * t * t * c.y[3];
      double dx = qx - px, dy = qy - py, square = dx * dx + dy * dy;
      double at = square > 0 ? CLAMP (((x - px) * dx + (y - py) * dy) / square, 0, 1) : 0;

      if (hypot (x - px - at * dx, y - py - at * dy) <= near)
        return TRUE;
      px = qx;
      py = qy;
    }
  return FALSE;
}
