/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sampled ROUNDS: computes in two functions, in the first one three times as long as in the second
 * one, sleeps, and adds up over all ranks in between, until the parameter `stop` is 1. It has a
 * timer of SIGPROF itself. Each rank prints whether that has come.
 */
#include "count.h"

#include <kymo-record.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>

#define ROUND_NS 8000000
#define SLEEP_NS 16000000

static volatile sig_atomic_t n_own;
static long long stop;

static long long
used_ns (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * 1000000000ll + now.tv_nsec;
}

/* Each has a loop of its own, so that samples are in it and not in what it calls. */
#define COMPUTE(name, part) \
  static __attribute__ ((noinline)) double \
  name (double value) \
  { \
    for (long long end = used_ns () + ROUND_NS * part / 4; used_ns () < end;) \
      for (int i = 0; i < 100000; i++) \
        value = value * 0.999999 + i; \
    return value; \
  }

COMPUTE (compute_long, 3)
COMPUTE (compute_short, 1)

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

  signal (SIGPROF, count_own);
  setitimer (ITIMER_PROF, &(struct itimerval) { { 0, 20000 }, { 0, 20000 } }, NULL);
  begin_program (&rank, &size);
  kymo_record_integer ("stop", &stop, 0, 1, KYMO_RECORD_TOGETHER);
  for (int i = 0; i < rounds && stop == 0; i++)
    {
      value = compute_short (compute_long (value));
      MPI_Allreduce (&value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
      nanosleep (&(struct timespec) { 0, SLEEP_NS }, NULL);
      kymo_record_poll ();
    }
  MPI_Finalize ();
  printf ("own %d, sum %d\n", n_own > 0, sum > 0);
  return 0;
}
