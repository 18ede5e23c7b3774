/* kymo-io-text.c: wrappers of what reads and writes streams of stdio
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "kymo-libc.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "kymo-libc-hidden.h"

#undef getc
#undef putc
#undef getchar
#undef putchar

#define WRAP(name, type, parameters, arguments, stream, mode, bytes, done) \
  KYMO_WRAP (name, type, parameters, arguments, \
             kymo_io_data_begin (&call, kymo_io_of_stream (&call, stream), mode, bytes), \
             kymo_io_data_end (&call, done))

/* Of whole items; what does not fit into 64 bits is not known. */
static uint64_t
item_bytes (size_t size, size_t n)
{
  uint64_t bytes;

  return __builtin_mul_overflow ((uint64_t) size, (uint64_t) n, &bytes) ? KYMO_IO_UNKNOWN : bytes;
}

WRAP (fread, size_t, (void *data, size_t size, size_t count, FILE *stream),
      (data, size, count, stream), stream, KYMO_IO_READ, item_bytes (size, count),
      item_bytes (size, result))
WRAP (fread_unlocked, size_t, (void *data, size_t size, size_t count, FILE *stream),
      (data, size, count, stream), stream, KYMO_IO_READ, item_bytes (size, count),
      item_bytes (size, result))
WRAP (__fread_chk, size_t, (void *data, size_t room, size_t size, size_t count, FILE *stream),
      (data, room, size, count, stream), stream, KYMO_IO_READ, item_bytes (size, count),
      item_bytes (size, result))
WRAP (__fread_unlocked_chk, size_t,
      (void *data, size_t room, size_t size, size_t count, FILE *stream),
      (data, room, size, count, stream), stream, KYMO_IO_READ, item_bytes (size, count),
      item_bytes (size, result))
WRAP (fwrite, size_t, (const void *data, size_t size, size_t count, FILE *stream),
      (data, size, count, stream), stream, KYMO_IO_WRITE, item_bytes (size, count),
      item_bytes (size, result))
WRAP (fwrite_unlocked, size_t, (const void *data, size_t size, size_t count, FILE *stream),
      (data, size, count, stream), stream, KYMO_IO_WRITE, item_bytes (size, count),
      item_bytes (size, result))

#define ROOM(size) (size > 0 ? (uint64_t) size - 1 : 0)
#define LINE (result != NULL ? strlen (result) : 0)

WRAP (fgets, char *, (char *data, int size, FILE *stream), (data, size, stream), stream,
      KYMO_IO_READ, ROOM (size), LINE)
WRAP (fgets_unlocked, char *, (char *data, int size, FILE *stream), (data, size, stream), stream,
      KYMO_IO_READ, ROOM (size), LINE)
WRAP (__fgets_chk, char *, (char *data, size_t room, int size, FILE *stream),
      (data, room, size, stream), stream, KYMO_IO_READ, ROOM (size), LINE)
WRAP (__fgets_unlocked_chk, char *, (char *data, size_t room, int size, FILE *stream),
      (data, room, size, stream), stream, KYMO_IO_READ, ROOM (size), LINE)
#define GOT (result > 0 ? (uint64_t) result : 0)

WRAP (getline, ssize_t, (char **line, size_t *size, FILE *stream), (line, size, stream), stream,
      KYMO_IO_READ, KYMO_IO_UNKNOWN, GOT)
WRAP (getdelim, ssize_t, (char **line, size_t *size, int end, FILE *stream),
      (line, size, end, stream), stream, KYMO_IO_READ, KYMO_IO_UNKNOWN, GOT)
WRAP (__getdelim, ssize_t, (char **line, size_t *size, int end, FILE *stream),
      (line, size, end, stream), stream, KYMO_IO_READ, KYMO_IO_UNKNOWN, GOT)

WRAP (fputs, int, (const char *text, FILE *stream), (text, stream), stream, KYMO_IO_WRITE,
      strlen (text), result >= 0 ? strlen (text) : 0)
WRAP (fputs_unlocked, int, (const char *text, FILE *stream), (text, stream), stream,
      KYMO_IO_WRITE, strlen (text), result >= 0 ? strlen (text) : 0)
WRAP (puts, int, (const char *text), (text), stdout, KYMO_IO_WRITE, strlen (text) + 1,
      result >= 0 ? strlen (text) + 1 : 0)

WRAP (fgetc, int, (FILE *stream), (stream), stream, KYMO_IO_READ, 1, result != EOF)
WRAP (getc, int, (FILE *stream), (stream), stream, KYMO_IO_READ, 1, result != EOF)
WRAP (_IO_getc, int, (FILE *stream), (stream), stream, KYMO_IO_READ, 1, result != EOF)
WRAP (getchar, int, (void), (), stdin, KYMO_IO_READ, 1, result != EOF)
WRAP (fputc, int, (int c, FILE *stream), (c, stream), stream, KYMO_IO_WRITE, 1, result != EOF)
WRAP (putc, int, (int c, FILE *stream), (c, stream), stream, KYMO_IO_WRITE, 1, result != EOF)
WRAP (_IO_putc, int, (int c, FILE *stream), (c, stream), stream, KYMO_IO_WRITE, 1, result != EOF)
WRAP (putchar, int, (int c), (c), stdout, KYMO_IO_WRITE, 1, result != EOF)

/* Formatted output. printf () and its like end in the functions that take a list. */
#define WROTE (result > 0 ? (uint64_t) result : 0)

WRAP (vfprintf, int, (FILE *stream, const char *format, va_list list), (stream, format, list),
      stream, KYMO_IO_WRITE, KYMO_IO_UNKNOWN, WROTE)
WRAP (__vfprintf_chk, int, (FILE *stream, int flag, const char *format, va_list list),
      (stream, flag, format, list), stream, KYMO_IO_WRITE, KYMO_IO_UNKNOWN, WROTE)

#define WRAP_FD(name, parameters, arguments) \
  KYMO_WRAP (name, int, parameters, arguments, \
             kymo_io_data_begin (&call, kymo_io_of_fd (&call, fd), KYMO_IO_WRITE, \
                                 KYMO_IO_UNKNOWN), \
             kymo_io_data_end (&call, WROTE))

WRAP_FD (vdprintf, (int fd, const char *format, va_list list), (fd, format, list))
WRAP_FD (__vdprintf_chk, (int fd, int flag, const char *format, va_list list),
         (fd, flag, format, list))

/* How far the stream was read, if it can tell; it knows without asking the kernel. */
static off64_t
place_of (const KymoIoCall *call, FILE *stream)
{
  int code = errno;
  off64_t place = call->handle != NULL ? ftello64 (stream) : -1;

  errno = code;
  return place;
}

static uint64_t
bytes_since (const KymoIoCall *call, FILE *stream, off64_t before)
{
  off64_t now = before >= 0 ? place_of (call, stream) : -1;

  return now < before || now < 0 ? KYMO_IO_UNKNOWN : (uint64_t) (now - before);
}

#define WRAP_SCANF(name)                                        \
  KYMO_WRAPPER int                                              \
  name (FILE *stream, const char *format, va_list list)         \
  {                                                             \
    KymoIoCall call;                                            \
    off64_t before;                                             \
    int n;                                                      \
                                                                \
    kymo_io_begin (&call, KYMO_LIBC_##name);                    \
    kymo_io_data_begin (&call, kymo_io_of_stream (&call, stream), KYMO_IO_READ, \
                        KYMO_IO_UNKNOWN);                       \
    before = place_of (&call, stream);                          \
    n = KYMO_NEXT (name) (stream, format, list);                \
    kymo_io_data_end (&call, bytes_since (&call, stream, before)); \
    kymo_io_end (&call);                                        \
    return n;                                                   \
  }

WRAP_SCANF (kymo_old_vfscanf)
WRAP_SCANF (__isoc99_vfscanf)

/* Those with arguments of their own. */
#define WRAP_LIST(name, parameters, last, call)                 \
  KYMO_WRAPPER int                                              \
  name parameters                                               \
  {                                                             \
    va_list list;                                               \
    int n;                                                      \
                                                                \
    va_start (list, last);                                      \
    n = call;                                                   \
    va_end (list);                                              \
    return n;                                                   \
  }

WRAP_LIST (printf, (const char *format, ...), format, vfprintf (stdout, format, list))
WRAP_LIST (fprintf, (FILE *stream, const char *format, ...), format,
           vfprintf (stream, format, list))
WRAP_LIST (dprintf, (int fd, const char *format, ...), format, vdprintf (fd, format, list))
WRAP_LIST (__printf_chk, (int flag, const char *format, ...), format,
           __vfprintf_chk (stdout, flag, format, list))
WRAP_LIST (__fprintf_chk, (FILE *stream, int flag, const char *format, ...), format,
           __vfprintf_chk (stream, flag, format, list))
WRAP_LIST (__dprintf_chk, (int fd, int flag, const char *format, ...), format,
           __vdprintf_chk (fd, flag, format, list))
WRAP_LIST (kymo_old_scanf, (const char *format, ...), format,
           kymo_old_vfscanf (stdin, format, list))
WRAP_LIST (kymo_old_fscanf, (FILE *stream, const char *format, ...), format,
           kymo_old_vfscanf (stream, format, list))
WRAP_LIST (__isoc99_scanf, (const char *format, ...), format,
           __isoc99_vfscanf (stdin, format, list))
WRAP_LIST (__isoc99_fscanf, (FILE *stream, const char *format, ...), format,
           __isoc99_vfscanf (stream, format, list))

KYMO_WRAPPER int
vprintf (const char *format, va_list list)
{
  return vfprintf (stdout, format, list);
}

KYMO_WRAPPER int
__vprintf_chk (int flag, const char *format, va_list list)
{
  return __vfprintf_chk (stdout, flag, format, list);
}

KYMO_WRAPPER int
kymo_old_vscanf (const char *format, va_list list)
{
  return kymo_old_vfscanf (stdin, format, list);
}

KYMO_WRAPPER int
__isoc99_vscanf (const char *format, va_list list)
{
  return __isoc99_vfscanf (stdin, format, list);
}
