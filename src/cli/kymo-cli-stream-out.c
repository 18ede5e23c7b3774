/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines that are written as they come. To an ordinary file they go beside it,
 * and that is renamed at the end, so that there is never half an answer; to a
 * pipe, a device or standard output each goes at once.
 */
#include "config.h"

#include "kymo-cli-stream.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kymo-beside.h"
#include "kymo-safe-text.h"

/**
 * KymoCliOut:
 * @fd: what is written
 * @told: the path as the person is told it, or NULL
 * @beside: whose file it is, or NULL
 * @gone: nobody reads the pipe any more
 */
struct _KymoCliOut
{
  int         fd;
  char       *told;
  KymoBeside *beside;
  gboolean    gone;
};

static gboolean
fail_stream_out (const KymoCliOut  *out,
                 int                number,
                 GError           **error)
{
  if (out->told != NULL)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_WRITE, "%s could not be written: %s", out->told,
                 g_strerror (number));
  else
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_WRITE, "Cannot write to standard output: %s",
                 g_strerror (number));
  return FALSE;
}

static void
out_free (KymoCliOut *out)
{
  if (out->fd > STDOUT_FILENO && out->beside == NULL)
    close (out->fd);
  kymo_beside_free (out->beside);
  g_free (out->told);
  g_free (out);
}

/* A link stays a link: the file it points to is replaced. */
static void
open_beside (KymoCliOut        *out,
             const char        *path,
             const struct stat *info)
{
  char *real = info != NULL ? realpath (path, NULL) : NULL;

  out->beside = kymo_beside_new (real != NULL ? real : path,
                                 info != NULL ? info->st_mode & 0777 : 0666);
  out->fd = out->beside != NULL ? kymo_beside_get_fd (out->beside) : -1;
  free (real);
}

/**
 * kymo_cli_out_new:
 * @cli: the invocation, for its --output
 *
 * Returns: (transfer full) (nullable): where lines go
 */
KymoCliOut *
kymo_cli_out_new (KymoCli  *cli,
                  GError  **error)
{
  const char *path = kymo_cli_get (cli, "output");
  KymoCliOut *out = g_new0 (KymoCliOut, 1);
  struct stat info;

  out->fd = STDOUT_FILENO;
  if (path == NULL || strcmp (path, "-") == 0)
    return out;
  out->told = g_utf8_make_valid (path, -1);
  if (stat (path, &info) != 0)
    open_beside (out, path, NULL);
  else if (S_ISREG (info.st_mode))
    open_beside (out, path, &info);
  else
    out->fd = open (path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (out->fd >= 0)
    return out;
  fail_stream_out (out, errno, error);
  out_free (out);
  return NULL;
}

/**
 * kymo_cli_out_write:
 * @lines: made safe to show, written and taken away
 *
 * A reader that went away (`| head`) is no failure; see
 * kymo_cli_out_is_gone().
 */
gboolean
kymo_cli_out_write (KymoCliOut  *out,
                    GString     *lines,
                    GError     **error)
{
  gsize done = 0;

  kymo_safe_text_clean (lines, "\n");
  while (done < lines->len && !out->gone)
    {
      ssize_t n = write (out->fd, lines->str + done, lines->len - done);

      if (n > 0)
        done += n;
      else if (n < 0 && errno == EPIPE)
        out->gone = TRUE;
      else if (n == 0 || errno != EINTR)
        return fail_stream_out (out, n == 0 ? EIO : errno, error);
    }
  g_string_truncate (lines, 0);
  return TRUE;
}

gboolean
kymo_cli_out_is_gone (const KymoCliOut *out)
{
  return out->gone;
}

/**
 * kymo_cli_out_finish:
 * @out: (transfer full): freed in any case
 * @keep: whether what was written is the answer; else an ordinary file stays
 *   as it was
 */
gboolean
kymo_cli_out_finish (KymoCliOut  *out,
                     gboolean     keep,
                     GError     **error)
{
  int code = 0;
  gboolean fine;

  if (out->beside != NULL && keep)
    code = kymo_beside_finish (out->beside, TRUE);
  else if (out->beside == NULL && out->fd > STDOUT_FILENO
           && close (g_steal_fd (&out->fd)) != 0 && keep)
    code = errno;
  fine = code == 0 || fail_stream_out (out, code, error);
  out_free (out);
  return fine;
}
