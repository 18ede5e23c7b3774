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
#include "kymo-compare-series.h"
#include "kymo-plot-terms.h"
#include "kymo-stack.h"
#include "kymo-units.h"

extern const KymoPlotClass kymo_plot_compare_time_profile;

/** Layer: a series that is stacked; @row: of the answer */
typedef struct
{
  const char       *name;
  guint             row;
  guint             rank;
  KymoActivityKind  kind;
  double            total;              /* of |differences| */
} Layer;

typedef struct
{
  const KymoTable *series;
  guint            n;
  const gint64    *edges_ns, *a_ns, *b_ns;
  const gint64    *noise_ns;            /* by series and bin, or NULL */
  const double    *noise_rows;          /* the same on scales of their own, or NULL */
  const double    *shares[2];           /* what that band is around, or NULL */
  gboolean         has_noise;
  const KymoTable *bins;
  gboolean         useful;              /* functions: what computes is told, not all code */
  double           length[2];           /* of a bin of A and of B in own time; 0 = shared */
  GArray          *layers;
  double          *busy[2], *xs;
  double           low, high;
  KymoRect         area;
  gboolean         known;            /* FALSE: nothing can be painted */
} Chart;

/* -- figures ------------------------------------------------------------------- */

/* Length of the bins of a side, on the mean of its runs. */
static double
own_length (const KymoTable *answer, gint64 side, guint n)
{
  const KymoTable *runs = kymo_table_peek_nested (answer, "runs", NULL);
  double sum = 0;
  guint n_runs = 0;

  for (guint i = 0; runs != NULL && i < kymo_table_get_n_rows (runs); i++)
    if (kymo_table_get_int (runs, "side", i) == side)
      {
        sum += (double) MAX (kymo_table_get_int (runs, "end_ns", i)
                             - kymo_table_get_int (runs, "begin_ns", i), 1);
        n_runs++;
      }
  return n_runs > 0 ? sum / n_runs / n : 1;
}

static double
rows_of (const Chart *chart, guint which, guint row, guint bin)
{
  const gint64 *ns = which == 0 ? chart->a_ns : chart->b_ns;
  gsize at = (gsize) row * chart->n + bin;
  double length = chart->length[which] > 0 ? chart->length[which]
                  : (double) MAX (chart->edges_ns[bin + 1] - chart->edges_ns[bin], 1);

  return chart->shares[which] != NULL ? chart->shares[which][at] : ns[at] / length;
}

static double
difference_of (const Chart *chart, guint row, guint bin)
{
  return rows_of (chart, 1, row, bin) - rows_of (chart, 0, row, bin);
}

/* A band is of times; on scales of their own, where bins are of other lengths, of shares. */
static double
noise_of (const Chart *chart, guint row, guint bin)
{
  if (chart->noise_rows != NULL)
    return chart->noise_rows[(gsize) row * chart->n + bin];
  return chart->noise_ns[(gsize) row * chart->n + bin]
         / (double) MAX (chart->edges_ns[bin + 1] - chart->edges_ns[bin], 1);
}

static gboolean
is_noise (const Chart *chart, guint row, guint bin)
{
  return chart->has_noise
         && fabs (difference_of (chart, row, bin)) <= noise_of (chart, row, bin);
}

/* Of all that is busy, or useful. */
static double
noise_of_all (const Chart *chart, guint bin)
{
  if (chart->noise_rows != NULL)
    return kymo_table_get_double (chart->bins, chart->useful ? "useful_noise_rows" : "noise_rows",
                                  bin);
  return kymo_table_get_int (chart->bins, chart->useful ? "useful_noise_ns" : "noise_ns", bin)
         / (double) MAX (chart->edges_ns[bin + 1] - chart->edges_ns[bin], 1);
}

/* Overhead is next to the zero line, the busiest names follow: the order stays. */
static int
compare_layers (gconstpointer a, gconstpointer b)
{
  const Layer *x = a, *y = b;

  if ((x->kind == KYMO_KIND_ENTRY) != (y->kind == KYMO_KIND_ENTRY))
    return x->kind == KYMO_KIND_ENTRY ? 1 : -1;
  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  return g_strcmp0 (x->name, y->name);
}

static void
add_layers (Chart *chart, const KymoPlotFrame *frame)
{
  for (guint row = 0; row < kymo_table_get_n_rows (chart->series); row++)
    {
      const char *kind = kymo_table_get_string (chart->series, "kind", row);
      Layer layer = { kymo_table_get_string (chart->series, "name", row), row };
      const char *role = kymo_table_get_string (chart->series, "role", row);
      gboolean code = g_strcmp0 (kind, "code") == 0;
      gboolean told = code && (!chart->useful || role == NULL || g_str_equal (role, "compute"));

      layer.kind = code ? KYMO_KIND_ENTRY : kymo_activity_kind (kind);
      for (guint bin = 0; told && bin < chart->n; bin++)
        for (guint which = 0; which < 2; which++)
          chart->busy[which][bin] += rows_of (chart, which, row, bin);
      if (kymo_is_hidden (frame, layer.name)
          || (!code && layer.kind != KYMO_KIND_OVERHEAD))
        continue;
      layer.rank = frame->colors != NULL && layer.name != NULL
                   ? kymo_colors_get_rank (frame->colors, layer.name) : G_MAXUINT;
      for (guint bin = 0; bin < chart->n; bin++)
        layer.total += fabs (difference_of (chart, row, bin));
      if (layer.total > 0)
        g_array_append_val (chart->layers, layer);
    }
  g_array_sort (chart->layers, compare_layers);
}

static void
find_scale (Chart *chart)
{
  for (guint bin = 0; bin < chart->n; bin++)
    {
      double up = 0, down = 0;

      for (guint i = 0; i < chart->layers->len; i++)
        {
          double value = difference_of (chart, g_array_index (chart->layers, Layer, i).row, bin);

          up += MAX (value, 0);
          down += MIN (value, 0);
        }
      chart->high = MAX (chart->high, MAX (up, MAX (chart->busy[0][bin], chart->busy[1][bin])));
      chart->low = MIN (chart->low, down);
    }
  chart->high = MAX (chart->high, 1e-3) * 1.04;
  chart->low *= 1.04;
}

static void
chart_clear (Chart *chart)
{
  g_clear_pointer (&chart->layers, g_array_unref);
  g_free (chart->busy[0]);
  g_free (chart->busy[1]);
  g_free (chart->xs);
}

static void
take_noise (Chart *chart, const KymoTable *answer, gboolean own)
{
  guint width = 0;

  chart->noise_rows = own ? kymo_table_peek_doubles (chart->series, "noise_rows", &width) : NULL;
  chart->shares[0] = own ? kymo_table_peek_doubles (chart->series, "a_rows", NULL) : NULL;
  chart->shares[1] = own ? kymo_table_peek_doubles (chart->series, "b_rows", NULL) : NULL;
  chart->noise_ns = own ? NULL : kymo_table_peek_ints (chart->series, "noise_ns", &width);
  chart->has_noise = width == chart->n && chart->bins != NULL
                     && kymo_table_get_n_rows (chart->bins) == chart->n;
}

static gboolean
chart_init (Chart *chart, const KymoTable *answer, const KymoPlotFrame *frame)
{
  guint n_edges = 0, width_a = 0, width_b = 0;
  gboolean own;

  *chart = (Chart) { .area = kymo_plot_frame_area (&kymo_plot_compare_time_profile, frame) };
  chart->edges_ns = kymo_table_peek_ints (answer, "edges_ns", &n_edges);
  chart->series = kymo_table_peek_nested (answer, "series", NULL);
  if (chart->edges_ns == NULL || n_edges < 2 || chart->series == NULL
      || chart->edges_ns[0] >= chart->edges_ns[n_edges - 1])
    return FALSE;
  chart->n = n_edges - 1;
  chart->a_ns = kymo_table_peek_ints (chart->series, "a_ns", &width_a);
  chart->b_ns = kymo_table_peek_ints (chart->series, "b_ns", &width_b);
  if (chart->a_ns == NULL || chart->b_ns == NULL || width_a != chart->n || width_b != chart->n)
    return FALSE;
  own = g_strcmp0 (kymo_table_get_string (answer, "scale", 0), "own") == 0;
  if (own)
    {
      chart->length[0] = own_length (answer, 0, chart->n);
      chart->length[1] = own_length (answer, kymo_table_get_int (answer, "against", 0), chart->n);
    }
  chart->bins = kymo_table_peek_nested (answer, "bins", NULL);
  chart->useful = chart->bins != NULL
                  && kymo_table_find_column (chart->bins, "useful_a_ns") >= 0;
  if (kymo_table_get_bool (answer, "has_noise", 0))
    take_noise (chart, answer, own);
  chart->layers = g_array_new (FALSE, FALSE, sizeof (Layer));
  chart->busy[0] = g_new0 (double, chart->n);
  chart->busy[1] = g_new0 (double, chart->n);
  chart->xs = g_new (double, n_edges);
  for (guint i = 0; i < n_edges; i++)
    chart->xs[i] = kymo_frame_lattice_x (frame, chart->edges_ns[i]);
  add_layers (chart, frame);
  find_scale (chart);
  return TRUE;
}

static double
y_of (const Chart *chart, double value)
{
  return chart->area.y + (chart->high - value) / (chart->high - chart->low) * chart->area.height;
}

/* -- painting ------------------------------------------------------------------ */

/* Rectangles of a layer, a bin each, from where the ones below it end: those within
   noise, or the others. @up and @down: what lies below it. */
static void
trace_layer (cairo_t *cr, const Chart *chart, const Layer *layer, gboolean noise,
             const double *up, const double *down)
{
  for (guint bin = 0; bin < chart->n; bin++)
    {
      double value = difference_of (chart, layer->row, bin);
      double base = value > 0 ? up[bin] : down[bin];
      double y0 = y_of (chart, base), y1 = y_of (chart, base + value);

      if (fabs (y1 - y0) > 0.01 && is_noise (chart, layer->row, bin) == noise)
        cairo_rectangle (cr, chart->xs[bin], MIN (y0, y1),
                         chart->xs[bin + 1] - chart->xs[bin], fabs (y1 - y0));
    }
}

/* What lies within noise is pale, as bars of what changed are. */
static void
paint_layer (cairo_t *cr, const Chart *chart, const Layer *layer, const KymoPlotFrame *frame,
             gboolean noise, const double *up, const double *down)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoRgba color = kymo_theme_series (frame, layer->name, layer->kind);

  trace_layer (cr, chart, layer, noise, up, down);
  kymo_set_source (cr, noise ? kymo_rgba_mix (color, theme->canvas, 0.65) : color);
  cairo_fill (cr);
}

static void
paint_layers (cairo_t *cr, const Chart *chart, const KymoPlotFrame *frame)
{
  g_autofree double *up = g_new0 (double, chart->n), *down = g_new0 (double, chart->n);

  for (guint i = 0; i < chart->layers->len; i++)
    {
      const Layer *layer = &g_array_index (chart->layers, Layer, i);

      if (chart->has_noise)
        paint_layer (cr, chart, layer, frame, TRUE, up, down);
      paint_layer (cr, chart, layer, frame, FALSE, up, down);
      for (guint bin = 0; bin < chart->n; bin++)
        {
          double value = difference_of (chart, layer->row, bin);

          *(value > 0 ? &up[bin] : &down[bin]) += value;
        }
    }
}

/* Around what is busy, or useful, in A: where B's line lies in it the difference is noise. */
static void
paint_band (cairo_t *cr, const Chart *chart, const KymoTheme *theme)
{
  for (guint bin = 0; bin < chart->n; bin++)
    {
      double noise = noise_of_all (chart, bin), busy = chart->busy[0][bin];
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
paint_outline (cairo_t *cr, const Chart *chart, guint which, const KymoTheme *theme)
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
paint_key (cairo_t *cr, const Chart *chart, const KymoTable *answer, const KymoPlotFrame *frame)
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
legend_items (const Chart *chart, const KymoPlotFrame *frame)
{
  GArray *items = g_array_new (FALSE, FALSE, sizeof (KymoLegendItem));
  double all = 1e-12;

  for (guint i = 0; i < chart->layers->len; i++)
    all += g_array_index (chart->layers, Layer, i).total;
  for (guint i = 0; i < chart->layers->len; i++)
    {
      const Layer *layer = &g_array_index (chart->layers, Layer, i);

      kymo_legend_add (items, frame, layer->name, layer->kind, layer->total / all);
    }
  return items;
}

static void
compare_time_paint (cairo_t *cr, const KymoPicture *picture)
{
  const Chart *chart = picture->layout;
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

static const Layer *
layer_at (const Chart *chart, guint bin, double y)
{
  double up = 0, down = 0;

  for (guint i = 0; i < chart->layers->len; i++)
    {
      const Layer *layer = &g_array_index (chart->layers, Layer, i);
      double value = difference_of (chart, layer->row, bin);
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
noise_words (const Chart *chart, const Layer *layer, guint bin, double difference)
{
  double noise = !chart->has_noise ? 0
                 : layer != NULL ? noise_of (chart, layer->row, bin) : noise_of_all (chart, bin);
  g_autofree char *amount = number_of (noise);

  if (!chart->has_noise)
    return g_strdup ("");
  return g_strdup_printf (difference <= noise ? _("\nNoise: repeats differ by up to %s")
                          : _("\nMore than noise, which is up to %s"), amount);
}

static void
describe_compare_time (const Chart *chart, const KymoTable *answer, const KymoPlotFrame *frame,
                       const Layer *layer, guint bin, KymoPlotHit *hit)
{
  g_autofree char *label = kymo_compare_side (answer, kymo_table_get_int (answer, "against", 0));
  double a = layer != NULL ? rows_of (chart, 0, layer->row, bin) : chart->busy[0][bin];
  double b = layer != NULL ? rows_of (chart, 1, layer->row, bin) : chart->busy[1][bin];
  g_autofree char *of_a = number_of (a), *of_b = number_of (b), *difference = number_of (b - a);
  g_autofree char *span = kymo_span_words (hit->span);

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
  const Chart *chart = picture->layout;
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
add_boxes (const Chart *chart, guint bin, gboolean up, GArray *boxes)
{
  double base = 0;

  for (guint i = 0; i < chart->layers->len; i++)
    {
      const Layer *layer = &g_array_index (chart->layers, Layer, i);
      double value = difference_of (chart, layer->row, bin), y0, y1;
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
  const Chart *chart = picture->layout;
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

KYMO_DEFINE_LAYOUT (compare_time, Chart, chart_init, chart_clear)

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
