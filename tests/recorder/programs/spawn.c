/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * spawn: one process starts two others, which have a world of their own, and talks to them.
 */
#include "count.h"

/* Messages to another world are calls, but not of the traffic of this one. */
static void
talk (MPI_Comm comm,
      int      peer)
{
  int out = 1, in;

  CALL (MPI_Sendrecv, &out, 1, MPI_INT, peer, 0, &in, 1, MPI_INT, peer, 0, comm,
        MPI_STATUS_IGNORE);
}

int
main (int    argc __attribute__ ((unused)),
      char **argv)
{
  int rank, size;
  MPI_Comm parent, children;

  begin_program (&rank, &size);
  MPI_Comm_get_parent (&parent);
  if (parent != MPI_COMM_NULL)
    {
      if (rank == 0)
        talk (parent, 0);
      MPI_Comm_disconnect (&parent);
      MPI_Finalize ();
      return 0;
    }
  count_calls ("MPI_Comm_get_parent", 1);
  CALL (MPI_Comm_spawn, argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children,
        MPI_ERRCODES_IGNORE);
  talk (children, 0);
  CALL (MPI_Comm_disconnect, &children);
  return end_program (rank, "");
}
