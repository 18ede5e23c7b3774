/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * workers: rank 0 gives out work and takes results from whoever is ready, in all ways to wait for
 * and to look at what comes from anybody. The number of tests that find nothing is not the same
 * in two runs; those functions are not counted.
 */
#include "count.h"

#define TASKS 60
#define STOP 999

static int size;

static void
take_result (const MPI_Status *status)
{
  int n;

  CALL (MPI_Get_count, status, MPI_BYTE, &n);
  count_received (status->MPI_SOURCE, n);
}

static void
receive_result (int how)
{
  static char result[1000];
  MPI_Status status;
  MPI_Message message;
  MPI_Request request;
  int flag = 0;

  switch (how % 5)
    {
    case 0:
      CALL (MPI_Recv, result, sizeof result, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG,
            MPI_COMM_WORLD, &status);
      break;
    case 1:
      CALL (MPI_Probe, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
      CALL (MPI_Recv, result, sizeof result, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG,
            MPI_COMM_WORLD, &status);
      break;
    case 2:
      CALL (MPI_Mprobe, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status);
      CALL (MPI_Mrecv, result, sizeof result, MPI_BYTE, &message, &status);
      break;
    case 3:
      while (!flag)
        MPI_Iprobe (MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
      CALL (MPI_Irecv, result, sizeof result, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG,
            MPI_COMM_WORLD, &request);
      CALL (MPI_Wait, &request, &status);
      break;
    default:
      CALL (MPI_Irecv, result, sizeof result, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG,
            MPI_COMM_WORLD, &request);
      while (!flag)
        MPI_Test (&request, &flag, &status);
      break;
    }
  take_result (&status);
}

/* The last results of all workers at once. */
static void
receive_last (void)
{
  static char results[MOST_RANKS][1000];
  MPI_Request requests[MOST_RANKS];
  MPI_Status statuses[MOST_RANKS];
  int indices[MOST_RANKS], n, left = size - 1, index;

  for (int i = 1; i < size; i++)
    CALL (MPI_Irecv, results[i], 1000, MPI_BYTE, i, STOP, MPI_COMM_WORLD, &requests[i - 1]);
  if (left > 0)
    {
      CALL (MPI_Waitany, size - 1, requests, &index, statuses);
      take_result (&statuses[0]);
      left--;
    }
  while (left > 0)
    {
      MPI_Waitsome (size - 1, requests, &n, indices, statuses);
      for (int i = 0; i < n; i++)
        take_result (&statuses[i]);
      left -= n;
    }
  /* All are null now. */
  CALL (MPI_Testany, size - 1, requests, &index, &n, statuses);
  CALL (MPI_Testall, size - 1, requests, &n, MPI_STATUSES_IGNORE);
  CALL (MPI_Testsome, size - 1, requests, &n, indices, MPI_STATUSES_IGNORE);
}

static void
give_work (void)
{
  for (int i = 0; i < TASKS; i++)
    {
      int to = 1 + i % (size - 1);

      CALL (MPI_Send, &i, 1, MPI_INT, to, i, MPI_COMM_WORLD);
      count_sent (to, 4);
      receive_result (i);
    }
  for (int to = 1; to < size; to++)
    {
      CALL (MPI_Send, &to, 1, MPI_INT, to, STOP, MPI_COMM_WORLD);
      count_sent (to, 4);
    }
  receive_last ();
}

static void
do_work (void)
{
  static char result[1000];
  MPI_Status status;
  int task;

  do
    {
      int n;

      CALL (MPI_Recv, &task, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
      count_received (0, 4);
      n = 1 + task * 7 % 1000;
      CALL (MPI_Send, result, n, MPI_BYTE, 0, status.MPI_TAG, MPI_COMM_WORLD);
      count_sent (0, n);
    }
  while (status.MPI_TAG != STOP);
}

int
main (void)
{
  int rank;

  begin_program (&rank, &size);
  if (rank == 0)
    give_work ();
  else
    do_work ();
  return end_program (rank, "");
}
