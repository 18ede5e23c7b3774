/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-feed-record.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>

#include "kymo-error.h"

/* More than that is not kept for a disk that does not take it. */
#define MAX_QUEUED_BYTES (256 << 20)

struct _KymoFeedRecord
{
  gatomicrefcount      ref_count;
  char                *path;
  char                *provenance;
  gboolean             go_on;
  KymoFeedRecordEvents events;
  gpointer             data;            /* NULL events: nothing is told */
  gboolean             open;            /* takes frames; maker's thread */
  gboolean             closed;          /* tells nothing; maker's thread */
  GMainContext        *context;
  GAsyncQueue         *queue;           /* KymoStreamFrame, `end` at the end */
  GPtrArray           *first;           /* writer's thread */
  GThread             *thread;
  gint64               n_queued;        /* atomic: bytes */
  gint64               n_bytes;         /* atomic: in the file */
  int                  overrun;         /* atomic */
};

/* Stands in the queue behind the last frame. */
static char end;

static KymoFeedRecord *
record_ref (KymoFeedRecord *record)
{
  g_atomic_ref_count_inc (&record->ref_count);
  return record;
}

static void
record_unref (KymoFeedRecord *record)
{
  gpointer frame;

  if (!g_atomic_ref_count_dec (&record->ref_count))
    return;
  while ((frame = g_async_queue_try_pop (record->queue)) != NULL)
    if (frame != &end)
      kymo_stream_frame_unref (frame);
  g_async_queue_unref (record->queue);
  g_clear_pointer (&record->first, g_ptr_array_unref);
  g_main_context_unref (record->context);
  g_free (record->path);
  g_free (record->provenance);
  g_free (record);
}

typedef struct
{
  KymoFeedRecord *record;
  gboolean        ended;
  GError         *error;
} Event;

static void
event_free (gpointer data)
{
  Event *event = data;

  record_unref (event->record);
  g_clear_error (&event->error);
  g_free (event);
}

static gboolean
event_tell (gpointer data)
{
  Event *event = data;
  KymoFeedRecord *record = event->record;

  if (record->closed)
    return G_SOURCE_REMOVE;
  if (event->ended)
    record->open = FALSE;
  if (event->ended)
    record->events.ended (record, event->error, record->data);
  else
    record->events.saved (record, record->data);
  return G_SOURCE_REMOVE;
}

/* `error` (transfer full) (nullable) */
static void
tell_feed_record (KymoFeedRecord *record,
                  gboolean        ended,
                  GError         *error)
{
  Event *event = g_new (Event, 1);
  g_autoptr (GSource) source = g_idle_source_new ();

  *event = (Event) { record_ref (record), ended, error };
  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, event_tell, event, event_free);
  g_source_attach (source, record->context);
}

static gboolean
write_frame (KymoFeedRecord    *record,
             KymoStreamWriter  *writer,
             KymoStreamFrame   *frame,
             GError           **error)
{
  gboolean fine = kymo_stream_writer_append (writer, frame, error);

  __atomic_store_n (&record->n_bytes, kymo_stream_writer_get_bytes (writer), __ATOMIC_RELAXED);
  return fine;
}

static gboolean
write_first (KymoFeedRecord    *record,
             KymoStreamWriter  *writer,
             GError           **error)
{
  for (guint i = 0; i < record->first->len; i++)
    if (!write_frame (record, writer, record->first->pdata[i], error))
      return FALSE;
  g_clear_pointer (&record->first, g_ptr_array_unref);
  return TRUE;
}

static gboolean
write_queue (KymoFeedRecord    *record,
             KymoStreamWriter  *writer,
             GError           **error)
{
  gpointer item;

  while ((item = g_async_queue_pop (record->queue)) != &end)
    {
      g_autoptr (KymoStreamFrame) frame = item;

      __atomic_sub_fetch (&record->n_queued, g_bytes_get_size (frame->bytes), __ATOMIC_RELAXED);
      if (!write_frame (record, writer, frame, error))
        return FALSE;
    }
  if (!g_atomic_int_get (&record->overrun))
    return TRUE;
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_WRITE,
               _("“%s” cannot be written as fast as the stream comes; the recording ended"),
               record->path);
  return FALSE;
}

static gpointer
record_thread (gpointer data)
{
  KymoFeedRecord *record = data;
  GError *error = NULL;
  KymoStreamWriter *writer = kymo_stream_writer_new (record->path, FALSE, record->provenance,
                                                     &error);
  gboolean fine = writer != NULL && write_first (record, writer, &error);

  if (fine && record->go_on)
    {
      tell_feed_record (record, FALSE, NULL);
      fine = write_queue (record, writer, &error);
    }
  if (writer != NULL)
    kymo_stream_writer_finish (writer, fine ? &error : NULL);
  tell_feed_record (record, TRUE, error);
  record_unref (record);
  return NULL;
}

/**
 * kymo_feed_record_new:
 * @path: file to write; copied
 * @provenance: what the recording says of where it comes from; copied
 * @frames: (transfer full) (element-type KymoStreamFrame): written first
 * @go_on: whether frames pushed later are written, too
 * @events: callbacks; copied
 * @data: for the callbacks
 *
 * Starts a thread that writes the recording. Failures are told by the callbacks.
 *
 * Returns: (transfer full): end with kymo_feed_record_close()
 */
KymoFeedRecord *
kymo_feed_record_new (const char                 *path,
                      const char                 *provenance,
                      GPtrArray                  *frames,
                      gboolean                    go_on,
                      const KymoFeedRecordEvents *events,
                      gpointer                    data)
{
  KymoFeedRecord *record = g_new0 (KymoFeedRecord, 1);

  g_atomic_ref_count_init (&record->ref_count);
  record->path = g_strdup (path);
  record->provenance = g_strdup (provenance);
  record->first = frames;
  record->go_on = record->open = go_on;
  record->events = *events;
  record->data = data;
  record->context = g_main_context_ref_thread_default ();
  record->queue = g_async_queue_new ();
  record->thread = g_thread_new ("kymo-record", record_thread, record_ref (record));
  return record;
}

/**
 * kymo_feed_record_push:
 * @frame: all of it is set; a reference is taken
 *
 * Does not wait. Where the disk is so far behind that memory would fill with
 * frames the recording ends with an error.
 */
void
kymo_feed_record_push (KymoFeedRecord  *record,
                       KymoStreamFrame *frame)
{
  gint64 n_queued;

  if (!record->open)
    return;
  n_queued = __atomic_add_fetch (&record->n_queued, g_bytes_get_size (frame->bytes),
                                 __ATOMIC_RELAXED);
  if (n_queued > MAX_QUEUED_BYTES)
    {
      g_atomic_int_set (&record->overrun, TRUE);
      kymo_feed_record_end (record);
      return;
    }
  g_async_queue_push (record->queue, kymo_stream_frame_ref (frame));
}

/**
 * kymo_feed_record_end:
 *
 * Tells the writing thread that no more frames come; it ends when all are in the file. Does
 * not wait.
 */
void
kymo_feed_record_end (KymoFeedRecord *record)
{
  if (record->open)
    g_async_queue_push (record->queue, &end);
  record->open = FALSE;
}

/**
 * kymo_feed_record_close:
 * @record: (transfer full): the recording
 *
 * Ends it, waits until all is in the file, and calls no callback any more.
 */
void
kymo_feed_record_close (KymoFeedRecord *record)
{
  kymo_feed_record_end (record);
  record->closed = TRUE;
  g_thread_join (record->thread);
  record_unref (record);
}

/** kymo_feed_record_get_bytes: the bytes written so far; any thread */
gint64
kymo_feed_record_get_bytes (KymoFeedRecord *record)
{
  return __atomic_load_n (&record->n_bytes, __ATOMIC_RELAXED);
}

/** kymo_feed_record_peek_path: the path of the file; the recording owns it */
const char *
kymo_feed_record_peek_path (const KymoFeedRecord *record)
{
  return record->path;
}

/** kymo_feed_record_goes_on: TRUE if frames that come later are written, too */
gboolean
kymo_feed_record_goes_on (const KymoFeedRecord *record)
{
  return record->go_on;
}
