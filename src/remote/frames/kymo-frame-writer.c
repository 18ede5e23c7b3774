/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-frame-writer.h"

#include <errno.h>
#include <signal.h>
#include <sys/uio.h>
#include <unistd.h>

#define COMPRESS_FROM (16 * 1024)
/* Bytes a microsecond, which are megabytes a second. */
#define SLOW_LINE 20
/* A part that is being written is written whole, whatever has to wait for that: so long at most. */
#define PART_US (10 * 1000)
#define SHORTEST_PART (16 * 1024)
#define LONGEST_PART (64 * 1024)
/* Shorter messages measure the buffer of a pipe. */
#define MEASURE_FROM (128 * 1024)
#define MEASURE_RATE_FROM (512 * 1024)

struct _KymoFrameParcel
{
  KymoFrameHead  head;          /* of its next part */
  GBytes        *bytes;
  gsize          done;
  gint64         begin_us;      /* when its first part was begun */
  gsize          told;          /* bytes that have told whether the line is slow */
  gint64         told_us;       /* since when the others are written; waiting left out */
};

struct _KymoFrameWriter
{
  int              fd;
  GThread         *thread;
  GMutex           mutex;
  GCond            changed;
  GQueue           queue;       /* KymoFrameParcel */
  KymoFrameParcel *writing;     /* whose part is being written, out of the queue; or NULL */
  gboolean         is_last;     /* the part that is being written ends its message */
  gboolean         is_dropped;  /* what is being written is not to go on */
  gboolean         keeps_order;
  gboolean         is_closed;   /* nothing more will be pushed */
  gboolean         is_broken;   /* nobody reads any more */
  KymoCompression  compression; /* atomic */
  gint             is_slow;     /* atomic */
  gint             rate;        /* atomic: bytes a microsecond of the latest long message, or 0 */
};

/** kymo_frame_parcel_free: @parcel: (transfer full): that was not sent */
void
kymo_frame_parcel_free (gpointer parcel)
{
  g_bytes_unref (((KymoFrameParcel *) parcel)->bytes);
  g_free (parcel);
}

/* Header and bytes go in one call: whoever reads them wakes up once. */
static gboolean
write_pieces (int fd, struct iovec *pieces, int n_pieces)
{
  while (n_pieces > 0)
    {
      gssize n = writev (fd, pieces, n_pieces);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return FALSE;
      for (; n_pieces > 0 && (gsize) n >= pieces->iov_len; pieces++, n_pieces--)
        n -= pieces->iov_len;
      if (n_pieces > 0)
        {
          pieces->iov_base = (guchar *) pieces->iov_base + n;
          pieces->iov_len -= n;
        }
    }
  return TRUE;
}

/* Whether an older message of the same request waits. */
static gboolean
has_elder (KymoFrameWriter *writer, GList *link)
{
  for (GList *l = link->prev; l != NULL; l = l->prev)
    if (((KymoFrameParcel *) l->data)->head.id == ((KymoFrameParcel *) link->data)->head.id)
      return TRUE;
  return FALSE;
}

static gsize
count_left (const KymoFrameParcel *parcel)
{
  return g_bytes_get_size (parcel->bytes) - parcel->done;
}

static GList *
choose_next (KymoFrameWriter *writer)
{
  GList *best = NULL;

  if (writer->keeps_order)
    return writer->queue.head;
  for (GList *l = writer->queue.head; l != NULL; l = l->next)
    if ((best == NULL || count_left (l->data) < count_left (best->data)) && !has_elder (writer, l))
      best = l;
  return best;
}

/* Some parts tell that a line is slow; how fast it is only a message tells that is longer than what
   lies in buffers along the line. */
static void
measure_line (KymoFrameWriter *writer, KymoFrameParcel *parcel, gsize size, gint64 begin_us)
{
  gint64 now_us = g_get_monotonic_time ();
  gsize all = parcel->done + size;

  parcel->told += size;
  parcel->told_us += now_us - begin_us;
  if (parcel->told >= MEASURE_FROM)
    {
      g_atomic_int_set (&writer->is_slow, (gint64) parcel->told < parcel->told_us * SLOW_LINE);
      parcel->told = 0;
      parcel->told_us = 0;
    }
  if (all >= MEASURE_RATE_FROM)
    g_atomic_int_set (&writer->rate, CLAMP ((gint64) all / MAX (now_us - parcel->begin_us, 1), 1,
                                            G_MAXINT));
}

/* A slow line gets short parts. */
static gsize
choose_size (KymoFrameWriter *writer, const KymoFrameParcel *parcel)
{
  gint rate = g_atomic_int_get (&writer->rate);
  gsize size = rate > 0 ? CLAMP ((gsize) rate * PART_US, SHORTEST_PART, LONGEST_PART)
               : g_atomic_int_get (&writer->is_slow) ? SHORTEST_PART : LONGEST_PART;

  return MIN (count_left (parcel), size);
}

/* Writes a part, as long as its header says, of a message that is out of the queue while that is
   done, for it may be dropped meanwhile. Returns whether all of it is written. */
static gboolean
write_part (KymoFrameWriter *writer, KymoFrameParcel *parcel)
{
  const guchar *bytes = g_bytes_get_data (parcel->bytes, NULL);
  gsize size = parcel->head.length;
  gint64 begin_us = g_get_monotonic_time ();
  guchar header[KYMO_FRAME_HEADER];
  struct iovec pieces[] = { { header, sizeof header }, { (guchar *) bytes + parcel->done, size } };

  if (size == count_left (parcel))
    parcel->head.flags |= KYMO_FRAME_LAST;
  kymo_frame_head_write (&parcel->head, header);
  if (!write_pieces (writer->fd, pieces, G_N_ELEMENTS (pieces)))
    return FALSE;
  if (parcel->done == 0)
    parcel->begin_us = begin_us;
  measure_line (writer, parcel, size, begin_us);
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
      KymoFrameParcel *parcel;
      gboolean written;

      if (link == NULL && writer->is_closed)
        break;
      if (link == NULL)
        {
          g_cond_wait (&writer->changed, &writer->mutex);
          continue;
        }
      parcel = link->data;
      link->data = NULL;
      writer->writing = parcel;
      writer->is_dropped = FALSE;
      parcel->head.length = choose_size (writer, parcel);
      writer->is_last = parcel->head.length == count_left (parcel);
      g_queue_unlink (&writer->queue, link);
      g_mutex_unlock (&writer->mutex);
      written = write_part (writer, parcel);
      g_mutex_lock (&writer->mutex);
      link->data = parcel;
      parcel->done += parcel->head.length;
      parcel->head.part++;
      if (!written || writer->is_dropped || (parcel->head.flags & KYMO_FRAME_LAST) != 0)
        {
          kymo_frame_parcel_free (parcel);
          g_list_free_1 (link);
        }
      else
        g_queue_push_head_link (&writer->queue, link);
      writer->writing = NULL;
      if (!written)
        {
          writer->is_broken = TRUE;
          g_queue_clear_full (&writer->queue, kymo_frame_parcel_free);
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
  g_mutex_init (&writer->mutex);
  g_cond_init (&writer->changed);
  g_queue_init (&writer->queue);
  writer->thread = g_thread_new ("kymo-frames", write_thread, writer);
  return writer;
}

/** kymo_frame_writer_keep_order: sends messages one after another, none overtakes another */
void
kymo_frame_writer_keep_order (KymoFrameWriter *writer)
{
  writer->keeps_order = TRUE;
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
 * kymo_frame_writer_pack:
 * @type: #KymoFrameType
 * @id: of the request
 * @body: (transfer floating): of type "a{sv}"
 * @cancellable: (nullable): ends the work
 *
 * Does all the work that a message makes, but does not send it.
 *
 * Returns: (transfer full) (nullable): for kymo_frame_writer_send() or kymo_frame_parcel_free();
 *   %NULL where that was cancelled
 */
KymoFrameParcel *
kymo_frame_writer_pack (KymoFrameWriter *writer, guint type, guint64 id, GVariant *body,
                        GCancellable *cancellable)
{
  g_autoptr (GVariant) held = g_variant_ref_sink (body);
  KymoFrame frame = { type, id, held };
  KymoFrameParcel *parcel = g_new0 (KymoFrameParcel, 1);

  kymo_frame_trace (">", &frame);
  parcel->head.type = type;
  parcel->head.id = id;
  parcel->bytes = g_variant_get_data_as_bytes (held);
  if (is_to_compress (writer, g_bytes_get_size (parcel->bytes)))
    {
      GBytes *packed = kymo_frame_compress (parcel->bytes, cancellable);

      if (packed == NULL)
        {
          kymo_frame_parcel_free (parcel);
          return NULL;
        }
      g_bytes_unref (parcel->bytes);
      parcel->bytes = packed;
      parcel->head.flags = KYMO_FRAME_COMPRESSED;
    }
  parcel->head.total = g_bytes_get_size (parcel->bytes);
  return parcel;
}

/** kymo_frame_writer_send: @parcel: (transfer full): is sent later, or never if nobody reads */
void
kymo_frame_writer_send (KymoFrameWriter *writer, KymoFrameParcel *parcel)
{
  g_mutex_lock (&writer->mutex);
  if (writer->is_broken || writer->is_closed)
    kymo_frame_parcel_free (parcel);
  else
    g_queue_push_tail (&writer->queue, parcel);
  g_cond_signal (&writer->changed);
  g_mutex_unlock (&writer->mutex);
}

/** kymo_frame_writer_push: packs a message, see kymo_frame_writer_pack(), and sends it */
void
kymo_frame_writer_push (KymoFrameWriter *writer, guint type, guint64 id, GVariant *body)
{
  kymo_frame_writer_send (writer, kymo_frame_writer_pack (writer, type, id, body, NULL));
}

/**
 * kymo_frame_writer_drop:
 * @id: of a request whose answer nobody wants any more
 *
 * Takes back what of it has not been written. A message that is half written stays so: the next
 * one of that request makes its reader forget it.
 *
 * Returns: whether anything was taken back: then the last message of the request was not sent
 */
gboolean
kymo_frame_writer_drop (KymoFrameWriter *writer, guint64 id)
{
  gboolean is_some;

  g_mutex_lock (&writer->mutex);
  /* What is written now cannot be taken back where it is the last part. */
  is_some = writer->writing != NULL && writer->writing->head.id == id
            && !writer->is_last;
  writer->is_dropped = writer->is_dropped || is_some;
  for (GList *l = writer->queue.head, *next; l != NULL; l = next)
    {
      next = l->next;
      if (((KymoFrameParcel *) l->data)->head.id != id)
        continue;
      is_some = TRUE;
      kymo_frame_parcel_free (l->data);
      g_queue_delete_link (&writer->queue, l);
    }
  g_mutex_unlock (&writer->mutex);
  return is_some;
}

/**
 * kymo_frame_writer_estimate_us:
 * @bytes: of a message, as long as it is when it is sent
 *
 * Returns: about so many microseconds it takes; 50 ns a byte before a long message was sent
 */
gint64
kymo_frame_writer_estimate_us (KymoFrameWriter *writer, gsize bytes)
{
  gint rate = g_atomic_int_get (&writer->rate);

  return bytes / (rate > 0 ? rate : SLOW_LINE);
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
  g_queue_clear_full (&writer->queue, kymo_frame_parcel_free);
  g_cond_clear (&writer->changed);
  g_mutex_clear (&writer->mutex);
  g_free (writer);
}
