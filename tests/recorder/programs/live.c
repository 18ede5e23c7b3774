/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * live SECONDS [FILE [alone]]: for that long each rank computes, rank 0 least, and waits for the
 * others in a barrier; messages go round. With FILE, each rank leaves its process id in FILE.RANK
 * first. With `alone` no rank needs another one: messages go from each to itself, and it sleeps.
 */
#include "count.h"

#include <stdlib.h>

#define PERIOD_MS 20

static double
now_s (void)
{
  return MPI_Wtime ();
}

static void
compute (double ms)
{
  static volatile double sum;

  for (double end = now_s () + ms / 1000; now_s () < end;)
    for (int i = 0; i < 1000; i++)
      sum += i;
}

int
main (int    argc,
      char **argv)
{
  int rank, size, go = 1, rounds = 0;
  char path[4096], bytes[1000] = "";

  begin_program (&rank, &size);
  double seconds = argc > 1 ? atof (argv[1]) : 3, begin = now_s ();
  if (argc > 2)
    {
      snprintf (path, sizeof path, "%s.%d", argv[2], rank);
      FILE *file = fopen (path, "w");
      if (file == NULL || fprintf (file, "%d\n", (int) getpid ()) < 0 || fclose (file) != 0)
        return 3;
    }
  while (argc > 3 && now_s () - begin < seconds)
    {
      compute (PERIOD_MS * (1.0 + rank) / (size + 1.0) / 4);
      MPI_Sendrecv_replace (bytes, sizeof bytes, MPI_BYTE, rank, 0, rank, 0, MPI_COMM_WORLD,
                            MPI_STATUS_IGNORE);
      usleep (1000 * PERIOD_MS);
    }
  while (go)
    {
      compute (PERIOD_MS * (1.0 + rank) / (size + 1.0));
      MPI_Barrier (MPI_COMM_WORLD);
      if (size > 1)
        MPI_Sendrecv_replace (bytes, sizeof bytes, MPI_BYTE, (rank + 1) % size, 0,
                              (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      go = now_s () - begin < seconds;
      MPI_Bcast (&go, 1, MPI_INT, 0, MPI_COMM_WORLD);
      rounds++;
    }
  MPI_Finalize ();
  if (rank == 0)
    printf ("rounds %d\n", rounds);
  return 0;
}
