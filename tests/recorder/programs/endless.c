/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * endless FILE: messages in a ring until it is killed. FILE.RANK holds, as a number of 8 bytes that
 * outlives the process, how many rounds are complete.
 */
#include "count.h"

#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>

int
main (int    argc,
      char **argv)
{
  char path[4096], byte = 0;
  volatile uint64_t *rounds;
  int rank, size, file;

  begin_program (&rank, &size);
  snprintf (path, sizeof path, "%s.%d", argc > 1 ? argv[1] : "rounds", rank);
  file = open (path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0 || ftruncate (file, 8) != 0)
    return 3;
  rounds = mmap (NULL, 8, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  for (;;)
    {
      MPI_Sendrecv_replace (&byte, 1, MPI_BYTE, (rank + 1) % size, 0, (rank + size - 1) % size, 0,
                            MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      ++*rounds;
    }
}
