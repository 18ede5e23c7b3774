/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Call graph: a box a function, larger by its inclusive value and stronger by its
 * exclusive one, callers above what they call; lines are as thick as what was spent by
 * way of them, dashed where they go back up. Where there is not room for all functions
 * those with the largest inclusive values of each layer are shown, and how many are
 * not is told.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-call-graph.h"
#include "kymo-legend.h"
#include "kymo-plot-terms.h"
#include "kymo-text.h"
#include "kymo-theme.h"

#define FOOT_PX 26

static void
line_path (cairo_t *cr, const KymoCallCurve *c)
{
  cairo_move_to (cr, c->x[0], c->y[0]);
  cairo_curve_to (cr, c->x[1], c->y[1], c->x[2], c->y[2], c->x[3], c->y[3]);
}

/* A head where the line ends, in its direction there. */
static void
paint_head (cairo_t *cr, const KymoCallCurve *c, double size)
{
  double angle = atan2 (c->y[3] - c->y[2], c->x[3] - c->x[2]);

  cairo_move_to (cr, c->x[3], c->y[3]);
  cairo_line_to (cr, c->x[3] - size * cos (angle - 0.42), c->y[3] - size * sin (angle - 0.42));
  cairo_line_to (cr, c->x[3] - size * cos (angle + 0.42), c->y[3] - size * sin (angle + 0.42));
  cairo_close_path (cr);
  cairo_fill (cr);
}

static gboolean
is_lifted (const KymoCallGraph *graph, const KymoPlotFrame *frame, guint box)
{
  const char *name = kymo_call_graph_name (graph, box);

  return g_strcmp0 (name, frame->hovered) == 0
         || (frame->hovered == NULL && g_strcmp0 (name, frame->chosen) == 0);
}

static void
paint_line (cairo_t *cr, const KymoCallGraph *graph, const KymoPlotFrame *frame, guint line)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  const KymoGraphLine *l = &graph->lines[line];
  gboolean any = frame->hovered != NULL || frame->chosen != NULL;
  gboolean lifted = is_lifted (graph, frame, l->from) || is_lifted (graph, frame, l->to);
  double width = kymo_call_graph_line_px (graph, line);
  KymoCallCurve curve = kymo_call_graph_curve (graph, line);

  kymo_set_source_alpha (cr, lifted ? theme->accent : theme->axis,
                         lifted ? 0.9 : any ? 0.55 : 0.8);
  cairo_set_line_width (cr, width);
  cairo_save (cr);
  if (graph->back[line])
    cairo_set_dash (cr, (double[]) { 4, 3 }, 2, 0);
  line_path (cr, &curve);
  cairo_stroke (cr);
  cairo_restore (cr);
  paint_head (cr, &curve, 5 + width);
}

/* Rounded, unless boxes are small and many; then on whole pixels, which is faster. */
static void
box_path (cairo_t *cr, KymoRect r)
{
  double radius = 4;

  cairo_new_path (cr);
  if (r.height < 20 || r.width < 20)
    {
      cairo_rectangle (cr, floor (r.x) + 0.5, floor (r.y) + 0.5, floor (r.width),
                       floor (r.height));
      return;
    }
  cairo_arc (cr, r.x + r.width - radius, r.y + radius, radius, -G_PI / 2, 0);
  cairo_arc (cr, r.x + r.width - radius, r.y + r.height - radius, radius, 0, G_PI / 2);
  cairo_arc (cr, r.x + radius, r.y + r.height - radius, radius, G_PI / 2, G_PI);
  cairo_arc (cr, r.x + radius, r.y + radius, radius, G_PI, G_PI * 1.5);
  cairo_close_path (cr);
}

static void
paint_words (cairo_t *cr, const KymoCallGraph *graph, guint box, KymoRect rect, KymoRgba color)
{
  const char *name = kymo_call_graph_name (graph, box);
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 0.5, rect.width - 8 };
  gboolean two = rect.height >= 32;
  double x = rect.x + rect.width / 2, y = rect.y + rect.height / 2;
  g_autofree char *label = NULL, *figure = NULL;

  if (style.max_px < 16 || rect.height < 12)
    return;
  label = kymo_text_fitting_name (cr, name, style);
  kymo_text_draw (cr, label, x, two ? y - 7 : y, style, kymo_rgba_text_on (color));
  figure = kymo_measure_format (&graph->inclusive_words, kymo_call_graph_inclusive (graph, box));
  if (two && kymo_text_width (cr, figure, style) <= style.max_px)
    kymo_text_draw (cr, figure, x, y + 7, style, kymo_rgba_text_on (color));
}

static void
paint_box (cairo_t *cr, const KymoCallGraph *graph, const KymoPlotFrame *frame, guint box)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoRect rect = kymo_call_graph_rect (graph, box);
  KymoRgba color = kymo_heat_color (frame, graph->most_exclusive > 0
                                    ? kymo_call_graph_exclusive (graph, box)
                                      / graph->most_exclusive : 0);
  gboolean lifted = is_lifted (graph, frame, box);
  gboolean chosen = g_strcmp0 (kymo_call_graph_name (graph, box), frame->chosen) == 0;

  if (frame->hovered != NULL && !lifted)
    color = kymo_rgba_mix (color, theme->canvas, 0.3);
  box_path (cr, rect);
  kymo_set_source (cr, color);
  cairo_fill_preserve (cr);
  kymo_set_source (cr, lifted || chosen ? theme->accent : theme->axis);
  cairo_set_line_width (cr, lifted || chosen ? 2 : 1);
  cairo_stroke (cr);
  paint_words (cr, graph, box, rect, color);
}

/* What size and colour mean, and what is left out. */
static void
paint_foot (cairo_t *cr, const KymoCallGraph *graph, const KymoTable *answer,
            const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  double y = graph->area.y + graph->area.height + FOOT_PX / 2.0 + 4, x = graph->area.x;
  KymoTextStyle left = { KYMO_TEXT_SMALL, FALSE, 0, 0 };
  KymoTextStyle right = { KYMO_TEXT_SMALL, FALSE, 1, graph->area.width * 0.45 };
  g_autofree char *exclusive = kymo_measure_words (&graph->exclusive_words);
  g_autofree char *most = kymo_measure_format (&graph->exclusive_words, graph->most_exclusive);
  g_autofree char *key = g_strdup_printf (_("%s, up to %s; size by inclusive"), exclusive, most);

  kymo_heat_paint_key (cr, frame, (KymoRect) { x, y - 5, 60, 10 });
  left.max_px = graph->area.width * 0.5;
  kymo_text_draw (cr, key, x + 68, y, left, theme->secondary);
  if (kymo_table_find_column (answer, "has_paths") >= 0
      && !kymo_table_get_bool (answer, "has_paths", 0))
    kymo_text_draw (cr, _("No call paths were measured: who called whom is not known"),
                    x + graph->area.width, y, right, theme->secondary);
  else if (graph->n_left_out > 0)
    {
      g_autofree char *count = kymo_words_codes (frame->terms, graph->n_left_out);
      g_autofree char *words
        = g_strdup_printf (_("%s with lower inclusive values not shown"), count);

      kymo_text_draw (cr, words, x + graph->area.width, y, right, theme->secondary);
    }
}

static void
call_graph_paint (cairo_t *cr, const KymoPicture *picture)
{
  const KymoCallGraph *graph = picture->layout;
  const KymoTable *answer = picture->answer;
  const KymoPlotFrame *frame = &picture->frame;

  kymo_decor_paint (cr, &kymo_plot_call_graph, frame, NULL);
  if (!graph->known)
    kymo_paint_empty (cr, frame, graph->area, _("No calls to show"));
  else
    {
      for (guint i = 0; i < graph->n_lines; i++)
        paint_line (cr, graph, frame, i);
      for (guint i = 0; i < graph->n_boxes; i++)
        paint_box (cr, graph, frame, i);
      paint_foot (cr, graph, answer, frame);
    }
}

/* -- what lies under a point ------------------------------------------------ */

static char *
calls_words (const KymoTable *table, guint row)
{
  return kymo_words_calls (kymo_table_get_double (table, "calls", row));
}

static void
hit_box (const KymoCallGraph *graph, guint box, KymoPlotHit *hit)
{
  const char *name = kymo_call_graph_name (graph, box);
  g_autofree char *inclusive = kymo_measure_exact (&graph->inclusive_words,
                                                   kymo_call_graph_inclusive (graph, box));
  g_autofree char *exclusive = kymo_measure_exact (&graph->exclusive_words,
                                                   kymo_call_graph_exclusive (graph, box));
  g_autofree char *calls = calls_words (graph->nodes, graph->node_of[box]);

  hit->name = g_strdup (name);
  hit->rect = kymo_call_graph_rect (graph, box);
  hit->text = g_strdup_printf (_("%s\ninclusive %s\nexclusive %s\n%s"), name, inclusive,
                               exclusive, calls);
}

static void
hit_line (const KymoCallGraph *graph, guint line, double x, double y, KymoPlotHit *hit)
{
  const KymoGraphLine *l = &graph->lines[line];
  guint row = graph->edge_of[line];
  g_autofree char *inclusive = kymo_measure_exact (&graph->inclusive_words,
    kymo_table_get_double (graph->edges, "inclusive", row));
  g_autofree char *calls = calls_words (graph->edges, row);

  hit->rect = (KymoRect) { x - 3, y - 3, 6, 6 };
  hit->text = g_strdup_printf (_("%s → %s\n%s, inclusive %s"),
                               kymo_call_graph_name (graph, l->from),
                               kymo_call_graph_name (graph, l->to), calls, inclusive);
}

static gboolean
call_graph_hit (const KymoPicture *picture, double x, double y, KymoPlotHit *hit)
{
  const KymoCallGraph *graph = picture->layout;
  gboolean found = FALSE;

  kymo_hit_init (hit);
  if (graph->known)
    {
      for (guint i = graph->n_boxes; i-- > 0 && !found;)
        if (kymo_rect_contains (kymo_call_graph_rect (graph, i), x, y))
          {
            hit_box (graph, i, hit);
            found = TRUE;
          }
      for (guint i = 0; i < graph->n_lines && !found; i++)
        if (kymo_call_graph_is_near (graph, i, x, y))
          {
            hit_line (graph, i, x, y, hit);
            found = TRUE;
          }
    }
  return found;
}

static GArray *
call_graph_boxes (const KymoPicture *picture)
{
  const KymoCallGraph *graph = picture->layout;
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (KymoPlotBox));

  if (graph->known)
    for (guint i = 0; i < graph->n_boxes; i++)
      {
        KymoPlotBox box = { .row = graph->node_of[i], .rect = kymo_call_graph_rect (graph, i) };

        g_array_append_val (boxes, box);
      }
  return boxes;
}

static KymoQuestion *
call_graph_question (const KymoPlotFrame *frame)
{
  return kymo_frame_question (frame, "call-graph");
}

KYMO_DEFINE_LAYOUT (call_graph, KymoCallGraph, kymo_call_graph_init, kymo_call_graph_clear)

const KymoPlotClass kymo_plot_call_graph = {
  .id = "call-graph",
  .title = N_("Call graph"),
  .needs = KYMO_CAN_METRICS | KYMO_CAN_PATHS,
  .question = call_graph_question,
  .lay_out = call_graph_lay_out,
  .layout_free = call_graph_layout_free,
  .paint = call_graph_paint,
  .hit = call_graph_hit,
  .boxes = call_graph_boxes,
  .inset = { 16, 12, 16, FOOT_PX + 8 },
};
