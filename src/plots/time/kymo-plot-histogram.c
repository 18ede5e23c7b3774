/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Histogram: how long the blocks are, or how large the messages; a stack of
 * entry methods in each bin. Bars are drawn where their edges lie on a linear
 * or logarithmic axis.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-axis.h"
#include "kymo-legend.h"
#include "kymo-stack.h"
#include "kymo-units.h"

extern const KymoPlotClass kymo_plot_histogram;

/**
 * Histogram:
 *
 * An answer on its axis. With `open_end` the last bin has no upper edge and
 * is drawn as wide as the one before.
 */
/* Of the axis beyond the highest bar. */
#define HEADROOM 1.04
/* Lines of words in the corner at the right, and how wide they are at most. */
#define WORDS_PX 16
#define WORDS_WIDTH_PX 170

typedef struct
{
  KymoRect   area;
  guint      n;
  double    *edges;
  double    *xs;
  gboolean   logarithmic;
  gboolean   bytes;
  gboolean   by_time;
  gboolean   open_end;
  double     axis_from, axis_to;
  double     max, top;               /* of the bars, and of the axis */
  KymoStack *stack;
  gboolean   known;                  /* FALSE: nothing can be painted */
} Histogram;

static double *
dup_edges (const KymoTable *answer, guint *n_edges)
{
  const gint64 *ints = kymo_table_peek_ints (answer, "edges", n_edges);
  const double *doubles;
  double *edges;

  if (ints != NULL)
    {
      edges = g_new (double, MAX (*n_edges, 1));
      for (guint i = 0; i < *n_edges; i++)
        edges[i] = ints[i] == KYMO_NULL_INT ? INFINITY : (double) ints[i];
      return edges;
    }
  doubles = kymo_table_peek_doubles (answer, "edges", n_edges);
  if (doubles == NULL)
    return NULL;
  edges = g_memdup2 (doubles, *n_edges * sizeof *doubles);
  for (guint i = 0; i < *n_edges; i++)
    if (isnan (edges[i]))
      edges[i] = INFINITY;
  return edges;
}

static double
position (const Histogram *h, double value)
{
  return h->logarithmic ? log10 (MAX (value, 1e-9)) : value;
}

static double
edge_x (const Histogram *h, double value)
{
  double from = position (h, h->axis_from), to = position (h, h->axis_to);

  if (to <= from)
    return h->area.x;
  return h->area.x + (position (h, value) - from) / (to - from)
                     * h->area.width;
}

static void
histogram_clear (Histogram *h)
{
  g_clear_pointer (&h->edges, g_free);
  g_clear_pointer (&h->xs, g_free);
  g_clear_pointer (&h->stack, kymo_stack_free);
}

/* An open last bin ("10 ms and more") gets the width of its neighbour. */
static void
close_last_bin (Histogram *h)
{
  double last = h->edges[h->n], width;

  if (h->n < 2)
    return;
  width = h->edges[h->n - 1] - h->edges[h->n - 2];
  if (isfinite (last) && (h->logarithmic
                          || last - h->edges[h->n - 1] < width * 50))
    return;
  h->open_end = TRUE;
  h->edges[h->n] = h->logarithmic
                   ? h->edges[h->n - 1] * h->edges[h->n - 1]
                     / MAX (h->edges[h->n - 2], 1e-9)
                   : h->edges[h->n - 1] + width;
}

/* A logarithmic axis shows the decades that hold anything. */
static void
trim_axis (Histogram *h)
{
  guint first = 0, last = h->n;

  h->axis_from = h->edges[0];
  h->axis_to = h->edges[h->n];
  if (!h->logarithmic || h->max <= 0)
    return;
  while (h->stack->tops[first] <= 0)
    first++;
  while (h->stack->tops[last - 1] <= 0)
    last--;
  h->axis_from = MAX (h->axis_from,
                      pow (10, floor (log10 (h->edges[first]) + 1e-9)));
  h->axis_to = MIN (h->axis_to,
                    pow (10, ceil (log10 (h->edges[last]) - 1e-9)));
}

/* Bars end below the words at the right, which tell what the axis does not show. */
static void
leave_room (Histogram *h, const KymoTable *answer)
{
  guint n_lines = (h->open_end && h->stack->tops[h->n - 1] > 0)
    + (kymo_table_get_int (answer, "below", 0) > 0) + (kymo_table_get_int (answer, "above", 0) > 0);
  double words_px = n_lines * WORDS_PX + 4, most = 0;

  h->top = h->max * HEADROOM;
  if (n_lines == 0 || h->area.height < 3 * words_px)
    return;
  for (guint i = 0; i < h->n; i++)
    if (h->xs[i + 1] > h->area.x + h->area.width - WORDS_WIDTH_PX)
      most = MAX (most, h->stack->tops[i]);
  h->top = MAX (h->top, most * h->area.height / (h->area.height - words_px));
}

static gboolean
histogram_init (Histogram *h, const KymoTable *answer,
                const KymoPlotFrame *frame)
{
  guint n_edges = 0;
  const char *weight = kymo_table_get_string (answer, "weight", 0);

  *h = (Histogram) { 0 };
  h->area = kymo_plot_frame_area (&kymo_plot_histogram, frame);
  h->edges = dup_edges (answer, &n_edges);
  if (h->edges == NULL || n_edges < 2)
    {
      histogram_clear (h);
      return FALSE;
    }
  h->n = n_edges - 1;
  h->logarithmic = g_strcmp0 (kymo_table_get_string (answer, "scale", 0),
                              "log") == 0;
  /* A logarithmic axis cannot begin at nothing. */
  if (h->logarithmic && h->edges[0] <= 0)
    h->edges[0] = h->edges[1] / 2;
  h->bytes = g_strcmp0 (kymo_table_get_string (answer, "of", 0),
                        "message-size") == 0
             || g_strcmp0 (kymo_table_get_string (answer, "unit", 0),
                           "bytes") == 0;
  h->by_time = weight != NULL ? g_str_equal (weight, "time") : frame->by_time;
  close_last_bin (h);
  h->xs = g_new (double, n_edges);
  h->stack = kymo_stack_new (kymo_table_peek_nested (answer, "series", NULL),
                             "values", h->n, frame);
  for (guint i = 0; i < h->n; i++)
    h->max = MAX (h->max, h->stack->tops[i]);
  trim_axis (h);
  for (guint i = 0; i < n_edges; i++)
    h->xs[i] = edge_x (h, h->edges[i]);
  leave_room (h, answer);
  return TRUE;
}

static char *
format_edge (const Histogram *h, double value)
{
  return h->bytes ? kymo_format_bytes (llround (value))
                  : kymo_format_duration (llround (value));
}

/* "2 ms": a tick's value is a round one. */
static char *
round_edge (const Histogram *h, double value)
{
  static const char *const sizes[] = { "B", "kB", "MB", "GB", "TB" };
  double unit = 1;
  const char *name = sizes[0];
  g_autofree char *number = NULL;

  if (h->bytes)
    for (guint i = 0; i < G_N_ELEMENTS (sizes) && value >= pow (1000, i); i++)
      {
        unit = pow (1000, i);
        name = sizes[i];
      }
  else
    name = kymo_axis_time_unit (value * 0.1001, &unit);
  number = kymo_axis_number (value / unit, value / unit);
  return g_strdup_printf ("%s %s", number, name);
}

static char *
format_time_axis (double value, double step)
{
  return kymo_format_duration (llround (value));
}

static char *
format_weight (const Histogram *h, double value)
{
  return h->by_time ? kymo_format_duration (llround (value))
                    : kymo_format_count (llround (value));
}

static void
paint_tick (cairo_t *cr, const Histogram *h, const KymoPlotFrame *frame,
            double value, const char *label, double *end)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 0.5, 0 };
  double x = edge_x (h, value), base = h->area.y + h->area.height;

  kymo_set_source (cr, theme->axis);
  cairo_set_line_width (cr, 1);
  kymo_line (cr, x, base, x, base + (label != NULL ? 6 : 3));
  cairo_stroke (cr);
  if (label != NULL)
    {
      double width = kymo_text_width (cr, label, style);

      if (x - width / 2 < *end + 8)
        return;
      kymo_text_draw (cr, label, x, base + 16, style, theme->secondary);
      *end = x + width / 2;
    }
}

static void
paint_log_ticks (cairo_t *cr, const Histogram *h, const KymoPlotFrame *frame)
{
  double from = h->axis_from, to = h->axis_to, end = -1e9;
  double decades = log10 (to / from), px = h->area.width / MAX (decades, 0.1);

  for (double decade = pow (10, floor (log10 (from))); decade <= to * 1.0001;
       decade *= 10)
    for (guint digit = 1; digit < 10; digit++)
      {
        double value = decade * digit;
        gboolean named = digit == 1 || (px > 170 && (digit == 2 || digit == 5));
        g_autofree char *label = NULL;

        if (value < from * 0.9999 || value > to * 1.0001)
          continue;
        label = named ? round_edge (h, value) : NULL;
        paint_tick (cr, h, frame, value, label, &end);
      }
}

static void
paint_linear_ticks (cairo_t *cr, const Histogram *h,
                    const KymoPlotFrame *frame, double unit)
{
  double from = h->axis_from / unit, to = h->axis_to / unit, end = -1e9;
  double step = kymo_nice_step (to - from, MAX (2, h->area.width / 80));

  for (gint64 i = ceil (from / step - 1e-9); i * step <= to * 1.0000001; i++)
    {
      g_autofree char *label = kymo_axis_number (i * step, step);

      paint_tick (cr, h, frame, i * step * unit, label, &end);
    }
}

/* "Duration of a block, ms": the unit once. */
static void
paint_x_axis (cairo_t *cr, const Histogram *h, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 0.5, h->area.width };
  const char *what = h->bytes ? _("Size of a message") : _("Duration of a block");
  double step = (h->axis_to - h->axis_from) / 8, unit = 1;
  const char *unit_name = h->bytes ? _("bytes")
                                   : kymo_axis_time_unit (step, &unit);
  g_autofree char *title = h->logarithmic ? g_strdup (what)
                           : g_strdup_printf ("%s, %s", what, unit_name);

  if (h->logarithmic)
    paint_log_ticks (cr, h, frame);
  else
    paint_linear_ticks (cr, h, frame, unit);
  kymo_text_draw (cr, title, h->area.x + h->area.width / 2,
                  h->area.y + h->area.height + 34, style, theme->secondary);
}

/* Above the axis of weights. */
static void
paint_weight_words (cairo_t *cr, const Histogram *h, const KymoPlotFrame *frame)
{
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 0, h->area.width };

  kymo_text_draw (cr, h->by_time ? _("Time") : h->bytes ? _("Messages") : _("Blocks"), h->area.x,
                  h->area.y - 12, style, kymo_theme_get (frame->look)->secondary);
}

/* What the axis does not show is said in words. */
static void
paint_outside (cairo_t *cr, const Histogram *h, const KymoTable *answer,
               const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 1, 0 };
  const char *keys[] = { "below", "above" };
  double y = h->area.y + 8;

  if (h->open_end && h->stack->tops[h->n - 1] > 0)
    {
      g_autofree char *from = format_edge (h, h->edges[h->n - 1]);
      g_autofree char *words = g_strdup_printf (_("last bar: %s and more"), from);

      kymo_text_draw (cr, words, h->area.x + h->area.width, y, style, theme->secondary);
      y += WORDS_PX;
    }
  for (guint i = 0; i < 2; i++)
    {
      gint64 value = kymo_table_get_int (answer, keys[i], 0);
      g_autofree char *figure = format_weight (h, MAX (value, 0));
      g_autofree char *bound = format_edge (h, h->edges[i == 0 ? 0 : h->n]);
      g_autofree char *words
        = g_strdup_printf (i == 0 ? _("%s below %s") : _("%s from %s up"),
                           figure, bound);

      if (value <= 0)
        continue;
      kymo_text_draw (cr, words, h->area.x + h->area.width, y, style,
                      theme->secondary);
      y += WORDS_PX;
    }
  kymo_paint_extrapolated (cr, frame, (KymoRect) { h->area.x, y - 8, h->area.width + 8,
                                                   h->area.height }, answer);
}

static double
widest_gap (const Histogram *h)
{
  double width = h->xs[h->n] - h->xs[h->n - 1];

  return width >= 5 ? 1 : 0;
}

/* A bin that holds anything is at least a pixel high. */
static void
paint_traces (cairo_t *cr, const Histogram *h, double px_per_unit)
{
  double base = h->area.y + h->area.height;

  for (guint bin = 0; bin < h->n; bin++)
    {
      double height = h->stack->tops[bin] * px_per_unit;
      const KymoSeries *series;

      if (height <= 0 || height >= 1)
        continue;
      series = kymo_stack_at (h->stack, bin, 0, NULL);
      if (series == NULL)
        continue;
      kymo_set_source (cr, series->color);
      cairo_rectangle (cr, h->xs[bin] + widest_gap (h) / 2, base - 1,
                       h->xs[bin + 1] - h->xs[bin] - widest_gap (h), 1);
      cairo_fill (cr);
    }
}

static void
histogram_paint (cairo_t *cr, const KymoPicture *picture)
{
  const Histogram *h = picture->layout;
  const KymoTable *answer = picture->answer;
  const KymoPlotFrame *frame = &picture->frame;
  g_autoptr (GArray) items = NULL;
  double px_per_unit;

  if (!h->known || h->max <= 0)
    {
      KymoRect area = kymo_plot_frame_area (&kymo_plot_histogram, frame);

      kymo_decor_paint (cr, &kymo_plot_histogram, frame, NULL);
      kymo_paint_empty (cr, frame, area, _("No blocks in this range"));
      return;
    }
  items = kymo_stack_legend (h->stack, frame, KYMO_KIND_ENTRY);
  kymo_decor_paint (cr, &kymo_plot_histogram, frame, items);
  px_per_unit = h->area.height / (h->top);
  kymo_axis_left (cr, frame, h->area, h->top, h->area.height / 48,
                  h->by_time ? format_time_axis : kymo_axis_count);
  kymo_stack_paint (cr, h->stack, h->xs, widest_gap (h),
                    h->area.y + h->area.height, px_per_unit);
  paint_traces (cr, h, px_per_unit);
  paint_x_axis (cr, h, frame);
  paint_weight_words (cr, h, frame);
  paint_outside (cr, h, answer, frame);
}

static void
describe_bin (const Histogram *h, guint bin, double value, KymoPlotHit *hit)
{
  double own = 0;
  const KymoSeries *series = kymo_stack_at (h->stack, bin, value, &own);
  g_autofree char *from = format_edge (h, h->edges[bin]);
  g_autofree char *to = format_edge (h, h->edges[bin + 1]);
  g_autofree char *all = format_weight (h, h->stack->tops[bin]);
  g_autofree char *part = format_weight (h, own);
  g_autofree char *range = h->open_end && bin + 1 == h->n
                           ? g_strdup_printf (_("%s and more"), from)
                           : g_strdup_printf ("%s – %s", from, to);
  gulong n = h->stack->tops[bin];
  const char *unit = h->by_time ? _("in all")
    : h->bytes ? g_dngettext (GETTEXT_PACKAGE, "message in all",
                              "messages in all", n)
    : g_dngettext (GETTEXT_PACKAGE, "block in all", "blocks in all", n);

  if (series != NULL)
    {
      hit->name = g_strdup (series->name);
      hit->text = g_strdup_printf ("%s: %s\n%s\n%s %s", series->name, part,
                                   range, all, unit);
    }
  else
    hit->text = g_strdup_printf ("%s\n%s %s", range, all, unit);
}

static gboolean
histogram_hit (const KymoPicture *picture, double x, double y, KymoPlotHit *hit)
{
  const Histogram *h = picture->layout;
  gboolean found = FALSE;

  kymo_hit_init (hit);
  if (!h->known)
    return FALSE;
  for (guint bin = 0; bin < h->n && !found
                      && kymo_rect_contains (h->area, x, y); bin++)
    {
      KymoRect rect = { h->xs[bin], h->area.y, h->xs[bin + 1] - h->xs[bin],
                        h->area.height };
      double up = h->area.y + h->area.height - y;

      if (!kymo_rect_contains (rect, x, y))
        continue;
      found = TRUE;
      hit->rect = rect;
      describe_bin (h, bin, up / h->area.height * h->top, hit);
    }
  return found;
}

static GArray *
histogram_boxes (const KymoPicture *picture)
{
  const Histogram *h = picture->layout;
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (KymoPlotBox));

  if (!h->known)
    return boxes;
  for (guint bin = 0; bin < h->n && h->max > 0; bin++)
    {
      KymoStackBoxes at = { h->xs, h->area, h->area.height / (h->top), NULL };

      kymo_stack_add_bin (h->stack, &at, bin, boxes);
    }
  return boxes;
}

/* Block durations over their whole range; the window's controls ask their
   own questions. */
static KymoQuestion *
histogram_question (const KymoPlotFrame *frame)
{
  KymoQuestion *question = kymo_frame_question (frame, "histogram");

  kymo_question_set (question, "of", "duration");
  kymo_question_set (question, "scale", "log");
  /* Twenty bins a decade; the axis leaves out empty decades. */
  kymo_question_set_int (question, "min", 100);
  kymo_question_set_int (question, "max", 100 * G_GINT64_CONSTANT (1000000000));
  kymo_question_set_int (question, "bins", 180);
  kymo_question_set (question, "weight", frame->by_time ? "time" : "count");
  return question;
}

KYMO_DEFINE_LAYOUT (histogram, Histogram, histogram_init, histogram_clear)

const KymoPlotClass kymo_plot_histogram = {
  .id = "histogram",
  .title = N_("Histogram"),
  .needs = KYMO_CAN_INTERVALS,
  .question = histogram_question,
  .lay_out = histogram_lay_out,
  .layout_free = histogram_layout_free,
  .paint = histogram_paint,
  .hit = histogram_hit,
  .boxes = histogram_boxes,
  .inset = { 64, 26, 24, 48 },
  .has_legend = TRUE,
};
