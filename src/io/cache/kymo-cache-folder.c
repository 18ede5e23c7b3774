/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-cache-folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "kymo-error.h"
#include "kymo-input.h"
#include "kymo-units.h"

#define NAME_LENGTH 36          /* 32 hexadecimal digits and ".run" */
#define TEMPORARY ".new-"
#define STALE_SECONDS 3600      /* no writer takes that long */

static void
set_error (GError **error,
           int      code)
{
  g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_WRITE, g_strerror (code));
}

/**
 * kymo_cache_folder_open:
 * @make: whether to make it where it is missing
 *
 * Returns: a descriptor of the folder, or -1; then the error is what the
 * system says
 */
int
kymo_cache_folder_open (gboolean   make,
                        GError   **error)
{
  g_autofree char *path = g_build_filename (g_get_user_cache_dir (), "kymo", NULL);
  struct stat info;
  int fd;

  if (make && (g_mkdir_with_parents (g_get_user_cache_dir (), 0700) != 0
               || (mkdir (path, 0700) != 0 && errno != EEXIST)))
    {
      set_error (error, errno);
      return -1;
    }
  fd = open (path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd >= 0 && fstat (fd, &info) == 0 && info.st_uid == geteuid ()
      && (info.st_mode & (S_IWGRP | S_IWOTH)) == 0)
    return fd;
  set_error (error, fd < 0 ? errno : EPERM);
  if (fd >= 0)
    close (fd);
  return -1;
}

/**
 * kymo_cache_folder_get:
 * @folder: descriptor of the cache folder
 * @name: of the file, without a folder
 *
 * Opens a file and marks it as used just now.
 *
 * Returns: a descriptor for reading, or -1 if there is no such file, or it is not a regular
 *   file that only its owner, the user, may write
 */
int
kymo_cache_folder_get (int         folder,
                       const char *name)
{
  const struct timespec now[2] = { { 0, UTIME_NOW }, { 0, UTIME_NOW } };
  int fd = openat (folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  struct stat info;

  if (fd < 0)
    return -1;
  if (fstat (fd, &info) == 0 && S_ISREG (info.st_mode) && info.st_uid == geteuid ()
      && (info.st_mode & (S_IWGRP | S_IWOTH)) == 0)
    {
      if (futimens (fd, now) != 0)
        g_debug ("A cache file keeps its old time: %s", g_strerror (errno));
      return fd;
    }
  close (fd);
  return -1;
}

/**
 * kymo_cache_folder_create:
 * @folder: descriptor of the cache folder
 * @name: (out) (transfer full): of the new file; %NULL on failure
 *
 * Makes an empty file that only the user can read. %KYMO_ERROR_WRITE is set with what the
 * system says.
 *
 * Returns: a descriptor for writing and, since segments are mapped from it, for reading; or
 *   -1
 */
int
kymo_cache_folder_create (int       folder,
                          char    **name,
                          GError  **error)
{
  int fd;

  *name = g_strdup_printf (TEMPORARY "%08x%08x", g_random_int (), g_random_int ());
  fd = openat (folder, *name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0)
    {
      set_error (error, errno);
      g_clear_pointer (name, g_free);
    }
  return fd;
}

/**
 * kymo_cache_folder_link:
 * @folder: descriptor of the cache folder
 * @fd: a file without a name, of the same disk
 * @name: (out) (transfer full): the name it gets; %NULL on failure
 *
 * Gives a file without a name a temporary name. %KYMO_ERROR_WRITE is set with what the system
 * says.
 *
 * Returns: whether the file has a name
 */
gboolean
kymo_cache_folder_link (int       folder,
                        int       fd,
                        char    **name,
                        GError  **error)
{
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);

  *name = g_strdup_printf (TEMPORARY "%08x%08x", g_random_int (), g_random_int ());
  if (linkat (AT_FDCWD, path, folder, *name, AT_SYMLINK_FOLLOW) == 0)
    return TRUE;
  set_error (error, errno);
  g_clear_pointer (name, g_free);
  return FALSE;
}

/**
 * kymo_cache_folder_put:
 * @folder: descriptor of the cache folder
 * @from: temporary name of the file
 * @name: name of the file from now on
 *
 * Gives a complete file its name, in the place of an older file; readers of the older file
 * keep what they have. %KYMO_ERROR_WRITE is set with what the system says.
 *
 * Returns: whether the file has its name
 */
gboolean
kymo_cache_folder_put (int          folder,
                       const char  *from,
                       const char  *name,
                       GError     **error)
{
  if (renameat (folder, from, folder, name) == 0)
    return TRUE;
  set_error (error, errno);
  return FALSE;
}

/**
 * kymo_cache_folder_remove:
 * @name: of a file in the cache folder
 *
 * Removes a file that turned out to be damaged. Failure is ignored.
 */
void
kymo_cache_folder_remove (const char *name)
{
  int folder = kymo_cache_folder_open (FALSE, NULL);

  if (folder < 0)
    return;
  unlinkat (folder, name, 0);
  close (folder);
}

static void
file_clear (gpointer data)
{
  g_free (((KymoCacheFolderFile *) data)->name);
}

static int
compare_files (gconstpointer a,
              gconstpointer b)
{
  const KymoCacheFolderFile *x = a, *y = b;

  return x->used_s < y->used_s ? -1 : x->used_s > y->used_s;
}

/**
 * kymo_cache_folder_list:
 * @folder: descriptor of the cache folder
 *
 * Lists the files of runs. Temporary files that a killed process left behind are removed on
 * the way.
 *
 * Returns: (transfer full) (element-type KymoCacheFolderFile): the file that was used longest
 *   ago first
 */
GArray *
kymo_cache_folder_list (int folder)
{
  GArray *kept = g_array_new (FALSE, FALSE, sizeof (KymoCacheFolderFile));
  int copy = openat (folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *dir = copy >= 0 ? fdopendir (copy) : NULL;
  gint64 now_s = g_get_real_time () / G_USEC_PER_SEC;
  struct dirent *entry;

  g_array_set_clear_func (kept, file_clear);
  while (dir != NULL && (entry = readdir (dir)) != NULL)
    {
      struct stat info;

      if (fstatat (folder, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0
          || !S_ISREG (info.st_mode))
        continue;
      if (g_str_has_prefix (entry->d_name, TEMPORARY)
          && info.st_mtim.tv_sec < now_s - STALE_SECONDS)
        unlinkat (folder, entry->d_name, 0);
      if (strlen (entry->d_name) == NAME_LENGTH && g_str_has_suffix (entry->d_name, ".run"))
        {
          KymoCacheFolderFile one = { g_strdup (entry->d_name), info.st_size,
                       MAX (info.st_atim.tv_sec, info.st_mtim.tv_sec) };

          g_array_append_val (kept, one);
        }
    }
  if (dir != NULL)
    closedir (dir);
  else if (copy >= 0)
    close (copy);
  g_array_sort (kept, compare_files);
  return kept;
}

/**
 * kymo_cache_folder_has_room:
 * @folder: descriptor of the cache folder
 * @n_bytes: size of a file to be written
 *
 * Makes room by removing the files that were used longest ago. All files together take no
 * more than kymo_cache_get_max_bytes(), or a tenth of what the disk has left.
 *
 * Returns: whether the file may be written
 */
gboolean
kymo_cache_folder_has_room (int     folder,
                            guint64 n_bytes)
{
  g_autoptr (GArray) kept = kymo_cache_folder_list (folder);
  guint64 total = 0, limit = kymo_cache_get_max_bytes ();
  struct statvfs disk;

  for (guint i = 0; i < kept->len; i++)
    total += g_array_index (kept, KymoCacheFolderFile, i).n_bytes;
  if (fstatvfs (folder, &disk) == 0)
    limit = MIN (limit, ((guint64) disk.f_bavail * disk.f_frsize + total) / 10);
  if (n_bytes > limit)
    return FALSE;
  for (guint i = 0; i < kept->len && total > limit - n_bytes; i++)
    {
      const KymoCacheFolderFile *oldest = &g_array_index (kept, KymoCacheFolderFile, i);

      if (unlinkat (folder, oldest->name, 0) == 0)
        total -= oldest->n_bytes;
    }
  return total <= limit - n_bytes;
}

/**
 * kymo_cache_get_limit:
 * @variable: of the environment, a count of bytes
 *
 * Returns: what it says, else @fallback
 */
gint64
kymo_cache_get_limit (const char *variable,
                      gint64      fallback)
{
  const char *text = g_getenv (variable);
  gint64 value;

  return text != NULL && g_ascii_string_to_signed (text, 10, 0, G_MAXINT64, &value, NULL)
    ? value : fallback;
}

/* Limit on the size of the cache that the person sets, in a line of
   $XDG_CONFIG_HOME/kymo/cache.conf. It is a file and not a setting of the window, so that the
   command line honours it also where neither a schema nor a settings service is installed. */

#define GROUP "cache"
#define KEY "max-size"
#define MOST_FILE_BYTES 65536

/**
 * kymo_cache_limit_dup_path:
 *
 * Returns: (transfer full): of the file that holds the preference
 */
char *
kymo_cache_limit_dup_path (void)
{
  return g_build_filename (g_get_user_config_dir (), "kymo", "cache.conf", NULL);
}

/* The file as it is; what is no such file counts as empty. */
static GKeyFile *
load_cache_limit (const char *path)
{
  GKeyFile *file = g_key_file_new ();

  kymo_input_load_key_file (file, path, MOST_FILE_BYTES, G_KEY_FILE_KEEP_COMMENTS, NULL);
  return file;
}

/**
 * kymo_cache_get_max_bytes:
 *
 * Returns: the most that all files of the cache may take together: what the
 * environment says (KYMO_CACHE_MAX_BYTES), else the person's file, else
 * %KYMO_CACHE_DEFAULT_MAX_BYTES. Any thread.
 */
gint64
kymo_cache_get_max_bytes (void)
{
  g_autofree char *path = kymo_cache_limit_dup_path ();
  g_autoptr (GKeyFile) file = load_cache_limit (path);
  g_autofree char *text = g_key_file_get_string (file, GROUP, KEY, NULL);
  gint64 bytes;

  if (text == NULL || !kymo_parse_size (text, &bytes, NULL) || bytes < 0)
    bytes = KYMO_CACHE_DEFAULT_MAX_BYTES;
  return kymo_cache_get_limit ("KYMO_CACHE_MAX_BYTES", bytes);
}

/**
 * kymo_cache_set_max_bytes:
 * @bytes: from 0; 0 keeps nothing
 *
 * Writes the user's file of settings. Files beyond the limit are removed when the next run is
 * kept, or by kymo_cache_trim(). %KYMO_ERROR_WRITE is set if the file cannot be written.
 *
 * Returns: whether it was written
 */
gboolean
kymo_cache_set_max_bytes (gint64   bytes,
                          GError **error)
{
  g_autofree char *path = kymo_cache_limit_dup_path ();
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *text = g_strdup_printf ("%" G_GINT64_FORMAT, bytes);
  g_autoptr (GKeyFile) file = load_cache_limit (path);
  g_autoptr (GError) local = NULL;

  g_key_file_set_string (file, GROUP, KEY, text);
  if (g_mkdir_with_parents (folder, 0700) == 0 && g_key_file_save_to_file (file, path, &local))
    return TRUE;
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_WRITE, _("“%s” cannot be written%s%s"), path,
               local != NULL ? ": " : "", local != NULL ? local->message : "");
  return FALSE;
}
