/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-growth.h"

#include <sys/stat.h>

#include "kymo-error.h"

#define NS_PER_S 1000000000

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

/* As in MurmurHash3's finalizer: each bit changes about half of the others. */
static guint64
mix (guint64 value)
{
  value ^= value >> 33;
  value *= G_GUINT64_CONSTANT (0xff51afd7ed558ccd);
  value ^= value >> 33;
  value *= G_GUINT64_CONSTANT (0xc4ceb9fe1a85ec53);
  return value ^ value >> 33;
}

/* A number of the file's name, length, time and inode; they are added up, for a folder
   has no order. */
static guint64
hash_file (const char        *name,
           const struct stat *info)
{
  guint64 hash = mix (info->st_size + 1);

  hash = mix (hash ^ ((guint64) info->st_mtim.tv_sec * NS_PER_S + info->st_mtim.tv_nsec));
  hash = mix (hash ^ info->st_ino);
  for (; *name != '\0'; name++)
    hash = mix (hash ^ (guint8) *name);
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
