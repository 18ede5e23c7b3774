/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * persistent: requests that are started again and again, freed while they are under way, and
 * receives that are cancelled.
 */
#include "count.h"

#define ROUNDS 25

static int rank, size, next, previous;

static void
start_all (void)
{
  static char out[3][1000], in[3][1000];
  MPI_Request requests[6];

  for (int i = 0; i < 3; i++)
    {
      CALL (MPI_Recv_init, in[i], 1000, MPI_BYTE, i == 2 ? MPI_ANY_SOURCE : previous, i,
            MPI_COMM_WORLD, &requests[i]);
      if (i == 1)
        CALL (MPI_Ssend_init, out[i], 100 * (i + 1), MPI_BYTE, next, i, MPI_COMM_WORLD,
              &requests[3 + i]);
      else
        CALL (MPI_Send_init, out[i], 100 * (i + 1), MPI_BYTE, next, i, MPI_COMM_WORLD,
              &requests[3 + i]);
    }
  for (int round = 0; round < ROUNDS; round++)
    {
      if (round % 2 == 0)
        CALL (MPI_Startall, 6, requests);
      else
        for (int i = 0; i < 6; i++)
          CALL (MPI_Start, &requests[i]);
      CALL (MPI_Waitall, 6, requests, MPI_STATUSES_IGNORE);
      for (int i = 0; i < 3; i++)
        {
          count_sent (next, 100 * (i + 1));
          count_received (previous, 100 * (i + 1));
        }
    }
  /* Not active: this waits for nothing. */
  CALL (MPI_Waitall, 6, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < 6; i++)
    CALL (MPI_Request_free, &requests[i]);
}

static void
cancel_and_free (void)
{
  static char in[100], out[50];
  MPI_Request requests[2];
  MPI_Status status;
  int flag;

  CALL (MPI_Irecv, in, 100, MPI_BYTE, previous, 77, MPI_COMM_WORLD, &requests[0]);
  CALL (MPI_Cancel, &requests[0]);
  CALL (MPI_Wait, &requests[0], &status);
  CALL (MPI_Test_cancelled, &status, &flag);
  if (!flag)
    exit (4);
  /* The message arrives although nobody asks for it any more. */
  CALL (MPI_Isend, out, 50, MPI_BYTE, next, 78, MPI_COMM_WORLD, &requests[0]);
  CALL (MPI_Request_free, &requests[0]);
  CALL (MPI_Recv, in, 100, MPI_BYTE, previous, 78, MPI_COMM_WORLD, &status);
  count_sent (next, 50);
  count_received (previous, 50);
  /* The same request twice in a row has another one's handle, and none is no request. */
  requests[0] = requests[1] = MPI_REQUEST_NULL;
  CALL (MPI_Waitall, 2, requests, MPI_STATUSES_IGNORE);
  CALL (MPI_Wait, &requests[0], &status);
}

int
main (void)
{
  begin_program (&rank, &size);
  next = (rank + 1) % size;
  previous = (rank + size - 1) % size;
  start_all ();
  CALL (MPI_Barrier, MPI_COMM_WORLD);
  if (rank == 0)
    count_collective ("MPI_Barrier");
  cancel_and_free ();
  return end_program (rank, "");
}
