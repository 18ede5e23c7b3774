/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-profile-pool.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <string.h>
#include <unistd.h>

#include "kymo-error.h"
#include "kymo-input.h"
#include "kymo-order.h"
#include "kymo-share.h"

/* Locations that a worker takes at a time: neighbours lie side by side in the end. */
#define CHUNK 32
#define FIRST_ROOM (64 << 10)
/* Most files that are named if a folder holds several. */
#define MAX_NAMES 8
/* Memory that a profile may take, however low its limit is, as for logs. */
#define LEAST_BYTES (16 << 20)

/* Reads all of an open file, as long as it was then. */
static gssize
read_all (int      fd,
          gsize    n_bytes,
          char   **text,
          gsize   *room)
{
  gssize n;

  if (n_bytes + 1 > *room)
    {
      *room = MAX (FIRST_ROOM, n_bytes + 1);
      g_free (*text);
      *text = g_malloc (*room);
    }
  n = kymo_input_read (fd, *text, n_bytes);
  if (n >= 0)
    (*text)[n] = '\0';
  return n;
}

/* Reads a file into the text, which grows; else -1 and (transfer full) why not. */
static gssize
read_file (int          folder_fd,
           const char  *name,
           gint64       most_bytes,
           char       **text,
           gsize       *room,
           char       **why)
{
  g_autoptr (GError) error = NULL;
  gint64 n_bytes;
  int fd = kymo_input_open_at (folder_fd, name, O_RDONLY, &n_bytes, &error);
  gssize n = -1;

  if (fd < 0)
    {
      *why = g_strdup (error->message);
      return -1;
    }
  if (n_bytes > most_bytes)
    *why = g_strdup (_("The file is larger than the memory that may be used; it is left out"));
  else if ((n = read_all (fd, n_bytes, text, room)) < 0)
    *why = g_strdup (_("The system could not read the file; it is left out"));
  close (fd);
  return n;
}

/**
 * kymo_profile_worker_read:
 * @folder_fd: that @name is opened relative to
 * @told: name of the file for the report
 *
 * Reads a file into the worker's text, with a NUL behind.
 *
 * Returns: how many bytes it has, or -1, and the report tells why
 */
gssize
kymo_profile_worker_read (KymoProfileWorker *worker,
                          int                folder_fd,
                          const char        *name,
                          const char        *told)
{
  KymoProfilePool *pool = worker->pool;
  g_autofree char *why = NULL;
  gssize n = read_file (folder_fd, name, pool->most_bytes, &worker->text, &worker->room, &why);

  if (n < 0)
    kymo_report_add (pool->report, told, KYMO_SEVERITY_LOST, 1, -1, "%s", why);
  return n;
}

/**
 * kymo_profile_read_whole:
 * @path: of a regular file
 * @most_bytes: a file that is larger is not read
 * @n_bytes: (out): how many bytes there are
 *
 * Reads all of a file. Sets %KYMO_ERROR_UNREADABLE with a sentence.
 *
 * Returns: (transfer full) (nullable): its bytes, with a NUL behind them
 */
char *
kymo_profile_read_whole (const char  *path,
                         gint64       most_bytes,
                         gsize       *n_bytes,
                         GError     **error)
{
  char *text = NULL;
  gsize room = 0;
  g_autofree char *why = NULL;
  gssize n = read_file (AT_FDCWD, path, most_bytes, &text, &room, &why);

  if (n < 0)
    {
      g_free (text);
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, "%s", why);
      return NULL;
    }
  *n_bytes = n;
  return text;
}

/**
 * kymo_profile_find_file:
 * @path: a file, or a folder
 * @base: (nullable): what its name begins with
 * @is_one: by its path
 * @list: (out) (transfer full) (nullable): where there are several, the first of them
 *
 * Returns: (transfer full) (nullable): the path itself, or of the one in that folder
 */
char *
kymo_profile_find_file (const char  *path,
                        const char  *base,
                        gboolean   (*is_one) (const char *path),
                        char       **list)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = NULL;
  const char *name;

  *list = NULL;
  if (!g_file_test (path, G_FILE_TEST_IS_DIR))
    return g_strdup (path);
  dir = g_dir_open (path, 0, NULL);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *file = g_build_filename (path, name, NULL);

      if ((base == NULL || g_str_has_prefix (name, base)) && is_one (file))
        g_ptr_array_add (names, g_strdup (name));
    }
  if (names->len == 1)
    return g_build_filename (path, names->pdata[0], NULL);
  g_ptr_array_sort (names, kymo_compare_strings);
  g_ptr_array_set_size (names, MIN (names->len, MAX_NAMES));
  if (names->len > 0)
    {
      g_ptr_array_add (names, NULL);
      *list = g_strjoinv (", ", (char **) names->pdata);
    }
  return NULL;
}

/**
 * kymo_profile_set_limit:
 * @builder: without parts
 *
 * What it holds stays within the memory that a run may take.
 */
void
kymo_profile_set_limit (KymoProfileBuilder    *builder,
                        const KymoOpenOptions *options)
{
  kymo_profile_builder_set_limit (builder, MAX (options->memory_limit_bytes, LEAST_BYTES));
}

/**
 * kymo_profile_make:
 * @builder: (transfer full): with a limit
 * @path: of the run, for people
 * @n_threads: to move figures with
 * @error: %KYMO_ERROR_LIMIT where the profiles need more memory
 *
 * Returns: (transfer full) (nullable) (element-type KymoProfileData): of
 *   kymo_profile_builder_finish(), all locations at all steps
 */
GPtrArray *
kymo_profile_make (KymoProfileBuilder  *builder,
                   const char          *path,
                   guint                n_threads,
                   GError             **error)
{
  GPtrArray *profiles = NULL;

  if (kymo_profile_builder_fill_steps (builder))
    profiles = kymo_profile_builder_finish (builder, n_threads);
  else
    kymo_profile_builder_free (builder);
  if (profiles == NULL)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_LIMIT,
                 _("“%s” needs more memory than the limit allows"), path);
  return profiles;
}

static gpointer
profile_pool_work (gpointer data)
{
  KymoProfileWorker *worker = data;
  KymoProfilePool *pool = worker->pool;
  guint first;

  while ((first = g_atomic_int_add (&pool->next, CHUNK)) < pool->n_locations
         && !kymo_job_is_cancelled (pool->job))
    {
      guint end = MIN (first + CHUNK, pool->n_locations);

      for (guint i = first; i < end && !kymo_profile_builder_is_full (pool->builder); i++)
        pool->read (worker, i, pool->data);
      kymo_job_advance (pool->job, end - first);
    }
  return NULL;
}

/**
 * kymo_profile_pool_run:
 * @error: %G_IO_ERROR_CANCELLED if the job was cancelled
 *
 * Reads all locations, or as many as there is room for: then the builder is full. Blocks.
 *
 * Returns: %FALSE if the job was cancelled
 */
gboolean
kymo_profile_pool_run (KymoProfilePool  *pool,
                       GError          **error)
{
  guint n = CLAMP (pool->n_threads, 1, 1 + pool->n_locations / CHUNK);
  g_autofree KymoProfileWorker *workers = g_new0 (KymoProfileWorker, n);

  kymo_job_begin (pool->job, _("Reading the profiles"), pool->n_locations);
  for (guint i = 0; i < n; i++)
    {
      workers[i].pool = pool;
      workers[i].part = kymo_profile_builder_add_part (pool->builder);
    }
  kymo_share_run ("kymo-profile", n, profile_pool_work, workers, sizeof *workers);
  for (guint i = 0; i < n; i++)
    g_free (workers[i].text);
  return !kymo_open_is_stopped (pool->job, pool->path, error);
}
