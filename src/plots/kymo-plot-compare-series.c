/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A series of runs, as of a scaling study: a stacked bar a side with what ran, idle
 * time and overhead; beside it how much faster each was than the first, with the line of
 * a perfect speed-up dashed.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-axis.h"
#include "kymo-compare.h"
#include "kymo-legend.h"
#include "kymo-plot-terms.h"
#include "kymo-units.h"

#define GAP_PX 64
#define DOT_PX 4

/** Layer: a series of the stack; @row: of the answer's activities */
typedef struct
{
  const char       *name;
  guint             row;
  guint             rank;
  KymoActivityKind  kind;
  double            total;
} Layer;

typedef struct
{
  const KymoTable *answer, *activities, *sides;
  guint            n_sides, width;
  const gint64    *figures;
  GArray          *layers;
  double           high, unit_ns, all;
  const char      *unit;
  KymoRect         bars, faster;        /* @faster: without room it has no width */
  double           most_faster;
} Chart;

/* What ran at the bottom, the busiest first; then idle time, overhead and what was not
   traced. */
static int
compare_layers (gconstpointer a, gconstpointer b)
{
  const Layer *x = a, *y = b;

  if (x->kind != y->kind)
    return x->kind < y->kind ? -1 : 1;
  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  return x->row < y->row ? -1 : x->row > y->row;
}

static double
value_of (const Chart *chart, const Layer *layer, guint side)
{
  return (double) MAX (chart->figures[(gsize) layer->row * chart->width + side], 0);
}

static void
add_layers (Chart *chart, const KymoPlotFrame *frame)
{
  for (guint row = 0; row < kymo_table_get_n_rows (chart->activities); row++)
    {
      Layer layer = { kymo_table_get_string (chart->activities, "name", row), row };

      layer.kind = kymo_activity_kind (kymo_table_get_string (chart->activities, "kind", row));
      layer.rank = frame->colors != NULL && layer.name != NULL
                   ? kymo_colors_get_rank (frame->colors, layer.name) : G_MAXUINT;
      for (guint side = 0; side < chart->n_sides; side++)
        layer.total += value_of (chart, &layer, side);
      if (layer.kind == KYMO_KIND_EVENT || kymo_is_hidden (frame, layer.name)
          || layer.total <= 0)
        continue;
      chart->all += layer.total;
      g_array_append_val (chart->layers, layer);
    }
  g_array_sort (chart->layers, compare_layers);
}

static void
find_scale (Chart *chart)
{
  gboolean is_time = kymo_table_get_bool (chart->answer, "is_time", 0);

  for (guint side = 0; side < chart->n_sides; side++)
    {
      double sum = 0;
      double faster = kymo_table_get_double (chart->sides, "speed_up", side);
      double pes = kymo_table_get_double (chart->sides, "pes", side)
                   / MAX (kymo_table_get_double (chart->sides, "pes", 0), 1e-9);

      for (guint i = 0; i < chart->layers->len; i++)
        sum += value_of (chart, &g_array_index (chart->layers, Layer, i), side);
      chart->high = MAX (chart->high, sum);
      if (isfinite (faster))
        chart->most_faster = MAX (chart->most_faster, MAX (faster, pes));
    }
  chart->high = MAX (chart->high, 1) * 1.02;
  chart->most_faster *= 1.08;
  chart->unit_ns = 1;
  chart->unit = is_time ? kymo_axis_time_unit (chart->high / 4, &chart->unit_ns)
                : kymo_table_get_string (chart->answer, "unit", 0);
}

static gboolean
chart_init (Chart *chart, const KymoTable *answer, const KymoPlotFrame *frame)
{
  KymoRect area = kymo_plot_frame_area (&kymo_plot_compare_series, frame);
  gboolean per_pe = kymo_table_get_bool (answer, "per_pe", 0)
                    && kymo_table_get_bool (answer, "pes_differ", 0);
  double share = area.width > 460 ? 0.36 : 0;

  *chart = (Chart) { answer, kymo_table_peek_nested (answer, "activities", NULL),
                     kymo_table_peek_nested (answer, "sides", NULL) };
  chart->bars = area;
  chart->layers = g_array_new (FALSE, FALSE, sizeof (Layer));
  if (chart->activities == NULL || chart->sides == NULL)
    return FALSE;
  chart->n_sides = kymo_table_get_n_rows (chart->sides);
  chart->figures = kymo_compare_column (answer, chart->activities,
                                        per_pe ? "per_pe" : "exclusive", &chart->width);
  if (chart->figures == NULL || chart->width != chart->n_sides || chart->n_sides == 0)
    return FALSE;
  add_layers (chart, frame);
  find_scale (chart);
  if (chart->most_faster <= 0)
    share = 0;
  chart->faster = (KymoRect) { area.x + area.width * (1 - share) + GAP_PX, area.y,
                               MAX (area.width * share - GAP_PX, 0), area.height };
  chart->bars.width = share > 0 ? area.width * (1 - share) : area.width;
  return chart->layers->len > 0;
}

static void
chart_clear (Chart *chart)
{
  g_array_unref (chart->layers);
}

static KymoRect
bar_rect (const Chart *chart, guint side)
{
  double step = chart->bars.width / chart->n_sides;
  double width = MIN (step * 0.7, 120);

  return (KymoRect) { round (chart->bars.x + step * (side + 0.5) - width / 2), chart->bars.y,
                      round (width), chart->bars.height };
}

/* The part of a bar that a layer takes; @below: the sum of those below it */
static KymoRect
layer_rect (const Chart *chart, guint side, double below, double value)
{
  KymoRect bar = bar_rect (chart, side);
  double bottom = bar.y + bar.height, px = bar.height / chart->high;

  return (KymoRect) { bar.x, bottom - (below + value) * px, bar.width, value * px };
}

static double
faster_x (const Chart *chart, guint side)
{
  return chart->faster.x + chart->faster.width * (side + 0.5) / chart->n_sides;
}

static double
faster_y (const Chart *chart, double value)
{
  return chart->faster.y + chart->faster.height * (1 - value / chart->most_faster);
}

/* -- painting ------------------------------------------------------------------ */

static void
paint_bar (cairo_t *cr, const Chart *chart, guint side, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  double below = 0;

  for (guint i = 0; i < chart->layers->len; i++)
    {
      const Layer *layer = &g_array_index (chart->layers, Layer, i);
      KymoRect rect = layer_rect (chart, side, below, value_of (chart, layer, side));

      below += value_of (chart, layer, side);
      if (rect.height < 0.01)
        continue;
      if (layer->kind != KYMO_KIND_UNTRACED)
        {
          kymo_fill_activity (cr, frame, layer->name, layer->kind, rect);
          if (layer->kind != KYMO_KIND_OVERHEAD || rect.height < 2)
            continue;
          kymo_set_source (cr, theme->ink_edge);
          cairo_set_line_width (cr, 1);
          cairo_rectangle (cr, rect.x + 0.5, rect.y + 0.5, rect.width - 1, rect.height - 1);
          cairo_stroke (cr);
          continue;
        }
      cairo_save (cr);
      cairo_set_dash (cr, (double[]) { 1, 2 }, 2, 0);
      kymo_set_source (cr, theme->dotted);
      cairo_set_line_width (cr, 1);
      cairo_rectangle (cr, rect.x + 0.5, rect.y + 0.5, rect.width - 1, MAX (rect.height - 1, 0));
      cairo_stroke (cr);
      cairo_restore (cr);
    }
}

/* Under a bar: whose it is, of how many rows, and how long it took. */
static void
paint_label (cairo_t *cr, const Chart *chart, guint side, const KymoPlotFrame *frame, double x,
             double room)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  const gint64 *elapsed = kymo_compare_column (chart->answer, chart->sides, "elapsed", NULL);
  KymoTextStyle style = { KYMO_TEXT_NORMAL, TRUE, 0.5, room };
  KymoTextStyle small = { KYMO_TEXT_SMALL, FALSE, 0.5, room };
  g_autofree char *rows = kymo_words_rows (frame->terms, llround (
    kymo_table_get_double (chart->sides, "pes", side)));
  g_autofree char *passed = elapsed != NULL && elapsed[side] > 0
                            ? kymo_compare_amount (chart->answer, elapsed[side]) : g_strdup ("");
  double y = chart->bars.y + chart->bars.height;

  kymo_text_draw (cr, kymo_table_get_string (chart->sides, "label", side), x, y + 14, style,
                  theme->foreground);
  kymo_text_draw (cr, rows, x, y + 30, small, theme->secondary);
  kymo_text_draw (cr, passed, x, y + 45, small, theme->secondary);
}

static void
paint_dot (cairo_t *cr, const Chart *chart, guint side, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  double value = kymo_table_get_double (chart->sides, "speed_up", side);
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 0.5, 0 };
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  double x = faster_x (chart, side), y, width;

  if (!isfinite (value))
    return;
  y = faster_y (chart, value);
  cairo_arc (cr, x, y, DOT_PX, 0, 2 * G_PI);
  kymo_set_source (cr, theme->accent);
  cairo_fill (cr);
  g_ascii_formatd (number, sizeof number, "%.2f", value);
  y = y - 13 > chart->faster.y ? y - 13 : y + 14;
  width = kymo_text_width (cr, number, style);
  kymo_set_source_alpha (cr, theme->canvas, 0.85);
  cairo_rectangle (cr, x - width / 2 - 2, y - 7, width + 4, 14);
  cairo_fill (cr);
  kymo_text_draw (cr, number, x, y, style, theme->foreground);
}

static void
paint_line (cairo_t *cr, const Chart *chart, gboolean perfect)
{
  double first = kymo_table_get_double (chart->sides, "pes", 0);

  for (guint side = 0; side < chart->n_sides; side++)
    {
      double value = perfect ? kymo_table_get_double (chart->sides, "pes", side) / first
                     : kymo_table_get_double (chart->sides, "speed_up", side);

      if (isfinite (value))
        cairo_line_to (cr, faster_x (chart, side), faster_y (chart, value));
    }
  cairo_stroke (cr);
}

static void
paint_faster (cairo_t *cr, const Chart *chart, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle title = { KYMO_TEXT_SMALL, FALSE, 0, chart->faster.width };

  if (chart->faster.width < 40)
    return;
  kymo_axis_left (cr, frame, chart->faster, chart->most_faster, 6, kymo_axis_number);
  kymo_text_draw (cr, _("Times as fast as A; dashed: perfect"), chart->faster.x,
                  chart->faster.y - 12, title, theme->secondary);
  cairo_set_line_width (cr, 1.5);
  cairo_save (cr);
  cairo_set_dash (cr, (double[]) { 5, 3 }, 2, 0);
  kymo_set_source (cr, theme->secondary);
  paint_line (cr, chart, TRUE);
  cairo_restore (cr);
  kymo_set_source (cr, theme->accent);
  paint_line (cr, chart, FALSE);
  for (guint side = 0; side < chart->n_sides; side++)
    {
      KymoTextStyle style = { KYMO_TEXT_NORMAL, TRUE, 0.5, chart->faster.width / chart->n_sides };

      paint_dot (cr, chart, side, frame);
      kymo_text_draw (cr, kymo_table_get_string (chart->sides, "label", side),
                      faster_x (chart, side), chart->faster.y + chart->faster.height + 14, style,
                      theme->foreground);
    }
}

static GArray *
legend_items (const Chart *chart, const KymoPlotFrame *frame)
{
  GArray *items = g_array_new (FALSE, FALSE, sizeof (KymoLegendItem));

  for (guint i = 0; i < chart->layers->len; i++)
    {
      const Layer *layer = &g_array_index (chart->layers, Layer, i);

      kymo_legend_add (items, frame, layer->name, layer->kind, layer->total / chart->all);
    }
  return items;
}

static void
compare_series_paint (cairo_t *cr, const KymoTable *answer, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  g_autoptr (GArray) items = NULL;
  KymoRect scaled;
  Chart chart;

  if (!chart_init (&chart, answer, frame))
    {
      kymo_decor_paint (cr, &kymo_plot_compare_series, frame, NULL);
      kymo_paint_empty (cr, frame, chart.bars, _("No time in this range"));
      chart_clear (&chart);
      return;
    }
  items = legend_items (&chart, frame);
  kymo_decor_paint (cr, &kymo_plot_compare_series, frame, items);
  scaled = chart.bars;
  kymo_axis_left (cr, frame, scaled, chart.high / chart.unit_ns, 8, kymo_axis_number);
  for (guint side = 0; side < chart.n_sides; side++)
    {
      KymoRect bar = bar_rect (&chart, side);

      paint_bar (cr, &chart, side, frame);
      paint_label (cr, &chart, side, frame, bar.x + bar.width / 2,
                   chart.bars.width / chart.n_sides);
    }
  {
    KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 0, chart.bars.width };
    const char *row = kymo_word_row (frame->terms, !kymo_table_get_bool (answer, "per_pe", 0),
                                     FALSE);
    g_autofree char *words = g_strdup_printf (
      kymo_table_get_bool (answer, "per_pe", 0) ? _("%s of one %s on average")
      : _("%s of all %s"), chart.unit, row);

    kymo_text_draw (cr, words, chart.bars.x, chart.bars.y - 12, style, theme->secondary);
  }
  paint_faster (cr, &chart, frame);
  chart_clear (&chart);
}

/* -- what lies under a point ----------------------------------------------------- */

static void
describe_layer (const Chart *chart, const Layer *layer, guint side, KymoPlotHit *hit)
{
  double value = value_of (chart, layer, side), all = 0;
  g_autofree char *amount = kymo_compare_amount (chart->answer, (gint64) value);
  g_autofree char *share = NULL;
  const char *trend = kymo_table_find_column (chart->activities, "trend") >= 0
                      ? kymo_table_get_string (chart->activities, "trend", layer->row) : NULL;

  for (guint i = 0; i < chart->layers->len; i++)
    all += value_of (chart, &g_array_index (chart->layers, Layer, i), side);
  share = kymo_format_percent (all > 0 ? value / all : NAN);
  hit->name = g_strdup (layer->name);
  hit->text = g_strdup_printf ("%s\n%s: %s, %s%s%s", layer->name,
                               kymo_table_get_string (chart->sides, "label", side), amount,
                               share, trend != NULL ? "\n" : "", trend != NULL ? trend : "");
}

static gboolean
hit_bar (const Chart *chart, double x, double y, KymoPlotHit *hit)
{
  for (guint side = 0; side < chart->n_sides; side++)
    {
      double below = 0;

      for (guint i = 0; i < chart->layers->len; i++)
        {
          const Layer *layer = &g_array_index (chart->layers, Layer, i);
          KymoRect rect = layer_rect (chart, side, below, value_of (chart, layer, side));

          below += value_of (chart, layer, side);
          if (!kymo_rect_contains (rect, x, y))
            continue;
          hit->rect = rect;
          describe_layer (chart, layer, side, hit);
          return TRUE;
        }
    }
  return FALSE;
}

static gboolean
hit_dot (const Chart *chart, double x, double y, KymoPlotHit *hit)
{
  for (guint side = 0; chart->faster.width > 0 && side < chart->n_sides; side++)
    {
      double value = kymo_table_get_double (chart->sides, "speed_up", side);
      g_autofree char *efficiency = kymo_format_percent (
        kymo_table_get_double (chart->sides, "efficiency", side));
      char number[G_ASCII_DTOSTR_BUF_SIZE];
      KymoRect rect = { faster_x (chart, side) - 10, 0, 20, 20 };

      if (!isfinite (value))
        continue;
      rect.y = faster_y (chart, value) - 10;
      if (!kymo_rect_contains (rect, x, y))
        continue;
      hit->rect = rect;
      g_ascii_formatd (number, sizeof number, "%.3g", value);
      hit->text = g_strdup_printf (_("%s\n%s times as fast as A\nefficiency %s"),
                                   kymo_table_get_string (chart->sides, "label", side), number,
                                   efficiency);
      return TRUE;
    }
  return FALSE;
}

static gboolean
compare_series_hit (const KymoTable *answer, const KymoPlotFrame *frame, double x, double y,
                    KymoPlotHit *hit)
{
  gboolean found = FALSE;
  Chart chart;

  kymo_hit_init (hit);
  if (chart_init (&chart, answer, frame))
    found = hit_bar (&chart, x, y, hit) || hit_dot (&chart, x, y, hit);
  chart_clear (&chart);
  return found;
}

static KymoQuestion *
compare_series_question (const KymoPlotFrame *frame)
{
  KymoQuestion *question = kymo_frame_question (frame, "compare");

  kymo_question_set_int (question, "workers-only", 1);
  return question;
}

const KymoPlotClass kymo_plot_compare_series = {
  .id = "compare-series",
  .title = N_("Series of runs"),
  .needs = KYMO_CAN_PROFILE,
  .question = compare_series_question,
  .paint = compare_series_paint,
  .hit = compare_series_hit,
  .inset = { 64, 26, 24, 54 },
  .has_legend = TRUE,
  .compares = TRUE,
};
