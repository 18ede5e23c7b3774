/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writing a Projections run with some of its PEs: their logs, the names and
 * the .projrc byte for byte, and a note of how they were chosen.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-reduce.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "kymo-error.h"

/**
 * kymo_reduce_check_out:
 * @out: where a run is to be written
 * @error: says that there is something
 *
 * Returns: whether nothing is there
 */
gboolean
kymo_reduce_check_out (const char  *out,
                       GError     **error)
{
  return kymo_run_writer_check (out, error);
}

/* With all links followed, as far as there is something. */
static char *
dup_real_path (const char *path)
{
  g_autofree char *absolute = g_canonicalize_filename (path, NULL);
  g_autofree char *above = g_path_get_dirname (absolute);
  g_autofree char *name = g_path_get_basename (absolute);
  char *real = realpath (absolute, NULL), *copy;

  if (real == NULL)
    {
      g_autofree char *real_above = realpath (above, NULL);

      return g_build_filename (real_above != NULL ? real_above : above, name, NULL);
    }
  copy = g_strdup (real);
  free (real);
  return copy;
}

/**
 * kymo_reduce_check_place:
 * @path: the run of which something is to be written
 * @out: where
 * @error: says that it is inside the run
 *
 * A folder of logs in the folder of a run would be read as a part of it.
 *
 * Returns: whether nothing is there, and it is not inside a folder that is the run
 */
gboolean
kymo_reduce_check_place (const char  *path,
                         const char  *out,
                         GError     **error)
{
  g_autofree char *folder = dup_real_path (path), *place = dup_real_path (out);
  g_autofree char *within = g_strconcat (folder, G_DIR_SEPARATOR_S, NULL);

  if (!kymo_reduce_check_out (out, error))
    return FALSE;
  if (!g_file_test (folder, G_FILE_TEST_IS_DIR) || !g_str_has_prefix (place, within))
    return TRUE;
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_WRITE,
               _("“%s” is inside the run itself; a run is written beside it"), out);
  return FALSE;
}

/**
 * kymo_reduce_write_note:
 * @files: of the run that is written anew
 * @note: text of its .kymo file
 *
 * Writes the .kymo file. Sets %KYMO_ERROR_WRITE if that fails.
 *
 * Returns: whether it is written
 */
gboolean
kymo_reduce_write_note (KymoRunWriter               *writer,
                        const KymoProjectionsFiles  *files,
                        const char                  *note,
                        GError                     **error)
{
  g_autofree char *name = g_strconcat (files->base, ".kymo", NULL);

  return kymo_run_writer_add (writer, name, note, error);
}

/* Copies a file. A file of the whole run keeps its name without a folder. */
static gboolean
copy_beside (KymoRunWriter  *writer,
             const char     *path,
             gint64         *bytes_before,
             GError        **error)
{
  g_autofree char *name = path != NULL ? g_path_get_basename (path) : NULL;
  struct stat info;

  if (path == NULL)
    return TRUE;
  if (stat (path, &info) == 0)
    *bytes_before += info.st_size;
  return kymo_run_writer_copy (writer, path, name, error);
}

/**
 * kymo_reduce_copy_beside:
 * @files: of the run that is written anew
 * @bytes_before: (out): bytes of its logs, names and .projrc
 *
 * Copies the files that belong to all PEs: names and .projrc. Sets the errors of
 * kymo_run_writer_copy().
 *
 * Returns: whether they are copied
 */
gboolean
kymo_reduce_copy_beside (KymoRunWriter               *writer,
                         const KymoProjectionsFiles  *files,
                         gint64                      *bytes_before,
                         GError                     **error)
{
  *bytes_before = 0;
  for (guint i = 0; i < files->logs->len; i++)
    *bytes_before += kymo_projections_file (files->logs, i)->size_bytes;
  return copy_beside (writer, files->sts, bytes_before, error)
    && copy_beside (writer, files->projrc, bytes_before, error);
}

/**
 * kymo_reduce_count_bytes:
 * @path: the run, or a file of it: logs of Projections
 * @base: (nullable): which of several
 * @pes: (array length=n_pes): whose logs
 *
 * Returns: bytes of their logs
 */
gint64
kymo_reduce_count_bytes (const char   *path,
                         const char   *base,
                         const gint64 *pes,
                         guint         n_pes)
{
  g_autoptr (KymoProjectionsFiles) files = kymo_projections_find (path, base, NULL);
  g_autoptr (KymoIdSet) set = kymo_id_set_new_list (pes, n_pes);
  gint64 bytes = 0;

  for (guint i = 0; files != NULL && i < files->logs->len; i++)
    if (kymo_id_set_contains (set, kymo_projections_file (files->logs, i)->pe))
      bytes += kymo_projections_file (files->logs, i)->size_bytes;
  return bytes;
}

static gboolean
fill_reduce (KymoRunWriter               *writer,
             const KymoProjectionsFiles  *files,
             const KymoIdSet             *pes,
             const char                  *note,
             gint64                      *bytes_before,
             GError                     **error)
{
  if (!kymo_reduce_copy_beside (writer, files, bytes_before, error))
    return FALSE;
  for (guint i = 0; i < files->logs->len; i++)
    {
      const KymoProjectionsFile *log = kymo_projections_file (files->logs, i);

      if (kymo_id_set_contains (pes, log->pe)
          && !kymo_run_writer_copy (writer, log->path, log->name, error))
        return FALSE;
    }
  return kymo_reduce_write_note (writer, files, note, error);
}

/**
 * kymo_reduce_write:
 * @path: the run, or a file of it: logs of Projections
 * @base: (nullable): which of several
 * @pes: whose logs are kept
 * @out: the folder to be made; nothing may be there
 * @note: text of the .kymo file
 * @bytes_before: (out): bytes of the logs, names and .projrc of the run
 * @bytes_after: (out): bytes of what was written
 * @job: (nullable): for cancelling
 * @error: where to put the reason
 *
 * Writes the logs of some PEs as a run of its own, byte for byte. Whatever
 * goes wrong, there is no @out then, nor anything beside it.
 *
 * Returns: whether all was written
 */
gboolean
kymo_reduce_write (const char *path, const char *base, const KymoIdSet *pes, const char *out,
                   const char *note, gint64 *bytes_before, gint64 *bytes_after, KymoJob *job,
                   GError **error)
{
  g_autoptr (KymoProjectionsFiles) files = kymo_projections_find (path, base, error);
  g_autoptr (KymoRunWriter) writer = files != NULL ? kymo_run_writer_new (out, job, error) : NULL;
  gboolean good = writer != NULL && fill_reduce (writer, files, pes, note, bytes_before, error)
    && kymo_run_writer_finish (writer, error);

  *bytes_after = writer != NULL ? kymo_run_writer_get_bytes (writer) : 0;
  return good;
}
