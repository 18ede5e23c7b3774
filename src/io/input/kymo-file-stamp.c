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
#include "kymo-share.h"

#define NS_PER_S G_GINT64_CONSTANT (1000000000)

/* Below this many files a thread costs more than it saves. */
#define FILES_PER_THREAD 64

typedef struct
{
  const char *const *paths;
  KymoFileStamp     *stamps;
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
take_file_stamp (gpointer data,
                 guint    i)
{
  const Task *task = data;
  KymoFileStamp *stamp = &task->stamps[i];
  struct stat info;

  *stamp = (KymoFileStamp) { -1 };
  if (stat (task->paths[i], &info) != 0)
    return;
  stamp->n_bytes = info.st_size;
  stamp->mtime_ns = to_ns (info.st_mtim);
  stamp->ctime_ns = to_ns (info.st_ctim);
  stamp->inode = info.st_ino;
  stamp->device = info.st_dev;
  if (S_ISREG (info.st_mode))
    stamp->head = hash_head (task->paths[i]);
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
  Task task = { paths, stamps };

  kymo_share_out (n_paths, CLAMP (n_paths / FILES_PER_THREAD, 1, g_get_num_processors ()),
                  take_file_stamp, &task, NULL);
}
