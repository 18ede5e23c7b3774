/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * walkers: rank 0 lets a field diffuse and gives it to all ranks, each of which samples it at
 * random points; the estimates come back by MPI_Reduce and must agree with the mean of the field.
 * bytes: of the field; work: thousands of samples of each rank in a round; way=bcast gives the
 * field by MPI_Bcast, way=naive by sends in turn, and way=scatter gives each rank another field by
 * sends.
 */
#include <math.h>
#include <stdint.h>

#include "suite.h"

typedef struct
{
  double step, owner;
} Header;

typedef struct
{
  long side;
  double *now, *next;
  Header header;
} Field;

static void
make_field (Field *field,
            long   bytes)
{
  long side = lround (floor (sqrt ((double) bytes / sizeof (double))));

  field->side = side;
  field->now = allocate (side * side * (long) sizeof (double));
  field->next = allocate (side * side * (long) sizeof (double));
  for (long y = 0; y < side; y++)
    for (long x = 0; x < side; x++)
      field->now[y * side + x] = 1 + (x * 3 % side < side / 2 ? 0.5 : 0)
                                 + sin (6.283185307179586 * (double) y / (double) side);
}

/* A step of diffusion, which keeps the mean; the field is periodic. */
static void
diffuse_field (Field *field)
{
  long side = field->side;
  double *old = field->now;

  for (long y = 0; y < side; y++)
    {
      const double *row = old + y * side;
      const double *above = old + (y + side - 1) % side * side;
      const double *below = old + (y + 1) % side * side;

      for (long x = 0; x < side; x++)
        field->next[y * side + x] = 0.6 * row[x] + 0.1 * (above[x] + below[x]
                                                          + row[(x + side - 1) % side]
                                                          + row[(x + 1) % side]);
    }
  field->now = field->next;
  field->next = old;
}

static double
compute_mean (const Field *field)
{
  long n = field->side * field->side;
  double sum = 0;

  for (long i = 0; i < n; i++)
    sum += field->now[i];
  return sum / (double) n;
}

static void
send_field (Suite *suite,
            Field *field)
{
  int n = (int) (field->side * field->side);

  if (suite->rank != 0)
    {
      MPI_Recv (&field->header, 2, MPI_DOUBLE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Recv (field->now, n, MPI_DOUBLE, 0, TAG + 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      return;
    }
  for (int to = 1; to < suite->size; to++)
    {
      if (strcmp (suite->way, "scatter") == 0)
        {
          diffuse_field (field);
          field->header.owner = to;
        }
      MPI_Send (&field->header, 2, MPI_DOUBLE, to, TAG, MPI_COMM_WORLD);
      MPI_Send (field->now, n, MPI_DOUBLE, to, TAG + 1, MPI_COMM_WORLD);
    }
}

static void
give_field (Suite *suite,
            Field *field)
{
  double begin = MPI_Wtime ();

  if (strcmp (suite->way, "bcast") == 0)
    {
      MPI_Bcast (&field->header, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
      MPI_Bcast (field->now, (int) (field->side * field->side), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
  else
    send_field (suite, field);
  suite->signal += MPI_Wtime () - begin;
}

/* Adds samples of the field, between its points, and their squares to `sums`. */
static void
sample_field (const Field *field,
              long         n,
              uint64_t    *random,
              double       sums[2])
{
  long side = field->side;

  for (long i = 0; i < n; i++)
    {
      double x, y, value;
      long left, top, right, bottom;

      *random = *random * 6364136223846793005u + 1442695040888963407u;
      x = (double) (*random >> 40) / 16777216.0 * (double) side;
      *random = *random * 6364136223846793005u + 1442695040888963407u;
      y = (double) (*random >> 40) / 16777216.0 * (double) side;
      left = (long) x, top = (long) y;
      right = (left + 1) % side, bottom = (top + 1) % side;
      x -= (double) left, y -= (double) top;
      value = (1 - y) * ((1 - x) * field->now[top * side + left]
                         + x * field->now[top * side + right])
              + y * ((1 - x) * field->now[bottom * side + left]
                     + x * field->now[bottom * side + right]);
      sums[0] += value;
      sums[1] += value * value;
    }
}

static void
run_walkers (Suite *suite)
{
  Field field = { 0 };
  uint64_t random = 88172645463325252u + (uint64_t) suite->rank * 7919;
  long n = suite->work * 1000;
  double mean;

  make_field (&field, suite->bytes);
  mean = compute_mean (&field);
  for (long round = 0; round < suite->rounds; round++)
    {
      double mine[2] = { 0 }, all[2] = { 0 }, estimate, error;

      if (suite->rank == 0)
        diffuse_field (&field);
      field.header.step = (double) round;
      give_field (suite, &field);
      if (lround (field.header.step) != round)
        fail ("the field of another round came");
      sample_field (&field, n, &random, mine);
      MPI_Reduce (mine, all, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
      if (suite->rank != 0)
        continue;
      estimate = all[0] / (double) (n * suite->size);
      error = sqrt ((all[1] / (double) (n * suite->size) - estimate * estimate)
                    / (double) (n * suite->size));
      if (!(fabs (estimate - mean) < 6 * error))
        fail ("the samples do not have the mean of the field");
    }
  free (field.now);
  free (field.next);
}

int
main (int    argc,
      char **argv)
{
  return run_program (argc, argv, 1, run_walkers);
}
