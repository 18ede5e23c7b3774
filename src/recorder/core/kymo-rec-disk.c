/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Room for event files: who refuses it, and how it is taken.
 */
#include "kymo-rec-inner.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/statfs.h>

#define LEAST_FREE (64u << 20)
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

/* How large a file may get of which the archive can be written, where files have a limit: the
 * writer of archives wants 8 MB more, or of small ones a quarter. Where that is not enough for
 * anything, what there is can be recovered without the limit. */
static uint64_t
most_file_bytes (uint64_t limit)
{
  uint64_t small = limit > 256 << 10 ? (limit - (256 << 10)) / 5 * 4 : 0;
  uint64_t large = limit > 8 << 20 ? limit - (8 << 20) : 0;
  uint64_t most = small > large ? small : large;

  return most > 2 * KYMO_REC_CHUNK_BYTES ? most : limit;
}

/**
 * kymo_rec_disk_refuses:
 * @fd: a file
 * @file_bytes: how long it is
 * @all_bytes: of all files of the process
 * @more_bytes: by how much it is to grow
 *
 * Returns: why it may not: the limits of user, system and process; static. NULL if it may
 */
const char *
kymo_rec_disk_refuses (int      fd,
                       uint64_t file_bytes,
                       uint64_t all_bytes,
                       uint64_t more_bytes)
{
  const KymoRecOptions *options = kymo_rec_options ();
  struct rlimit limit;
  struct statfs disk;

  if (options->limit_bytes != 0
      && all_bytes + more_bytes > options->limit_bytes)
    return "the limit of --limit is reached";
  if (getrlimit (RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY
      && file_bytes + more_bytes > most_file_bytes (limit.rlim_cur))
    return "the limit of file sizes (ulimit -f) is reached";
  if (syscall (SYS_fstatfs, fd, &disk) == 0 && disk.f_blocks > 0)
    {
      /* The program needs room for its own files. */
      uint64_t unit = (uint64_t) disk.f_bsize, least = disk.f_blocks / 20 * unit;
      if (least > LEAST_FREE)
        least = LEAST_FREE;
      if (disk.f_bavail * unit < more_bytes + least)
        return "the disk of the raw files is full";
    }
  return NULL;
}

/**
 * kymo_rec_disk_allocate: takes room for a part of a file. Blocks of a file system without
 * fallocate() are made by writing them.
 * @from: where in the file it begins
 * @n_bytes: how long it is
 *
 * Returns: FALSE with errno if there is no room
 */
bool
kymo_rec_disk_allocate (int      fd,
                        uint64_t from,
                        uint64_t n_bytes)
{
  static const char zeros[4096];

  if (syscall (SYS_fallocate, fd, 0, (long) from, (long) n_bytes) == 0)
    return true;
  if (errno != EOPNOTSUPP && errno != ENOSYS)
    return false;
  for (uint64_t at = from; at < from + n_bytes; at += sizeof zeros)
    if (syscall (SYS_pwrite64, fd, zeros, sizeof zeros, (long) at) != (long) sizeof zeros)
      return false;
  return true;
}

/**
 * kymo_rec_disk_map: maps a part of a file, which children of fork() do not get.
 * @from: where in the file it begins
 * @n_bytes: how long it is
 *
 * Returns: it; NULL with errno if that failed
 */
char *
kymo_rec_disk_map (int      fd,
                   uint64_t from,
                   size_t   n_bytes)
{
  size_t page = (size_t) sysconf (_SC_PAGESIZE), before = from % page;
  char *bytes = kymo_sys_map (n_bytes + before, MAP_SHARED, fd, (off_t) (from - before));

  if (bytes == NULL)
    return NULL;
  syscall (SYS_madvise, bytes, n_bytes + before, MADV_DONTFORK);
  /* Touches the pages now, and tells of an error where a store would raise a signal. */
  if (syscall (SYS_madvise, bytes, n_bytes + before, MADV_POPULATE_WRITE) != 0
      && errno != EINVAL)
    {
      int code = errno;
      kymo_sys_unmap (bytes, n_bytes + before);
      errno = code;
      return NULL;
    }
  return bytes + before;
}
