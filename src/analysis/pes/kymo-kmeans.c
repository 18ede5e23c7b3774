/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lloyd's rounds (kymo-lloyd.h) with rows shared out to threads, and how good clusters are.
 */
#include "config.h"

#include "kymo-kmeans-private.h"

#include <math.h>

#include "kymo-share.h"

#define ROWS_AT_ONCE 64

/* Below this a second thread costs more than it saves. */
#define OPERATIONS_FOR_THREADS 500000

typedef struct
{
  guint         n_rows;
  KymoRowsFunc  func;
  gpointer      data;
} Share;

static void
take_stretch (gpointer data,
              guint    i)
{
  const Share *share = data;

  share->func (share->data, i * ROWS_AT_ONCE, MIN ((i + 1) * ROWS_AT_ONCE, share->n_rows));
}

/**
 * kymo_rows_for_each:
 * @n_rows: number of rows
 * @n_operations: about how much there is to do
 * @n_threads: most threads; 0 = one per core
 * @func: called with stretches of rows, on several threads at once
 * @data: for @func
 *
 * Calls @func for stretches that make up all rows, on several threads where it pays.
 *
 * Returns: %FALSE when it was cancelled
 */
gboolean
kymo_rows_for_each (guint         n_rows,
                    guint64       n_operations,
                    guint         n_threads,
                    KymoRowsFunc  func,
                    gpointer      data,
                    GCancellable *cancellable)
{
  Share share = { n_rows, func, data };

  return kymo_share_out ((n_rows + ROWS_AT_ONCE - 1) / ROWS_AT_ONCE,
                         n_operations < OPERATIONS_FOR_THREADS ? 1 : n_threads, take_stretch,
                         &share, cancellable);
}

/** Sharing: for kymo_rows_for_each(), out of Lloyd's rounds */
typedef struct
{
  guint         n_threads;
  GCancellable *cancellable;
} Sharing;

static bool
share_rows (void         *context,
            guint         n_rows,
            guint64       n_operations,
            KymoRowsFunc  func,
            void         *data)
{
  const Sharing *sharing = context;

  return kymo_rows_for_each (n_rows, n_operations, sharing->n_threads, func, data,
                             sharing->cancellable);
}

/**
 * kymo_kmeans_new:
 * @input: at least one row and one column
 *
 * Clusters the rows as kymo_lloyd_run() does, on several threads.
 *
 * Returns: (transfer full) (nullable): %NULL when it was cancelled
 */
KymoKmeans *
kymo_kmeans_new (const KymoKmeansInput  *input,
                 GCancellable           *cancellable,
                 GError                **error)
{
  Sharing sharing = { input->n_threads, cancellable };
  const KymoRowsShare share = { share_rows, &sharing };
  g_autoptr (KymoKmeans) kmeans = g_new0 (KymoKmeans, 1);

  if (kymo_lloyd_run (input, &share, kmeans) && !g_cancellable_is_cancelled (cancellable))
    return g_steal_pointer (&kmeans);
  if (!g_cancellable_set_error_if_cancelled (cancellable, error))
    g_error ("There is no memory for the clusters of %u rows", input->n_rows);
  return NULL;
}

/** kymo_kmeans_free: frees the clusters with their means */
void
kymo_kmeans_free (KymoKmeans *kmeans)
{
  kymo_lloyd_clear (kmeans);
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
