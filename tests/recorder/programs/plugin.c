/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plugin: what a program that knows nothing of MPI loads for itself alone (RTLD_LOCAL).
 */
#include "count.h"

#define ROUNDS 20

/* All of a run; a function of MPI is called from here and looked up in the library of MPI. */
int
run_plugin (void)
{
  int rank, size, in;

  begin_program (&rank, &size);
  for (int i = 0; i < ROUNDS; i++)
    {
      CALL (MPI_Sendrecv, &rank, 1, MPI_INT, (rank + 1) % size, i, &in, 1, MPI_INT,
            (rank + size - 1) % size, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      count_sent ((rank + 1) % size, sizeof (int));
      count_received ((rank + size - 1) % size, sizeof (int));
      CALL (MPI_Allreduce, &rank, &in, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
      if (rank == 0)
        count_collective ("MPI_Allreduce");
    }
  return end_program (rank, "");
}
