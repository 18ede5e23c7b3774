/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A profiling library, by the interface that MPI has for them, which makes MPI_Allreduce take
 * longer: by KYMO_SUITE_BUSY_NS or KYMO_SUITE_SLEEP_NS nanoseconds each. It lies between the
 * recorder and MPI, as a slow library would.
 */
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

static long
get_ns (const char *name)
{
  const char *text = getenv (name);

  return text != NULL ? atol (text) : 0;
}

/* Time on the processor, so that others who have it meanwhile do not shorten the work. */
static long
processor_ns (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * 1000000000 + now.tv_nsec;
}

int
MPI_Allreduce (const void  *mine,
               void        *all,
               int          n,
               MPI_Datatype type,
               MPI_Op       op,
               MPI_Comm     comm)
{
  static long busy_ns = -1, sleep_ns;

  if (busy_ns < 0)
    {
      sleep_ns = get_ns ("KYMO_SUITE_SLEEP_NS");
      busy_ns = get_ns ("KYMO_SUITE_BUSY_NS");
    }
  if (sleep_ns > 0)
    nanosleep (&(struct timespec) { sleep_ns / 1000000000, sleep_ns % 1000000000 }, NULL);
  if (busy_ns > 0)
    for (long end_ns = processor_ns () + busy_ns; processor_ns () < end_ns;)
      ;
  return PMPI_Allreduce (mine, all, n, type, op, comm);
}
