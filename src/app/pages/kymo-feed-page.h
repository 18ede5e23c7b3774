/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoFeedPage: a tab that follows a stream, of a running program or of a
 * recording that is played back. Before the first block it says how it stands
 * with the program, then it shows the view of a run; where the stream ended or
 * the connection is lost a banner says so, and what can be done.
 *
 * It owns its feed; when it goes, the feed is stopped.
 *
 * Signals, beside those of KymoPage: "alarm" (sentence).
 * Main thread only.
 */
#pragma once

#include "kymo-page.h"

G_BEGIN_DECLS

#define KYMO_TYPE_FEED_PAGE (kymo_feed_page_get_type ())
G_DECLARE_FINAL_TYPE (KymoFeedPage, kymo_feed_page, KYMO, FEED_PAGE, KymoPage)

/* The feed is not started yet. */
GtkWidget *kymo_feed_page_new           (KymoFeed     *feed);
KymoFeed  *kymo_feed_page_peek_feed     (KymoFeedPage *self);
/* (element-type KymoCondition): what is watched for, and listed above the view */
void       kymo_feed_page_set_conditions (KymoFeedPage *self,
                                          GPtrArray    *conditions);
/* A number of its own in the program, from 1 on. */
guint      kymo_feed_page_get_id        (KymoFeedPage *self);
gboolean   kymo_feed_page_is_recording  (KymoFeedPage *self);
/* Something may still come. */
gboolean   kymo_feed_page_is_going_on   (KymoFeedPage *self);
/* Something that can be saved. */
gboolean   kymo_feed_page_has_blocks    (KymoFeedPage *self);
/* How much would be lost if it were closed: nanoseconds of the program. */
gint64     kymo_feed_page_get_unsaved_ns (KymoFeedPage *self);
/* A name for a recording of it. */
char      *kymo_feed_page_dup_file_name (KymoFeedPage *self);
/* Saves what can be saved and, with `go_on`, all that comes. `replace`: over
   an existing file. The outcome is told by "saved" (path, sentence) or
   "message". */
void       kymo_feed_page_save          (KymoFeedPage *self,
                                         const char   *path,
                                         gboolean      go_on,
                                         gboolean      replace);
void       kymo_feed_page_stop_recording (KymoFeedPage *self,
                                          gboolean      at_once);
gboolean   kymo_feed_page_has_names     (KymoFeedPage *self);
void       kymo_feed_page_set_names     (KymoFeedPage *self,
                                         const char   *path);

G_END_DECLS
