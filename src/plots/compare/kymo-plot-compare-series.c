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
#include "kymo-compare-series.h"
#include "kymo-in-terms.h"
#include "kymo-legend.h"
#include "kymo-order.h"
#include "kymo-plot-terms.h"
#include "kymo-units.h"

extern const KymoPlotClass kymo_plot_compare_series;

#define GAP_PX 64

/* What ran at the bottom, the busiest first; then idle time, overhead and what was not
   traced. */
static int
compare_layers (gconstpointer a, gconstpointer b)
{
  const KymoCompareLayer *x = a, *y = b;

  KYMO_ORDER_BY (x->kind, y->kind);
  KYMO_ORDER_BY (x->rank, y->rank);
  return x->row < y->row ? -1 : x->row > y->row;
}

static double
value_of (const KymoCompareSeries *chart, const KymoCompareLayer *layer, guint side)
{
  return (double) MAX (chart->figures[(gsize) layer->row * chart->width + side], 0);
}

static void
add_layers (KymoCompareSeries *chart, const KymoPlotFrame *frame)
{
  for (guint row = 0; row < kymo_table_get_n_rows (chart->activities); row++)
    {
      KymoCompareLayer layer = { kymo_table_get_string (chart->activities, "name", row), row };

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
find_scale (KymoCompareSeries *chart)
{
  gboolean is_time = kymo_table_get_bool (chart->answer, "is_time", 0);

  for (guint side = 0; side < chart->n_sides; side++)
    {
      double sum = 0;
      double faster = kymo_table_get_double (chart->sides, "speed_up", side);
      double pes = kymo_table_get_double (chart->sides, "pes", side)
                   / MAX (kymo_table_get_double (chart->sides, "pes", 0), 1e-9);

      for (guint i = 0; i < chart->layers->len; i++)
        sum += value_of (chart, &g_array_index (chart->layers, KymoCompareLayer, i), side);
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
chart_init (KymoCompareSeries *chart, const KymoTable *answer, const KymoPlotFrame *frame)
{
  KymoRect area = kymo_plot_frame_area (&kymo_plot_compare_series, frame);
  gboolean per_pe = kymo_table_get_bool (answer, "per_pe", 0)
                    && kymo_table_get_bool (answer, "pes_differ", 0);
  double share = area.width > 460 ? 0.36 : 0;

  *chart = (KymoCompareSeries) { answer, kymo_table_peek_nested (answer, "activities", NULL),
                     kymo_table_peek_nested (answer, "sides", NULL) };
  chart->bars = area;
  chart->layers = g_array_new (FALSE, FALSE, sizeof (KymoCompareLayer));
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
chart_clear (KymoCompareSeries *chart)
{
  g_array_unref (chart->layers);
}

static KymoRect
bar_rect (const KymoCompareSeries *chart, guint side)
{
  double step = chart->bars.width / chart->n_sides;
  double width = MIN (step * 0.7, 120);

  return (KymoRect) { round (chart->bars.x + step * (side + 0.5) - width / 2), chart->bars.y,
                      round (width), chart->bars.height };
}

/* The part of a bar that a layer takes; @below: the sum of those below it */
static KymoRect
layer_rect (const KymoCompareSeries *chart, guint side, double below, double value)
{
  KymoRect bar = bar_rect (chart, side);
  double bottom = bar.y + bar.height, px = bar.height / chart->high;

  return (KymoRect) { bar.x, bottom - (below + value) * px, bar.width, value * px };
}

/* -- painting ------------------------------------------------------------------ */

static void
paint_bar (cairo_t *cr, const KymoCompareSeries *chart, guint side, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  double below = 0;

  for (guint i = 0; i < chart->layers->len; i++)
    {
      const KymoCompareLayer *layer = &g_array_index (chart->layers, KymoCompareLayer, i);
      KymoRect rect = layer_rect (chart, side, below, value_of (chart, layer, side));

      below += value_of (chart, layer, side);
      if (rect.height < 0.01)
        continue;
      if (layer->kind != KYMO_KIND_UNTRACED)
        {
          kymo_fill_activity (cr, frame, layer->name, layer->kind, rect);
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

/** Label: figures below a bar; bare where their units stand beside them */
typedef struct
{
  char *rows, *passed;
} Label;

static void
label_clear (gpointer data)
{
  g_free (((Label *) data)->rows);
  g_free (((Label *) data)->passed);
}

/* The longest time that passed, and so the unit of all of them where each has none. */
static const char *
unit_of_passed (const KymoCompareSeries *chart, double *unit)
{
  const gint64 *elapsed = kymo_compare_column (chart->answer, chart->sides, "elapsed", NULL);
  gint64 longest = 1;

  for (guint side = 0; elapsed != NULL && side < chart->n_sides; side++)
    longest = MAX (longest, elapsed[side]);
  *unit = 1;
  return kymo_table_get_bool (chart->answer, "is_time", 0)
         ? kymo_axis_time_unit (longest / 4.0, unit) : "";
}

/* What passed in units that stand beside it; counts have none. */
static char *
bare_amount (const KymoCompareSeries *chart, gint64 passed, double unit)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  double value = (double) passed / unit;

  if (!kymo_table_get_bool (chart->answer, "is_time", 0))
    return kymo_compare_amount (chart->answer, passed);
  if (value >= 100)
    return kymo_axis_number (value, 1);
  return g_strdup (g_ascii_formatd (number, sizeof number, "%.3g", value));
}

/* @bare: figures alone, as their units stand beside them */
static GArray *
make_labels (const KymoCompareSeries *chart, const KymoPlotFrame *frame, gboolean bare)
{
  GArray *labels = g_array_new (FALSE, FALSE, sizeof (Label));
  const gint64 *elapsed = kymo_compare_column (chart->answer, chart->sides, "elapsed", NULL);
  double unit;

  unit_of_passed (chart, &unit);
  g_array_set_clear_func (labels, label_clear);
  for (guint side = 0; side < chart->n_sides; side++)
    {
      gint64 pes = llround (kymo_table_get_double (chart->sides, "pes", side));
      gint64 passed = elapsed != NULL ? elapsed[side] : 0;
      Label label;

      label.rows = bare ? kymo_format_count (pes) : kymo_words_rows (frame->terms, pes);
      label.passed = passed <= 0 ? g_strdup ("")
                     : bare ? bare_amount (chart, passed, unit)
                     : kymo_compare_amount (chart->answer, passed);
      g_array_append_val (labels, label);
    }
  return labels;
}

static double
labels_width (cairo_t *cr, GArray *labels, KymoTextStyle style)
{
  double widest = 0;

  for (guint i = 0; i < labels->len; i++)
    {
      const Label *label = &g_array_index (labels, Label, i);

      widest = fmax (widest, fmax (kymo_text_width (cr, label->rows, style),
                                   kymo_text_width (cr, label->passed, style)));
    }
  return widest;
}

/* Left of figures that have no units of their own, which take up @width. */
static void
paint_units (cairo_t *cr, const KymoCompareSeries *chart, const KymoPlotFrame *frame,
             double width)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle small = { KYMO_TEXT_SMALL, FALSE, 1, 56 };
  double step = chart->bars.width / chart->n_sides, y = chart->bars.y + chart->bars.height;
  double x = chart->bars.x + fmin ((step - width) / 2, 0) - KYMO_COMPARE_GAP_PX, unit;

  kymo_text_draw (cr, kymo_word_row (frame->terms, TRUE, TRUE), x, y + 30, small,
                  theme->secondary);
  kymo_text_draw (cr, unit_of_passed (chart, &unit), x, y + 45, small, theme->secondary);
}

/* Under the bars: whose they are, of how many rows, and how long they took. Where units have
   no room they stand once; where figures have none, every few sides have some. */
static void
paint_labels (cairo_t *cr, const KymoCompareSeries *chart, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle style = { KYMO_TEXT_NORMAL, TRUE, 0.5, 0 };
  KymoTextStyle small = { KYMO_TEXT_SMALL, FALSE, 0.5, 0 };
  g_autoptr (GArray) labels = make_labels (chart, frame, FALSE);
  double step = chart->bars.width / chart->n_sides, y = chart->bars.y + chart->bars.height;
  guint each = kymo_compare_every (kymo_compare_label_width (cr, chart, style), step), figures;

  if (labels_width (cr, labels, small) + KYMO_COMPARE_GAP_PX > step)
    {
      g_clear_pointer (&labels, g_array_unref);
      labels = make_labels (chart, frame, TRUE);
      paint_units (cr, chart, frame, labels_width (cr, labels, small));
    }
  figures = kymo_compare_every (labels_width (cr, labels, small), step);
  for (guint side = 0; side < chart->n_sides; side++)
    {
      const Label *label = &g_array_index (labels, Label, side);
      double x = chart->bars.x + step * (side + 0.5);

      if (side % each == 0)
        kymo_text_draw (cr, kymo_table_get_string (chart->sides, "label", side), x, y + 14, style,
                        theme->foreground);
      if (side % figures != 0)
        continue;
      kymo_text_draw (cr, label->rows, x, y + 30, small, theme->secondary);
      kymo_text_draw (cr, label->passed, x, y + 45, small, theme->secondary);
    }
}

static GArray *
legend_items (const KymoCompareSeries *chart, const KymoPlotFrame *frame)
{
  GArray *items = g_array_new (FALSE, FALSE, sizeof (KymoLegendItem));

  for (guint i = 0; i < chart->layers->len; i++)
    {
      const KymoCompareLayer *layer = &g_array_index (chart->layers, KymoCompareLayer, i);

      kymo_legend_add (items, frame, layer->name, layer->kind, layer->total / chart->all);
    }
  return items;
}

static void
compare_series_paint (cairo_t *cr, const KymoPicture *picture)
{
  const KymoCompareSeries *chart = picture->layout;
  const KymoTable *answer = picture->answer;
  const KymoPlotFrame *frame = &picture->frame;
  const KymoTheme *theme = kymo_theme_get (frame->look);
  g_autoptr (GArray) items = NULL;
  KymoRect scaled;

  if (!chart->known)
    {
      kymo_decor_paint (cr, &kymo_plot_compare_series, frame, NULL);
      kymo_paint_empty (cr, frame, chart->bars, _("No time in this range"));
      return;
    }
  items = legend_items (chart, frame);
  kymo_decor_paint (cr, &kymo_plot_compare_series, frame, items);
  scaled = chart->bars;
  kymo_axis_left (cr, frame, scaled, chart->high / chart->unit_ns, 8, kymo_axis_number);
  for (guint side = 0; side < chart->n_sides; side++)
    paint_bar (cr, chart, side, frame);
  paint_labels (cr, chart, frame);
  {
    KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 0, chart->bars.width };
    /* Translators: a unit, “ms”. */
    g_autofree char *words = g_strdup_printf (
      kymo_in_terms (frame->terms, kymo_table_get_bool (answer, "per_pe", 0)
                     ? _("%s of one {row} on average") : _("%s of all {rows}")), chart->unit);

    kymo_text_draw (cr, words, chart->bars.x, chart->bars.y - 12, style, theme->secondary);
  }
  kymo_compare_speed_up_paint (cr, chart, frame);
}

/* -- what lies under a point ----------------------------------------------------- */

static void
describe_layer (const KymoCompareSeries *chart, const KymoCompareLayer *layer, guint side,
                KymoPlotHit *hit)
{
  double value = value_of (chart, layer, side), all = 0;
  g_autofree char *amount = kymo_compare_amount (chart->answer, (gint64) value);
  g_autofree char *share = NULL;
  const char *trend = kymo_table_find_column (chart->activities, "trend") >= 0
                      ? kymo_table_get_string (chart->activities, "trend", layer->row) : NULL;

  for (guint i = 0; i < chart->layers->len; i++)
    all += value_of (chart, &g_array_index (chart->layers, KymoCompareLayer, i), side);
  share = kymo_format_percent (all > 0 ? value / all : NAN);
  hit->name = g_strdup (layer->name);
  hit->text = g_strdup_printf ("%s\n%s: %s, %s%s%s", kymo_shown_name (layer->name),
                               kymo_table_get_string (chart->sides, "label", side), amount,
                               share, trend != NULL ? "\n" : "", trend != NULL ? trend : "");
}

static gboolean
hit_bar (const KymoCompareSeries *chart, double x, double y, KymoPlotHit *hit)
{
  for (guint side = 0; side < chart->n_sides; side++)
    {
      double below = 0;

      for (guint i = 0; i < chart->layers->len; i++)
        {
          const KymoCompareLayer *layer = &g_array_index (chart->layers, KymoCompareLayer, i);
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
compare_series_hit (const KymoPicture *picture, double x, double y, KymoPlotHit *hit)
{
  const KymoCompareSeries *chart = picture->layout;
  gboolean found = FALSE;

  kymo_hit_init (hit);
  if (chart->known)
    found = hit_bar (chart, x, y, hit) || kymo_compare_speed_up_hit (chart, x, y, hit);
  return found;
}

/* Parts of the bars, then the dots, which are the sides. */
static GArray *
compare_series_boxes (const KymoPicture *picture)
{
  const KymoCompareSeries *chart = picture->layout;
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (KymoPlotBox));

  for (guint side = 0; chart->known && side < chart->n_sides; side++)
    {
      double below = 0;

      for (guint i = 0; i < chart->layers->len; i++)
        {
          const KymoCompareLayer *layer = &g_array_index (chart->layers, KymoCompareLayer, i);
          double value = value_of (chart, layer, side);
          KymoPlotBox box = { .row = chart->n_sides + side, .part = i, .stacked = TRUE,
                              .location = -1, .told = TRUE, .name = layer->name,
                              .rect = layer_rect (chart, side, below, value) };

          below += value;
          if (box.rect.height >= 1)
            g_array_append_val (boxes, box);
        }
    }
  for (guint side = 0; chart->known && side < chart->n_sides; side++)
    {
      KymoPlotBox box = { .row = side, .stacked = TRUE, .location = -1,
                          .told = TRUE, .rect = kymo_compare_speed_up_rect (chart, side) };

      if (box.rect.width > 0)
        g_array_append_val (boxes, box);
    }
  return boxes;
}

static KymoQuestion *
compare_series_question (const KymoPlotFrame *frame)
{
  KymoQuestion *question = kymo_frame_question (frame, "compare");

  kymo_question_set_int (question, "workers-only", 1);
  return question;
}

KYMO_DEFINE_LAYOUT (compare_series, KymoCompareSeries, chart_init, chart_clear)

const KymoPlotClass kymo_plot_compare_series = {
  .id = "compare-series",
  .title = N_("Series of runs"),
  .needs = KYMO_CAN_PROFILE,
  .question = compare_series_question,
  .lay_out = compare_series_lay_out,
  .layout_free = compare_series_layout_free,
  .paint = compare_series_paint,
  .hit = compare_series_hit,
  .boxes = compare_series_boxes,
  .inset = { 64, 26, 24, 54 },
  .has_legend = TRUE,
  .compares = TRUE,
  .lists = "sides|activities",
};

static gboolean
is_time (const KymoTable *answer)
{
  return kymo_table_get_bool (answer, "is_time", 0);
}

/**
 * kymo_compare_column:
 * @answer: a comparison; tells whether its figures are times
 * @table: of @answer
 * @name: of the column, without the suffix for ns
 * @width: (out) (optional): values in a row
 *
 * Returns: (transfer none) (nullable): the figures, ns or counts; %NULL where @table lacks the
 *   column
 */
const gint64 *
kymo_compare_column (const KymoTable *answer, const KymoTable *table,
                     const char *name, guint *width)
{
  g_autofree char *whole = g_strconcat (name, is_time (answer) ? "_ns" : "", NULL);

  return kymo_table_peek_ints (table, whole, width);
}

/**
 * kymo_compare_amount:
 * @value: ns or a count, as @answer tells; or %KYMO_NULL_INT
 *
 * Returns: (transfer full): "1.25 ms" or "1,234"; "–" where the value is not known
 */
char *
kymo_compare_amount (const KymoTable *answer, gint64 value)
{
  if (value == KYMO_NULL_INT)
    return g_strdup ("–");
  return is_time (answer) ? kymo_format_duration (value) : kymo_format_count (value);
}

/**
 * kymo_compare_signed:
 * @value: ns or a count, as @answer tells; or %KYMO_NULL_INT
 *
 * Returns: (transfer full): kymo_compare_amount() with "+" or "−" in front, except for 0 and for
 *   an unknown value
 */
char *
kymo_compare_signed (const KymoTable *answer, gint64 value)
{
  g_autofree char *text = value == KYMO_NULL_INT ? g_strdup ("–")
                          : kymo_compare_amount (answer, ABS (value));

  return g_strdup_printf ("%s%s", value > 0 ? "+" : value < 0 && value != KYMO_NULL_INT
                          ? "−" : "", text);
}

/**
 * kymo_compare_side:
 * @side: from 0, which is "A"
 *
 * Returns: (transfer full): the label of the first run of a side; "" where the answer lacks the
 *   side
 */
char *
kymo_compare_side (const KymoTable *answer, guint side)
{
  const KymoTable *runs = kymo_table_peek_nested (answer, "runs", NULL);

  for (guint i = 0; runs != NULL && i < kymo_table_get_n_rows (runs); i++)
    if (kymo_table_get_int (runs, "side", i) == side)
      return g_strdup (kymo_table_get_string (runs, "label", i));
  return g_strdup ("");
}
