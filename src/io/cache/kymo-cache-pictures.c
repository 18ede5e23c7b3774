/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-cache-pictures.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kymo-beside.h"
#include "kymo-cache-folder.h"
#include "kymo-error.h"

#define SUFFIX ".png"
#define DIGITS 32
#define NAME_LENGTH (DIGITS + 4)

typedef struct
{
  char   *name;
  gint64  made_ns;
} Picture;

/* A path need not be UTF-8, nor short enough for a name. */
static char *
dup_name (const char *run)
{
  g_autofree char *whole = g_canonicalize_filename (run, NULL);
  g_autofree char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, whole, -1);

  return g_strdup_printf ("%.*s" SUFFIX, DIGITS, sum);
}

static void
picture_clear (gpointer data)
{
  g_free (((Picture *) data)->name);
}

static int
compare_pictures (gconstpointer a,
                  gconstpointer b)
{
  const Picture *x = a, *y = b;

  return (x->made_ns > y->made_ns) - (x->made_ns < y->made_ns);
}

/* The oldest first. */
static GArray *
list_pictures (int folder)
{
  GArray *pictures = g_array_new (FALSE, FALSE, sizeof (Picture));
  int copy = openat (folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *dir = copy >= 0 ? fdopendir (copy) : NULL;
  struct dirent *entry;

  g_array_set_clear_func (pictures, picture_clear);
  while (dir != NULL && (entry = readdir (dir)) != NULL)
    {
      struct stat info;

      if (strlen (entry->d_name) == NAME_LENGTH && g_str_has_suffix (entry->d_name, SUFFIX)
          && fstatat (folder, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0)
        {
          Picture one = { g_strdup (entry->d_name), info.st_mtim.tv_sec * G_GINT64_CONSTANT (
                            1000000000) + info.st_mtim.tv_nsec };

          g_array_append_val (pictures, one);
        }
    }
  if (dir != NULL)
    closedir (dir);
  else if (copy >= 0)
    close (copy);
  g_array_sort (pictures, compare_pictures);
  return pictures;
}

static void
trim_pictures (int   folder,
               guint most)
{
  g_autoptr (GArray) pictures = list_pictures (folder);

  for (guint i = 0; i + most < pictures->len; i++)
    unlinkat (folder, g_array_index (pictures, Picture, i).name, 0);
}

static gboolean
put_picture (int          folder,
             const char  *name,
             GBytes      *picture,
             GError     **error)
{
  g_autofree char *temporary = NULL;
  int fd = kymo_cache_folder_create (folder, &temporary, error);
  int code = fd >= 0 ? kymo_write_all (fd, g_bytes_get_data (picture, NULL),
                                       g_bytes_get_size (picture)) : 0;
  gboolean done = fd >= 0 && code == 0 && kymo_cache_folder_put (folder, temporary, name, error);

  if (code != 0)
    g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_WRITE, g_strerror (code));
  if (fd >= 0)
    close (fd);
  if (fd >= 0 && !done)
    unlinkat (folder, temporary, 0);
  return done;
}

/**
 * kymo_cache_pictures_put:
 * @run: path by which the run was opened
 * @picture: a PNG
 * @error: where to put the reason
 *
 * Keeps a picture of a run in place of an older one, and removes the oldest of too many. Where
 * the cache may take no bytes, or the picture takes more than %KYMO_CACHE_PICTURE_MOST_BYTES,
 * nothing is kept, and that is no failure.
 *
 * Returns: %FALSE where it cannot be written: %KYMO_ERROR_WRITE
 */
gboolean
kymo_cache_pictures_put (const char  *run,
                         GBytes      *picture,
                         GError     **error)
{
  g_autofree char *name = dup_name (run);
  gboolean done;
  int folder;

  if (kymo_cache_get_max_bytes () == 0
      || g_bytes_get_size (picture) > KYMO_CACHE_PICTURE_MOST_BYTES)
    return TRUE;
  folder = kymo_cache_folder_open (TRUE, error);
  if (folder < 0)
    return FALSE;
  done = put_picture (folder, name, picture, error);
  trim_pictures (folder, KYMO_CACHE_MOST_PICTURES);
  close (folder);
  return done;
}

/**
 * kymo_cache_pictures_get:
 * @run: path by which the run was opened
 *
 * Returns: (transfer full) (nullable): what was kept of it last
 */
GBytes *
kymo_cache_pictures_get (const char *run)
{
  g_autofree char *name = dup_name (run);
  g_autofree char *data = g_malloc (KYMO_CACHE_PICTURE_MOST_BYTES);
  int folder = kymo_cache_folder_open (FALSE, NULL);
  int fd = folder >= 0 ? openat (folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    : -1;
  gssize n = fd >= 0 ? read (fd, data, KYMO_CACHE_PICTURE_MOST_BYTES) : -1;

  if (fd >= 0)
    close (fd);
  if (folder >= 0)
    close (folder);
  return n > 0 ? g_bytes_new (data, n) : NULL;
}

/**
 * kymo_cache_pictures_clear:
 * @run: (nullable): path by which a run was opened; %NULL for all
 *
 * Removes its picture, or all of them. Failure is ignored.
 */
void
kymo_cache_pictures_clear (const char *run)
{
  int folder = kymo_cache_folder_open (FALSE, NULL);
  g_autofree char *name = run != NULL ? dup_name (run) : NULL;

  if (folder < 0)
    return;
  if (name != NULL)
    unlinkat (folder, name, 0);
  else
    trim_pictures (folder, 0);
  close (folder);
}
