/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-remote-file.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-far-files.h"

/** FarFile: a file that is being read; after a lost line the next reading makes another */
typedef struct
{
  KymoRemoteAddress *where;
  KymoRemoteLink    *link;
} FarFile;

/* How machines are reached; set once, before other threads run. */
static KymoRemoteWay files_way;

static GVariant *
make_read (const char *path, const char *base, gboolean is_recording, gint64 at, gsize n_bytes)
{
  GVariantDict body;

  g_variant_dict_init (&body, NULL);
  g_variant_dict_insert (&body, "path", "^ay", path);
  g_variant_dict_insert (&body, "recording", "b", is_recording);
  if (base != NULL && g_utf8_validate (base, -1, NULL))
    g_variant_dict_insert (&body, "base", "s", base);
  g_variant_dict_insert (&body, "offset", "x", at);
  g_variant_dict_insert (&body, "length", "u", (guint32) MIN (n_bytes, KYMO_FRAME_MOST_READ));
  return g_variant_dict_end (&body);
}

/**
 * kymo_remote_file_read:
 * @path: of an ordinary file on the other machine
 * @at: byte of the file to begin at
 * @buffer: (nullable): room for @n_bytes
 * @n_bytes: how many to read; 0 = only the size is wanted
 * @size: (out): of the file now
 *
 * Returns: how many bytes were read, at most %KYMO_FRAME_MOST_READ; 0 at the end of the file. -1
 *   with the error that reading there has, or with that of the line
 */
gssize
kymo_remote_file_read (KymoRemoteLink *link, const char *path, gint64 at, guint8 *buffer,
                       gsize n_bytes, gint64 *size, GCancellable *cancellable, GError **error)
{
  GVariant *body = make_read (path, NULL, FALSE, at, n_bytes);
  g_autoptr (KymoFrame) frame = kymo_remote_link_ask (link, KYMO_FRAME_READ, body, NULL, NULL, NULL,
                                                      cancellable, error);
  g_autoptr (GVariant) bytes = NULL;
  gconstpointer data;
  gsize n = 0;

  if (frame == NULL)
    return -1;
  bytes = g_variant_lookup_value (frame->body, "bytes", G_VARIANT_TYPE_BYTESTRING);
  if (bytes == NULL || !g_variant_lookup (frame->body, "size", "x", size) || *size < 0
      || g_variant_get_size (bytes) > n_bytes)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                   _("The server sends other bytes of “%s” than were asked for"), path);
      return -1;
    }
  data = g_variant_get_fixed_array (bytes, &n, 1);
  if (n > 0)
    memcpy (buffer, data, n);
  return n;
}

/* -- for readers of files ---------------------------------------------------------------------- */

static void
far_file_close (gpointer data)
{
  FarFile *file = data;

  g_clear_pointer (&file->link, kymo_remote_link_unref);
  kymo_remote_address_free (file->where);
  g_free (file);
}

static gssize
far_file_read (gpointer data, gint64 at, guint8 *buffer, gsize n_bytes, gint64 *size,
               GCancellable *cancellable, GError **error)
{
  FarFile *file = data;

  if (file->link != NULL && kymo_remote_link_has_ended (file->link))
    g_clear_pointer (&file->link, kymo_remote_link_unref);
  if (file->link == NULL)
    file->link = kymo_remote_link_get (file->where, &files_way, NULL, error);
  return file->link == NULL ? -1
    : kymo_remote_file_read (file->link, file->where->path, at, buffer, n_bytes, size, cancellable,
                             error);
}

static gpointer
far_file_open (const char *address, gint64 *size, GCancellable *cancellable, GError **error)
{
  KymoRemoteAddress *where = kymo_remote_address_parse (address, error);
  FarFile *file;

  if (where == NULL)
    return NULL;
  file = g_new0 (FarFile, 1);
  file->where = where;
  if (far_file_read (file, 0, NULL, 0, size, cancellable, error) >= 0)
    return file;
  far_file_close (file);
  return NULL;
}

static char *
far_file_find (const char *address, const char *base, GError **error)
{
  g_autoptr (KymoRemoteAddress) where = kymo_remote_address_parse (address, error);
  g_autoptr (KymoRemoteLink) link = where == NULL ? NULL
    : kymo_remote_link_get (where, &files_way, NULL, error);
  g_autoptr (KymoFrame) frame = NULL;
  const char *path = NULL;

  if (link == NULL)
    return NULL;
  frame = kymo_remote_link_ask (link, KYMO_FRAME_READ, make_read (where->path, base, TRUE, 0, 0),
                                NULL, NULL, NULL, NULL, error);
  if (frame == NULL)
    return NULL;
  g_variant_lookup (frame->body, "path", "^&ay", &path);
  return path != NULL && *path == '/' ? kymo_remote_address_dup_text (where, path)
         : g_strdup (address);
}

/**
 * kymo_remote_files_use:
 * @way: its texts are not copied
 *
 * From now on readers of recordings take addresses of other machines, too. To be called once,
 * before other threads run.
 */
void
kymo_remote_files_use (const KymoRemoteWay *way)
{
  static const KymoFarFiles files = { kymo_remote_is_address, far_file_find, far_file_open,
                                      far_file_read, far_file_close };

  files_way = *way;
  kymo_far_files_set (&files);
}
