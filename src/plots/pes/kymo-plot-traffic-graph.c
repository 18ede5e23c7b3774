/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who sends to whom as a graph: locations (or groups of them), or entry methods, on a
 * circle, the strongest pairs as arrows whose width is their share of the strongest. Each
 * arrow bends to the middle and to its own left, so that both ways are seen. What is not
 * drawn is told.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-in-terms.h"
#include "kymo-legend.h"
#include "kymo-order.h"
#include "kymo-plot-terms.h"
#include "kymo-text.h"
#include "kymo-traffic-words.h"
#include "kymo-units.h"

extern const KymoPlotClass kymo_plot_message_graph;

#define MOST_EDGES 60
#define MOST_NODES 24
#define MOST_WIDTH_PX 9.0
#define NODE_PX 7.0
#define LABEL_PX 170.0
#define STEPS 24

typedef struct
{
  char   *name;
  gint64  location;                  /* the first one, or -1 */
  double  sum;                       /* of all its edges, shown or not */
  double  x, y, angle;
} Node;

typedef struct
{
  guint  from, to;
  gint64 messages, bytes;
  double value;
} Edge;

typedef struct
{
  KymoRect  area;
  gboolean  by_messages;
  gboolean  of_names;
  GArray   *nodes;                   /* Node */
  GArray   *edges;                   /* Edge, strongest first; those that are drawn */
  guint     n_edges, n_nodes;        /* of all */
  double    all, drawn;              /* sums of values */
  double    radius;
} Graph;

static void
node_clear (gpointer data)
{
  g_free (((Node *) data)->name);
}

static Node *
node_at (const Graph *graph, guint i)
{
  return &g_array_index (graph->nodes, Node, i);
}

static guint
find_node (Graph *graph, GHashTable *numbers, char *name, gint64 location)
{
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (numbers, name));
  Node node = { name, location, 0, 0, 0, 0 };

  if (number > 0)
    {
      g_free (name);
      return number - 1;
    }
  g_array_append_val (graph->nodes, node);
  g_hash_table_insert (numbers, name, GUINT_TO_POINTER (graph->nodes->len));
  return graph->nodes->len - 1;
}

/* "PE 3", or "PE 8–15" of a group. */
static char *
dup_location (const KymoTable *answer, const KymoPlotFrame *frame, gint64 id)
{
  gint64 size = MAX (kymo_table_get_int (answer, "group_size", 0), 1);
  gint64 n = kymo_table_get_int (answer, "locations", 0);
  KymoTerms terms = frame->terms;
  const char *word;
  g_autofree char *label = NULL;

  if (g_strcmp0 (kymo_table_get_string (answer, "row_term", 0), "rank") == 0)
    terms.row = KYMO_ROW_RANK;
  word = kymo_terms_row (terms, FALSE);
  if (size == 1 || id < 0)
    label = g_strdup_printf ("%s %" G_GINT64_FORMAT, word, id);
  else
    label = g_strdup_printf ("%s %" G_GINT64_FORMAT "–%" G_GINT64_FORMAT, word, id,
                             MIN (id + size, n) - 1);
  return g_strdup (kymo_shown_label (label));
}

static int
compare_edges (gconstpointer a, gconstpointer b)
{
  const Edge *x = a, *y = b;

  KYMO_ORDER_BY (y->value, x->value);
  return x->from != y->from ? (x->from < y->from ? -1 : 1)
         : x->to < y->to ? -1 : x->to > y->to;
}

static void
collect_traffic_graph (Graph *graph, const KymoTable *answer, const KymoPlotFrame *frame)
{
  KymoTable *list = kymo_table_peek_nested (answer, graph->of_names ? "calls" : "matrix", NULL);
  g_autoptr (GHashTable) numbers = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; list != NULL && i < kymo_table_get_n_rows (list); i++)
    {
      Edge edge = { .messages = kymo_table_get_int (list, "messages", i),
                    .bytes = kymo_table_get_int (list, "bytes", i) };
      gint64 from = graph->of_names ? -1 : kymo_table_get_int (list, "from", i);
      gint64 to = graph->of_names ? -1 : kymo_table_get_int (list, "to", i);

      edge.value = graph->by_messages ? edge.messages : edge.bytes;
      if (edge.messages <= 0)
        continue;
      edge.from = find_node (graph, numbers, graph->of_names
                             ? g_strdup (kymo_table_get_string (list, "from", i))
                             : dup_location (answer, frame, from), from);
      edge.to = find_node (graph, numbers, graph->of_names
                           ? g_strdup (kymo_table_get_string (list, "to", i))
                           : dup_location (answer, frame, to), to);
      node_at (graph, edge.from)->sum += edge.value;
      node_at (graph, edge.to)->sum += edge.value;
      graph->all += edge.value;
      g_array_append_val (graph->edges, edge);
    }
}

/* Edges are taken from the strongest on, as long as their ends are among as many nodes as
   can be told apart; then nodes without any go. */
static void
choose_traffic_graph (Graph *graph)
{
  g_autofree guint *number = g_new0 (guint, graph->nodes->len + 1);
  g_autofree gboolean *kept = g_new0 (gboolean, graph->nodes->len + 1);
  GArray *edges = g_array_new (FALSE, FALSE, sizeof (Edge));
  GArray *nodes = g_array_new (FALSE, FALSE, sizeof (Node));
  guint n = 0;

  g_array_sort (graph->edges, compare_edges);
  for (guint i = 0; i < graph->edges->len && edges->len < MOST_EDGES; i++)
    {
      Edge edge = g_array_index (graph->edges, Edge, i);
      guint more = !kept[edge.from] + (!kept[edge.to] && edge.to != edge.from);

      if (n + more > MOST_NODES)
        continue;
      n += more;
      kept[edge.from] = kept[edge.to] = TRUE;
      graph->drawn += edge.value;
      g_array_append_val (edges, edge);
    }
  for (guint i = 0; i < graph->nodes->len; i++)
    {
      Node *node = node_at (graph, i);

      number[i] = nodes->len;
      if (kept[i])
        g_array_append_val (nodes, *node);
      else
        g_free (node->name);
    }
  for (guint i = 0; i < edges->len; i++)
    {
      Edge *edge = &g_array_index (edges, Edge, i);

      edge->from = number[edge->from];
      edge->to = number[edge->to];
    }
  g_array_set_clear_func (graph->nodes, NULL);
  g_array_set_clear_func (nodes, node_clear);
  g_array_unref (graph->nodes);
  g_array_unref (graph->edges);
  graph->nodes = nodes;
  graph->edges = edges;
}

static int
compare_nodes (gconstpointer a, gconstpointer b, gpointer data)
{
  const Graph *graph = data;
  const Node *x = node_at (graph, *(const guint *) a), *y = node_at (graph, *(const guint *) b);

  KYMO_ORDER_BY (x->location, y->location);
  return g_strcmp0 (x->name, y->name);
}

/* Locations by number, entry methods by name, clockwise from the top. */
static void
place_traffic_graph (Graph *graph)
{
  guint n = graph->nodes->len;
  g_autofree guint *order = g_new (guint, n + 1);
  double x = graph->area.x + graph->area.width / 2, y = graph->area.y + graph->area.height / 2;

  graph->radius = MAX (MIN (graph->area.width / 2 - LABEL_PX, graph->area.height / 2 - 44), 30);
  for (guint i = 0; i < n; i++)
    order[i] = i;
  g_qsort_with_data (order, n, sizeof (guint), compare_nodes, graph);
  for (guint i = 0; i < n; i++)
    {
      Node *node = node_at (graph, order[i]);

      node->angle = 2 * G_PI * i / n - G_PI / 2;
      node->x = x + graph->radius * cos (node->angle);
      node->y = y + graph->radius * sin (node->angle);
    }
}

static gpointer
graph_lay_out (const KymoPicture *picture)
{
  Graph *graph = g_new0 (Graph, 1);

  graph->area = kymo_plot_frame_area (picture->klass, &picture->frame);
  graph->by_messages = kymo_traffic_by_messages (picture->answer);
  graph->of_names = picture->klass == &kymo_plot_message_graph;
  graph->nodes = g_array_new (FALSE, FALSE, sizeof (Node));
  graph->edges = g_array_new (FALSE, FALSE, sizeof (Edge));
  g_array_set_clear_func (graph->nodes, node_clear);
  collect_traffic_graph (graph, picture->answer, &picture->frame);
  graph->n_edges = graph->edges->len;
  graph->n_nodes = graph->nodes->len;
  choose_traffic_graph (graph);
  place_traffic_graph (graph);
  return graph;
}

static void
graph_free (gpointer data)
{
  Graph *graph = data;

  g_array_unref (graph->nodes);
  g_array_unref (graph->edges);
  g_free (graph);
}

/* A point of an arrow; one to itself is a loop outside of the circle. */
static void
point_of (const Graph *graph, const Edge *edge, double t, double *x, double *y)
{
  const Node *a = node_at (graph, edge->from), *b = node_at (graph, edge->to);
  double middle_x = graph->area.x + graph->area.width / 2;
  double middle_y = graph->area.y + graph->area.height / 2;
  double bend_x, bend_y, left = 0.14;

  if (edge->from == edge->to)
    {
      double size = 13, cx = a->x + size * cos (a->angle), cy = a->y + size * sin (a->angle);
      double angle = a->angle + G_PI + 2 * G_PI * t;

      *x = cx + size * cos (angle);
      *y = cy + size * sin (angle);
      return;
    }
  bend_x = (a->x + b->x) / 2 * 0.6 + middle_x * 0.4 + (b->y - a->y) * left;
  bend_y = (a->y + b->y) / 2 * 0.6 + middle_y * 0.4 - (b->x - a->x) * left;
  *x = (1 - t) * (1 - t) * a->x + 2 * t * (1 - t) * bend_x + t * t * b->x;
  *y = (1 - t) * (1 - t) * a->y + 2 * t * (1 - t) * bend_y + t * t * b->y;
}

static double
width_of (const Graph *graph, const Edge *edge)
{
  double most = g_array_index (graph->edges, Edge, 0).value;

  return 0.8 + (MOST_WIDTH_PX - 0.8) * (most > 0 ? edge->value / most : 0);
}

static KymoRgba
color_of (const Graph *graph, const KymoPlotFrame *frame, guint node)
{
  return graph->of_names
         ? kymo_theme_series (frame, node_at (graph, node)->name, KYMO_KIND_ENTRY)
         : kymo_theme_get (frame->look)->accent;
}

static void
paint_head (cairo_t *cr, const Graph *graph, const Edge *edge)
{
  double size = 5 + width_of (graph, edge), x0, y0, x1, y1, angle;

  point_of (graph, edge, 0.60, &x0, &y0);
  point_of (graph, edge, 0.64, &x1, &y1);
  angle = atan2 (y1 - y0, x1 - x0);
  cairo_move_to (cr, x1 + size * cos (angle), y1 + size * sin (angle));
  cairo_line_to (cr, x1 + size * 0.7 * cos (angle + 2.3), y1 + size * 0.7 * sin (angle + 2.3));
  cairo_line_to (cr, x1 + size * 0.7 * cos (angle - 2.3), y1 + size * 0.7 * sin (angle - 2.3));
  cairo_close_path (cr);
  cairo_fill (cr);
}

static void
paint_edge (cairo_t *cr, const Graph *graph, const Edge *edge, const KymoPlotFrame *frame)
{
  const Node *from = node_at (graph, edge->from), *to = node_at (graph, edge->to);
  gboolean lifted = frame->hovered == NULL || !graph->of_names
                    || g_str_equal (frame->hovered, from->name)
                    || g_str_equal (frame->hovered, to->name);

  kymo_set_source_alpha (cr, color_of (graph, frame, edge->from), lifted ? 0.75 : 0.15);
  cairo_set_line_width (cr, width_of (graph, edge));
  for (guint i = 0; i <= STEPS; i++)
    {
      double x, y;

      point_of (graph, edge, (double) i / STEPS, &x, &y);
      if (i == 0)
        cairo_move_to (cr, x, y);
      else
        cairo_line_to (cr, x, y);
    }
  cairo_stroke (cr);
  paint_head (cr, graph, edge);
}

static void
paint_node (cairo_t *cr, const Graph *graph, guint i, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  const Node *node = node_at (graph, i);
  gboolean right = cos (node->angle) > -0.01;
  gboolean at_pole = fabs (cos (node->angle)) < 0.02;
  double far = graph->radius + NODE_PX + (at_pole ? 26 : 24);
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, right ? 0 : 1, LABEL_PX - 32 };
  g_autofree char *name = kymo_text_fitting_name (cr, node->name, style);

  kymo_set_source (cr, color_of (graph, frame, i));
  cairo_arc (cr, node->x, node->y, NODE_PX, 0, 2 * G_PI);
  cairo_fill_preserve (cr);
  kymo_set_source (cr, theme->canvas);
  cairo_set_line_width (cr, 1.5);
  cairo_stroke (cr);
  if (at_pole)
    style.align = 0.5;
  kymo_text_draw (cr, name,
                  graph->area.x + graph->area.width / 2
                  + far * cos (node->angle),
                  graph->area.y + graph->area.height / 2 + far * sin (node->angle), style,
                  theme->foreground);
}

static void
paint_note (cairo_t *cr, const Graph *graph, const KymoTable *answer, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 0, graph->area.width };
  g_autofree char *both = kymo_traffic_dup_sums (answer, FALSE);
  g_autofree char *unmatched = kymo_traffic_dup_unmatched (answer);
  g_autofree char *share = kymo_format_percent (graph->all > 0 ? graph->drawn / graph->all : 1);
  GString *text = g_string_new (both);

  if (unmatched != NULL)
    g_string_append_printf (text, "; %s", unmatched);
  if (graph->edges->len < graph->n_edges)
    {
      g_string_append (text, " · ");
      /* Translators: two numbers of pairs and a share, as “92 %”. */
      g_string_append_printf (text, graph->by_messages
                              ? _("the strongest %u of %u pairs are drawn: %s of the messages")
                              : _("the strongest %u of %u pairs are drawn: %s of the bytes"),
                              graph->edges->len, graph->n_edges, share);
    }
  kymo_text_draw (cr, text->str, graph->area.x, graph->area.y + graph->area.height + 12, style,
                  theme->secondary);
  g_string_free (text, TRUE);
}

static void
graph_paint (cairo_t *cr, const KymoPicture *picture)
{
  const Graph *graph = picture->layout;
  const KymoTable *answer = picture->answer;
  const KymoPlotFrame *frame = &picture->frame;

  kymo_decor_paint (cr, picture->klass, frame, NULL);
  if (graph->edges->len == 0)
    {
      kymo_traffic_paint_empty (cr, answer, frame, graph->area);
      return;
    }
  for (guint i = graph->edges->len; i-- > 0;)
    paint_edge (cr, graph, &g_array_index (graph->edges, Edge, i), frame);
  for (guint i = 0; i < graph->nodes->len; i++)
    paint_node (cr, graph, i, frame);
  paint_note (cr, graph, answer, frame);
}

static const Edge *
edge_at (const Graph *graph, double x, double y)
{
  const Edge *found = NULL;
  double nearest = 6 * 6;

  for (guint i = 0; i < graph->edges->len; i++)
    for (guint k = 0; k <= STEPS * 4; k++)
      {
        const Edge *edge = &g_array_index (graph->edges, Edge, i);
        double ex, ey, distance;

        point_of (graph, edge, (double) k / (STEPS * 4), &ex, &ey);
        distance = (ex - x) * (ex - x) + (ey - y) * (ey - y);
        if (distance < nearest)
          {
            nearest = distance;
            found = edge;
          }
      }
  return found;
}

static KymoRect
node_rect (const Node *node)
{
  return (KymoRect) { node->x - NODE_PX, node->y - NODE_PX, 2 * NODE_PX, 2 * NODE_PX };
}

/* Keys go from node to node. */
static GArray *
graph_boxes (const KymoPicture *picture)
{
  const Graph *graph = picture->layout;
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (KymoPlotBox));

  if (graph->edges->len > 0)
    for (guint i = 0; i < graph->nodes->len; i++)
      {
        KymoPlotBox box = { .row = i, .rect = node_rect (node_at (graph, i)),
                            .of_location = !graph->of_names,
                            .location = node_at (graph, i)->location };

        g_array_append_val (boxes, box);
      }
  return boxes;
}

static gboolean
graph_hit (const KymoPicture *picture, double x, double y, KymoPlotHit *hit)
{
  const Graph *graph = picture->layout;
  const Edge *edge;

  kymo_hit_init (hit);
  if (graph->edges->len == 0)
    return FALSE;
  for (guint i = 0; i < graph->nodes->len; i++)
    {
      const Node *node = node_at (graph, i);
      g_autofree char *sum = kymo_traffic_amount (graph->by_messages, node->sum);

      if (hypot (node->x - x, node->y - y) > NODE_PX + 3)
        continue;
      hit->location = node->location;
      hit->name = graph->of_names ? g_strdup (node->name) : NULL;
      hit->text = g_strdup_printf (_("%s\n%s sent and received"),
                                   kymo_shown_name (node->name), sum);
      hit->rect = node_rect (node);
      return TRUE;
    }
  edge = edge_at (graph, x, y);
  if (edge == NULL)
    return FALSE;
  g_autofree char *both = kymo_traffic_both (edge->messages, edge->bytes);
  hit->location = node_at (graph, edge->from)->location;
  hit->name = graph->of_names ? g_strdup (node_at (graph, edge->to)->name) : NULL;
  hit->text = g_strdup_printf (_("from %s\nto %s\n%s"),
                               kymo_shown_name (node_at (graph, edge->from)->name),
                               kymo_shown_name (node_at (graph, edge->to)->name), both);
  return TRUE;
}

static KymoQuestion *
communication_graph_question (const KymoPlotFrame *frame)
{
  KymoQuestion *question = kymo_traffic_question (frame, "communication");

  kymo_question_set_int (question, "limit", MOST_NODES * MOST_NODES);
  return question;
}

static KymoQuestion *
message_graph_question (const KymoPlotFrame *frame)
{
  return kymo_traffic_question (frame, "call-table");
}

/* What both graphs have. */
#define OF_TRAFFIC                                                            \
  .needs = KYMO_CAN_MESSAGES, .lay_out = graph_lay_out,                       \
  .layout_free = graph_free, .paint = graph_paint, .hit = graph_hit,          \
  .boxes = graph_boxes, .inset = { 16, 12, 16, 24 }

const KymoPlotClass kymo_plot_communication_graph = {
  .id = "communication-graph",
  .title = N_("Communication graph"),
  OF_TRAFFIC,
  .question = communication_graph_question,
};

const KymoPlotClass kymo_plot_message_graph = {
  .id = "message-graph",
  .title = N_("Graph of messages"),
  OF_TRAFFIC,
  .question = message_graph_question,
};
