/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plays a recording: its frames come as they came when it was made, by their
 * arrival times, or a multiple as fast. A clock that was set back while it
 * was recorded counts as no time.
 *
 * All in the context that was thread-default when it was made, in slices of
 * some milliseconds, so that whatever else comes there waits no longer.
 */
#pragma once

#include "kymo-stream-file.h"

G_BEGIN_DECLS

typedef struct _KymoFeedPlayback KymoFeedPlayback;

/**
 * KymoFeedPlaybackEvents:
 * @frame: the next frame
 * @reset: all that came is to be forgotten: the recording begins again
 * @sought: what was sought is there
 * @ended: there are no more frames, until something is sought
 * @end_ns: end of the blocks that came
 */
typedef struct
{
  void   (*frame)  (KymoStreamFrame *frame,
                    gpointer         data);
  void   (*reset)  (gpointer         data);
  void   (*sought) (gpointer         data);
  void   (*ended)  (gpointer         data);
  gint64 (*end_ns) (gpointer         data);
} KymoFeedPlaybackEvents;

KymoFeedPlayback *kymo_feed_playback_new        (const char       *path,
                                                 const KymoFeedPlaybackEvents *events,
                                                 gpointer          data,
                                                 GCancellable     *cancellable,
                                                 GError          **error);
void              kymo_feed_playback_free       (KymoFeedPlayback *playback);
gint64            kymo_feed_playback_find_length (const char      *path,
                                                 GCancellable     *cancellable);
const char       *kymo_feed_playback_peek_failure (const KymoFeedPlayback *playback);
/* Returns the speed that was set. */
double            kymo_feed_playback_set_speed  (KymoFeedPlayback *playback,
                                                 double            speed);
void              kymo_feed_playback_seek       (KymoFeedPlayback *playback,
                                                 gint64            time_ns);
gboolean          kymo_feed_playback_is_seeking (const KymoFeedPlayback *playback);

G_END_DECLS
