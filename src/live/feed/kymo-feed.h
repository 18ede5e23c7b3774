/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoFeed: a stream as a source of answers, while it comes: from a running
 * program or from a recording that is played back. It has a thread of its own
 * on which frames become bins, conditions are looked at and recordings are
 * written; the source gets a new run with every block (at most 30 a second).
 *
 * Signals, on the main thread, at most 30 a second: "changed" (its state or
 * figures are others); "alarm" (sentence): a condition was met, or a recording
 * ended against the person's will.
 * All functions are for the main thread and do not wait for the feed's.
 */
#pragma once

#include "kymo-attachment-state.h"
#include "kymo-ccs-target.h"
#include "kymo-condition.h"
#include "kymo-source.h"

G_BEGIN_DECLS

#define KYMO_TYPE_FEED (kymo_feed_get_type ())
G_DECLARE_FINAL_TYPE (KymoFeed, kymo_feed, KYMO, FEED, GObject)

/**
 * KymoFeedStatus: what is to be told of a feed; clear with
 * kymo_feed_status_clear()
 * @sentence: state in words
 * @retry_us: monotonic time of the next try, or 0
 * @n_pes: 0 = not known yet
 * @end_ns: of the newest block, in the program's time
 * @total_ns: of the whole recording that is played back; 0 = live
 * @arrived_us: when the newest block came
 * @recording: file that is written to, or NULL
 * @recorded_bytes: in it
 * @kept_ns: stretch of the program's time that can still be saved
 * @kept_bytes: memory of it
 * @names: file the names are of, or NULL
 * @speed: of the playback; 0 = it stands
 */
typedef struct
{
  KymoAttachmentState state;
  char    *sentence;
  gint64   retry_us;
  guint    n_pes;
  gint64   n_blocks;
  gint64   n_lost;
  gint64   n_empty;
  gint64   end_ns;
  gint64   total_ns;
  gint64   arrived_us;
  gint64   bytes_received;
  char    *recording;
  gint64   recorded_bytes;
  gint64   kept_ns;
  gint64   kept_bytes;
  char    *names;
  double   speed;
  gboolean seeking;
} KymoFeedStatus;

void         kymo_feed_status_clear   (KymoFeedStatus      *status);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KymoFeedStatus, kymo_feed_status_clear)

KymoFeed    *kymo_feed_new_attached   (const KymoCcsTarget *target);
KymoFeed    *kymo_feed_new_playback   (const char          *path);
/* Most bytes of the last frames that are kept for saving; call it before the start. 32 MiB
   otherwise. */
void         kymo_feed_set_ring_bytes (KymoFeed            *feed,
                                       gsize                bytes);
void         kymo_feed_start          (KymoFeed            *feed);
/* Follows no longer; what came stays and can be saved. */
void         kymo_feed_stop           (KymoFeed            *feed);
gboolean     kymo_feed_is_playback    (KymoFeed            *feed);
char        *kymo_feed_dup_title      (KymoFeed            *feed);
KymoSource  *kymo_feed_peek_source    (KymoFeed            *feed);
void         kymo_feed_get_status     (KymoFeed            *feed,
                                       KymoFeedStatus      *status);
KymoTable   *kymo_feed_dup_values     (KymoFeed            *feed);
void         kymo_feed_retry          (KymoFeed            *feed);
/* Names of entry methods from an .sts, or a recording that holds one. */
void         kymo_feed_set_names_async (KymoFeed           *feed,
                                       const char          *path,
                                       GAsyncReadyCallback  callback,
                                       gpointer             data);
gboolean     kymo_feed_set_names_finish (KymoFeed          *feed,
                                       GAsyncResult        *result,
                                       GError             **error);
void         kymo_feed_set_conditions (KymoFeed            *feed,
                                       GPtrArray           *conditions);
/* Writes what the ring holds into a new file; and goes on writing all that
   comes into it where `go_on` is set. */
void         kymo_feed_save_async     (KymoFeed            *feed,
                                       const char          *path,
                                       gboolean             go_on,
                                       GAsyncReadyCallback  callback,
                                       gpointer             data);
gboolean     kymo_feed_save_finish    (KymoFeed            *feed,
                                       GAsyncResult        *result,
                                       GError             **error);
void         kymo_feed_stop_recording (KymoFeed            *feed);
void         kymo_feed_set_speed      (KymoFeed            *feed,
                                       double               speed);
void         kymo_feed_seek           (KymoFeed            *feed,
                                       gint64               time_ns);

G_END_DECLS
