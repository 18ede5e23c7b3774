/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-desk-store.h. The name of a kept file is a hash of the run's key; the
 * oldest is the one that was written least lately. A file is written beside its
 * place and renamed.
 */
#include "config.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "kymo-desk-store.h"
#include "kymo-error.h"
#include "kymo-input.h"
#include "kymo-place.h"

#define STORE_BYTES_MOST (32 << 20)

/* -- files ---------------------------------------------------------------- */

/**
 * kymo_desk_load:
 * @path: of a file
 *
 * Reads a desk and notes its name. Sets %KYMO_ERROR_UNREADABLE with a sentence if the file
 * cannot be read or is no desk.
 *
 * Returns: (transfer full) (nullable): the desk
 */
KymoDesk *
kymo_desk_load (const char *path, GError **error)
{
  g_autoptr (GError) why = NULL;
  gsize length;
  g_autofree char *name = NULL, *shown = NULL, *text = NULL;
  KymoDesk *desk = NULL;

  if (!kymo_input_load (path, KYMO_DESK_FILE_MOST, &text, &length, &why))
    {
      g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, why->message);
      return NULL;
    }
  desk = kymo_desk_parse (text, length, &why);
  name = g_path_get_basename (path);
  shown = g_utf8_make_valid (name, -1);
  if (desk != NULL)
    {
      desk->file = g_steal_pointer (&shown);
      return desk;
    }
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, _("Cannot use “%s”: %s"),
               shown, why->message);
  return NULL;
}

/**
 * kymo_desk_save:
 * @path: of the file, which is written beside its place and renamed
 *
 * Returns: %FALSE with an error of #GFileError where it cannot be written; an older file stays then
 */
gboolean
kymo_desk_save (const KymoDesk *desk, const char *path, GError **error)
{
  g_autofree char *text = kymo_desk_to_text (desk);

  return g_file_set_contents (path, text, -1, error);
}

/* -- where the run lies --------------------------------------------------- */

/* Both absolute and without "..". */
static char *
relative_path (const char *folder, const char *path)
{
  g_auto (GStrv) from = g_strsplit (folder, "/", -1);
  g_auto (GStrv) to = g_strsplit (path, "/", -1);
  g_autoptr (GString) words = g_string_new (NULL);
  guint n = 0;

  while (from[n] != NULL && to[n] != NULL && strcmp (from[n], to[n]) == 0)
    n++;
  for (guint i = n; from[i] != NULL; i++)
    if (*from[i] != '\0')
      g_string_append (words, "../");
  for (guint i = n; to[i] != NULL; i++)
    g_string_append_printf (words, "%s%s", to[i], to[i + 1] != NULL ? "/" : "");
  return g_strdup (words->len > 0 ? words->str : ".");
}

/**
 * kymo_desk_locate:
 * @path: of a run, absolute, or its address on another machine; may be any bytes
 * @desk_path: (nullable): where the desk will be a file
 * @uri: (inout): where it lies
 * @beside: (inout) (nullable): the same, seen from there
 */
void
kymo_desk_locate (const char *path, const char *desk_path, char **uri, char **beside)
{
  g_autofree char *run = kymo_place_dup_full (path);
  g_autofree char *own = NULL, *folder = NULL, *relative = NULL;

  g_free (*uri);
  *uri = kymo_place_to_uri (run);
  g_clear_pointer (beside, g_free);
  if (desk_path == NULL || kymo_place_is_far (run))
    return;
  own = g_canonicalize_filename (desk_path, NULL);
  folder = g_path_get_dirname (own);
  relative = relative_path (folder, run);
  *beside = g_uri_escape_bytes ((const guint8 *) relative, strlen (relative), "/");
}

/**
 * kymo_desk_set_run:
 * @path: of the run
 * @desk_path: (nullable): file that the desk is to be saved as; %NULL: the run has no place
 *   relative to the desk
 *
 * Replaces the URI of the run and its place as seen from the folder of the desk.
 */
void
kymo_desk_set_run (KymoDesk *desk, const char *path, const char *desk_path)
{
  kymo_desk_locate (path, desk_path, &desk->uri, &desk->beside);
}

static char *
existing (char *path)
{
  if (path == NULL || kymo_place_is_far (path) || g_file_test (path, G_FILE_TEST_EXISTS))
    return path;
  g_free (path);
  return NULL;
}

/**
 * kymo_desk_look_for:
 * @uri: (nullable): see kymo_desk_locate()
 * @beside: (nullable): see kymo_desk_locate()
 * @desk_path: of the file with the desk
 *
 * Looks for a run beside the file first, because folders are sent as a whole; then where it
 * lay; then in the folder of the desk by its name.
 *
 * Returns: (transfer full) (nullable): where the run lies now
 */
char *
kymo_desk_look_for (const char *uri, const char *beside, const char *desk_path)
{
  g_autofree char *relative = beside != NULL ? g_uri_unescape_string (beside, NULL) : NULL;
  g_autofree char *folder = g_path_get_dirname (desk_path), *far = NULL, *name = NULL;
  char *found = NULL;

  if (relative != NULL && !g_path_is_absolute (relative))
    found = existing (g_canonicalize_filename (relative, folder));
  far = uri != NULL ? kymo_place_from_uri (uri) : NULL;
  if (found == NULL)
    found = existing (g_strdup (far));
  if (found != NULL || far == NULL)
    return found;
  name = g_path_get_basename (far);
  return existing (g_build_filename (folder, name, NULL));
}

/**
 * kymo_desk_find_run:
 * @desk_path: the file that the desk was read from
 *
 * Looks at the place beside the desk first, then at the place where the run lay, then for its
 * name in the folder of the desk; see kymo_desk_look_for().
 *
 * Returns: (transfer full) (nullable): a path that exists; %NULL where there is none
 */
char *
kymo_desk_find_run (const KymoDesk *desk, const char *desk_path)
{
  return kymo_desk_look_for (desk->uri, desk->beside, desk_path);
}

/* -- what is kept of every run -------------------------------------------- */

static char *
dup_folder (void)
{
  return g_build_filename (g_get_user_data_dir (), "kymo", "desks", NULL);
}

static char *
dup_path (const char *key)
{
  g_autofree char *folder = dup_folder ();
  g_autofree char *hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, key, -1);
  g_autofree char *file = g_strdup_printf ("%.32s%s", hash, KYMO_DESK_SUFFIX);

  return g_build_filename (folder, file, NULL);
}

typedef struct
{
  char  *path;
  gint64 written, n_bytes;
} Kept;

static void
kept_clear (gpointer data)
{
  g_free (((Kept *) data)->path);
}

static int
newest_first (gconstpointer a, gconstpointer b)
{
  const Kept *x = a, *y = b;

  return x->written != y->written ? (x->written > y->written ? -1 : 1)
                                  : strcmp (x->path, y->path);
}

static GArray *
list_kept (void)
{
  g_autofree char *folder = dup_folder ();
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  GArray *list = g_array_new (FALSE, FALSE, sizeof (Kept));
  const char *name;

  g_array_set_clear_func (list, kept_clear);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      Kept kept = { g_build_filename (folder, name, NULL), 0, 0 };
      GStatBuf info;

      if (g_str_has_suffix (name, KYMO_DESK_SUFFIX) && g_stat (kept.path, &info) == 0)
        {
          kept.written = (gint64) info.st_mtim.tv_sec * G_USEC_PER_SEC
                         + info.st_mtim.tv_nsec / 1000;
          kept.n_bytes = info.st_size;
          g_array_append_val (list, kept);
        }
      else
        g_free (kept.path);
    }
  g_array_sort (list, newest_first);
  return list;
}

static void
prune (void)
{
  g_autoptr (GArray) list = list_kept ();
  gint64 n_bytes = 0;

  for (guint i = 0; i < list->len; i++)
    {
      const Kept *kept = &g_array_index (list, Kept, i);

      n_bytes += kept->n_bytes;
      if (i >= KYMO_DESKS_MOST || n_bytes > STORE_BYTES_MOST)
        g_unlink (kept->path);
    }
}

/**
 * kymo_desk_store_dup_key:
 * @folder: where the files of the run lie; becomes absolute. Or its address on another machine
 * @title: (nullable): name of the run; %NULL = the last part of @folder
 *
 * Returns: (transfer full): the key of the run in the store of desks
 */
char *
kymo_desk_store_dup_key (const char *folder, const char *title)
{
  g_autofree char *full = kymo_place_dup_full (folder);
  g_autofree char *name = g_path_get_basename (folder);

  return g_strconcat (full, "\n", title != NULL ? title : name, NULL);
}

/* Forgets the file name: a desk in the store has a name that tells people nothing. */
static KymoDesk *
without_file (KymoDesk *desk)
{
  g_clear_pointer (&desk->file, g_free);
  return desk;
}

/**
 * kymo_desk_store_load:
 * @key: of a run: what tells it apart
 *
 * Returns: (transfer full) (nullable): the desk that is kept of the run; %NULL if none is
 *   kept or the file is damaged
 */
KymoDesk *
kymo_desk_store_load (const char *key)
{
  g_autofree char *path = dup_path (key);
  g_autoptr (GError) error = NULL;
  KymoDesk *desk = g_file_test (path, G_FILE_TEST_EXISTS)
                   ? kymo_desk_load (path, &error) : NULL;

  if (error != NULL)
    g_info ("%s", error->message);
  return desk != NULL ? without_file (desk) : NULL;
}

/* The same place, or a file of that folder. */
static gboolean
is_of_path (const KymoDesk *desk, const char *path)
{
  g_autofree char *run = desk->uri != NULL ? kymo_place_from_uri (desk->uri) : NULL;
  g_autofree char *folder = run != NULL ? g_path_get_dirname (run) : NULL;

  return run != NULL && (strcmp (run, path) == 0 || strcmp (folder, path) == 0);
}

/**
 * kymo_desk_store_find:
 * @path: of a run: its file or its folder
 *
 * Reads the kept desks from the newest on, until one is of that path; damaged ones are passed over.
 *
 * Returns: (transfer full) (nullable): the desk, without the name of its file; %NULL where none
 *   is kept
 */
KymoDesk *
kymo_desk_store_find (const char *path)
{
  g_autofree char *full = kymo_place_dup_full (path);
  g_autoptr (GArray) list = list_kept ();

  for (guint i = 0; i < list->len; i++)
    {
      KymoDesk *desk = kymo_desk_load (g_array_index (list, Kept, i).path, NULL);

      if (desk != NULL && is_of_path (desk, full))
        return without_file (desk);
      g_clear_pointer (&desk, kymo_desk_free);
    }
  return NULL;
}

/* Without waiting for the disk: this is done while somebody works, and after a
   power cut a desk that is damaged is none. */
static gboolean
write_quickly (const KymoDesk *desk, const char *path, GError **error)
{
  g_autofree char *text = kymo_desk_to_text (desk);
  g_autofree char *beside = g_strconcat (path, ".new", NULL);

  if (!g_file_set_contents_full (beside, text, -1, G_FILE_SET_CONTENTS_NONE, 0600, error))
    return FALSE;
  if (g_rename (beside, path) == 0)
    return TRUE;
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_WRITE, _("Cannot keep the desk: %s"),
               g_strerror (errno));
  return FALSE;
}

/**
 * kymo_desk_store_save:
 * @key: of the run, from kymo_desk_store_dup_key()
 *
 * Replaces the kept desk of the run, without waiting for the disk. Behind a run that had none the
 * oldest desks are deleted, down to %KYMO_DESKS_MOST and 32 MiB.
 *
 * Returns: %FALSE with an error of the file where the folder or the file cannot be written; the
 *   older desk stays then
 */
gboolean
kymo_desk_store_save (const char *key, const KymoDesk *desk, GError **error)
{
  g_autofree char *folder = dup_folder (), *path = dup_path (key);
  gboolean is_new = !g_file_test (path, G_FILE_TEST_EXISTS);

  if (g_mkdir_with_parents (folder, 0700) != 0)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_WRITE,
                   _("Cannot make the folder of desks: %s"), g_strerror (errno));
      return FALSE;
    }
  if (!write_quickly (desk, path, error))
    return FALSE;
  if (is_new)
    prune ();
  return TRUE;
}

/**
 * kymo_desk_store_forget:
 * @key: of the run, from kymo_desk_store_dup_key()
 *
 * Deletes the kept desk of the run; nothing happens where there is none.
 */
void
kymo_desk_store_forget (const char *key)
{
  g_autofree char *path = dup_path (key);

  g_unlink (path);
}

/**
 * kymo_desk_store_forget_all:
 *
 * Deletes the kept desks of all runs.
 *
 * Returns: how many there were, whether or not each could be deleted
 */
guint
kymo_desk_store_forget_all (void)
{
  g_autoptr (GArray) list = list_kept ();

  for (guint i = 0; i < list->len; i++)
    g_unlink (g_array_index (list, Kept, i).path);
  return list->len;
}

/**
 * kymo_desk_store_count:
 *
 * Lists the folder of kept desks without reading them.
 *
 * Returns: how many are kept
 */
guint
kymo_desk_store_count (void)
{
  g_autoptr (GArray) list = list_kept ();

  return list->len;
}
