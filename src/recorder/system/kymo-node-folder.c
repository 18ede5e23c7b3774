/* kymo-node-folder.c: the names in a folder, without memory
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "kymo-node-folder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef CLOSE_RANGE_UNSHARE
#define CLOSE_RANGE_UNSHARE 2
#endif

/* As the kernel writes it. */
typedef struct
{
  uint64_t inode;
  int64_t offset;
  uint16_t size;
  uint8_t type;
  char name[];
} Entry;

/** kymo_node_folder_walk: tells the names in the folder @path behind @root, but those that begin
 * with a dot.
 * Returns: false with errno if there is no such folder. */
bool
kymo_node_folder_walk (const char *root, const char *path,
                       void (*tell) (const char *name, void *data), void *data)
{
  char whole[PATH_MAX];
  _Alignas (Entry) char bytes[4096];
  int length = snprintf (whole, sizeof whole, "%s%s", root, path);
  int fd;
  long n;

  if (length < 0 || length >= (int) sizeof whole)
    {
      errno = ENAMETOOLONG;
      return false;
    }
  fd = open (whole, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    return false;
  while ((n = syscall (SYS_getdents64, fd, bytes, sizeof bytes)) > 0)
    for (long at = 0; at < n;)
      {
        const Entry *entry = (const Entry *) (bytes + at);

        if (entry->name[0] != '.')
          tell (entry->name, data);
        at += entry->size;
      }
  close (fd);
  return true;
}

/** kymo_node_own_descriptors: gives the calling thread a table of descriptors of its own, which is
 * empty, so that neither it nor the program gets in the way of the other.
 * Returns: false if the kernel refuses; then all threads share one table as before. */
bool
kymo_node_own_descriptors (void)
{
  /* Descriptors are left out, not closed: closing one may write to a file server. */
  return syscall (SYS_close_range, 0U, ~0U, (unsigned) CLOSE_RANGE_UNSHARE) == 0;
}
