/* kymo-io-data.c: wrappers of what reads, writes and synchronizes through descriptors
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "kymo-libc.h"

#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <unistd.h>

#include "kymo-libc-hidden.h"

#define WRAP_DATA(name, type, parameters, arguments, mode, bytes, done) \
  KYMO_WRAP (name, type, parameters, arguments, \
             if (call.thread != NULL) \
               kymo_io_data_begin (&call, kymo_io_find_fd (fd, true), mode, bytes), \
             kymo_io_data_end (&call, done))

#define MOVED (result > 0 ? (uint64_t) result : 0)
#define WRAP_READ(name, parameters, arguments, bytes) \
  WRAP_DATA (name, ssize_t, parameters, arguments, KYMO_IO_READ, bytes, MOVED)
#define WRAP_WRITE(name, parameters, arguments, bytes) \
  WRAP_DATA (name, ssize_t, parameters, arguments, KYMO_IO_WRITE, bytes, MOVED)

/* The sum of the lengths of a vector, as far as the kernel would look at it. */
static uint64_t
vector_bytes (const struct iovec *vector, int n)
{
  uint64_t sum = 0;

  for (int i = 0; vector != NULL && i < n && i < 1024; i++)
    sum += vector[i].iov_len;
  return sum;
}

WRAP_READ (read, (int fd, void *data, size_t size), (fd, data, size), size)
WRAP_READ (__read, (int fd, void *data, size_t size), (fd, data, size), size)
WRAP_READ (__read_chk, (int fd, void *data, size_t size, size_t room), (fd, data, size, room), size)
WRAP_READ (pread, (int fd, void *data, size_t size, off_t offset), (fd, data, size, offset), size)
WRAP_READ (pread64, (int fd, void *data, size_t size, off64_t offset), (fd, data, size, offset),
           size)
WRAP_READ (__pread64, (int fd, void *data, size_t size, off64_t offset), (fd, data, size, offset),
           size)
WRAP_READ (__pread_chk, (int fd, void *data, size_t size, off_t offset, size_t room),
           (fd, data, size, offset, room), size)
WRAP_READ (__pread64_chk, (int fd, void *data, size_t size, off64_t offset, size_t room),
           (fd, data, size, offset, room), size)
WRAP_READ (readv, (int fd, const struct iovec *vector, int n_parts), (fd, vector, n_parts),
           vector_bytes (vector, n_parts))
WRAP_READ (preadv, (int fd, const struct iovec *vector, int n_parts, off_t offset),
           (fd, vector, n_parts, offset), vector_bytes (vector, n_parts))
WRAP_READ (preadv64, (int fd, const struct iovec *vector, int n_parts, off64_t offset),
           (fd, vector, n_parts, offset), vector_bytes (vector, n_parts))
WRAP_READ (preadv2, (int fd, const struct iovec *vector, int n_parts, off_t offset, int flags),
           (fd, vector, n_parts, offset, flags), vector_bytes (vector, n_parts))
WRAP_READ (preadv64v2, (int fd, const struct iovec *vector, int n_parts, off64_t offset, int flags),
           (fd, vector, n_parts, offset, flags), vector_bytes (vector, n_parts))

WRAP_WRITE (write, (int fd, const void *data, size_t size), (fd, data, size), size)
WRAP_WRITE (__write, (int fd, const void *data, size_t size), (fd, data, size), size)
WRAP_WRITE (pwrite, (int fd, const void *data, size_t size, off_t offset),
            (fd, data, size, offset), size)
WRAP_WRITE (pwrite64, (int fd, const void *data, size_t size, off64_t offset),
            (fd, data, size, offset), size)
WRAP_WRITE (__pwrite64, (int fd, const void *data, size_t size, off64_t offset),
            (fd, data, size, offset), size)
WRAP_WRITE (writev, (int fd, const struct iovec *vector, int n_parts), (fd, vector, n_parts),
            vector_bytes (vector, n_parts))
WRAP_WRITE (pwritev, (int fd, const struct iovec *vector, int n_parts, off_t offset),
            (fd, vector, n_parts, offset), vector_bytes (vector, n_parts))
WRAP_WRITE (pwritev64, (int fd, const struct iovec *vector, int n_parts, off64_t offset),
            (fd, vector, n_parts, offset), vector_bytes (vector, n_parts))
WRAP_WRITE (pwritev2, (int fd, const struct iovec *vector, int n_parts, off_t offset, int flags),
            (fd, vector, n_parts, offset, flags), vector_bytes (vector, n_parts))
WRAP_WRITE (pwritev64v2,
            (int fd, const struct iovec *vector, int n_parts, off64_t offset, int flags),
            (fd, vector, n_parts, offset, flags), vector_bytes (vector, n_parts))

WRAP_DATA (fsync, int, (int fd), (fd), KYMO_IO_FLUSH, 0, 0)
WRAP_DATA (fdatasync, int, (int fd), (fd), KYMO_IO_FLUSH, 0, 0)
WRAP_DATA (syncfs, int, (int fd), (fd), KYMO_IO_FLUSH, 0, 0)
WRAP_DATA (sync_file_range, int, (int fd, off64_t offset, off64_t length, unsigned flags),
           (fd, offset, length, flags), KYMO_IO_FLUSH, 0, 0)

/* The kernel moves bytes from one file to another: both have an operation. */
#define WRAP_MOVE(name, parameters, arguments)                  \
  KYMO_WRAPPER ssize_t                                          \
  name parameters                                               \
  {                                                             \
    KymoIoCall call, other;                                     \
    ssize_t result;                                             \
                                                                \
    kymo_io_begin (&call, KYMO_LIBC_##name);                    \
    other = call;                                               \
    if (call.thread != NULL)                                    \
      {                                                         \
        kymo_io_data_begin (&call, kymo_io_find_fd (from, true), KYMO_IO_READ, size); \
        kymo_io_data_begin (&other, kymo_io_find_fd (to, true), KYMO_IO_WRITE, size); \
      }                                                         \
    result = KYMO_NEXT (name) arguments;                        \
    kymo_io_data_end (&other, MOVED);                           \
    kymo_io_data_end (&call, MOVED);                            \
    kymo_io_end (&call);                                        \
    return result;                                              \
  }

WRAP_MOVE (sendfile, (int to, int from, off_t *offset, size_t size), (to, from, offset, size))
WRAP_MOVE (sendfile64, (int to, int from, off64_t *offset, size_t size), (to, from, offset, size))
WRAP_MOVE (copy_file_range,
           (int from, off64_t *from_offset, int to, off64_t *to_offset, size_t size,
            unsigned flags),
           (from, from_offset, to, to_offset, size, flags))
