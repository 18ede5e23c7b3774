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

#include <stdlib.h>

typedef struct
{
  guint  cluster;
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

static Kept *
list_kept (const KymoWeighed *pes,
           guint             *n)
{
  Kept *kept = g_new (Kept, MAX (pes->n_rows, 1));

  *n = 0;
  for (guint row = 0; row < pes->n_rows; row++)
    if (pes->kept[row])
      kept[(*n)++] = (Kept) { pes->cluster[row], pes->distance[row], row };
  qsort (kept, *n, sizeof (Kept), compare_kept);
  return kept;
}

/* The first that is not before the cluster and the distance. */
static guint
find (const Kept *kept,
      guint       n,
      guint       cluster,
      double      distance)
{
  guint low = 0, high = n;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const Kept *at = &kept[middle];

      if (at->cluster < cluster || (at->cluster == cluster && at->distance < distance))
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static void
share_out (const Kept *kept,
           guint       n,
           guint       cluster,
           double      distance,
           double      weight,
           double     *weights)
{
  guint at = find (kept, n, cluster, distance);
  const Kept *farther = at < n && kept[at].cluster == cluster ? &kept[at] : NULL;
  const Kept *nearer = at > 0 && kept[at - 1].cluster == cluster ? &kept[at - 1] : NULL;
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

/**
 * kymo_weights_share:
 * @weights: (out): by row: what it stands for, itself included; 0 of those
 *   that are dropped
 */
void
kymo_weights_share (const KymoWeighed *pes,
                    double            *weights)
{
  guint n;
  g_autofree Kept *kept = list_kept (pes, &n);

  for (guint row = 0; row < pes->n_rows; row++)
    weights[row] = 0;
  for (guint row = 0; row < pes->n_rows; row++)
    {
      double weight = pes->before != NULL ? pes->before[row] : 1;

      if (pes->kept[row])
        weights[row] += weight;
      else
        share_out (kept, n, pes->cluster[row], pes->distance[row], weight, weights);
    }
}

/* Of the kept rows alone. */
static KymoIdWeights *
round_weights (const KymoTable   *locations,
               const KymoWeighed *pes,
               gint64             sum)
{
  g_autofree double *weights = g_new (double, MAX (pes->n_rows, 1));
  g_autofree gint64 *ids = g_new (gint64, MAX (pes->n_rows, 1));
  guint n = 0;

  kymo_weights_share (pes, weights);
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
  guint n = kymo_table_get_n_rows (locations);
  g_autofree guint *cluster = g_new (guint, MAX (n, 1));
  g_autofree gboolean *kept = g_new (gboolean, MAX (n, 1));
  g_autofree double *own = g_new (double, MAX (n, 1));
  const KymoWeighed pes = { n, cluster, kymo_table_peek_doubles (locations, "distance", NULL),
                            kept, own };
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
