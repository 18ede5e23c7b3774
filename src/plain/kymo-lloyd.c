/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lloyd's rounds: each row goes to the nearest centre, ties to the lower one;
 * each centre that has rows moves to their mean; until no row moves. A cluster
 * that is empty on the way keeps its centre, one empty at the end is dropped.
 *
 * Rows are looked at by several threads; the sums of the clusters are of whole
 * numbers, changed by the rows that moved alone, so they are exact in any order: in
 * doubles where all rows together stay below 2^53, else in 128 bits.
 *
 * Most distances need not be measured (Elkan, 2003): how far a row can have come from its
 * centre, and how near another centre can have come to it, is known from how far the
 * centres moved. A bound is widened by more than what rounding can take from it, and a
 * distance that may be a tie is measured, so the result is that of measuring all.
 */
#include "kymo-lloyd.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kymo-wide.h"

#define NOWHERE UINT_MAX

/* Most memory for bounds of distances. */
#define MOST_BOUNDS (8 << 20)

/* More than the error of a distance in its last bits, and of a bound over all rounds. */
#define SLACK 1e-10

/* A centre that is this part farther away is no tie. */
#define FARTHER (1 + 10 * KYMO_KMEANS_TIE)

typedef struct
{
  const KymoKmeansInput *input;
  const KymoRowsShare   *share;
  double                *centres;       /* k x n_columns */
  __int128              *sums;          /* k x n_columns; NULL: whole_sums has them */
  double                *whole_sums;
  unsigned              *sizes;         /* by centre */
  unsigned              *cluster;       /* by row */
  unsigned              *next;          /* by row: of this round */
  unsigned              *number;        /* by centre: of the cluster in the end */
  double                *upper;         /* by row: its distance is no larger; or NULL */
  double                *lower;         /* by row and centre: nor smaller */
  double                *moved;         /* by centre: how far in this round, no less */
  double                *before;        /* n_columns: where a centre was */
  double                *low, *high;    /* the box */
  bool                   failed;        /* atomic: there was no memory */
} Lloyd;

static void
find_box (Lloyd *lloyd)
{
  const KymoKmeansInput *input = lloyd->input;
  size_t n = input->n_columns;

  memcpy (lloyd->low, input->rows, n * sizeof (double));
  memcpy (lloyd->high, input->rows, n * sizeof (double));
  for (size_t i = 1; i < input->n_rows; i++)
    kymo_widen_box (lloyd->low, lloyd->high, input->rows + i * n, input->n_columns);
}

/* The lowest of those that are as near as the nearest. Its present cluster is
   tried first, for that gives the others up early. */
static unsigned
nearest_centre (const Lloyd *lloyd,
                unsigned        row,
                double      *squares)
{
  const KymoKmeansInput *input = lloyd->input;
  unsigned n = input->n_columns, present = lloyd->cluster[row];
  const double *values = input->rows + (size_t) row * n;
  double best = INFINITY;

  if (present != NOWHERE)
    best = kymo_square_distance (values, lloyd->centres + (size_t) present * n, n, INFINITY);
  for (unsigned k = 0; k < input->k; k++)
    {
      squares[k] = kymo_square_distance (values, lloyd->centres + (size_t) k * n, n,
                                         kymo_square_tie (best));
      best = fmin (best, squares[k]);
    }
  for (unsigned k = 0; k < input->k; k++)
    if (squares[k] <= kymo_square_tie (best))
      return k;
  return 0;
}

/* As far away as it was, less what the centre has come nearer since. */
static bool
may_be_near (double *lower,
             double  moved,
             double  upper)
{
  *lower -= moved;
  return *lower <= upper * FARTHER;
}

/* The same with bounds: what is surely farther than the present one is not measured. */
static unsigned
nearest_by_bounds (const Lloyd *lloyd,
                   unsigned        row,
                   double      *squares)
{
  const KymoKmeansInput *input = lloyd->input;
  unsigned n = input->n_columns, present = lloyd->cluster[row], found = NOWHERE;
  const double *values = input->rows + (size_t) row * n;
  double *lower = lloyd->lower + (size_t) row * input->k;
  double best = INFINITY, upper = INFINITY;
  bool any = false;

  if (present != NOWHERE)
    {
      upper = lloyd->upper[row] += lloyd->moved[present];
      for (unsigned k = 0; k < input->k; k++)
        any |= may_be_near (&lower[k], lloyd->moved[k], upper) && k != present;
      if (!any)
        return present;
      best = kymo_square_distance (values, lloyd->centres + (size_t) present * n, n, INFINITY);
      upper = lloyd->upper[row] = sqrt (best) * (1 + SLACK);
    }
  for (unsigned k = 0; k < input->k; k++)
    {
      squares[k] = k == present ? best : INFINITY;
      if (k == present || (present != NOWHERE && lower[k] > upper * FARTHER))
        continue;
      squares[k] = kymo_square_distance (values, lloyd->centres + (size_t) k * n, n, INFINITY);
      lower[k] = sqrt (squares[k]) * (1 - SLACK);
    }
  for (unsigned k = 0; k < input->k; k++)
    best = fmin (best, squares[k]);
  for (unsigned k = 0; k < input->k && found == NOWHERE; k++)
    if (squares[k] <= kymo_square_tie (best))
      found = k;
  found = found == NOWHERE ? 0 : found;
  if (present != NOWHERE)
    lower[present] = upper / (1 + SLACK) * (1 - SLACK);
  lloyd->upper[row] = sqrt (squares[found]) * (1 + SLACK);
  return found;
}

static void
assign_rows (void     *data,
             unsigned  first,
             unsigned  end)
{
  Lloyd *lloyd = data;
  double *squares = malloc (lloyd->input->k * sizeof (double));

  if (squares == NULL)
    __atomic_store_n (&lloyd->failed, true, __ATOMIC_RELAXED);
  for (unsigned i = first; i < end && squares != NULL; i++)
    lloyd->next[i] = lloyd->upper != NULL ? nearest_by_bounds (lloyd, i, squares)
      : nearest_centre (lloyd, i, squares);
  free (squares);
}

KYMO_WIDE static void
add_whole (double       *sums,
           const double *values,
           double        sign,
           unsigned         n)
{
  for (unsigned c = 0; c < n; c++)
    sums[c] += sign * values[c];
}

static void
add_row (Lloyd *lloyd,
         unsigned  row,
         unsigned  cluster,
         int   sign)
{
  unsigned n = lloyd->input->n_columns;
  const double *values = lloyd->input->rows + (size_t) row * n;

  lloyd->sizes[cluster] += sign;
  if (lloyd->sums == NULL)
    {
      add_whole (lloyd->whole_sums + (size_t) cluster * n, values, sign, n);
      return;
    }
  for (unsigned c = 0; c < n; c++)
    lloyd->sums[(size_t) cluster * n + c] += sign * (int64_t) values[c];
}

/* Returns how many rows moved. */
static unsigned
move_rows (Lloyd *lloyd)
{
  unsigned n_moved = 0;

  for (unsigned i = 0; i < lloyd->input->n_rows; i++)
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

static long double
sum_at (const Lloyd *lloyd,
        size_t        i)
{
  return lloyd->sums != NULL ? (long double) lloyd->sums[i] : lloyd->whole_sums[i];
}

static void
move_centres (Lloyd *lloyd)
{
  size_t n = lloyd->input->n_columns;

  for (unsigned k = 0; k < lloyd->input->k; k++)
    {
      double *centre = lloyd->centres + k * n;

      lloyd->moved[k] = 0;
      if (lloyd->sizes[k] == 0)
        continue;
      memcpy (lloyd->before, centre, n * sizeof (double));
      for (size_t c = 0; c < n; c++)
        centre[c] = (double) (sum_at (lloyd, k * n + c) / lloyd->sizes[k]);
      lloyd->moved[k] = kymo_kmeans_distance (lloyd->before, centre, lloyd->input->n_columns)
        * (1 + SLACK);
    }
}

typedef struct
{
  const KymoKmeans      *kmeans;
  const KymoKmeansInput *input;
} Measure;

static void
measure_distances (void     *data,
                   unsigned  first,
                   unsigned  end)
{
  const Measure *of = data;
  const KymoKmeans *kmeans = of->kmeans;
  size_t n = kmeans->n_columns;

  for (unsigned i = first; i < end; i++)
    kmeans->distance[i] = kymo_kmeans_distance (of->input->rows + i * n,
                                                kmeans->means + kmeans->cluster[i] * n,
                                                kmeans->n_columns);
}

/* Without those that have no rows. */
static bool
keep_clusters (const Lloyd *lloyd,
               KymoKmeans  *kmeans)
{
  const KymoKmeansInput *input = lloyd->input;
  unsigned n = input->n_columns;
  Measure measure = { kmeans, input };

  for (unsigned k = 0; k < input->k; k++)
    {
      lloyd->number[k] = kmeans->n_clusters;
      if (lloyd->sizes[k] == 0)
        continue;
      memmove (lloyd->centres + (size_t) kmeans->n_clusters * n, lloyd->centres + (size_t) k * n,
               n * sizeof (double));
      lloyd->sizes[kmeans->n_clusters++] = lloyd->sizes[k];
    }
  for (unsigned i = 0; i < kmeans->n_rows; i++)
    kmeans->cluster[i] = lloyd->number[lloyd->cluster[i]];
  return lloyd->share->run (lloyd->share->context, input->n_rows, (uint64_t) input->n_rows * n,
                            measure_distances, &measure);
}

static bool
run_rounds (Lloyd      *lloyd,
            KymoKmeans *kmeans)
{
  const KymoKmeansInput *input = lloyd->input;
  uint64_t n_operations = (uint64_t) input->n_rows * input->n_columns * input->k;

  while (kmeans->rounds < KYMO_KMEANS_ROUNDS && !kmeans->settled)
    {
      if (!lloyd->share->run (lloyd->share->context, input->n_rows, n_operations, assign_rows,
                              lloyd)
          || lloyd->failed)
        return false;
      kmeans->rounds++;
      kmeans->settled = move_rows (lloyd) == 0;
      move_centres (lloyd);
    }
  return true;
}

/* Doubles hold whole numbers up to 2^53, and so do sums that stay below. */
static bool
choose_sums (Lloyd *lloyd)
{
  const KymoKmeansInput *input = lloyd->input;
  size_t n_values = (size_t) input->k * input->n_columns;
  double largest = 0;

  for (unsigned c = 0; c < input->n_columns; c++)
    largest = fmax (largest, fmax (fabs (lloyd->low[c]), fabs (lloyd->high[c])));
  if (largest * input->n_rows < 0x1p53)
    lloyd->whole_sums = calloc (n_values, sizeof (double));
  else
    lloyd->sums = calloc (n_values, sizeof (__int128));
  return lloyd->whole_sums != NULL || lloyd->sums != NULL;
}

/* Bounds are done without where there is no memory for them. */
static bool
allocate_lloyd (Lloyd      *lloyd,
                KymoKmeans *kmeans)
{
  const KymoKmeansInput *input = lloyd->input;
  size_t n = input->n_columns, n_rows = input->n_rows;

  lloyd->centres = kmeans->means = calloc (input->k * n, sizeof (double));
  lloyd->sizes = kmeans->sizes = calloc (input->k, sizeof (unsigned));
  lloyd->cluster = kmeans->cluster = calloc (n_rows, sizeof (unsigned));
  kmeans->distance = calloc (n_rows, sizeof (double));
  lloyd->next = calloc (n_rows, sizeof (unsigned));
  lloyd->number = calloc (input->k, sizeof (unsigned));
  lloyd->moved = calloc (input->k, sizeof (double));
  lloyd->low = calloc (3 * n, sizeof (double));
  if (lloyd->centres == NULL || lloyd->sizes == NULL || lloyd->cluster == NULL
      || kmeans->distance == NULL || lloyd->next == NULL || lloyd->number == NULL
      || lloyd->moved == NULL || lloyd->low == NULL)
    return false;
  lloyd->high = lloyd->low + n;
  lloyd->before = lloyd->high + n;
  if (!input->every_distance && input->k * n_rows <= MOST_BOUNDS / sizeof (double))
    {
      lloyd->upper = calloc (n_rows, sizeof (double));
      lloyd->lower = lloyd->upper != NULL ? calloc (input->k * n_rows, sizeof (double)) : NULL;
      if (lloyd->lower == NULL)
        {
          free (lloyd->upper);
          lloyd->upper = NULL;
        }
    }
  return true;
}

/**
 * kymo_lloyd_run:
 * @input: at least one row and one column
 * @share: who looks at rows
 * @kmeans: (out caller-allocates): the clusters; to be cleared with kymo_lloyd_clear(), also where
 *   there are none
 *
 * Clusters the rows as the head of this file says (Lloyd, 1982).
 *
 * Returns: FALSE when it was cancelled, or there is no memory
 */
bool
kymo_lloyd_run (const KymoKmeansInput *input,
                const KymoRowsShare   *share,
                KymoKmeans            *kmeans)
{
  Lloyd lloyd = { .input = input, .share = share };
  bool good;

  *kmeans = (KymoKmeans) { .n_rows = input->n_rows, .n_columns = input->n_columns };
  good = allocate_lloyd (&lloyd, kmeans);
  if (good)
    {
      for (unsigned i = 0; i < input->n_rows; i++)
        lloyd.cluster[i] = NOWHERE;
      find_box (&lloyd);
      good = choose_sums (&lloyd)
        && kymo_lloyd_seed (input, share, lloyd.low, lloyd.high, lloyd.centres)
        && run_rounds (&lloyd, kmeans) && keep_clusters (&lloyd, kmeans);
    }
  free (lloyd.next);
  free (lloyd.number);
  free (lloyd.moved);
  free (lloyd.low);
  free (lloyd.sums);
  free (lloyd.whole_sums);
  free (lloyd.upper);
  free (lloyd.lower);
  return good;
}

/** kymo_lloyd_clear: frees the clusters with their means */
void
kymo_lloyd_clear (KymoKmeans *kmeans)
{
  free (kmeans->cluster);
  free (kmeans->sizes);
  free (kmeans->means);
  free (kmeans->distance);
  *kmeans = (KymoKmeans) { 0 };
}
