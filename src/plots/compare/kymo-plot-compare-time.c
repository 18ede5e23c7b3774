/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The difference of two time profiles: what B does more of than A stacks up from the
 * zero line, what it does less of stacks down; over it lie the outlines of how many
 * rows were busy in each, B drawn through, A dashed. Idle and untraced time are what is
 * left and are not stacked. With repeats a grey band around A's line is as wide as the sides
 * may be apart by chance, and what is within the noise of its own name is pale.
 *
 * The scale is rows (PEs, ranks): time of all of them over the length of a bin.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-axis.h"
#include "kymo-in-terms.h"
#include "kymo-legend.h"
#include "kymo-compare-chart.h"
#include "kymo-compare-series.h"
#include "kymo-plot-terms.h"
#include "kymo-stack.h"
#include "kymo-units.h"

extern const KymoPlotClass kymo_plot_compare_time_profile;

static double
y_of (const KymoCompareChart *chart, double value)
{
  return chart->area.y + (chart->high - value) / (chart->high - chart->low) * chart->area.height;
}

/* -- painting ------------------------------------------------------------------ */

/* Rectangles of a layer, a bin each, from where the ones below it end: those within
   noise, or the others. @up and @down: what lies below it. */
static void
trace_layer (cairo_t *cr, const KymoCompareChart *chart, const KymoChartLayer *layer,
             gboolean noise, const double *up, const double *down)
{
  for (guint bin = 0; bin < chart->n; bin++)
    {
      double value = kymo_compare_difference_of (chart, layer->row, bin);
      double base = value > 0 ? up[bin] : down[bin];
      double y0 = y_of (chart, base), y1 = y_of (chart, base + value);

      if (fabs (y1 - y0) > 0.01 && kymo_compare_is_noise (chart, layer->row, bin) == noise)
        cairo_rectangle (cr, chart->xs[bin], MIN (y0, y1),
                         chart->xs[bin + 1] - chart->xs[bin], fabs (y1 - y0));
    }
}

/* What lies within noise is pale, as bars of what changed are. */
static void
paint_layer (cairo_t *cr, const KymoCompareChart *chart, const KymoChartLayer *layer,
             const KymoPlotFrame *frame, gboolean noise, const double *up, const double *down)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoRgba color = kymo_theme_series (frame, layer->name, layer->kind);

  trace_layer (cr, chart, layer, noise, up, down);
  kymo_set_source (cr, noise ? kymo_rgba_mix (color, theme->canvas, 0.65) : color);
  cairo_fill (cr);
}

static void
paint_layers (cairo_t *cr, const KymoCompareChart *chart, const KymoPlotFrame *frame)
{
  g_autofree double *up = g_new0 (double, chart->n), *down = g_new0 (double, chart->n);

  for (guint i = 0; i < chart->layers->len; i++)
    {
      const KymoChartLayer *layer = &g_array_index (chart->layers, KymoChartLayer, i);

      if (chart->has_noise)
        paint_layer (cr, chart, layer, frame, TRUE, up, down);
      paint_layer (cr, chart, layer, frame, FALSE, up, down);
      for (guint bin = 0; bin < chart->n; bin++)
        {
          double value = kymo_compare_difference_of (chart, layer->row, bin);

          *(value > 0 ? &up[bin] : &down[bin]) += value;
        }
    }
}

/* Around what is busy, or useful, in A: where B's line lies in it the difference is noise. */
static void
paint_band (cairo_t *cr, const KymoCompareChart *chart, const KymoTheme *theme)
{
  for (guint bin = 0; bin < chart->n; bin++)
    {
      double noise = kymo_compare_noise_of_all (chart, bin), busy = chart->busy[0][bin];
      double top = y_of (chart, MIN (busy + noise, chart->high));
      double bottom = y_of (chart, MAX (busy - noise, 0));

      if (noise > 0)
        cairo_rectangle (cr, chart->xs[bin], top, chart->xs[bin + 1] - chart->xs[bin],
                         bottom - top);
    }
  kymo_set_source_alpha (cr, theme->secondary, 0.25);
  cairo_fill (cr);
}

static void
paint_outline (cairo_t *cr, const KymoCompareChart *chart, guint which, const KymoTheme *theme)
{
  static const double dashes[] = { 5, 3 };

  cairo_save (cr);
  if (which == 0)
    cairo_set_dash (cr, dashes, G_N_ELEMENTS (dashes), 0);
  kymo_set_source (cr, which == 0 ? theme->secondary : theme->foreground);
  cairo_set_line_width (cr, 1.5);
  for (guint bin = 0; bin < chart->n; bin++)
    {
      double y = y_of (chart, chart->busy[which][bin]);

      if (bin == 0)
        cairo_move_to (cr, chart->xs[bin], y);
      cairo_line_to (cr, chart->xs[bin], y);
      cairo_line_to (cr, chart->xs[bin + 1], y);
    }
  cairo_stroke (cr);
  cairo_restore (cr);
}

/* Which line is whose, in the margin above. */
static void
paint_key (cairo_t *cr, const KymoCompareChart *chart, const KymoTable *answer,
           const KymoPlotFrame *frame)
{
  static const double dashes[] = { 5, 3 };
  const KymoTheme *theme = kymo_theme_get (frame->look);
  guint sides[] = { 0, kymo_table_get_int (answer, "against", 0) };
  g_autofree char *b = kymo_compare_side (answer, sides[1]);
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 0, 0 };
  gboolean band = chart->has_noise && chart->area.width > 420;
  KymoTextStyle title = { KYMO_TEXT_SMALL, FALSE, 0,
                          MAX (chart->area.width - (band ? 380 : 190), 1) };
  g_autofree char *axis = g_strdup_printf (_("%s, %s − A"),
                                           kymo_word_row (frame->terms, TRUE, TRUE), b);
  double y = chart->area.y - 10, x = chart->area.x + chart->area.width - 180;

  kymo_text_draw (cr, axis, chart->area.x, y, title, theme->secondary);
  if (band)
    {
      kymo_set_source_alpha (cr, theme->secondary, 0.25);
      cairo_rectangle (cr, x - 190, y - 5, 22, 10);
      cairo_fill (cr);
      kymo_text_draw (cr, _("what repeats differ by"), x - 163, y, style, theme->secondary);
    }
  for (guint which = 0; which < 2 && chart->area.width > 240; which++, x += 92)
    {
      g_autofree char *side = kymo_compare_side (answer, sides[which]);
      g_autofree char *words = g_strdup_printf (chart->useful ? _("useful in %s")
                                                : _("busy in %s"), side);

      cairo_save (cr);
      if (which == 0)
        cairo_set_dash (cr, dashes, G_N_ELEMENTS (dashes), 0);
      kymo_set_source (cr, which == 0 ? theme->secondary : theme->foreground);
      cairo_set_line_width (cr, 1.5);
      cairo_move_to (cr, x, y);
      cairo_line_to (cr, x + 22, y);
      cairo_stroke (cr);
      cairo_restore (cr);
      kymo_text_draw (cr, words, x + 27, y, style, theme->secondary);
    }
}

static GArray *
legend_items (const KymoCompareChart *chart, const KymoPlotFrame *frame)
{
  GArray *items = g_array_new (FALSE, FALSE, sizeof (KymoLegendItem));
  double all = 1e-12;

  for (guint i = 0; i < chart->layers->len; i++)
    all += g_array_index (chart->layers, KymoChartLayer, i).total;
  for (guint i = 0; i < chart->layers->len; i++)
    {
      const KymoChartLayer *layer = &g_array_index (chart->layers, KymoChartLayer, i);

      kymo_legend_add (items, frame, layer->name, layer->kind, layer->total / all);
    }
  return items;
}

static void
compare_time_paint (cairo_t *cr, const KymoPicture *picture)
{
  const KymoCompareChart *chart = picture->layout;
  const KymoTable *answer = picture->answer;
  const KymoPlotFrame *frame = &picture->frame;
  const KymoTheme *theme = kymo_theme_get (frame->look);
  g_autoptr (GArray) items = NULL;

  if (!chart->known)
    {
      kymo_decor_paint (cr, &kymo_plot_compare_time_profile, frame, NULL);
      kymo_paint_empty (cr, frame, chart->area, _("No time in this range"));
      return;
    }
  items = legend_items (chart, frame);
  kymo_decor_paint (cr, &kymo_plot_compare_time_profile, frame, items);
  kymo_axis_values (cr, frame, chart->area, FALSE, chart->low, chart->high, kymo_axis_number);
  cairo_save (cr);
  cairo_rectangle (cr, chart->area.x, chart->area.y, chart->area.width, chart->area.height);
  cairo_clip (cr);
  paint_layers (cr, chart, frame);
  if (chart->has_noise)
    paint_band (cr, chart, theme);
  paint_outline (cr, chart, 0, theme);
  paint_outline (cr, chart, 1, theme);
  kymo_set_source (cr, theme->foreground);
  cairo_set_line_width (cr, 1);
  kymo_line (cr, chart->area.x, y_of (chart, 0), chart->area.x + chart->area.width,
             y_of (chart, 0));
  cairo_stroke (cr);
  cairo_restore (cr);
  paint_key (cr, chart, answer, frame);
  if (frame->decorate)
    kymo_axis_time (cr, frame, chart->area.y + chart->area.height + 18,
                    chart->area.y + chart->area.height);
}

/* -- what lies under a point ----------------------------------------------------- */

static const KymoChartLayer *
layer_at (const KymoCompareChart *chart, guint bin, double y)
{
  double up = 0, down = 0;

  for (guint i = 0; i < chart->layers->len; i++)
    {
      const KymoChartLayer *layer = &g_array_index (chart->layers, KymoChartLayer, i);
      double value = kymo_compare_difference_of (chart, layer->row, bin);
      double *base = value > 0 ? &up : &down;
      double y0 = y_of (chart, *base), y1 = y_of (chart, *base + value);

      *base += value;
      if (y >= MIN (y0, y1) && y < MAX (y0, y1))
        return layer;
    }
  return NULL;
}

/* "0.42" of a row */
static char *
number_of (double value)
{
  g_autofree char *number = kymo_format_number (fabs (value), 3);

  return g_strconcat (value < 0 ? "−" : "", number, NULL);
}

/* A line of its own, or nothing without repeats. */
static char *
noise_words (const KymoCompareChart *chart, const KymoChartLayer *layer, guint bin,
             double difference)
{
  double noise = !chart->has_noise ? 0
                 : layer != NULL ? kymo_compare_noise_of (chart, layer->row, bin)
                                 : kymo_compare_noise_of_all (chart, bin);
  g_autofree char *amount = number_of (noise);

  if (!chart->has_noise)
    return g_strdup ("");
  return g_strdup_printf (difference <= noise ? _("\nNoise: repeats differ by up to %s")
                          : _("\nMore than noise, which is up to %s"), amount);
}

static void
describe_compare_time (const KymoCompareChart *chart, const KymoTable *answer,
                       const KymoPlotFrame *frame, const KymoChartLayer *layer, guint bin,
                       KymoPlotHit *hit)
{
  g_autofree char *label = kymo_compare_side (answer, kymo_table_get_int (answer, "against", 0));
  double a = layer != NULL ? kymo_compare_rows_of (chart, 0, layer->row, bin)
                           : chart->busy[0][bin];
  double b = layer != NULL ? kymo_compare_rows_of (chart, 1, layer->row, bin)
                           : chart->busy[1][bin];
  g_autofree char *of_a = number_of (a), *of_b = number_of (b), *difference = number_of (b - a);
  g_autofree char *span = kymo_frame_span_words (frame, hit->span);

  hit->name = layer != NULL ? g_strdup (layer->name) : NULL;
  g_autofree char *noise = noise_words (chart, layer, bin, fabs (b - a));
  hit->text = g_strdup_printf (_("%s\n%s: %s%s (A %s, %s %s)%s\n%s"),
                               layer != NULL ? kymo_shown_name (layer->name)
                               : chart->useful ? _("All useful time") : _("All that is busy"),
                               kymo_word_row (frame->terms, TRUE, TRUE), b > a ? "+" : "",
                               difference, of_a, label, of_b, noise, span);
}

static gboolean
compare_time_hit (const KymoPicture *picture, double x, double y, KymoPlotHit *hit)
{
  const KymoCompareChart *chart = picture->layout;
  const KymoTable *answer = picture->answer;
  const KymoPlotFrame *frame = &picture->frame;
  gboolean found = FALSE;

  kymo_hit_init (hit);
  if (chart->known && kymo_rect_contains (chart->area, x, y)
      && x >= chart->xs[0] && x < chart->xs[chart->n])
    {
      guint bin = kymo_stack_bin_at (chart->xs, chart->n, x);

      found = TRUE;
      hit->time_ns = kymo_plot_x_to_time (frame, x);
      hit->span = (KymoSpan) { chart->edges_ns[bin], chart->edges_ns[bin + 1] };
      hit->rect = (KymoRect) { chart->xs[bin], chart->area.y, chart->xs[bin + 1] - chart->xs[bin],
                               chart->area.height };
      describe_compare_time (chart, answer, frame, layer_at (chart, bin, y), bin, hit);
    }
  return found;
}

/* Parts of one bin that go one way, from the zero line on. */
static void
add_boxes (const KymoCompareChart *chart, guint bin, gboolean up, GArray *boxes)
{
  double base = 0;

  for (guint i = 0; i < chart->layers->len; i++)
    {
      const KymoChartLayer *layer = &g_array_index (chart->layers, KymoChartLayer, i);
      double value = kymo_compare_difference_of (chart, layer->row, bin), y0, y1;
      KymoPlotBox box = { .row = bin, .part = i, .stacked = TRUE, .location = -1, .told = TRUE,
                          .name = layer->name,
                          .span = { chart->edges_ns[bin], chart->edges_ns[bin + 1] } };

      if ((value > 0) != up)
        continue;
      y0 = y_of (chart, base);
      y1 = y_of (chart, base + value);
      base += value;
      box.rect = (KymoRect) { chart->xs[bin], MIN (y0, y1), chart->xs[bin + 1] - chart->xs[bin],
                              fabs (y1 - y0) };
      if (box.rect.height >= 1)
        g_array_append_val (boxes, box);
    }
}

/* What grew and what shrank of each bin; of one where nothing did all that is busy. */
static GArray *
compare_time_boxes (const KymoPicture *picture)
{
  const KymoCompareChart *chart = picture->layout;
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (KymoPlotBox));

  for (guint bin = 0; chart->known && bin < chart->n; bin++)
    {
      double width = chart->xs[bin + 1] - chart->xs[bin], x = chart->xs[bin] + width / 2;
      KymoPlotBox all = { .row = bin, .part = chart->layers->len, .stacked = TRUE,
                          .location = -1, .told = TRUE,
                          .span = { chart->edges_ns[bin], chart->edges_ns[bin + 1] },
                          .rect = { chart->xs[bin], chart->area.y, width, chart->area.height } };
      guint before = boxes->len;

      if (x < chart->area.x || x >= chart->area.x + chart->area.width)
        continue;
      add_boxes (chart, bin, FALSE, boxes);
      add_boxes (chart, bin, TRUE, boxes);
      if (boxes->len == before)
        g_array_append_val (boxes, all);
    }
  return boxes;
}

static KymoQuestion *
compare_time_question (const KymoPlotFrame *frame)
{
  KymoQuestion *question = kymo_frame_question (frame, "compare-time-profile");
  KymoRect area = kymo_plot_frame_area (&kymo_plot_compare_time_profile, frame);

  kymo_question_set_resolution (question, CLAMP (area.width / 4, 10, 500), 0);
  kymo_question_set_int (question, "workers-only", 1);
  return question;
}

KYMO_DEFINE_LAYOUT (compare_time, KymoCompareChart, kymo_compare_chart_init,
                    kymo_compare_chart_clear)

const KymoPlotClass kymo_plot_compare_time_profile = {
  .id = "compare-time-profile",
  .title = N_("Difference of time profiles"),
  .time_axis = TRUE,
  .needs = KYMO_CAN_BINNED_TIME,
  .question = compare_time_question,
  .lay_out = compare_time_lay_out,
  .layout_free = compare_time_layout_free,
  .paint = compare_time_paint,
  .hit = compare_time_hit,
  .boxes = compare_time_boxes,
  .inset = { 0, 22, 0, 8 },
  .has_legend = TRUE,
  .compares = TRUE,
};
