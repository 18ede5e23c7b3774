/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Feeds that play recordings: the same answers as the recording, damage, speed, places.
 */
#include "config.h"

#include <string.h>

#include "kymo-feed-private.h"
#include "kymo-open.h"
#include "played-feed.h"
#include "scratch.h"

#define S_NS G_GINT64_CONSTANT (1000000000)

static Scratch scratch;
static const char *source_root;

/* --- Waiting --- */

static gboolean
has_failed (KymoFeed             *feed,
            const KymoFeedStatus *status,
            gint64                value)
{
  return status->state == KYMO_ATTACHMENT_FAILED;
}

static gboolean
is_over (KymoFeed             *feed,
         const KymoFeedStatus *status,
         gint64                value)
{
  return played_feed_has_ended (feed, status, value) || has_failed (feed, status, value);
}

static gboolean
has_blocks (KymoFeed             *feed,
            const KymoFeedStatus *status,
            gint64                value)
{
  return status->n_blocks >= value;
}

static gboolean
has_sought (KymoFeed             *feed,
            const KymoFeedStatus *status,
            gint64                value)
{
  return !status->seeking && status->end_ns >= value;
}

static gint64
count_blocks (KymoFeed *feed)
{
  g_auto (KymoFeedStatus) status = { 0 };

  kymo_feed_get_status (feed, &status);
  return status.n_blocks;
}

/* --- Answers --- */

static void
assert_same_answers (KymoSource *a,
                     KymoSource *b)
{
  static const char *const kinds[] = { "profile", "time-profile", "usage", "busiest", "replies" };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *of_a = played_feed_ask (a, kinds[i]);
      g_autofree char *of_b = played_feed_ask (b, kinds[i]);

      if (strcmp (of_a, of_b) != 0)
        g_error ("%s: %.300s … is not %.300s …", kinds[i], of_a, of_b);
    }
}

static KymoSource *
open_source (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoRun) run = kymo_open_run (path, NULL, NULL, &error);

  g_assert_no_error (error);
  return KYMO_SOURCE (kymo_run_source_new (run, 1));
}

/* --- Playback --- */

static void
test_play (gconstpointer data)
{
  g_autofree char *path = g_build_filename (source_root, "tests", "data", "streams",
                                            (const char *) data, NULL);
  g_autoptr (KymoFeed) feed = kymo_feed_new_playback (path);
  g_autoptr (KymoSource) read = open_source (path);
  g_auto (KymoFeedStatus) status = { 0 };

  g_assert_true (kymo_feed_is_playback (feed));
  kymo_feed_start (feed);
  kymo_feed_set_speed (feed, 16);
  kymo_feed_seek (feed, G_MAXINT64 / 2);
  played_feed_wait (feed, played_feed_has_ended, 0);
  played_feed_wait (feed, played_feed_shows, kymo_source_get_span (read).end_ns);
  kymo_feed_get_status (feed, &status);
  g_assert_cmpint (status.end_ns, ==, kymo_source_get_span (read).end_ns);
  g_assert_cmpint (status.total_ns, ==, status.end_ns);
  played_feed_pass (feed, 100000);
  assert_same_answers (kymo_feed_peek_source (feed), read);
}

/* What is left of it comes, as when it is opened. */
static void
test_damaged (void)
{
  g_autofree char *path = g_build_filename (source_root, "tests", "data", "streams",
                                            "leanmd-p6.kymostream", NULL);
  g_autofree char *damaged = scratch_path (&scratch, "damaged.kymostream");
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  g_autofree char *whole = NULL;
  gsize n_bytes;

  g_assert_true (g_file_get_contents (path, &whole, &n_bytes, NULL));
  for (guint i = 0; i < 40; i++)
    {
      g_autofree char *bytes = g_memdup2 (whole, n_bytes);
      g_autoptr (KymoFeed) feed = kymo_feed_new_playback (damaged);
      gsize kept = i % 4 == 0 ? (gsize) g_rand_int_range (random, 100, n_bytes) : n_bytes;
      g_autoptr (KymoRun) run = NULL;
      g_autoptr (KymoSource) read = NULL;

      for (guint k = 0; k < i; k++)
        bytes[g_rand_int_range (random, 0, n_bytes)] ^= 1 << g_rand_int_range (random, 0, 8);
      g_assert_true (g_file_set_contents (damaged, bytes, kept, NULL));
      run = kymo_open_run (damaged, NULL, NULL, NULL);
      kymo_feed_start (feed);
      kymo_feed_seek (feed, 3 * S_NS);
      kymo_feed_seek (feed, 0);
      kymo_feed_seek (feed, G_MAXINT64);
      played_feed_wait (feed, is_over, 0);
      if (run == NULL)
        {
          g_assert_null (kymo_feed_peek_source (feed));
          continue;
        }
      read = KYMO_SOURCE (kymo_run_source_new (run, 1));
      assert_same_answers (kymo_feed_peek_source (feed), read);
    }
}

static void
test_pace (void)
{
  g_autofree char *path = played_feed_record (&scratch, 9, 200000);
  g_autoptr (KymoFeed) feed = kymo_feed_new_playback (path);
  g_autoptr (KymoSource) read = open_source (path);
  gint64 took;

  kymo_feed_start (feed);
  took = played_feed_wait (feed, has_blocks, 5);
  g_assert_cmpint (took, >, 4 * 200000 * 8 / 10);
  kymo_feed_set_speed (feed, 0);
  played_feed_pass (feed, 50000);
  g_assert_cmpint (count_blocks (feed), <, 7);
  took = count_blocks (feed);
  played_feed_pass (feed, 400000);
  g_assert_cmpint (count_blocks (feed), ==, took);
  kymo_feed_set_speed (feed, 4);
  took = played_feed_wait (feed, played_feed_has_ended, 0);
  g_assert_cmpint (took, <, 3 * 200000);
  assert_same_answers (kymo_feed_peek_source (feed), read);
}

static void
test_slow (void)
{
  g_autofree char *path = played_feed_record (&scratch, 3, 100000);
  g_autoptr (KymoFeed) feed = kymo_feed_new_playback (path);

  kymo_feed_start (feed);
  kymo_feed_set_speed (feed, 0.01);             /* the slowest is a quarter */
  g_assert_cmpint (played_feed_wait (feed, has_blocks, 3), >, 2 * 100000 * 4 * 8 / 10);
  played_feed_wait (feed, played_feed_has_ended, 0);
}

static void
test_seek (void)
{
  g_autofree char *path = played_feed_record (&scratch, 40, 1000000);
  g_autoptr (KymoFeed) feed = kymo_feed_new_playback (path);
  g_auto (KymoFeedStatus) status = { 0 };

  kymo_feed_start (feed);
  played_feed_wait (feed, has_blocks, 1);
  kymo_feed_get_status (feed, &status);
  g_assert_cmpint (status.total_ns, ==, 40 * S_NS);
  kymo_feed_set_speed (feed, 0);
  kymo_feed_seek (feed, 30 * S_NS - 5);
  played_feed_wait (feed, played_feed_shows, 30 * S_NS);
  g_assert_cmpint (count_blocks (feed), ==, 30);
  kymo_feed_seek (feed, 7 * S_NS);
  played_feed_wait (feed, played_feed_shows, 7 * S_NS);
  g_assert_cmpint (count_blocks (feed), ==, 7);
  kymo_feed_seek (feed, 0);                     /* one block there is always */
  played_feed_wait (feed, played_feed_shows, S_NS);
  for (guint i = 0; i < 50; i++)                /* each takes the place of the one before */
    kymo_feed_seek (feed, (i * 17 % 40) * S_NS);
  kymo_feed_seek (feed, 12 * S_NS);
  played_feed_wait (feed, played_feed_shows, 12 * S_NS);
  kymo_feed_seek (feed, 100 * S_NS);
  played_feed_wait (feed, played_feed_has_ended, 0);
  played_feed_wait (feed, played_feed_shows, 40 * S_NS);
  kymo_feed_seek (feed, 20 * S_NS);
  played_feed_wait (feed, has_sought, 20 * S_NS);
  played_feed_wait (feed, played_feed_shows, 20 * S_NS);
  played_feed_pass (feed, 100000);
  kymo_feed_status_clear (&status);
  kymo_feed_get_status (feed, &status);
  g_assert_cmpint (status.state, ==, KYMO_ATTACHMENT_FOLLOWING);
  g_assert_cmpint (status.n_blocks, ==, 20);
  kymo_feed_set_speed (feed, 16);
  played_feed_wait (feed, has_blocks, 25);
}

static void
test_no_recording (void)
{
  g_autofree char *path = scratch_path (&scratch, "none.kymostream");
  g_autoptr (KymoFeed) feed = kymo_feed_new_playback (path);

  kymo_feed_start (feed);
  played_feed_wait (feed, has_failed, 0);
  kymo_feed_seek (feed, 1);
  kymo_feed_set_speed (feed, 2);
  kymo_feed_stop (feed);
  played_feed_pass (feed, 20000);
  g_assert_null (kymo_feed_peek_source (feed));
}

int
main (int    argc,
      char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (argc, ==, 2);
  source_root = argv[1];
  scratch_up (&scratch, NULL);
  g_test_add_data_func ("/feed/play/detail", "load-p4.kymostream", test_play);
  g_test_add_data_func ("/feed/play/one-pe", "load-p1.kymostream", test_play);
  g_test_add_data_func ("/feed/play/named", "leanmd-p6.kymostream", test_play);
  g_test_add_data_func ("/feed/play/summary", "summary-p4.kymostream", test_play);
  g_test_add_data_func ("/feed/play/errors", "errors-p2.kymostream", test_play);
  g_test_add_func ("/feed/damaged", test_damaged);
  g_test_add_func ("/feed/pace", test_pace);
  g_test_add_func ("/feed/slow", test_slow);
  g_test_add_func ("/feed/seek", test_seek);
  g_test_add_func ("/feed/no-recording", test_no_recording);
  status = g_test_run ();
  scratch_down (&scratch, NULL);
  return status;
}
