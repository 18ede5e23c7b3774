/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The raw folder of a process: FOLDER/raw/HOST.PID. On a network file system, where a mapped
 * page may be lost or block, it is a symbolic link to a folder on a local disk.
 */
#include "kymo-rec-inner.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statfs.h>

/* File systems that live on this machine's own disks or in its memory, but for FUSE, of which
 * nobody knows; as statfs() names them. */
static const uint32_t far_types[] = {
  0x6969,                       /* NFS */
  0x0BD00BD0,                   /* Lustre */
  0x47504653,                   /* GPFS */
  0x65735546,                   /* FUSE: BeeGFS, sshfs, GlusterFS */
  0x19830326,                   /* BeeGFS */
  0x00C36400,                   /* Ceph */
  0xFF534D42, 0xFE534D42, 0x517B, /* CIFS, SMB2, SMB */
  0x5346414F, 0x6B414653,       /* AFS */
  0x01021997,                   /* 9P */
  0x20030528, 0x7461636F,       /* OrangeFS, OCFS2 */
  0x01161970,                   /* GFS2 */
  0xAAD7AAEA,                   /* Panasas */
};

/**
 * kymo_rec_is_far: whether a file or folder lies on another machine. Waits for that machine.
 */
bool
kymo_rec_is_far (const char *path)
{
  struct statfs disk;

  if (syscall (SYS_statfs, path, &disk) != 0)
    return false;
  for (unsigned i = 0; i < sizeof far_types / sizeof *far_types; i++)
    if ((uint32_t) disk.f_type == far_types[i])
      return true;
  return false;
}

/* Whether the folder of the run lies there. */
static bool folder_is_far;

/* A folder that exists and is ours alone. */
static bool
make_own (const char *path)
{
  struct stat found;

  if (kymo_sys_mkdir (path) == 0)
    return true;
  if (errno != EEXIST)
    return false;
  if (kymo_sys_stat (path, &found, AT_SYMLINK_NOFOLLOW) && S_ISDIR (found.st_mode)
      && found.st_uid == geteuid ())
    return true;
  errno = EEXIST;
  return false;
}

/* Where a program that calls exec() was recorded before, the next one gets a number. */
static bool
make_new (char       *path,
          size_t      n_bytes,
          const char *base)
{
  for (unsigned i = 1; i < 1000; i++)
    {
      struct stat found;
      int n = i == 1 ? snprintf (path, n_bytes, "%s", base)
                     : snprintf (path, n_bytes, "%s.%u", base, i);
      if (n < 0 || (size_t) n >= n_bytes)
        break;
      if (!kymo_sys_stat (path, &found, AT_SYMLINK_NOFOLLOW) && kymo_sys_mkdir (path) == 0)
        return true;
      if (errno != EEXIST && errno != 0 && !kymo_sys_stat (path, &found, AT_SYMLINK_NOFOLLOW))
        return false;
    }
  errno = ENAMETOOLONG;
  return false;
}

static uint32_t
hash_path (const char *path)
{
  uint32_t hash = 2166136261u;

  for (; *path != '\0'; path++)
    hash = (hash ^ (unsigned char) *path) * 16777619u;
  return hash;
}

/* The folder on a local disk, and a link to it. */
static bool
make_local (const KymoRecOptions *options,
            const char           *name,
            const char           *link_base,
            char                 *path,
            size_t                n_bytes)
{
  char base[KYMO_SYS_MOST_PATH], link[KYMO_SYS_MOST_PATH + 128];
  const char *disk = options->local;

  if (disk[0] == '\0')
    disk = getenv ("TMPDIR");
  if (disk == NULL || disk[0] != '/' || (options->local[0] == '\0' && kymo_rec_is_far (disk)))
    disk = "/tmp";
  int n = snprintf (base, sizeof base, "%s/kymo-raw-%u-%08x", disk, (unsigned) geteuid (),
                    hash_path (options->folder));
  if (n < 0 || (size_t) n >= sizeof base)
    {
      errno = ENAMETOOLONG;
      return false;
    }
  if (!make_own (base))
    return false;
  n = snprintf (link, sizeof link, "%s/%s", base, name);
  if (n < 0 || !make_new (path, n_bytes, link))
    return false;
  const char *slash = strrchr (path, '/');
  snprintf (link, sizeof link, "%s%s", link_base, slash);
  return syscall (SYS_symlinkat, path, AT_FDCWD, link) == 0;
}

/**
 * kymo_rec_process_folder_make: makes the raw folder of this process, and what it lies in.
 * @host: name of the machine
 * @path: (out): of the folder itself, on a local disk if it can be
 * @n_bytes: room in @path
 *
 * Returns: FALSE with errno if there is none
 */
bool
kymo_rec_process_folder_make (const KymoRecOptions *options,
                              const char           *host,
                              char                 *path,
                              size_t                n_bytes)
{
  char base[KYMO_SYS_MOST_PATH], name[192];

  kymo_sys_mkdir (options->folder);
  snprintf (base, sizeof base, "%s/raw", options->folder);
  if (!make_own (base))
    return false;
  snprintf (name, sizeof name, "%s.%u", host, kymo_rec_page->pid);
  folder_is_far = kymo_rec_is_far (options->folder);
  if (options->local[0] != '\0' || folder_is_far)
    return make_local (options, name, base, path, n_bytes);
  char full[KYMO_SYS_MOST_PATH + 256];
  snprintf (full, sizeof full, "%s/%s", base, name);
  return make_new (path, n_bytes, full);
}

/* -- file servers that do not answer ------------------------------------------------- */

/* How long the end of the record has already waited for the server while nothing came about. */
static uint64_t waited_in_all_ns;

/* What takes no longer is no reason for impatience. */
#define PROMPT_NS 1000000000u

/**
 * kymo_rec_folder_is_far: whether the folder of the run lies on a file server; then the raw files
 * are elsewhere.
 */
bool
kymo_rec_folder_is_far (void)
{
  return folder_is_far;
}

/**
 * kymo_rec_folder_get_patience: for how many nanoseconds without progress to wait for the server
 */
uint64_t
kymo_rec_folder_get_patience (void)
{
  uint64_t most_ns = kymo_rec_options ()->patience_ns;

  return waited_in_all_ns < most_ns ? most_ns - waited_in_all_ns : 0;
}

/**
 * kymo_rec_folder_lose_patience:
 * @waited_ns: how long nothing came about
 */
void
kymo_rec_folder_lose_patience (uint64_t waited_ns)
{
  if (waited_ns > PROMPT_NS)
    waited_in_all_ns += waited_ns - PROMPT_NS;
}

/** Work: what another thread does; never freed, as the thread may last longer than anyone waits */
typedef struct
{
  void             (*function) (void);
  _Atomic uint32_t is_done;
} Work;

static void *
do_work (void *data)
{
  Work *work = data;

  kymo_rec_self.depth = KYMO_REC_HELPER_DEPTH;
  kymo_rec_self.frame = UINTPTR_MAX;
  work->function ();
  atomic_store (&work->is_done, 1);
  kymo_sys_wake (&work->is_done);
  return NULL;
}

/**
 * kymo_rec_folder_do:
 * @function: calls system calls on the folder of the run
 *
 * Calls it, in another thread if the folder lies on a file server, which may never answer. Only
 * the thread that ends the record calls this.
 *
 * Returns: whether @function has returned; if not it never will, or too late
 */
bool
kymo_rec_folder_do (void (*function) (void))
{
  uint64_t begin_ns = kymo_rec_monotonic_ns (), now_ns = begin_ns;
  uint64_t until_ns = begin_ns + kymo_rec_folder_get_patience ();
  Work *work = kymo_rec_folder_is_far () ? kymo_rec_arena (sizeof *work) : NULL;
  unsigned long thread;

  if (work != NULL)
    work->function = function;
  if (work == NULL || !kymo_rec_start_thread (do_work, work, &thread))
    {
      function ();
      return true;
    }
  pthread_detach (thread);
  while (atomic_load (&work->is_done) == 0 && (now_ns = kymo_rec_monotonic_ns ()) < until_ns)
    kymo_sys_sleep_on (&work->is_done, 0, until_ns - now_ns);
  if (atomic_load (&work->is_done) == 0)
    {
      kymo_rec_folder_lose_patience (UINT64_MAX / 2);
      return false;
    }
  kymo_rec_folder_lose_patience (now_ns - begin_ns);
  return true;
}

static void
ask_server (void)
{
  char path[KYMO_SYS_MOST_PATH + 32];

  snprintf (path, sizeof path, "%s/.ask-%u", kymo_rec_folder (), kymo_rec_page->pid);
  int fd = kymo_sys_open (path, O_WRONLY | O_CREAT, 0600);
  if (fd >= 0)
    kymo_sys_close (fd);
  syscall (SYS_unlinkat, AT_FDCWD, path, 0);
}

/**
 * kymo_rec_folder_answers: whether the file server on which the folder of the run lies answers.
 * Asked once, by the thread that ends the record; a folder on a local disk is not asked.
 */
bool
kymo_rec_folder_answers (void)
{
  static int answer = -1;

  if (answer < 0)
    answer = !kymo_rec_folder_is_far () || kymo_rec_folder_do (ask_server);
  return answer;
}

/* -- removing ------------------------------------------------------------------------ */

/* And folders in it, so many levels of them. */
static void
empty_folder (int      fd,
              unsigned n_levels)
{
  char entries[4096];
  long n;

  while ((n = syscall (SYS_getdents64, fd, entries, sizeof entries)) > 0)
    for (long at = 0; at < n;)
      {
        struct { uint64_t inode; int64_t offset; uint16_t size; uint8_t type; char name[]; } *entry
          = (void *) (entries + at);
        at += entry->size;
        if (strcmp (entry->name, ".") == 0 || strcmp (entry->name, "..") == 0
            || syscall (SYS_unlinkat, fd, entry->name, 0) == 0 || n_levels == 0)
          continue;
        int inner = (int) syscall (SYS_openat, fd, entry->name,
                                   O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0);
        if (inner < 0)
          continue;
        empty_folder (inner, n_levels - 1);
        kymo_sys_close (inner);
        syscall (SYS_unlinkat, fd, entry->name, AT_REMOVEDIR);
      }
}

static void
discard (const char *folder,
         unsigned    n_levels)
{
  int fd = kymo_sys_open (folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0);

  if (fd >= 0)
    {
      empty_folder (fd, n_levels);
      kymo_sys_close (fd);
    }
  syscall (SYS_unlinkat, AT_FDCWD, folder, fd >= 0 ? AT_REMOVEDIR : 0);
}

/**
 * kymo_rec_discard_folder: removes a raw folder with its files.
 * @folder: its path; if it is a link, only the link goes
 */
void
kymo_rec_discard_folder (const char *folder)
{
  discard (folder, 0);
}

/**
 * kymo_rec_discard_tree: removes a folder that the recorder made on a local disk, with all in it.
 * @folder: its path
 */
void
kymo_rec_discard_tree (const char *folder)
{
  discard (folder, 2);
}

/**
 * kymo_rec_discard: removes the raw folder of this process, whose archive is written.
 */
void
kymo_rec_discard (void)
{
  char path[KYMO_SYS_MOST_PATH + 300];
  const char *folder = kymo_rec_process_folder (), *slash = strrchr (folder, '/');

  if (slash == NULL)
    return;
  kymo_rec_discard_folder (folder);
  snprintf (path, sizeof path, "%s/raw%s", kymo_rec_folder (), slash);
  syscall (SYS_unlinkat, AT_FDCWD, path, 0);
  /* The folders above, if this was the last process. */
  snprintf (path, sizeof path, "%.*s", (int) (slash - folder), folder);
  syscall (SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR);
  snprintf (path, sizeof path, "%s/raw", kymo_rec_folder ());
  syscall (SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR);
}
