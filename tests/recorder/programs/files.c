/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * files: input and output by MPI, POSIX and stdio, in the current folder.
 */
#include "count.h"

#include <fcntl.h>
#include <sys/stat.h>

#define N 1000

static int rank, size;
static long read_bytes, written_bytes;

static void
use_mpi (void)
{
  static int out[N], in[N];
  MPI_Offset where = (MPI_Offset) rank * N * 4;
  MPI_Status status;
  MPI_Request request;
  MPI_File file;

  CALL (MPI_File_open, MPI_COMM_WORLD, "shared.dat", MPI_MODE_CREATE | MPI_MODE_RDWR,
        MPI_INFO_NULL, &file);
  CALL (MPI_File_write_at, file, where, out, N, MPI_INT, &status);
  CALL (MPI_File_write_at_all, file, where, out, N, MPI_INT, &status);
  CALL (MPI_File_seek, file, where, MPI_SEEK_SET);
  CALL (MPI_File_write, file, out, N, MPI_INT, &status);
  CALL (MPI_File_iwrite_at, file, where, out, N, MPI_INT, &request);
  CALL (MPI_Wait, &request, &status);
  CALL (MPI_File_sync, file);
  CALL (MPI_File_read_at, file, where, in, N, MPI_INT, &status);
  CALL (MPI_File_read_at_all, file, where, in, N, MPI_INT, &status);
  CALL (MPI_File_close, &file);
  written_bytes += 4 * N * 4;
  read_bytes += 2 * N * 4;
}

static void
use_posix (const char *name)
{
  static char data[5000];
  struct stat status;
  int file = open (name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

  for (int i = 0; i < 10; i++)
    if (write (file, data, 100 * (i + 1)) != 100 * (i + 1))
      exit (3);
  if (pwrite (file, data, 300, 100) != 300 || lseek (file, 0, SEEK_SET) != 0
      || read (file, data, sizeof data) != 5000 || read (file, data, sizeof data) != 500
      || pread (file, data, 100, 0) != 100 || read (file, data, 1) != 0
      || fstat (file, &status) != 0 || fsync (file) != 0)
    exit (3);
  close (file);
  written_bytes += 5500 + 300;
  read_bytes += 5500 + 100;
}

static void
use_stdio (const char *name)
{
  char line[100];
  FILE *file = fopen (name, "w");

  for (int i = 0; i < 50; i++)
    fprintf (file, "line %03d\n", i);
  fwrite ("0123456789", 1, 10, file);
  fclose (file);
  file = fopen (name, "r");
  if (fread (line, 1, 9, file) != 9 || fgets (line, sizeof line, file) == NULL)
    exit (3);
  fclose (file);
  unlink (name);
}

int
main (void)
{
  char name[32], more[200];

  begin_program (&rank, &size);
  use_mpi ();
  snprintf (name, sizeof name, "posix-%d.dat", rank);
  use_posix (name);
  snprintf (name, sizeof name, "stdio-%d.txt", rank);
  use_stdio (name);
  snprintf (more, sizeof more, ", \"files\": 1, \"read_bytes\": %ld, \"written_bytes\": %ld",
            read_bytes, written_bytes);
  return end_program (rank, more);
}
