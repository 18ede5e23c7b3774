/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Weights of kept PEs. Every PE weighs 1, or what it stood for already where the
 * run is itself a reduced one. One that is dropped gives its weight to the two
 * kept PEs of its cluster between whose distances from the mean its own lies,
 * linearly: with distances low <= d <= high, the nearer one
 * gets (high - d) / (high - low), the farther one the rest. So the distances
 * of a cluster sum up to what they were, and the weights to the number of PEs:
 * exactly, for they are rounded to millionths by their running sum.
 * The representative is the nearest and outliers are the farthest, so that
 * most of the weight is the representative's.
 */
#include "config.h"

#include "kymo-weights.h"

typedef struct
{
  gint64 cluster;
  double distance;
  guint  row;
} Kept;

static int
compare_kept (gconstpointer a,
              gconstpointer b)
{
  const Kept *x = a, *y = b;

  if (x->cluster != y->cluster)
    return x->cluster < y->cluster ? -1 : 1;
  if (x->distance != y->distance)
    return x->distance < y->distance ? -1 : 1;
  return x->row < y->row ? -1 : x->row > y->row;
}

static GArray *
list_kept (const KymoTable *locations)
{
  GArray *kept = g_array_new (FALSE, FALSE, sizeof (Kept));

  for (guint row = 0; row < kymo_table_get_n_rows (locations); row++)
    if (kymo_table_get_string (locations, "kept_as", row) != NULL)
      {
        Kept one = { kymo_table_get_int (locations, "cluster", row),
                     kymo_table_get_double (locations, "distance", row), row };

        g_array_append_val (kept, one);
      }
  g_array_sort (kept, compare_kept);
  return kept;
}

/* The first that is not before the cluster and the distance. */
static guint
find (GArray *kept,
      gint64  cluster,
      double  distance)
{
  guint low = 0, high = kept->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const Kept *at = &g_array_index (kept, Kept, middle);

      if (at->cluster < cluster || (at->cluster == cluster && at->distance < distance))
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static const Kept *
kept_of (GArray *kept,
         gint64  cluster,
         guint   index)
{
  const Kept *one = index < kept->len ? &g_array_index (kept, Kept, index) : NULL;

  return one != NULL && one->cluster == cluster ? one : NULL;
}

static void
share_out (GArray *kept,
           gint64  cluster,
           double  distance,
           double  weight,
           double *weights)
{
  guint at = find (kept, cluster, distance);
  const Kept *farther = kept_of (kept, cluster, at);
  const Kept *nearer = at > 0 ? kept_of (kept, cluster, at - 1) : NULL;
  double share;

  if (farther == NULL || nearer == NULL)
    {
      const Kept *one = farther != NULL ? farther : nearer;

      if (one != NULL)
        weights[one->row] += weight;
      return;
    }
  share = (farther->distance - distance) / (farther->distance - nearer->distance);
  weights[nearer->row] += share * weight;
  weights[farther->row] += (1 - share) * weight;
}

/* By row: what it stands for, and 0 of those that are dropped. */
static double *
weigh_rows (const KymoTable *locations,
            const gint64    *before)
{
  guint n = kymo_table_get_n_rows (locations);
  g_autoptr (GArray) kept = list_kept (locations);
  double *weights = g_new0 (double, MAX (n, 1));

  for (guint row = 0; row < n; row++)
    {
      double weight = (double) before[row] / KYMO_WEIGHT_ONE;

      if (kymo_table_get_string (locations, "kept_as", row) != NULL)
        weights[row] += weight;
      else
        share_out (kept, kymo_table_get_int (locations, "cluster", row),
                   kymo_table_get_double (locations, "distance", row), weight, weights);
    }
  return weights;
}

/**
 * kymo_weights_new:
 * @locations: `locations` of an answer to `clusters`: a row for every PE, PEs
 *   ascending
 * @before: (nullable): what these PEs stand for themselves; %NULL = 1 each
 *
 * Returns: (transfer full): of the kept PEs: how many each stands for, itself
 * included. They sum up to those of all rows
 */
KymoIdWeights *
kymo_weights_new (const KymoTable     *locations,
                  const KymoIdWeights *before)
{
  guint n = kymo_table_get_n_rows (locations), n_kept = 0;
  g_autofree gint64 *own = g_new (gint64, MAX (n, 1));
  g_autofree gint64 *ids = g_new (gint64, MAX (n, 1));
  g_autofree double *weights = NULL;
  gint64 sum = 0;

  for (guint row = 0; row < n; row++)
    {
      own[row] = before == NULL ? KYMO_WEIGHT_ONE
        : kymo_id_weights_get (before, kymo_table_get_int (locations, "location", row));
      sum += own[row];
    }
  weights = weigh_rows (locations, own);
  for (guint row = 0; row < n; row++)
    if (kymo_table_get_string (locations, "kept_as", row) != NULL)
      {
        ids[n_kept] = kymo_table_get_int (locations, "location", row);
        weights[n_kept++] = weights[row];
      }
  return kymo_id_weights_new_round (ids, weights, n_kept, sum);
}
