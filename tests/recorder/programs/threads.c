/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * threads: four threads a rank call MPI at the same time, each on a communicator of its own.
 */
#include "count.h"

#define THREADS 4
#define ROUNDS 200

static int rank, size;
static MPI_Comm comms[THREADS];

static void *
run_thread (void *data)
{
  int number = (int) (long) data, peer = (rank + 1) % size, from = (rank + size - 1) % size;
  MPI_Comm comm = comms[number];
  MPI_Request requests[2];
  char out[256], in[256];

  memset (out, number, sizeof out);
  for (int i = 0; i < ROUNDS; i++)
    {
      CALL (MPI_Irecv, in, 256, MPI_BYTE, from, i, comm, &requests[0]);
      CALL (MPI_Isend, out, 1 + number, MPI_BYTE, peer, i, comm, &requests[1]);
      CALL (MPI_Waitall, 2, requests, MPI_STATUSES_IGNORE);
      count_sent (peer, 1 + number);
      count_received (from, 1 + number);
      if (i % 20 == 0)
        {
          CALL (MPI_Barrier, comm);
          if (rank == 0)
            count_collective ("MPI_Barrier");
        }
    }
  return NULL;
}

int
main (void)
{
  pthread_t threads[THREADS];
  int given;

  CALL (MPI_Init_thread, NULL, NULL, MPI_THREAD_MULTIPLE, &given);
  if (given != MPI_THREAD_MULTIPLE)
    return 77;
  CALL (MPI_Comm_rank, MPI_COMM_WORLD, &rank);
  CALL (MPI_Comm_size, MPI_COMM_WORLD, &size);
  for (int i = 0; i < THREADS; i++)
    CALL (MPI_Comm_dup, MPI_COMM_WORLD, &comms[i]);
  for (long i = 0; i < THREADS; i++)
    pthread_create (&threads[i], NULL, run_thread, (void *) i);
  for (int i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
  CALL (MPI_Query_thread, &given);
  if (given != MPI_THREAD_MULTIPLE)
    return 78;
  for (int i = 0; i < THREADS; i++)
    CALL (MPI_Comm_free, &comms[i]);
  return end_program (rank, ", \"threads\": 4");
}
