/* kymo-node-file.c: files of the kernel that are read again and again
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "kymo-node-file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* The lowest number that a descriptor of ours gets. */
static int
lowest_number (void)
{
  struct rlimit limit;

  if (getrlimit (RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur > 1024)
    return 768;
  return (int) (limit.rlim_cur / 2);
}

/* Opens; never waits, never becomes the controlling terminal. */
static int
open_low (const char *root, const char *path)
{
  char whole[PATH_MAX];
  int length = snprintf (whole, sizeof whole, "%s%s", root, path);

  if (length < 0 || length >= (int) sizeof whole)
    {
      errno = ENAMETOOLONG;
      return -1;
    }
  return open (whole, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

/** kymo_node_file_open: opens @path behind @root for reading.
 * Returns: false with errno if that fails; @file is then closed. */
bool
kymo_node_file_open (KymoNodeFile *file, const char *root, const char *path)
{
  struct stat status;
  int fd = open_low (root, path);
  int high;

  *file = KYMO_NODE_NO_FILE;
  if (fd < 0)
    return false;
  high = fcntl (fd, F_DUPFD_CLOEXEC, lowest_number ());
  if (high >= 0)
    {
      close (fd);
      fd = high;
    }
  if (fstat (fd, &status) < 0)
    {
      close (fd);
      return false;
    }
  *file = (KymoNodeFile) { fd, status.st_dev, status.st_ino };
  return true;
}

/* Whether the number still means the file that we opened. */
static bool
is_ours (const KymoNodeFile *file)
{
  struct stat status;

  return file->fd >= 0 && fstat (file->fd, &status) == 0 && status.st_dev == file->device
         && status.st_ino == file->inode;
}

/* Reads all that fits, from the start. */
static ssize_t
read_whole (int fd, char *data, size_t size)
{
  size_t length = 0;

  while (length < size)
    {
      ssize_t n = pread (fd, data + length, size - length, (off_t) length);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return -1;
      if (n == 0)
        break;
      length += (size_t) n;
    }
  return (ssize_t) length;
}

/** kymo_node_file_read: reads up to @size bytes from the start of @file to @data.
 * Returns: how many, or -1 if the file is gone. */
ssize_t
kymo_node_file_read (const KymoNodeFile *file, char *data, size_t size)
{
  return is_ours (file) ? read_whole (file->fd, data, size) : -1;
}

/** kymo_node_file_close: closes @file, unless its number is the program's by now. */
void
kymo_node_file_close (KymoNodeFile *file)
{
  if (is_ours (file))
    close (file->fd);
  *file = KYMO_NODE_NO_FILE;
}

/** kymo_node_read: reads up to @size bytes of @path behind @root to @data.
 * Returns: how many, or -1 with errno. */
ssize_t
kymo_node_read (const char *root, const char *path, char *data, size_t size)
{
  int fd = open_low (root, path);
  ssize_t length;

  if (fd < 0)
    return -1;
  length = read_whole (fd, data, size);
  close (fd);
  return length;
}

/** kymo_node_read_line: reads the first line of @path behind @root to @line, terminated and
 * without newline or blanks at its end. @size is at least 1.
 * Returns: its length, or -1 with errno; @line is then empty. */
ssize_t
kymo_node_read_line (const char *root, const char *path, char *line, size_t size)
{
  ssize_t length = kymo_node_read (root, path, line, size - 1);
  char *end;

  line[length > 0 ? length : 0] = '\0';
  if (length < 0)
    return -1;
  end = strchr (line, '\n');
  if (end == NULL)
    end = line + strlen (line);
  while (end > line && (end[-1] == ' ' || end[-1] == '\t'))
    end--;
  *end = '\0';
  return end - line;
}
