/* kymo-libc.c: the functions behind the wrappers, and the records that wrappers write
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "kymo-libc.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* OTF2_RegionRole and OTF2_Paradigm. */
#define ROLE_DATA 27
#define ROLE_META 38
#define PARADIGM_NONE 22

/* OTF2_IoCreationFlag and OTF2_IoStatusFlag. */
#define CREATION_CREATE (1 << 0)
#define CREATION_TRUNCATE (1 << 1)
#define CREATION_DIRECTORY (1 << 2)
#define CREATION_EXCLUSIVE (1 << 3)
#define CREATION_NO_TERMINAL (1 << 4)
#define CREATION_NO_FOLLOW (1 << 5)
#define CREATION_PATH (1 << 6)
#define CREATION_TEMPORARY (1 << 7)
#define STATUS_CLOSE_ON_EXEC (1 << 0)
#define STATUS_APPEND (1 << 1)
#define STATUS_NON_BLOCKING (1 << 2)
#define STATUS_ASYNC (1 << 3)
#define STATUS_SYNC (1 << 4)
#define STATUS_DATA_SYNC (1 << 5)
#define STATUS_DIRECT (1 << 6)
#define STATUS_NO_ACCESS_TIME (1 << 7)

static const char *const functions[KYMO_LIBC_N] = {
#define KYMO_LIBC(function, region, role) #function,
#include "kymo-libc-names.h"
#undef KYMO_LIBC
};

static const struct
{
  const char *name;
  int role;
} regions[KYMO_LIBC_N] = {
#define DATA ROLE_DATA
#define META ROLE_META
#define KYMO_LIBC(function, region, role) { region, role },
#include "kymo-libc-names.h"
#undef KYMO_LIBC
};

void *kymo_libc_nexts[KYMO_LIBC_N];
static uint32_t region_ids[KYMO_LIBC_N];        /* one more than the id; 0: not asked yet */

/** kymo_libc_resolve: finds what kymo_libc_next() returns from now on. A program may call before
 * any constructor has run. */
void *
kymo_libc_resolve (unsigned function)
{
  int code = errno;
  const char *name = functions[function];
  void *next;

  if (strncmp (name, "kymo_old_", 9) == 0)
    name += 9;
  next = kymo_rec_next_symbol (name);

  __atomic_store_n (&kymo_libc_nexts[function], next, __ATOMIC_RELAXED);
  errno = code;
  return next;
}

/** kymo_libc_region: the region of the wrapper number @function. */
uint32_t
kymo_libc_region (unsigned function)
{
  uint32_t id = __atomic_load_n (&region_ids[function], __ATOMIC_RELAXED);

  if (__builtin_expect (id != 0, 1))
    return id - 1;
  id = kymo_rec_region (regions[function].name, regions[function].role, PARADIGM_NONE, NULL, 0);
  if (id != KYMO_RAW_NONE)
    __atomic_store_n (&region_ids[function], id + 1, __ATOMIC_RELAXED);
  return id;
}

/** kymo_io_enter: the slow half of kymo_io_begin(). */
void
kymo_io_enter (KymoIoCall *call, unsigned function)
{
  call->region = kymo_libc_region (function);
  if (call->region == KYMO_RAW_NONE)
    call->thread = NULL;
  else
    kymo_rec_enter (call->thread, call->region, kymo_rec_now ());
}

/** kymo_io_leave: the slow half of kymo_io_end(). */
void
kymo_io_leave (KymoIoCall *call)
{
  kymo_rec_leave (call->thread, call->region, kymo_rec_now ());
}

static KymoRawCell *
reserve_record (const KymoIoCall *call, unsigned cells, uint32_t arg)
{
  KymoRawCell *cell = call->thread != NULL ? kymo_rec_reserve (call->thread, cells) : NULL;

  if (cell != NULL)
    {
      cell->arg = arg;
      cell->time = kymo_rec_now ();
    }
  return cell;
}

/** kymo_io_data_begin: an operation on @handle begins; nothing if that is NULL.
 * @mode: KYMO_IO_READ, KYMO_IO_WRITE or KYMO_IO_FLUSH
 * @bytes: asked for, or KYMO_IO_UNKNOWN */
void
kymo_io_data_begin (KymoIoCall *call, KymoIoHandle *handle, unsigned mode, uint64_t bytes)
{
  KymoRawCell *cell;

  call->handle = NULL;
  if (handle != NULL && call->thread != NULL && mode == KYMO_IO_READ)
    kymo_io_look (handle);
  if (handle != NULL && call->thread != NULL && mode == KYMO_IO_WRITE)
    kymo_io_own (handle->file);
  cell = handle != NULL ? reserve_record (call, 3, handle->id) : NULL;
  if (cell == NULL)
    return;
  call->handle = handle;
  call->id = kymo_rec_unique_id (call->thread);
  cell->small = (uint16_t) mode;
  kymo_rec_words (cell, 1)->n = bytes;
  kymo_rec_words (cell, 2)->a = call->id;
  kymo_rec_commit (cell, KYMO_RAW_IO_BEGIN);
}

/** kymo_io_data_end: the operation that kymo_io_data_begin() began moved @bytes bytes; 0 if it
 * failed. */
void
kymo_io_data_end (KymoIoCall *call, uint64_t bytes)
{
  KymoRawCell *cell = call->handle != NULL ? reserve_record (call, 2, call->handle->id) : NULL;

  if (cell == NULL)
    return;
  kymo_rec_words (cell, 1)->a = bytes;
  kymo_rec_words (cell, 1)->b = call->id;
  kymo_rec_commit (cell, KYMO_RAW_IO_END);
  call->handle = NULL;
}

static int
creation_of (int flags)
{
  return ((flags & O_CREAT) != 0 ? CREATION_CREATE : 0)
         | ((flags & O_TRUNC) != 0 ? CREATION_TRUNCATE : 0)
         | ((flags & O_DIRECTORY) != 0 ? CREATION_DIRECTORY : 0)
         | ((flags & O_EXCL) != 0 ? CREATION_EXCLUSIVE : 0)
         | ((flags & O_NOCTTY) != 0 ? CREATION_NO_TERMINAL : 0)
         | ((flags & O_NOFOLLOW) != 0 ? CREATION_NO_FOLLOW : 0)
         | ((flags & O_PATH) != 0 ? CREATION_PATH : 0)
         | ((flags & O_TMPFILE) == O_TMPFILE ? CREATION_TEMPORARY : 0);
}

static int
status_of (int flags)
{
  return ((flags & O_CLOEXEC) != 0 ? STATUS_CLOSE_ON_EXEC : 0)
         | ((flags & O_APPEND) != 0 ? STATUS_APPEND : 0)
         | ((flags & O_NONBLOCK) != 0 ? STATUS_NON_BLOCKING : 0)
         | ((flags & O_ASYNC) != 0 ? STATUS_ASYNC : 0)
         | ((flags & O_SYNC) == O_SYNC ? STATUS_SYNC : 0)
         | ((flags & O_SYNC) == O_DSYNC ? STATUS_DATA_SYNC : 0)
         | ((flags & O_DIRECT) != 0 ? STATUS_DIRECT : 0)
         | ((flags & O_NOATIME) != 0 ? STATUS_NO_ACCESS_TIME : 0);
}

/** kymo_io_opened: @handle was opened with @flags of open (). */
void
kymo_io_opened (KymoIoCall *call, KymoIoHandle *handle, int flags)
{
  KymoRawCell *cell;

  if (handle == NULL || call->thread == NULL)
    return;
  if ((flags & O_ACCMODE) == O_RDONLY && (flags & O_TRUNC) == 0)
    kymo_io_look (handle);
  else
    kymo_io_own (handle->file);
  cell = reserve_record (call, 2, handle->id);
  if (cell == NULL)
    return;
  cell->small = (flags & O_ACCMODE) == O_RDONLY ? 0 : (flags & O_ACCMODE) == O_WRONLY ? 1 : 2;
  kymo_rec_words (cell, 1)->i = creation_of (flags);
  kymo_rec_words (cell, 1)->j = status_of (flags);
  kymo_rec_commit (cell, KYMO_RAW_IO_OPEN);
}

/** kymo_io_closed: @handle is closed; nothing if it is NULL. */
void
kymo_io_closed (KymoIoCall *call, KymoIoHandle *handle)
{
  KymoRawCell *cell = handle != NULL ? reserve_record (call, 1, handle->id) : NULL;

  if (cell == NULL)
    return;
  kymo_rec_commit (cell, KYMO_RAW_IO_CLOSE);
  kymo_io_look (handle);
}

/** kymo_io_duplicated: @to is a second handle of what is open as @from; @flags are of open (). */
void
kymo_io_duplicated (KymoIoCall *call, KymoIoHandle *from, KymoIoHandle *to, int flags)
{
  KymoRawCell *cell = from != NULL && to != NULL ? reserve_record (call, 2, from->id) : NULL;

  if (cell == NULL)
    return;
  kymo_rec_words (cell, 1)->i = (int32_t) to->id;
  kymo_rec_words (cell, 1)->j = status_of (flags);
  kymo_rec_commit (cell, KYMO_RAW_IO_DUP);
}

/** kymo_io_sought: the position of @handle was moved.
 * @whence: of lseek ()
 * @asked: bytes, counted from there
 * @now: bytes from the start, where it is now */
void
kymo_io_sought (KymoIoCall *call, KymoIoHandle *handle, int whence, int64_t asked, int64_t now)
{
  KymoRawCell *cell = handle != NULL ? reserve_record (call, 2, handle->id) : NULL;

  if (cell == NULL)
    return;
  cell->small = (uint16_t) whence;      /* OTF2_IoSeekOption has the same numbers */
  kymo_rec_words (cell, 1)->a = (uint64_t) asked;
  kymo_rec_words (cell, 1)->b = (uint64_t) now;
  kymo_rec_commit (cell, KYMO_RAW_IO_SEEK);
}

/** kymo_io_locked: a lock of @handle was acquired, released or refused.
 * @how: KYMO_IO_ACQUIRED, KYMO_IO_RELEASED or KYMO_IO_TRIED
 * @type: OTF2_LockType: 0 exclusive, 1 shared, -1 the last one */
void
kymo_io_locked (KymoIoCall *call, KymoIoHandle *handle, unsigned how, int type)
{
  KymoRawCell *cell = handle != NULL ? reserve_record (call, 2, handle->id) : NULL;

  if (cell == NULL)
    return;
  if (type >= 0)
    handle->lock = (uint8_t) type;
  cell->small = (uint16_t) how;
  kymo_rec_words (cell, 1)->i = handle->lock;
  kymo_rec_commit (cell, KYMO_RAW_IO_LOCK);
}

/** kymo_io_status: the flags of @handle are now @flags, as those of open (). */
void
kymo_io_status (KymoIoCall *call, KymoIoHandle *handle, int flags)
{
  KymoRawCell *cell = handle != NULL ? reserve_record (call, 2, handle->id) : NULL;

  if (cell == NULL)
    return;
  kymo_rec_words (cell, 1)->i = status_of (flags);
  kymo_rec_commit (cell, KYMO_RAW_IO_STATUS);
}

/** kymo_io_deleted: the file @path, from the root of its file system, was deleted through
 * @paradigm. */
void
kymo_io_deleted (KymoIoCall *call, const char *path, unsigned paradigm)
{
  KymoRawCell *cell;
  uint32_t file;

  if (call->thread == NULL)
    return;
  if (paradigm != KYMO_IO_LIBNFS)
    kymo_io_own_path (AT_FDCWD, path);
  file = kymo_io_file_id (path);
  cell = file != KYMO_RAW_NONE ? reserve_record (call, 1, file) : NULL;
  if (cell == NULL)
    return;
  cell->small = (uint16_t) paradigm;
  kymo_rec_commit (cell, KYMO_RAW_IO_DELETE);
}

/* Regions that a signal handler may need first are known before. */
static void
know_regions (void)
{
  for (unsigned function = 0; function < KYMO_LIBC_N; function++)
    kymo_libc_next (function);
}

static __attribute__ ((constructor (201))) void
add_hook (void)
{
  kymo_rec_at_start (know_regions);
}
