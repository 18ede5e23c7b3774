/* kymo-io-watch.c: whether others change the files that the program reads
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * When a file is opened, read or closed, its size, inode and time of change are compared with those
 * of the look before. A look takes about a microsecond, so there are at most a few in a second for
 * each file; what changes twice between two looks counts once. Files that the program opens for
 * writing, renames or deletes are its own: they are named, and the archive leaves out what another
 * process of the run has changed (raw/kymo-raw.h: `written`, `changed`). A program that was
 * started by the run, but is not recorded, is somebody else.
 */

#include "kymo-libc.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kymo-rec-sys.h"

/* Between two looks at one file. */
#define LOOK_NS UINT64_C (200000000)

static _Atomic uint32_t n_watched;      /* files that were looked at */
static KymoIoFile *_Atomic changed;     /* that were seen to change, linked by next_changed */

/* What the kernel makes up as it is read has no time of its own. */
static bool
has_times (const char *path)
{
  return path[0] == '/' && strncmp (path, "/proc/", 6) != 0 && strncmp (path, "/sys/", 5) != 0
         && strncmp (path, "/dev/", 5) != 0;
}

static bool
look_up (const KymoIoFile *file, struct statx *status)
{
  return has_times (file->path)
         && syscall (SYS_statx, AT_FDCWD, file->path, AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT,
                     STATX_TYPE | STATX_INO | STATX_SIZE | STATX_MTIME, status) == 0
         && S_ISREG (status->stx_mode);
}

/* The caller has the look of this file for itself. */
static void
compare_look (KymoIoFile *file)
{
  struct statx status;
  KymoIoLook now;

  if (!look_up (file, &status))
    return;
  now = (KymoIoLook) { status.stx_ino, status.stx_size,
    (uint64_t) status.stx_mtime.tv_sec * 1000000000u + status.stx_mtime.tv_nsec };
  if (file->look.inode != 0 && memcmp (&file->look, &now, sizeof now) != 0
      && file->n_changed++ == 0)
    {
      file->next_changed = atomic_load (&changed);
      while (!atomic_compare_exchange_weak (&changed, &file->next_changed, file))
        ;
    }
  if (file->look.inode == 0)
    atomic_fetch_add (&n_watched, 1);
  file->look = now;
}

static uint64_t
coarse_ns (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC_COARSE, &now);
  return (uint64_t) now.tv_sec * 1000000000u + (uint64_t) now.tv_nsec;
}

/** kymo_io_look: looks at what @handle is open for, unless that was done a moment ago. */
void
kymo_io_look (const KymoIoHandle *handle)
{
  KymoIoFile *file = handle->file;
  uint64_t now_ns, next_ns;
  int code;

  if (handle->paradigm == KYMO_IO_LIBNFS || atomic_load_explicit (&file->written,
                                                                  memory_order_relaxed))
    return;
  now_ns = coarse_ns ();
  next_ns = atomic_load_explicit (&file->next_look_ns, memory_order_relaxed);
  /* One of several threads looks; a handler of a signal cannot interrupt a look and look itself. */
  if (now_ns < next_ns
      || !atomic_compare_exchange_strong (&file->next_look_ns, &next_ns, UINT64_MAX))
    return;
  code = errno;
  compare_look (file);
  errno = code;
  atomic_store (&file->next_look_ns, now_ns + LOOK_NS);
}

/** kymo_io_own: the program changes @file itself, or may do so. */
void
kymo_io_own (KymoIoFile *file)
{
  struct statx status;
  int code = errno;

  if (!atomic_load_explicit (&file->written, memory_order_relaxed)
      && !atomic_exchange (&file->written, true) && has_times (file->path))
    kymo_rec_define ("written", "uU", file->id,
                     look_up (file, &status) ? (uint64_t) status.stx_ino : UINT64_C (0));
  errno = code;
}

static void
tell_changes (void)
{
  kymo_rec_define ("watched", "u", (uint32_t) atomic_load (&n_watched));
  for (KymoIoFile *file = atomic_load (&changed); file != NULL; file = file->next_changed)
    if (!atomic_load (&file->written))
      kymo_rec_define ("changed", "uuU", file->id, file->n_changed, file->look.inode);
}

static __attribute__ ((constructor (202))) void
add_hook (void)
{
  kymo_rec_at_end (tell_changes);
}
