/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A KymoFeed for tests of the views: it comes from nowhere. The test gives it
 * blocks and says how it stands; what the views ask of it is noted. Linked
 * instead of the real one.
 */
#pragma once

#include "kymo-feed.h"
#include "kymo-run-source.h"

G_BEGIN_DECLS

/**
 * FakeFeed:
 * @status: what it tells; strings are the test's
 * @retries: how often it was asked to try again
 * @values: what it tells of ranks, or NULL; the test's
 * @seeks: how often it was sought, at last to @sought_ns
 */
typedef struct
{
  KymoFeedStatus status;
  KymoTable     *values;
  guint          retries;
  guint          seeks;
  gint64         sought_ns;
} FakeFeed;

KymoFeed *fake_feed_new     (gboolean  playback);
FakeFeed *fake_feed_of      (KymoFeed *feed);
/* Its run is this one now; tells "changed". */
void      fake_feed_set_run (KymoFeed *feed,
                             KymoRun  *run);
void      fake_feed_tell    (KymoFeed *feed);

G_END_DECLS
