/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The folder of a run in the making, and its files. What was made is known by
 * its path, so that it can be taken back.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-run-writer.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kymo-beside.h"
#include "kymo-error.h"
#include "kymo-input.h"
#include "kymo-run-stale.h"

#define CHUNK (1 << 20)
#define PIECE (64 << 10)

struct _KymoRunWriter
{
  char      *place;
  char      *folder;            /* the temporary one; NULL once it is in place */
  int        mark;              /* tells others that we live, see kymo-run-stale.h; or -1 */
  GMutex     lock;              /* of `made` */
  GPtrArray *made;              /* paths in it, in the order they were made */
  gint64     n_bytes;           /* atomic */
  KymoJob   *job;
};

struct _KymoRunFile
{
  KymoRunWriter *writer;
  int            fd;
  char          *path;
  GConverter    *compressor;    /* or NULL */
  char          *buffer;        /* what is still to be compressed or written */
  gsize          n_buffer;
  char          *pressed;
};

static gboolean
fail_run_writer (const char  *path,
                 int          code,
                 GError     **error)
{
  g_autofree char *shown = g_utf8_make_valid (path, -1);

  g_set_error (error, KYMO_ERROR, KYMO_ERROR_WRITE, _("Cannot write “%s”: %s"), shown,
               g_strerror (code));
  return FALSE;
}

/**
 * kymo_run_writer_check:
 * @place: where a run is to be written
 * @error: says that there is something
 *
 * Returns: whether nothing is there
 */
gboolean
kymo_run_writer_check (const char  *place,
                       GError     **error)
{
  struct stat info;

  return lstat (place, &info) != 0 || fail_run_writer (place, EEXIST, error);
}

/**
 * kymo_run_writer_new:
 * @place: the folder to be made; nothing may be there
 * @job: (nullable): for cancelling
 * @error: where to put the reason
 *
 * Returns: (transfer full) (nullable): a run without files
 */
KymoRunWriter *
kymo_run_writer_new (const char  *place,
                     KymoJob     *job,
                     GError     **error)
{
  KymoRunWriter *writer = g_new0 (KymoRunWriter, 1);

  g_mutex_init (&writer->lock);
  writer->job = job;
  writer->mark = -1;
  writer->made = g_ptr_array_new_with_free_func (g_free);
  writer->place = g_strdup (place);
  while (strlen (writer->place) > 1 && g_str_has_suffix (writer->place, G_DIR_SEPARATOR_S))
    writer->place[strlen (writer->place) - 1] = '\0';
  if (kymo_run_writer_check (writer->place, error))
    {
      kymo_run_stale_remove (writer->place);
      writer->folder = g_strconcat (writer->place, ".XXXXXX", NULL);
      if (g_mkdtemp_full (writer->folder, 0777) == NULL)
        {
          fail_run_writer (writer->place, errno, error);
          g_clear_pointer (&writer->folder, g_free);
        }
      else if ((writer->mark = kymo_run_stale_mark (writer->folder)) >= 0)
        return writer;
      else
        fail_run_writer (writer->place, errno, error);
    }
  kymo_run_writer_free (writer);
  return NULL;
}

/**
 * kymo_run_writer_free:
 *
 * Takes back all that was made, unless the run is in its place.
 */
void
kymo_run_writer_free (KymoRunWriter *writer)
{
  if (writer == NULL)
    return;
  for (guint i = writer->made->len; writer->folder != NULL && i > 0; i--)
    g_remove (writer->made->pdata[i - 1]);
  if (writer->folder != NULL)
    {
      kymo_run_stale_unmark (writer->folder, writer->mark);
      g_rmdir (writer->folder);
    }
  g_ptr_array_unref (writer->made);
  g_mutex_clear (&writer->lock);
  g_free (writer->folder);
  g_free (writer->place);
  g_free (writer);
}

/**
 * kymo_run_writer_get_bytes:
 *
 * Returns: the bytes of all files so far, as they are on the disk; any thread
 */
gint64
kymo_run_writer_get_bytes (KymoRunWriter *writer)
{
  return __atomic_load_n (&writer->n_bytes, __ATOMIC_RELAXED);
}

/* A file system that cannot refuse to replace would replace an empty folder that came up in this
   moment; it replaces nothing else. */
static gboolean
put_in_place (KymoRunWriter  *writer,
              GError        **error)
{
  if (renameat2 (AT_FDCWD, writer->folder, AT_FDCWD, writer->place, RENAME_NOREPLACE) == 0)
    return TRUE;
  if (errno != EINVAL && errno != ENOSYS)
    return fail_run_writer (writer->place, errno, error);
  if (!kymo_run_writer_check (writer->place, error))
    return FALSE;
  return g_rename (writer->folder, writer->place) == 0
    || fail_run_writer (writer->place, errno, error);
}

/**
 * kymo_run_writer_finish:
 *
 * All files are written and closed: the run takes its place. Sets an error if something lies
 * there by now, or if the folder cannot be renamed.
 *
 * Returns: whether the run is in its place; else kymo_run_writer_free() removes it
 */
gboolean
kymo_run_writer_finish (KymoRunWriter  *writer,
                        GError        **error)
{
  kymo_run_stale_unmark (writer->folder, writer->mark);
  writer->mark = -1;
  if (!put_in_place (writer, error))
    return FALSE;
  g_clear_pointer (&writer->folder, g_free);
  return TRUE;
}

/**
 * kymo_run_writer_peek_folder:
 *
 * Returns: (transfer none): the folder in which the files lie until all of them are written
 */
const char *
kymo_run_writer_peek_folder (KymoRunWriter *writer)
{
  return writer->folder;
}

static void
adopt_folder (KymoRunWriter *writer,
              GHashTable    *known,
              const char    *folder,
              gboolean       deeper)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      char *path = g_build_filename (folder, name, NULL);
      gboolean is_folder;
      struct stat info;

      if (g_hash_table_contains (known, path) || lstat (path, &info) != 0)
        {
          g_free (path);
          continue;
        }
      is_folder = S_ISDIR (info.st_mode);
      g_ptr_array_add (writer->made, path);
      if (!is_folder)
        writer->n_bytes += info.st_size;
      else if (deeper)
        adopt_folder (writer, known, path, FALSE);
    }
}

/**
 * kymo_run_writer_adopt:
 *
 * Takes over the files in the folder, and in folders in it, that somebody else made: they
 * count, and are taken back with the others. One thread, once all of them are closed.
 */
void
kymo_run_writer_adopt (KymoRunWriter *writer)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < writer->made->len; i++)
    g_hash_table_add (known, g_strdup (writer->made->pdata[i]));
  adopt_folder (writer, known, writer->folder, TRUE);
}

/* -- files ----------------------------------------------------------------- */

static void
note_made (KymoRunWriter *writer,
           const char    *path)
{
  g_mutex_lock (&writer->lock);
  g_ptr_array_add (writer->made, g_strdup (path));
  g_mutex_unlock (&writer->lock);
}

/* Noted before another thread can find it there: what lies in a folder is taken
   back before the folder. Returns a number of an error, or 0. */
static int
make_folder (KymoRunWriter *writer,
             const char    *folder)
{
  int code = 0;

  g_mutex_lock (&writer->lock);
  if (g_mkdir (folder, 0777) == 0)
    g_ptr_array_add (writer->made, g_strdup (folder));
  else if (errno != EEXIST)
    code = errno;
  g_mutex_unlock (&writer->lock);
  return code;
}

/* A log may lie in a folder of logs, which is made once. */
static char *
make_place (KymoRunWriter  *writer,
            const char     *name,
            GError        **error)
{
  char *path = g_build_filename (writer->folder, name, NULL);
  g_autofree char *folder = g_path_get_dirname (path);
  int code = make_folder (writer, folder);

  if (code != 0)
    {
      fail_run_writer (folder, code, error);
      g_clear_pointer (&path, g_free);
    }
  return path;
}

static gboolean
put_run_writer (KymoRunFile  *file,
                const char   *bytes,
                gsize         n,
                GError      **error)
{
  int code;

  __atomic_add_fetch (&file->writer->n_bytes, n, __ATOMIC_RELAXED);
  code = kymo_write_all (file->fd, bytes, n);
  return code == 0 || fail_run_writer (file->path, code, error);
}

static gboolean
is_stopped (KymoRunWriter  *writer,
            GError        **error)
{
  if (!kymo_job_is_cancelled (writer->job))
    return FALSE;
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, _("Writing was stopped"));
  return TRUE;
}

static gboolean
compress (KymoRunFile  *file,
          gboolean      is_end,
          GError      **error)
{
  gsize at = 0;
  GConverterResult result;

  do
    {
      gsize n_read = 0, n_written = 0;

      result = g_converter_convert (file->compressor, file->buffer + at, file->n_buffer - at,
                                    file->pressed, PIECE,
                                    is_end ? G_CONVERTER_INPUT_AT_END : G_CONVERTER_NO_FLAGS,
                                    &n_read, &n_written, error);
      if (result == G_CONVERTER_ERROR || !put_run_writer (file, file->pressed, n_written, error))
        return FALSE;
      at += n_read;
    }
  while (is_end ? result != G_CONVERTER_FINISHED : at < file->n_buffer);
  return TRUE;
}

static gboolean
flush_run_writer (KymoRunFile  *file,
                  gboolean      is_end,
                  GError      **error)
{
  gboolean good = !is_stopped (file->writer, error)
    && (file->compressor != NULL ? compress (file, is_end, error)
        : put_run_writer (file, file->buffer, file->n_buffer, error));

  file->n_buffer = 0;
  return good;
}

/**
 * kymo_run_file_new:
 * @name: relative to the run's folder
 * @compressed: whether the bytes are written as gzip data
 *
 * Makes a file that is written piece by piece. Sets %KYMO_ERROR_WRITE if that fails.
 *
 * Returns: (transfer full) (nullable): a new file of the run; free with kymo_run_file_free()
 */
KymoRunFile *
kymo_run_file_new (KymoRunWriter  *writer,
                   const char     *name,
                   gboolean        compressed,
                   GError        **error)
{
  g_autofree char *path = make_place (writer, name, error);
  KymoRunFile *file;
  int fd;

  if (path == NULL)
    return NULL;
  fd = g_open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0)
    {
      fail_run_writer (path, errno, error);
      return NULL;
    }
  note_made (writer, path);
  file = g_new0 (KymoRunFile, 1);
  file->writer = writer;
  file->fd = fd;
  file->path = g_steal_pointer (&path);
  file->buffer = g_malloc (PIECE);
  if (compressed)
    {
      file->compressor = G_CONVERTER (g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, -1));
      file->pressed = g_malloc (PIECE);
    }
  return file;
}

/**
 * kymo_run_file_write:
 * @bytes: the next bytes of the file
 * @n_bytes: how many there are
 *
 * Writes through a buffer; kymo_run_file_close() writes the rest. Sets %KYMO_ERROR_WRITE if
 * that fails.
 *
 * Returns: whether nothing failed
 */
gboolean
kymo_run_file_write (KymoRunFile  *file,
                     const char   *bytes,
                     gsize         n_bytes,
                     GError      **error)
{
  while (n_bytes > 0)
    {
      gsize n = MIN (n_bytes, PIECE - file->n_buffer);

      memcpy (file->buffer + file->n_buffer, bytes, n);
      file->n_buffer += n;
      bytes += n;
      n_bytes -= n;
      if (file->n_buffer == PIECE && !flush_run_writer (file, FALSE, error))
        return FALSE;
    }
  return TRUE;
}

/**
 * kymo_run_file_close:
 *
 * Writes what is left. The file still has to be freed. Sets %KYMO_ERROR_WRITE if something
 * cannot be written.
 *
 * Returns: whether all of it is written
 */
gboolean
kymo_run_file_close (KymoRunFile  *file,
                     GError      **error)
{
  gboolean good = flush_run_writer (file, TRUE, error);

  if (close (file->fd) != 0 && good)
    good = fail_run_writer (file->path, errno, error);
  file->fd = -1;
  return good;
}

/**
 * kymo_run_file_free:
 *
 * Frees @file. %NULL is ignored. A file that was not closed is closed without the bytes in
 * its buffer.
 */
void
kymo_run_file_free (KymoRunFile *file)
{
  if (file == NULL)
    return;
  if (file->fd >= 0)
    close (file->fd);
  g_clear_object (&file->compressor);
  g_free (file->pressed);
  g_free (file->buffer);
  g_free (file->path);
  g_free (file);
}

/* -- whole files ----------------------------------------------------------- */

static gboolean
fail_to_read (const char  *source,
              GError     **error)
{
  int code = errno;
  g_autofree char *shown = g_utf8_make_valid (source, -1);

  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, _("Cannot read “%s”: %s"), shown,
               g_strerror (code));
  return FALSE;
}

static gboolean
copy_bytes (KymoRunFile  *file,
            int           from,
            gint64        n_left,
            const char   *source,
            GError      **error)
{
  g_autofree char *chunk = g_malloc (CHUNK);

  for (;;)
    {
      gssize n = read (from, chunk, MIN (n_left, CHUNK));

      if (is_stopped (file->writer, error))
        return FALSE;
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return fail_to_read (source, error);
      if (n == 0)
        return TRUE;
      n_left -= n;
      kymo_job_advance (file->writer->job, n);
      if (!put_run_writer (file, chunk, n, error))
        return FALSE;
    }
}

/**
 * kymo_run_writer_copy:
 * @source: path of a file
 * @name: of the copy, relative to the run's folder
 *
 * Copies a regular file byte for byte, as long as it is when it is opened. Sets
 * %KYMO_ERROR_WRITE, or the error of reading @source.
 *
 * Returns: whether the copy is whole
 */
gboolean
kymo_run_writer_copy (KymoRunWriter  *writer,
                      const char     *source,
                      const char     *name,
                      GError        **error)
{
  gint64 n_bytes;
  int from = kymo_input_open (source, &n_bytes, error);
  g_autoptr (KymoRunFile) file = NULL;
  gboolean good;

  if (from < 0)
    return FALSE;
  file = kymo_run_file_new (writer, name, FALSE, error);
  good = file != NULL && copy_bytes (file, from, n_bytes, source, error);
  close (from);
  return good && kymo_run_file_close (file, error);
}

/**
 * kymo_run_writer_add:
 * @name: relative to the run's folder
 * @text: what the file holds
 *
 * Writes a small file. Sets %KYMO_ERROR_WRITE if that fails.
 *
 * Returns: whether the file is whole
 */
gboolean
kymo_run_writer_add (KymoRunWriter  *writer,
                     const char     *name,
                     const char     *text,
                     GError        **error)
{
  g_autoptr (KymoRunFile) file = kymo_run_file_new (writer, name, FALSE, error);

  return file != NULL && kymo_run_file_write (file, text, strlen (text), error)
    && kymo_run_file_close (file, error);
}
