/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * recorder-calls calls [BATCHES]: nanoseconds per call of MPI and of write() on one process, the
 * least of BATCHES batches of 100. recorder-calls work MILLISECONDS: computes and makes a
 * collective call each 100 microseconds, until so much work is done. For bench/recorder.py. */
#include <fcntl.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define IN_BATCH 100

static int null_fd;

static double
now_ns (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (double) now.tv_sec * 1e9 + (double) now.tv_nsec;
}

static void
call_rank (void)
{
  int rank;

  MPI_Comm_rank (MPI_COMM_SELF, &rank);
}

static void
call_write (void)
{
  if (write (null_fd, "", 1) != 1)
    exit (1);
}

static void
call_messages (void)
{
  MPI_Request requests[2];
  MPI_Status statuses[2];
  int out = 1, in;

  MPI_Irecv (&in, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &requests[0]);
  MPI_Isend (&out, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &requests[1]);
  MPI_Waitall (2, requests, statuses);
}

static void
call_sendrecv (void)
{
  MPI_Status status;
  int out = 1, in;

  MPI_Sendrecv (&out, 1, MPI_INT, 0, 1, &in, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &status);
}

static void
call_allreduce (void)
{
  int out = 1, in;

  MPI_Allreduce (&out, &in, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
}

static void
call_barrier (void)
{
  MPI_Barrier (MPI_COMM_SELF);
}

static const struct
{
  const char *name;
  int n_calls;                  /* of MPI or the system in one function */
  void (*call) (void);
} rows[] = {
  { "enter-leave", 1, call_rank }, { "write", 1, call_write }, { "sendrecv", 1, call_sendrecv },
  { "irecv-isend-waitall", 3, call_messages }, { "allreduce", 1, call_allreduce },
  { "barrier", 1, call_barrier },
};

static void
measure_calls (int n_batches)
{
  for (unsigned row = 0; row < sizeof rows / sizeof *rows; row++)
    {
      double least = 1e30;
      for (int batch = 0; batch < n_batches; batch++)
        {
          double begin = now_ns ();
          for (int i = 0; i < IN_BATCH; i++)
            rows[row].call ();
          double ns = (now_ns () - begin) / IN_BATCH / rows[row].n_calls;
          if (ns < least)
            least = ns;
        }
      printf ("%s %.2f\n", rows[row].name, least);
    }
}

/* The same number of steps each time, about 100 microseconds of one core each. */
static void
do_work (int milliseconds)
{
  volatile double sum = 0;

  for (int step = 0; step < milliseconds * 10; step++)
    {
      for (int i = 0; i < 60000; i++)
        sum += i;
      call_allreduce ();
    }
  printf ("sum %g\n", sum);
}

int
main (int    argc,
      char **argv)
{
  MPI_Init (&argc, &argv);
  null_fd = open ("/dev/null", O_WRONLY);
  if (argc > 2 && strcmp (argv[1], "work") == 0)
    do_work (atoi (argv[2]));
  else
    measure_calls (argc > 2 ? atoi (argv[2]) : 1000);
  MPI_Finalize ();
  return 0;
}
