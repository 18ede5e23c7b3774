/* kymo-nfs.c: wrappers of libnfs, which reaches NFS servers without the kernel
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Only the functions that wait for their answer. The library is not needed to
 * build or to run: types of its own are pointers here. Version 6 changed the
 * order of the arguments of reading and writing, so these are passed on as they
 * come, and how many bytes were asked for is not recorded.
 */

#include "kymo-libc.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>

#include "kymo-rec-sys.h"

#define ROLE_DATA 27
#define ROLE_META 38
#define PARADIGM_NONE 22
#define SETS 1024               /* a power of 2; files that are open at the same time */

typedef struct
{
  void *_Atomic file;
  KymoIoHandle *_Atomic handle;
} Slot;

static Slot slots[SETS];

int nfs_open (void *nfs, const char *path, int flags, void **file);
int nfs_creat (void *nfs, const char *path, int mode, void **file);
int nfs_close (void *nfs, void *file);
int nfs_read (void *nfs, void *file, uint64_t a, uint64_t b);
int nfs_write (void *nfs, void *file, uint64_t a, uint64_t b);
int nfs_pread (void *nfs, void *file, uint64_t a, uint64_t b, uint64_t c);
int nfs_pwrite (void *nfs, void *file, uint64_t a, uint64_t b, uint64_t c);
int nfs_lseek (void *nfs, void *file, int64_t offset, int whence, uint64_t *now);
int nfs_fsync (void *nfs, void *file);
int nfs_stat64 (void *nfs, const char *path, void *status);
int nfs_fstat64 (void *nfs, void *file, void *status);
int nfs_ftruncate (void *nfs, void *file, uint64_t length);
int nfs_unlink (void *nfs, const char *path);
int nfs_mkdir (void *nfs, const char *path);
int nfs_rmdir (void *nfs, const char *path);
int nfs_rename (void *nfs, const char *path, const char *to);

/* The slot of an open file, or with @free one that can be its own; NULL if there is none. */
static Slot *
find_slot (void *file, bool free)
{
  uint64_t at = ((uintptr_t) file >> 4) * 0x9e3779b97f4a7c15u >> 40;

  for (int i = 0; i < 64; i++, at++)
    {
      Slot *slot = &slots[at & (SETS - 1)];
      void *none = NULL;

      if (free ? atomic_compare_exchange_strong (&slot->file, &none, file)
               : atomic_load (&slot->file) == file)
        return slot;
    }
  return NULL;
}

static KymoIoHandle *
handle_of (const KymoIoCall *call, void *file)
{
  Slot *slot = call->thread != NULL ? find_slot (file, false) : NULL;

  return slot != NULL ? atomic_load (&slot->handle) : NULL;
}

static void
take_opened (KymoIoCall *call, const char *path, int flags, void *file)
{
  Slot *slot;
  KymoIoHandle *handle;

  if (call->thread == NULL)
    return;
  slot = find_slot (file, true);
  handle = slot != NULL ? kymo_io_open_handle (path, KYMO_IO_LIBNFS) : NULL;
  if (slot != NULL)
    atomic_store (&slot->handle, handle);
  kymo_io_opened (call, handle, flags);
}

/* A plug-in may have loaded the library for itself alone: then it stands not behind ours. */
static void *
find_next (const char *name)
{
  static const char *const libraries[] = { "libnfs.so.13", "libnfs.so.14", "libnfs.so.15",
                                           "libnfs.so.16" };
  void *next = kymo_rec_next_symbol (name);

  for (size_t i = 0; i < sizeof libraries / sizeof libraries[0] && next == NULL; i++)
    {
      void *library = dlopen (libraries[i], RTLD_LAZY | RTLD_NOLOAD);

      if (library != NULL)
        next = dlsym (library, name);
    }
  return next;
}

/* As kymo_io_begin(), for functions that are found and named when they are first called. */
#define BEGIN(name, role)                                       \
  static __typeof__ (&name) next;                               \
  static uint32_t region;                                       \
  KymoIoCall call = { .handle = NULL };                         \
                                                                \
  if (next == NULL)                                             \
    next = (__typeof__ (next)) (uintptr_t) find_next (#name);   \
  if (next == NULL)                                             \
    return -ENOSYS;                                             \
  call.thread = kymo_rec_begin ();                              \
  if (call.thread != NULL && region == 0)                       \
    region = kymo_rec_region (#name, role, PARADIGM_NONE, NULL, 0) + 1; \
  call.region = region - 1;                                     \
  if (call.thread != NULL)                                      \
    kymo_rec_enter (call.thread, call.region, kymo_rec_now ())

#define WRAP_DATA(name, parameters, arguments, mode)            \
  KYMO_WRAPPER int                                              \
  name parameters                                               \
  {                                                             \
    int n;                                                      \
    BEGIN (name, ROLE_DATA);                                    \
    kymo_io_data_begin (&call, handle_of (&call, file), mode, KYMO_IO_UNKNOWN); \
    n = next arguments;                                         \
    kymo_io_data_end (&call, n > 0 ? (uint64_t) n : 0);         \
    kymo_io_end (&call);                                        \
    return n;                                                   \
  }

WRAP_DATA (nfs_read, (void *nfs, void *file, uint64_t a, uint64_t b), (nfs, file, a, b),
           KYMO_IO_READ)
WRAP_DATA (nfs_write, (void *nfs, void *file, uint64_t a, uint64_t b), (nfs, file, a, b),
           KYMO_IO_WRITE)
WRAP_DATA (nfs_pread, (void *nfs, void *file, uint64_t a, uint64_t b, uint64_t c),
           (nfs, file, a, b, c), KYMO_IO_READ)
WRAP_DATA (nfs_pwrite, (void *nfs, void *file, uint64_t a, uint64_t b, uint64_t c),
           (nfs, file, a, b, c), KYMO_IO_WRITE)
WRAP_DATA (nfs_fsync, (void *nfs, void *file), (nfs, file), KYMO_IO_FLUSH)

#define WRAP_META(name, parameters, arguments)                  \
  KYMO_WRAPPER int                                              \
  name parameters                                               \
  {                                                             \
    int result;                                                 \
    BEGIN (name, ROLE_META);                                    \
    result = next arguments;                                    \
    kymo_io_end (&call);                                        \
    return result;                                              \
  }

WRAP_META (nfs_stat64, (void *nfs, const char *path, void *status), (nfs, path, status))
WRAP_META (nfs_fstat64, (void *nfs, void *file, void *status), (nfs, file, status))
WRAP_META (nfs_ftruncate, (void *nfs, void *file, uint64_t length), (nfs, file, length))
WRAP_META (nfs_mkdir, (void *nfs, const char *path), (nfs, path))
WRAP_META (nfs_rmdir, (void *nfs, const char *path), (nfs, path))
WRAP_META (nfs_rename, (void *nfs, const char *path, const char *to), (nfs, path, to))

KYMO_WRAPPER int
nfs_unlink (void *nfs, const char *path)
{
  int result;
  BEGIN (nfs_unlink, ROLE_META);

  result = next (nfs, path);
  if (result == 0)
    kymo_io_deleted (&call, path, KYMO_IO_LIBNFS);
  kymo_io_end (&call);
  return result;
}

KYMO_WRAPPER int
nfs_open (void *nfs, const char *path, int flags, void **file)
{
  int result;
  BEGIN (nfs_open, ROLE_DATA);

  result = next (nfs, path, flags, file);
  if (result == 0)
    take_opened (&call, path, flags, *file);
  kymo_io_end (&call);
  return result;
}

KYMO_WRAPPER int
nfs_creat (void *nfs, const char *path, int mode, void **file)
{
  int result;
  BEGIN (nfs_creat, ROLE_DATA);

  result = next (nfs, path, mode, file);
  if (result == 0)
    take_opened (&call, path, O_CREAT | O_WRONLY | O_TRUNC, *file);
  kymo_io_end (&call);
  return result;
}

KYMO_WRAPPER int
nfs_close (void *nfs, void *file)
{
  KymoIoHandle *handle = NULL;
  Slot *slot;
  int result;
  BEGIN (nfs_close, ROLE_DATA);

  slot = find_slot (file, false);
  if (slot != NULL)
    {
      handle = atomic_exchange (&slot->handle, NULL);
      atomic_store (&slot->file, NULL);
    }
  result = next (nfs, file);
  if (call.thread != NULL)
    {
      kymo_io_closed (&call, handle);
      kymo_io_release (handle, KYMO_IO_LIBNFS);
    }
  kymo_io_end (&call);
  return result;
}

KYMO_WRAPPER int
nfs_lseek (void *nfs, void *file, int64_t offset, int whence, uint64_t *now)
{
  int result;
  BEGIN (nfs_lseek, ROLE_META);

  result = next (nfs, file, offset, whence, now);
  if (result >= 0 && now != NULL)
    kymo_io_sought (&call, handle_of (&call, file), whence, offset, (int64_t) *now);
  kymo_io_end (&call);
  return result;
}
