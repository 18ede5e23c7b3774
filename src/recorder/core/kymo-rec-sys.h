/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * System calls of the recorder itself. They go past the functions of the C library that the
 * recorder wraps, so none of them is recorded, whatever the order in which libraries start.
 */
#pragma once

#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define KYMO_SYS_MOST_PATH 4608

static inline int
kymo_sys_open (const char *path,
               int         flags,
               int         mode)
{
  return (int) syscall (SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC | O_NOCTTY, mode);
}

static inline void
kymo_sys_close (int fd)
{
  syscall (SYS_close, fd);
}

static inline long
kymo_sys_read (int     fd,
               void   *bytes,
               size_t  n_bytes)
{
  return syscall (SYS_read, fd, bytes, n_bytes);
}

/* All bytes, or false with errno. */
static inline bool
kymo_sys_write (int         fd,
                const char *bytes,
                size_t      n_bytes)
{
  while (n_bytes > 0)
    {
      long n = syscall (SYS_write, fd, bytes, n_bytes);
      if (n <= 0)
        return false;
      bytes += n;
      n_bytes -= (size_t) n;
    }
  return true;
}

static inline bool
kymo_sys_stat_fd (int          fd,
                  struct stat *result)
{
  return syscall (SYS_newfstatat, fd, "", result, AT_EMPTY_PATH) == 0;
}

static inline bool
kymo_sys_stat (const char  *path,
               struct stat *result,
               int          flags)
{
  return syscall (SYS_newfstatat, AT_FDCWD, path, result, flags) == 0;
}

static inline void *
kymo_sys_map (size_t n_bytes,
              int    flags,
              int    fd,
              off_t  offset)
{
  void *bytes = (void *) syscall (SYS_mmap, NULL, n_bytes, PROT_READ | PROT_WRITE, flags, fd,
                                  offset);

  return bytes == MAP_FAILED ? NULL : bytes;
}

static inline void
kymo_sys_unmap (void   *bytes,
                size_t  n_bytes)
{
  syscall (SYS_munmap, bytes, n_bytes);
}

static inline int
kymo_sys_mkdir (const char *path)
{
  return (int) syscall (SYS_mkdirat, AT_FDCWD, path, 0700);
}

/* Sleeps while *word is value, at most timeout_ns. */
static inline void
kymo_sys_sleep_on (_Atomic uint32_t *word,
                   uint32_t          value,
                   uint64_t          timeout_ns)
{
  struct timespec timeout = { (time_t) (timeout_ns / 1000000000),
                              (long) (timeout_ns % 1000000000) };

  syscall (SYS_futex, word, FUTEX_WAIT_PRIVATE, value, &timeout, NULL, 0);
}

static inline void
kymo_sys_wake (_Atomic uint32_t *word)
{
  syscall (SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

/* A lock that may stand in static memory and needs no library. Who holds it makes no calls
 * that may come back to it. */
typedef _Atomic uint32_t KymoSysLock;

static inline void
kymo_sys_lock (KymoSysLock *lock)
{
  uint32_t free_value = 0;

  if (__builtin_expect (__atomic_compare_exchange_n ((uint32_t *) lock, &free_value, 1, false,
                                                     __ATOMIC_ACQUIRE, __ATOMIC_RELAXED), 1))
    return;
  while (__atomic_exchange_n ((uint32_t *) lock, 2, __ATOMIC_ACQUIRE) != 0)
    syscall (SYS_futex, lock, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
}

static inline void
kymo_sys_unlock (KymoSysLock *lock)
{
  if (__atomic_exchange_n ((uint32_t *) lock, 0, __ATOMIC_RELEASE) == 2)
    syscall (SYS_futex, lock, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}
