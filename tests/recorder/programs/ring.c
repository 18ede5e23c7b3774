/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ring [ROUNDS]: a token goes round by all kinds of sends, beside messages to nobody.
 */
#include "count.h"

static int rank, size, next, previous;

static void
receive_token (int *token,
               int  n)
{
  MPI_Status status;

  CALL (MPI_Recv, token, n, MPI_INT, previous, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  count_received (previous, n * (long) sizeof *token);
}

static void
pass_token (int round)
{
  int token[64] = { round }, n = 1 + round % 64;
  MPI_Request request;

  if (rank != 0)
    receive_token (token, n);
  switch (round % 6)
    {
    case 0:
      CALL (MPI_Send, token, n, MPI_INT, next, round, MPI_COMM_WORLD);
      break;
    case 1:
      CALL (MPI_Ssend, token, n, MPI_INT, next, round, MPI_COMM_WORLD);
      break;
    case 2:
      CALL (MPI_Bsend, token, n, MPI_INT, next, round, MPI_COMM_WORLD);
      break;
    case 3:
      CALL (MPI_Isend, token, n, MPI_INT, next, round, MPI_COMM_WORLD, &request);
      CALL (MPI_Wait, &request, MPI_STATUS_IGNORE);
      break;
    case 4:
      CALL (MPI_Issend, token, n, MPI_INT, next, round, MPI_COMM_WORLD, &request);
      CALL (MPI_Waitall, 1, &request, MPI_STATUSES_IGNORE);
      break;
    default:
      CALL (MPI_Ibsend, token, n, MPI_INT, next, round, MPI_COMM_WORLD, &request);
      CALL (MPI_Wait, &request, MPI_STATUS_IGNORE);
      break;
    }
  count_sent (next, n * (long) sizeof *token);
  if (rank == 0)
    receive_token (token, n);
}

/* Everybody to everybody's neighbour at once. */
static void
exchange_tokens (void)
{
  double mine[10] = { rank }, theirs[10];
  MPI_Status status;

  CALL (MPI_Sendrecv, mine, 10, MPI_DOUBLE, next, 1, theirs, 10, MPI_DOUBLE, previous, 1,
        MPI_COMM_WORLD, &status);
  count_sent (next, 80);
  count_received (previous, 80);
  CALL (MPI_Sendrecv_replace, mine, 5, MPI_DOUBLE, previous, 2, next, 2, MPI_COMM_WORLD,
        MPI_STATUS_IGNORE);
  count_sent (previous, 40);
  count_received (next, 40);
  CALL (MPI_Send, mine, 10, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  CALL (MPI_Recv, theirs, 10, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
  CALL (MPI_Send, NULL, 0, MPI_INT, next, 3, MPI_COMM_WORLD);
  CALL (MPI_Recv, NULL, 0, MPI_INT, previous, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  count_sent (next, 0);
  count_received (previous, 0);
}

int
main (int    argc,
      char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 120, n_bytes;
  void *buffer = malloc (1 << 16);

  begin_program (&rank, &size);
  next = (rank + 1) % size;
  previous = (rank + size - 1) % size;
  CALL (MPI_Buffer_attach, buffer, 1 << 16);
  /* Alone a send that waits for its receive would wait for ever. */
  for (int i = 0; i < n && size > 1; i++)
    pass_token (i);
  exchange_tokens ();
  CALL (MPI_Buffer_detach, &buffer, &n_bytes);
  free (buffer);
  return end_program (rank, "");
}
