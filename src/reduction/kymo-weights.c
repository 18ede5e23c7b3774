/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Weights of kept PEs (kymo-nearest.h), of an answer to `clusters`: whole numbers that sum up
 * to the number of PEs.
 */
#include "config.h"

#include "kymo-weights.h"

#include <string.h>

#include "kymo-kmeans.h"

/**
 * kymo_weights_vectors:
 * @locations: `locations` of an answer to `clusters` with vectors
 * @n_columns: (out): of each, a multiple of %KYMO_KMEANS_LANES
 *
 * Returns: (transfer full): what PEs are compared by, row by row, padded with 0;
 * free with g_free()
 */
double *
kymo_weights_vectors (const KymoTable *locations,
                      guint           *n_columns)
{
  const guint *offsets;
  KymoTable *list = kymo_table_peek_nested (locations, "vector", &offsets);
  const double *values = kymo_table_peek_doubles (list, "value", NULL);
  guint n_rows = kymo_table_get_n_rows (locations);
  guint n = n_rows > 0 ? offsets[1] - offsets[0] : 0;
  double *vectors;

  *n_columns = (n + KYMO_KMEANS_LANES - 1) / KYMO_KMEANS_LANES * KYMO_KMEANS_LANES;
  vectors = g_new0 (double, MAX ((gsize) n_rows * *n_columns, 1));
  for (guint row = 0; row < n_rows; row++)
    if (n > 0)
      memcpy (vectors + (gsize) row * *n_columns, values + offsets[row], n * sizeof (double));
  return vectors;
}

/* Of the kept rows alone. */
static KymoIdWeights *
round_weights (const KymoTable   *locations,
               const KymoWeighed *pes,
               gint64             sum)
{
  g_autofree double *weights = g_new (double, MAX (pes->n_rows, 1));
  g_autofree gint64 *ids = g_new (gint64, MAX (pes->n_rows, 1));
  g_autofree KymoNearest *nearest = kymo_nearest_new (pes->n_rows);
  guint n = 0;

  if (!kymo_weights_share (pes, nearest, weights))
    g_error ("There is no memory for the weights of %u PEs", pes->n_rows);
  for (guint row = 0; row < pes->n_rows; row++)
    if (pes->kept[row])
      {
        ids[n] = kymo_table_get_int (locations, "location", row);
        weights[n++] = weights[row];
      }
  return kymo_id_weights_new_round (ids, weights, n, sum);
}

/**
 * kymo_weights_new:
 * @locations: `locations` of an answer to `clusters` with vectors: a row for
 *   every PE, PEs ascending
 * @before: (nullable): what these PEs stand for themselves; %NULL = 1 each
 *
 * Returns: (transfer full): of the kept PEs: how many each stands for, itself
 * included. They sum up to those of all rows
 */
KymoIdWeights *
kymo_weights_new (const KymoTable     *locations,
                  const KymoIdWeights *before)
{
  guint n = kymo_table_get_n_rows (locations);
  g_autofree guint *cluster = g_new (guint, MAX (n, 1));
  g_autofree gboolean *kept = g_new (gboolean, MAX (n, 1));
  g_autofree double *own = g_new (double, MAX (n, 1));
  guint n_columns;
  g_autofree double *vectors = kymo_weights_vectors (locations, &n_columns);
  const KymoWeighed pes = { n, n_columns, cluster, vectors, kept, own };
  gint64 sum = 0;

  for (guint row = 0; row < n; row++)
    {
      gint64 weight = before == NULL ? KYMO_WEIGHT_ONE
        : kymo_id_weights_get (before, kymo_table_get_int (locations, "location", row));

      cluster[row] = kymo_table_get_int (locations, "cluster", row);
      kept[row] = kymo_table_get_string (locations, "kept_as", row) != NULL;
      own[row] = (double) weight / KYMO_WEIGHT_ONE;
      sum += weight;
    }
  return round_weights (locations, &pes, sum);
}
