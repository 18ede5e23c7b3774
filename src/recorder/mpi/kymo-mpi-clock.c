/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How far the clocks of nodes are apart. CLOCK_MONOTONIC is common to all processes of a node, so
 * one process of each node asks rank 0 a few times, and the quickest answer counts.
 */
#include "kymo-mpi.h"

#include <stdlib.h>

#define N_ROUNDS 20
#define TAG 1

/* Tests make one machine look like several: each rank is a node then, and its clock is ahead by
 * its rank times this. */
static int64_t
pretended_ns (int rank)
{
  const char *text = getenv ("KYMO_RECORD_TEST_SKEW_NS");

  return text != NULL ? (int64_t) strtoll (text, NULL, 10) * rank : 0;
}

static int64_t
clock_ns (int rank)
{
  return (int64_t) kymo_rec_monotonic_ns () + pretended_ns (rank);
}

static void
answer (MPI_Comm comm,
        int      peer)
{
  int64_t now;

  for (int i = 0; i < N_ROUNDS; i++)
    {
      PMPI_Recv (&now, 1, MPI_INT64_T, peer, TAG, comm, MPI_STATUS_IGNORE);
      now = clock_ns (0);
      PMPI_Send (&now, 1, MPI_INT64_T, peer, TAG, comm);
    }
}

/* What to add to the own clock to have that of rank 0, and when that was found. */
static void
ask_root (MPI_Comm comm,
          int      rank,
          int64_t  found[2])
{
  int64_t quickest = INT64_MAX, its;

  for (int i = 0; i < N_ROUNDS; i++)
    {
      int64_t before = clock_ns (rank);
      PMPI_Send (&before, 1, MPI_INT64_T, 0, TAG, comm);
      PMPI_Recv (&its, 1, MPI_INT64_T, 0, TAG, comm, MPI_STATUS_IGNORE);
      int64_t after = clock_ns (rank);
      if (after - before < quickest)
        {
          quickest = after - before;
          found[0] = before + (after - before) / 2;
          found[1] = its - found[0];
        }
    }
}

/**
 * kymo_mpi_measure_clock: collective: writes the offset of this node into the definitions.
 * @comm: the recorder's own communicator with the ranks of MPI_COMM_WORLD
 *
 * Returns: ns to add to the clock of this process to have that of rank 0
 */
int64_t
kymo_mpi_measure_clock (MPI_Comm comm)
{
  MPI_Comm node = MPI_COMM_NULL;
  int rank, size, node_rank = 0;
  int64_t found[2] = { 0, 0 };

  PMPI_Comm_rank (comm, &rank);
  PMPI_Comm_size (comm, &size);
  bool alone = pretended_ns (1) != 0;
  if (alone ? PMPI_Comm_split (comm, rank, 0, &node) != MPI_SUCCESS
            : PMPI_Comm_split_type (comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node)
              != MPI_SUCCESS)
    return 0;
  PMPI_Comm_rank (node, &node_rank);
  /* Rank 0 hears who asks; nodes ask one after the other. */
  int asks = node_rank == 0 && rank != 0;
  int *askers = NULL;
  if (rank == 0)
    askers = kymo_mpi_scratch (0, (size_t) size * sizeof *askers);
  PMPI_Gather (&asks, 1, MPI_INT, askers, 1, MPI_INT, 0, comm);
  if (rank == 0)
    for (int i = 1; i < size; i++)
      {
        if (askers[i])
          answer (comm, i);
      }
  else if (asks)
    ask_root (comm, rank, found);
  if (rank == 0)
    found[0] = clock_ns (0);
  PMPI_Bcast (found, 2, MPI_INT64_T, 0, node);
  PMPI_Comm_free (&node);
  /* The definitions have the clock as it is. */
  int64_t pretended = pretended_ns (rank);
  kymo_rec_define ("offset", "II", found[0] - pretended, found[1] + pretended);
  return found[1] + pretended;
}
