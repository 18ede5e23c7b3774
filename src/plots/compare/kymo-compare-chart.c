/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-compare-chart.h.
 */
#include "config.h"

#include "kymo-compare-chart.h"

#include <math.h>

#include "kymo-axis.h"

extern const KymoPlotClass kymo_plot_compare_time_profile;

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

/**
 * kymo_compare_rows_of:
 * @which: 0 for A, 1 for B
 * @row: of the series
 * @bin: of the time axis
 *
 * Returns: how many rows (PEs, ranks) the series kept busy on average in the bin
 */
double
kymo_compare_rows_of (const KymoCompareChart *chart, guint which, guint row, guint bin)
{
  const gint64 *ns = which == 0 ? chart->a_ns : chart->b_ns;
  gsize at = (gsize) row * chart->n + bin;
  double length = chart->length[which] > 0 ? chart->length[which]
                  : (double) MAX (chart->edges_ns[bin + 1] - chart->edges_ns[bin], 1);

  return chart->shares[which] != NULL ? chart->shares[which][at] : ns[at] / length;
}

/** kymo_compare_difference_of: what B has more than A of a series in a bin, in rows */
double
kymo_compare_difference_of (const KymoCompareChart *chart, guint row, guint bin)
{
  return kymo_compare_rows_of (chart, 1, row, bin) - kymo_compare_rows_of (chart, 0, row, bin);
}

/**
 * kymo_compare_noise_of:
 *
 * A band is of times; on scales of their own, where bins are of other lengths, of shares.
 *
 * Returns: how far A and B may be apart by chance in a series and a bin, in rows
 */
double
kymo_compare_noise_of (const KymoCompareChart *chart, guint row, guint bin)
{
  if (chart->noise_rows != NULL)
    return chart->noise_rows[(gsize) row * chart->n + bin];
  return chart->noise_ns[(gsize) row * chart->n + bin]
         / (double) MAX (chart->edges_ns[bin + 1] - chart->edges_ns[bin], 1);
}

/** kymo_compare_is_noise: whether the difference is one that there may be by chance */
gboolean
kymo_compare_is_noise (const KymoCompareChart *chart, guint row, guint bin)
{
  return chart->has_noise
         && fabs (kymo_compare_difference_of (chart, row, bin))
            <= kymo_compare_noise_of (chart, row, bin);
}

/** kymo_compare_noise_of_all: the same of all that is busy, or useful, in a bin */
double
kymo_compare_noise_of_all (const KymoCompareChart *chart, guint bin)
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
  const KymoChartLayer *x = a, *y = b;

  if ((x->kind == KYMO_KIND_ENTRY) != (y->kind == KYMO_KIND_ENTRY))
    return x->kind == KYMO_KIND_ENTRY ? 1 : -1;
  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  return g_strcmp0 (x->name, y->name);
}

static void
add_layers (KymoCompareChart *chart, const KymoPlotFrame *frame)
{
  for (guint row = 0; row < kymo_table_get_n_rows (chart->series); row++)
    {
      const char *kind = kymo_table_get_string (chart->series, "kind", row);
      KymoChartLayer layer = { kymo_table_get_string (chart->series, "name", row), row };
      const char *role = kymo_table_get_string (chart->series, "role", row);
      gboolean code = g_strcmp0 (kind, "code") == 0;
      gboolean told = code && (!chart->useful || role == NULL || g_str_equal (role, "compute"));

      layer.kind = code ? KYMO_KIND_ENTRY : kymo_activity_kind (kind);
      for (guint bin = 0; told && bin < chart->n; bin++)
        for (guint which = 0; which < 2; which++)
          chart->busy[which][bin] += kymo_compare_rows_of (chart, which, row, bin);
      if (kymo_is_hidden (frame, layer.name)
          || (!code && layer.kind != KYMO_KIND_OVERHEAD))
        continue;
      layer.rank = frame->colors != NULL && layer.name != NULL
                   ? kymo_colors_get_rank (frame->colors, layer.name) : G_MAXUINT;
      for (guint bin = 0; bin < chart->n; bin++)
        layer.total += fabs (kymo_compare_difference_of (chart, row, bin));
      if (layer.total > 0)
        g_array_append_val (chart->layers, layer);
    }
  g_array_sort (chart->layers, compare_layers);
}

static void
find_scale (KymoCompareChart *chart)
{
  for (guint bin = 0; bin < chart->n; bin++)
    {
      double up = 0, down = 0;

      for (guint i = 0; i < chart->layers->len; i++)
        {
          const KymoChartLayer *layer = &g_array_index (chart->layers, KymoChartLayer, i);
          double value = kymo_compare_difference_of (chart, layer->row, bin);

          up += MAX (value, 0);
          down += MIN (value, 0);
        }
      chart->high = MAX (chart->high, MAX (up, MAX (chart->busy[0][bin], chart->busy[1][bin])));
      chart->low = MIN (chart->low, down);
    }
  chart->high = MAX (chart->high, 1e-3) * 1.04;
  chart->low *= 1.04;
}

/** kymo_compare_chart_clear: frees what is in @chart; due in any case */
void
kymo_compare_chart_clear (KymoCompareChart *chart)
{
  g_clear_pointer (&chart->layers, g_array_unref);
  g_free (chart->busy[0]);
  g_free (chart->busy[1]);
  g_free (chart->xs);
}

static void
take_noise (KymoCompareChart *chart, const KymoTable *answer, gboolean own)
{
  guint width = 0;

  chart->noise_rows = own ? kymo_table_peek_doubles (chart->series, "noise_rows", &width) : NULL;
  chart->shares[0] = own ? kymo_table_peek_doubles (chart->series, "a_rows", NULL) : NULL;
  chart->shares[1] = own ? kymo_table_peek_doubles (chart->series, "b_rows", NULL) : NULL;
  chart->noise_ns = own ? NULL : kymo_table_peek_ints (chart->series, "noise_ns", &width);
  chart->has_noise = width == chart->n && chart->bins != NULL
                     && kymo_table_get_n_rows (chart->bins) == chart->n;
}

/**
 * kymo_compare_chart_init:
 * @chart: (out): the figures; they point into @answer
 * @answer: an answer of kind time-profile about two sides
 *
 * Returns: whether there is something to paint
 */
gboolean
kymo_compare_chart_init (KymoCompareChart *chart, const KymoTable *answer,
                         const KymoPlotFrame *frame)
{
  guint n_edges = 0, width_a = 0, width_b = 0;
  gboolean own;

  *chart = (KymoCompareChart) {
    .area = kymo_plot_frame_area (&kymo_plot_compare_time_profile, frame)
  };
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
  chart->layers = g_array_new (FALSE, FALSE, sizeof (KymoChartLayer));
  chart->busy[0] = g_new0 (double, chart->n);
  chart->busy[1] = g_new0 (double, chart->n);
  chart->xs = g_new (double, n_edges);
  for (guint i = 0; i < n_edges; i++)
    chart->xs[i] = kymo_frame_lattice_x (frame, chart->edges_ns[i]);
  add_layers (chart, frame);
  find_scale (chart);
  return TRUE;
}
