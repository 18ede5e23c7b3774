/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pieces of files, for a client that takes a file as it needs it: a recording of a stream that is
 * played back there. A request opens the file anew, so nothing is left when its client goes.
 */
#include "config.h"

#include "kymo-server-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <unistd.h>

#include "kymo-error.h"
#include "kymo-input.h"
#include "kymo-stream-file.h"

/* (transfer full) (nullable): the file that the request means. */
static char *
dup_file (KymoServerRequest *request, GError **error)
{
  GVariant *body = request->frame->body;
  g_autofree char *path = kymo_server_dup_path (request, error);
  gboolean is_recording = FALSE;
  const char *base = NULL;

  g_variant_lookup (body, "recording", "b", &is_recording);
  g_variant_lookup (body, "base", "&s", &base);
  return path != NULL && is_recording ? kymo_stream_file_find (path, base, error)
         : g_steal_pointer (&path);
}

/* @path: of the file, or of a folder above the one that the request names */
static int
open_file (KymoServerRequest *request, const char *path, gint64 *size, GError **error)
{
  const char *name = NULL;

  g_variant_lookup (request->frame->body, "file", "^&ay", &name);
  return name != NULL ? kymo_server_open_beneath (path, name, size, error)
                      : kymo_input_open_at (AT_FDCWD, path, O_RDONLY, size, error);
}

/* The bytes of the file that were asked for, fewer at its end; -1 with an error. */
static gssize
read_piece (int fd, const char *path, gint64 offset, guint8 *bytes, gsize length, GError **error)
{
  gsize done = 0;

  while (done < length)
    {
      gssize n = pread (fd, bytes + done, length - done, offset + done);

      if (n == 0)
        break;
      if (n > 0)
        done += n;
      else if (errno != EINTR)
        {
          g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, _("“%s” cannot be read: %s"), path,
                       g_strerror (errno));
          return -1;
        }
    }
  return done;
}

static GVariant *
make_bytes (const char *path, gint64 size, guint8 *bytes, gsize n)
{
  GVariantDict body;

  g_variant_dict_init (&body, NULL);
  g_variant_dict_insert (&body, "path", "^ay", path);
  g_variant_dict_insert (&body, "size", "x", size);
  g_variant_dict_insert_value (&body, "bytes", g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE,
                                                                          bytes, n, 1));
  return g_variant_dict_end (&body);
}

/** kymo_server_read: sends the piece of a file that a READ names, and ends the request */
void
kymo_server_read (KymoServerRequest *request)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = dup_file (request, &error);
  g_autofree guint8 *bytes = NULL;
  gint64 offset = 0, size = 0;
  guint32 length = 0;
  gssize n = -1;
  int fd = path != NULL ? open_file (request, path, &size, &error) : -1;

  g_variant_lookup (request->frame->body, "offset", "x", &offset);
  g_variant_lookup (request->frame->body, "length", "u", &length);
  length = offset < 0 || offset >= size ? 0
    : (guint32) MIN (MIN (length, KYMO_FRAME_MOST_READ), size - offset);
  bytes = g_malloc (MAX (length, 1));
  if (fd >= 0)
    {
      n = read_piece (fd, path, offset, bytes, length, &error);
      close (fd);
    }
  if (n < 0)
    kymo_server_answer_error (request, error);
  else
    kymo_server_answer (request, KYMO_FRAME_BYTES, make_bytes (path, size, bytes, n));
}
