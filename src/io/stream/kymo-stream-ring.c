/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A queue of frames. What leaves it is let go, but for the last form and the
 * last names that did: they hold for the frames that are now the first. Those
 * two belong to the ring as all frames in it do, a reference each.
 */
#include "config.h"

#include "kymo-stream-file.h"

/* A frame without its payload: struct, GBytes and a link of the queue. */
#define FRAME_BYTES 64

struct _KymoStreamRing
{
  GQueue           frames;
  KymoStreamFrame *form;        /* left the queue, or NULL */
  KymoStreamFrame *names;
  gint64           max_bytes;
  gint64           n_bytes;
};

static gint64
bytes_of (const KymoStreamFrame *frame)
{
  return FRAME_BYTES + (gint64) g_bytes_get_size (frame->bytes);
}

/**
 * kymo_stream_ring_new:
 * @max_bytes: of payloads and 64 bytes a frame; form and names of what was
 *   let go are kept even beyond it
 *
 * Returns: (transfer full): an empty ring
 */
KymoStreamRing *
kymo_stream_ring_new (gsize max_bytes)
{
  KymoStreamRing *ring = g_new0 (KymoStreamRing, 1);

  g_queue_init (&ring->frames);
  ring->max_bytes = MIN (max_bytes, G_MAXINT64);
  return ring;
}

/**
 * kymo_stream_ring_free:
 *
 * Frees @ring. %NULL is ignored.
 */
void
kymo_stream_ring_free (KymoStreamRing *ring)
{
  if (ring == NULL)
    return;
  g_queue_clear_full (&ring->frames, (GDestroyNotify) kymo_stream_frame_unref);
  g_clear_pointer (&ring->form, kymo_stream_frame_unref);
  g_clear_pointer (&ring->names, kymo_stream_frame_unref);
  g_free (ring);
}

/* Takes over the reference. */
static void
keep_stream_ring (KymoStreamRing   *ring,
                  KymoStreamFrame **place,
                  KymoStreamFrame  *frame)
{
  if (*place != NULL)
    {
      ring->n_bytes -= bytes_of (*place);
      kymo_stream_frame_unref (*place);
    }
  *place = frame;
}

static void
let_go (KymoStreamRing *ring)
{
  KymoStreamFrame *frame = g_queue_pop_head (&ring->frames);

  if (frame->kind == KYMO_FRAME_FORM)
    keep_stream_ring (ring, &ring->form, frame);
  else if (frame->kind == KYMO_FRAME_NAMES)
    keep_stream_ring (ring, &ring->names, frame);
  else
    {
      ring->n_bytes -= bytes_of (frame);
      kymo_stream_frame_unref (frame);
    }
}

/**
 * kymo_stream_ring_push:
 * @frame: the newest; a reference is taken
 *
 * Lets go of the oldest where the ring is full. A frame is let go once, so
 * the cost of a frame does not grow with the ring.
 */
void
kymo_stream_ring_push (KymoStreamRing  *ring,
                       KymoStreamFrame *frame)
{
  g_queue_push_tail (&ring->frames, kymo_stream_frame_ref (frame));
  ring->n_bytes += bytes_of (frame);
  while (ring->n_bytes > ring->max_bytes && ring->frames.length > 1)
    let_go (ring);
}

/**
 * kymo_stream_ring_dup_frames:
 *
 * Returns: (transfer full) (element-type KymoStreamFrame): the frames, oldest
 *   first, after the form and the names that held before the first of them
 */
GPtrArray *
kymo_stream_ring_dup_frames (KymoStreamRing *ring)
{
  GPtrArray *frames = g_ptr_array_new_full (ring->frames.length + 2,
                                            (GDestroyNotify) kymo_stream_frame_unref);

  if (ring->form != NULL)
    g_ptr_array_add (frames, kymo_stream_frame_ref (ring->form));
  if (ring->names != NULL)
    g_ptr_array_add (frames, kymo_stream_frame_ref (ring->names));
  for (GList *link = ring->frames.head; link != NULL; link = link->next)
    g_ptr_array_add (frames, kymo_stream_frame_ref (link->data));
  return frames;
}

/** kymo_stream_ring_get_bytes: the memory of the frames in the ring, in bytes */
gint64
kymo_stream_ring_get_bytes (const KymoStreamRing *ring)
{
  return ring->n_bytes;
}

/**
 * kymo_stream_ring_get_begin_ns:
 *
 * Returns: the program's time of the oldest frame in the ring; 0 if the ring is empty
 */
gint64
kymo_stream_ring_get_begin_ns (const KymoStreamRing *ring)
{
  const KymoStreamFrame *oldest = g_queue_peek_head ((GQueue *) &ring->frames);

  return oldest != NULL ? MAX (oldest->begin_ns, 0) : 0;
}
