/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * early: ends by exit() without MPI_Finalize, with calls of functions that were counted before.
 */
#include "count.h"

int
main (void)
{
  int rank, size;

  begin_program (&rank, &size);
  for (int i = 0; i < 99; i++)
    CALL (MPI_Barrier, MPI_COMM_WORLD);
  for (int i = 0; i < 100 && rank == 0; i++)
    count_collective ("MPI_Barrier");
  /* Launchers end the other ranks when one has gone: all print before. */
  count_calls ("MPI_Barrier", 1);
  print_counts (rank, "");
  MPI_Barrier (MPI_COMM_WORLD);
  exit (0);
}
