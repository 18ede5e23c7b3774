/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * onesided: windows of all kinds, all transfers, all ways to synchronize. What is got is a message
 * received, without a sender.
 */
#include "count.h"

#define N 64

static int rank, size, next;
static long long got, got_bytes;

#define TOGETHER(function, ...) \
  (CALL (function, __VA_ARGS__), rank == 0 ? count_collective (#function) : (void) 0)

static void
put_and_get (MPI_Win  win,
             double  *buffer)
{
  CALL (MPI_Put, buffer, 10, MPI_DOUBLE, next, 0, 10, MPI_DOUBLE, win);
  CALL (MPI_Get, buffer + 10, 5, MPI_DOUBLE, next, 20, 5, MPI_DOUBLE, win);
  CALL (MPI_Accumulate, buffer, 3, MPI_DOUBLE, next, 30, 3, MPI_DOUBLE, MPI_SUM, win);
  CALL (MPI_Put, buffer, 1, MPI_DOUBLE, MPI_PROC_NULL, 0, 1, MPI_DOUBLE, win);
  got++;
  got_bytes += 5 * 8;
}

static void
use_fences (MPI_Win  win,
            double  *buffer)
{
  TOGETHER (MPI_Win_fence, 0, win);
  for (int i = 0; i < 5; i++)
    {
      put_and_get (win, buffer);
      TOGETHER (MPI_Win_fence, i == 4 ? MPI_MODE_NOSUCCEED : 0, win);
    }
}

static void
use_locks (MPI_Win  win,
           double  *buffer)
{
  static double one = 1, found;
  MPI_Request requests[2];

  CALL (MPI_Win_lock, MPI_LOCK_SHARED, next, 0, win);
  put_and_get (win, buffer);
  CALL (MPI_Win_flush, next, win);
  CALL (MPI_Rput, buffer, 2, MPI_DOUBLE, next, 50, 2, MPI_DOUBLE, win, &requests[0]);
  CALL (MPI_Rget, buffer + 20, 2, MPI_DOUBLE, next, 40, 2, MPI_DOUBLE, win, &requests[1]);
  CALL (MPI_Waitall, 2, requests, MPI_STATUSES_IGNORE);
  CALL (MPI_Win_unlock, next, win);
  CALL (MPI_Win_lock_all, 0, win);
  CALL (MPI_Fetch_and_op, &one, &found, MPI_DOUBLE, next, 60, MPI_SUM, win);
  CALL (MPI_Get_accumulate, buffer, 2, MPI_DOUBLE, buffer + 4, 2, MPI_DOUBLE, next, 30, 2,
        MPI_DOUBLE, MPI_SUM, win);
  CALL (MPI_Win_flush_all, win);
  CALL (MPI_Win_unlock_all, win);
  got += 3;
  got_bytes += (2 + 1 + 2) * 8;
}

static void
use_groups (MPI_Win  win,
            double  *buffer)
{
  MPI_Group all, to, from;
  int previous = (rank + size - 1) % size;

  CALL (MPI_Comm_group, MPI_COMM_WORLD, &all);
  CALL (MPI_Group_incl, all, 1, &next, &to);
  CALL (MPI_Group_incl, all, 1, &previous, &from);
  CALL (MPI_Win_post, from, 0, win);
  CALL (MPI_Win_start, to, 0, win);
  put_and_get (win, buffer);
  CALL (MPI_Win_complete, win);
  CALL (MPI_Win_wait, win);
  CALL (MPI_Group_free, &all);
  CALL (MPI_Group_free, &to);
  CALL (MPI_Group_free, &from);
}

int
main (void)
{
  static double memory[N], buffer[N];
  double *allocated;
  MPI_Win win, other;
  char more[100];

  begin_program (&rank, &size);
  next = (rank + 1) % size;
  TOGETHER (MPI_Win_create, memory, sizeof memory, sizeof (double), MPI_INFO_NULL, MPI_COMM_WORLD,
        &win);
  TOGETHER (MPI_Win_allocate, sizeof memory, sizeof (double), MPI_INFO_NULL, MPI_COMM_WORLD,
        &allocated, &other);
  memset (allocated, 0, sizeof memory);
  use_fences (win, buffer);
  use_fences (other, buffer);
  TOGETHER (MPI_Barrier, MPI_COMM_WORLD);
  use_locks (other, buffer);
  TOGETHER (MPI_Barrier, MPI_COMM_WORLD);
  use_groups (win, buffer);
  TOGETHER (MPI_Win_free, &other);
  TOGETHER (MPI_Win_free, &win);
  snprintf (more, sizeof more, ", \"got\": %lld, \"got_bytes\": %lld", got, got_bytes);
  return end_program (rank, more);
}
