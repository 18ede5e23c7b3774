/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * spectral: diffusion on a periodic square in Fourier space. Each step transforms forth and back;
 * between rows and columns the ranks transpose the square with large messages. At the end waves
 * must have become as small as the equation says.
 * rounds: steps; work: points along a side, a power of two that the number of ranks divides.
 */
#include <complex.h>
#include <math.h>

#include "suite.h"

#define DIFFUSION 1e-3

typedef struct
{
  long side, rows;              /* rows: of this rank */
  double complex *values, *out, *in, *roots;
} Square;

/* The transform of a row in place; the roots are those of the direction. */
static void
transform_row (double complex       *row,
               long                  n,
               const double complex *roots)
{
  for (long i = 1, j = 0; i < n; i++)
    {
      long bit = n >> 1;

      for (; j & bit; bit >>= 1)
        j ^= bit;
      j ^= bit;
      if (i < j)
        {
          double complex other = row[i];

          row[i] = row[j];
          row[j] = other;
        }
    }
  for (long half = 1; half < n; half *= 2)
    for (long first = 0; first < n; first += 2 * half)
      for (long k = 0; k < half; k++)
        {
          double complex a = row[first + k];
          double complex b = row[first + k + half] * roots[k * (n / (2 * half))];

          row[first + k] = a + b;
          row[first + k + half] = a - b;
        }
}

static void
transform_rows (Square *square,
                int     is_inverse)
{
  for (long row = 0; row < square->rows; row++)
    transform_row (square->values + row * square->side, square->side,
                   square->roots + (is_inverse ? square->side / 2 : 0));
}

static void
exchange_blocks (Suite  *suite,
                 Square *square)
{
  int n = (int) (square->rows * square->rows);
  MPI_Request requests[2 * suite->size];
  double begin = MPI_Wtime ();
  int n_requests = 0;

  for (int step = 1; step < suite->size; step++)
    {
      int from = (suite->rank + suite->size - step) % suite->size;

      MPI_Irecv (square->in + (long) from * n, n, MPI_C_DOUBLE_COMPLEX, from, TAG, MPI_COMM_WORLD,
                 &requests[n_requests++]);
    }
  for (int step = 1; step < suite->size; step++)
    {
      int to = (suite->rank + step) % suite->size;

      MPI_Isend (square->out + (long) to * n, n, MPI_C_DOUBLE_COMPLEX, to, TAG, MPI_COMM_WORLD,
                 &requests[n_requests++]);
    }
  memcpy (square->in + (long) suite->rank * n, square->out + (long) suite->rank * n,
          (size_t) n * sizeof *square->in);
  MPI_Waitall (n_requests, requests, MPI_STATUSES_IGNORE);
  suite->signal += MPI_Wtime () - begin;
}

/* Rows become columns; each rank gives each other a block. */
static void
transpose_square (Suite  *suite,
                  Square *square)
{
  long rows = square->rows, side = square->side;

  for (long block = 0; block < suite->size; block++)
    for (long y = 0; y < rows; y++)
      for (long x = 0; x < rows; x++)
        square->out[(block * rows + x) * rows + y] = square->values[y * side + block * rows + x];
  exchange_blocks (suite, square);
  for (long block = 0; block < suite->size; block++)
    for (long y = 0; y < rows; y++)
      memcpy (square->values + y * side + block * rows, square->in + (block * rows + y) * rows,
              (size_t) rows * sizeof *square->values);
}

static double
compute_decay (const Square *square,
               long          a,
               long          b)
{
  double ka = (double) (a > square->side / 2 ? a - square->side : a);
  double kb = (double) (b > square->side / 2 ? b - square->side : b);

  return exp (-DIFFUSION * (ka * ka + kb * kb));
}

static void
diffuse_square (Suite  *suite,
                Square *square)
{
  long first = square->rows * suite->rank;
  double scale = 1 / ((double) square->side * (double) square->side);

  transform_rows (square, 0);
  transpose_square (suite, square);
  transform_rows (square, 0);
  for (long y = 0; y < square->rows; y++)
    for (long x = 0; x < square->side; x++)
      square->values[y * square->side + x] *= scale * compute_decay (square, first + y, x);
  transform_rows (square, 1);
  transpose_square (suite, square);
  transform_rows (square, 1);
}

/* Two waves after some steps. */
static double
compute_waves (const Square *square,
               long          y,
               long          x,
               long          steps)
{
  double turn = 6.283185307179586 / (double) square->side;

  return pow (compute_decay (square, 3, 5), (double) steps) * cos (turn * (double) (3 * y + 5 * x))
         + pow (compute_decay (square, 0, 2), (double) steps) * sin (turn * (double) (2 * x));
}

static void
run_spectral (Suite *suite)
{
  Square square = { .side = suite->work, .rows = suite->work / suite->size };
  long n = square.side * square.rows, first = square.rows * suite->rank;

  if ((square.side & (square.side - 1)) != 0 || square.rows * suite->size != square.side)
    fail ("the side is no power of two that the number of ranks divides");
  square.values = allocate (n * (long) sizeof *square.values);
  square.out = allocate (n * (long) sizeof *square.values);
  square.in = allocate (n * (long) sizeof *square.values);
  square.roots = allocate (square.side * (long) sizeof *square.values);
  for (long i = 0; i < square.side; i++)
    square.roots[i] = cexp ((i < square.side / 2 ? -1 : 1) * 6.283185307179586 * I
                            * (double) (i % (square.side / 2)) / (double) square.side);
  for (long i = 0; i < n; i++)
    square.values[i] = compute_waves (&square, first + i / square.side, i % square.side, 0);
  for (long round = 0; round < suite->rounds; round++)
    diffuse_square (suite, &square);
  for (long i = 0; i < n; i++)
    if (!(cabs (square.values[i] - compute_waves (&square, first + i / square.side, i % square.side,
                                                  suite->rounds)) < 1e-9))
      fail ("the waves are not as small as they must be");
  free (square.values);
  free (square.out);
  free (square.in);
  free (square.roots);
}

int
main (int    argc,
      char **argv)
{
  return run_program (argc, argv, 1, run_spectral);
}
