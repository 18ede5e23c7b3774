/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A feed out of a recording. What is sought is shown when it is there, not on
 * the way to it; conditions are not looked at on the way either.
 */
#include "config.h"

#include "kymo-feed-private.h"

#include <glib/gi18n-lib.h>

#include "kymo-place.h"

static void
set_seeking (KymoFeedWork *work,
             gboolean      seeking)
{
  KymoFeedCore *core = work->core;

  g_mutex_lock (&core->mutex);
  core->status.seeking = seeking;
  kymo_feed_core_tell_locked (core);
  g_mutex_unlock (&core->mutex);
}

static void
tell_playing (KymoFeedWork *work)
{
  kymo_feed_work_set_state (work, KYMO_ATTACHMENT_FOLLOWING, work->core->status.speed > 0
                            ? _("Playing the recording") : _("The playback stands"), 0);
}

static void
reset_cb (gpointer data)
{
  KymoFeedWork *work = data;
  KymoFeedStatus *status = &work->core->status;

  kymo_stream_store_reset (work->store);
  work->ended = FALSE;
  g_mutex_lock (&work->core->mutex);
  status->n_blocks = status->n_lost = status->n_empty = status->bytes_received = 0;
  g_mutex_unlock (&work->core->mutex);
}

static void
sought_cb (gpointer data)
{
  KymoFeedWork *work = data;

  kymo_feed_work_publish_now (work);
  tell_playing (work);
  set_seeking (work, FALSE);
}

static void
ended_cb (gpointer data)
{
  KymoFeedWork *work = data;

  const char *failure = kymo_feed_playback_peek_failure (work->playback);
  g_autofree char *why = failure != NULL
    ? g_strdup_printf (_("The rest of the recording cannot be read: %s"), failure) : NULL;

  work->ended = TRUE;
  kymo_feed_work_publish_now (work);
  kymo_feed_work_set_state (work, KYMO_ATTACHMENT_ENDED,
                            why != NULL ? why : _("The recording ends here"), 0);
}

static gint64
end_ns_cb (gpointer data)
{
  return kymo_stream_store_get_end_ns (((KymoFeedWork *) data)->store);
}

/**
 * kymo_feed_play_start:
 *
 * Speed 1, from the begin.
 */
void
kymo_feed_play_start (KymoFeedWork *work)
{
  static const KymoFeedPlaybackEvents events = { kymo_feed_work_frame_cb, reset_cb, sought_cb,
                                                 ended_cb, end_ns_cb };
  KymoFeedCore *core = work->core;
  g_autoptr (GError) error = NULL;
  gint64 total_ns;

  if (kymo_place_is_far (core->path))
    kymo_feed_work_set_state (work, KYMO_ATTACHMENT_CONNECTING,
                              _("Connecting to the machine of the recording"), 0);
  work->playback = kymo_feed_playback_new (core->path, &events, work, core->cancellable, &error);
  if (work->playback == NULL)
    {
      kymo_feed_work_set_state (work, KYMO_ATTACHMENT_FAILED, error->message, 0);
      return;
    }
  total_ns = kymo_feed_playback_find_length (core->path, core->cancellable);
  g_mutex_lock (&core->mutex);
  core->status.total_ns = total_ns;
  g_mutex_unlock (&core->mutex);
  tell_playing (work);
}

/**
 * kymo_feed_play_set_speed:
 * @speed: 0.25 to 16; 0 = stand still
 */
void
kymo_feed_play_set_speed (KymoFeedWork *work,
                          double        speed)
{
  if (work->playback == NULL)
    return;
  speed = kymo_feed_playback_set_speed (work->playback, speed);
  g_mutex_lock (&work->core->mutex);
  work->core->status.speed = speed;
  kymo_feed_core_tell_locked (work->core);
  g_mutex_unlock (&work->core->mutex);
  if (work->state == KYMO_ATTACHMENT_FOLLOWING)
    tell_playing (work);
}

/**
 * kymo_feed_play_seek:
 * @time_ns: of the program
 */
void
kymo_feed_play_seek (KymoFeedWork *work,
                     gint64        time_ns)
{
  if (work->playback == NULL)
    return;
  kymo_feed_playback_seek (work->playback, time_ns);
  work->ended = FALSE;
  set_seeking (work, TRUE);
}
