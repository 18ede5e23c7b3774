/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The main thread's side: everything is a message to the feed's thread, or a
 * look at what it left under the mutex.
 */
#include "config.h"

#include "kymo-feed-private.h"

#include <string.h>

#include "kymo-follow.h"
#include "kymo-timer.h"

/* A thread that does not end in this time ends by itself later; it holds
   nothing that anybody else has. */
#define PATIENCE_US 50000

struct _KymoFeed
{
  GObject       parent_instance;
  KymoFeedCore *core;
  gboolean      started;
};

enum { SIGNAL_CHANGED, SIGNAL_ALARM, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (KymoFeed, kymo_feed, G_TYPE_OBJECT)

static void
post_quit (KymoFeedWork *work,
           gpointer      data)
{
  g_main_loop_quit (work->loop);
}

static void
end_thread (KymoFeedCore *core)
{
  gint64 until = g_get_monotonic_time () + PATIENCE_US;

  g_cancellable_cancel (core->cancellable);
  kymo_feed_core_post (core, post_quit, NULL, NULL);
  g_mutex_lock (&core->mutex);
  while (!core->done && g_cond_wait_until (&core->cond, &core->mutex, until))
    ;
  g_mutex_unlock (&core->mutex);
}

static void
kymo_feed_finalize (GObject *object)
{
  KymoFeed *self = KYMO_FEED (object);

  if (self->core != NULL)
    {
      self->core->feed = NULL;
      g_source_destroy (self->core->teller);
      if (self->started)
        end_thread (self->core);
    }
  g_clear_pointer (&self->core, kymo_feed_core_unref);
  G_OBJECT_CLASS (kymo_feed_parent_class)->finalize (object);
}

static void
kymo_feed_class_init (KymoFeedClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = kymo_feed_finalize;

  /**
   * KymoFeed::changed:
   *
   * Its state or its figures are others.
   */
  signals[SIGNAL_CHANGED] =
    kymo_signal_new ("changed", KYMO_TYPE_FEED, 0);

  /**
   * KymoFeed::alarm:
   * @sentence: for the person
   *
   * A condition was met, or a recording ended against the person's will.
   */
  signals[SIGNAL_ALARM] =
    kymo_signal_new ("alarm", KYMO_TYPE_FEED, 1, G_TYPE_STRING);
}

static void
kymo_feed_init (KymoFeed *self)
{
}

static void
teller_cb (gpointer data)
{
  KymoFeedCore *core = data;
  g_autoptr (GPtrArray) alarms = NULL;
  g_autoptr (KymoFeed) feed = NULL;

  g_mutex_lock (&core->mutex);
  core->telling = FALSE;
  core->told_us = g_get_monotonic_time ();
  alarms = g_steal_pointer (&core->alarms);
  core->alarms = g_ptr_array_new_with_free_func (g_free);
  g_mutex_unlock (&core->mutex);
  feed = g_object_ref (core->feed);
  g_signal_emit (feed, signals[SIGNAL_CHANGED], 0);
  for (guint i = 0; i < alarms->len; i++)
    g_signal_emit (feed, signals[SIGNAL_ALARM], 0, alarms->pdata[i]);
}

static KymoFeed *
feed_new (const KymoCcsTarget *target,
          const char          *path)
{
  KymoFeed *self = g_object_new (KYMO_TYPE_FEED, NULL);

  self->core = kymo_feed_core_new (target, path);
  self->core->feed = self;
  self->core->teller = kymo_timer_new (NULL, teller_cb, self->core);
  return self;
}

/** kymo_feed_new_attached: (transfer full): follows a running program */
KymoFeed *
kymo_feed_new_attached (const KymoCcsTarget *target)
{
  return feed_new (target, NULL);
}

/**
 * kymo_feed_new_playback:
 * @path: a recording; copied
 *
 * Makes a feed that plays a recording from its begin at speed 1. Nothing happens before
 * kymo_feed_start().
 *
 * Returns: (transfer full): the feed
 */
KymoFeed *
kymo_feed_new_playback (const char *path)
{
  return feed_new (NULL, path);
}

/**
 * kymo_feed_set_ring_bytes:
 * @bytes: of what came last, to be saved when it was seen; before
 *   kymo_feed_start()
 */
void
kymo_feed_set_ring_bytes (KymoFeed *feed,
                          gsize     bytes)
{
  g_return_if_fail (!feed->started);
  feed->core->ring_bytes = bytes;
}

/**
 * kymo_feed_start:
 *
 * Starts to follow or to play; to be called once. Dropping the last reference to the feed
 * stops it and waits at most 50 ms for that.
 */
void
kymo_feed_start (KymoFeed *feed)
{
  g_return_if_fail (!feed->started);
  feed->started = TRUE;
  kymo_feed_thread_start (feed->core);
}

static void
post_stop (KymoFeedWork *work,
           gpointer      data)
{
  kymo_feed_work_stop (work);
}

/**
 * kymo_feed_stop:
 *
 * Follows no longer, and ends what is being recorded. What came stays: it can
 * still be named and saved.
 */
void
kymo_feed_stop (KymoFeed *feed)
{
  kymo_feed_core_post (feed->core, post_stop, NULL, NULL);
}

/** kymo_feed_is_playback: TRUE if the feed plays a recording, FALSE if it follows a program */
gboolean
kymo_feed_is_playback (KymoFeed *feed)
{
  return feed->core->path != NULL;
}

/**
 * kymo_feed_dup_title:
 *
 * Returns: (transfer full): the target as it was typed, or the name of the recording without
 *   folder and suffix
 */
char *
kymo_feed_dup_title (KymoFeed *feed)
{
  return g_strdup (feed->core->title);
}

/**
 * kymo_feed_peek_source:
 *
 * Returns: (transfer none) (nullable): the source of answers, owned by the feed; %NULL before
 *   the first block
 */
KymoSource *
kymo_feed_peek_source (KymoFeed *feed)
{
  KymoRunSource *source;

  g_mutex_lock (&feed->core->mutex);
  source = feed->core->source;
  g_mutex_unlock (&feed->core->mutex);
  return source != NULL ? KYMO_SOURCE (source) : NULL;
}

/**
 * kymo_feed_get_status:
 * @status: (out caller-allocates): to be cleared with kymo_feed_status_clear()
 */
void
kymo_feed_get_status (KymoFeed       *feed,
                      KymoFeedStatus *status)
{
  KymoFeedCore *core = feed->core;

  g_mutex_lock (&core->mutex);
  *status = core->status;
  status->sentence = g_strdup (status->sentence);
  status->recording = g_strdup (status->recording);
  status->names = g_strdup (status->names);
  g_mutex_unlock (&core->mutex);
}

/**
 * kymo_feed_dup_values:
 *
 * What a job under kymo-record tells beside the stream: the lists `counters` of the newest second
 * (name, and texts of the mean, the least and the most, with their ranks), `busiest` and `idlest`
 * (rank and load, 0 to 1), and `loads` of the last ten minutes (second, least, mean, most); and
 * the numbers `second`, `processes` in it and `all` of them.
 *
 * Returns: (transfer full) (nullable): %NULL if the program tells nothing of that kind
 */
KymoTable *
kymo_feed_dup_values (KymoFeed *feed)
{
  return kymo_feed_core_dup_values (feed->core);
}

/**
 * kymo_feed_status_clear:
 *
 * Frees the texts of a status and sets all of it to 0.
 */
void
kymo_feed_status_clear (KymoFeedStatus *status)
{
  g_free (status->sentence);
  g_free (status->recording);
  g_free (status->names);
  memset (status, 0, sizeof *status);
}

static void
post_retry (KymoFeedWork *work,
            gpointer      data)
{
  kymo_feed_work_retry (work);
}

/** kymo_feed_retry: tries at once where it waits to try again, or was stopped */
void
kymo_feed_retry (KymoFeed *feed)
{
  kymo_feed_core_post (feed->core, post_retry, NULL, NULL);
}

static void
post_job (KymoFeed            *feed,
          gpointer             tag,
          const char          *path,
          gboolean             go_on,
          KymoFeedPost         func,
          GAsyncReadyCallback  callback,
          gpointer             data)
{
  KymoFeedJob *job = g_new (KymoFeedJob, 1);

  *job = (KymoFeedJob) { g_task_new (feed, NULL, callback, data), g_strdup (path), go_on };
  g_task_set_source_tag (job->task, tag);
  kymo_feed_core_post (feed->core, func, job, kymo_feed_job_abandon);
}

static void
post_names (KymoFeedWork *work,
            gpointer      data)
{
  kymo_feed_work_set_names (work, data);
}

/**
 * kymo_feed_set_names_async:
 * @path: `.sts` of the program, or a recording that holds one
 *
 * Renames all that came; goes into what is recorded.
 */
void
kymo_feed_set_names_async (KymoFeed            *feed,
                           const char          *path,
                           GAsyncReadyCallback  callback,
                           gpointer             data)
{
  post_job (feed, kymo_feed_set_names_async, path, FALSE, post_names, callback, data);
}

/**
 * kymo_feed_set_names_finish:
 * @result: of kymo_feed_set_names_async()
 *
 * Returns: %TRUE if the names were taken; else an error is set that says why the file has
 *   none, or %KYMO_ERROR_UNANSWERABLE if the feed ended
 */
gboolean
kymo_feed_set_names_finish (KymoFeed      *feed,
                            GAsyncResult  *result,
                            GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, feed), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
post_conditions (KymoFeedWork *work,
                 gpointer      data)
{
  kymo_feed_work_set_conditions (work, data);
}

/**
 * kymo_feed_set_conditions:
 * @conditions: (nullable) (element-type KymoCondition): copied; %NULL = none
 *
 * Sets what raises the signal "alarm", in place of the conditions before.
 */
void
kymo_feed_set_conditions (KymoFeed  *feed,
                          GPtrArray *conditions)
{
  GPtrArray *copies = g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_condition_free);

  for (guint i = 0; conditions != NULL && i < conditions->len; i++)
    g_ptr_array_add (copies, kymo_condition_copy (conditions->pdata[i]));
  kymo_feed_core_post (feed->core, post_conditions, copies, (GDestroyNotify) g_ptr_array_unref);
}

static void
post_save (KymoFeedWork *work,
           gpointer      data)
{
  kymo_feed_save_start (work, data);
}

/**
 * kymo_feed_save_async:
 * @path: of a file that is not there yet
 * @go_on: record what comes from now on as well; the callback comes when what
 *   was kept is in the file
 *
 * A recording that fails later ends with the signal "alarm".
 */
void
kymo_feed_save_async (KymoFeed            *feed,
                      const char          *path,
                      gboolean             go_on,
                      GAsyncReadyCallback  callback,
                      gpointer             data)
{
  post_job (feed, kymo_feed_save_async, path, go_on, post_save, callback, data);
}

/**
 * kymo_feed_save_finish:
 * @result: of kymo_feed_save_async()
 *
 * Returns: %TRUE if the file was written, or is being written where the saving goes on; else
 *   an error is set: %KYMO_ERROR_USAGE if the feed plays a recording or the stream is already
 *   being recorded, %KYMO_ERROR_WRITE, or %KYMO_ERROR_UNANSWERABLE if the feed ended
 */
gboolean
kymo_feed_save_finish (KymoFeed      *feed,
                       GAsyncResult  *result,
                       GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, feed), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
post_stop_recording (KymoFeedWork *work,
                     gpointer      data)
{
  kymo_feed_save_end (work);
}

/**
 * kymo_feed_stop_recording:
 *
 * Ends the recording that kymo_feed_save_async() goes on with, if there is one.
 */
void
kymo_feed_stop_recording (KymoFeed *feed)
{
  kymo_feed_core_post (feed->core, post_stop_recording, NULL, NULL);
}

static void
post_speed (KymoFeedWork *work,
            gpointer      data)
{
  kymo_feed_play_set_speed (work, *(double *) data);
}

/**
 * kymo_feed_set_speed:
 * @speed: 0.25 to 16 times as fast as it was recorded; 0 = stand still. Other values are
 *   taken to the nearest end.
 *
 * For a playback; does nothing while following a program.
 */
void
kymo_feed_set_speed (KymoFeed *feed,
                     double    speed)
{
  kymo_feed_core_post (feed->core, post_speed, g_memdup2 (&speed, sizeof speed), g_free);
}

static void
post_seek (KymoFeedWork *work,
           gpointer      data)
{
  kymo_feed_play_seek (work, *(gint64 *) data);
}

/**
 * kymo_feed_seek:
 * @time_ns: time of the program
 *
 * Goes to a time of a recording that is played; does nothing while following a program.
 */
void
kymo_feed_seek (KymoFeed *feed,
                gint64    time_ns)
{
  kymo_feed_core_post (feed->core, post_seek, g_memdup2 (&time_ns, sizeof time_ns), g_free);
}
