/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-convert-out.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kymo-beside.h"
#include "kymo-error.h"
#include "kymo-safe-text.h"

struct _KymoConvertOut
{
  FILE       *file;
  char       *path;
  KymoBeside *beside;
  int         code;             /* of the first failure, or 0 */
};

static void
fail_out (const char  *path,
          int          code,
          GError     **error)
{
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_WRITE, _("Cannot write “%s”: %s"), path,
               g_strerror (code));
}

/**
 * kymo_convert_out_new:
 * @path: must not exist
 */
KymoConvertOut *
kymo_convert_out_new (const char  *path,
                      GError     **error)
{
  g_autoptr (KymoConvertOut) out = g_new0 (KymoConvertOut, 1);
  int fd;

  if (g_file_test (path, G_FILE_TEST_EXISTS))
    {
      fail_out (path, EEXIST, error);
      return NULL;
    }
  out->path = g_strdup (path);
  out->beside = kymo_beside_new (path, 0666);
  fd = out->beside != NULL ? fcntl (kymo_beside_get_fd (out->beside), F_DUPFD_CLOEXEC, 3) : -1;
  out->file = fd >= 0 ? fdopen (fd, "w") : NULL;
  if (out->file != NULL)
    return g_steal_pointer (&out);
  fail_out (path, errno, error);
  if (fd >= 0)
    close (fd);
  return NULL;
}

static void
note_failure (KymoConvertOut *out)
{
  if (out->code == 0)
    out->code = errno != 0 ? errno : EIO;
}

/**
 * kymo_convert_out_failed:
 *
 * To be asked now and then while much is written.
 *
 * Returns: whether what is written is lost, as on a full disk
 */
gboolean
kymo_convert_out_failed (const KymoConvertOut *out)
{
  return out->code != 0;
}

void
kymo_convert_out_free (KymoConvertOut *out)
{
  if (out == NULL)
    return;
  if (out->file != NULL)
    fclose (out->file);
  kymo_beside_free (out->beside);
  g_free (out->path);
  g_free (out);
}

void
kymo_convert_out_put (KymoConvertOut *out,
                      const char     *text)
{
  if (fputs (text, out->file) == EOF)
    note_failure (out);
}

void
kymo_convert_out_printf (KymoConvertOut *out,
                         const char     *format,
                         ...)
{
  va_list args;

  va_start (args, format);
  if (vfprintf (out->file, format, args) < 0)
    note_failure (out);
  va_end (args);
}

void
kymo_convert_out_json (KymoConvertOut *out,
                       const char     *text)
{
  g_autoptr (GString) string = g_string_new (NULL);

  kymo_safe_text_append_json (string, text);
  kymo_convert_out_put (out, string->str);
}

void
kymo_convert_out_csv (KymoConvertOut *out,
                      const char     *text)
{
  g_autoptr (GString) cell = g_string_new (NULL);

  kymo_safe_text_append_csv (cell, text);
  kymo_convert_out_put (out, cell->str);
}

void
kymo_convert_out_number (KymoConvertOut *out,
                         double          value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  kymo_convert_out_put (out, isfinite (value)
                        ? g_ascii_formatd (text, sizeof text, "%.17g", value) : "null");
}

/**
 * kymo_convert_out_finish:
 * @n_bytes: (out): how long it is
 *
 * Puts the file in its place.
 */
gboolean
kymo_convert_out_finish (KymoConvertOut  *out,
                         gint64          *n_bytes,
                         GError         **error)
{
  long length;

  errno = 0;
  if (fflush (out->file) != 0)
    note_failure (out);
  length = ftell (out->file);
  errno = 0;
  if (fclose (out->file) != 0)
    note_failure (out);
  out->file = NULL;
  if (out->code == 0)
    out->code = kymo_beside_finish (out->beside, FALSE);
  if (out->code != 0)
    {
      fail_out (out->path, out->code, error);
      return FALSE;
    }
  *n_bytes = length;
  return TRUE;
}
