/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * compare-time-profile: the sums of kymo-comparison-time.c as tables, with bands of noise.
 */
#include "config.h"

#include "kymo-comparison-time.h"

#include <math.h>
#include <string.h>

#include "kymo-id-weights.h"
#include "kymo-order.h"

/* Number of bins between two looks for cancelling. */
#define CANCEL_BINS 64

/* -- noise -------------------------------------------------------------------- */

/* Half the width of the band of a bin. */
static double
width_of_bin (const KymoTimeWork *work,
              double      *const *m2,
              guint               bin)
{
  double variance[2] = { 0, 0 }, half_width;

  for (guint which = 0; which < 2; which++)
    if (work->n[which] > 1)
      variance[which] = MAX (m2[which][bin], 0) / (work->n[which] - 1);
  kymo_noise_width (variance[0], work->n[0], variance[1], work->n[1], &half_width);
  return half_width;
}

/* Returns: %FALSE once cancelled; a bin may take a search for its quantile. */
static gboolean
set_noise (const KymoTimeWork *work,
           KymoTimeSeries     *series,
           GCancellable       *cancellable,
           GError            **error)
{
  series->noise = g_new0 (gint64, work->n_bins);
  series->noise_rows = work->own ? g_new0 (double, work->n_bins) : NULL;
  for (guint i = 0; i < work->n_bins; i++)
    {
      if (i % CANCEL_BINS == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      series->noise[i] = (gint64) MIN (ceil (width_of_bin (work, series->m2, i)), 9e18);
      if (work->own)
        series->noise_rows[i] = width_of_bin (work, series->share_m2, i);
    }
  return TRUE;
}

/* -- the answer --------------------------------------------------------------- */

static int
compare_keys (gconstpointer a,
              gconstpointer b)
{
  return strcmp ((*(KymoTimeSeries *const *) a)->key, (*(KymoTimeSeries *const *) b)->key);
}

static guint
rank_of (const KymoTimeSeries *series)
{
  return *series->key == 'c' ? 0 : *series->key == 'i' ? 1 : *series->key == 'o' ? 2 : 3;
}

static int
compare_weights (gconstpointer a,
                 gconstpointer b)
{
  const KymoTimeSeries *x = *(KymoTimeSeries *const *) a, *y = *(KymoTimeSeries *const *) b;

  KYMO_ORDER_BY (rank_of (x), rank_of (y));
  KYMO_ORDER_BY (y->weight, x->weight);
  return strcmp (x->key, y->key);
}

/* Sums over the runs of a side become means, which bin by bin add up. */
static GPtrArray *
take_means (KymoTimeWork *work)
{
  g_autoptr (GList) values = g_hash_table_get_values (work->series);
  GPtrArray *list = g_ptr_array_new ();
  g_autofree gint64 *before = g_new0 (gint64, 2 * (gsize) work->n_bins);

  for (GList *item = values; item != NULL; item = item->next)
    g_ptr_array_add (list, item->data);
  g_ptr_array_sort (list, compare_keys);
  for (guint s = 0; s < list->len; s++)
    {
      KymoTimeSeries *series = list->pdata[s];

      for (guint which = 0; which < 2; which++)
        for (guint i = 0; i < work->n_bins; i++)
          series->sum[which][i]
            = kymo_compare_part (&before[which * work->n_bins + i], series->sum[which][i],
                                 (KymoCompareScale) { 1, work->n[which] });
      for (guint i = 0; i < work->n_bins; i++)
        series->weight += ABS (kymo_saturating_add (series->sum[1][i], -series->sum[0][i]));
    }
  g_ptr_array_sort (list, compare_weights);
  return list;
}

static gint64
difference_of (const KymoTimeSeries *series,
               guint                 bin)
{
  return kymo_saturating_add (series->sum[1][bin], -series->sum[0][bin]);
}

static gboolean
list_series (KymoTimeWork *work,
             KymoTable    *table,
             GCancellable *cancellable,
             GError      **error)
{
  g_autoptr (GPtrArray) list = take_means (work);
  guint name = kymo_table_add_column (table, "name", KYMO_COLUMN_STRING, 1);
  guint kind = kymo_table_add_column (table, "kind", KYMO_COLUMN_STRING, 1);
  guint role = kymo_table_add_column (table, "role", KYMO_COLUMN_STRING, 1);
  guint a = kymo_table_add_vector (table, "a_ns", KYMO_COLUMN_INT, work->n_bins);
  guint b = kymo_table_add_vector (table, "b_ns", KYMO_COLUMN_INT, work->n_bins);
  guint difference = kymo_table_add_vector (table, "difference_ns", KYMO_COLUMN_INT,
                                            work->n_bins);
  guint noise = work->has_noise
    ? kymo_table_add_vector (table, "noise_ns", KYMO_COLUMN_INT, work->n_bins) : 0;
  guint rows = work->has_noise && work->own
    ? kymo_table_add_vector (table, "noise_rows", KYMO_COLUMN_DOUBLE, work->n_bins) : 0;
  guint shares[2] = { 0, 0 };
  g_autofree gint64 *less = g_new (gint64, work->n_bins);

  for (guint which = 0; which < 2 && rows > 0; which++)
    shares[which] = kymo_table_add_vector (table, which == 0 ? "a_rows" : "b_rows",
                                           KYMO_COLUMN_DOUBLE, work->n_bins);
  for (guint s = 0; s < list->len; s++)
    {
      KymoTimeSeries *series = list->pdata[s];

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      for (guint i = 0; i < work->n_bins; i++)
        less[i] = difference_of (series, i);
      kymo_table_append_string (table, name, series->key + 1);
      kymo_table_append_string (table, kind, series->kind);
      kymo_table_append_string (table, role, series->role);
      kymo_table_append_ints (table, a, series->sum[0]);
      kymo_table_append_ints (table, b, series->sum[1]);
      kymo_table_append_ints (table, difference, less);
      if (!work->has_noise)
        continue;
      if (!set_noise (work, series, cancellable, error))
        return FALSE;
      kymo_table_append_ints (table, noise, series->noise);
      if (!work->own)
        continue;
      kymo_table_append_doubles (table, rows, series->noise_rows);
      for (guint which = 0; which < 2; which++)
        kymo_table_append_doubles (table, shares[which], series->share_mean[which]);
    }
  return TRUE;
}

/* On scales of their own bins have not one length: shares of them are compared, not times. */
static gboolean
is_noise_of_busy (const KymoTimeWork *work,
                  guint               bin)
{
  const KymoTimeSeries *busy = work->busy;

  if (!work->has_noise)
    return FALSE;
  if (work->own)
    return fabs (busy->share_mean[1][bin] - busy->share_mean[0][bin]) <= busy->noise_rows[bin];
  return ABS (difference_of (busy, bin)) <= busy->noise[bin];
}

/* Functions also communicate and wait: what computes of all that is busy. */
static void
add_useful (const KymoTimeWork *work,
            KymoTable          *table)
{
  static const char *const names[] = { "useful_a_ns", "useful_b_ns", "useful_noise_ns" };
  const KymoTimeSeries *useful = work->useful;
  gboolean shares = work->has_noise && work->own;
  guint rows = shares ? kymo_table_add_column (table, "useful_noise_rows", KYMO_COLUMN_DOUBLE, 1)
               : 0;

  for (guint k = 0; k < G_N_ELEMENTS (names); k++)
    {
      guint column = kymo_table_add_column (table, names[k], KYMO_COLUMN_INT, 1);

      for (guint i = 0; i < work->n_bins; i++)
        kymo_table_append_int (table, column, k < 2
                               ? kymo_compare_mean (useful->sum[k][i],
                                                    (KymoCompareScale) { 1, work->n[k] })
                               : work->has_noise ? useful->noise[i] : 0);
    }
  for (guint i = 0; shares && i < work->n_bins; i++)
    kymo_table_append_double (table, rows, useful->noise_rows[i]);
}

/* All that is busy: a row a bin. */
static KymoTable *
list_bins (KymoTimeWork *work,
           const gint64 *edges_ns)
{
  static const char *const names[] =
    { "begin_ns", "end_ns", "busy_a_ns", "busy_b_ns", "difference_ns", "noise_ns" };
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);
  KymoTimeSeries *busy = work->busy;
  guint is_noise, rows = 0;

  for (guint k = 0; k < G_N_ELEMENTS (names); k++)
    kymo_table_add_column (table, names[k], KYMO_COLUMN_INT, 1);
  is_noise = kymo_table_add_column (table, "is_noise", KYMO_COLUMN_BOOL, 1);
  if (work->has_noise && work->own)
    rows = kymo_table_add_column (table, "noise_rows", KYMO_COLUMN_DOUBLE, 1);
  for (guint i = 0; i < work->n_bins; i++)
    {
      for (guint which = 0; which < 2; which++)
        busy->sum[which][i] = kymo_compare_mean (busy->sum[which][i],
                                                 (KymoCompareScale) { 1, work->n[which] });
      kymo_table_append_row (table, edges_ns[i], edges_ns[i + 1], busy->sum[0][i], busy->sum[1][i],
                             difference_of (busy, i), work->has_noise ? busy->noise[i] : 0);
      kymo_table_append_bool (table, is_noise, is_noise_of_busy (work, i));
      if (rows > 0)
        kymo_table_append_double (table, rows, busy->noise_rows[i]);
    }
  if (work->tells_useful)
    add_useful (work, table);
  return table;
}

static void
set_edges (KymoTimeWork *work,
           KymoTable    *answer)
{
  KymoSpan span = work->axis;
  g_autofree gint64 *edges_ns = g_new (gint64, work->n_bins + 1);

  for (guint i = 0; i <= work->n_bins; i++)
    edges_ns[i] = span.begin_ns
      + (gint64) ((__int128) kymo_span_length (span) * i / work->n_bins);
  kymo_table_set_int (answer, "begin_ns", span.begin_ns);
  kymo_table_set_int (answer, "end_ns", span.end_ns);
  kymo_table_set_ints (answer, "edges_ns", edges_ns, work->n_bins + 1);
  kymo_table_set_table (answer, "bins", list_bins (work, edges_ns));
}

/**
 * kymo_compare_time_finish:
 * @work: all runs are added
 *
 * Makes the answer: means over the runs of each side, their difference and its noise. Sets
 * %G_IO_ERROR_CANCELLED.
 *
 * Returns: (transfer full) (nullable): the answer
 */
KymoTable *
kymo_compare_time_finish (KymoTimeWork *work,
                          GCancellable *cancellable,
                          GError      **error)
{
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);
  KymoTable *series = kymo_table_new (KYMO_STYLE_OBJECTS);

  if (work->has_noise && (!set_noise (work, work->busy, cancellable, error)
                          || !set_noise (work, work->useful, cancellable, error)))
    {
      kymo_table_unref (series);
      kymo_table_unref (answer);
      return NULL;
    }
  set_edges (work, answer);
  kymo_compared_set_runs (work->compared, answer);
  kymo_table_set_string (answer, "scale", work->own ? "own" : "shared");
  kymo_table_set_double (answer, "pes_a", (double) work->pes[0] / KYMO_WEIGHT_ONE
                         / MAX (work->n[0], 1));
  kymo_table_set_double (answer, "pes_b", (double) work->pes[1] / KYMO_WEIGHT_ONE
                         / MAX (work->n[1], 1));
  kymo_table_set_bool (answer, "has_noise", work->has_noise);
  kymo_table_set_table (answer, "series", series);
  if (!list_series (work, series, cancellable, error))
    {
      kymo_table_unref (answer);
      return NULL;
    }
  kymo_compare_set_time_sentences (answer);
  return answer;
}
