/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files of the cache as things a person may look at and remove. A file that
 * is removed stays with the processes that have it mapped until they are done, and one
 * that is being written has another name; so this may be done at any time.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-cache-list.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kymo-cache-folder.h"
#include "kymo-cache-pictures.h"
#include "kymo-error.h"
#include "kymo-segment-file.h"

static void
item_free (gpointer data)
{
  KymoCacheItem *item = data;

  g_free (item->name);
  g_free (item->folder);
  g_free (item->title);
  g_free (item);
}

static KymoCacheItem *
look_at (int                    folder,
         const KymoCacheFolderFile *file)
{
  KymoCacheItem *item = g_new0 (KymoCacheItem, 1);
  int fd = openat (folder, file->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

  item->name = g_strdup (file->name);
  item->n_bytes = file->n_bytes;
  item->used_s = file->used_s;
  if (fd >= 0)
    {
      kymo_segment_file_read_origin (fd, &item->folder, &item->title);
      close (fd);
    }
  return item;
}

/* A run is named by its folder or any file in it, as for opening; its folder
   may be gone. */
static char *
folder_of (const char  *run,
           char       **file)
{
  g_autofree char *whole = g_canonicalize_filename (run, NULL);
  g_autofree char *real = realpath (run, NULL);
  const char *path = real != NULL ? real : whole;

  *file = NULL;
  if (!g_file_test (path, G_FILE_TEST_EXISTS) || g_file_test (path, G_FILE_TEST_IS_DIR))
    return g_strdup (path);
  *file = g_path_get_basename (path);
  return g_path_get_dirname (path);
}

/* Bases of newer runs end in ".proj", their names do not. */
static gboolean
is_named (const char *title,
          const char *base)
{
  gsize n = strlen (title);

  return strncmp (base, title, n) == 0 && (base[n] == '\0' || strcmp (base + n, ".proj") == 0);
}

/* A file of the run begins with its name. */
static gboolean
is_of (const KymoCacheItem *item,
       const char          *folder,
       const char          *file,
       const char          *base)
{
  if (item->folder == NULL || strcmp (item->folder, folder) != 0)
    return FALSE;
  return (file == NULL || g_str_has_prefix (file, item->title))
    && (base == NULL || is_named (item->title, base));
}

/**
 * kymo_cache_list:
 * @run: (nullable): only what is kept of this run: a folder or a file of it
 * @base: (nullable): only of the run of that name
 *
 * Returns: (transfer full) (element-type KymoCacheItem): what is kept, the
 * last used first
 */
GPtrArray *
kymo_cache_list (const char *run,
                 const char *base)
{
  GPtrArray *items = g_ptr_array_new_with_free_func (item_free);
  int folder = kymo_cache_folder_open (FALSE, NULL);
  g_autoptr (GArray) files = folder >= 0 ? kymo_cache_folder_list (folder) : NULL;
  g_autofree char *file = NULL;
  g_autofree char *of = run != NULL ? folder_of (run, &file) : NULL;

  for (guint i = files != NULL ? files->len : 0; i-- > 0;)
    {
      KymoCacheItem *item = look_at (folder, &g_array_index (files, KymoCacheFolderFile, i));

      if ((of != NULL && !is_of (item, of, file, base))
          || (of == NULL && base != NULL && (item->title == NULL || !is_named (item->title, base))))
        item_free (item);
      else
        g_ptr_array_add (items, item);
    }
  if (folder >= 0)
    close (folder);
  return items;
}

/**
 * kymo_cache_item_remove:
 *
 * Removes a file of the cache. %KYMO_ERROR_WRITE is set if that fails.
 *
 * Returns: %TRUE if the file is gone, also if another process removed it
 */
gboolean
kymo_cache_item_remove (const KymoCacheItem  *item,
                        GError              **error)
{
  int folder = kymo_cache_folder_open (FALSE, NULL);
  gboolean done = folder < 0 || unlinkat (folder, item->name, 0) == 0 || errno == ENOENT;

  if (!done)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_WRITE,
                 _("The cache file %s cannot be removed: %s"), item->name, g_strerror (errno));
  if (folder >= 0)
    close (folder);
  return done;
}

/**
 * kymo_cache_get_bytes:
 *
 * Returns: what all files of the cache take. Blocks.
 */
guint64
kymo_cache_get_bytes (void)
{
  int folder = kymo_cache_folder_open (FALSE, NULL);
  g_autoptr (GArray) files = folder >= 0 ? kymo_cache_folder_list (folder) : NULL;
  guint64 n_bytes = 0;

  for (guint i = 0; files != NULL && i < files->len; i++)
    n_bytes += g_array_index (files, KymoCacheFolderFile, i).n_bytes;
  if (folder >= 0)
    close (folder);
  return n_bytes;
}

/**
 * kymo_cache_clear:
 *
 * Removes everything that is kept, pictures too, until a file cannot be removed: then
 * %KYMO_ERROR_WRITE is set. Blocks.
 *
 * Returns: whether all of it is gone
 */
gboolean
kymo_cache_clear (GError **error)
{
  g_autoptr (GPtrArray) items = kymo_cache_list (NULL, NULL);

  kymo_cache_pictures_clear (NULL);
  for (guint i = 0; i < items->len; i++)
    if (!kymo_cache_item_remove (g_ptr_array_index (items, i), error))
      return FALSE;
  return TRUE;
}

/**
 * kymo_cache_trim:
 *
 * Removes what the limit has no room for, the longest unused first.
 */
void
kymo_cache_trim (void)
{
  int folder = kymo_cache_folder_open (FALSE, NULL);

  if (folder < 0)
    return;
  kymo_cache_folder_has_room (folder, 0);
  close (folder);
}

/**
 * kymo_cache_dup_folder:
 *
 * Returns: (transfer full): where the cache is, or would be
 */
char *
kymo_cache_dup_folder (void)
{
  return g_build_filename (g_get_user_cache_dir (), "kymo", NULL);
}
