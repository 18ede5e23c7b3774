/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writes recordings. A frame is one write(), so a reader beside it sees
 * whole frames, and what a crash of the program leaves is whole. Against a
 * crash of the machine the file is brought to the disk every 16 MiB or 30 s,
 * whichever is first, and at the end: not with each frame, for a slow disk
 * would hold up the stream. What a failed write left is taken back.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-stream-file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kymo-error.h"
#include "kymo-stream-scan.h"

#define FLUSH_BYTES (16 << 20)
#define FLUSH_US (30 * G_USEC_PER_SEC)

/* A buffer that one large frame made is not kept for the small ones. */
#define KEPT_BYTES (1 << 20)

/**
 * KymoStreamWriter:
 * @n_bytes: of whole frames and the header
 * @number: of the next frame
 * @next_ns: begin of the block that follows what was in the file when it was
 *   opened
 * @failed: nothing more is written
 */
struct _KymoStreamWriter
{
  char       *path;
  int         fd;
  gint64      n_bytes;
  gint64      n_flushed;
  gint64      flushed_us;
  guint32     number;
  gint64      next_ns;
  gboolean    failed;
  GByteArray *buffer;
};

static void
writer_free (KymoStreamWriter *writer)
{
  if (writer->fd >= 0)
    close (writer->fd);
  g_byte_array_unref (writer->buffer);
  g_free (writer->path);
  g_free (writer);
}

static gboolean
fail_stream_writer (KymoStreamWriter  *writer,
                    GError           **error,
                    int                number)
{
  writer->failed = TRUE;
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_WRITE, _("Cannot write to “%s”: %s"), writer->path,
               g_strerror (number));
  return FALSE;
}

/* All or nothing. */
static gboolean
put_stream_writer (KymoStreamWriter  *writer,
                   const guint8      *bytes,
                   gsize              n_bytes,
                   GError           **error)
{
  gsize done = 0;

  while (done < n_bytes)
    {
      ssize_t n = pwrite (writer->fd, bytes + done, n_bytes - done, writer->n_bytes + done);
      int number = n < 0 ? errno : EIO;

      if (n > 0)
        done += n;
      else if (n == 0 || number != EINTR)
        {
          if (ftruncate (writer->fd, writer->n_bytes) != 0)
            g_debug ("not cut: %s", g_strerror (errno));
          return fail_stream_writer (writer, error, number);
        }
    }
  writer->n_bytes += n_bytes;
  return TRUE;
}

static gboolean
put_header (KymoStreamWriter  *writer,
            const char        *provenance,
            GError           **error)
{
  g_autoptr (GBytes) header = kymo_stream_header_encode (provenance);

  return put_stream_writer (writer, g_bytes_get_data (header, NULL), g_bytes_get_size (header),
                            error);
}

/* Two programs that wrote into one file would damage it. Where the file
   system knows of no locks nothing is asked. */
static gboolean
lock (KymoStreamWriter  *writer,
      GError           **error)
{
  if (flock (writer->fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
    return TRUE;
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_WRITE,
               _("“%s” is being written by another program"), writer->path);
  return FALSE;
}

/* (transfer full) (nullable): the frame at `at`, unchecked */
static KymoStreamFrame *
read_at (KymoStreamScan *scan,
         gint64          at)
{
  KymoStreamHead head;
  KymoStreamFrame *frame;

  if (at < 0 || !kymo_stream_scan_head (scan, at, &head))
    return NULL;
  g_autofree guint8 *payload = g_try_malloc (MAX (head.n_bytes, 1));
  if (payload == NULL
      || kymo_stream_scan_read (scan, at + KYMO_STREAM_FRAME_BYTES, payload, head.n_bytes)
         != head.n_bytes)
    return NULL;
  g_autoptr (GBytes) bytes = g_bytes_new_take (g_steal_pointer (&payload), head.n_bytes);
  frame = kymo_stream_frame_new (head.kind, head.at_us, bytes);
  frame->begin_ns = MAX (head.begin_ns, KYMO_FRAME_NO_TIME);
  return frame;
}

/* The last reply and its form are enough to know what comes after it. */
static void
find_next_ns (KymoStreamWriter *writer,
              KymoStreamFrame  *form,
              KymoStreamFrame  *reply)
{
  g_autoptr (KymoStreamDecoder) decoder = kymo_stream_decoder_new ();

  if (form != NULL)
    kymo_stream_decoder_take (decoder, form, NULL, NULL);
  if (reply != NULL)
    kymo_stream_decoder_take (decoder, reply, NULL, NULL);
  writer->next_ns = kymo_stream_decoder_get_next_ns (decoder);
  /* A reply without news lies where the next block begins. */
  if (reply != NULL)
    writer->next_ns = MAX (writer->next_ns, reply->begin_ns);
}

static gboolean
has_time (guint32 kind)
{
  return kind == KYMO_FRAME_REPLY || kind == KYMO_FRAME_LOST;
}

/* From frame to frame by their lengths, for a recording that was ended well:
   whether that leads to the end of the file. */
static gboolean
hop_to_end (KymoStreamWriter *writer,
            KymoStreamScan   *scan,
            gint64            at)
{
  gint64 last_form_at = -1, form_at = -1, reply_at = -1;
  KymoStreamHead head;

  for (; kymo_stream_scan_head (scan, at, &head); at += KYMO_STREAM_FRAME_BYTES + head.n_bytes)
    {
      writer->number = head.number + 1;
      if (head.kind == KYMO_FRAME_FORM)
        last_form_at = at;
      if (has_time (head.kind))
        {
          reply_at = at;
          form_at = last_form_at;
        }
    }
  if (at != scan->size)
    return FALSE;
  g_autoptr (KymoStreamFrame) form = read_at (scan, form_at);
  g_autoptr (KymoStreamFrame) reply = read_at (scan, reply_at);
  find_next_ns (writer, form, reply);
  return TRUE;
}

/* By reading it all, for one that is cut or damaged. The end of the last whole
   frame; 0 where there is none. */
static gint64
read_to_end (KymoStreamWriter *writer)
{
  g_autoptr (KymoStreamReader) reader = kymo_stream_reader_new (writer->path, NULL);
  g_autoptr (KymoStreamFrame) last_form = NULL;
  g_autoptr (KymoStreamFrame) form = NULL;
  g_autoptr (KymoStreamFrame) reply = NULL;
  KymoStreamFrame *frame;

  writer->number = 0;
  if (reader == NULL)
    return 0;
  while ((frame = kymo_stream_reader_next (reader, NULL)) != NULL)
    {
      if (has_time (frame->kind))
        {
          g_clear_pointer (&form, kymo_stream_frame_unref);
          form = last_form != NULL ? kymo_stream_frame_ref (last_form) : NULL;
        }
      if (has_time (frame->kind) || frame->kind == KYMO_FRAME_FORM)
        {
          KymoStreamFrame **place = has_time (frame->kind) ? &reply : &last_form;

          g_clear_pointer (place, kymo_stream_frame_unref);
          *place = kymo_stream_frame_ref (frame);
        }
      kymo_stream_frame_unref (frame);
    }
  find_next_ns (writer, form, reply);
  return kymo_stream_reader_get_end (reader, &writer->number);
}

static gboolean
refuse_stream_writer (KymoStreamWriter  *writer,
                      GError           **error)
{
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_WRITE,
               _("“%s” is no recording that can be gone on with"), writer->path);
  return FALSE;
}

/* Only what is the begin of a frame and no more is cut off: what else there
   may be is left as it is, and writing goes on behind it. */
static gboolean
go_on (KymoStreamWriter  *writer,
       KymoStreamScan    *scan,
       const char        *provenance,
       GError           **error)
{
  guint32 version;
  gint64 n_header, end;
  KymoStreamHead head;
  KymoStreamStart start = kymo_stream_scan_start (scan, &version, &n_header);

  if (start == KYMO_STREAM_START_NEWER
      || (start == KYMO_STREAM_START_FOREIGN && scan->size > 0
          && kymo_stream_scan_find (scan, 0, &head) < 0))
    return refuse_stream_writer (writer, error);
  if (start == KYMO_STREAM_START_WHOLE && hop_to_end (writer, scan, n_header))
    {
      writer->n_bytes = scan->size;
      return TRUE;
    }
  end = read_to_end (writer);
  if (end == 0 && (scan->size == 0 || start == KYMO_STREAM_START_CUT))
    return (ftruncate (writer->fd, 0) == 0 || fail_stream_writer (writer, error, errno))
      && put_header (writer, provenance, error);
  writer->n_bytes = kymo_stream_scan_is_cut (scan, end) ? end : scan->size;
  if (writer->n_bytes < scan->size && ftruncate (writer->fd, writer->n_bytes) != 0)
    return fail_stream_writer (writer, error, errno);
  return TRUE;
}

/* A second descriptor, so that the scan may close its own. */
static gboolean
open_existing (KymoStreamWriter  *writer,
               const char        *provenance,
               GError           **error)
{
  KymoStreamScan scan;
  gboolean fine = kymo_stream_scan_init (&scan, writer->path, O_RDWR, NULL, error);

  if (fine)
    {
      writer->fd = fcntl (scan.fd, F_DUPFD_CLOEXEC, 0);
      fine = (writer->fd >= 0 || fail_stream_writer (writer, error, errno))
        && lock (writer, error);
      kymo_stream_scan_look (&scan);
      fine = fine && go_on (writer, &scan, provenance, error);
    }
  kymo_stream_scan_clear (&scan);
  return fine;
}

static gboolean
open_new (KymoStreamWriter  *writer,
          const char        *provenance,
          GError           **error)
{
  if (!lock (writer, error) || !put_header (writer, provenance, error))
    {
      unlink (writer->path);
      return FALSE;
    }
  return TRUE;
}

/**
 * kymo_stream_writer_new:
 * @path: of the recording
 * @resume: go on with the recording that is there, if one is; else an
 *   existing file is an error, whatever it is
 * @provenance: (nullable): "key: value" lines on where the recording is from;
 *   not written where it goes on with one
 * @error: %KYMO_ERROR_WRITE or %KYMO_ERROR_UNREADABLE: one sentence
 *
 * What a crash left of a frame at the end of an existing recording is cut
 * off. Reads the heads of all its frames, and all of a recording that is cut or
 * damaged, so on a worker thread where it may be long.
 *
 * Returns: (transfer full) (nullable): a writer
 */
KymoStreamWriter *
kymo_stream_writer_new (const char  *path,
                        gboolean     resume,
                        const char  *provenance,
                        GError     **error)
{
  KymoStreamWriter *writer = g_new0 (KymoStreamWriter, 1);
  gboolean fine;

  writer->path = g_strdup (path);
  writer->buffer = g_byte_array_new ();
  writer->flushed_us = g_get_monotonic_time ();
  writer->fd = open (path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (writer->fd >= 0)
    fine = open_new (writer, provenance, error);
  else if (errno == EEXIST && resume)
    fine = open_existing (writer, provenance, error);
  else if (errno == EEXIST)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_WRITE,
                   _("“%s” exists already and is not overwritten"), path);
      fine = FALSE;
    }
  else
    fine = fail_stream_writer (writer, error, errno);
  if (fine)
    {
      writer->n_flushed = writer->n_bytes;
      return writer;
    }
  writer_free (writer);
  return NULL;
}

/* A file system that cannot flush to a disk (EINVAL) gives nothing to wait for. */
static gboolean
flush_stream_writer (KymoStreamWriter  *writer,
                     GError           **error)
{
  writer->n_flushed = writer->n_bytes;
  writer->flushed_us = g_get_monotonic_time ();
  if (fdatasync (writer->fd) == 0 || errno == EINVAL || errno == EINTR)
    return TRUE;
  return fail_stream_writer (writer, error, errno);
}

static gboolean
is_flush_due (const KymoStreamWriter *writer)
{
  return writer->n_bytes - writer->n_flushed >= FLUSH_BYTES
    || g_get_monotonic_time () - writer->flushed_us >= FLUSH_US;
}

/**
 * kymo_stream_writer_append:
 * @frame: its begin_ns is written as it is, so after the decoder set it
 * @error: %KYMO_ERROR_WRITE: one sentence (the disk is full)
 *
 * After a failure the recording ends with its last whole frame, and no
 * further frame is written.
 *
 * Returns: whether the frame is in the file
 */
gboolean
kymo_stream_writer_append (KymoStreamWriter       *writer,
                           const KymoStreamFrame  *frame,
                           GError                **error)
{
  gsize n;
  const guint8 *payload = g_bytes_get_data (frame->bytes, &n);
  KymoStreamHead head = { frame->kind, n, 0, frame->at_us, frame->begin_ns, writer->number };

  if (writer->failed)
    return fail_stream_writer (writer, error, EIO);
  if (n > KYMO_STREAM_MAX_PAYLOAD)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_LIMIT,
                   _("A frame of %zu bytes is too long for a recording"), n);
      return FALSE;
    }
  head.check = kymo_stream_check_sum (payload, n);
  g_byte_array_set_size (writer->buffer, KYMO_STREAM_FRAME_BYTES);
  kymo_stream_head_encode (&head, writer->buffer->data);
  g_byte_array_append (writer->buffer, payload, n);
  if (!put_stream_writer (writer, writer->buffer->data, writer->buffer->len, error))
    return FALSE;
  writer->number++;
  if (n > KEPT_BYTES)
    {
      g_byte_array_unref (writer->buffer);
      writer->buffer = g_byte_array_new ();
    }
  return !is_flush_due (writer) || flush_stream_writer (writer, error);
}

/**
 * kymo_stream_writer_get_next_ns:
 *
 * Returns: where in the program's time the recording ended when it was
 *   opened: the begin of the next block of the same program; 0 for a new one
 */
gint64
kymo_stream_writer_get_next_ns (const KymoStreamWriter *writer)
{
  return writer->next_ns;
}

/**
 * kymo_stream_writer_get_bytes:
 *
 * Returns: the bytes of the file so far, with those that are not flushed
 */
gint64
kymo_stream_writer_get_bytes (const KymoStreamWriter *writer)
{
  return writer->n_bytes;
}

/**
 * kymo_stream_writer_finish:
 * @writer: (transfer full): freed in any case
 *
 * Brings the recording to the disk. After a failed append it succeeds where
 * what was written before is safe.
 */
gboolean
kymo_stream_writer_finish (KymoStreamWriter  *writer,
                           GError           **error)
{
  gboolean fine;

  if (writer == NULL)
    return TRUE;
  fine = flush_stream_writer (writer, error);
  if (close (writer->fd) != 0 && fine)
    fine = fail_stream_writer (writer, error, errno);
  writer->fd = -1;
  writer_free (writer);
  return fine;
}
