/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * k-means by Lloyd's rounds over rows of numbers, for the classes of PEs
 * (kymo-clusters.c).
 *
 * Rows are doubles that hold whole numbers up to 2^53, so that all sums are
 * exact: neither the order of the rows nor the number of threads changes a bit
 * of a result. A distance is added up in a fixed order. Distances that are
 * equal within 1e-9 of themselves are ties: what a mean of three rows loses in
 * its last bit decides nothing.
 *
 * Life: a KymoKmeans belongs to who called; its rows stay the caller's.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/** KYMO_KMEANS_LANES: the columns of rows are padded with 0 to a multiple */
#define KYMO_KMEANS_LANES 16

/** KYMO_KMEANS_ROUNDS: the limit of rounds, settled or not */
#define KYMO_KMEANS_ROUNDS 1000

/** KYMO_KMEANS_TIE: distances that differ by this part of them are equal */
#define KYMO_KMEANS_TIE 1e-9

/**
 * KymoSeeding:
 * @KYMO_SEEDING_DIAGONAL: seed i of k at lo + (hi - lo) (i + 1/2) / k of the
 *   bounding box of all rows
 * @KYMO_SEEDING_RANDOM: points drawn uniformly from the bounding box
 * @KYMO_SEEDING_PLUSPLUS: rows, each drawn by the square of its distance to the
 *   nearest one before (Arthur and Vassilvitskii, 2007)
 */
typedef enum
{
  KYMO_SEEDING_DIAGONAL,
  KYMO_SEEDING_RANDOM,
  KYMO_SEEDING_PLUSPLUS,
} KymoSeeding;

/**
 * KymoKmeansInput:
 * @rows: n_rows x n_columns; n_columns is a multiple of %KYMO_KMEANS_LANES
 * @k: seeds, from 1
 * @seed: of the random seedings
 * @n_threads: most threads; 0 = one per core
 * @every_distance: measures every distance in every round, to be compared with; the
 *   result is the same
 */
typedef struct
{
  const double *rows;
  guint         n_rows;
  guint         n_columns;
  guint         k;
  KymoSeeding   seeding;
  guint64       seed;
  guint         n_threads;
  gboolean      every_distance;
} KymoKmeansInput;

/**
 * KymoKmeans:
 * @n_clusters: that have rows, in the order of their seeds
 * @cluster: by row
 * @sizes: by cluster
 * @means: n_clusters x n_columns
 * @distance: by row, to the mean of its cluster
 * @rounds: in which rows were given to clusters
 * @settled: no row moved in the last one
 */
typedef struct
{
  guint     n_rows;
  guint     n_columns;
  guint     n_clusters;
  guint    *cluster;
  guint    *sizes;
  double   *means;
  double   *distance;
  guint     rounds;
  gboolean  settled;
} KymoKmeans;

KymoKmeans *kymo_kmeans_new          (const KymoKmeansInput *input,
                                      GCancellable          *cancellable,
                                      GError               **error);
void        kymo_kmeans_free         (KymoKmeans            *kmeans);
gboolean    kymo_kmeans_silhouette   (const KymoKmeans      *kmeans,
                                      const KymoKmeansInput *input,
                                      double                *by_cluster,
                                      double                *mean,
                                      GCancellable          *cancellable,
                                      GError               **error);
double      kymo_kmeans_distance     (const double          *a,
                                      const double          *b,
                                      guint                  n_columns);
double      kymo_square_distance     (const double          *a,
                                      const double          *b,
                                      guint                  n_columns,
                                      double                 most);
gboolean    kymo_kmeans_is_tie       (double                 a,
                                      double                 b);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoKmeans, kymo_kmeans_free)

G_END_DECLS
