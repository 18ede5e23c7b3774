/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * outlier SECONDS: in each step all ranks compute for 14 ms and add up. Rank 2 computes for 4 ms
 * alone, but reads for 20 ms from something slow: it has the lowest load, and all others wait for
 * it. Nothing needs the processor, so a busy machine changes little.
 */
#include "count.h"

#include <stdlib.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define SLOW_RANK 2
#define PERIOD_NS 20000000

static void
compute (long ms)
{
  nanosleep (&(struct timespec) { 0, ms * 1000000 }, NULL);
}

/* A timer that has not expired is what is slow. */
static int
read_slowly (int timer)
{
  struct itimerspec period = { { 0, 0 }, { 0, PERIOD_NS } };
  unsigned long long n;

  timerfd_settime (timer, 0, &period, NULL);
  return read (timer, &n, sizeof n) == sizeof n;
}

int
main (int    argc,
      char **argv)
{
  int rank, size, go = 1, steps = 0, timer = timerfd_create (CLOCK_MONOTONIC, 0);

  begin_program (&rank, &size);
  for (double begin = MPI_Wtime (), seconds = argc > 1 ? atof (argv[1]) : 3; go; steps++)
    {
      compute (rank == SLOW_RANK ? 4 : 14);
      go = MPI_Wtime () - begin < seconds;
      if (rank == SLOW_RANK && !read_slowly (timer))
        return 3;
      MPI_Allreduce (MPI_IN_PLACE, &go, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    }
  MPI_Finalize ();
  if (rank == 0)
    printf ("steps %d\n", steps);
  return 0;
}
