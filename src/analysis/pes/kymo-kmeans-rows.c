/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Distances between rows, rows shared out to threads, and the seeds of
 * k-means.
 */
#include "config.h"

#include "kymo-kmeans-private.h"

#include <math.h>
#include <string.h>

#include "kymo-share.h"
#include "kymo-wide.h"

#define ROWS_AT_ONCE 64

/* Below this a second thread costs more than it saves. */
#define OPERATIONS_FOR_THREADS 500000

/* A row that is far away is given up early: tried after this number of columns. */
#define COLUMNS_AT_ONCE 64

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
                      guint         n_columns,
                      double        most)
{
  Four s0 = { 0 }, s1 = { 0 }, s2 = { 0 }, s3 = { 0 };
  double sum = 0;

  for (gsize i = 0; i < n_columns;)
    {
      gsize end = MIN (i + COLUMNS_AT_ONCE, n_columns);
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
                      guint         n_columns)
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
gboolean
kymo_kmeans_is_tie (double a,
                    double b)
{
  return fabs (a - b) <= KYMO_KMEANS_TIE * MAX (fabs (a), fabs (b));
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
                guint         n_columns)
{
  for (guint c = 0; c < n_columns; c++)
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
kymo_draw (guint64 *state)
{
  guint64 z = *state += G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return ((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static void
seed_in_box (const KymoKmeansInput *input,
             const double          *low,
             const double          *high,
             double                *centres)
{
  guint64 state = input->seed;

  for (guint i = 0; i < input->k; i++)
    for (guint c = 0; c < input->n_columns; c++)
      {
        double part = input->seeding == KYMO_SEEDING_DIAGONAL ? (i + 0.5) / input->k
          : high[c] > low[c] ? kymo_draw (&state) : 0;

        centres[(gsize) i * input->n_columns + c] = low[c] + (high[c] - low[c]) * part;
      }
}

/* The row at which the running sum of squares passes a drawn part of all. */
static guint
draw_row (const double *squares,
          guint         n_rows,
          guint64      *state)
{
  double sum = 0, passed = 0, at;
  guint last = 0;

  for (guint i = 0; i < n_rows; i++)
    sum += squares[i];
  at = kymo_draw (state) * sum;
  for (guint i = 0; i < n_rows; i++)
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
lower_squares (gpointer data,
               guint    first,
               guint    end)
{
  Nearest *nearest = data;
  guint n = nearest->input->n_columns;

  for (guint i = first; i < end; i++)
    nearest->squares[i] =
      MIN (nearest->squares[i],
           kymo_square_distance (nearest->input->rows + (gsize) i * n, nearest->centre, n,
                                 nearest->squares[i]));
}

static void
seed_by_rows (const KymoKmeansInput *input,
              double                *centres,
              GCancellable          *cancellable)
{
  g_autofree double *squares = g_new (double, input->n_rows);
  guint64 state = input->seed;
  guint row = MIN (kymo_draw (&state) * input->n_rows, input->n_rows - 1);
  guint n = input->n_columns;

  for (guint i = 0; i < input->n_rows; i++)
    squares[i] = INFINITY;
  for (guint i = 0; i < input->k; i++)
    {
      Nearest nearest = { input, centres + (gsize) i * n, squares };

      memcpy (centres + (gsize) i * n, input->rows + (gsize) row * n, n * sizeof (double));
      if (!kymo_rows_for_each (input->n_rows, (guint64) input->n_rows * n, input->n_threads,
                               lower_squares, &nearest, cancellable))
        return;
      row = draw_row (squares, input->n_rows, &state);
    }
}

/**
 * kymo_kmeans_seed:
 * @low: least value of each column
 * @high: largest value of each column
 * @centres: (out): k x n_columns
 */
void
kymo_kmeans_seed (const KymoKmeansInput *input,
                  const double          *low,
                  const double          *high,
                  double                *centres,
                  GCancellable          *cancellable)
{
  if (input->seeding == KYMO_SEEDING_PLUSPLUS)
    seed_by_rows (input, centres, cancellable);
  else
    seed_in_box (input, low, high, centres);
}
