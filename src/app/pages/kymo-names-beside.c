/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-names-beside.h"

#include <string.h>

#define UTIL_SUFFIX ".util.sts"
#define STS_SUFFIX ".sts"
/* Of one folder; runs of more files have their names early or not at all. */
#define MOST_ENTRIES 200000

/* "leanmd.util.sts", "leanmd.proj.sts" and "leanmd.kymostream" are of one
   program: what stands before the first dot. */
static gboolean
is_of_program (const char *name, const char *other)
{
  gsize n = strcspn (name, ".");

  return n > 0 && n == strcspn (other, ".") && strncmp (name, other, n) == 0;
}

/* The name that fits: of this program, or the only one. */
static const char *
choose_names_beside (GPtrArray *names, const char *program)
{
  for (guint i = 0; program != NULL && i < names->len; i++)
    if (is_of_program (names->pdata[i], program))
      return names->pdata[i];
  return names->len == 1 ? names->pdata[0] : NULL;
}

static char *
find_in_folder (const char *folder, const char *program)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autoptr (GPtrArray) util = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) sts = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  for (guint i = 0; dir != NULL && i < MOST_ENTRIES; i++)
    {
      name = g_dir_read_name (dir);
      if (name == NULL)
        break;
      if (g_str_has_suffix (name, UTIL_SUFFIX))
        g_ptr_array_add (util, g_strdup (name));
      else if (g_str_has_suffix (name, STS_SUFFIX))
        g_ptr_array_add (sts, g_strdup (name));
    }
  /* A folder is of one program, where it holds logs of one only. */
  if (program == NULL && sts->len == 1)
    program = sts->pdata[0];
  name = choose_names_beside (util, program);
  if (name == NULL)
    name = choose_names_beside (sts, program);
  return name != NULL ? g_build_filename (folder, name, NULL) : NULL;
}

/**
 * kymo_names_beside_find:
 * @path: file or folder of a run, or a recording
 *
 * Returns: (transfer full) (nullable): path of the .util.sts beside it, or of
 * its .sts
 */
char *
kymo_names_beside_find (const char *path)
{
  g_autofree char *folder = NULL, *name = NULL;

  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    return find_in_folder (path, NULL);
  folder = g_path_get_dirname (path);
  name = g_path_get_basename (path);
  return find_in_folder (folder, name);
}

static void
find_thread (GTask *task, gpointer object, gpointer data,
             GCancellable *cancellable)
{
  char **paths = data;
  char *found = NULL;

  for (guint i = 0; found == NULL && paths[i] != NULL
                    && !g_cancellable_is_cancelled (cancellable); i++)
    found = kymo_names_beside_find (paths[i]);
  g_task_return_pointer (task, found, g_free);
}

/**
 * kymo_names_beside_find_async:
 * @paths: (array zero-terminated=1): files, folders or recordings, copied; the first with names
 *   beside it counts
 * @cancellable: (nullable): looked at between paths
 * @callback: called on the main thread
 *
 * Looks for the names of a program on a worker thread.
 */
void
kymo_names_beside_find_async (const char *const *paths,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback, gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, data);

  g_task_set_task_data (task, g_strdupv ((char **) paths),
                        (GDestroyNotify) g_strfreev);
  g_task_run_in_thread (task, find_thread);
}

/**
 * kymo_names_beside_find_finish:
 *
 * Returns: (transfer full) (nullable): path of a .util.sts, or else of a .sts; %NULL where there
 * is none or the search was cancelled
 */
char *
kymo_names_beside_find_finish (GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}
