/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "played-feed.h"

#include "blocks.h"
#include "kymo-feed-private.h"

/* (transfer full): a recording of blocks that came `pace_us` apart; the n-th
   is entry n's. */
char *
played_feed_record (Scratch *scratch, guint n_blocks, gint64 pace_us)
{
  static int number;
  g_autofree char *name = g_strdup_printf ("made-%d%s", number++, KYMO_STREAM_SUFFIX);
  char *path = scratch_path (scratch, name);
  KymoStreamWriter *writer = kymo_stream_writer_new (path, FALSE, "writer: test\n", NULL);
  g_autoptr (KymoStreamDecoder) decoder = kymo_stream_decoder_new ();

  for (guint i = 0; i <= n_blocks; i++)
    {
      g_autoptr (KymoStreamFrame) frame = i == 0 ? blocks_make_form (1000)
        : blocks_make_reply (1000 + (i - 1) * pace_us, i, 10 + i % 80);

      kymo_stream_decoder_take (decoder, frame, NULL, NULL);
      g_assert_true (kymo_stream_writer_append (writer, frame, NULL));
    }
  g_assert_true (kymo_stream_writer_finish (writer, NULL));
  return path;
}

static gboolean
wake_cb (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

/* Until it holds; fails after twenty seconds. Returns how long it took. */
gint64
played_feed_wait (KymoFeed *feed, PlayedFeedCheck check, gint64 value)
{
  gint64 begin = g_get_monotonic_time ();
  guint waker = g_timeout_add (2, wake_cb, NULL);

  while (TRUE)
    {
      g_auto (KymoFeedStatus) status = { 0 };

      kymo_feed_get_status (feed, &status);
      if (check (feed, &status, value))
        break;
      if (g_get_monotonic_time () - begin > 20 * G_USEC_PER_SEC)
        g_error ("waited in vain: state %d, “%s”, %" G_GINT64_FORMAT " blocks", status.state,
                 status.sentence, status.n_blocks);
      g_main_context_iteration (NULL, TRUE);
    }
  g_source_remove (waker);
  return g_get_monotonic_time () - begin;
}

gboolean
played_feed_has_ended (KymoFeed *feed, const KymoFeedStatus *status, gint64 value)
{
  return status->state == KYMO_ATTACHMENT_ENDED && !status->seeking;
}

gboolean
played_feed_shows (KymoFeed *feed, const KymoFeedStatus *status, gint64 value)
{
  KymoSource *source = kymo_feed_peek_source (feed);

  return source != NULL && kymo_source_get_span (source).end_ns == value;
}

static gboolean
has_passed (KymoFeed *feed, const KymoFeedStatus *status, gint64 value)
{
  return g_get_monotonic_time () >= value;
}

void
played_feed_pass (KymoFeed *feed, gint64 us)
{
  played_feed_wait (feed, has_passed, g_get_monotonic_time () + us);
}

char *
played_feed_ask (KymoSource *source, const char *kind)
{
  g_autoptr (KymoQuestion) question = kymo_question_new (kind);
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoTable) answer = NULL;
  GString *text = g_string_new (NULL);

  kymo_question_set_resolution (question, 50, 10);
  answer = kymo_source_ask (source, question, NULL, &error);
  g_assert_no_error (error);
  kymo_table_write_json (answer, text);
  return g_string_free (text, FALSE);
}
