/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mpi4 [BYTES]: what came with MPI 4: large counts, partitioned messages, sessions, and requests
 * for both directions. Partitioned messages are calls only.
 */
#include "count.h"

#define PARTS 4
#define ROUNDS 3

static int rank, size, other;

static void
send_large (MPI_Count n_bytes)
{
  char *data = calloc ((size_t) n_bytes, 1);
  MPI_Count got;
  MPI_Status status;
  int in;

  if (data == NULL)
    exit (3);
  if (rank == 0)
    {
      CALL (MPI_Send_c, data, n_bytes, MPI_BYTE, other, 5, MPI_COMM_WORLD);
      count_sent (other, n_bytes);
    }
  else
    {
      CALL (MPI_Recv_c, data, n_bytes, MPI_BYTE, other, 5, MPI_COMM_WORLD, &status);
      CALL (MPI_Get_count_c, &status, MPI_BYTE, &got);
      if (got != n_bytes)
        exit (4);
      count_received (other, n_bytes);
    }
  free (data);
  CALL (MPI_Allreduce_c, &rank, &in, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    count_collective ("MPI_Allreduce_c");
}

static void
send_parts (void)
{
  int data[PARTS] = { 0 }, flag;
  MPI_Request request;

  if (rank == 0)
    CALL (MPI_Psend_init, data, PARTS, 1, MPI_INT, other, 9, MPI_COMM_WORLD, MPI_INFO_NULL,
          &request);
  else
    CALL (MPI_Precv_init, data, PARTS, 1, MPI_INT, other, 9, MPI_COMM_WORLD, MPI_INFO_NULL,
          &request);
  for (int round = 0; round < ROUNDS; round++)
    {
      CALL (MPI_Start, &request);
      for (int i = 0; i < PARTS && rank == 0; i++)
        CALL (MPI_Pready, i, request);
      if (rank != 0)
        CALL (MPI_Parrived, request, 0, &flag);
      CALL (MPI_Wait, &request, MPI_STATUS_IGNORE);
    }
  CALL (MPI_Request_free, &request);
}

static void
exchange_both (MPI_Comm comm)
{
  int out[3] = { rank }, in[3];
  MPI_Request request;
  MPI_Status status;

  CALL (MPI_Isendrecv, out, 3, MPI_INT, other, 4, in, 3, MPI_INT, other, 4, comm, &request);
  CALL (MPI_Wait, &request, &status);
  CALL (MPI_Isendrecv_replace, in, 1, MPI_INT, other, 6, other, 6, comm, &request);
  CALL (MPI_Wait, &request, &status);
  count_sent (other, sizeof out);
  count_received (other, sizeof in);
  count_sent (other, sizeof *out);
  count_received (other, sizeof *in);
}

static void
open_session (void)
{
  MPI_Session session;
  MPI_Group group;
  MPI_Comm comm;

  CALL (MPI_Session_init, MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
  CALL (MPI_Group_from_session_pset, session, "mpi://WORLD", &group);
  CALL (MPI_Comm_create_from_group, group, "kymo", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
  CALL (MPI_Barrier, comm);
  if (rank == 0)
    count_collective ("MPI_Barrier");
  exchange_both (comm);
  CALL (MPI_Comm_free, &comm);
  CALL (MPI_Group_free, &group);
  CALL (MPI_Session_finalize, &session);
}

int
main (int    argc,
      char **argv)
{
  begin_program (&rank, &size);
  other = 1 - rank;
  send_large (argc > 1 ? atoll (argv[1]) : 100);
  send_parts ();
  exchange_both (MPI_COMM_WORLD);
  open_session ();
  return end_program (rank, "");
}
