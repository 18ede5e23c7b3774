/* kymo-libc.h: what the wrappers of the C library share
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files of this part begin with this header: it sees to it that the names of
 * functions mean these functions, not their 64-bit or checked namesakes.
 *
 * A wrapper is, for read ():
 *
 *     KymoIoCall call;
 *     ssize_t n;
 *
 *     kymo_io_begin (&call, KYMO_LIBC_read);
 *     kymo_io_data_begin (&call, kymo_io_of_fd (&call, fd), KYMO_IO_READ, size);
 *     n = KYMO_NEXT (read) (fd, data, size);
 *     kymo_io_data_end (&call, n < 0 ? 0 : n);
 *     kymo_io_end (&call);
 *     return n;
 *
 * Calls from signal handlers are recorded too. Nothing here takes a lock that
 * the interrupted code may hold, since that code is inside a wrapper then, and
 * what is called inside a wrapper is not recorded. errno stays as the wrapped
 * function left it.
 */

#pragma once

#undef _FILE_OFFSET_BITS
#undef _TIME_BITS
#undef _FORTIFY_SOURCE
#define __NO_INLINE__ 1

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "kymo-rec.h"

#define KYMO_WRAPPER __attribute__ ((visibility ("default")))

/* Paradigms as in the line `handle` of raw/kymo-raw.h. */
enum { KYMO_IO_POSIX = 0, KYMO_IO_STREAM = 1, KYMO_IO_LIBNFS = 3 };
/* OTF2_IoOperationMode. */
enum { KYMO_IO_READ = 0, KYMO_IO_WRITE = 1, KYMO_IO_FLUSH = 2 };
/* How a lock ended, as in KYMO_RAW_IO_LOCK. */
enum { KYMO_IO_ACQUIRED = 0, KYMO_IO_RELEASED = 1, KYMO_IO_TRIED = 2 };

/* How many bytes is not known. */
#define KYMO_IO_UNKNOWN UINT64_MAX

enum
{
#define KYMO_LIBC(function, region, role) KYMO_LIBC_##function,
#include "kymo-libc-names.h"
#undef KYMO_LIBC
  KYMO_LIBC_N
};

#define KYMO_IO_N_PARADIGMS 4

/* How a file was when it was looked at. */
typedef struct
{
  uint64_t inode, size, changed_ns;     /* inode: 0: it was not looked at */
} KymoIoLook;

/* A file, by its path. Files are never freed. */
typedef struct KymoIoFile
{
  uint64_t hash;
  uint32_t id;
  uint32_t n_changed;           /* looks at which it was other than before */
  KymoIoLook look;              /* of who has set next_look_ns to UINT64_MAX */
  _Atomic uint64_t next_look_ns;
  _Atomic bool written;         /* by the program itself */
  struct KymoIoFile *next_changed;
  struct KymoIoHandle *unused[KYMO_IO_N_PARADIGMS];
  char path[];
} KymoIoFile;

/* Something that is open. Handles are never freed, only used again for the same file. */
typedef struct KymoIoHandle
{
  uint32_t id;
  uint8_t lock;                 /* OTF2_LockType of the last lock */
  uint8_t paradigm;
  KymoIoFile *file;
  struct KymoIoHandle *next;    /* among those that can be used again */
} KymoIoHandle;

typedef struct
{
  KymoRecThread *thread;        /* NULL: not recorded */
  uint32_t region;
  KymoIoHandle *handle;         /* of the operation under way, or NULL */
  uint64_t id;                  /* of this operation */
} KymoIoCall;

#pragma GCC visibility push (hidden)

extern void *kymo_libc_nexts[KYMO_LIBC_N];

void *kymo_libc_resolve (unsigned function);
uint32_t kymo_libc_region (unsigned function);

KymoIoHandle *kymo_io_find_fd (int fd, bool make);
KymoIoHandle *kymo_io_find_stream (FILE *stream);
void kymo_io_set_fd (int fd, KymoIoHandle *handle);
KymoIoHandle *kymo_io_take_fd (int fd);
int kymo_io_next_fd (int fd);
void kymo_io_set_stream (FILE *stream, KymoIoHandle *handle);
KymoIoHandle *kymo_io_take_stream (FILE *stream);
KymoIoHandle *kymo_io_open_handle (const char *path, unsigned paradigm);
KymoIoHandle *kymo_io_copy_handle (const KymoIoHandle *handle, unsigned paradigm);
void kymo_io_release (KymoIoHandle *handle, unsigned paradigm);
uint32_t kymo_io_file_id (const char *path);
const char *kymo_io_whole_path (int folder, const char *path, char *whole, size_t size);
void kymo_io_own_path (int folder, const char *path);
bool kymo_io_is_child (void);

void kymo_io_look (const KymoIoHandle *handle);
void kymo_io_own (KymoIoFile *file);

void kymo_io_enter (KymoIoCall *call, unsigned function);
void kymo_io_leave (KymoIoCall *call);
void kymo_io_data_begin (KymoIoCall *call, KymoIoHandle *handle, unsigned mode, uint64_t bytes);
void kymo_io_data_end (KymoIoCall *call, uint64_t bytes);
void kymo_io_opened (KymoIoCall *call, KymoIoHandle *handle, int flags);
void kymo_io_closed (KymoIoCall *call, KymoIoHandle *handle);
void kymo_io_duplicated (KymoIoCall *call, KymoIoHandle *from, KymoIoHandle *to, int flags);
void kymo_io_sought (KymoIoCall *call, KymoIoHandle *handle, int whence, int64_t asked,
                     int64_t now);
void kymo_io_locked (KymoIoCall *call, KymoIoHandle *handle, unsigned how, int type);
void kymo_io_status (KymoIoCall *call, KymoIoHandle *handle, int flags);
void kymo_io_deleted (KymoIoCall *call, const char *path, unsigned paradigm);

#pragma GCC visibility pop

/** kymo_libc_next: the function behind the wrapper number @function, in libraries after ours. */
static inline void *
kymo_libc_next (unsigned function)
{
  void *next = __atomic_load_n (&kymo_libc_nexts[function], __ATOMIC_RELAXED);

  return __builtin_expect (next != NULL, 1) ? next : kymo_libc_resolve (function);
}

/* The function that a wrapper calls, with its own type. */
#define KYMO_NEXT(function) ((__typeof__ (&function)) kymo_libc_next (KYMO_LIBC_##function))

/** kymo_io_begin: begins the wrapper number @function; kymo_io_end() follows in any case. */
static inline __attribute__ ((always_inline)) void
kymo_io_begin (KymoIoCall *call, unsigned function)
{
  call->handle = NULL;
  call->thread = kymo_rec_begin ();
  if (__builtin_expect (call->thread != NULL, 0))
    kymo_io_enter (call, function);
}

/** kymo_io_end: ends a wrapper. */
static inline __attribute__ ((always_inline)) void
kymo_io_end (KymoIoCall *call)
{
  if (__builtin_expect (call->thread != NULL, 0))
    kymo_io_leave (call);
  kymo_rec_end ();
}

/* Defines the wrapper of a function that returns a value of @type. Around the call stand @before
 * and @after, which may use `call`, the parameters and, after it, `result`. */
#define KYMO_WRAP(name, type, parameters, arguments, before, after) \
  KYMO_WRAPPER type                                             \
  name parameters                                               \
  {                                                             \
    KymoIoCall call;                                            \
    type result;                                                \
                                                                \
    kymo_io_begin (&call, KYMO_LIBC_##name);                    \
    before;                                                     \
    result = KYMO_NEXT (name) arguments;                        \
    after;                                                      \
    kymo_io_end (&call);                                        \
    return result;                                              \
  }

/* For KYMO_WRAP(): nothing is to be done. */
#define KYMO_NOTHING (void) 0

/** kymo_io_of_fd: the handle of @fd, made if it was opened before or beside the wrappers; NULL if
 * the call is not recorded. */
static inline KymoIoHandle *
kymo_io_of_fd (const KymoIoCall *call, int fd)
{
  return call->thread != NULL ? kymo_io_find_fd (fd, true) : NULL;
}

/** kymo_io_of_stream: as kymo_io_of_fd(), for @stream. */
static inline KymoIoHandle *
kymo_io_of_stream (const KymoIoCall *call, FILE *stream)
{
  return call->thread != NULL ? kymo_io_find_stream (stream) : NULL;
}
