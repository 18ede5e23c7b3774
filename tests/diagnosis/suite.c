/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The programs with which the rules were tuned, each as short as the diagnosis allows: the first
 * word says which one, the others are those of suite.h. work: thousands of steps of spin() between
 * two rounds.
 *
 *   broadcast  rank 0 gives the same bytes to all: way=naive by sends, way=bcast by MPI_Bcast;
 *              way=scatter gives each its own bytes by sends, which no MPI_Bcast can replace;
 *              way=naive-parts and way=scatter-parts send half, a quarter and twice an eighth of
 *              the bytes to each in turn, after a loop of sends from the last rank down;
 *              way=naive-turns and way=scatter-turns begin each round with another rank
 *   reduce     MPI_Allreduce, again and again
 *   read       rank 0 reads a file, all ranks do the work that it asks for; from an NFS server
 *              with the variable KYMO_SUITE_NFS
 *   memory     all ranks touch pages of memory of equal size in random order, so that the less of
 *              it there is, the more must be read back
 *   exchange   the lower half of the ranks sends large messages to the upper half, which sends
 *              them back
 *   halo       neighbours in a ring exchange small messages without blocking
 */
#include <fcntl.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "suite.h"

static volatile uint64_t sink;

/* The same number of steps takes the same time on equal processors. */
static void
spin (long thousands)
{
  uint64_t x = 88172645463325252u;

  for (long i = 0; i < thousands * 1000; i++)
    x = x * 6364136223846793005u + 1442695040888963407u;
  sink = x;
}

/* Each eighth has bytes of its own. */
static void
fill_parts (char *bytes,
            int   n,
            int   value)
{
  for (int i = 0; i < 8; i++)
    memset (bytes + (long) n * i / 8, value * 8 + i, (size_t) (n / 8));
}

static void
send_to_all (Suite *suite,
             char  *bytes,
             long   round)
{
  int n = (int) suite->bytes;
  int whole[] = { n, 0 }, parts[] = { n / 2, n / 4, n / 8, n / 8, 0 };
  const int *part = strstr (suite->way, "parts") != NULL ? parts : whole;
  int first = strstr (suite->way, "turns") != NULL ? (int) round : 0, others = suite->size - 1;

  for (int i = 0; i < others; i++)
    {
      int to = 1 + (first + i) % others;
      char *from = bytes;

      if (suite->rank == 0 && strncmp (suite->way, "scatter", 7) == 0)
        fill_parts (bytes, n, to);
      for (const int *n_part = part; *n_part > 0; from += *n_part++)
        if (suite->rank == 0)
          MPI_Send (from, *n_part, MPI_BYTE, to, TAG, MPI_COMM_WORLD);
        else if (suite->rank == to)
          MPI_Recv (from, *n_part, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

/* The first loop of sends may go the other way. */
static void
send_first (Suite *suite,
            char  *bytes)
{
  int n = (int) suite->bytes / 2;

  for (int to = suite->size - 1; to > 0 && suite->rank == 0; to--)
    MPI_Send (bytes, n, MPI_BYTE, to, TAG, MPI_COMM_WORLD);
  if (suite->rank > 0)
    MPI_Recv (bytes, n, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void
run_broadcast (Suite *suite)
{
  char *bytes = allocate (suite->bytes);

  if (strstr (suite->way, "parts") != NULL)
    send_first (suite, bytes);
  for (long round = 0; round < suite->rounds; round++)
    {
      double begin = MPI_Wtime ();

      /* Each round gives something new. */
      if (suite->rank == 0)
        fill_parts (bytes, (int) suite->bytes, (int) round);
      if (strcmp (suite->way, "bcast") == 0)
        MPI_Bcast (bytes, (int) suite->bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
      else
        send_to_all (suite, bytes, round);
      suite->signal += MPI_Wtime () - begin;
      spin (suite->work);
    }
  free (bytes);
}

static void
run_reduce (Suite *suite)
{
  int n = (int) (suite->bytes / (long) sizeof (double));
  double *mine = allocate (suite->bytes), *sum = allocate (suite->bytes);

  for (long round = 0; round < suite->rounds; round++)
    {
      double begin;

      spin (suite->work);
      begin = MPI_Wtime ();
      MPI_Allreduce (mine, sum, n, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
      suite->signal += MPI_Wtime () - begin;
    }
  free (mine);
  free (sum);
}

#ifdef WITH_NFS
static long
read_served (Suite *suite,
             char  *bytes)
{
  struct nfs_context *nfs;
  struct nfsfh *file = open_served (suite, &nfs);
  long all = 0;
  int n;

  while ((n = nfs_read (nfs, file, (uint64_t) suite->bytes, bytes)) > 0)
    all += n;
  if (n < 0)
    fail (nfs_get_error (nfs));
  nfs_close (nfs, file);
  nfs_destroy_context (nfs);
  return all;
}
#endif

static long
read_local (Suite *suite,
            char  *bytes)
{
  int file = open (suite->file, O_RDONLY);
  long all = 0;
  ssize_t n;

  if (file < 0)
    fail ("the file cannot be opened");
  while ((n = read (file, bytes, (size_t) suite->bytes)) > 0)
    all += n;
  close (file);
  return all;
}

/* The size of the file says how much work there is. */
static void
run_read (Suite *suite)
{
  char *bytes = allocate (suite->bytes);

  for (long round = 0; round < suite->rounds; round++)
    {
      long amount = 0;

      if (suite->rank == 0)
        {
          double begin = MPI_Wtime ();
#ifdef WITH_NFS
          amount = getenv ("KYMO_SUITE_NFS") != NULL ? read_served (suite, bytes)
                                                     : read_local (suite, bytes);
#else
          amount = read_local (suite, bytes);
#endif
          suite->signal += MPI_Wtime () - begin;
        }
      MPI_Bcast (&amount, 1, MPI_LONG, 0, MPI_COMM_WORLD);
      spin (amount > 0 ? suite->work : 0);
    }
  free (bytes);
}

static void
run_memory (Suite *suite)
{
  char *bytes = allocate (suite->bytes);
  long n_pages = suite->bytes / PAGE;
  uint64_t place = 1;

  for (long round = 0; round < suite->rounds; round++)
    {
      double begin = MPI_Wtime ();
      int more = 0, mine = (int) round;

      for (long i = 0; i < n_pages; i++)
        {
          place = place * 6364136223846793005u + 1442695040888963407u;
          bytes[(long) (place >> 33) % n_pages * PAGE]++;
        }
      suite->signal += MPI_Wtime () - begin;
      spin (suite->work);
      MPI_Allreduce (&mine, &more, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    }
  free (bytes);
}

static void
run_exchange (Suite *suite)
{
  char *bytes = allocate (suite->bytes);
  int half = suite->size / 2, n = (int) suite->bytes;
  int partner = suite->rank < half ? suite->rank + half : suite->rank - half;

  for (long round = 0; round < suite->rounds && suite->rank < 2 * half; round++)
    {
      double begin = MPI_Wtime ();

      if (suite->rank < half)
        {
          MPI_Send (bytes, n, MPI_BYTE, partner, TAG, MPI_COMM_WORLD);
          MPI_Recv (bytes, n, MPI_BYTE, partner, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
      else
        {
          MPI_Recv (bytes, n, MPI_BYTE, partner, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
          MPI_Send (bytes, n, MPI_BYTE, partner, TAG, MPI_COMM_WORLD);
        }
      suite->signal += MPI_Wtime () - begin;
      spin (suite->work);
    }
  free (bytes);
}

static void
run_halo (Suite *suite)
{
  char *out = allocate (suite->bytes), *in = allocate (2 * suite->bytes);
  int left = (suite->rank + suite->size - 1) % suite->size;
  int right = (suite->rank + 1) % suite->size, n = (int) suite->bytes;

  for (long round = 0; round < suite->rounds; round++)
    {
      MPI_Request requests[4];
      double begin = MPI_Wtime ();

      MPI_Irecv (in, n, MPI_BYTE, left, TAG, MPI_COMM_WORLD, &requests[0]);
      MPI_Irecv (in + n, n, MPI_BYTE, right, TAG + 1, MPI_COMM_WORLD, &requests[1]);
      MPI_Isend (out, n, MPI_BYTE, right, TAG, MPI_COMM_WORLD, &requests[2]);
      MPI_Isend (out, n, MPI_BYTE, left, TAG + 1, MPI_COMM_WORLD, &requests[3]);
      spin (suite->work);
      MPI_Waitall (4, requests, MPI_STATUSES_IGNORE);
      suite->signal += MPI_Wtime () - begin;
    }
  free (out);
  free (in);
}

static const struct
{
  const char *name;
  void (*run) (Suite *suite);
} programs[] = {
  { "broadcast", run_broadcast }, { "reduce", run_reduce }, { "read", run_read },
  { "memory", run_memory }, { "exchange", run_exchange }, { "halo", run_halo },
};

int
main (int    argc,
      char **argv)
{
  void (*run) (Suite *suite) = NULL;

  for (size_t i = 0; argc > 1 && i < sizeof programs / sizeof programs[0]; i++)
    if (strcmp (argv[1], programs[i].name) == 0)
      run = programs[i].run;
  return run_program (argc, argv, 2, run);
}
