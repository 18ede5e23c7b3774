/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "blocks.h"

#define N_BINS 1000

static void
put (GByteArray *bytes,
     gint64      value,
     guint       n)
{
  guint64 little = GUINT64_TO_LE ((guint64) value);

  g_byte_array_append (bytes, (guint8 *) &little, n);
}

/* A block of the detail stream in which entry `id` has `percent` of all. */
static GBytes *
make_block (guint id,
            guint percent)
{
  GByteArray *bytes = g_byte_array_new ();

  put (bytes, N_BINS, 4);
  put (bytes, 4, 4);
  for (guint bin = 0; bin < N_BINS; bin++)
    {
      put (bytes, 1, 2);
      put (bytes, id, 2);
      put (bytes, percent * 5 / 2, 1);
    }
  return g_byte_array_free_to_bytes (bytes);
}

KymoStreamFrame *
blocks_make_reply (gint64 at_us,
                   guint  id,
                   guint  percent)
{
  g_autoptr (GBytes) bytes = make_block (id, percent);

  return kymo_stream_frame_new (KYMO_FRAME_REPLY, at_us, bytes);
}

KymoStreamFrame *
blocks_make_form (gint64 at_us)
{
  const KymoStreamForm form = { KYMO_STREAM_DETAIL, FALSE, 4 };

  return kymo_stream_frame_new_form (at_us, &form, "target: nowhere\n");
}

KymoStreamFrame *
blocks_make_any (KymoFrameKind kind,
                 gint64        at_us,
                 gint64        begin_ns,
                 gsize         n_bytes,
                 guint         seed)
{
  guint8 *payload = g_malloc (MAX (n_bytes, 1));
  g_autoptr (GBytes) bytes = g_bytes_new_take (payload, n_bytes);
  KymoStreamFrame *frame = kymo_stream_frame_new (kind, at_us, bytes);

  for (gsize i = 0; i < n_bytes; i++)
    payload[i] = (i + seed) * 2654435761u >> 24;
  frame->begin_ns = begin_ns;
  return frame;
}
