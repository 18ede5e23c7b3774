/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * nompi [N]: a program that knows nothing of MPI, which first asks N times where it is in a file.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *
write_file (void *name)
{
  char data[1000];
  int file = open (name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

  memset (data, 'x', sizeof data);
  for (int i = 0; i < 20; i++)
    if (write (file, data, sizeof data) != sizeof data)
      return "failed";
  close (file);
  return NULL;
}

int
main (int    argc,
      char **argv)
{
  static const char line[] = "{\"rank\": 0, \"files\": 1, \"written_bytes\": 40000}\n";
  static char first[] = "first.dat", second[] = "second.dat";
  pthread_t thread;
  void *problem;
  int folder = open (".", O_RDONLY | O_CLOEXEC);

  for (int i = 0; argc > 1 && i < atoi (argv[1]); i++)
    if (lseek (folder, 0, SEEK_CUR) != 0)
      return 3;
  close (folder);
  pthread_create (&thread, NULL, write_file, first);
  if (write_file (second) != NULL)
    return 3;
  pthread_join (thread, &problem);
  return problem != NULL || write (1, line, strlen (line)) < 0 ? 3 : 7;
}
