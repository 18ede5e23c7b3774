/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How the bytes of a recording lie (docs/formats/stream.md); for its writer
 * and its reader alone. All numbers are little endian.
 *
 *   header: 8 magic, u32 version, u32 length of the text, text, u32 check sum
 *   frame: 4 sync word, u32 kind, u32 length of the payload, u32 check sum of
 *     the payload, i64 at_us, i64 begin_ns, u32 number of the frame, u32 check
 *     sum of what is before it; payload
 *
 * Plain values; any thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define KYMO_STREAM_MAGIC "\x89KYST\r\n\x1a"
#define KYMO_STREAM_MAGIC_BYTES 8
#define KYMO_STREAM_VERSION 1
/** header without text and check sum */
#define KYMO_STREAM_HEAD_BYTES 16
#define KYMO_STREAM_MAX_PROVENANCE (64 << 10)
#define KYMO_STREAM_SYNC "\xf5KF\x9a"
#define KYMO_STREAM_SYNC_BYTES 4
#define KYMO_STREAM_FRAME_BYTES 40
/** a payload that is longer is neither written nor believed */
#define KYMO_STREAM_MAX_PAYLOAD (64 << 20)

/** KymoStreamHead: what stands before a payload */
typedef struct
{
  guint32 kind;
  guint32 n_bytes;
  guint32 check;
  gint64  at_us;
  gint64  begin_ns;
  guint32 number;
} KymoStreamHead;

/**
 * KymoStreamStart: what the begin of a file is
 * @KYMO_STREAM_START_FOREIGN: no recording, or one whose magic is damaged
 * @KYMO_STREAM_START_CUT: what is there is the begin of a header
 * @KYMO_STREAM_START_DAMAGED: the check sum is another
 * @KYMO_STREAM_START_NEWER: of a version that is not known
 */
typedef enum
{
  KYMO_STREAM_START_WHOLE,
  KYMO_STREAM_START_FOREIGN,
  KYMO_STREAM_START_CUT,
  KYMO_STREAM_START_DAMAGED,
  KYMO_STREAM_START_NEWER,
} KymoStreamStart;

guint32  kymo_stream_check_sum     (gconstpointer         bytes,
                                    gsize                 n_bytes);
GBytes  *kymo_stream_header_encode (const char           *provenance);
KymoStreamStart kymo_stream_header_decode (const guint8   *bytes,
                                    gsize                 n_bytes,
                                    guint32              *version,
                                    gsize                *n_header);
void     kymo_stream_head_encode   (const KymoStreamHead *head,
                                    guint8               *bytes);
gboolean kymo_stream_head_decode   (const guint8         *bytes,
                                    KymoStreamHead       *head);

G_END_DECLS
