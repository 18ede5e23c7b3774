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
WRAP (truncate, int, (const char *path, off_t length), (path, length))
WRAP (truncate64, int, (const char *path, off64_t length), (path, length))
WRAP (ftruncate, int, (int fd, off_t length), (fd, length))
WRAP (ftruncate64, int, (int fd, off64_t length), (fd, length))
WRAP (fallocate, int, (int fd, int mode, off_t offset, off_t length), (fd, mode, offset, length))
WRAP (fallocate64, int, (int fd, int mode, off64_t offset, off64_t length),
      (fd, mode, offset, length))
WRAP (posix_fallocate, int, (int fd, off_t offset, off_t length), (fd, offset, length))
WRAP (posix_fallocate64, int, (int fd, off64_t offset, off64_t length), (fd, offset, length))
WRAP (rename, int, (const char *path, const char *to), (path, to))
WRAP (renameat, int, (int folder, const char *path, int to_folder, const char *to),
      (folder, path, to_folder, to))
WRAP (renameat2, int,
      (int folder, const char *path, int to_folder, const char *to, unsigned flags),
      (folder, path, to_folder, to, flags))
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
