/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stamps of many files, by as many threads as there are cores: a run may have
 * a hundred thousand logs, and each costs a few calls of the system.
 */
#include "config.h"

#include "kymo-error.h"
#include "kymo-file-stamp.h"

#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>

#include "kymo-bytes.h"
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

/**
 * kymo_growth_is_recent:
 * @modified_s: when a file was written to last, in seconds since 1970
 *
 * Returns: whether more may come. Clocks of two machines may differ by minutes, so a time
 * that is so little ahead is one of now; one further ahead tells nothing
 */
gboolean
kymo_growth_is_recent (gint64 modified_s)
{
  gint64 age_s = g_get_real_time () / G_USEC_PER_SEC - modified_s;

  return ABS (age_s) <= KYMO_GROWTH_S;
}

/* A number of the file's name, length, time and inode; they are added up, for a folder
   has no order. */
static guint64
hash_file (const char        *name,
           const struct stat *info)
{
  guint64 hash = kymo_mix_bits (info->st_size + 1);

  hash = kymo_mix_bits (hash ^ ((guint64) info->st_mtim.tv_sec * NS_PER_S + info->st_mtim.tv_nsec));
  hash = kymo_mix_bits (hash ^ info->st_ino);
  for (; *name != '\0'; name++)
    hash = kymo_mix_bits (hash ^ (guint8) *name);
  return hash;
}

/**
 * kymo_growth_look:
 * @path: a folder, or a file of a run: then its folder is meant
 * @growth: (out): what is there
 * @error: return location: why the folder cannot be read
 *
 * Reads no file, and asks each for its length and time alone.
 *
 * Returns: whether there is such a folder or file
 */
gboolean
kymo_growth_look (const char  *path,
                  KymoGrowth  *growth,
                  GError     **error)
{
  g_autofree char *folder = g_file_test (path, G_FILE_TEST_IS_REGULAR)
    ? g_path_get_dirname (path) : g_strdup (path);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  *growth = (KymoGrowth) { 0 };
  if (dir == NULL)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                   _("The folder “%s” cannot be opened"), folder);
      return FALSE;
    }
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *file = g_build_filename (folder, name, NULL);
      struct stat info;

      if (stat (file, &info) != 0 || !S_ISREG (info.st_mode))
        continue;
      growth->fingerprint += hash_file (name, &info);
      growth->recent |= kymo_growth_is_recent (info.st_mtime);
    }
  return TRUE;
}
