/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * marks: markers, and recording that goes off and on: with requests on their way over the border,
 * and a communicator that is made while one rank is recorded and the other is not. Only what is to
 * be recorded is counted.
 */
#include "count.h"

#include <kymo-record.h>

#define ROUNDS 20

static int rank, size, peer;
static char out[100], in[100];

static void
exchange (MPI_Comm comm)
{
  CALL (MPI_Sendrecv, out, 40, MPI_BYTE, peer, 1, in, 40, MPI_BYTE, peer, 1, comm,
        MPI_STATUS_IGNORE);
  count_sent (peer, 40);
  count_received (peer, 40);
}

/* Nothing of it is known: what is posted before completes meanwhile, what is posted meanwhile
   completes later. Handles are used again. */
static void
cross_borders (void)
{
  MPI_Request before, meanwhile[2], after[2];

  CALL (MPI_Irecv, in, 100, MPI_BYTE, peer, 2, MPI_COMM_WORLD, &before);
  kymo_record_off ();
  MPI_Send (out, 10, MPI_BYTE, peer, 2, MPI_COMM_WORLD);
  MPI_Wait (&before, MPI_STATUS_IGNORE);
  MPI_Irecv (in, 100, MPI_BYTE, peer, 3, MPI_COMM_WORLD, &meanwhile[0]);
  MPI_Isend (out, 20, MPI_BYTE, peer, 3, MPI_COMM_WORLD, &meanwhile[1]);
  kymo_record_marker ("not recorded");
  kymo_record_on ();
  CALL (MPI_Waitall, 2, meanwhile, MPI_STATUSES_IGNORE);
  CALL (MPI_Irecv, in, 100, MPI_BYTE, peer, 4, MPI_COMM_WORLD, &after[0]);
  CALL (MPI_Isend, out, 30, MPI_BYTE, peer, 4, MPI_COMM_WORLD, &after[1]);
  CALL (MPI_Waitall, 2, after, MPI_STATUSES_IGNORE);
  count_sent (peer, 30);
  count_received (peer, 30);
}

static void
start_persistent (void)
{
  MPI_Request requests[2];

  CALL (MPI_Recv_init, in, 100, MPI_BYTE, peer, 5, MPI_COMM_WORLD, &requests[0]);
  CALL (MPI_Send_init, out, 50, MPI_BYTE, peer, 5, MPI_COMM_WORLD, &requests[1]);
  kymo_record_off ();
  MPI_Startall (2, requests);
  MPI_Waitall (2, requests, MPI_STATUSES_IGNORE);
  kymo_record_on ();
  CALL (MPI_Startall, 2, requests);
  CALL (MPI_Waitall, 2, requests, MPI_STATUSES_IGNORE);
  count_sent (peer, 50);
  count_received (peer, 50);
  for (int i = 0; i < 2; i++)
    CALL (MPI_Request_free, &requests[i]);
}

static MPI_Comm
make_comm (void)
{
  MPI_Comm comm;

  if (rank == 0)
    {
      kymo_record_off ();
      MPI_Comm_dup (MPI_COMM_WORLD, &comm);
      kymo_record_on ();
    }
  else
    CALL (MPI_Comm_dup, MPI_COMM_WORLD, &comm);
  return comm;
}

int
main (void)
{
  MPI_Comm comm;

  begin_program (&rank, &size);
  peer = 1 - rank;
  kymo_record_marker ("begin");
  comm = make_comm ();
  for (int i = 0; i < ROUNDS; i++)
    {
      exchange (comm);
      kymo_record_off ();
      MPI_Sendrecv (out, 40, MPI_BYTE, peer, 1, in, 40, MPI_BYTE, peer, 1, comm,
                    MPI_STATUS_IGNORE);
      usleep (100);
      kymo_record_on ();
      cross_borders ();
    }
  start_persistent ();
  kymo_record_marker ("end");
  CALL (MPI_Comm_free, &comm);
  return end_program (rank, ", \"markers\": 2");
}
