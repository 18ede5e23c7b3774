/* kymo-io-open.c: wrappers of what opens, closes, copies and locks descriptors
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "kymo-libc.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include "kymo-libc-hidden.h"

/* A descriptor that was opened, or -1. */
static void
take_opened (KymoIoCall *call, int fd, int folder, const char *path, int flags)
{
  char whole[PATH_MAX];
  KymoIoHandle *handle;

  if (fd < 0 || call->thread == NULL || kymo_io_is_child ())
    return;
  handle = kymo_io_open_handle (kymo_io_whole_path (folder, path, whole, sizeof whole),
                                KYMO_IO_POSIX);
  kymo_io_opened (call, handle, flags);
  kymo_io_set_fd (fd, handle);
}

#define MODE(mode, flags)                                       \
  if (((flags) & O_CREAT) != 0 || ((flags) & O_TMPFILE) == O_TMPFILE) \
    {                                                           \
      va_list list;                                             \
                                                                \
      va_start (list, flags);                                   \
      mode = va_arg (list, mode_t);                             \
      va_end (list);                                            \
    }

#define WRAP_OPEN(name) \
  KYMO_WRAP (name, int, (const char *path, int flags, ...), (path, flags, mode), \
             mode_t mode = 0; MODE (mode, flags), \
             take_opened (&call, result, AT_FDCWD, path, flags))

WRAP_OPEN (open)
WRAP_OPEN (open64)
WRAP_OPEN (__open)
WRAP_OPEN (__open64)

#define WRAP_OPENAT(name) \
  KYMO_WRAP (name, int, (int folder, const char *path, int flags, ...), \
             (folder, path, flags, mode), \
             mode_t mode = 0; MODE (mode, flags), \
             take_opened (&call, result, folder, path, flags))

WRAP_OPENAT (openat)
WRAP_OPENAT (openat64)

#define WRAP_OPENED(name, parameters, arguments, folder, path, flags) \
  KYMO_WRAP (name, int, parameters, arguments, KYMO_NOTHING, \
             take_opened (&call, result, folder, path, flags))

#define CREAT_FLAGS (O_CREAT | O_WRONLY | O_TRUNC)
#define TEMPORARY_FLAGS (O_CREAT | O_RDWR | O_EXCL)

WRAP_OPENED (__open_2, (const char *path, int flags), (path, flags), AT_FDCWD, path, flags)
WRAP_OPENED (__open64_2, (const char *path, int flags), (path, flags), AT_FDCWD, path, flags)
WRAP_OPENED (__openat_2, (int folder, const char *path, int flags), (folder, path, flags),
             folder, path, flags)
WRAP_OPENED (__openat64_2, (int folder, const char *path, int flags), (folder, path, flags),
             folder, path, flags)
WRAP_OPENED (creat, (const char *path, mode_t mode), (path, mode), AT_FDCWD, path, CREAT_FLAGS)
WRAP_OPENED (creat64, (const char *path, mode_t mode), (path, mode), AT_FDCWD, path, CREAT_FLAGS)
WRAP_OPENED (mkstemp, (char *path), (path), AT_FDCWD, path, TEMPORARY_FLAGS)
WRAP_OPENED (mkstemp64, (char *path), (path), AT_FDCWD, path, TEMPORARY_FLAGS)
WRAP_OPENED (mkostemp, (char *path, int flags), (path, flags), AT_FDCWD, path,
             TEMPORARY_FLAGS | flags)
WRAP_OPENED (mkostemp64, (char *path, int flags), (path, flags), AT_FDCWD, path,
             TEMPORARY_FLAGS | flags)
WRAP_OPENED (mkstemps, (char *path, int end), (path, end), AT_FDCWD, path, TEMPORARY_FLAGS)
WRAP_OPENED (mkstemps64, (char *path, int end), (path, end), AT_FDCWD, path, TEMPORARY_FLAGS)
WRAP_OPENED (mkostemps, (char *path, int end, int flags), (path, end, flags), AT_FDCWD, path,
             TEMPORARY_FLAGS | flags)
WRAP_OPENED (mkostemps64, (char *path, int end, int flags), (path, end, flags), AT_FDCWD, path,
             TEMPORARY_FLAGS | flags)

/* What @fd was, before it is closed: afterwards another thread may get its number. */
static KymoIoHandle *
take_closing (int fd)
{
  KymoIoHandle *handle = kymo_io_find_fd (fd, false);

  if (handle == NULL || kymo_io_is_child ())
    return NULL;
  return kymo_io_take_fd (fd);
}

/* A signal handler may close while the code that it interrupted holds the lock of the tables, and
 * in the child of a fork () it may be held for ever: without a record no lock is taken, and the
 * handle is not used again. */
static void
tell_closed (KymoIoCall *call, KymoIoHandle *handle)
{
  if (call->thread == NULL)
    return;
  kymo_io_closed (call, handle);
  kymo_io_release (handle, KYMO_IO_POSIX);
}

#define WRAP_CLOSE(name) \
  KYMO_WRAP (name, int, (int fd), (fd), KymoIoHandle *handle = take_closing (fd), \
             tell_closed (&call, handle))

WRAP_CLOSE (close)
WRAP_CLOSE (__close)

static void
close_many (KymoIoCall *call, unsigned first, unsigned last)
{
  int fd;

  if (call->thread == NULL || first > INT_MAX || kymo_io_is_child ())
    return;
  for (fd = kymo_io_next_fd ((int) first); fd >= 0 && (unsigned) fd <= last;
       fd = kymo_io_next_fd (fd + 1))
    tell_closed (call, kymo_io_take_fd (fd));
}

KYMO_WRAPPER int
close_range (unsigned first, unsigned last, int flags)
{
  KymoIoCall call;
  int result;

  kymo_io_begin (&call, KYMO_LIBC_close_range);
  result = KYMO_NEXT (close_range) (first, last, flags);
  /* Other flags than none leave the descriptors open for this thread or for all. */
  if (result == 0 && flags == 0)
    close_many (&call, first, last);
  kymo_io_end (&call);
  return result;
}

KYMO_WRAPPER void
closefrom (int first)
{
  KymoIoCall call;

  kymo_io_begin (&call, KYMO_LIBC_closefrom);
  KYMO_NEXT (closefrom) (first);
  close_many (&call, first > 0 ? (unsigned) first : 0, UINT_MAX);
  kymo_io_end (&call);
}

/* @to, or -1, is now the same as @fd; what it was before is closed. */
static void
take_duplicate (KymoIoCall *call, int fd, int to, int flags)
{
  KymoIoHandle *from, *handle;

  if (to < 0 || to == fd || call->thread == NULL || kymo_io_is_child ())
    return;
  handle = kymo_io_take_fd (to);
  if (handle != NULL)
    tell_closed (call, handle);
  from = kymo_io_find_fd (fd, true);
  handle = kymo_io_copy_handle (from, KYMO_IO_POSIX);
  kymo_io_duplicated (call, from, handle, flags);
  kymo_io_set_fd (to, handle);
}

#define WRAP_DUP(name, parameters, arguments, flags) \
  KYMO_WRAP (name, int, parameters, arguments, KYMO_NOTHING, \
             take_duplicate (&call, fd, result, flags))

WRAP_DUP (dup, (int fd), (fd), 0)
WRAP_DUP (dup2, (int fd, int to), (fd, to), 0)
WRAP_DUP (__dup2, (int fd, int to), (fd, to), 0)
WRAP_DUP (dup3, (int fd, int to, int how), (fd, to, how), how)

/* A lock of a part of a file. */
static void
take_lock (KymoIoCall *call, int fd, int command, const struct flock *lock, int result)
{
  KymoIoHandle *handle = kymo_io_of_fd (call, fd);
  int type = lock->l_type == F_RDLCK ? 1 : 0;

  if (result == 0 && lock->l_type == F_UNLCK)
    kymo_io_locked (call, handle, KYMO_IO_RELEASED, -1);
  else if (result == 0)
    kymo_io_locked (call, handle, KYMO_IO_ACQUIRED, type);
  else if ((command == F_SETLK || command == F_OFD_SETLK) && (errno == EAGAIN || errno == EACCES))
    kymo_io_locked (call, handle, KYMO_IO_TRIED, type);
}

static void
take_control (KymoIoCall *call, int fd, int command, void *word, int result)
{
  if (call->thread == NULL)
    return;
  switch (command)
    {
    case F_DUPFD:
    case F_DUPFD_CLOEXEC:
      take_duplicate (call, fd, result, command == F_DUPFD_CLOEXEC ? O_CLOEXEC : 0);
      break;
    case F_SETFL:
      if (result == 0)
        kymo_io_status (call, kymo_io_of_fd (call, fd), (int) (intptr_t) word);
      break;
    case F_SETLK:
    case F_SETLKW:
    case F_OFD_SETLK:
    case F_OFD_SETLKW:
      if (word != NULL)
        take_lock (call, fd, command, word, result);
      break;
    default:
      break;
    }
}

#define WRAP_FCNTL(name) \
  KYMO_WRAP (name, int, (int fd, int command, ...), (fd, command, word), \
             va_list list; \
             va_start (list, command); \
             void *word = va_arg (list, void *); \
             va_end (list), \
             take_control (&call, fd, command, word, result))

WRAP_FCNTL (fcntl)
WRAP_FCNTL (fcntl64)

KYMO_WRAPPER int
flock (int fd, int operation)
{
  KymoIoCall call;
  int result, type = (operation & LOCK_SH) != 0 ? 1 : 0;

  kymo_io_begin (&call, KYMO_LIBC_flock);
  result = KYMO_NEXT (flock) (fd, operation);
  if (result == 0 && (operation & LOCK_UN) != 0)
    kymo_io_locked (&call, kymo_io_of_fd (&call, fd), KYMO_IO_RELEASED, -1);
  else if (result == 0)
    kymo_io_locked (&call, kymo_io_of_fd (&call, fd), KYMO_IO_ACQUIRED, type);
  else if (errno == EWOULDBLOCK)
    kymo_io_locked (&call, kymo_io_of_fd (&call, fd), KYMO_IO_TRIED, type);
  kymo_io_end (&call);
  return result;
}

static void
take_lockf (KymoIoCall *call, int fd, int command, int result)
{
  if (result == 0 && command == F_ULOCK)
    kymo_io_locked (call, kymo_io_of_fd (call, fd), KYMO_IO_RELEASED, -1);
  else if (result == 0 && command != F_TEST)
    kymo_io_locked (call, kymo_io_of_fd (call, fd), KYMO_IO_ACQUIRED, 0);
  else if (result < 0 && command == F_TLOCK)
    kymo_io_locked (call, kymo_io_of_fd (call, fd), KYMO_IO_TRIED, 0);
}

#define WRAP_LOCKF(name, offset) \
  KYMO_WRAP (name, int, (int fd, int command, offset length), (fd, command, length), \
             KYMO_NOTHING, take_lockf (&call, fd, command, result))

WRAP_LOCKF (lockf, off_t)
WRAP_LOCKF (lockf64, off64_t)

static void
take_sought (KymoIoCall *call, int fd, int whence, int64_t asked, int64_t now)
{
  if (now >= 0)
    kymo_io_sought (call, kymo_io_of_fd (call, fd), whence, asked, now);
}

#define WRAP_LSEEK(name, offset) \
  KYMO_WRAP (name, offset, (int fd, offset asked, int whence), (fd, asked, whence), \
             KYMO_NOTHING, take_sought (&call, fd, whence, asked, result))

WRAP_LSEEK (lseek, off_t)
WRAP_LSEEK (lseek64, off64_t)
WRAP_LSEEK (__lseek, off_t)
