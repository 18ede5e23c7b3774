/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * rereads FOLDER TURNS HOW: reads FOLDER/data again and again. In each turn it makes the folder
 * FOLDER/read-TURN after a third of a second, and goes on when there is FOLDER/go-TURN. HOW says
 * what the program itself does to the file then: nothing (read), write it (write), put another
 * one in its place (rename), or write it by another name (alias).
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char bytes[1 << 20];

static double
seconds (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (double) now.tv_sec + (double) now.tv_nsec * 1e-9;
}

static void
read_file (void)
{
  int fd = open ("data", O_RDONLY);

  if (fd < 0)
    return;
  while (read (fd, bytes, sizeof bytes) > 0)
    ;
  close (fd);
}

static void
write_file (const char *name)
{
  int fd = open (name, O_WRONLY | O_CREAT, 0600);

  if (fd < 0 || write (fd, bytes, sizeof bytes) != sizeof bytes || close (fd) != 0)
    exit (3);
}

int
main (int    argc,
      char **argv)
{
  int turns = argc > 3 ? atoi (argv[2]) : 0;

  if (argc < 4 || chdir (argv[1]) != 0)
    return 2;
  for (int turn = 0; turn < turns; turn++)
    {
      double begin = seconds ();
      char name[32];

      while (seconds () < begin + 0.3)
        read_file ();
      if (strcmp (argv[3], "write") == 0)
        write_file ("data");
      if (strcmp (argv[3], "alias") == 0)
        write_file ("alias");
      if (strcmp (argv[3], "rename") == 0)
        {
          write_file ("new");
          if (rename ("new", "data") != 0)
            return 3;
        }
      snprintf (name, sizeof name, "read-%d", turn);
      mkdir (name, 0700);
      snprintf (name, sizeof name, "go-%d", turn);
      while (access (name, F_OK) != 0)
        read_file ();
    }
  return 0;
}
