/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What lies in a folder, for a person who looks for a run: folders, and runs with their kind, size
 * and date. Names of files tell it; no run is read. It takes some seconds at most: a disk may be
 * slow, and a person waits.
 */
#include "config.h"

#include "kymo-server-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>

#include "kymo-error.h"
#include "kymo-order.h"
#include "kymo-run-choices.h"

#define MOST_FOLDERS 2000
/* Files of all runs of a folder whose sizes are added up. */
#define MOST_FILES 50000
#define MOST_TIME_US (3 * G_USEC_PER_SEC)
/* Archives of OTF2 have their events one level below. */
#define DEPTH 2

/** Listing: a folder while it is looked through */
typedef struct
{
  const char      *folder;
  GCancellable    *cancellable;
  gint64           late_us;
  guint            n_files;     /* that were looked at */
  GVariantBuilder  entries;
} Listing;

/** Sizes: of the files of a run */
typedef struct
{
  gint64   bytes;
  gint64   newest_s;
  gboolean is_part;             /* there is more than was looked at */
} Sizes;

static gboolean
is_late (Listing *listing)
{
  return listing->n_files >= MOST_FILES || g_get_monotonic_time () > listing->late_us
         || g_cancellable_is_cancelled (listing->cancellable);
}

static void
add_file (Sizes *sizes, const struct stat *info)
{
  sizes->bytes += info->st_size;
  sizes->newest_s = MAX (sizes->newest_s, (gint64) info->st_mtime);
}

/* Links are not followed: they may lead anywhere. */
static void
add_sizes (Listing *listing, const char *folder, guint depth, Sizes *sizes)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      struct stat info;

      if (is_late (listing))
        {
          sizes->is_part = TRUE;
          return;
        }
      listing->n_files++;
      if (lstat (path, &info) != 0)
        continue;
      if (S_ISREG (info.st_mode))
        add_file (sizes, &info);
      else if (S_ISDIR (info.st_mode) && depth > 1)
        add_sizes (listing, path, depth - 1, sizes);
    }
}

/* @what: NULL of a folder in which there is no run */
static void
add_entry (Listing *listing, const char *kind, const char *name, const char *path,
           const char *what, const Sizes *sizes)
{
  GVariantDict entry;

  g_variant_dict_init (&entry, NULL);
  g_variant_dict_insert (&entry, "kind", "s", kind);
  g_variant_dict_insert (&entry, "name", "s", name);
  g_variant_dict_insert (&entry, "path", "^ay", path);
  if (what != NULL)
    g_variant_dict_insert (&entry, "what", "s", what);
  if (sizes != NULL && sizes->newest_s > 0)
    g_variant_dict_insert (&entry, "time", "x", sizes->newest_s);
  if (sizes != NULL && sizes->bytes > 0)
    g_variant_dict_insert (&entry, "bytes", "x", sizes->bytes);
  if (sizes != NULL && sizes->is_part)
    g_variant_dict_insert (&entry, "at-least", "b", TRUE);
  g_variant_builder_add_value (&listing->entries, g_variant_dict_end (&entry));
}

/* The folder itself, which is one run, whatever it was recorded with. */
static void
add_run_of_folder (Listing *listing, GPtrArray *parts)
{
  const KymoRunChoice *first = parts->pdata[0];
  Sizes sizes = { 0 };

  add_sizes (listing, listing->folder, DEPTH, &sizes);
  add_entry (listing, "run", first->name, listing->folder, first->what, &sizes);
}

/* Runs that share a folder: their files cannot be told apart by names alone, so none has a size. */
static void
add_runs_here (Listing *listing)
{
  g_autoptr (GPtrArray) runs = kymo_run_choices_list (listing->folder, FALSE);
  g_autoptr (GPtrArray) parts = kymo_run_choices_list (listing->folder, TRUE);

  if (runs->len == 0 && parts->len > 0)
    add_run_of_folder (listing, parts);
  for (guint i = 0; i < runs->len; i++)
    {
      const KymoRunChoice *run = runs->pdata[i];
      struct stat info;
      Sizes sizes = { 0 };

      if (stat (run->path, &info) == 0)
        sizes.newest_s = info.st_mtime;
      add_entry (listing, "run", run->name, run->path, run->what, &sizes);
    }
}

static const KymoRunChoice *
find_choice (GPtrArray *choices, const char *path)
{
  for (guint i = 0; i < choices->len; i++)
    if (strcmp (((const KymoRunChoice *) choices->pdata[i])->path, path) == 0)
      return choices->pdata[i];
  return NULL;
}

/* A folder with one run in it is that run; one with several is a folder that says so. */
static void
add_folder (Listing *listing, GPtrArray *choices, const char *name)
{
  g_autofree char *path = g_build_filename (listing->folder, name, NULL);
  g_autofree char *shown = g_filename_display_name (name);
  const KymoRunChoice *choice = find_choice (choices, path);
  g_autoptr (GPtrArray) several = choice != NULL ? kymo_run_choices_list (path, FALSE) : NULL;
  Sizes sizes = { 0 };

  if (choice != NULL)
    add_sizes (listing, path, DEPTH, &sizes);
  add_entry (listing, choice != NULL && several->len == 0 ? "run" : "folder", shown, path,
             choice != NULL ? choice->what : NULL, &sizes);
}

/* (transfer full): names of the folders in a folder but for hidden ones, sorted. */
static GPtrArray *
list_folders (const char *folder, gboolean *is_part, GError **error)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, error);
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (*name == '.' || !g_file_test (path, G_FILE_TEST_IS_DIR))
        continue;
      if (names->len < MOST_FOLDERS)
        g_ptr_array_add (names, g_strdup (name));
      else
        *is_part = TRUE;
    }
  if (dir != NULL)
    g_ptr_array_sort (names, kymo_compare_strings);
  else
    g_clear_pointer (&names, g_ptr_array_unref);
  return names;
}

static GVariant *
list_folder (const char *folder, GCancellable *cancellable, GError **error)
{
  Listing listing = { folder, cancellable, g_get_monotonic_time () + MOST_TIME_US };
  gboolean is_part = FALSE;
  g_autoptr (GPtrArray) names = list_folders (folder, &is_part, error);
  g_autoptr (GPtrArray) choices = NULL;
  GVariantDict body;

  if (names == NULL)
    return NULL;
  g_variant_builder_init (&listing.entries, G_VARIANT_TYPE ("aa{sv}"));
  add_runs_here (&listing);
  choices = kymo_run_choices_below (folder);
  for (guint i = 0; i < names->len && !g_cancellable_is_cancelled (cancellable); i++)
    add_folder (&listing, choices, names->pdata[i]);
  g_variant_dict_init (&body, NULL);
  g_variant_dict_insert (&body, "path", "^ay", folder);
  g_variant_dict_insert (&body, "at-least", "b", is_part);
  g_variant_dict_insert_value (&body, "entries", g_variant_builder_end (&listing.entries));
  return g_variant_dict_end (&body);
}

/** kymo_server_list: tells what lies in the folder that a LIST names, and ends the request */
void
kymo_server_list (KymoServerRequest *request)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = kymo_server_dup_path (request, &error);
  GVariant *body = path != NULL
                   ? list_folder (path, kymo_job_peek_cancellable (request->job), &error) : NULL;

  if (body != NULL)
    kymo_server_answer (request, KYMO_FRAME_LISTING, body);
  else
    kymo_server_answer_error (request, error);
}
