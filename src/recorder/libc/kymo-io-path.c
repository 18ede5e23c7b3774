/* kymo-io-path.c: wrappers of what looks at files and changes their names
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "kymo-libc.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kymo-libc-hidden.h"

#define WRAP(name, type, parameters, arguments) \
  KYMO_WRAP (name, type, parameters, arguments, KYMO_NOTHING, KYMO_NOTHING)

WRAP (stat, int, (const char *path, struct stat *status), (path, status))
WRAP (stat64, int, (const char *path, struct stat64 *status), (path, status))
WRAP (lstat, int, (const char *path, struct stat *status), (path, status))
WRAP (lstat64, int, (const char *path, struct stat64 *status), (path, status))
WRAP (fstat, int, (int fd, struct stat *status), (fd, status))
WRAP (fstat64, int, (int fd, struct stat64 *status), (fd, status))
WRAP (fstatat, int, (int folder, const char *path, struct stat *status, int flags),
      (folder, path, status, flags))
WRAP (fstatat64, int, (int folder, const char *path, struct stat64 *status, int flags),
      (folder, path, status, flags))
WRAP (statx, int,
      (int folder, const char *path, int flags, unsigned mask, struct statx *status),
      (folder, path, flags, mask, status))
WRAP (__xstat, int, (int version, const char *path, struct stat *status), (version, path, status))
WRAP (__xstat64, int, (int version, const char *path, struct stat64 *status),
      (version, path, status))
WRAP (__lxstat, int, (int version, const char *path, struct stat *status), (version, path, status))
WRAP (__lxstat64, int, (int version, const char *path, struct stat64 *status),
      (version, path, status))
WRAP (__fxstat, int, (int version, int fd, struct stat *status), (version, fd, status))
WRAP (__fxstat64, int, (int version, int fd, struct stat64 *status), (version, fd, status))
WRAP (__fxstatat, int,
      (int version, int folder, const char *path, struct stat *status, int flags),
      (version, folder, path, status, flags))
WRAP (__fxstatat64, int,
      (int version, int folder, const char *path, struct stat64 *status, int flags),
      (version, folder, path, status, flags))
WRAP (access, int, (const char *path, int mode), (path, mode))
WRAP (faccessat, int, (int folder, const char *path, int mode, int flags),
      (folder, path, mode, flags))
WRAP (ftruncate, int, (int fd, off_t length), (fd, length))
WRAP (ftruncate64, int, (int fd, off64_t length), (fd, length))
WRAP (fallocate, int, (int fd, int mode, off_t offset, off_t length), (fd, mode, offset, length))
WRAP (fallocate64, int, (int fd, int mode, off64_t offset, off64_t length),
      (fd, mode, offset, length))
WRAP (posix_fallocate, int, (int fd, off_t offset, off_t length), (fd, offset, length))
WRAP (posix_fallocate64, int, (int fd, off64_t offset, off64_t length), (fd, offset, length))
WRAP (link, int, (const char *path, const char *to), (path, to))
WRAP (linkat, int, (int folder, const char *path, int to_folder, const char *to, int flags),
      (folder, path, to_folder, to, flags))
WRAP (symlink, int, (const char *target, const char *path), (target, path))
WRAP (symlinkat, int, (const char *target, int folder, const char *path), (target, folder, path))
WRAP (readlink, ssize_t, (const char *path, char *target, size_t size), (path, target, size))
WRAP (readlinkat, ssize_t, (int folder, const char *path, char *target, size_t size),
      (folder, path, target, size))
WRAP (mkdir, int, (const char *path, mode_t mode), (path, mode))
WRAP (mkdirat, int, (int folder, const char *path, mode_t mode), (folder, path, mode))
WRAP (rmdir, int, (const char *path), (path))

/* The program gave the file other contents. */
static void
take_changed (const KymoIoCall *call, int folder, const char *path, int result)
{
  if (call->thread != NULL && result == 0 && !kymo_io_is_child ())
    kymo_io_own_path (folder, path);
}

#define WRAP_TRUNCATE(name, offset) \
  KYMO_WRAP (name, int, (const char *path, offset length), (path, length), KYMO_NOTHING, \
             take_changed (&call, AT_FDCWD, path, result))

WRAP_TRUNCATE (truncate, off_t)
WRAP_TRUNCATE (truncate64, off64_t)

#define WRAP_RENAME(name, parameters, arguments, folder, to_folder) \
  KYMO_WRAP (name, int, parameters, arguments, KYMO_NOTHING, \
             take_changed (&call, folder, path, result); \
             take_changed (&call, to_folder, to, result))

WRAP_RENAME (rename, (const char *path, const char *to), (path, to), AT_FDCWD, AT_FDCWD)
WRAP_RENAME (renameat, (int at, const char *path, int to_at, const char *to),
             (at, path, to_at, to), at, to_at)
WRAP_RENAME (renameat2, (int at, const char *path, int to_at, const char *to, unsigned flags),
             (at, path, to_at, to, flags), at, to_at)

static void
take_deleted (KymoIoCall *call, int folder, const char *path, bool deleted)
{
  char whole[4096];

  if (deleted && call->thread != NULL)
    kymo_io_deleted (call, kymo_io_whole_path (folder, path, whole, sizeof whole), KYMO_IO_POSIX);
}

#define WRAP_DELETE(name, parameters, arguments, folder, of_file) \
  KYMO_WRAP (name, int, parameters, arguments, KYMO_NOTHING, \
             take_deleted (&call, folder, path, (of_file) && result == 0))

WRAP_DELETE (unlink, (const char *path), (path), AT_FDCWD, true)
WRAP_DELETE (unlinkat, (int at, const char *path, int flags), (at, path, flags), at,
             (flags & AT_REMOVEDIR) == 0)
WRAP_DELETE (remove, (const char *path), (path), AT_FDCWD, true)

KYMO_WRAPPER void
sync (void)
{
  KymoIoCall call;

  kymo_io_begin (&call, KYMO_LIBC_sync);
  KYMO_NEXT (sync) ();
  kymo_io_end (&call);
}
