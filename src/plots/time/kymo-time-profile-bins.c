/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bins of a time profile, brought to one scale.
 */
#include "config.h"

#include <math.h>

#include "kymo-time-profile-bins.h"

static const gint64 *
values_of (const KymoTable *answer, const char *key, guint n)
{
  guint width = 0;
  const gint64 *values = kymo_table_peek_ints (answer, key, &width);

  return width == n ? values : NULL;
}

/**
 * kymo_time_bins_length:
 *
 * Returns: length of a bin, ns, at least 1
 */
double
kymo_time_bins_length (const KymoTimeBins *bins, guint bin)
{
  return MAX (1, bins->edges_ns[bin + 1] - bins->edges_ns[bin]);
}

/**
 * kymo_time_bins_clear:
 *
 * Frees what the bins hold.
 */
void
kymo_time_bins_clear (KymoTimeBins *bins)
{
  g_clear_pointer (&bins->xs, g_free);
  g_clear_pointer (&bins->all, g_free);
  g_clear_pointer (&bins->stack, kymo_stack_free);
}

/* What is 100 % of a bin: the time of all locations in it that was traced, for
   untraced time enters no average. */
static double
bin_room (const KymoTimeBins *bins, guint bin)
{
  double room = kymo_time_bins_length (bins, bin) * bins->capacity;

  if (bins->untraced_ns != NULL)
    room -= bins->untraced_ns[bin];
  return MAX (room, 1);
}

/* Bins differ in length and in what was traced: bring all to one scale. */
static void
bins_to_share (KymoTimeBins *bins)
{
  KymoStack *stack = bins->stack;

  for (guint bin = 0; bin < bins->n; bin++)
    {
      double unit = 1 / bin_room (bins, bin);

      stack->tops[bin] = MIN (1, stack->tops[bin] * unit);
      stack->cut[bin] *= unit;
      for (guint i = 0; i < stack->series->len; i++)
        stack->values[(gsize) i * stack->n_bins + bin] *= unit;
    }
}

/**
 * kymo_time_bins_init:
 *
 * Returns: whether the answer has bins
 */
gboolean
kymo_time_bins_init (KymoTimeBins *bins, const KymoTable *answer, const KymoPlotFrame *frame)
{
  guint n_edges = 0;

  *bins = (KymoTimeBins) { .terms = frame->terms };
  bins->edges_ns = kymo_table_peek_ints (answer, "edges_ns", &n_edges);
  if (bins->edges_ns == NULL || n_edges < 2)
    return FALSE;
  bins->n = n_edges - 1;
  bins->rest = kymo_has_rest (answer);
  bins->idle_ns = values_of (answer, "idle_ns", bins->n);
  bins->overhead_ns = values_of (answer, "overhead_ns", bins->n);
  bins->untraced_ns = values_of (answer, "untraced_ns", bins->n);
  bins->stack = kymo_stack_new (kymo_table_peek_nested (answer, "series",
                                                        NULL),
                                "ns", bins->n, frame);
  bins->xs = g_new (double, n_edges);
  bins->all = g_new0 (double, bins->n);
  for (guint i = 0; i < n_edges; i++)
    bins->xs[i] = kymo_plot_time_to_x (frame, bins->edges_ns[i]);
  for (guint i = 0; i < bins->n; i++)
    {
      bins->all[i] = bins->stack->tops[i] + bins->stack->cut[i]
                     + (bins->idle_ns != NULL ? bins->idle_ns[i] : 0)
                     + (bins->overhead_ns != NULL ? bins->overhead_ns[i] : 0)
                     + (bins->untraced_ns != NULL ? bins->untraced_ns[i] : 0);
      bins->capacity = MAX (bins->capacity,
                            bins->all[i] / kymo_time_bins_length (bins, i));
    }
  /* Rounded bins hold a little more or less than whole locations. */
  bins->capacity = MAX (1, round (bins->capacity));
  bins_to_share (bins);
  return TRUE;
}

/**
 * kymo_time_bins_part:
 *
 * Returns: share of the values in the time of all locations in a bin that was traced; 0 where
 *   @values is %NULL
 */
double
kymo_time_bins_part (const KymoTimeBins *bins, const gint64 *values, guint bin)
{
  return values != NULL ? values[bin] / bin_room (bins, bin) : 0;
}

/**
 * kymo_time_bins_traced:
 *
 * Returns: how high the stack of a bin reaches: less than 1 where locations had not begun
 */
double
kymo_time_bins_traced (const KymoTimeBins *bins, guint bin)
{
  double untraced = bins->untraced_ns != NULL ? bins->untraced_ns[bin] : 0;

  return (bins->all[bin] - untraced) / bin_room (bins, bin);
}
