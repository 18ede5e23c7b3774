/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stencil: halos on a grid of processes, sums in its rows and columns, which are communicators
 * with names; ranks are others there than in MPI_COMM_WORLD.
 */
#include "count.h"

#define STEPS 20
#define N 100

static MPI_Comm grid;

/* The rank in MPI_COMM_WORLD. */
static int
world_rank (MPI_Comm comm,
            int      rank)
{
  MPI_Group all, own;
  int found;

  CALL (MPI_Comm_group, MPI_COMM_WORLD, &all);
  CALL (MPI_Comm_group, comm, &own);
  CALL (MPI_Group_translate_ranks, own, 1, &rank, all, &found);
  CALL (MPI_Group_free, &all);
  CALL (MPI_Group_free, &own);
  return found;
}

static void
exchange_halos (int    dimension,
                double *cells)
{
  MPI_Request requests[4];
  MPI_Status statuses[4];
  int low, high, n = 0;

  CALL (MPI_Cart_shift, grid, dimension, 1, &low, &high);
  CALL (MPI_Irecv, cells, N, MPI_DOUBLE, low, 1, grid, &requests[n++]);
  CALL (MPI_Irecv, cells + N, N, MPI_DOUBLE, high, 2, grid, &requests[n++]);
  CALL (MPI_Isend, cells + 2 * N, N, MPI_DOUBLE, low, 2, grid, &requests[n++]);
  CALL (MPI_Isend, cells + 3 * N, N, MPI_DOUBLE, high, 1, grid, &requests[n++]);
  CALL (MPI_Waitall, n, requests, statuses);
  for (int i = 0; i < 2; i++)
    {
      int peer = i == 0 ? low : high;

      if (peer == MPI_PROC_NULL)
        continue;
      peer = world_rank (grid, peer);
      count_received (peer, N * 8);
      count_sent (peer, N * 8);
    }
}

int
main (void)
{
  static double cells[4 * N];
  int rank, size, dimensions[2] = { 0, 0 }, periods[2] = { 1, 0 }, in_row, in_column;
  MPI_Comm rows, columns, turned;
  double sum = 1, all;

  begin_program (&rank, &size);
  CALL (MPI_Dims_create, size, 2, dimensions);
  /* In reverse order. */
  CALL (MPI_Comm_split, MPI_COMM_WORLD, 0, size - rank, &turned);
  CALL (MPI_Cart_create, turned, 2, dimensions, periods, 1, &grid);
  CALL (MPI_Comm_set_name, grid, "the grid");
  CALL (MPI_Cart_sub, grid, (int[]) { 0, 1 }, &rows);
  CALL (MPI_Cart_sub, grid, (int[]) { 1, 0 }, &columns);
  CALL (MPI_Comm_rank, rows, &in_row);
  CALL (MPI_Comm_rank, columns, &in_column);
  for (int i = 0; i < STEPS; i++)
    {
      exchange_halos (0, cells);
      exchange_halos (1, cells);
      CALL (MPI_Allreduce, &sum, &all, 1, MPI_DOUBLE, MPI_SUM, rows);
      CALL (MPI_Bcast, &all, 1, MPI_DOUBLE, 0, columns);
      if (in_row == 0 && dimensions[1] >= 1)
        count_collective ("MPI_Allreduce");
      if (in_column == 0)
        count_collective ("MPI_Bcast");
    }
  CALL (MPI_Comm_free, &rows);
  CALL (MPI_Comm_free, &columns);
  CALL (MPI_Comm_free, &grid);
  CALL (MPI_Comm_free, &turned);
  return end_program (rank, "");
}
