/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether files are still written. Most grow, or their time tells it. Event files of kymo-record
 * are mapped and preallocated: neither their length nor, on some file systems, their time
 * changes, so the chunk that was begun last is looked at.
 */
#include "config.h"

#include "kymo-error.h"
#include "kymo-file-stamp.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kymo-bytes.h"
#include "kymo-input.h"
#include "kymo-raw.h"
#include "kymo-segment-hash.h"

#define NS_PER_S G_GINT64_CONSTANT (1000000000)
/* Folders below that of a run: "raw", and in it one of each process. */
#define RAW "raw"
#define MOST_CHUNK_BYTES (64 << 20)

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

/* Where the chunk is that was begun last; 0 = there is none. */
static gint64
find_last_chunk (int    fd,
                 gint64 n_bytes,
                 guint  chunk_bytes)
{
  guint64 latest = 0;
  gint64 found = 0;

  for (gint64 at = KYMO_RAW_HEADER_BYTES; at < n_bytes; at += chunk_bytes)
    {
      struct { KymoRawCell cell; KymoRawWords words; } head = { { 0 } };

      if (pread (fd, &head, sizeof head, at) == sizeof head && head.cell.type == KYMO_RAW_CHUNK
          && head.words.a > latest)
        {
          latest = head.words.a;
          found = at;
        }
    }
  return found;
}

/* A hash of what the writer of an event file changes; 0 of any other file. */
static guint64
hash_events (const char *path)
{
  gint64 n_bytes, at;
  int fd = kymo_input_open (path, &n_bytes, NULL);
  KymoRawHeader header = { "" };
  guint64 hash = 0;

  if (fd < 0)
    return 0;
  if (pread (fd, &header, sizeof header, 0) == sizeof header
      && memcmp (header.magic, KYMO_RAW_MAGIC, sizeof header.magic) == 0
      && header.byte_order == KYMO_RAW_BYTE_ORDER
      && header.chunk_bytes >= KYMO_RAW_HEADER_BYTES && header.chunk_bytes <= MOST_CHUNK_BYTES
      && (at = find_last_chunk (fd, n_bytes, header.chunk_bytes)) > 0)
    {
      g_autofree char *chunk = g_malloc0 (header.chunk_bytes);

      if (pread (fd, chunk, header.chunk_bytes, at) > 0)
        hash = kymo_hash_of (chunk, header.chunk_bytes & ~63u);
    }
  close (fd);
  return hash;
}

/* @depth: of folders of kymo-record: 0 = the folder of the run, 2 = the folder of a process */
static gboolean
look_at_folder (const char *folder,
                guint       depth,
                KymoGrowth *growth)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *file = g_build_filename (folder, name, NULL);
      struct stat info;

      if (stat (file, &info) != 0)
        continue;
      if (S_ISREG (info.st_mode))
        {
          growth->fingerprint += hash_file (name, &info);
          growth->fingerprint += depth == 2 ? hash_events (file) : 0;
          growth->recent |= kymo_growth_is_recent (info.st_mtime);
        }
      else if (S_ISDIR (info.st_mode) && (depth == 0 ? g_str_equal (name, RAW) : depth == 1))
        look_at_folder (file, depth + 1, growth);
    }
  return dir != NULL;
}

/**
 * kymo_growth_look:
 * @path: a folder, or a file of a run: then its folder is meant
 * @growth: (out): what is there
 * @error: return location: why the folder cannot be read
 *
 * Reads no file but those that kymo-record writes, and asks each for its length and time alone.
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

  *growth = (KymoGrowth) { 0 };
  if (look_at_folder (folder, 0, growth))
    return TRUE;
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
               _("The folder “%s” cannot be opened"), folder);
  return FALSE;
}
