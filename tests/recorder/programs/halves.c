/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * halves ROUNDS [kill]: two ranks send each other a message in each round, each of another size,
 * with two tags in turn; rank 1 makes other calls besides, so that its record is cut elsewhere.
 * With kill rank 0 sends three more, of which rank 1 receives none before it kills itself.
 */
#include "count.h"

#include <signal.h>

#define CALLS_BESIDE 7
#define MOST_ROUNDS 100000

static char out[MOST_ROUNDS + 4], in[MOST_ROUNDS + 4];

static void
end_badly (int rank)
{
  if (rank == 1)
    {
      MPI_Recv (in, 1, MPI_BYTE, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      raise (SIGKILL);
    }
  for (int i = 1; i <= 3; i++)
    MPI_Send (out, i, MPI_BYTE, 1, 2, MPI_COMM_WORLD);
  MPI_Send (out, 1, MPI_BYTE, 1, 3, MPI_COMM_WORLD);
  MPI_Barrier (MPI_COMM_WORLD);
}

int
main (int    argc,
      char **argv)
{
  int rank, size, n_rounds = argc > 1 ? atoi (argv[1]) : 0;

  begin_program (&rank, &size);
  if (size != 2 || n_rounds > MOST_ROUNDS)
    return 2;
  for (int i = 1; i <= n_rounds; i++)
    {
      MPI_Sendrecv (out, i, MPI_BYTE, 1 - rank, i % 2, in, i, MPI_BYTE, 1 - rank, i % 2,
                    MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      for (int k = 0; k < CALLS_BESIDE * rank; k++)
        MPI_Comm_size (MPI_COMM_WORLD, &size);
    }
  if (argc > 2)
    end_badly (rank);
  MPI_Finalize ();
  return 0;
}
