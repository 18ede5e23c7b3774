/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Feeds that play recordings made for a test, and waiting for what they reach.
 */
#pragma once

#include "kymo-feed.h"
#include "scratch.h"

G_BEGIN_DECLS

typedef gboolean (*PlayedFeedCheck) (KymoFeed *feed, const KymoFeedStatus *status, gint64 value);

char    *played_feed_record    (Scratch *scratch, guint n_blocks, gint64 pace_us);
gint64   played_feed_wait      (KymoFeed *feed, PlayedFeedCheck check, gint64 value);
void     played_feed_pass      (KymoFeed *feed, gint64 us);
gboolean played_feed_has_ended (KymoFeed *feed, const KymoFeedStatus *status, gint64 value);
gboolean played_feed_shows     (KymoFeed *feed, const KymoFeedStatus *status, gint64 value);
char    *played_feed_ask       (KymoSource *source, const char *kind);

G_END_DECLS
