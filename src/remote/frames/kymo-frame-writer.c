/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-frame-writer.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#define COMPRESS_FROM (16 * 1024)
/* Bytes a microsecond, which are megabytes a second. */
#define SLOW_LINE 20
/* Shorter writes measure the buffer of a pipe. */
#define MEASURE_FROM (128 * 1024)

typedef struct
{
  KymoFrameHead  head;          /* of its next part */
  GBytes        *bytes;
  gsize          done;
} Outgoing;

struct _KymoFrameWriter
{
  int              fd;
  GThread         *thread;
  GMutex           mutex;
  GCond            changed;
  GQueue           queue;       /* Outgoing */
  guint64          writing;     /* request whose part is being written */
  gboolean         is_dropped;  /* what is being written is not to go on */
  gboolean         is_closed;   /* nothing more will be pushed */
  gboolean         is_broken;   /* nobody reads any more */
  KymoCompression  compression; /* atomic */
  gint             is_slow;     /* atomic */
};

static void
outgoing_free (gpointer data)
{
  Outgoing *outgoing = data;

  g_bytes_unref (outgoing->bytes);
  g_free (outgoing);
}

static gboolean
write_bytes (int fd, const guchar *bytes, gsize size)
{
  while (size > 0)
    {
      gssize n = write (fd, bytes, size);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return FALSE;
      bytes += n;
      size -= n;
    }
  return TRUE;
}

/* Whether an older message of the same request waits. */
static gboolean
has_elder (KymoFrameWriter *writer, GList *link)
{
  for (GList *l = link->prev; l != NULL; l = l->prev)
    if (((Outgoing *) l->data)->head.id == ((Outgoing *) link->data)->head.id)
      return TRUE;
  return FALSE;
}

static gsize
count_left (const Outgoing *outgoing)
{
  return g_bytes_get_size (outgoing->bytes) - outgoing->done;
}

static GList *
choose_next (KymoFrameWriter *writer)
{
  GList *best = NULL;

  for (GList *l = writer->queue.head; l != NULL; l = l->next)
    if ((best == NULL || count_left (l->data) < count_left (best->data)) && !has_elder (writer, l))
      best = l;
  return best;
}

static void
measure_line (KymoFrameWriter *writer, gsize size, gint64 begin_us)
{
  gint64 us = g_get_monotonic_time () - begin_us;

  if (size >= MEASURE_FROM)
    g_atomic_int_set (&writer->is_slow, (gint64) size < us * SLOW_LINE);
}

/* Writes the next part of a message that is out of the queue while that is done, for it may be
   dropped meanwhile. Returns whether all of it is written. */
static gboolean
write_part (KymoFrameWriter *writer, Outgoing *outgoing)
{
  const guchar *bytes = g_bytes_get_data (outgoing->bytes, NULL);
  gsize size = MIN (count_left (outgoing), KYMO_FRAME_PART);
  gint64 begin_us = g_get_monotonic_time ();
  guchar header[KYMO_FRAME_HEADER];

  outgoing->head.length = size;
  if (size == count_left (outgoing))
    outgoing->head.flags |= KYMO_FRAME_LAST;
  kymo_frame_head_write (&outgoing->head, header);
  if (!write_bytes (writer->fd, header, sizeof header)
      || !write_bytes (writer->fd, bytes + outgoing->done, size))
    return FALSE;
  measure_line (writer, size, begin_us);
  outgoing->done += size;
  outgoing->head.part++;
  return TRUE;
}

static gpointer
write_thread (gpointer data)
{
  KymoFrameWriter *writer = data;

  g_mutex_lock (&writer->mutex);
  while (TRUE)
    {
      GList *link = choose_next (writer);
      Outgoing *outgoing;
      gboolean written;

      if (link == NULL && writer->is_closed)
        break;
      if (link == NULL)
        {
          g_cond_wait (&writer->changed, &writer->mutex);
          continue;
        }
      outgoing = link->data;
      link->data = NULL;
      writer->writing = outgoing->head.id;
      writer->is_dropped = FALSE;
      g_queue_unlink (&writer->queue, link);
      g_mutex_unlock (&writer->mutex);
      written = write_part (writer, outgoing);
      g_mutex_lock (&writer->mutex);
      link->data = outgoing;
      if (!written || writer->is_dropped || (outgoing->head.flags & KYMO_FRAME_LAST) != 0)
        {
          outgoing_free (outgoing);
          g_list_free_1 (link);
        }
      else
        g_queue_push_head_link (&writer->queue, link);
      writer->writing = G_MAXUINT64;
      if (!written)
        {
          writer->is_broken = TRUE;
          g_queue_clear_full (&writer->queue, outgoing_free);
        }
    }
  g_mutex_unlock (&writer->mutex);
  return NULL;
}

/**
 * kymo_frame_writer_new:
 * @fd: where to write; stays the caller's, and open until the writer is freed
 *
 * Returns: (transfer full): the writer
 */
KymoFrameWriter *
kymo_frame_writer_new (int fd)
{
  KymoFrameWriter *writer = g_new0 (KymoFrameWriter, 1);

  /* A line that nobody reads any more is an error of a write, not the end of the program. */
  signal (SIGPIPE, SIG_IGN);
  writer->fd = fd;
  writer->writing = G_MAXUINT64;
  g_mutex_init (&writer->mutex);
  g_cond_init (&writer->changed);
  g_queue_init (&writer->queue);
  writer->thread = g_thread_new ("kymo-frames", write_thread, writer);
  return writer;
}

/** kymo_frame_writer_set_compression: @compression: of what is pushed from now on */
void
kymo_frame_writer_set_compression (KymoFrameWriter *writer, KymoCompression compression)
{
  g_atomic_int_set (&writer->compression, compression);
}

static gboolean
is_to_compress (KymoFrameWriter *writer, gsize size)
{
  KymoCompression compression = g_atomic_int_get (&writer->compression);

  return size >= COMPRESS_FROM && compression != KYMO_COMPRESSION_NEVER
    && (compression == KYMO_COMPRESSION_ALWAYS || g_atomic_int_get (&writer->is_slow));
}

/**
 * kymo_frame_writer_push:
 * @type: #KymoFrameType
 * @id: of the request
 * @body: (transfer floating): of type "a{sv}"
 *
 * Sends a message, later. Where nobody reads any more it is dropped.
 */
void
kymo_frame_writer_push (KymoFrameWriter *writer, guint type, guint64 id, GVariant *body)
{
  g_autoptr (GVariant) held = g_variant_ref_sink (body);
  KymoFrame frame = { type, id, held };
  Outgoing *outgoing = g_new0 (Outgoing, 1);

  kymo_frame_trace (">", &frame);
  outgoing->head.type = type;
  outgoing->head.id = id;
  outgoing->bytes = g_variant_get_data_as_bytes (held);
  if (is_to_compress (writer, g_bytes_get_size (outgoing->bytes)))
    {
      GBytes *packed = kymo_frame_compress (outgoing->bytes);

      g_bytes_unref (outgoing->bytes);
      outgoing->bytes = packed;
      outgoing->head.flags = KYMO_FRAME_COMPRESSED;
    }
  outgoing->head.total = g_bytes_get_size (outgoing->bytes);
  g_mutex_lock (&writer->mutex);
  if (writer->is_broken || writer->is_closed)
    outgoing_free (outgoing);
  else
    g_queue_push_tail (&writer->queue, outgoing);
  g_cond_signal (&writer->changed);
  g_mutex_unlock (&writer->mutex);
}

/**
 * kymo_frame_writer_drop:
 * @id: of a request whose answer nobody wants any more
 *
 * Takes back what of it has not been written. A message that is half written stays so: the next
 * one of that request makes its reader forget it.
 */
void
kymo_frame_writer_drop (KymoFrameWriter *writer, guint64 id)
{
  g_mutex_lock (&writer->mutex);
  if (writer->writing == id)
    writer->is_dropped = TRUE;
  for (GList *l = writer->queue.head, *next; l != NULL; l = next)
    {
      next = l->next;
      if (((Outgoing *) l->data)->head.id != id)
        continue;
      outgoing_free (l->data);
      g_queue_delete_link (&writer->queue, l);
    }
  g_mutex_unlock (&writer->mutex);
}

/**
 * kymo_frame_writer_free:
 * @writer: (nullable): writes what was pushed, unless nobody reads it, and ends
 */
void
kymo_frame_writer_free (KymoFrameWriter *writer)
{
  if (writer == NULL)
    return;
  g_mutex_lock (&writer->mutex);
  writer->is_closed = TRUE;
  g_cond_signal (&writer->changed);
  g_mutex_unlock (&writer->mutex);
  g_thread_join (writer->thread);
  g_queue_clear_full (&writer->queue, outgoing_free);
  g_cond_clear (&writer->changed);
  g_mutex_clear (&writer->mutex);
  g_free (writer);
}
