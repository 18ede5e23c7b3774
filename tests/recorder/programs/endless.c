/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * endless FILE ring|self [abort|crash ROUNDS]: messages in a ring, or of each rank to itself, until
 * it is killed, or rank 1 ends itself after that many rounds. FILE.RANK holds two numbers of 8
 * bytes that outlive the process: its pid, and how many rounds are complete.
 */
#include "count.h"

#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>

static void
end_badly (const char *how)
{
  if (strcmp (how, "abort") == 0)
    MPI_Abort (MPI_COMM_WORLD, 9);
  signal (SIGSEGV, SIG_DFL);
  *(volatile char *) 8 = 0;
}

int
main (int    argc,
      char **argv)
{
  char path[4096], byte = 0;
  volatile uint64_t *state;
  int rank, size, file, to, from;
  uint64_t last = UINT64_MAX;

  begin_program (&rank, &size);
  if (argc < 3)
    return 2;
  to = strcmp (argv[2], "ring") == 0 ? (rank + 1) % size : rank;
  from = strcmp (argv[2], "ring") == 0 ? (rank + size - 1) % size : rank;
  if (argc > 4 && rank == 1)
    last = strtoull (argv[4], NULL, 10);
  snprintf (path, sizeof path, "%s.%d", argv[1], rank);
  file = open (path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0 || ftruncate (file, 16) != 0)
    return 3;
  state = mmap (NULL, 16, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  state[0] = (uint64_t) getpid ();
  while (state[1] < last)
    {
      MPI_Sendrecv_replace (&byte, 1, MPI_BYTE, to, 0, from, 0, MPI_COMM_WORLD,
                            MPI_STATUS_IGNORE);
      ++state[1];
    }
  end_badly (argv[3]);
  return 4;
}
