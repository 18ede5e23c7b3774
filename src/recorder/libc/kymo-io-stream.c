/* kymo-io-stream.c: wrappers of what opens, closes and moves streams of stdio
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The C library reads and writes for its streams without the wrappers of
 * descriptors, so each byte is recorded once: as the program moves it, not as
 * the buffer is filled.
 */

#include "kymo-libc.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "kymo-libc-hidden.h"

/* The flags of open () that a mode of fopen () stands for. */
static int
flags_of_mode (const char *mode)
{
  bool plus = strchr (mode, '+') != NULL;
  int flags = plus ? O_RDWR : mode[0] == 'r' ? O_RDONLY : O_WRONLY;

  if (mode[0] == 'w')
    flags |= O_CREAT | O_TRUNC;
  if (mode[0] == 'a')
    flags |= O_CREAT | O_APPEND;
  if (strchr (mode, 'e') != NULL)
    flags |= O_CLOEXEC;
  if (strchr (mode, 'x') != NULL)
    flags |= O_EXCL;
  return flags;
}

static void
take_opened (KymoIoCall *call, FILE *stream, const char *path, int flags)
{
  char whole[PATH_MAX];
  KymoIoHandle *handle;

  if (stream == NULL || call->thread == NULL)
    return;
  handle = kymo_io_open_handle (kymo_io_whole_path (AT_FDCWD, path, whole, sizeof whole),
                                KYMO_IO_STREAM);
  kymo_io_opened (call, handle, flags);
  kymo_io_set_stream (stream, handle);
}

#define WRAP_FOPEN(name) \
  KYMO_WRAP (name, FILE *, (const char *path, const char *mode), (path, mode), KYMO_NOTHING, \
             take_opened (&call, result, path, flags_of_mode (mode)))

WRAP_FOPEN (fopen)
WRAP_FOPEN (fopen64)

#define WRAP_TMPFILE(name) \
  KYMO_WRAP (name, FILE *, (void), (), KYMO_NOTHING, \
             take_opened (&call, result, "/(temporary file)", O_RDWR | O_CREAT | O_TMPFILE))

WRAP_TMPFILE (tmpfile)
WRAP_TMPFILE (tmpfile64)

KYMO_WRAPPER FILE *
fdopen (int fd, const char *mode)
{
  KymoIoCall call;
  KymoIoHandle *handle;
  FILE *stream;

  kymo_io_begin (&call, KYMO_LIBC_fdopen);
  stream = KYMO_NEXT (fdopen) (fd, mode);
  if (stream != NULL && call.thread != NULL)
    {
      handle = kymo_io_copy_handle (kymo_io_find_fd (fd, true), KYMO_IO_STREAM);
      kymo_io_opened (&call, handle, flags_of_mode (mode));
      kymo_io_set_stream (stream, handle);
    }
  kymo_io_end (&call);
  return stream;
}

static void
tell_closed (KymoIoCall *call, KymoIoHandle *stream, KymoIoHandle *fd)
{
  if (call->thread == NULL)
    return;
  kymo_io_closed (call, stream);
  kymo_io_release (stream, KYMO_IO_STREAM);
  kymo_io_closed (call, fd);
  kymo_io_release (fd, KYMO_IO_POSIX);
}

KYMO_WRAPPER int
fclose (FILE *stream)
{
  KymoIoCall call;
  KymoIoHandle *handle, *fd = NULL;
  int result;

  kymo_io_begin (&call, KYMO_LIBC_fclose);
  handle = kymo_io_take_stream (stream);
  if (handle != NULL)
    fd = kymo_io_take_fd (fileno (stream));
  result = KYMO_NEXT (fclose) (stream);
  tell_closed (&call, handle, fd);
  kymo_io_end (&call);
  return result;
}

#define WRAP_FREOPEN(name)                                      \
  KYMO_WRAPPER FILE *                                           \
  name (const char *path, const char *mode, FILE *stream)       \
  {                                                             \
    KymoIoCall call;                                            \
    KymoIoHandle *fd = NULL;                                    \
    FILE *result;                                               \
                                                                \
    kymo_io_begin (&call, KYMO_LIBC_##name);                    \
    if (call.thread != NULL && path != NULL)                    \
      {                                                         \
        fd = kymo_io_take_fd (fileno (stream));                 \
        tell_closed (&call, kymo_io_take_stream (stream), fd);  \
      }                                                         \
    result = KYMO_NEXT (name) (path, mode, stream);             \
    if (result != NULL && path != NULL)                         \
      take_opened (&call, result, path, flags_of_mode (mode));  \
    kymo_io_end (&call);                                        \
    return result;                                              \
  }

WRAP_FREOPEN (freopen)
WRAP_FREOPEN (freopen64)

KYMO_WRAPPER int
fflush (FILE *stream)
{
  KymoIoCall call;
  int result;

  kymo_io_begin (&call, KYMO_LIBC_fflush);
  if (stream != NULL)
    kymo_io_data_begin (&call, kymo_io_of_stream (&call, stream), KYMO_IO_FLUSH, 0);
  result = KYMO_NEXT (fflush) (stream);
  kymo_io_data_end (&call, 0);
  kymo_io_end (&call);
  return result;
}

/* Where the stream is after a move, which may have failed. */
static void
take_moved (KymoIoCall *call, FILE *stream, int whence, int64_t asked, bool moved)
{
  off64_t now;

  if (!moved || call->thread == NULL)
    return;
  now = ftello64 (stream);
  if (now >= 0)
    kymo_io_sought (call, kymo_io_find_stream (stream), whence, asked, now);
}

#define WRAP_FSEEK(name, offset) \
  KYMO_WRAP (name, int, (FILE *stream, offset asked, int whence), (stream, asked, whence), \
             KYMO_NOTHING, take_moved (&call, stream, whence, asked, result == 0))

WRAP_FSEEK (fseek, long)
WRAP_FSEEK (fseeko, off_t)
WRAP_FSEEK (fseeko64, off64_t)

#define WRAP_FSETPOS(name, position) \
  KYMO_WRAP (name, int, (FILE *stream, const position *where), (stream, where), \
             KYMO_NOTHING, take_moved (&call, stream, SEEK_SET, where->__pos, result == 0))

WRAP_FSETPOS (fsetpos, fpos_t)
WRAP_FSETPOS (fsetpos64, fpos64_t)

KYMO_WRAPPER void
rewind (FILE *stream)
{
  KymoIoCall call;

  kymo_io_begin (&call, KYMO_LIBC_rewind);
  KYMO_NEXT (rewind) (stream);
  take_moved (&call, stream, SEEK_SET, 0, true);
  kymo_io_end (&call);
}
