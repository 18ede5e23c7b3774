/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "kymo-run.h"

/** kymo_series_clear: frees what a #KymoSeries holds */
void
kymo_series_clear (gpointer data)
{
  KymoSeries *series = data;

  g_free (series->of);
  g_free (series->name);
  g_free (series->unit);
  g_free (series->times_ns);
  g_free (series->values);
}

/**
 * kymo_series_get_step:
 * @i: a reading that is not the last one
 * @value: (out): what was measured from this reading until the next: of totals what was added per
 *   second, else the value, which holds until the next one is read
 *
 * Returns: whether it can be told: a total that falls was begun anew, and two readings at one time
 *   tell nothing
 */
gboolean
kymo_series_get_step (const KymoSeries *series,
                      guint             i,
                      double           *value)
{
  gint64 length_ns = series->times_ns[i + 1] - series->times_ns[i];
  double more = series->values[i + 1] - series->values[i];

  *value = series->is_total ? more / ((double) length_ns / 1e9) : series->values[i];
  return length_ns > 0 && (!series->is_total || more >= 0) && isfinite (*value);
}

/**
 * kymo_run_add_series:
 * @run: not sealed
 * @series: (transfer full): its members go to the run
 *
 * Adds a system metric.
 */
void
kymo_run_add_series (KymoRun    *run,
                     KymoSeries *series)
{
  g_array_append_vals (run->series, series, 1);
}

/**
 * kymo_series_pack:
 * @all: (element-type KymoSeries): of a run
 *
 * Returns: (transfer floating): the same, of %KYMO_SERIES_TYPE
 */
GVariant *
kymo_series_pack (const GArray *all)
{
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE (KYMO_SERIES_TYPE));
  for (guint i = 0; i < all->len; i++)
    {
      const KymoSeries *s = &g_array_index (all, KymoSeries, i);

      g_variant_builder_add (
        &list, "(sssib@ax@ad)", s->of, s->name, s->unit, s->location, s->is_total,
        g_variant_new_fixed_array (G_VARIANT_TYPE_INT64, s->times_ns, s->n, sizeof (gint64)),
        g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, s->values, s->n, sizeof (double)));
    }
  return g_variant_builder_end (&list);
}

static gboolean
is_sound (const KymoSeries *series,
          gsize             n_values)
{
  for (guint i = 0; i < series->n; i++)
    if (i >= n_values || !isfinite (series->values[i])
        || (i > 0 && series->times_ns[i] < series->times_ns[i - 1]))
      return FALSE;
  return n_values == series->n;
}

/**
 * kymo_series_unpack:
 * @list: of %KYMO_SERIES_TYPE
 * @n_locations: of the run
 * @all: (element-type KymoSeries): of a run; the series are added
 *
 * Returns: %FALSE if the values cannot be those of series
 */
gboolean
kymo_series_unpack (GVariant *list,
                    guint     n_locations,
                    GArray   *all)
{
  GVariantIter iter;
  KymoSeries series;
  GVariant *times, *values;
  gboolean fit = TRUE;

  g_variant_iter_init (&iter, list);
  while (fit && g_variant_iter_next (&iter, "(sssib@ax@ad)", &series.of, &series.name,
                                     &series.unit, &series.location, &series.is_total, &times,
                                     &values))
    {
      gsize n_times, n_values;
      gconstpointer t = g_variant_get_fixed_array (times, &n_times, sizeof (gint64));
      gconstpointer v = g_variant_get_fixed_array (values, &n_values, sizeof (double));

      series.n = (guint) n_times;
      series.times_ns = g_memdup2 (t, n_times * sizeof (gint64));
      series.values = g_memdup2 (v, n_values * sizeof (double));
      fit = n_times < G_MAXUINT32 && is_sound (&series, n_values)
        && series.location >= -1 && series.location < (gint64) n_locations;
      g_array_append_val (all, series);
      g_variant_unref (times);
      g_variant_unref (values);
    }
  return fit;
}
