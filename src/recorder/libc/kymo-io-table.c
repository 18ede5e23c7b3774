/* kymo-io-table.c: which files and handles are known, and what is open
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Descriptors and streams are found without locks. Files and handles are made
 * under a lock, where something is opened for the first time. All tables have a
 * bound; what is beyond it is one file with a name that says so.
 */

#include "kymo-libc.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kymo-rec-sys.h"

#define MOST_FDS 65536
#define MOST_FILES 65536
#define FILE_SLOTS (2 * MOST_FILES)     /* a power of 2 */
#define MOST_HANDLES (1 << 18)
#define STREAM_SETS 4096                /* a power of 2 */
#define STREAM_WAYS 8

typedef struct
{
  FILE *_Atomic stream;
  KymoIoHandle *_Atomic handle;
} StreamSlot;

typedef struct
{
  KymoIoHandle *_Atomic fds[MOST_FDS];
  KymoIoFile *files[FILE_SLOTS];
  StreamSlot streams[STREAM_SETS][STREAM_WAYS];
} Tables;

static Tables *_Atomic tables;
static KymoSysLock lock;
static uint32_t n_files, n_handles;
static KymoIoFile *other_files;
static KymoIoHandle *other_handles;
static int highest_fd;

/* Made at the first call. */
static Tables *
find_tables (void)
{
  Tables *made = atomic_load_explicit (&tables, memory_order_acquire), *none = NULL;

  if (__builtin_expect (made != NULL, 1))
    return made;
  made = kymo_rec_arena (sizeof *made);
  if (made != NULL && !atomic_compare_exchange_strong (&tables, &none, made))
    {
      kymo_sys_unmap (made, sizeof *made);
      made = none;
    }
  return made;
}

static KymoIoFile *
make_file (const char *path, uint64_t hash)
{
  size_t length = strlen (path) + 1;
  KymoIoFile *file = kymo_rec_arena (sizeof *file + length);

  if (file == NULL)
    return NULL;
  file->hash = hash;
  memcpy (file->path, path, length);
  file->id = kymo_rec_next_id (KYMO_REC_FILE);
  kymo_rec_define ("file", "us", file->id, path);
  return file;
}

/* The file of a path; the caller holds the lock. */
static KymoIoFile *
find_file (const char *path)
{
  Tables *all = find_tables ();
  uint64_t hash = 0xcbf29ce484222325u;
  KymoIoFile **slot;

  if (all == NULL)
    return NULL;
  for (const char *c = path; *c != '\0'; c++)
    hash = (hash ^ (unsigned char) *c) * 0x100000001b3u;
  for (uint64_t at = hash;; at++)
    {
      slot = &all->files[at & (FILE_SLOTS - 1)];
      if (*slot == NULL || ((*slot)->hash == hash && strcmp ((*slot)->path, path) == 0))
        break;
    }
  if (*slot != NULL)
    return *slot;
  if (n_files < MOST_FILES)
    {
      n_files++;
      return *slot = make_file (path, hash);
    }
  if (other_files == NULL)
    {
      other_files = make_file ("(other files)", 0);
      kymo_rec_define ("lost", "sus", "files", 1u, "there are more files than can be told apart");
    }
  return other_files;
}

/* A handle of a file; the caller holds the lock. */
static KymoIoHandle *
make_handle (KymoIoFile *file, unsigned paradigm)
{
  KymoIoHandle *handle = file->unused[paradigm];

  if (handle != NULL)
    {
      file->unused[paradigm] = handle->next;
      return handle;
    }
  if (n_handles == MOST_HANDLES)
    return other_handles;
  handle = kymo_rec_arena (sizeof *handle);
  if (handle == NULL)
    return NULL;
  n_handles++;
  handle->file = file;
  handle->paradigm = (uint8_t) paradigm;
  handle->id = kymo_rec_next_id (KYMO_REC_HANDLE);
  kymo_rec_define ("handle", "uuurs", handle->id, file->id, (uint32_t) paradigm, "-", "");
  if (n_handles == MOST_HANDLES)
    {
      other_handles = handle;
      kymo_rec_define ("lost", "sus", "handles", 1u,
                       "more is open at the same time than can be told apart");
    }
  return handle;
}

/** kymo_io_open_handle: a handle for the file @path, an absolute path or another name.
 * Returns: owned by the tables; NULL if there is no memory. */
KymoIoHandle *
kymo_io_open_handle (const char *path, unsigned paradigm)
{
  KymoIoHandle *handle = NULL;
  KymoIoFile *file;
  int code = errno;

  kymo_sys_lock (&lock);
  file = find_file (path);
  if (file != NULL)
    handle = make_handle (file, paradigm);
  kymo_sys_unlock (&lock);
  errno = code;
  return handle;
}

/** kymo_io_copy_handle: another handle for the file of @handle, or NULL if that is NULL. */
KymoIoHandle *
kymo_io_copy_handle (const KymoIoHandle *handle, unsigned paradigm)
{
  KymoIoHandle *copy;
  int code = errno;

  if (handle == NULL)
    return NULL;
  kymo_sys_lock (&lock);
  copy = make_handle (handle->file, paradigm);
  kymo_sys_unlock (&lock);
  errno = code;
  return copy;
}

/** kymo_io_release: @handle, or NULL, was closed and may be used again. */
void
kymo_io_release (KymoIoHandle *handle, unsigned paradigm)
{
  if (handle == NULL || handle == other_handles)
    return;
  kymo_sys_lock (&lock);
  handle->next = handle->file->unused[paradigm];
  handle->file->unused[paradigm] = handle;
  kymo_sys_unlock (&lock);
}

/** kymo_io_file_id: the id of the file @path, or KYMO_RAW_NONE. */
uint32_t
kymo_io_file_id (const char *path)
{
  KymoIoFile *file;
  int code = errno;

  kymo_sys_lock (&lock);
  file = find_file (path);
  kymo_sys_unlock (&lock);
  errno = code;
  return file != NULL ? file->id : KYMO_RAW_NONE;
}

/** kymo_io_own_path: the program changes the file @path, seen from @folder as in openat (). */
void
kymo_io_own_path (int folder, const char *path)
{
  char whole[PATH_MAX];
  KymoIoFile *file;
  int code = errno;

  path = kymo_io_whole_path (folder, path, whole, sizeof whole);
  kymo_sys_lock (&lock);
  file = find_file (path);
  kymo_sys_unlock (&lock);
  if (file != NULL)
    kymo_io_own (file);
  errno = code;
}

/* What a descriptor is open for, as the kernel names it; sockets and pipes are not told apart. */
static bool
name_fd (int fd, char *name, size_t size)
{
  char link[64];
  long length;

  snprintf (link, sizeof link, "/proc/self/fd/%d", fd);
  length = syscall (SYS_readlinkat, AT_FDCWD, link, name, size - 1);
  if (length <= 0)
    return false;
  name[length] = '\0';
  if (name[0] != '/')
    name[strcspn (name, ":[")] = '\0';
  return true;
}

/** kymo_io_whole_path: @path as an absolute one, seen from the folder that @folder is open for or
 * AT_FDCWD. @whole of @size bytes is used if need be.
 * Returns: @path or @whole, valid until either goes. */
const char *
kymo_io_whole_path (int folder, const char *path, char *whole, size_t size)
{
  int code = errno;
  size_t length;

  if (path == NULL)
    return "(no name)";
  if (path[0] == '/')
    return path;
  while (path[0] == '.' && path[1] == '/')
    path += 2;
  whole[0] = '\0';
  if (folder == AT_FDCWD)
    {
      if (syscall (SYS_getcwd, whole, size) <= 0 || whole[0] != '/')
        whole[0] = '\0';
    }
  else if (!name_fd (folder, whole, size))
    whole[0] = '\0';
  errno = code;
  length = strlen (whole);
  if (length + 1 + strlen (path) + 1 > size || length == 0)
    return path;
  if (length > 1)
    whole[length++] = '/';
  strcpy (whole + length, path);
  return whole;
}

/** kymo_io_find_fd: the handle of @fd. If it is not known and @make, it is one that was opened
 * before or beside the wrappers.
 * Returns: NULL if there is none. */
KymoIoHandle *
kymo_io_find_fd (int fd, bool make)
{
  Tables *all = find_tables ();
  KymoIoHandle *handle;
  char name[PATH_MAX];
  int code = errno;

  if (all == NULL || fd < 0)
    return NULL;
  if (fd < MOST_FDS)
    {
      handle = atomic_load_explicit (&all->fds[fd], memory_order_acquire);
      if (__builtin_expect (handle != NULL || !make, 1))
        return handle;
    }
  handle = name_fd (fd, name, sizeof name) ? kymo_io_open_handle (name, KYMO_IO_POSIX) : NULL;
  if (handle != NULL && fd < MOST_FDS)
    kymo_io_set_fd (fd, handle);
  else if (handle != NULL)
    kymo_io_release (handle, KYMO_IO_POSIX);
  errno = code;
  return handle;
}

/** kymo_io_set_fd: @fd is @handle from now on. */
void
kymo_io_set_fd (int fd, KymoIoHandle *handle)
{
  Tables *all = find_tables ();
  int highest = __atomic_load_n (&highest_fd, __ATOMIC_RELAXED);

  if (all == NULL || fd < 0 || fd >= MOST_FDS)
    return;
  kymo_io_release (atomic_exchange (&all->fds[fd], handle), KYMO_IO_POSIX);
  while (fd > highest
         && !__atomic_compare_exchange_n (&highest_fd, &highest, fd, true, __ATOMIC_RELAXED,
                                          __ATOMIC_RELAXED))
    ;
}

/** kymo_io_take_fd: forgets @fd, which is closed.
 * Returns: what it was; the caller releases it. NULL if it was not known. */
KymoIoHandle *
kymo_io_take_fd (int fd)
{
  Tables *all = atomic_load_explicit (&tables, memory_order_acquire);

  if (all == NULL || fd < 0 || fd >= MOST_FDS
      || atomic_load_explicit (&all->fds[fd], memory_order_relaxed) == NULL)
    return NULL;
  return atomic_exchange (&all->fds[fd], NULL);
}

/** kymo_io_next_fd: the lowest known descriptor from @fd on, or -1. */
int
kymo_io_next_fd (int fd)
{
  for (int highest = __atomic_load_n (&highest_fd, __ATOMIC_RELAXED); fd <= highest; fd++)
    if (kymo_io_find_fd (fd, false) != NULL)
      return fd;
  return -1;
}

static StreamSlot *
stream_set (Tables *all, const FILE *stream)
{
  uint64_t hash = ((uintptr_t) stream >> 4) * 0x9e3779b97f4a7c15u;

  return all->streams[hash >> 52 & (STREAM_SETS - 1)];
}

/** kymo_io_set_stream: @stream is @handle from now on. */
void
kymo_io_set_stream (FILE *stream, KymoIoHandle *handle)
{
  Tables *all = find_tables ();
  StreamSlot *set;

  kymo_io_release (kymo_io_take_stream (stream), KYMO_IO_STREAM);
  if (all == NULL)
    return;
  set = stream_set (all, stream);
  for (int way = 0; way < STREAM_WAYS; way++)
    {
      FILE *none = NULL;

      if (atomic_load (&set[way].stream) == NULL
          && atomic_compare_exchange_strong (&set[way].stream, &none, stream))
        {
          atomic_store (&set[way].handle, handle);
          return;
        }
    }
  kymo_io_release (handle, KYMO_IO_STREAM);     /* no room: it is made again each time */
}

/** kymo_io_take_stream: forgets @stream, which is closed.
 * Returns: what it was; the caller releases it. NULL if it was not known. */
KymoIoHandle *
kymo_io_take_stream (FILE *stream)
{
  Tables *all = atomic_load_explicit (&tables, memory_order_acquire);
  StreamSlot *set;

  if (all == NULL || stream == NULL)
    return NULL;
  set = stream_set (all, stream);
  for (int way = 0; way < STREAM_WAYS; way++)
    if (atomic_load (&set[way].stream) == stream)
      {
        KymoIoHandle *handle = atomic_exchange (&set[way].handle, NULL);

        atomic_store (&set[way].stream, NULL);
        return handle;
      }
  return NULL;
}

/** kymo_io_find_stream: the handle of @stream, made if it was opened before or beside the wrappers.
 * Returns: NULL if there is none. */
KymoIoHandle *
kymo_io_find_stream (FILE *stream)
{
  Tables *all = find_tables ();
  KymoIoHandle *handle;
  char name[PATH_MAX];
  StreamSlot *set;
  int code = errno, fd;

  if (all == NULL || stream == NULL)
    return NULL;
  set = stream_set (all, stream);
  for (int way = 0; way < STREAM_WAYS; way++)
    if (atomic_load_explicit (&set[way].stream, memory_order_acquire) == stream)
      return atomic_load_explicit (&set[way].handle, memory_order_acquire);
  fd = fileno (stream);
  if (fd < 0 || !name_fd (fd, name, sizeof name))
    strcpy (name, "(memory)");
  handle = kymo_io_open_handle (name, KYMO_IO_STREAM);
  if (handle != NULL)
    kymo_io_set_stream (stream, handle);
  errno = code;
  return handle;
}

/** kymo_io_is_child: whether this is a child of vfork (), which borrows our memory but not our
 * descriptors. */
bool
kymo_io_is_child (void)
{
  return (uint32_t) syscall (SYS_getpid) != kymo_rec_page->pid;
}
