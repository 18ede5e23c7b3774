/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stands for libnfs, whose servers a test does not have: files are in memory. The arguments are
 * those of versions before 6.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fake-nfs.h"

struct nfsfh
{
  uint64_t at, length;
  char bytes[4096];
};

int
nfs_open (struct nfs_context *nfs,
          const char         *path,
          int                 flags,
          struct nfsfh      **file)
{
  if (strcmp (path, "/none") == 0)
    return -ENOENT;
  *file = calloc (1, sizeof **file);
  return 0;
}

int
nfs_close (struct nfs_context *nfs,
           struct nfsfh       *file)
{
  free (file);
  return 0;
}

int
nfs_write (struct nfs_context *nfs,
           struct nfsfh       *file,
           uint64_t            count,
           const void         *bytes)
{
  if (count > sizeof file->bytes - file->at)
    return -ENOSPC;
  memcpy (file->bytes + file->at, bytes, count);
  file->at += count;
  if (file->length < file->at)
    file->length = file->at;
  return (int) count;
}

int
nfs_read (struct nfs_context *nfs,
          struct nfsfh       *file,
          uint64_t            count,
          void               *bytes)
{
  if (count > file->length - file->at)
    count = file->length - file->at;
  memcpy (bytes, file->bytes + file->at, count);
  file->at += count;
  return (int) count;
}

int
nfs_lseek (struct nfs_context *nfs,
           struct nfsfh       *file,
           int64_t             offset,
           int                 whence,
           uint64_t           *now)
{
  *now = file->at = (uint64_t) offset;
  return 0;
}

int
nfs_fsync (struct nfs_context *nfs,
           struct nfsfh       *file)
{
  return 0;
}

int
nfs_unlink (struct nfs_context *nfs,
            const char         *path)
{
  return strcmp (path, "/none") == 0 ? -ENOENT : 0;
}
