/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * outlier SECONDS [PERIOD]: in each step all ranks compute for 20 ms and add up. Rank 2 computes
 * for 4 ms alone, but reads for 30 ms from something slow: it has the lowest load, and all others
 * wait for it. With PERIOD it is so in each second phase of that many seconds; in the first one all
 * ranks are alike. Nothing needs the processor, so a busy machine changes little. Under kymo-record
 * --live it can be told which rank that is, to have it as at first, and to write a checkpoint,
 * which is nothing but a barrier.
 */
#include "count.h"

#include <kymo-record.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define SLOW_RANK 2
#define PERIOD_NS 30000000

static long long slow_rank = SLOW_RANK;

static void
reset_rank (void *data)
{
  *(long long *) data = SLOW_RANK;
}

static void
write_checkpoint (int   last,
                  void *data)
{
  (void) last;
  (void) data;
  MPI_Barrier (MPI_COMM_WORLD);
}

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
  int rank, size, steps = 0, timer = timerfd_create (CLOCK_MONOTONIC, 0);
  int now[2] = { 1, argc > 2 ? 0 : 1 };         /* whether to go on, and the phase */

  begin_program (&rank, &size);
  kymo_record_integer ("slow rank", &slow_rank, 0, size - 1, KYMO_RECORD_TOGETHER);
  kymo_record_action ("as at first", reset_rank, &slow_rank, KYMO_RECORD_TOGETHER);
  kymo_record_on_checkpoint (write_checkpoint, NULL);
  double begin = MPI_Wtime (), seconds = argc > 1 ? atof (argv[1]) : 3;
  for (; now[0]; steps++)
    {
      kymo_record_poll ();
      int is_slow = rank == slow_rank && now[1] % 2 == 1;
      compute (is_slow ? 4 : 20);
      if (is_slow && !read_slowly (timer))
        return 3;
      double elapsed = MPI_Wtime () - begin;
      now[0] = elapsed < seconds;
      now[1] = argc > 2 ? (int) (elapsed / atof (argv[2])) : 1;
      MPI_Allreduce (MPI_IN_PLACE, now, 2, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    }
  MPI_Finalize ();
  if (rank == 0)
    printf ("steps %d\n", steps);
  return 0;
}
