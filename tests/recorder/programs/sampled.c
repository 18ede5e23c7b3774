/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sampled ROUNDS: computes in two functions, in the first one three times as long as in the second
 * one, sleeps, and adds up over all ranks in between, until the parameter `stop` is 1. It has a
 * timer of SIGPROF itself. Each rank prints whether that has come, and the time from the begin of
 * each function to the begin of the other one, MPI_Allreduce left out: as samples tell it, with all
 * waits for a processor.
 */
#include "count.h"

#include <kymo-record.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>

#define ROUND_NS 40000000     /* of processor time: ten samples */
#define SLEEP_NS 4000000

static volatile sig_atomic_t n_own;
static long long stop;

static long long
clock_ns (clockid_t clock)
{
  struct timespec now;

  clock_gettime (clock, &now);
  return now.tv_sec * 1000000000ll + now.tv_nsec;
}

/* Each has a loop of its own, so that samples are in it and not in what it calls. */
#define COMPUTE(name, part) \
  static __attribute__ ((noinline)) double \
  name (double value) \
  { \
    for (long long end = clock_ns (CLOCK_THREAD_CPUTIME_ID) + ROUND_NS * part / 4; \
         clock_ns (CLOCK_THREAD_CPUTIME_ID) < end;) \
      for (int i = 0; i < 100000; i++) \
        value = value * 0.999999 + i; \
    return value; \
  }

COMPUTE (compute_long, 3)
COMPUTE (compute_short, 1)

/* The time since @begin, which becomes now. */
static long long
take_time (long long *begin)
{
  long long now = clock_ns (CLOCK_MONOTONIC), took = now - *begin;

  *begin = now;
  return took;
}

static void
count_own (int number)
{
  (void) number;
  n_own++;
}

int
main (int    argc,
      char **argv)
{
  int rank, size, rounds = argc > 1 ? atoi (argv[1]) : 100;
  double value = 0, sum = 0;
  long long begin, took[2] = { 0 };

  signal (SIGPROF, count_own);
  setitimer (ITIMER_PROF, &(struct itimerval) { { 0, 20000 }, { 0, 20000 } }, NULL);
  begin_program (&rank, &size);
  kymo_record_integer ("stop", &stop, 0, 1, KYMO_RECORD_TOGETHER);
  begin = clock_ns (CLOCK_MONOTONIC);
  for (int i = 0; i < rounds && stop == 0; i++)
    {
      value = compute_long (value);
      took[0] += take_time (&begin);
      value = compute_short (value);
      took[1] += take_time (&begin);
      MPI_Allreduce (&value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
      take_time (&begin);
      nanosleep (&(struct timespec) { 0, SLEEP_NS }, NULL);
      kymo_record_poll ();
      took[1] += take_time (&begin);
    }
  MPI_Finalize ();
  printf ("own %d, sum %d, %lld %lld\n", n_own > 0, sum > 0, took[0], took[1]);
  return 0;
}
