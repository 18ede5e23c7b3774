/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lloyd's rounds: each row goes to the nearest centre, ties to the lower one;
 * each centre that has rows moves to their mean; until no row moves. A cluster
 * that is empty on the way keeps its centre, one empty at the end is dropped.
 *
 * Rows are looked at by several threads; the sums of the clusters are of whole
 * numbers in 128 bits, changed by the rows that moved alone, so they are exact
 * in any order.
 */
#include "config.h"

#include "kymo-kmeans-private.h"

#include <math.h>
#include <string.h>

#define NOWHERE G_MAXUINT

typedef struct
{
  const KymoKmeansInput *input;
  double                *centres;       /* k x n_columns */
  __int128              *sums;          /* k x n_columns */
  guint                 *sizes;         /* by centre */
  guint                 *cluster;       /* by row */
  guint                 *next;          /* by row: of this round */
} Lloyd;

static void
find_box (const KymoKmeansInput *input,
          double                *low,
          double                *high)
{
  memcpy (low, input->rows, input->n_columns * sizeof (double));
  memcpy (high, input->rows, input->n_columns * sizeof (double));
  for (guint i = 1; i < input->n_rows; i++)
    kymo_widen_box (low, high, input->rows + (gsize) i * input->n_columns, input->n_columns);
}

/* The lowest of those that are as near as the nearest. Its present cluster is
   tried first, for that gives the others up early. */
static guint
nearest_centre (const Lloyd *lloyd,
                guint        row,
                double      *squares)
{
  const KymoKmeansInput *input = lloyd->input;
  guint n = input->n_columns, present = lloyd->cluster[row];
  const double *values = input->rows + (gsize) row * n;
  double best = INFINITY;

  if (present != NOWHERE)
    best = kymo_square_distance (values, lloyd->centres + (gsize) present * n, n, INFINITY);
  for (guint k = 0; k < input->k; k++)
    {
      squares[k] = kymo_square_distance (values, lloyd->centres + (gsize) k * n, n,
                                         kymo_square_tie (best));
      best = MIN (best, squares[k]);
    }
  for (guint k = 0; k < input->k; k++)
    if (squares[k] <= kymo_square_tie (best))
      return k;
  return 0;
}

static void
assign_rows (gpointer data,
             guint    first,
             guint    end)
{
  Lloyd *lloyd = data;
  g_autofree double *squares = g_new (double, lloyd->input->k);

  for (guint i = first; i < end; i++)
    lloyd->next[i] = nearest_centre (lloyd, i, squares);
}

static void
add_row (Lloyd *lloyd,
         guint  row,
         guint  cluster,
         gint   sign)
{
  guint n = lloyd->input->n_columns;
  const double *values = lloyd->input->rows + (gsize) row * n;
  __int128 *sums = lloyd->sums + (gsize) cluster * n;

  for (guint c = 0; c < n; c++)
    sums[c] += sign * (gint64) values[c];
  lloyd->sizes[cluster] += sign;
}

/* Returns how many rows moved. */
static guint
move_rows (Lloyd *lloyd)
{
  guint n_moved = 0;

  for (guint i = 0; i < lloyd->input->n_rows; i++)
    {
      if (lloyd->next[i] == lloyd->cluster[i])
        continue;
      if (lloyd->cluster[i] != NOWHERE)
        add_row (lloyd, i, lloyd->cluster[i], -1);
      add_row (lloyd, i, lloyd->next[i], 1);
      lloyd->cluster[i] = lloyd->next[i];
      n_moved++;
    }
  return n_moved;
}

static void
move_centres (Lloyd *lloyd)
{
  guint n = lloyd->input->n_columns;

  for (guint k = 0; k < lloyd->input->k; k++)
    for (guint c = 0; c < n && lloyd->sizes[k] > 0; c++)
      lloyd->centres[(gsize) k * n + c] =
        (double) ((long double) lloyd->sums[(gsize) k * n + c] / lloyd->sizes[k]);
}

/* Without those that have no rows. */
static void
keep_clusters (const Lloyd *lloyd,
               KymoKmeans  *kmeans)
{
  guint n = lloyd->input->n_columns;
  g_autofree guint *number = g_new (guint, lloyd->input->k);

  for (guint k = 0; k < lloyd->input->k; k++)
    {
      number[k] = kmeans->n_clusters;
      if (lloyd->sizes[k] == 0)
        continue;
      memmove (lloyd->centres + (gsize) kmeans->n_clusters * n, lloyd->centres + (gsize) k * n,
               n * sizeof (double));
      lloyd->sizes[kmeans->n_clusters++] = lloyd->sizes[k];
    }
  for (guint i = 0; i < kmeans->n_rows; i++)
    {
      kmeans->cluster[i] = number[lloyd->cluster[i]];
      kmeans->distance[i] =
        kymo_kmeans_distance (lloyd->input->rows + (gsize) i * n,
                              lloyd->centres + (gsize) kmeans->cluster[i] * n, n);
    }
}

static gboolean
run_rounds (Lloyd        *lloyd,
            KymoKmeans   *kmeans,
            GCancellable *cancellable)
{
  const KymoKmeansInput *input = lloyd->input;
  guint64 n_operations = (guint64) input->n_rows * input->n_columns * input->k;

  while (kmeans->rounds < KYMO_KMEANS_ROUNDS && !kmeans->settled)
    {
      if (!kymo_rows_for_each (input->n_rows, n_operations, input->n_threads, assign_rows, lloyd,
                               cancellable))
        return FALSE;
      kmeans->rounds++;
      kmeans->settled = move_rows (lloyd) == 0;
      move_centres (lloyd);
    }
  return TRUE;
}

static KymoKmeans *
run_lloyd (Lloyd         *lloyd,
           GCancellable  *cancellable,
           GError       **error)
{
  const KymoKmeansInput *input = lloyd->input;
  g_autofree double *low = g_new (double, input->n_columns);
  g_autofree double *high = g_new (double, input->n_columns);
  g_autoptr (KymoKmeans) kmeans = g_new0 (KymoKmeans, 1);

  kmeans->n_rows = input->n_rows;
  kmeans->n_columns = input->n_columns;
  kmeans->cluster = lloyd->cluster;
  kmeans->sizes = lloyd->sizes;
  kmeans->means = lloyd->centres;
  kmeans->distance = g_new0 (double, input->n_rows);
  find_box (input, low, high);
  kymo_kmeans_seed (input, low, high, lloyd->centres, cancellable);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  if (!run_rounds (lloyd, kmeans, cancellable))
    {
      g_cancellable_set_error_if_cancelled (cancellable, error);
      return NULL;
    }
  keep_clusters (lloyd, kmeans);
  return g_steal_pointer (&kmeans);
}

/**
 * kymo_kmeans_new:
 * @input: at least one row and one column
 *
 * Clusters the rows as the head of kymo-kmeans.c says (Lloyd, 1982).
 *
 * Returns: (transfer full) (nullable): %NULL when it was cancelled
 */
KymoKmeans *
kymo_kmeans_new (const KymoKmeansInput  *input,
                 GCancellable           *cancellable,
                 GError                **error)
{
  gsize n_values = (gsize) input->k * input->n_columns;
  g_autofree __int128 *sums = g_new0 (__int128, n_values);
  g_autofree guint *next = g_new (guint, input->n_rows);
  Lloyd lloyd = { input, g_new0 (double, n_values), sums, g_new0 (guint, input->k),
                  g_new (guint, input->n_rows), next };

  for (guint i = 0; i < input->n_rows; i++)
    lloyd.cluster[i] = NOWHERE;
  return run_lloyd (&lloyd, cancellable, error);
}

void
kymo_kmeans_free (KymoKmeans *kmeans)
{
  g_free (kmeans->cluster);
  g_free (kmeans->sizes);
  g_free (kmeans->means);
  g_free (kmeans->distance);
  g_free (kmeans);
}

/* -- silhouette ------------------------------------------------------------ */

typedef struct
{
  const KymoKmeans      *kmeans;
  const KymoKmeansInput *input;
  double                *of_row;
} Silhouette;

static void
measure_rows (gpointer data,
              guint    first,
              guint    end)
{
  Silhouette *silhouette = data;
  const KymoKmeans *kmeans = silhouette->kmeans;
  guint n = kmeans->n_columns;

  for (guint i = first; i < end; i++)
    {
      double own = kmeans->distance[i], other = INFINITY;

      for (guint k = 0; k < kmeans->n_clusters; k++)
        if (k != kmeans->cluster[i])
          other = MIN (other, kymo_square_distance (silhouette->input->rows + (gsize) i * n,
                                                    kmeans->means + (gsize) k * n, n, other));
      other = sqrt (other);
      silhouette->of_row[i] = kmeans->sizes[kmeans->cluster[i]] > 1 && MAX (own, other) > 0
        ? (other - own) / MAX (own, other) : 0;
    }
}

/**
 * kymo_kmeans_silhouette:
 * @kmeans: of @input
 * @by_cluster: (out) (array): n_clusters means; 0 for a cluster of one row
 * @mean: (out): over all rows; NaN where there is but one cluster
 *
 * How much nearer rows are to the mean of their own cluster than to the
 * nearest other one, from -1 to 1: the simplified silhouette (Hruschka, de
 * Castro and Campello, 2004), whose cost grows with the rows, not with their
 * square.
 *
 * Returns: %FALSE when it was cancelled
 */
gboolean
kymo_kmeans_silhouette (const KymoKmeans       *kmeans,
                        const KymoKmeansInput  *input,
                        double                 *by_cluster,
                        double                 *mean,
                        GCancellable           *cancellable,
                        GError                **error)
{
  g_autofree double *of_row = g_new0 (double, kmeans->n_rows);
  Silhouette silhouette = { kmeans, input, of_row };

  for (guint k = 0; k < kmeans->n_clusters; k++)
    by_cluster[k] = kmeans->n_clusters > 1 ? 0 : NAN;
  *mean = by_cluster[0];
  if (kmeans->n_clusters == 1)
    return TRUE;
  if (!kymo_rows_for_each (kmeans->n_rows,
                           (guint64) kmeans->n_rows * kmeans->n_columns * kmeans->n_clusters,
                           input->n_threads, measure_rows, &silhouette, cancellable))
    {
      g_cancellable_set_error_if_cancelled (cancellable, error);
      return FALSE;
    }
  for (guint i = 0; i < kmeans->n_rows; i++)
    {
      by_cluster[kmeans->cluster[i]] += of_row[i] / kmeans->sizes[kmeans->cluster[i]];
      *mean += of_row[i] / kmeans->n_rows;
    }
  return TRUE;
}
