/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Distances between rows, and the seeds of k-means.
 */
#include "kymo-lloyd.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kymo-wide.h"

/* A row that is far away is given up early: tried after this number of columns. */
#define COLUMNS_AT_ONCE 64

/* Four sums side by side, whatever the registers of the machine hold. */
typedef double Four __attribute__ ((vector_size (4 * sizeof (double)), aligned (sizeof (double))));

/**
 * kymo_square_distance:
 * @a: a row
 * @b: another row
 * @n_columns: a multiple of %KYMO_KMEANS_LANES
 * @most: larger squares are of no interest
 *
 * Sixteen sums side by side, added in a fixed order: the same figure with registers of any
 * width.
 *
 * Returns: the square of the distance, or something larger than @most
 */
KYMO_WIDE double
kymo_square_distance (const double *a,
                      const double *b,
                      unsigned      n_columns,
                      double        most)
{
  Four s0 = { 0 }, s1 = { 0 }, s2 = { 0 }, s3 = { 0 };
  double sum = 0;

  for (size_t i = 0; i < n_columns;)
    {
      size_t end = i + COLUMNS_AT_ONCE < n_columns ? i + COLUMNS_AT_ONCE : n_columns;
      Four all;

      for (; i < end; i += KYMO_KMEANS_LANES)
        {
          const Four *x = (const Four *) (a + i), *y = (const Four *) (b + i);
          Four d0 = x[0] - y[0], d1 = x[1] - y[1], d2 = x[2] - y[2], d3 = x[3] - y[3];

          s0 += d0 * d0;
          s1 += d1 * d1;
          s2 += d2 * d2;
          s3 += d3 * d3;
        }
      all = (s0 + s1) + (s2 + s3);
      sum = (all[0] + all[1]) + (all[2] + all[3]);
      if (sum > most)
        break;
    }
  return sum;
}

/**
 * kymo_kmeans_distance:
 * @a: a row
 * @b: another row
 * @n_columns: numbers in a row; a multiple of %KYMO_KMEANS_LANES
 *
 * Returns: the Euclidean distance of two rows
 */
double
kymo_kmeans_distance (const double *a,
                      const double *b,
                      unsigned      n_columns)
{
  return sqrt (kymo_square_distance (a, b, n_columns, INFINITY));
}

/**
 * kymo_kmeans_is_tie:
 * @a: a distance
 * @b: another one
 *
 * Returns: whether two distances are equal within %KYMO_KMEANS_TIE of the larger one
 */
int
kymo_kmeans_is_tie (double a,
                    double b)
{
  return fabs (a - b) <= KYMO_KMEANS_TIE * fmax (fabs (a), fabs (b));
}

/**
 * kymo_widen_box:
 * @low: (inout): least value of each column so far
 * @high: (inout): largest value of each column so far
 * @row: a value for each column
 * @n_columns: number of columns
 *
 * Makes the box hold one more row.
 */
KYMO_WIDE void
kymo_widen_box (double       *low,
                double       *high,
                const double *row,
                unsigned      n_columns)
{
  for (unsigned c = 0; c < n_columns; c++)
    {
      low[c] = row[c] < low[c] ? row[c] : low[c];
      high[c] = row[c] > high[c] ? row[c] : high[c];
    }
}

/* -- seeds ----------------------------------------------------------------- */

/**
 * kymo_draw:
 * @state: moved on
 *
 * splitmix64 (Steele, Lea and Flood, 2014): the same numbers on any machine.
 *
 * Returns: from 0 to below 1
 */
double
kymo_draw (uint64_t *state)
{
  uint64_t z = *state += UINT64_C (0x9e3779b97f4a7c15);

  z = (z ^ (z >> 30)) * UINT64_C (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C (0x94d049bb133111eb);
  return ((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static void
seed_in_box (const KymoKmeansInput *input,
             const double          *low,
             const double          *high,
             double                *centres)
{
  uint64_t state = input->seed;

  for (unsigned i = 0; i < input->k; i++)
    for (unsigned c = 0; c < input->n_columns; c++)
      {
        double part = input->seeding == KYMO_SEEDING_DIAGONAL ? (i + 0.5) / input->k
          : high[c] > low[c] ? kymo_draw (&state) : 0;

        centres[(size_t) i * input->n_columns + c] = low[c] + (high[c] - low[c]) * part;
      }
}

/* The row at which the running sum of squares passes a drawn part of all. */
static unsigned
draw_row (const double *squares,
          unsigned      n_rows,
          uint64_t     *state)
{
  double sum = 0, passed = 0, at;
  unsigned last = 0;

  for (unsigned i = 0; i < n_rows; i++)
    sum += squares[i];
  at = kymo_draw (state) * sum;
  for (unsigned i = 0; i < n_rows; i++)
    {
      if (squares[i] > 0)
        last = i;
      passed += squares[i];
      if (passed > at)
        return i;
    }
  return last;
}

typedef struct
{
  const KymoKmeansInput *input;
  const double          *centre;
  double                *squares;
} Nearest;

static void
lower_squares (void     *data,
               unsigned  first,
               unsigned  end)
{
  Nearest *nearest = data;
  unsigned n = nearest->input->n_columns;

  for (unsigned i = first; i < end; i++)
    nearest->squares[i] =
      fmin (nearest->squares[i],
            kymo_square_distance (nearest->input->rows + (size_t) i * n, nearest->centre, n,
                                  nearest->squares[i]));
}

static bool
seed_by_rows (const KymoKmeansInput *input,
              const KymoRowsShare   *share,
              double                *centres)
{
  double *squares = malloc (input->n_rows * sizeof (double));
  uint64_t state = input->seed;
  unsigned row = (unsigned) fmin (kymo_draw (&state) * input->n_rows, input->n_rows - 1);
  unsigned n = input->n_columns;
  bool good = squares != NULL;

  for (unsigned i = 0; good && i < input->n_rows; i++)
    squares[i] = INFINITY;
  for (unsigned i = 0; good && i < input->k; i++)
    {
      Nearest nearest = { input, centres + (size_t) i * n, squares };

      memcpy (centres + (size_t) i * n, input->rows + (size_t) row * n, n * sizeof (double));
      good = share->run (share->context, input->n_rows, (uint64_t) input->n_rows * n,
                         lower_squares, &nearest);
      if (good)
        row = draw_row (squares, input->n_rows, &state);
    }
  free (squares);
  return good;
}

/**
 * kymo_lloyd_seed:
 * @share: who looks at rows
 * @low: least value of each column
 * @high: largest value of each column
 * @centres: (out): k x n_columns
 *
 * Returns: FALSE when it was cancelled, or there is no memory
 */
bool
kymo_lloyd_seed (const KymoKmeansInput *input,
                 const KymoRowsShare   *share,
                 const double          *low,
                 const double          *high,
                 double                *centres)
{
  if (input->seeding == KYMO_SEEDING_PLUSPLUS)
    return seed_by_rows (input, share, centres);
  seed_in_box (input, low, high, centres);
  return true;
}
