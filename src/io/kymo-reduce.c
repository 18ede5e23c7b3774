/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writing a Projections run with some of its PEs: their logs, the names and
 * the .projrc byte for byte, and a note of how they were chosen. All of it is
 * written into a folder beside the one that is asked for, which is then
 * renamed; it never takes the place of anything.
 */
#include "config.h"

#include "kymo-reduce.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kymo-error.h"

#define CHUNK (1 << 20)

typedef struct
{
  char      *folder;            /* the temporary one */
  GPtrArray *made;              /* paths in it, in the order they were made */
  char      *buffer;
  gint64     n_bytes;
  KymoJob   *job;
} Out;

static gboolean
fail (const char  *path,
      int          code,
      GError     **error)
{
  g_autofree char *shown = g_utf8_make_valid (path, -1);

  g_set_error (error, KYMO_ERROR, KYMO_ERROR_WRITE, "Cannot write “%s”: %s", shown,
               g_strerror (code));
  return FALSE;
}

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
  struct stat info;

  return lstat (out, &info) != 0 || fail (out, EEXIST, error);
}

static void
out_clear (Out      *out,
           gboolean  undo)
{
  for (guint i = out->made->len; undo && i > 0; i--)
    g_remove (out->made->pdata[i - 1]);
  if (undo && out->folder != NULL)
    g_rmdir (out->folder);
  g_ptr_array_unref (out->made);
  g_free (out->folder);
  g_free (out->buffer);
}

/* A log may lie in a folder of logs, which is made once. */
static char *
make_place (Out         *out,
            const char  *name,
            GError     **error)
{
  char *path = g_build_filename (out->folder, name, NULL);
  g_autofree char *folder = g_path_get_dirname (path);

  if (g_mkdir (folder, 0777) == 0)
    g_ptr_array_add (out->made, g_strdup (folder));
  else if (errno != EEXIST)
    {
      fail (folder, errno, error);
      g_clear_pointer (&path, g_free);
    }
  return path;
}

static gboolean
write_chunk (int         fd,
             const char *bytes,
             gsize       n)
{
  while (n > 0)
    {
      gssize done = write (fd, bytes, n);

      if (done < 0 && errno == EINTR)
        continue;
      if (done <= 0)
        return FALSE;
      bytes += done;
      n -= done;
    }
  return TRUE;
}

static gboolean
copy_bytes (Out         *out,
            int          from,
            int          to,
            const char  *source,
            const char  *path,
            GError     **error)
{
  for (;;)
    {
      gssize n = read (from, out->buffer, CHUNK);

      if (kymo_job_is_cancelled (out->job))
        {
          g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "Writing was stopped");
          return FALSE;
        }
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        {
          g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, "Cannot read “%s”: %s", source,
                       g_strerror (errno));
          return FALSE;
        }
      if (n == 0)
        return TRUE;
      if (!write_chunk (to, out->buffer, n))
        return fail (path, errno, error);
      out->n_bytes += n;
    }
}

static int
make_file (Out         *out,
           const char  *path,
           GError     **error)
{
  int fd = g_open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

  if (fd >= 0)
    g_ptr_array_add (out->made, g_strdup (path));
  else
    fail (path, errno, error);
  return fd;
}

static gboolean
copy_file (Out         *out,
           const char  *source,
           const char  *name,
           GError     **error)
{
  g_autofree char *path = make_place (out, name, error);
  int from = path != NULL ? g_open (source, O_RDONLY | O_CLOEXEC, 0) : -1, to;
  gboolean good;

  if (path == NULL)
    return FALSE;
  if (from < 0)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, "Cannot read “%s”: %s", source,
                   g_strerror (errno));
      return FALSE;
    }
  to = make_file (out, path, error);
  good = to >= 0 && copy_bytes (out, from, to, source, path, error);
  close (from);
  if (to >= 0 && close (to) != 0 && good)
    good = fail (path, errno, error);
  return good;
}

static gboolean
write_note (Out                         *out,
            const KymoProjectionsFiles  *files,
            const char                  *note,
            GError                     **error)
{
  g_autofree char *name = g_strconcat (files->base, ".kymo", NULL);
  g_autofree char *path = g_build_filename (out->folder, name, NULL);
  int fd = make_file (out, path, error);
  gboolean good = fd >= 0 && write_chunk (fd, note, strlen (note));

  if (fd >= 0 && !good)
    fail (path, errno, error);
  if (fd >= 0 && close (fd) != 0 && good)
    good = fail (path, errno, error);
  if (good)
    out->n_bytes += strlen (note);
  return good;
}

/* What belongs to the whole has its name without a folder. */
static gboolean
copy_beside (Out         *out,
             const char  *path,
             gint64      *bytes_before,
             GError     **error)
{
  g_autofree char *name = path != NULL ? g_path_get_basename (path) : NULL;
  struct stat info;

  if (path == NULL)
    return TRUE;
  if (stat (path, &info) == 0)
    *bytes_before += info.st_size;
  return copy_file (out, path, name, error);
}

static gboolean
fill (Out                         *out,
      const KymoProjectionsFiles  *files,
      const KymoIdSet             *pes,
      const char                  *note,
      gint64                      *bytes_before,
      GError                     **error)
{
  *bytes_before = 0;
  if (!copy_beside (out, files->sts, bytes_before, error)
      || !copy_beside (out, files->projrc, bytes_before, error))
    return FALSE;
  for (guint i = 0; i < files->logs->len; i++)
    {
      const KymoProjectionsFile *log = kymo_projections_file (files->logs, i);

      *bytes_before += log->size_bytes;
      if (kymo_id_set_contains (pes, log->pe) && !copy_file (out, log->path, log->name, error))
        return FALSE;
    }
  return write_note (out, files, note, error);
}

/* Where the file system cannot refuse to replace, an empty folder that came up
   in this moment would be replaced; nothing else can be. */
static gboolean
put_in_place (Out         *out,
              const char  *place,
              GError     **error)
{
  if (renameat2 (AT_FDCWD, out->folder, AT_FDCWD, place, RENAME_NOREPLACE) == 0)
    return TRUE;
  if (errno != EINVAL && errno != ENOSYS)
    return fail (place, errno, error);
  if (!kymo_reduce_check_out (place, error))
    return FALSE;
  return g_rename (out->folder, place) == 0 || fail (place, errno, error);
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
kymo_reduce_write (const char       *path,
                   const char       *base,
                   const KymoIdSet  *pes,
                   const char       *out,
                   const char       *note,
                   gint64           *bytes_before,
                   gint64           *bytes_after,
                   KymoJob          *job,
                   GError          **error)
{
  g_autoptr (KymoProjectionsFiles) files = kymo_projections_find (path, base, error);
  g_autofree char *place = g_strdup (out);
  gboolean good = FALSE;
  Out made = { .made = g_ptr_array_new_with_free_func (g_free), .job = job };

  while (strlen (place) > 1 && g_str_has_suffix (place, G_DIR_SEPARATOR_S))
    place[strlen (place) - 1] = '\0';
  if (files != NULL && kymo_reduce_check_out (place, error))
    {
      made.buffer = g_malloc (CHUNK);
      made.folder = g_strconcat (place, ".XXXXXX", NULL);
      if (g_mkdtemp_full (made.folder, 0777) == NULL)
        {
          fail (place, errno, error);
          g_clear_pointer (&made.folder, g_free);
        }
      else
        good = fill (&made, files, pes, note, bytes_before, error)
          && put_in_place (&made, place, error);
    }
  *bytes_after = made.n_bytes;
  out_clear (&made, !good);
  return good;
}
