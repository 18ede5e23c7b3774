/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-stream-layout.h"

#include <string.h>
#include <zlib.h>

static void
put_32 (guint8  *to,
        guint32  value)
{
  guint32 little = GUINT32_TO_LE (value);

  memcpy (to, &little, 4);
}

static void
put_64 (guint8 *to,
        gint64  value)
{
  gint64 little = GINT64_TO_LE (value);

  memcpy (to, &little, 8);
}

static guint32
get_32 (const guint8 *from)
{
  guint32 little;

  memcpy (&little, from, 4);
  return GUINT32_FROM_LE (little);
}

static gint64
get_64 (const guint8 *from)
{
  gint64 little;

  memcpy (&little, from, 8);
  return GINT64_FROM_LE (little);
}

/**
 * kymo_stream_check_sum:
 * @bytes: at most %KYMO_STREAM_MAX_PAYLOAD of them
 *
 * Returns: CRC-32 as of zlib, gzip and PNG
 */
guint32
kymo_stream_check_sum (gconstpointer bytes,
                       gsize         n_bytes)
{
  return crc32 (0, bytes, n_bytes);
}

/**
 * kymo_stream_header_encode:
 * @provenance: (nullable): text; what is beyond the limit is cut off
 *
 * Returns: (transfer full): the header of a recording
 */
GBytes *
kymo_stream_header_encode (const char *provenance)
{
  gsize n = provenance != NULL ? MIN (strlen (provenance), KYMO_STREAM_MAX_PROVENANCE) : 0;
  guint8 *bytes = g_malloc (KYMO_STREAM_HEAD_BYTES + n + 4);

  memcpy (bytes, KYMO_STREAM_MAGIC, KYMO_STREAM_MAGIC_BYTES);
  put_32 (bytes + 8, KYMO_STREAM_VERSION);
  put_32 (bytes + 12, n);
  if (n > 0)
    memcpy (bytes + KYMO_STREAM_HEAD_BYTES, provenance, n);
  put_32 (bytes + KYMO_STREAM_HEAD_BYTES + n,
          kymo_stream_check_sum (bytes, KYMO_STREAM_HEAD_BYTES + n));
  return g_bytes_new_take (bytes, KYMO_STREAM_HEAD_BYTES + n + 4);
}

/**
 * kymo_stream_header_decode:
 * @bytes: the begin of a file, all of it or as much as a header can have
 * @n_bytes: how many there are
 * @version: (out): of the format, where %KYMO_STREAM_START_NEWER
 * @n_header: (out): bytes of a whole header, check sum included; else 0
 *
 * Returns: whether the header is whole, cut, damaged, newer, or none of a recording
 */
KymoStreamStart
kymo_stream_header_decode (const guint8 *bytes,
                           gsize         n_bytes,
                           guint32      *version,
                           gsize        *n_header)
{
  gsize n_magic = MIN (n_bytes, KYMO_STREAM_MAGIC_BYTES), n;

  *version = KYMO_STREAM_VERSION;
  *n_header = 0;
  if (n_bytes == 0 || memcmp (bytes, KYMO_STREAM_MAGIC, n_magic) != 0)
    return KYMO_STREAM_START_FOREIGN;
  if (n_bytes < KYMO_STREAM_HEAD_BYTES)
    return KYMO_STREAM_START_CUT;
  n = get_32 (bytes + 12);
  if (n > KYMO_STREAM_MAX_PROVENANCE)
    return KYMO_STREAM_START_DAMAGED;
  if (n_bytes < KYMO_STREAM_HEAD_BYTES + n + 4)
    return KYMO_STREAM_START_CUT;
  if (get_32 (bytes + KYMO_STREAM_HEAD_BYTES + n)
      != kymo_stream_check_sum (bytes, KYMO_STREAM_HEAD_BYTES + n))
    return KYMO_STREAM_START_DAMAGED;
  *version = get_32 (bytes + 8);
  *n_header = KYMO_STREAM_HEAD_BYTES + n + 4;
  return *version == KYMO_STREAM_VERSION ? KYMO_STREAM_START_WHOLE : KYMO_STREAM_START_NEWER;
}

/**
 * kymo_stream_head_encode:
 * @bytes: (out caller-allocates): %KYMO_STREAM_FRAME_BYTES
 */
void
kymo_stream_head_encode (const KymoStreamHead *head,
                         guint8               *bytes)
{
  memcpy (bytes, KYMO_STREAM_SYNC, KYMO_STREAM_SYNC_BYTES);
  put_32 (bytes + 4, head->kind);
  put_32 (bytes + 8, head->n_bytes);
  put_32 (bytes + 12, head->check);
  put_64 (bytes + 16, head->at_us);
  put_64 (bytes + 24, head->begin_ns);
  put_32 (bytes + 32, head->number);
  put_32 (bytes + 36, kymo_stream_check_sum (bytes, 36));
}

/**
 * kymo_stream_head_decode:
 * @bytes: %KYMO_STREAM_FRAME_BYTES
 *
 * Returns: whether a frame begins here
 */
gboolean
kymo_stream_head_decode (const guint8   *bytes,
                         KymoStreamHead *head)
{
  if (memcmp (bytes, KYMO_STREAM_SYNC, KYMO_STREAM_SYNC_BYTES) != 0
      || get_32 (bytes + 36) != kymo_stream_check_sum (bytes, 36))
    return FALSE;
  *head = (KymoStreamHead) {
    .kind = get_32 (bytes + 4),
    .n_bytes = get_32 (bytes + 8),
    .check = get_32 (bytes + 12),
    .at_us = get_64 (bytes + 16),
    .begin_ns = get_64 (bytes + 24),
    .number = get_32 (bytes + 32),
  };
  return head->n_bytes <= KYMO_STREAM_MAX_PAYLOAD;
}
