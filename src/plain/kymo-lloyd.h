/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * k-means by Lloyd's rounds over rows of numbers, for the classes of PEs: in answers
 * (analysis/pes/kymo-kmeans.h) and in MPI_Finalize of a recorded program.
 *
 * Rows are doubles that hold whole numbers up to 2^53, so that all sums are
 * exact: neither the order of the rows nor the number of threads changes a bit
 * of a result. A distance is added up in a fixed order. Distances that are
 * equal within 1e-9 of themselves are ties: what a mean of three rows loses in
 * its last bit decides nothing.
 *
 * Memory comes from malloc(). A KymoKmeans belongs to who called; its rows stay the caller's.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
  unsigned      n_rows;
  unsigned      n_columns;
  unsigned      k;
  KymoSeeding   seeding;
  uint64_t      seed;
  unsigned      n_threads;
  int           every_distance;
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
  unsigned  n_rows;
  unsigned  n_columns;
  unsigned  n_clusters;
  unsigned *cluster;
  unsigned *sizes;
  double   *means;
  double   *distance;
  unsigned  rounds;
  int       settled;
} KymoKmeans;

/* Of one stretch of rows; each row once. */
typedef void (*KymoRowsFunc) (void     *data,
                              unsigned  first,
                              unsigned  end);

/**
 * KymoRowsShare: who calls functions with stretches of rows
 * @run: calls @func with stretches that make up all rows, on several threads at once or one
 *   after the other; FALSE where that was cancelled
 * @context: for @run
 */
typedef struct
{
  bool (*run) (void         *context,
               unsigned      n_rows,
               uint64_t      n_operations,
               KymoRowsFunc  func,
               void         *data);
  void  *context;
} KymoRowsShare;

bool   kymo_lloyd_run       (const KymoKmeansInput *input,
                             const KymoRowsShare   *share,
                             KymoKmeans            *kmeans);
void   kymo_lloyd_clear     (KymoKmeans            *kmeans);
bool   kymo_lloyd_seed      (const KymoKmeansInput *input,
                             const KymoRowsShare   *share,
                             const double          *low,
                             const double          *high,
                             double                *centres);
double kymo_kmeans_distance (const double          *a,
                             const double          *b,
                             unsigned               n_columns);
double kymo_square_distance (const double          *a,
                             const double          *b,
                             unsigned               n_columns,
                             double                 most);
int    kymo_kmeans_is_tie   (double                 a,
                             double                 b);
void   kymo_widen_box       (double                *low,
                             double                *high,
                             const double          *row,
                             unsigned               n_columns);
double kymo_draw            (uint64_t              *state);

/**
 * kymo_square_tie:
 * @square: square of a distance
 *
 * Returns: squares up to this one may be of a distance that ties with it: their last bits
 *   need not agree
 */
static inline double
kymo_square_tie (double square)
{
  return square * (1 + 2 * KYMO_KMEANS_TIE);
}
