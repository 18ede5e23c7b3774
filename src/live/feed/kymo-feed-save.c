/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Saving what the ring holds, and going on with it. What the ring held when
 * it was asked for goes first, every frame that comes after that goes behind
 * it: the thread that takes frames does both, so none is missing or twice.
 *
 * A save that is told of in the status is one that goes on; there is one of
 * those at most.
 */
#include "config.h"

#include "kymo-feed-private.h"

#include <glib/gi18n-lib.h>

#include "kymo-error.h"

struct _KymoFeedSave
{
  KymoFeedWork   *work;
  KymoFeedRecord *record;
  KymoFeedJob    *job;          /* NULL once it is answered */
};

static KymoFeedSave *
find_recording (KymoFeedWork *work)
{
  for (guint i = 0; i < work->saves->len; i++)
    {
      KymoFeedSave *save = work->saves->pdata[i];

      if (kymo_feed_record_goes_on (save->record))
        return save;
    }
  return NULL;
}

static void
tell_recording (KymoFeedWork *work)
{
  KymoFeedSave *save = find_recording (work);
  KymoFeedCore *core = work->core;

  g_mutex_lock (&core->mutex);
  g_free (core->status.recording);
  core->status.recording = save != NULL ? g_strdup (kymo_feed_record_peek_path (save->record))
    : NULL;
  core->status.recorded_bytes = save != NULL ? kymo_feed_record_get_bytes (save->record) : 0;
  kymo_feed_core_tell_locked (core);
  g_mutex_unlock (&core->mutex);
}

static void
feed_save_answer (KymoFeedSave *save,
                  const GError *error)
{
  if (save->job != NULL)
    kymo_feed_job_done (save->job, error);
  g_clear_pointer (&save->job, kymo_feed_job_abandon);
}

static void
saved_cb (KymoFeedRecord *record,
          gpointer        data)
{
  KymoFeedSave *save = data;

  feed_save_answer (save, NULL);
  tell_recording (save->work);
}

static void
ended_cb (KymoFeedRecord *record,
          const GError   *error,
          gpointer        data)
{
  KymoFeedSave *save = data;
  KymoFeedWork *work = save->work;
  gboolean asked = save->job != NULL;

  feed_save_answer (save, error);
  if (!asked && error != NULL)
    kymo_feed_work_alarm (work, error->message);
  g_ptr_array_remove_fast (work->saves, save);
  tell_recording (work);
}

static char *
make_provenance (KymoFeedWork *work)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *when = g_date_time_format_iso8601 (now);

  return g_strdup_printf ("writer: Kymo %s\nwritten: %s\ntarget: %s\n", KYMO_VERSION, when,
                          work->core->title);
}

static gboolean
check_feed_save (KymoFeedWork  *work,
                 gboolean       go_on,
                 GError       **error)
{
  KymoFeedSave *recording = find_recording (work);

  if (work->ring == NULL)
    g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                         _("What is played back is a recording already"));
  else if (go_on && recording != NULL)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE, _("The stream is being recorded to “%s”"),
                 kymo_feed_record_peek_path (recording->record));
  else
    return TRUE;
  return FALSE;
}

/**
 * kymo_feed_save_start:
 * @job: answered when what the ring holds is in the file
 */
void
kymo_feed_save_start (KymoFeedWork *work,
                      KymoFeedJob  *job)
{
  static const KymoFeedRecordEvents events = { saved_cb, ended_cb };
  g_autofree char *provenance = make_provenance (work);
  g_autoptr (GError) error = NULL;
  gboolean go_on = job->go_on && !work->ended;
  KymoFeedSave *save;

  if (!check_feed_save (work, go_on, &error))
    {
      kymo_feed_job_done (job, error);
      return;
    }
  save = g_new0 (KymoFeedSave, 1);
  save->work = work;
  save->job = kymo_feed_job_steal (job);
  save->record = kymo_feed_record_new (save->job->path, provenance,
                                       kymo_stream_ring_dup_frames (work->ring), go_on,
                                       &events, save);
  g_ptr_array_add (work->saves, save);
}

/**
 * kymo_feed_save_push:
 * @frame: behind all that came before
 */
void
kymo_feed_save_push (KymoFeedWork    *work,
                     KymoStreamFrame *frame)
{
  for (guint i = 0; i < work->saves->len; i++)
    kymo_feed_record_push (((KymoFeedSave *) work->saves->pdata[i])->record, frame);
}

/**
 * kymo_feed_save_end:
 *
 * Ends the one that goes on.
 */
void
kymo_feed_save_end (KymoFeedWork *work)
{
  KymoFeedSave *save = find_recording (work);

  if (save != NULL)
    kymo_feed_record_end (save->record);
}

/**
 * kymo_feed_save_get_bytes:
 *
 * Returns: in the file that is being recorded to
 */
gint64
kymo_feed_save_get_bytes (KymoFeedWork *work)
{
  KymoFeedSave *save = find_recording (work);

  return save != NULL ? kymo_feed_record_get_bytes (save->record) : 0;
}

/**
 * kymo_feed_save_free:
 * @data: a #KymoFeedSave
 *
 * Waits until all that came is in the file, then frees the saving. A caller who still waits
 * for it gets an error.
 */
void
kymo_feed_save_free (gpointer data)
{
  KymoFeedSave *save = data;

  kymo_feed_record_close (save->record);
  kymo_feed_job_abandon (save->job);
  g_free (save);
}
