/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writes a file of 3,000,000 bytes, says so, and waits for a line on stdin.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int
main (int    argc,
      char **argv)
{
  static char bytes[100000];
  int fd = open (argv[1], O_WRONLY | O_CREAT, 0600);

  memset (bytes, 'w', sizeof bytes);
  for (int i = 0; i < 30; i++)
    if (write (fd, bytes, sizeof bytes) != sizeof bytes)
      return 9;
  printf ("%d %d\n", (int) getpid (), fd);
  fflush (stdout);
  return fgets (bytes, sizeof bytes, stdin) == NULL;
}
