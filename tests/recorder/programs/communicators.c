/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * communicators [N]: N communicators made and freed, each used once; many have the same handle.
 */
#include "count.h"

int
main (int    argc,
      char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 10000, rank, size, own, value = 0;
  MPI_Comm comm;

  begin_program (&rank, &size);
  for (int i = 0; i < n; i++)
    {
      if (i % 2 == 0)
        CALL (MPI_Comm_dup, MPI_COMM_WORLD, &comm);
      else
        CALL (MPI_Comm_split, MPI_COMM_WORLD, 0, size - rank, &comm);
      if (i % 100 == 0)
        {
          CALL (MPI_Comm_rank, comm, &own);
          CALL (MPI_Bcast, &value, 1, MPI_INT, 0, comm);
          if (own == 0)
            count_collective ("MPI_Bcast");
        }
      CALL (MPI_Comm_free, &comm);
    }
  return end_program (rank, "");
}
