/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Copies files between a local disk and a file server. Says `.` on stdout whenever some bytes or a
 * file are done, and `+` at the end if all are; who started it kills it when it says nothing for
 * too long.
 */
#include "kymo-mover.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kymo-starter.h"

#define STEP_BYTES (256u << 10)

static void
tell_step (char what)
{
  /* Nobody listens any more: then nobody wants the files. */
  if (write (STDOUT_FILENO, &what, 1) != 1)
    exit (1);
}

static bool
write_all (int         fd,
           const char *bytes,
           size_t      n_bytes)
{
  while (n_bytes > 0)
    {
      ssize_t n = write (fd, bytes, n_bytes);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return false;
      bytes += n;
      n_bytes -= (size_t) n;
    }
  return true;
}

static bool
copy_bytes (int from,
            int to)
{
  static char bytes[STEP_BYTES];
  ssize_t n;

  while ((n = read (from, bytes, sizeof bytes)) != 0)
    {
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0 || !write_all (to, bytes, (size_t) n))
        return false;
      tell_step ('.');
    }
  return true;
}

static bool
copy_file (const char *from,
           const char *to)
{
  int in = open (from, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  struct stat status;
  bool good = in >= 0 && fstat (in, &status) == 0 && S_ISREG (status.st_mode);
  int out = good ? open (to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW,
                         status.st_mode & 0777) : -1;

  good = out >= 0 && copy_bytes (in, out);
  if (in >= 0)
    close (in);
  /* Servers tell here that a disk was full. */
  if (out >= 0 && close (out) != 0)
    good = false;
  tell_step ('.');
  return good;
}

/* Another name until it is whole. */
static bool
copy_anchor (const char *from,
             const char *to)
{
  char *part = kymo_starter_print ("%s.part", to);
  bool good = copy_file (from, part) && rename (part, to) == 0;

  free (part);
  return good;
}

static bool
is_skipped (const char  *name,
            char       **skip)
{
  const char *dot = strrchr (name, '.');

  if (name[0] == '.' || (dot != NULL && strcmp (dot, ".part") == 0))
    return true;
  for (; *skip != NULL; skip++)
    if (strcmp (name, *skip) == 0)
      return true;
  return false;
}

/* Files and folders; links stay where they are. */
static bool
copy_tree (const char  *from,
           const char  *to,
           char       **skip)
{
  DIR *folder = opendir (from);
  const struct dirent *entry;
  bool good = folder != NULL && (mkdir (to, 0700) == 0 || errno == EEXIST);

  while (good && (entry = readdir (folder)) != NULL)
    {
      struct stat status;
      char *source, *target;

      if (is_skipped (entry->d_name, skip))
        continue;
      source = kymo_starter_print ("%s/%s", from, entry->d_name);
      target = kymo_starter_print ("%s/%s", to, entry->d_name);
      if (lstat (source, &status) != 0)
        good = errno == ENOENT;
      else if (S_ISDIR (status.st_mode))
        good = copy_tree (source, target, skip);
      else if (S_ISREG (status.st_mode))
        good = copy_file (source, target);
      free (source);
      free (target);
    }
  if (folder != NULL)
    closedir (folder);
  return good;
}

/**
 * kymo_mover_run:
 * @from: a file or a folder
 * @to: its new path
 * @skip: (array zero-terminated=1): names that are left out
 *
 * Returns: the exit status
 */
int
kymo_mover_run (const char  *from,
                const char  *to,
                char       **skip)
{
  struct stat status;
  bool good = lstat (from, &status) == 0
    && (S_ISDIR (status.st_mode) ? copy_tree (from, to, skip) : copy_anchor (from, to));

  if (good)
    tell_step ('+');
  return good ? 0 : 1;
}
