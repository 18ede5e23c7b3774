/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-frame.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>

#include "kymo-error.h"

/* No text begins with its first byte, in either order. */
#define FRAME_MAGIC 0x4d594b89u
#define FRAME_MAGIC_SWAPPED 0x894b594du
/* Longer bodies are cut in the readable form. */
#define MOST_TRACED 4096

static const char *const type_names[] = {
  NULL, "HELLO", "WELCOME", "OPEN", "OPENED", "ASK", "ANSWER", "ERROR", "CANCEL", "PROGRESS",
  "GROWN", "KEEP", "DONE", "WORK", "OUTPUT", "CLOSE", "LIST", "LISTING",
  "READ", "BYTES", "VALUE", "ALIVE", "FILES", "DIGEST", "DRAFT",
};

/** kymo_frame_type_to_text: Returns: the word for a type; "?" for one that is not known */
const char *
kymo_frame_type_to_text (guint type)
{
  return type > 0 && type < G_N_ELEMENTS (type_names) ? type_names[type] : "?";
}

/** kymo_frame_free: @frame: (nullable) (transfer full): with its body */
void
kymo_frame_free (KymoFrame *frame)
{
  if (frame == NULL)
    return;
  g_clear_pointer (&frame->body, g_variant_unref);
  g_free (frame);
}

static gpointer
open_trace (gpointer data)
{
  const char *path = g_getenv ("KYMO_FRAMES");
  FILE *file = path != NULL && *path != '\0' ? fopen (path, "ae") : NULL;

  if (file != NULL)
    setvbuf (file, NULL, _IOLBF, 0);
  return file;
}

/**
 * kymo_frame_trace:
 * @direction: ">" for what leaves, "<" for what comes
 *
 * Writes the message as a line of text to the file that KYMO_FRAMES names. Any thread.
 */
void
kymo_frame_trace (const char *direction, const KymoFrame *frame)
{
  static GOnce opened = G_ONCE_INIT;
  FILE *file = g_once (&opened, open_trace, NULL);
  g_autofree char *body = NULL;
  gsize size;

  if (file == NULL)
    return;
  size = g_variant_get_size (frame->body);
  body = size <= MOST_TRACED ? g_variant_print (frame->body, FALSE)
                             : g_strdup_printf ("(%" G_GSIZE_FORMAT " bytes)", size);
  fprintf (file, "%" G_GINT64_FORMAT " %s %s %" G_GUINT64_FORMAT " %s\n",
           g_get_monotonic_time () / 1000, direction, kymo_frame_type_to_text (frame->type),
           frame->id, body);
}

static void
put_bytes (guchar *bytes, gsize at, gconstpointer value, gsize size)
{
  memcpy (bytes + at, value, size);
}

/**
 * kymo_frame_head_write:
 * @bytes: (out): %KYMO_FRAME_HEADER bytes, in the order of this machine
 */
void
kymo_frame_head_write (const KymoFrameHead *head, guchar *bytes)
{
  guint32 magic = FRAME_MAGIC;
  guint16 version = KYMO_FRAME_VERSION;
  guchar type = head->type, flags = head->flags;

  put_bytes (bytes, 0, &magic, 4);
  put_bytes (bytes, 4, &type, 1);
  put_bytes (bytes, 5, &flags, 1);
  put_bytes (bytes, 6, &version, 2);
  put_bytes (bytes, 8, &head->id, 8);
  put_bytes (bytes, 16, &head->length, 4);
  put_bytes (bytes, 20, &head->part, 4);
  put_bytes (bytes, 24, &head->total, 8);
}

static guint32
get_u32 (const guchar *bytes, gboolean swapped)
{
  guint32 value;

  memcpy (&value, bytes, 4);
  return swapped ? GUINT32_SWAP_LE_BE (value) : value;
}

static guint64
get_u64 (const guchar *bytes, gboolean swapped)
{
  guint64 value;

  memcpy (&value, bytes, 8);
  return swapped ? GUINT64_SWAP_LE_BE (value) : value;
}

/** kymo_frame_has_magic: Returns: whether a header begins with these four bytes */
gboolean
kymo_frame_has_magic (const guchar *bytes)
{
  guint32 magic = get_u32 (bytes, FALSE);

  return magic == FRAME_MAGIC || magic == FRAME_MAGIC_SWAPPED;
}

/** kymo_frame_get_version: @bytes: %KYMO_FRAME_HEADER bytes; Returns: of the header they are in */
guint
kymo_frame_get_version (const guchar *bytes)
{
  guint16 version;

  memcpy (&version, bytes + 6, 2);
  return get_u32 (bytes, FALSE) == FRAME_MAGIC ? version : GUINT16_SWAP_LE_BE (version);
}

/**
 * kymo_frame_head_read:
 * @bytes: %KYMO_FRAME_HEADER bytes
 * @head: (out): what they say
 *
 * Returns: whether they are a header of this version whose numbers fit together
 */
gboolean
kymo_frame_head_read (const guchar *bytes, KymoFrameHead *head)
{
  if (!kymo_frame_has_magic (bytes))
    return FALSE;
  head->swapped = get_u32 (bytes, FALSE) == FRAME_MAGIC_SWAPPED;
  head->type = bytes[4];
  head->flags = bytes[5];
  head->id = get_u64 (bytes + 8, head->swapped);
  head->length = get_u32 (bytes + 16, head->swapped);
  head->part = get_u32 (bytes + 20, head->swapped);
  head->total = get_u64 (bytes + 24, head->swapped);
  return kymo_frame_get_version (bytes) == KYMO_FRAME_VERSION && head->type != 0
    && head->length <= KYMO_FRAME_PART && head->length <= head->total;
}

/* -- bodies --------------------------------------------------------------------------------- */

#define CONVERTED_AT_ONCE (64 * 1024)

/* Runs all bytes through @converter; %NULL where that fails, is cancelled, or where more than @most
   bytes come out. */
static GByteArray *
convert_bytes (GConverter *converter, const guchar *data, gsize size, gsize most,
               GCancellable *cancellable)
{
  g_autoptr (GByteArray) out = g_byte_array_new ();
  g_autofree guchar *piece = g_malloc (CONVERTED_AT_ONCE);

  while (!g_cancellable_is_cancelled (cancellable))
    {
      gsize read = 0, written = 0;
      GConverterResult result = g_converter_convert (converter, data, size, piece,
                                                     CONVERTED_AT_ONCE, G_CONVERTER_INPUT_AT_END,
                                                     &read, &written, NULL);

      if (result == G_CONVERTER_ERROR || out->len + written > most)
        return NULL;
      g_byte_array_append (out, piece, written);
      data += read;
      size -= read;
      if (result == G_CONVERTER_FINISHED)
        return size == 0 ? g_steal_pointer (&out) : NULL;
    }
  return NULL;
}

/**
 * kymo_frame_compress:
 * @plain: a body
 * @cancellable: (nullable): looked at after each 64 KiB that come out
 *
 * Returns: (transfer full) (nullable): the compressed body, to be marked with
 *   %KYMO_FRAME_COMPRESSED; %NULL where that was cancelled
 */
GBytes *
kymo_frame_compress (GBytes *plain, GCancellable *cancellable)
{
  g_autoptr (GZlibCompressor) zlib = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB, 1);
  gsize size;
  const guchar *data = g_bytes_get_data (plain, &size);
  g_autoptr (GByteArray) packed = convert_bytes (G_CONVERTER (zlib), data, size, G_MAXSIZE,
                                                  cancellable);
  guint64 length = size;

  if (packed == NULL)
    return NULL;
  g_byte_array_prepend (packed, (const guchar *) &length, sizeof length);
  return g_byte_array_free_to_bytes (g_steal_pointer (&packed));
}

static GBytes *
inflate_body (GBytes *bytes, gboolean swapped, gsize most)
{
  g_autoptr (GZlibDecompressor) zlib = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB);
  g_autoptr (GByteArray) plain = NULL;
  gsize size;
  const guchar *data = g_bytes_get_data (bytes, &size);

  if (size < 8 || get_u64 (data, swapped) > most)
    return NULL;
  plain = convert_bytes (G_CONVERTER (zlib), data + 8, size - 8, get_u64 (data, swapped), NULL);
  return plain != NULL && plain->len == get_u64 (data, swapped)
    ? g_byte_array_free_to_bytes (g_steal_pointer (&plain)) : NULL;
}

/**
 * kymo_frame_read_body:
 * @bytes: all parts of a message, one behind another
 * @head: a header of it
 * @most: more bytes than these are refused
 *
 * Returns: (transfer full) (nullable): the body, of type "a{sv}" and in normal form; %NULL with
 *   %KYMO_ERROR_UNREADABLE
 */
GVariant *
kymo_frame_read_body (GBytes *bytes, const KymoFrameHead *head, gsize most, GError **error)
{
  g_autoptr (GBytes) plain = (head->flags & KYMO_FRAME_COMPRESSED) != 0
    ? inflate_body (bytes, head->swapped, most) : g_bytes_ref (bytes);
  g_autoptr (GVariant) body = NULL;

  if (plain != NULL)
    body = g_variant_ref_sink (g_variant_new_from_bytes (G_VARIANT_TYPE_VARDICT, plain, FALSE));
  /* Only what is in normal form can be swapped, and read, in a time that its length bounds. */
  if (body != NULL && head->swapped && g_variant_is_normal_form (body))
    {
      GVariant *swapped = g_variant_byteswap (body);

      g_variant_unref (body);
      body = swapped;
    }
  if (body != NULL && g_variant_is_normal_form (body))
    return g_steal_pointer (&body);
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
               _("A message (%s) is damaged: its parts do not fit together"),
               kymo_frame_type_to_text (head->type));
  return NULL;
}
