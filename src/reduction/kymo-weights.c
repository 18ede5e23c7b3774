/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Weights of kept PEs. Every PE weighs 1, or what it stood for already where the
 * run is itself a reduced one. One that is dropped gives its weight to the kept
 * PE of its cluster that is nearest to it: by the distance of their vectors, not
 * by that from the mean, for two PEs that are as far from it may be so in ways
 * that have nothing in common. So outliers stand for what lies out their way, and
 * the representative for the rest; and weights are whole numbers that sum up
 * to the number of PEs.
 *
 * The search for a bound weighs hundreds of sets of the same clusters, each with
 * a few other outliers: a row keeps who stood for it, and is compared with those
 * that are new.
 */
#include "config.h"

#include "kymo-weights.h"

#include <math.h>
#include <string.h>

#include "kymo-kmeans.h"

/* The nearer one; of two that are as near the lower row. Squares differ by twice
   as much as distances. Most are given up after a few columns. */
static void
compare_with (const KymoWeighed *pes,
              guint              row,
              guint              kept,
              KymoNearest       *nearest)
{
  double more = 2 * KYMO_KMEANS_TIE;
  gboolean first = nearest[row].row == G_MAXUINT;
  double most = first ? INFINITY : nearest[row].square * (1 + more);
  double square = kymo_square_distance (pes->vectors + (gsize) row * pes->n_columns,
                                        pes->vectors + (gsize) kept * pes->n_columns,
                                        pes->n_columns, most);

  if (square > most)
    return;
  if (first || square * (1 + more) < nearest[row].square || kept < nearest[row].row)
    nearest[row] = (KymoNearest) { kept, square };
}

/** Kept: the kept rows, cluster by cluster */
typedef struct
{
  guint *rows;
  guint *first;                 /* by cluster, and one more */
} Kept;

static guint
count_clusters (const KymoWeighed *pes)
{
  guint n = 0;

  for (guint row = 0; row < pes->n_rows; row++)
    n = MAX (n, pes->cluster[row] + 1);
  return n;
}

/* All that are kept, or those alone that are since the last time: they do not
   stand for themselves yet. */
static Kept
list_kept (const KymoWeighed *pes,
           const KymoNearest *nearest,
           guint              n_clusters,
           gboolean           fresh)
{
  Kept kept = { g_new (guint, MAX (pes->n_rows, 1)), g_new0 (guint, n_clusters + 1) };
  g_autofree guint *at = g_new0 (guint, n_clusters + 1);

  for (guint row = 0; row < pes->n_rows; row++)
    if (pes->kept[row] && (!fresh || nearest[row].row != row))
      kept.first[pes->cluster[row] + 1]++;
  for (guint k = 0; k < n_clusters; k++)
    at[k] = kept.first[k + 1] += kept.first[k];
  for (guint row = pes->n_rows; row-- > 0;)
    if (pes->kept[row] && (!fresh || nearest[row].row != row))
      kept.rows[--at[pes->cluster[row]]] = row;
  return kept;
}

static void
kept_clear (Kept *kept)
{
  g_free (kept->rows);
  g_free (kept->first);
}

static void
find_nearest (const KymoWeighed *pes,
              KymoNearest       *nearest)
{
  guint n_clusters = count_clusters (pes);
  Kept all = list_kept (pes, nearest, n_clusters, FALSE);
  Kept fresh = list_kept (pes, nearest, n_clusters, TRUE);

  for (guint row = 0; row < pes->n_rows; row++)
    {
      guint k = pes->cluster[row], before = nearest[row].row;
      gboolean stands = before != G_MAXUINT && pes->kept[before] && before != row;
      const Kept *kept = stands ? &fresh : &all;

      if (pes->kept[row])
        continue;
      if (!stands)
        nearest[row].row = G_MAXUINT;
      for (guint i = kept->first[k]; i < kept->first[k + 1]; i++)
        compare_with (pes, row, kept->rows[i], nearest);
    }
  for (guint row = 0; row < pes->n_rows; row++)
    if (pes->kept[row])
      nearest[row] = (KymoNearest) { row, 0 };
  kept_clear (&fresh);
  kept_clear (&all);
}

/** kymo_nearest_new: Returns: (transfer full): by row: none yet; free with g_free() */
KymoNearest *
kymo_nearest_new (guint n_rows)
{
  KymoNearest *nearest = g_new (KymoNearest, MAX (n_rows, 1));

  for (guint row = 0; row < n_rows; row++)
    nearest[row] = (KymoNearest) { G_MAXUINT, 0 };
  return nearest;
}

/**
 * kymo_weights_share:
 * @nearest: (inout): by row: of another set of the same PEs in the same
 *   clusters, or of kymo_nearest_new(); becomes that of this one
 * @weights: (out): by row: what it stands for, itself included; 0 of those
 *   that are dropped
 *
 * In every cluster at least one is kept.
 */
void
kymo_weights_share (const KymoWeighed *pes,
                    KymoNearest       *nearest,
                    double            *weights)
{
  find_nearest (pes, nearest);
  for (guint row = 0; row < pes->n_rows; row++)
    weights[row] = 0;
  for (guint row = 0; row < pes->n_rows; row++)
    if (nearest[row].row != G_MAXUINT)
      weights[nearest[row].row] += pes->before != NULL ? pes->before[row] : 1;
}

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

  kymo_weights_share (pes, nearest, weights);
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
