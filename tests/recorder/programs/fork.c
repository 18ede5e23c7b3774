/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fork: children that go on as they are, that become other programs, and a shell. None of them is
 * a rank.
 */
#include "count.h"

#include <sys/wait.h>

static void
run_child (int how)
{
  pid_t pid = fork ();
  int status;

  if (pid == 0 && how == 0)
    {
      char *memory = malloc (100000);

      memset (memory, 1, 100000);
      free (memory);
      exit (5);
    }
  if (pid == 0 && how == 1)
    {
      execl ("/bin/true", "true", (char *) NULL);
      _exit (9);
    }
  if (pid == 0)
    _exit (5);
  if (waitpid (pid, &status, 0) != pid || !WIFEXITED (status)
      || WEXITSTATUS (status) != (how == 1 ? 0 : 5))
    exit (3);
}

int
main (void)
{
  int rank, size;

  begin_program (&rank, &size);
  CALL (MPI_Barrier, MPI_COMM_WORLD);
  for (int i = 0; i < 3; i++)
    run_child (i);
  if (WEXITSTATUS (system ("exit 6")) != 6)
    exit (3);
  CALL (MPI_Barrier, MPI_COMM_WORLD);
  for (int i = 0; i < 2 && rank == 0; i++)
    count_collective ("MPI_Barrier");
  return end_program (rank, "");
}
