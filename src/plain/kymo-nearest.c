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
#include "kymo-nearest.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* The nearer one; of two that are as near the lower row. Squares differ by twice
   as much as distances. Most are given up after a few columns. */
static void
compare_with (const KymoWeighed *pes,
              unsigned           row,
              unsigned           kept,
              KymoNearest       *nearest)
{
  double more = 2 * KYMO_KMEANS_TIE;
  bool first = nearest[row].row == UINT_MAX;
  double most = first ? INFINITY : nearest[row].square * (1 + more);
  double square = kymo_square_distance (pes->vectors + (size_t) row * pes->n_columns,
                                        pes->vectors + (size_t) kept * pes->n_columns,
                                        pes->n_columns, most);

  if (square > most)
    return;
  if (first || square * (1 + more) < nearest[row].square || kept < nearest[row].row)
    nearest[row] = (KymoNearest) { kept, square };
}

/** Kept: the kept rows, cluster by cluster */
typedef struct
{
  unsigned *rows;
  unsigned *first;              /* by cluster, and one more */
  unsigned *at;                 /* by cluster: room */
} Kept;

static unsigned
count_clusters (const KymoWeighed *pes)
{
  unsigned n = 0;

  for (unsigned row = 0; row < pes->n_rows; row++)
    n = pes->cluster[row] + 1 > n ? pes->cluster[row] + 1 : n;
  return n;
}

/* All that are kept, or those alone that are since the last time: they do not
   stand for themselves yet. */
static void
list_kept (const KymoWeighed *pes,
           const KymoNearest *nearest,
           unsigned           n_clusters,
           bool               fresh,
           Kept              *kept)
{
  for (unsigned k = 0; k <= n_clusters; k++)
    kept->first[k] = 0;
  for (unsigned row = 0; row < pes->n_rows; row++)
    if (pes->kept[row] && (!fresh || nearest[row].row != row))
      kept->first[pes->cluster[row] + 1]++;
  for (unsigned k = 0; k < n_clusters; k++)
    kept->at[k] = kept->first[k + 1] += kept->first[k];
  for (unsigned row = pes->n_rows; row-- > 0;)
    if (pes->kept[row] && (!fresh || nearest[row].row != row))
      kept->rows[--kept->at[pes->cluster[row]]] = row;
}

static void
find_nearest (const KymoWeighed *pes,
              KymoNearest       *nearest,
              const Kept        *all,
              const Kept        *fresh)
{
  for (unsigned row = 0; row < pes->n_rows; row++)
    {
      unsigned k = pes->cluster[row], before = nearest[row].row;
      bool stands = before != UINT_MAX && pes->kept[before] && before != row;
      const Kept *kept = stands ? fresh : all;

      if (pes->kept[row])
        continue;
      if (!stands)
        nearest[row].row = UINT_MAX;
      for (unsigned i = kept->first[k]; i < kept->first[k + 1]; i++)
        compare_with (pes, row, kept->rows[i], nearest);
    }
  for (unsigned row = 0; row < pes->n_rows; row++)
    if (pes->kept[row])
      nearest[row] = (KymoNearest) { row, 0 };
}

/**
 * kymo_nearest_new:
 *
 * Returns: (transfer full) (nullable): by row: none yet; free with free(). %NULL if there is no
 *   memory
 */
KymoNearest *
kymo_nearest_new (unsigned n_rows)
{
  KymoNearest *nearest = malloc ((n_rows > 0 ? n_rows : 1) * sizeof *nearest);

  for (unsigned row = 0; nearest != NULL && row < n_rows; row++)
    nearest[row] = (KymoNearest) { UINT_MAX, 0 };
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
 *
 * Returns: FALSE if there is no memory
 */
bool
kymo_weights_share (const KymoWeighed *pes,
                    KymoNearest       *nearest,
                    double            *weights)
{
  size_t n = count_clusters (pes), n_rows = pes->n_rows;
  unsigned *room = malloc ((2 * n_rows + 4 * n + 2) * sizeof *room);
  Kept all, fresh;

  if (room == NULL)
    return false;
  all = (Kept) { room, room + 2 * n_rows, room + 2 * n_rows + n + 1 };
  fresh = (Kept) { room + n_rows, all.at + n, all.at + 2 * n + 1 };
  list_kept (pes, nearest, (unsigned) n, false, &all);
  list_kept (pes, nearest, (unsigned) n, true, &fresh);
  find_nearest (pes, nearest, &all, &fresh);
  free (room);
  for (unsigned row = 0; row < pes->n_rows; row++)
    weights[row] = 0;
  for (unsigned row = 0; row < pes->n_rows; row++)
    if (nearest[row].row != UINT_MAX)
      weights[nearest[row].row] += pes->before != NULL ? pes->before[row] : 1;
  return true;
}
