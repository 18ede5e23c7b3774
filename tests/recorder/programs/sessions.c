/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sessions: a program that has a session of MPI and never calls MPI_Init. There is no
 * MPI_COMM_WORLD to name partners in: its messages are calls only.
 */
#include "count.h"

int
main (void)
{
  MPI_Session session;
  MPI_Group group;
  MPI_Comm comm;
  int rank, out = 1, in;

  CALL (MPI_Session_init, MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  CALL (MPI_Group_from_session_pset, session, "mpi://SELF", &group);
  CALL (MPI_Comm_create_from_group, group, "kymo", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
  CALL (MPI_Comm_rank, comm, &rank);
  CALL (MPI_Sendrecv, &out, 1, MPI_INT, 0, 0, &in, 1, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE);
  CALL (MPI_Comm_free, &comm);
  CALL (MPI_Group_free, &group);
  CALL (MPI_Session_finalize, &session);
  print_counts (rank, "");
  return in == 1 ? 0 : 4;
}
