/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stamps of many files, by as many threads as there are cores: a run may have
 * a hundred thousand logs, and each costs a few calls of the system.
 */
#include "config.h"

#include "kymo-file-stamp.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "kymo-input.h"
#include "kymo-segment-hash.h"

#define NS_PER_S G_GINT64_CONSTANT (1000000000)

/* Below this many files a thread costs more than it saves. */
#define FILES_PER_THREAD 64

typedef struct
{
  const char *const *paths;
  guint              n_paths;
  KymoFileStamp     *stamps;
  gint               next;      /* atomic: next file to take */
} Task;

G_STATIC_ASSERT (sizeof (KymoFileStamp) == 48);

static gint64
to_ns (struct timespec time)
{
  return time.tv_sec * NS_PER_S + time.tv_nsec;
}

/* A file that cannot be read has the same answer each time. */
static guint64
hash_head (const char *path)
{
  guint8 head[KYMO_FILE_HEAD_BYTES];
  gsize n = kymo_input_read_head (AT_FDCWD, path, head, sizeof head);

  if (n == 0)
    return 0;
  memset (head + n, 0, sizeof head - n);
  return kymo_hash_of (head, sizeof head);
}

static void
take_file_stamp (const char    *path,
                 KymoFileStamp *stamp)
{
  struct stat info;

  *stamp = (KymoFileStamp) { -1 };
  if (stat (path, &info) != 0)
    return;
  stamp->n_bytes = info.st_size;
  stamp->mtime_ns = to_ns (info.st_mtim);
  stamp->ctime_ns = to_ns (info.st_ctim);
  stamp->inode = info.st_ino;
  stamp->device = info.st_dev;
  if (S_ISREG (info.st_mode))
    stamp->head = hash_head (path);
}

static gpointer
file_stamp_work (gpointer data)
{
  Task *task = data;
  gint i;

  while ((i = g_atomic_int_add (&task->next, 1)) < (gint) task->n_paths)
    take_file_stamp (task->paths[i], &task->stamps[i]);
  return NULL;
}

/**
 * kymo_file_stamps_take:
 * @paths: (array length=n_paths): files
 * @stamps: (out caller-allocates): n_paths stamps
 *
 * Blocks; any thread.
 */
void
kymo_file_stamps_take (const char *const *paths,
                       guint              n_paths,
                       KymoFileStamp     *stamps)
{
  Task task = { paths, n_paths, stamps, 0 };
  guint n_threads = CLAMP (n_paths / FILES_PER_THREAD, 1, g_get_num_processors ());
  g_autofree GThread **threads = g_new0 (GThread *, n_threads);

  for (guint i = 1; i < n_threads; i++)
    threads[i] = g_thread_new ("kymo-stamps", file_stamp_work, &task);
  file_stamp_work (&task);
  for (guint i = 1; i < n_threads; i++)
    g_thread_join (threads[i]);
}
