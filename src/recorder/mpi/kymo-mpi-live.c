/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The processes of a job tell each other where they are, for the live view.
 */
#include "kymo-mpi.h"

#include "kymo-live.h"

/**
 * kymo_mpi_start_live: collective, where the run was started with --live: the processes form a
 * tree. In a spawned world there is none: rank 0 of the first one serves.
 * @comm: the recorder's own communicator with the ranks of MPI_COMM_WORLD
 * @offset_ns: to add to the clock of this process to have that of rank 0
 */
void
kymo_mpi_start_live (MPI_Comm comm,
                     int64_t  offset_ns)
{
  MPI_Comm parent = MPI_COMM_NULL;
  KymoLiveCard card;
  int rank, size;

  if (!kymo_live_is_wanted () || PMPI_Comm_get_parent (&parent) != MPI_SUCCESS
      || parent != MPI_COMM_NULL)
    return;
  PMPI_Comm_rank (comm, &rank);
  PMPI_Comm_size (comm, &size);
  kymo_live_open (&card);
  KymoLiveCard *cards = kymo_rec_arena ((size_t) size * sizeof *cards);
  /* Who has no memory takes no part; the others must not wait for it. */
  if (cards == NULL)
    card.open = 0;
  if (PMPI_Allgather (&card, (int) sizeof card, MPI_BYTE, cards, (int) sizeof card, MPI_BYTE, comm)
      == MPI_SUCCESS && cards != NULL)
    kymo_live_join (cards, (uint32_t) size, (uint32_t) rank, offset_ns);
}
