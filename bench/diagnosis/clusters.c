/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * clusters: k-means by Elkan's bounds. Rank 0 gives the centres and the distances between them to
 * all ranks, each of which finds the nearest centre of each of its points; the sums come back by
 * MPI_Reduce, and rank 0 moves the centres. What is minimized must never grow.
 * bytes: of centres and distances; work: points of each rank; way=bcast gives them by MPI_Bcast,
 * way=naive by sends, to the last rank first, and way=scatter by sends to ranks each of which
 * measures in a unit of its own, so that each gets other numbers.
 */
#include <math.h>
#include <stdint.h>

#include "suite.h"

#define N_DIMENSIONS 32
#define N_SUMS (N_DIMENSIONS + 1)       /* and how many points */
#define N_SOURCES 40            /* places around which the points lie */

typedef struct
{
  double round, unit;
} Header;

typedef struct
{
  int n;
  double *centres, *distances;
  Header header;
} Clusters;

typedef struct
{
  long n;
  uint8_t *values;
  int *nearest;
} Points;

static unsigned
draw_number (uint64_t *random)
{
  *random = *random * 6364136223846793005u + 1442695040888963407u;
  return (unsigned) (*random >> 40);
}

/* All ranks have points around the same places. */
static void
make_points (Points *points,
             long    n,
             int     rank)
{
  uint64_t random = 2463534242u;
  uint8_t sources[N_SOURCES][N_DIMENSIONS];

  for (int i = 0; i < N_SOURCES * N_DIMENSIONS; i++)
    sources[i / N_DIMENSIONS][i % N_DIMENSIONS] = (uint8_t) (draw_number (&random) % 156);
  random += (uint64_t) rank * 7919;
  points->n = n;
  points->values = allocate (n * N_DIMENSIONS);
  points->nearest = allocate (n * (long) sizeof (int));
  for (long i = 0; i < n; i++)
    {
      const uint8_t *source = sources[draw_number (&random) % N_SOURCES];

      points->nearest[i] = 0;
      for (int k = 0; k < N_DIMENSIONS; k++)
        points->values[i * N_DIMENSIONS + k] = (uint8_t) (source[k] + draw_number (&random) % 100);
    }
}

/* The centres begin at points; there are as many as there is space for, with the distances. */
static void
make_clusters (Clusters     *clusters,
               long          bytes,
               const Points *points)
{
  double half = N_DIMENSIONS / 2.0;

  clusters->n = (int) (sqrt (half * half + (double) bytes / sizeof (double)) - half);
  if (clusters->n < 1 || points->n < clusters->n)
    fail ("there are fewer points than centres");
  clusters->centres = allocate (clusters->n * N_DIMENSIONS * (long) sizeof (double));
  clusters->distances = allocate (clusters->n * clusters->n * (long) sizeof (double));
  for (int i = 0; i < clusters->n * N_DIMENSIONS; i++)
    clusters->centres[i] = points->values[i];
}

static void
measure_distances (Clusters *clusters)
{
  for (int i = 0; i < clusters->n; i++)
    for (int j = 0; j <= i; j++)
      {
        const double *a = clusters->centres + i * N_DIMENSIONS;
        const double *b = clusters->centres + j * N_DIMENSIONS;
        double sum = 0;

        for (int k = 0; k < N_DIMENSIONS; k++)
          sum += (a[k] - b[k]) * (a[k] - b[k]);
        clusters->distances[i * clusters->n + j] = sqrt (sum);
        clusters->distances[j * clusters->n + i] = sqrt (sum);
      }
}

static void
change_unit (Clusters *clusters,
             double    unit)
{
  double factor = unit / clusters->header.unit;

  for (int i = 0; i < clusters->n * N_DIMENSIONS; i++)
    clusters->centres[i] *= factor;
  for (int i = 0; i < clusters->n * clusters->n; i++)
    clusters->distances[i] *= factor;
  clusters->header.unit = unit;
}

static void
send_clusters (Suite    *suite,
               Clusters *clusters)
{
  int n = clusters->n;

  if (suite->rank != 0)
    {
      MPI_Recv (&clusters->header, 2, MPI_DOUBLE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Recv (clusters->centres, n * N_DIMENSIONS, MPI_DOUBLE, 0, TAG + 1, MPI_COMM_WORLD,
                MPI_STATUS_IGNORE);
      MPI_Recv (clusters->distances, n * n, MPI_DOUBLE, 0, TAG + 2, MPI_COMM_WORLD,
                MPI_STATUS_IGNORE);
      return;
    }
  for (int to = suite->size - 1; to > 0; to--)
    {
      if (strcmp (suite->way, "scatter") == 0)
        change_unit (clusters, 1 + to / 8.0);
      MPI_Send (&clusters->header, 2, MPI_DOUBLE, to, TAG, MPI_COMM_WORLD);
      MPI_Send (clusters->centres, n * N_DIMENSIONS, MPI_DOUBLE, to, TAG + 1, MPI_COMM_WORLD);
      MPI_Send (clusters->distances, n * n, MPI_DOUBLE, to, TAG + 2, MPI_COMM_WORLD);
    }
  change_unit (clusters, 1);
}

static void
give_clusters (Suite    *suite,
               Clusters *clusters)
{
  double begin = MPI_Wtime ();
  int n = clusters->n;

  if (strcmp (suite->way, "bcast") == 0)
    {
      MPI_Bcast (&clusters->header, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
      MPI_Bcast (clusters->centres, n * N_DIMENSIONS, MPI_DOUBLE, 0, MPI_COMM_WORLD);
      MPI_Bcast (clusters->distances, n * n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
  else
    send_clusters (suite, clusters);
  suite->signal += MPI_Wtime () - begin;
}

static double
measure_square (const double  *centre,
                const uint8_t *point,
                double         unit)
{
  double sum = 0;

  for (int k = 0; k < N_DIMENSIONS; k++)
    sum += (unit * point[k] - centre[k]) * (unit * point[k] - centre[k]);
  return sum;
}

/* Finds the nearest centre of each point, adds the point to its sums, and returns the sum of the
 * squares. A centre that is twice as far from the present one as the point is cannot be nearer. */
static double
assign_points (const Clusters *clusters,
               Points         *points,
               uint32_t       *sums)
{
  double unit = clusters->header.unit, squares = 0;

  for (long i = 0; i < points->n; i++)
    {
      const uint8_t *point = points->values + i * N_DIMENSIONS;
      int nearest = points->nearest[i];
      double least = measure_square (clusters->centres + nearest * N_DIMENSIONS, point, unit);

      for (int j = 0; j < clusters->n; j++)
        {
          double between = clusters->distances[nearest * clusters->n + j], square;

          if (j == nearest || between * between >= 4 * least)
            continue;
          square = measure_square (clusters->centres + j * N_DIMENSIONS, point, unit);
          if (square < least)
            least = square, nearest = j;
        }
      points->nearest[i] = nearest;
      for (int k = 0; k < N_DIMENSIONS; k++)
        sums[nearest * N_SUMS + k] += point[k];
      sums[nearest * N_SUMS + N_DIMENSIONS]++;
      squares += least / (unit * unit);
    }
  return squares;
}

/* Each centre goes to the mean of its points; one that has none stays. */
static void
move_centres (Clusters       *clusters,
              const uint32_t *sums,
              long            n_points)
{
  for (int i = 0; i < clusters->n; i++)
    {
      uint32_t n = sums[i * N_SUMS + N_DIMENSIONS];

      n_points -= n;
      for (int k = 0; n > 0 && k < N_DIMENSIONS; k++)
        clusters->centres[i * N_DIMENSIONS + k] = (double) sums[i * N_SUMS + k] / n;
    }
  if (n_points != 0)
    fail ("not all points have a centre");
}

static void
run_clusters (Suite *suite)
{
  Clusters clusters = { 0 };
  Points points;
  double before = INFINITY;
  long n_bytes;
  uint32_t *mine, *all;

  make_points (&points, suite->work, suite->rank);
  make_clusters (&clusters, suite->bytes, &points);
  n_bytes = clusters.n * N_SUMS * (long) sizeof *mine;
  mine = allocate (n_bytes), all = allocate (n_bytes);
  for (long round = 0; round < suite->rounds; round++)
    {
      double squares, sum = 0;

      if (suite->rank == 0)
        {
          clusters.header = (Header){ .round = (double) round, .unit = 1 };
          measure_distances (&clusters);
        }
      give_clusters (suite, &clusters);
      if (lround (clusters.header.round) != round)
        fail ("the centres of another round came");
      memset (mine, 0, (size_t) n_bytes);
      squares = assign_points (&clusters, &points, mine);
      MPI_Reduce (mine, all, clusters.n * N_SUMS, MPI_UINT32_T, MPI_SUM, 0, MPI_COMM_WORLD);
      MPI_Reduce (&squares, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
      if (suite->rank != 0)
        continue;
      if (!(sum <= before * (1 + 1e-9)))
        fail ("the points are farther from their centres than before");
      before = sum;
      move_centres (&clusters, all, points.n * suite->size);
    }
  free (clusters.centres);
  free (clusters.distances);
  free (points.values);
  free (points.nearest);
  free (mine);
  free (all);
}

int
main (int    argc,
      char **argv)
{
  return run_program (argc, argv, 1, run_clusters);
}
