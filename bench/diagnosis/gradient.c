/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gradient: Poisson's equation on a square, solved by conjugate gradients. The ranks have rows of
 * the grid; each round they exchange the outer ones with MPI_Sendrecv, and sum two scalars with
 * MPI_Allreduce. At the end the residual is computed again, from the solution.
 * rounds: of conjugate gradients; work: points along a side of the grid.
 */
#include <math.h>
#include <stdint.h>

#include "suite.h"

/* Rows of a rank, with a row and a column more at each side, which are those of neighbours or 0. */
typedef struct
{
  long rows, width;
  int above, below;
} Part;

static long
count_values (const Part *part)
{
  return (part->rows + 2) * part->width;
}

static double *
make_vector (const Part *part)
{
  double *vector = allocate (count_values (part) * (long) sizeof (double));

  memset (vector, 0, (size_t) count_values (part) * sizeof (double));
  return vector;
}

static void
exchange_rows (const Part *part,
               double     *vector)
{
  int n = (int) part->width;
  double *last = vector + part->rows * part->width;

  MPI_Sendrecv (vector + part->width, n, MPI_DOUBLE, part->above, TAG,
                last + part->width, n, MPI_DOUBLE, part->below, TAG,
                MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv (last, n, MPI_DOUBLE, part->below, TAG + 1,
                vector, n, MPI_DOUBLE, part->above, TAG + 1,
                MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* out = A in, and the share of this rank of the product of both. */
static double
apply_matrix (const Part *part,
              double     *in,
              double     *out)
{
  double product = 0;

  exchange_rows (part, in);
  for (long y = 1; y <= part->rows; y++)
    for (long x = 1; x < part->width - 1; x++)
      {
        long i = y * part->width + x;

        out[i] = 4 * in[i] - in[i - 1] - in[i + 1] - in[i - part->width] - in[i + part->width];
        product += in[i] * out[i];
      }
  return product;
}

static double
sum_squares (const Part   *part,
             const double *vector)
{
  double sum = 0;

  for (long y = 1; y <= part->rows; y++)
    for (long x = 1; x < part->width - 1; x++)
      sum += vector[y * part->width + x] * vector[y * part->width + x];
  return sum;
}

static double
sum_all (Suite *suite,
         double mine)
{
  double all = 0, begin = MPI_Wtime ();

  MPI_Allreduce (&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  suite->signal += MPI_Wtime () - begin;
  return all;
}

/* The right side: charges of both signs at places that look random. */
static void
fill_charges (const Part *part,
              long        first_row,
              double     *vector)
{
  for (long y = 1; y <= part->rows; y++)
    for (long x = 1; x < part->width - 1; x++)
      {
        uint64_t hash = (uint64_t) ((first_row + y) * part->width + x) * 0x9e3779b97f4a7c15u;

        vector[y * part->width + x] = (double) (hash >> 40) / 16777216.0 - 0.5;
      }
}

/* Solves A x = r; the square of the residual. */
static double
iterate_gradients (Suite      *suite,
                   const Part *part,
                   double     *x,
                   double     *r)
{
  double *p = make_vector (part), *ap = make_vector (part);
  double square = sum_all (suite, sum_squares (part, r));
  long n = count_values (part);

  memcpy (p, r, (size_t) n * sizeof (double));
  for (long round = 0; round < suite->rounds; round++)
    {
      double alpha = square / sum_all (suite, apply_matrix (part, p, ap)), old = square;

      for (long i = part->width; i < n - part->width; i++)
        {
          x[i] += alpha * p[i];
          r[i] -= alpha * ap[i];
        }
      square = sum_all (suite, sum_squares (part, r));
      for (long i = part->width; i < n - part->width; i++)
        p[i] = r[i] + square / old * p[i];
    }
  free (p);
  free (ap);
  return square;
}

static void
run_gradient (Suite *suite)
{
  long first = suite->work * suite->rank / suite->size;
  Part part = { suite->work * (suite->rank + 1) / suite->size - first, suite->work + 2,
                suite->rank > 0 ? suite->rank - 1 : MPI_PROC_NULL,
                suite->rank < suite->size - 1 ? suite->rank + 1 : MPI_PROC_NULL };
  double *x = make_vector (&part), *r = make_vector (&part), *b = make_vector (&part);
  double usual, square, again;

  fill_charges (&part, first, b);
  memcpy (r, b, (size_t) count_values (&part) * sizeof (double));
  usual = sum_all (suite, sum_squares (&part, b));
  square = iterate_gradients (suite, &part, x, r);
  apply_matrix (&part, x, r);
  for (long i = part.width; i < count_values (&part) - part.width; i++)
    r[i] = b[i] - r[i];
  again = sum_all (suite, sum_squares (&part, r));
  if (!(square < 0.25 * usual) || fabs (sqrt (again) - sqrt (square)) > 1e-8 * sqrt (usual))
    fail ("the residual is not what it must be");
  free (x);
  free (r);
  free (b);
}

int
main (int    argc,
      char **argv)
{
  return run_program (argc, argv, 1, run_gradient);
}
