/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The inside of a feed. KymoFeed is the main thread's; KymoFeedCore is what
 * it shares with the feed's thread, and lives until both have let go of it.
 *
 *   main thread ──posts──► context of the thread: KymoFeedWork
 *        ▲                        │ frames: store, ring, records, watch
 *        └── teller, "grown" ◄────┘ status and source under the mutex
 *
 * Nothing but what stands under the mutex is touched by two threads; a post
 * that comes when the thread has ended is let go, which tells its task.
 */
#pragma once

#include "kymo-attachment.h"
#include "kymo-feed.h"
#include "kymo-feed-playback.h"
#include "kymo-feed-record.h"
#include "kymo-run-source.h"
#include "kymo-stream-store.h"
#include "kymo-watch.h"

G_BEGIN_DECLS

/**
 * KymoFeedCore:
 * @target: of a program, or %NULL
 * @path: of a recording, or %NULL
 * @feed: main thread only; %NULL when it is gone
 * @teller: main context: "changed" and "alarm"
 * @closed: under the mutex: the thread takes no more posts
 * @done: under the mutex: the thread has let go of all
 * @alarms: under the mutex: (element-type utf8) to be told
 */
typedef struct
{
  gatomicrefcount ref_count;
  KymoCcsTarget  *target;
  char           *path;
  char           *title;
  GCancellable   *cancellable;          /* of what waits for another machine */
  gsize           ring_bytes;
  gint64          budget_bytes;
  GMainContext   *context;
  KymoFeed       *feed;
  GSource        *teller;

  GMutex          mutex;
  GCond           cond;
  gboolean        closed;
  gboolean        done;
  gboolean        telling;
  gint64          told_us;
  GPtrArray      *alarms;
  KymoFeedStatus  status;
  struct _KymoFeedValues *values;       /* under the mutex; NULL = none came */
  KymoRunSource  *source;

  struct _KymoFeedWork *work;           /* thread only */
} KymoFeedCore;

/** KymoFeedWork: what the feed's thread works with; its own */
typedef struct _KymoFeedWork
{
  KymoFeedCore     *core;
  GMainLoop        *loop;
  KymoStreamStore  *store;
  KymoStreamRing   *ring;               /* NULL in a playback */
  KymoWatch        *watch;
  KymoAttachmentState state;
  gboolean          had_block;
  guint             n_untrimmed;        /* blocks */
  GPtrArray        *met;                /* KymoStreamFrame: marks to be added */
  KymoAttachment   *attachment;
  KymoFeedPlayback *playback;
  gboolean          own_names;          /* set by hand: the recording's do not count */
  GPtrArray        *saves;              /* KymoFeedSave */
  GSource          *publisher;
  gint64            published_us;
  gboolean          publishing;
  GSource          *ticker;
  gboolean          ended;
} KymoFeedWork;

typedef void (*KymoFeedPost) (KymoFeedWork *work,
                              gpointer      data);

/** KymoFeedJob: something that is asked for and answered; ends on the main
    thread, which alone drops the task and with it perhaps the feed */
typedef struct
{
  GTask    *task;
  char     *path;
  gboolean  go_on;
} KymoFeedJob;

KymoFeedCore *kymo_feed_core_new    (const KymoCcsTarget *target,
                                     const char          *path);
KymoFeedCore *kymo_feed_core_ref    (KymoFeedCore        *core);
void          kymo_feed_core_unref  (KymoFeedCore        *core);
void          kymo_feed_core_post   (KymoFeedCore        *core,
                                     KymoFeedPost         func,
                                     gpointer             data,
                                     GDestroyNotify       free_func);
void          kymo_feed_core_tell_locked (KymoFeedCore   *core);

/* kymo-feed-thread.c */
void          kymo_feed_thread_start (KymoFeedCore       *core);
KymoFeedWork *kymo_feed_work_new    (KymoFeedCore        *core);
void          kymo_feed_work_free   (KymoFeedWork        *work);
void          kymo_feed_work_take   (KymoFeedWork        *work,
                                     KymoStreamFrame     *frame);
void          kymo_feed_work_frame_cb (KymoStreamFrame    *frame,
                                     gpointer             data);
void          kymo_feed_work_publish (KymoFeedWork       *work);
void          kymo_feed_work_publish_now (KymoFeedWork   *work);
void          kymo_feed_work_retry  (KymoFeedWork        *work);
void          kymo_feed_work_stop   (KymoFeedWork        *work);
void          kymo_feed_work_set_names (KymoFeedWork     *work,
                                     KymoFeedJob         *job);
void          kymo_feed_work_set_conditions (KymoFeedWork *work,
                                     GPtrArray           *conditions);
void          kymo_feed_work_alarm  (KymoFeedWork        *work,
                                     const char          *sentence);
void          kymo_feed_work_set_state (KymoFeedWork     *work,
                                     KymoAttachmentState  state,
                                     const char          *sentence,
                                     gint64               retry_us);

/* kymo-feed-values.c: values beside the stream */
typedef struct _KymoFeedValues KymoFeedValues;

void          kymo_feed_values_take (KymoFeedCore        *core,
                                     const KymoStreamFrame *frame,
                                     KymoWatch           *watch);
KymoTable    *kymo_feed_core_dup_values (KymoFeedCore    *core);
void          kymo_feed_values_free (KymoFeedValues      *values);

/* kymo-feed-play.c: what comes of a recording */
void          kymo_feed_play_start  (KymoFeedWork        *work);
void          kymo_feed_play_set_speed (KymoFeedWork     *work,
                                     double               speed);
void          kymo_feed_play_seek   (KymoFeedWork        *work,
                                     gint64               time_ns);

/* kymo-feed-save.c */
typedef struct _KymoFeedSave KymoFeedSave;

void          kymo_feed_save_start  (KymoFeedWork        *work,
                                     KymoFeedJob         *job);
void          kymo_feed_save_push   (KymoFeedWork        *work,
                                     KymoStreamFrame     *frame);
void          kymo_feed_save_end    (KymoFeedWork        *work);
gint64        kymo_feed_save_get_bytes (KymoFeedWork     *work);
void          kymo_feed_save_free   (gpointer             data);

/* Answers; once. */
void          kymo_feed_job_done    (KymoFeedJob         *job,
                                     const GError        *error);
KymoFeedJob  *kymo_feed_job_steal   (KymoFeedJob         *job);
void          kymo_feed_job_abandon (gpointer             job);

G_END_DECLS
