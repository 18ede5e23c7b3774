/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * wave: a drum, by the wave equation on a square. The ranks have rows of it; each step they
 * exchange the outer ones by persistent requests, and compute the inner ones meanwhile. Every few
 * steps the largest error is taken over all ranks: a standing wave is known exactly.
 * rounds: steps; work: points along a side.
 */
#include <math.h>

#include "suite.h"

#define COURANT 0.5
#define CHECK_ROUNDS 16

/* Rows of a rank, with one more at each side; before, now, next: three times. */
typedef struct
{
  long rows, width, first;
  double *before, *now, *next;
  double *to_above, *to_below, *from_above, *from_below;
  MPI_Request requests[4];
} Drum;

/* What the standing wave is after some steps, by the dispersion of the scheme. */
static double
compute_wave (const Drum *drum,
              long        side,
              long        y,
              long        x,
              long        steps)
{
  double angle = 3.141592653589793 / (double) (side + 1);
  double turn = 2 * asin (COURANT * sqrt (2) * sin (angle / 2));

  return sin (angle * (double) (drum->first + y)) * sin (angle * (double) x)
         * cos (turn * (double) steps);
}

static double *
make_rows (const Drum *drum,
           long        side,
           long        steps)
{
  double *values = allocate ((drum->rows + 2) * drum->width * (long) sizeof (double));

  memset (values, 0, (size_t) ((drum->rows + 2) * drum->width) * sizeof (double));
  for (long y = 1; y <= drum->rows; y++)
    for (long x = 1; x <= side; x++)
      values[y * drum->width + x] = compute_wave (drum, side, y, x, steps);
  return values;
}

static void
make_drum (Suite *suite,
           Drum  *drum)
{
  int above = suite->rank > 0 ? suite->rank - 1 : MPI_PROC_NULL;
  int below = suite->rank < suite->size - 1 ? suite->rank + 1 : MPI_PROC_NULL;
  int n = (int) suite->work + 2;

  drum->first = suite->work * suite->rank / suite->size;
  drum->rows = suite->work * (suite->rank + 1) / suite->size - drum->first;
  drum->width = n;
  drum->before = make_rows (drum, suite->work, -1);
  drum->now = make_rows (drum, suite->work, 0);
  drum->next = make_rows (drum, suite->work, 0);
  drum->to_above = calloc (4 * (size_t) n, sizeof (double));
  if (drum->to_above == NULL)
    fail ("there is not so much memory");
  drum->to_below = drum->to_above + n;
  drum->from_above = drum->to_below + n;
  drum->from_below = drum->from_above + n;
  MPI_Recv_init (drum->from_above, n, MPI_DOUBLE, above, TAG, MPI_COMM_WORLD, &drum->requests[0]);
  MPI_Recv_init (drum->from_below, n, MPI_DOUBLE, below, TAG + 1, MPI_COMM_WORLD,
                 &drum->requests[1]);
  MPI_Send_init (drum->to_below, n, MPI_DOUBLE, below, TAG, MPI_COMM_WORLD, &drum->requests[2]);
  MPI_Send_init (drum->to_above, n, MPI_DOUBLE, above, TAG + 1, MPI_COMM_WORLD, &drum->requests[3]);
}

static void
compute_rows (Drum *drum,
              long  begin,
              long  end)
{
  double c = COURANT * COURANT;

  for (long y = begin; y < end; y++)
    for (long x = 1; x < drum->width - 1; x++)
      {
        long i = y * drum->width + x;
        double *now = drum->now + i;

        drum->next[i] = 2 * now[0] - drum->before[i]
                        + c * (now[-1] + now[1] + now[-drum->width] + now[drum->width]
                               - 4 * now[0]);
      }
}

static void
advance_drum (Suite *suite,
              Drum  *drum)
{
  size_t n = (size_t) drum->width * sizeof (double);
  double *oldest = drum->before, begin = MPI_Wtime ();

  memcpy (drum->to_above, drum->now + drum->width, n);
  memcpy (drum->to_below, drum->now + drum->rows * drum->width, n);
  MPI_Startall (4, drum->requests);
  suite->signal += MPI_Wtime () - begin;
  compute_rows (drum, 2, drum->rows);
  begin = MPI_Wtime ();
  MPI_Waitall (4, drum->requests, MPI_STATUSES_IGNORE);
  suite->signal += MPI_Wtime () - begin;
  memcpy (drum->now, drum->from_above, n);
  memcpy (drum->now + (drum->rows + 1) * drum->width, drum->from_below, n);
  compute_rows (drum, 1, 2);
  compute_rows (drum, drum->rows, drum->rows + 1);
  drum->before = drum->now;
  drum->now = drum->next;
  drum->next = oldest;
}

/* Along one column, which is enough: an error spreads a row each step. */
static void
check_drum (const Suite *suite,
            const Drum  *drum,
            long         steps)
{
  long x = suite->work / 2;
  double mine = 0, worst;

  for (long y = 1; y <= drum->rows; y++)
    mine = fmax (mine, fabs (drum->now[y * drum->width + x]
                             - compute_wave (drum, suite->work, y, x, steps)));
  MPI_Allreduce (&mine, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (!(worst < 1e-9))
    fail ("the wave is wrong");
}

static void
run_wave (Suite *suite)
{
  Drum drum = { 0 };

  make_drum (suite, &drum);
  if (drum.rows < 2)
    fail ("there are more ranks than half of the rows");
  for (long round = 1; round <= suite->rounds; round++)
    {
      advance_drum (suite, &drum);
      if (round % CHECK_ROUNDS == 0)
        check_drum (suite, &drum, round);
    }
  for (int i = 0; i < 4; i++)
    MPI_Request_free (&drum.requests[i]);
  free (drum.before);
  free (drum.now);
  free (drum.next);
  free (drum.to_above);
}

int
main (int    argc,
      char **argv)
{
  return run_program (argc, argv, 1, run_wave);
}
