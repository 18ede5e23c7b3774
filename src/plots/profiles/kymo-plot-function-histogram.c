/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How many threads have how much of a function: a histogram of those that ran it, with
 * mean and standard deviation, and the chosen thread marked.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-function-values.h"
#include "kymo-in-terms.h"
#include "kymo-legend.h"
#include "kymo-plot-terms.h"

extern const KymoPlotClass kymo_plot_function_histogram;

/** Bins: those of the answer, in its values */
typedef struct
{
  KymoFunctionValues f;
  const double *edges;
  const gint64 *counts;
  guint         n;
  gint64        most, all;
  gboolean      known;               /* FALSE: nothing can be painted */
} Bins;

static gboolean
function_histogram_init (Bins *b, const KymoTable *answer, const KymoPlotFrame *frame)
{
  KymoTable *histogram = kymo_table_peek_nested (answer, "histogram", NULL);
  guint n_edges = 0;

  *b = (Bins) { 0 };
  if (!kymo_function_values_init (&b->f, answer, frame, &kymo_plot_function_histogram)
      || histogram == NULL || b->f.area.width < 8 || b->f.area.height < 8)
    return FALSE;
  b->edges = kymo_table_peek_doubles (histogram, "edges", &n_edges);
  b->counts = kymo_table_peek_ints (histogram, "counts", &b->n);
  if (b->edges == NULL || b->counts == NULL || n_edges < b->n + 1)
    b->n = 0;
  if (b->n == 0 || !(b->edges[b->n] > b->edges[0]))
    return FALSE;
  for (guint i = 0; i < b->n; i++)
    {
      b->most = MAX (b->most, b->counts[i]);
      b->all += b->counts[i];
    }
  return b->most > 0;
}

static double
x_of (const Bins *b, double value)
{
  return b->f.area.x + (value - b->edges[0]) / (b->edges[b->n] - b->edges[0]) * b->f.area.width;
}

static KymoRect
bin_rect (const Bins *b, guint bin)
{
  double x = round (x_of (b, b->edges[bin])), end = round (x_of (b, b->edges[bin + 1]));
  double height = (double) b->counts[bin] / b->most * b->f.area.height;
  double gap = end - x >= 5 ? 1 : 0;

  /* A bin that holds anything is to be seen. */
  height = b->counts[bin] > 0 ? MAX (round (height), 1) : 0;
  return (KymoRect) { x, b->f.area.y + b->f.area.height - height, MAX (end - x - gap, 1),
                      height };
}

static void
paint_axes (cairo_t *cr, const Bins *b, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoRect area = b->f.area;
  KymoTextStyle left = { KYMO_TEXT_SMALL, FALSE, 1, area.x - 4 };
  KymoTextStyle name = { KYMO_TEXT_NORMAL, TRUE, 0, area.width };

  kymo_axis_left (cr, frame, area, b->most, MIN (8, b->most), kymo_axis_count);
  kymo_axis_values (cr, frame, area, TRUE, b->edges[0] * b->f.measure.factor,
                    b->edges[b->n] * b->f.measure.factor, kymo_measure_axis (&b->f.measure));
  kymo_function_values_paint_words (cr, &b->f, frame, area);
  kymo_text_draw (cr, b->f.name, area.x, area.y - 16, name, theme->foreground);
  kymo_text_draw (cr, kymo_word_row (frame->terms, TRUE, TRUE), area.x - 8, area.y - 16, left,
                  theme->secondary);
}

/* Paper behind a word, which may stand on bars. */
static void
paint_paper (cairo_t *cr, double x, double y, double width, KymoRgba paper)
{
  kymo_set_source_alpha (cr, paper, 0.8);
  cairo_rectangle (cr, x - 2, y - 0.7 * KYMO_TEXT_SMALL, width + 4, 1.4 * KYMO_TEXT_SMALL);
  cairo_fill (cr);
}

/* A line at a value with a word at its top, unless it lies outside. @row: of the word, so that
   those of two values that are close to each other do not overlap. */
static void
paint_line (cairo_t *cr, const Bins *b, double value, guint row, const char *words,
            KymoRgba color, KymoRgba paper)
{
  KymoRect area = b->f.area;
  double x = x_of (b, value), y = area.y + 4 + row * 1.4 * KYMO_TEXT_SMALL, at, width;
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, x > area.x + area.width - 90 ? 1 : 0, 0 };

  if (!isfinite (x) || x < area.x || x > area.x + area.width)
    return;
  cairo_set_line_width (cr, 1);
  kymo_set_source (cr, color);
  kymo_line (cr, x, area.y - 4, x, area.y + area.height);
  cairo_stroke (cr);
  width = kymo_text_width (cr, words, style);
  at = style.align == 0 ? x + 5 : x - 5;
  paint_paper (cr, style.align == 0 ? at : at - width, y, width, paper);
  kymo_text_draw (cr, words, at, y, style, color);
}

/* Behind the bars. */
static void
paint_deviation (cairo_t *cr, const Bins *b, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoRect area = b->f.area;
  double from = MAX (x_of (b, b->f.mean - b->f.stddev), area.x);
  double to = MIN (x_of (b, b->f.mean + b->f.stddev), area.x + area.width);

  if (to > from)
    {
      kymo_set_source_alpha (cr, theme->foreground, 0.07);
      cairo_rectangle (cr, from, area.y, to - from, area.height);
      cairo_fill (cr);
    }
}

/* The chosen thread stands where its value is. */
static void
paint_chosen (cairo_t *cr, const Bins *b, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);

  for (guint i = 0; frame->chosen_location >= 0 && i < b->f.bars.n_rows; i++)
    if (kymo_table_get_int (b->f.table, "location", i) == frame->chosen_location
        && kymo_function_values_has (&b->f, i))
      paint_line (cr, b, b->f.values[i], 1, kymo_table_peek_label (b->f.table, "label", i),
                  theme->accent, theme->canvas);
}

/* Where all have the same there is no histogram of it. */
static void
paint_none (cairo_t *cr, const Bins *b, const KymoPlotFrame *frame)
{
  g_autofree char *value = NULL, *words = NULL;

  if (b->n > 0 && b->edges[b->n] == b->edges[0])
    {
      value = kymo_measure_format (&b->f.measure, b->edges[0]);
      words = g_strdup_printf (kymo_in_terms (frame->terms, _("The same on every {row}: %s")),
                               value);
    }
  kymo_paint_empty (cr, frame, kymo_plot_frame_area (&kymo_plot_function_histogram, frame),
                    words != NULL ? words : _("No figures to show"));
}

static void
histogram_paint (cairo_t *cr, const KymoPicture *picture)
{
  const Bins *b = picture->layout;
  const KymoPlotFrame *frame = &picture->frame;
  const KymoTheme *theme = kymo_theme_get (frame->look);
  kymo_decor_paint (cr, &kymo_plot_function_histogram, frame, NULL);
  if (!b->known)
    paint_none (cr, b, frame);
  else
    {
      paint_axes (cr, b, frame);
      paint_deviation (cr, b, frame);
      for (guint i = 0; i < b->n; i++)
        {
          KymoRect rect = bin_rect (b, i);

          kymo_set_source (cr, b->f.color);
          cairo_rectangle (cr, rect.x, rect.y, rect.width, rect.height);
          cairo_fill (cr);
        }
      paint_line (cr, b, b->f.mean, 0, _("mean"), theme->foreground, theme->canvas);
      paint_chosen (cr, b, frame);
    }
}

static void
describe_function_histogram (const Bins *b, guint bin, const KymoPlotFrame *frame, KymoPlotHit *hit)
{
  g_autofree char *from = kymo_measure_format (&b->f.measure, b->edges[bin]);
  g_autofree char *to = kymo_measure_format (&b->f.measure, b->edges[bin + 1]);
  g_autofree char *count = kymo_words_rows (frame->terms, b->counts[bin]);
  g_autofree char *share = kymo_format_percent ((double) b->counts[bin] / b->all);

  hit->name = g_strdup (b->f.name);
  hit->text = g_strdup_printf (_("%s to %s\n%s, %s of those that ran it"), from, to, count,
                               share);
}

static gboolean
histogram_hit (const KymoPicture *picture, double x, double y, KymoPlotHit *hit)
{
  const Bins *b = picture->layout;
  const KymoPlotFrame *frame = &picture->frame;
  gboolean found = FALSE;

  kymo_hit_init (hit);
  if (b->known && kymo_rect_contains (b->f.area, x, y))
    for (guint i = 0; i < b->n && !found; i++)
      if (x < x_of (b, b->edges[i + 1]))
        {
          hit->rect = bin_rect (b, i);
          describe_function_histogram (b, i, frame, hit);
          found = TRUE;
        }
  return found;
}

static GArray *
histogram_boxes (const KymoPicture *picture)
{
  const Bins *b = picture->layout;
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (KymoPlotBox));

  if (b->known)
    for (guint i = 0; i < b->n; i++)
      {
        KymoPlotBox box = { .row = i, .rect = bin_rect (b, i) };

        /* Of an empty bin its place. */
        box.rect.y = b->f.area.y;
        box.rect.height = b->f.area.height;
        g_array_append_val (boxes, box);
      }
  return boxes;
}

static KymoQuestion *
histogram_question (const KymoPlotFrame *frame)
{
  return kymo_function_values_question (frame, &kymo_plot_function_histogram);
}

static gpointer
function_histogram_lay_out (const KymoPicture *picture)
{
  Bins *layout = g_new0 (Bins, 1);

  layout->known = function_histogram_init (layout, picture->answer, &picture->frame);
  return layout;
}

static void
function_histogram_layout_free (gpointer data)
{
  kymo_function_values_clear (&((Bins *) data)->f);
  g_free (data);
}

const KymoPlotClass kymo_plot_function_histogram = {
  .id = "function-threads-histogram",
  .title = N_("Histogram of {rows}"),
  .needs = KYMO_CAN_METRICS,
  .question = histogram_question,
  .lay_out = function_histogram_lay_out,
  .layout_free = function_histogram_layout_free,
  .paint = histogram_paint,
  .hit = histogram_hit,
  .boxes = histogram_boxes,
  .inset = { 72, 36, 24, 46 },
  .lists = "histogram",
};
