/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-convert-out.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kymo-error.h"

struct _KymoConvertOut
{
  FILE  *file;
  char  *path;
  char  *beside;                /* what is written until it is whole */
};

static void
fail (const char  *path,
      int          code,
      GError     **error)
{
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_WRITE, "Cannot write “%s”: %s", path,
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
      fail (path, EEXIST, error);
      return NULL;
    }
  out->path = g_strdup (path);
  out->beside = g_strconcat (path, ".XXXXXX", NULL);
  fd = g_mkstemp_full (out->beside, O_WRONLY | O_CLOEXEC, 0666);
  if (fd < 0)
    {
      fail (path, errno, error);
      g_clear_pointer (&out->beside, g_free);
      return NULL;
    }
  out->file = fdopen (fd, "w");
  return g_steal_pointer (&out);
}

void
kymo_convert_out_free (KymoConvertOut *out)
{
  if (out == NULL)
    return;
  if (out->file != NULL)
    fclose (out->file);
  if (out->beside != NULL)
    g_unlink (out->beside);
  g_free (out->beside);
  g_free (out->path);
  g_free (out);
}

void
kymo_convert_out_put (KymoConvertOut *out,
                      const char     *text)
{
  fputs (text, out->file);
}

void
kymo_convert_out_printf (KymoConvertOut *out,
                         const char     *format,
                         ...)
{
  va_list args;

  va_start (args, format);
  vfprintf (out->file, format, args);
  va_end (args);
}

void
kymo_convert_out_json (KymoConvertOut *out,
                       const char     *text)
{
  putc ('"', out->file);
  for (const char *p = text; *p != '\0'; p++)
    if (*p == '"' || *p == '\\')
      fprintf (out->file, "\\%c", *p);
    else if ((guchar) *p < 0x20)
      fprintf (out->file, "\\u%04x", *p);
    else
      putc (*p, out->file);
  putc ('"', out->file);
}

void
kymo_convert_out_csv (KymoConvertOut *out,
                      const char     *text)
{
  if (strpbrk (text, ",\"\r\n") == NULL)
    {
      fputs (text, out->file);
      return;
    }
  putc ('"', out->file);
  for (const char *p = text; *p != '\0'; p++)
    {
      if (*p == '"')
        putc ('"', out->file);
      putc (*p, out->file);
    }
  putc ('"', out->file);
}

void
kymo_convert_out_number (KymoConvertOut *out,
                         double          value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  fputs (isfinite (value) ? g_ascii_formatd (text, sizeof text, "%.17g", value) : "null",
         out->file);
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
  gboolean failed = ferror (out->file) != 0;
  long length = ftell (out->file);
  int code;

  errno = 0;
  failed |= fclose (out->file) != 0;
  code = errno != 0 ? errno : EIO;
  out->file = NULL;
  if (failed || g_file_test (out->path, G_FILE_TEST_EXISTS)
      || g_rename (out->beside, out->path) != 0)
    {
      fail (out->path, failed ? code : EEXIST, error);
      return FALSE;
    }
  g_clear_pointer (&out->beside, g_free);
  *n_bytes = length;
  return TRUE;
}
