/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * collectives: every collective operation of MPI 3, those that block and those that do not, on
 * MPI_COMM_WORLD, on a communicator in reverse order, between two groups, and alone.
 */
#include "count.h"

#define N 8

static int rank, size, at_zero;
static int mine[N * MOST_RANKS], theirs[N * MOST_RANKS];
static int counts_of[MOST_RANKS], places[MOST_RANKS];
static MPI_Datatype types[MOST_RANKS];
static int byte_places[MOST_RANKS];

/* One member speaks for all. */
#define TOGETHER(function, ...) \
  (CALL (function, __VA_ARGS__), at_zero ? count_collective (#function) : (void) 0)

static void
call_blocking (MPI_Comm comm,
               int      root)
{
  TOGETHER (MPI_Barrier, comm);
  TOGETHER (MPI_Bcast, mine, N, MPI_INT, root, comm);
  TOGETHER (MPI_Gather, mine, N, MPI_INT, theirs, N, MPI_INT, root, comm);
  TOGETHER (MPI_Gatherv, mine, N, MPI_INT, theirs, counts_of, places, MPI_INT, root, comm);
  TOGETHER (MPI_Scatter, mine, N, MPI_INT, theirs, N, MPI_INT, root, comm);
  TOGETHER (MPI_Scatterv, mine, counts_of, places, MPI_INT, theirs, N, MPI_INT, root, comm);
  TOGETHER (MPI_Allgather, mine, N, MPI_INT, theirs, N, MPI_INT, comm);
  TOGETHER (MPI_Allgatherv, mine, N, MPI_INT, theirs, counts_of, places, MPI_INT, comm);
  TOGETHER (MPI_Alltoall, mine, N, MPI_INT, theirs, N, MPI_INT, comm);
  TOGETHER (MPI_Alltoallv, mine, counts_of, places, MPI_INT, theirs, counts_of, places, MPI_INT,
            comm);
  TOGETHER (MPI_Alltoallw, mine, counts_of, byte_places, types, theirs, counts_of, byte_places,
            types, comm);
  TOGETHER (MPI_Reduce, mine, theirs, N, MPI_INT, MPI_MAX, root, comm);
  TOGETHER (MPI_Allreduce, mine, theirs, N, MPI_INT, MPI_SUM, comm);
  TOGETHER (MPI_Reduce_scatter, mine, theirs, counts_of, MPI_INT, MPI_SUM, comm);
  TOGETHER (MPI_Reduce_scatter_block, mine, theirs, N, MPI_INT, MPI_SUM, comm);
  TOGETHER (MPI_Scan, mine, theirs, N, MPI_INT, MPI_SUM, comm);
  TOGETHER (MPI_Exscan, mine, theirs, N, MPI_INT, MPI_SUM, comm);
}

/* Operations in their own place have no buffer of their own to send. */
static void
call_in_place (MPI_Comm comm,
               int      root)
{
  int own;

  CALL (MPI_Comm_rank, comm, &own);
  TOGETHER (MPI_Allreduce, MPI_IN_PLACE, mine, N, MPI_INT, MPI_SUM, comm);
  TOGETHER (MPI_Allgather, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, theirs, N, MPI_INT, comm);
  TOGETHER (MPI_Alltoall, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, theirs, N, MPI_INT, comm);
  if (own == root)
    {
      TOGETHER (MPI_Gather, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, theirs, N, MPI_INT, root, comm);
      TOGETHER (MPI_Reduce, MPI_IN_PLACE, mine, N, MPI_INT, MPI_SUM, root, comm);
      TOGETHER (MPI_Scatter, theirs, N, MPI_INT, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, root, comm);
    }
  else
    {
      TOGETHER (MPI_Gather, mine, N, MPI_INT, NULL, 0, MPI_DATATYPE_NULL, root, comm);
      TOGETHER (MPI_Reduce, mine, NULL, N, MPI_INT, MPI_SUM, root, comm);
      TOGETHER (MPI_Scatter, NULL, 0, MPI_DATATYPE_NULL, mine, N, MPI_INT, root, comm);
    }
}

static void
wait_for (MPI_Request *requests,
          int          n)
{
  CALL (MPI_Waitall, n, requests, MPI_STATUSES_IGNORE);
}

/* Buffers are each operation's own. */
static void
call_later (MPI_Comm comm,
            int      root)
{
  static int in[20][N * MOST_RANKS], out[20][N * MOST_RANKS];
  MPI_Request r[20];
  int n = 0;

/* Shown where it is complete. */
#define LATER(function, ...) CALL (function, __VA_ARGS__, comm, &r[n]); n++

  LATER (MPI_Ibcast, in[n], N, MPI_INT, root);
  LATER (MPI_Igather, in[n], N, MPI_INT, out[n], N, MPI_INT, root);
  LATER (MPI_Igatherv, in[n], N, MPI_INT, out[n], counts_of, places, MPI_INT, root);
  LATER (MPI_Iscatter, in[n], N, MPI_INT, out[n], N, MPI_INT, root);
  LATER (MPI_Iscatterv, in[n], counts_of, places, MPI_INT, out[n], N, MPI_INT, root);
  LATER (MPI_Iallgather, in[n], N, MPI_INT, out[n], N, MPI_INT);
  LATER (MPI_Iallgatherv, in[n], N, MPI_INT, out[n], counts_of, places, MPI_INT);
  LATER (MPI_Ialltoall, in[n], N, MPI_INT, out[n], N, MPI_INT);
  LATER (MPI_Ialltoallv, in[n], counts_of, places, MPI_INT, out[n], counts_of, places, MPI_INT);
  LATER (MPI_Ialltoallw, in[n], counts_of, byte_places, types, out[n], counts_of, byte_places,
         types);
  LATER (MPI_Ireduce, in[n], out[n], N, MPI_INT, MPI_MAX, root);
  LATER (MPI_Iallreduce, in[n], out[n], N, MPI_INT, MPI_SUM);
  LATER (MPI_Ireduce_scatter, in[n], out[n], counts_of, MPI_INT, MPI_SUM);
  LATER (MPI_Ireduce_scatter_block, in[n], out[n], N, MPI_INT, MPI_SUM);
  LATER (MPI_Iscan, in[n], out[n], N, MPI_INT, MPI_SUM);
  LATER (MPI_Iexscan, in[n], out[n], N, MPI_INT, MPI_SUM);
  CALL (MPI_Ibarrier, comm, &r[n]);
  n++;
  for (int i = 0; i < n && at_zero; i++)
    count_collective ("MPI_Waitall");
  wait_for (r, n);
}

/* Rank 0 of the even ones is the root; the others of its group look on. */
static void
call_between (void)
{
  MPI_Comm half, between;
  int is_even = rank % 2 == 0, own;

  CALL (MPI_Comm_split, MPI_COMM_WORLD, is_even, rank, &half);
  CALL (MPI_Intercomm_create, half, 0, MPI_COMM_WORLD, is_even ? 1 : 0, 5, &between);
  CALL (MPI_Comm_rank, half, &own);
  TOGETHER (MPI_Barrier, between);
  TOGETHER (MPI_Bcast, mine, N, MPI_INT, !is_even ? 0 : own == 0 ? MPI_ROOT : MPI_PROC_NULL,
            between);
  TOGETHER (MPI_Allreduce, mine, theirs, N, MPI_INT, MPI_SUM, between);
  if (is_even)
    {
      MPI_Status status;
      int n;

      CALL (MPI_Comm_remote_size, between, &n);
      CALL (MPI_Send, mine, N, MPI_INT, own, 1, between);
      CALL (MPI_Recv, theirs, N, MPI_INT, own, 2, between, &status);
      count_sent (rank + 1, 4 * N);
      count_received (rank + 1, 4 * N);
    }
  else
    {
      CALL (MPI_Recv, theirs, N, MPI_INT, own, 1, between, MPI_STATUS_IGNORE);
      CALL (MPI_Send, mine, N, MPI_INT, own, 2, between);
      count_sent (rank - 1, 4 * N);
      count_received (rank - 1, 4 * N);
    }
  CALL (MPI_Comm_free, &between);
  CALL (MPI_Comm_free, &half);
}

int
main (void)
{
  MPI_Comm turned;

  begin_program (&rank, &size);
  for (int i = 0; i < size; i++)
    {
      counts_of[i] = N;
      places[i] = i * N;
      byte_places[i] = i * N * 4;
      types[i] = MPI_INT;
    }
  at_zero = rank == 0;
  call_blocking (MPI_COMM_WORLD, 0);
  call_blocking (MPI_COMM_WORLD, size - 1);
  call_in_place (MPI_COMM_WORLD, 0);
  call_later (MPI_COMM_WORLD, 0);
  CALL (MPI_Comm_split, MPI_COMM_WORLD, 0, size - rank, &turned);
  call_blocking (turned, 0);
  call_later (turned, size - 1);
  if (size % 2 == 0)
    call_between ();
  /* What a process does alone is a call, and no operation of several. */
  CALL (MPI_Barrier, MPI_COMM_SELF);
  CALL (MPI_Allreduce, mine, theirs, N, MPI_INT, MPI_SUM, MPI_COMM_SELF);
  CALL (MPI_Comm_free, &turned);
  return end_program (rank, "");
}
