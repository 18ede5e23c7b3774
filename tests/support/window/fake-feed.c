/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "fake-feed.h"

struct _KymoFeed
{
  GObject        parent_instance;

  gboolean       playback;
  KymoRunSource *source;
  FakeFeed       fake;
};

G_DEFINE_FINAL_TYPE (KymoFeed, kymo_feed, G_TYPE_OBJECT)

static void
kymo_feed_dispose (GObject *object)
{
  g_clear_object (&KYMO_FEED (object)->source);
  G_OBJECT_CLASS (kymo_feed_parent_class)->dispose (object);
}

static void
kymo_feed_class_init (KymoFeedClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_feed_dispose;
  g_signal_new ("changed", KYMO_TYPE_FEED, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                NULL, G_TYPE_NONE, 0);
}

static void
kymo_feed_init (KymoFeed *self)
{
  self->fake.status.state = KYMO_ATTACHMENT_FOLLOWING;
  self->fake.status.sentence = (char *) "Following load.";
  self->fake.status.n_pes = 4;
  self->fake.status.speed = 1;
}

KymoFeed *
fake_feed_new (gboolean playback)
{
  KymoFeed *self = g_object_new (KYMO_TYPE_FEED, NULL);

  self->playback = playback;
  return self;
}

FakeFeed *
fake_feed_of (KymoFeed *feed)
{
  return &feed->fake;
}

void
fake_feed_set_run (KymoFeed *feed, KymoRun *run)
{
  if (feed->source == NULL)
    feed->source = kymo_run_source_new (run, 1);
  else
    kymo_run_source_set_run (feed->source, run);
  feed->fake.status.end_ns = run->span.end_ns;
  feed->fake.status.n_blocks = run->stream->n_blocks;
  feed->fake.status.arrived_us = g_get_real_time ();
  fake_feed_tell (feed);
}

void
fake_feed_tell (KymoFeed *feed)
{
  g_signal_emit_by_name (feed, "changed");
}

/* -- what views ask of a feed --------------------------------------------- */

void
kymo_feed_status_clear (KymoFeedStatus *status)
{
  g_clear_pointer (&status->sentence, g_free);
  g_clear_pointer (&status->recording, g_free);
  g_clear_pointer (&status->names, g_free);
}

void
kymo_feed_get_status (KymoFeed *feed, KymoFeedStatus *status)
{
  *status = feed->fake.status;
  status->sentence = g_strdup (status->sentence);
  status->recording = g_strdup (status->recording);
  status->names = g_strdup (status->names);
}

gboolean
kymo_feed_is_playback (KymoFeed *feed)
{
  return feed->playback;
}

KymoSource *
kymo_feed_peek_source (KymoFeed *feed)
{
  return feed->source != NULL ? KYMO_SOURCE (feed->source) : NULL;
}

KymoTable *
kymo_feed_dup_values (KymoFeed *feed)
{
  return feed->fake.values != NULL ? kymo_table_ref (feed->fake.values) : NULL;
}

void
kymo_feed_retry (KymoFeed *feed)
{
  feed->fake.retries++;
}

void
kymo_feed_set_speed (KymoFeed *feed, double speed)
{
  feed->fake.status.speed = speed;
  fake_feed_tell (feed);
}

void
kymo_feed_seek (KymoFeed *feed, gint64 time_ns)
{
  feed->fake.seeks++;
  feed->fake.sought_ns = time_ns;
}
