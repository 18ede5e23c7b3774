/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Series of a stacked chart; see kymo-stack.h. Each series is one polygon of
 * steps, painted from the top of the stack down to the base line: so there
 * are no seams between neighbours, and one primitive a series in a file.
 */
#include "config.h"

#include "kymo-stack.h"

#include "kymo-legend.h"
#include "kymo-order.h"

#include <math.h>

typedef struct
{
  KymoSeries series;
  guint      rank;
} Ranked;

static int
compare_ranked (gconstpointer a, gconstpointer b)
{
  const Ranked *x = a, *y = b;

  KYMO_ORDER_BY (x->rank, y->rank);
  KYMO_ORDER_BY (y->series.total, x->series.total);
  return g_strcmp0 (x->series.name, y->series.name);
}

static double
value_at (const gint64 *ints, const double *doubles, gsize index)
{
  double value = ints != NULL ? (double) ints[index]
                 : doubles != NULL ? doubles[index] : 0;

  return isfinite (value) && value > 0 ? value : 0;
}

/* The place that the answer gives it, else that of its name in the run. */
static guint
rank_of (const KymoTable *table, guint row, const KymoPlotFrame *frame, const char *name)
{
  if (kymo_table_find_column (table, "rank") >= 0)
    return kymo_table_get_int (table, "rank", row);
  return frame->colors != NULL && name != NULL ? kymo_colors_get_rank (frame->colors, name)
         : G_MAXUINT;
}

static GArray *
ranked_series (const KymoTable *table, const gint64 *ints,
               const double *doubles, guint n_bins, const KymoPlotFrame *frame)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (Ranked));

  for (guint row = 0; row < kymo_table_get_n_rows (table); row++)
    {
      const char *name = kymo_table_get_string (table, "name", row);
      Ranked item = { { name, row, 0, kymo_is_hidden (frame, name),
                        kymo_theme_is_hatched (frame, name, KYMO_KIND_ENTRY),
                        kymo_theme_series (frame, name, KYMO_KIND_ENTRY) },
                      rank_of (table, row, frame, name) };

      for (guint bin = 0; bin < n_bins; bin++)
        item.series.total += value_at (ints, doubles,
                                       (gsize) row * n_bins + bin);
      if (item.series.total > 0)
        g_array_append_val (all, item);
    }
  g_array_sort (all, compare_ranked);
  return all;
}

/**
 * kymo_stack_new:
 * @table: (nullable): a row for each series, with "name" and perhaps "rank"; has to outlive the
 *   stack
 * @key: name of the column of values, @n_bins of them in a row
 *
 * Stacks the series that have any value, hidden ones included, in the order of "rank", else of
 * their names in the run's colours. Negative and non-finite values count as 0.
 *
 * Returns: (transfer full): the stack; without series where @table is %NULL or @key has another
 *   width
 */
KymoStack *
kymo_stack_new (const KymoTable *table, const char *key, guint n_bins,
                const KymoPlotFrame *frame)
{
  KymoStack *stack = g_new0 (KymoStack, 1);
  g_autoptr (GArray) ranked = NULL;
  guint width = 0;
  const gint64 *ints = NULL;
  const double *doubles = NULL;

  stack->n_bins = n_bins;
  stack->theme = kymo_theme_get (frame->look);
  stack->series = g_array_new (FALSE, FALSE, sizeof (KymoSeries));
  stack->tops = g_new0 (double, MAX (n_bins, 1));
  stack->cut = g_new0 (double, MAX (n_bins, 1));
  if (table == NULL)
    return stack;
  ints = kymo_table_peek_ints (table, key, &width);
  if (ints == NULL)
    doubles = kymo_table_peek_doubles (table, key, &width);
  if (width != n_bins)
    return stack;
  ranked = ranked_series (table, ints, doubles, n_bins, frame);
  stack->values = g_new0 (double, (gsize) ranked->len * n_bins + 1);
  for (guint i = 0; i < ranked->len; i++)
    {
      KymoSeries *series = &g_array_index (ranked, Ranked, i).series;

      g_array_append_val (stack->series, *series);
      for (guint bin = 0; bin < n_bins; bin++)
        {
          double value = value_at (ints, doubles,
                                   (gsize) series->row * n_bins + bin);

          stack->values[(gsize) i * n_bins + bin] = value;
          if (series->hidden)
            stack->cut[bin] += value;
          else
            stack->tops[bin] += value;
        }
    }
  return stack;
}

/**
 * kymo_stack_free:
 * @stack: (transfer full): not %NULL
 *
 * Frees a stack; the answer stays.
 */
void
kymo_stack_free (KymoStack *stack)
{
  g_array_unref (stack->series);
  g_free (stack->values);
  g_free (stack->tops);
  g_free (stack->cut);
  g_free (stack);
}

/* Value of a series in a bin; 0 where the series is hidden. */
static double
shown_value (const KymoStack *stack, guint series, guint bin)
{
  return g_array_index (stack->series, KymoSeries, series).hidden
         ? 0 : stack->values[(gsize) series * stack->n_bins + bin];
}

/**
 * kymo_stack_at:
 * @value: height above the base line, in the unit of the values
 * @of_bin: (out) (optional): value of the series in this bin; not set where %NULL is returned
 *
 * Returns: (transfer none) (nullable): the shown series at this height; %NULL above the top
 */
const KymoSeries *
kymo_stack_at (const KymoStack *stack, guint bin, double value,
               double *of_bin)
{
  double sum = 0;

  for (guint i = 0; i < stack->series->len; i++)
    {
      double own = MAX (shown_value (stack, i, bin), 0);

      sum += own;
      if (own > 0 && value < sum)
        {
          if (of_bin != NULL)
            *of_bin = own;
          return &g_array_index (stack->series, KymoSeries, i);
        }
    }
  return NULL;
}

/**
 * kymo_stack_bin_at:
 * @xs: (array): n + 1 edges in ascending order, px
 * @n: number of bins
 *
 * Returns: the bin around @x; the first bin for all to its left, the last for all to its right
 */
guint
kymo_stack_bin_at (const double *xs, guint n, double x)
{
  return KYMO_FIND_FIRST (i, 1, n, xs[i] > x) - 1;
}

/**
 * kymo_stack_time_at:
 * @edges_ns: (array): n + 1 edges in ascending order
 * @n: number of bins
 *
 * Returns: the bin around @time_ns; the first bin for all before it, the last for all after it
 */
guint
kymo_stack_time_at (const gint64 *edges_ns, guint n, gint64 time_ns)
{
  return KYMO_FIND_FIRST (i, 1, n, edges_ns[i] > time_ns) - 1;
}

/**
 * kymo_stack_scale:
 * @unit: factor
 *
 * Multiplies the values of a bin and their sums by @unit. Totals of series, and with them the
 * order, stay.
 */
void
kymo_stack_scale (KymoStack *stack, guint bin, double unit)
{
  stack->tops[bin] *= unit;
  stack->cut[bin] *= unit;
  for (guint i = 0; i < stack->series->len; i++)
    stack->values[(gsize) i * stack->n_bins + bin] *= unit;
}

/**
 * kymo_stack_add_box:
 * @part: number of the part within the bin
 * @name: (nullable): of the answer; has to outlive @boxes
 * @from: lower value of the part
 * @to: upper value of the part
 * @boxes: of #KymoPlotBox
 *
 * Appends the box of a part of a bin, unless it is lower than a pixel or the middle of the bin
 * lies beside at->area.
 */
void
kymo_stack_add_box (const KymoStackBoxes *at, guint bin, guint part, const char *name,
                    double from, double to, GArray *boxes)
{
  double x = at->xs[bin], end = at->xs[bin + 1], middle = (x + end) / 2;
  double base = at->area.y + at->area.height;
  KymoPlotBox box = { .row = bin, .part = part, .stacked = TRUE, .location = -1,
                      .told = TRUE, .name = name };

  box.rect = (KymoRect) { x, base - to * at->px_per_unit, end - x,
                          (to - from) * at->px_per_unit };
  if (at->edges_ns != NULL)
    box.span = (KymoSpan) { at->edges_ns[bin], at->edges_ns[bin + 1] };
  if (box.rect.height >= 1 && middle >= at->area.x && middle < at->area.x + at->area.width)
    g_array_append_val (boxes, box);
}

/**
 * kymo_stack_add_boxes:
 * @boxes: of #KymoPlotBox
 *
 * Appends a box for each shown series of a bin, from the bottom up, without series lower than a
 * pixel. The box's part is the index of the series.
 */
void
kymo_stack_add_boxes (const KymoStack *stack, const KymoStackBoxes *at, guint bin,
                      GArray *boxes)
{
  double sum = 0;

  for (guint i = 0; i < stack->series->len; i++)
    {
      const KymoSeries *series = &g_array_index (stack->series, KymoSeries, i);
      double own = shown_value (stack, i, bin);

      if (own <= 0)
        continue;
      kymo_stack_add_box (at, bin, i, series->name, sum, sum + own, boxes);
      sum += own;
    }
}

/**
 * kymo_stack_add_bin:
 * @boxes: of #KymoPlotBox
 *
 * Appends the boxes of a bin like kymo_stack_add_boxes(). Where all its series are too low for a
 * box, appends a single box without a name for the whole bin.
 */
void
kymo_stack_add_bin (const KymoStack *stack, const KymoStackBoxes *at, guint bin, GArray *boxes)
{
  guint before = boxes->len;

  kymo_stack_add_boxes (stack, at, bin, boxes);
  if (boxes->len == before && stack->tops[bin] > 0)
    kymo_stack_add_box (at, bin, 0, NULL, 0,
                        MAX (stack->tops[bin], 1.001 / at->px_per_unit), boxes);
}

static void
step_path (cairo_t *cr, const double *heights, guint n_bins, const double *xs,
           double gap, double y_base, double px_per_unit)
{
  gboolean open = FALSE;

  for (guint bin = 0; bin < n_bins; bin++)
    {
      double y = y_base - heights[bin] * px_per_unit;

      if (heights[bin] <= 0)
        {
          if (open)
            cairo_line_to (cr, xs[bin], y_base);
          open = FALSE;
          continue;
        }
      if (gap > 0)
        {
          cairo_rectangle (cr, xs[bin] + gap / 2, y,
                           xs[bin + 1] - xs[bin] - gap, y_base - y);
          continue;
        }
      if (!open)
        cairo_move_to (cr, xs[bin], y_base);
      cairo_line_to (cr, xs[bin], y);
      cairo_line_to (cr, xs[bin + 1], y);
      open = TRUE;
    }
  if (open)
    cairo_line_to (cr, xs[n_bins], y_base);
}

/* From the top of the stack down; without a canvas to be washed towards in plain colours. */
static void
paint_series (cairo_t *cr, const KymoStack *stack, const double *xs, double gap,
              double y_base, double px_per_unit, const KymoRgba *canvas, double wash)
{
  gsize n_bytes = stack->n_bins * sizeof (double);
  g_autofree double *sums = g_memdup2 (stack->tops, n_bytes);

  for (guint i = stack->series->len; i-- > 0;)
    {
      const KymoSeries *series = &g_array_index (stack->series, KymoSeries, i);
      const double *own = stack->values + (gsize) i * stack->n_bins;

      if (series->hidden)
        continue;
      kymo_set_source (cr, canvas != NULL ? kymo_rgba_mix (series->color, *canvas, wash)
                       : series->color);
      step_path (cr, sums, stack->n_bins, xs, gap, y_base, px_per_unit);
      if (canvas != NULL)
        {
          cairo_fill_preserve (cr);
          kymo_set_source (cr, series->color);
          cairo_set_line_width (cr, 1);
          cairo_stroke (cr);
        }
      else if (series->hatched)
        {
          cairo_fill_preserve (cr);
          kymo_hatch_waiting (cr, stack->theme);
        }
      else
        cairo_fill (cr);
      for (guint bin = 0; bin < stack->n_bins; bin++)
        {
          sums[bin] -= own[bin];
          /* What is left of a subtraction must not paint a hair line. */
          if (sums[bin] * px_per_unit < 0.001)
            sums[bin] = 0;
        }
    }
}

/**
 * kymo_stack_paint:
 * @xs: (array): n_bins + 1 edges of the bins, px
 * @gap: px between neighbouring bins; 0 paints a series as a continuous area
 * @y_base: height of the value 0, px
 * @px_per_unit: of the values
 *
 * Fills the shown series in their colours, from the top of the stack down.
 */
void
kymo_stack_paint (cairo_t *cr, const KymoStack *stack, const double *xs,
                  double gap, double y_base, double px_per_unit)
{
  paint_series (cr, stack, xs, gap, y_base, px_per_unit, NULL, 0);
}

/**
 * kymo_stack_paint_outlined:
 * @xs: (array): n_bins + 1 edges of the bins, px
 * @y_base: height of the value 0, px
 * @px_per_unit: of the values
 * @wash: 0 to 1: how far the colours of the fills go towards @canvas
 *
 * Fills the shown series in pale colours, without gaps, and strokes the outline of each in its
 * full colour.
 */
void
kymo_stack_paint_outlined (cairo_t *cr, const KymoStack *stack, const double *xs, double y_base,
                           double px_per_unit, KymoRgba canvas, double wash)
{
  paint_series (cr, stack, xs, 0, y_base, px_per_unit, &canvas, wash);
}

/**
 * kymo_stack_legend:
 * @kind: what the series are
 *
 * Returns: (transfer full) (element-type KymoLegendItem): the shown series with their shares of
 *   the sum of all
 */
GArray *
kymo_stack_legend (const KymoStack *stack, const KymoPlotFrame *frame, KymoActivityKind kind)
{
  GArray *items = g_array_new (FALSE, FALSE, sizeof (KymoLegendItem));
  double all = 0;

  for (guint i = 0; i < stack->series->len; i++)
    all += g_array_index (stack->series, KymoSeries, i).total;
  for (guint i = 0; i < stack->series->len; i++)
    {
      const KymoSeries *s = &g_array_index (stack->series, KymoSeries, i);

      kymo_legend_add (items, frame, s->name, kind, s->total / MAX (all, 1e-9));
    }
  return items;
}
