/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bytes into a file that appears whole or not at all. Any thread.
 */
#include "config.h"

#include "kymo-export.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kymo-beside.h"
#include "kymo-error.h"

static gboolean
write_failed (const char *path, int code, GError **error)
{
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_WRITE,
               _("%s could not be written: %s"), path, g_strerror (code));
  return FALSE;
}

static gboolean
write_plain (const char *path, const char *bytes, gsize length,
             GError **error)
{
  gboolean standard = g_str_equal (path, "-");
  int fd = standard ? STDOUT_FILENO : g_open (path, O_WRONLY | O_CLOEXEC, 0);
  int code;

  if (fd < 0)
    return write_failed (path, errno, error);
  code = kymo_write_all (fd, bytes, length);
  if (!standard && close (fd) != 0 && code == 0)
    code = errno;
  return code == 0 ? TRUE : write_failed (path, code, error);
}

static gboolean
write_beside (const char *path, const char *bytes, gsize length, mode_t mode,
              GError **error)
{
  g_autoptr (KymoBeside) beside = kymo_beside_new (path, mode);
  int code;

  if (beside == NULL)
    return write_failed (path, errno, error);
  code = kymo_write_all (kymo_beside_get_fd (beside), bytes, length);
  if (code == 0)
    code = kymo_beside_finish (beside, TRUE);
  return code == 0 ? TRUE : write_failed (path, code, error);
}

/**
 * kymo_write_output:
 * @path: where to; "-" is stdout
 * @bytes: what
 * @length: how much
 *
 * Writes beside @path and renames, so that there is never half a file; what
 * is no ordinary file, such as a pipe or a device, is just written.
 *
 * Returns: whether all was written
 */
gboolean
kymo_write_output (const char  *path,
                   const void  *bytes,
                   gsize        length,
                   GError     **error)
{
  g_autofree char *real = NULL;
  struct stat info;

  if (g_str_equal (path, "-"))
    return write_plain (path, bytes, length, error);
  if (stat (path, &info) != 0)
    return write_beside (path, bytes, length, 0666, error);
  if (S_ISDIR (info.st_mode))
    return write_failed (path, EISDIR, error);
  if (!S_ISREG (info.st_mode))
    return write_plain (path, bytes, length, error);
  /* A link stays a link: its target is replaced. */
  real = realpath (path, NULL);
  return write_beside (real != NULL ? real : path, bytes, length,
                       info.st_mode & 0777, error);
}
