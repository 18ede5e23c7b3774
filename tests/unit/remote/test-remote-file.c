/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Recordings of streams on another machine, which here is a server that the test starts: ROOT
 * SERVER. A feed plays them as those of this machine: the same answers, pauses, places and alarms.
 * A line that breaks is told, and made anew.
 */
#include "config.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-far-files.h"
#include "kymo-feed.h"
#include "kymo-remote-file.h"
#include "kymo-stream-file.h"
#include "played-feed.h"

static const char *root;
static Scratch scratch;

static char *
dup_recording (const char *name)
{
  g_autofree char *whole = g_canonicalize_filename (root, NULL);

  return g_build_filename (whole, "tests", "data", "streams", name, NULL);
}

static char *
dup_far (const char *path)
{
  return g_strconcat ("ssh://far", path, NULL);
}

/* The newest server of the test writes its number down. */
static void
kill_server (void)
{
  g_autofree char *file = scratch_path (&scratch, "pid");
  g_autofree char *pid = NULL;

  g_assert_true (g_file_get_contents (file, &pid, NULL, NULL));
  g_assert_cmpint (kill (atoi (pid), SIGKILL), ==, 0);
}

static void
test_frames (void)
{
  g_autofree char *path = dup_recording ("load-p4.kymostream"), *address = dup_far (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoStreamReader) near = kymo_stream_reader_new (path, &error);
  g_autoptr (KymoStreamReader) far = kymo_stream_reader_new (address, &error);
  g_autofree char *near_words = kymo_stream_reader_dup_provenance (near);
  g_autofree char *far_words = NULL;
  guint n = 0;

  g_assert_no_error (error);
  far_words = kymo_stream_reader_dup_provenance (far);
  g_assert_cmpstr (far_words, ==, near_words);
  for (;; n++)
    {
      g_autoptr (KymoStreamFrame) a = kymo_stream_reader_next (near, NULL);
      g_autoptr (KymoStreamFrame) b = kymo_stream_reader_next (far, NULL);

      g_assert_true ((a == NULL) == (b == NULL));
      if (a == NULL)
        break;
      g_assert_cmpint (a->kind, ==, b->kind);
      g_assert_cmpint (a->at_us, ==, b->at_us);
      g_assert_true (g_bytes_equal (a->bytes, b->bytes));
    }
  g_assert_cmpuint (n, >, 5);
  g_assert_null (kymo_stream_reader_peek_failure (far));
}

/* What a writer there has appended is found by the next look. */
static void
test_grows (void)
{
  g_autofree char *recording = dup_recording ("load-p1.kymostream");
  g_autofree char *path = scratch_path (&scratch, "grows.kymostream"), *address = dup_far (path);
  g_autofree char *bytes = NULL;
  g_autoptr (KymoStreamReader) whole = kymo_stream_reader_new (recording, NULL);
  g_autoptr (KymoStreamReader) reader = NULL;
  g_autoptr (GError) error = NULL;
  guint before = 0, after = 0;
  KymoStreamFrame *frame;
  guint32 number;
  gsize length;

  g_assert_true (g_file_get_contents (recording, &bytes, &length, NULL));
  for (guint i = 0; i < 3; i++)
    kymo_stream_frame_unref (kymo_stream_reader_next (whole, NULL));
  g_assert_true (g_file_set_contents (path, bytes, kymo_stream_reader_get_end (whole, &number),
                                      NULL));
  reader = kymo_stream_reader_new (address, &error);
  g_assert_no_error (error);
  for (; (frame = kymo_stream_reader_next (reader, NULL)) != NULL; before++)
    kymo_stream_frame_unref (frame);
  g_assert_true (g_file_set_contents_full (path, bytes, length, G_FILE_SET_CONTENTS_NONE, 0600,
                                           NULL));
  for (; (frame = kymo_stream_reader_next (reader, NULL)) != NULL; after++)
    kymo_stream_frame_unref (frame);
  g_assert_cmpuint (before, ==, 3);
  g_assert_cmpuint (after, >, 0);
}

static void
test_refused (void)
{
  g_autofree char *none = scratch_path (&scratch, "none.kymostream"), *address = dup_far (none);
  g_autofree char *folder = dup_recording (NULL), *far_folder = dup_far (folder);
  g_autofree char *found = NULL;
  g_autoptr (GError) error = NULL, several = NULL, near = NULL, write = NULL;

  g_assert_null (kymo_stream_reader_new (address, &error));
  g_assert_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE);
  g_assert_null (kymo_stream_file_find (far_folder, NULL, &several));
  g_assert_null (kymo_stream_file_find (folder, NULL, &near));
  g_assert_error (several, near->domain, near->code);
  g_assert_cmpstr (several->message, ==, near->message);
  found = kymo_stream_file_find (far_folder, "load-p1", NULL);
  g_assert_true (g_str_has_prefix (found, "ssh://far/"));
  g_assert_true (g_str_has_suffix (found, "/load-p1.kymostream"));
  g_assert_null (kymo_stream_writer_new (found, TRUE, "", &write));
  g_assert_nonnull (write);
}

/* -- playing ----------------------------------------------------------------------------------- */

static gboolean
has_sought (KymoFeed *feed, const KymoFeedStatus *status, gint64 value)
{
  return !status->seeking && status->end_ns >= value;
}

static gboolean
is_back (KymoFeed *feed, const KymoFeedStatus *status, gint64 value)
{
  return !status->seeking && status->end_ns < value;
}

static KymoFeed *
play_to_end (const char *path)
{
  KymoFeed *feed = kymo_feed_new_playback (path);

  kymo_feed_start (feed);
  kymo_feed_set_speed (feed, 16);
  kymo_feed_seek (feed, G_MAXINT64 / 2);
  played_feed_wait (feed, played_feed_has_ended, 0);
  return feed;
}

static void
test_plays (void)
{
  static const char *const kinds[] = { "profile", "time-profile", "usage", "busiest", "replies" };
  g_autofree char *path = dup_recording ("leanmd-p6.kymostream"), *address = dup_far (path);
  g_autoptr (KymoFeed) near = play_to_end (path);
  g_autoptr (KymoFeed) far = play_to_end (address);
  g_auto (KymoFeedStatus) a = { 0 };
  g_auto (KymoFeedStatus) b = { 0 };

  kymo_feed_get_status (near, &a);
  kymo_feed_get_status (far, &b);
  g_assert_cmpstr (b.sentence, ==, a.sentence);
  g_assert_cmpint (b.end_ns, ==, a.end_ns);
  g_assert_cmpint (b.total_ns, ==, a.total_ns);
  g_assert_cmpint (b.n_blocks, ==, a.n_blocks);
  played_feed_wait (near, played_feed_shows, a.end_ns);
  played_feed_wait (far, played_feed_shows, a.end_ns);
  played_feed_pass (far, 100000);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *of_near = played_feed_ask (kymo_feed_peek_source (near), kinds[i]);
      g_autofree char *of_far = played_feed_ask (kymo_feed_peek_source (far), kinds[i]);

      g_assert_cmpstr (of_far, ==, of_near);
    }
}

static void
on_alarm (KymoFeed *feed, const char *sentence, guint *n)
{
  (*n)++;
}

/* Stands, goes back, and goes on from there, with an alarm on the way. */
static void
test_is_steered (void)
{
  g_autofree char *path = played_feed_record (&scratch, 40, 10000), *address = dup_far (path);
  g_autoptr (GPtrArray) conditions =
    g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_condition_free);
  g_autoptr (KymoFeed) feed = kymo_feed_new_playback (address);
  g_auto (KymoFeedStatus) status = { 0 };
  guint n_alarms = 0;

  g_signal_connect (feed, "alarm", G_CALLBACK (on_alarm), &n_alarms);
  kymo_feed_start (feed);
  kymo_feed_set_speed (feed, 0);
  kymo_feed_seek (feed, G_GINT64_CONSTANT (20000000000));
  played_feed_wait (feed, has_sought, G_GINT64_CONSTANT (20000000000));
  kymo_feed_get_status (feed, &status);
  g_assert_cmpfloat (status.speed, ==, 0);
  kymo_feed_seek (feed, G_GINT64_CONSTANT (2000000000));
  played_feed_wait (feed, is_back, G_GINT64_CONSTANT (6000000000));
  g_ptr_array_add (conditions, kymo_condition_parse ("below 99% for 2s", NULL));
  kymo_feed_set_conditions (feed, conditions);
  kymo_feed_set_speed (feed, 16);
  played_feed_wait (feed, played_feed_has_ended, 0);
  played_feed_pass (feed, 100000);
  g_assert_cmpuint (n_alarms, >, 0);
}

/* The line breaks while it stands: the rest cannot be read, and going back makes another line. */
static void
test_line_breaks (void)
{
  g_autofree char *path = dup_recording ("leanmd-p6.kymostream"), *address = dup_far (path);
  g_autoptr (KymoStreamReader) reader = NULL;
  g_autoptr (KymoStreamFrame) first = NULL;
  g_autoptr (KymoStreamFrame) again = NULL;
  g_autoptr (GError) error = NULL;

  reader = kymo_stream_reader_new (address, &error);
  g_assert_no_error (error);
  first = kymo_stream_reader_next (reader, NULL);
  g_assert_nonnull (first);
  kill_server ();
  /* The window of the reader may hold all of it. */
  for (KymoStreamFrame *frame; (frame = kymo_stream_reader_next (reader, NULL)) != NULL;)
    kymo_stream_frame_unref (frame);
  kymo_stream_reader_rewind (reader);
  again = kymo_stream_reader_next (reader, NULL);
  g_assert_true (g_bytes_equal (again->bytes, first->bytes));
}

int
main (int argc, char **argv)
{
  g_autofree char *quoted = NULL, *file = NULL, *command = NULL;
  KymoRemoteWay way = { NULL };
  int n_words = 1, status;
  char **words = argv;

  g_test_init (&n_words, &words, NULL);
  root = argv[1];
  scratch_up (&scratch, NULL);
  quoted = g_shell_quote (argv[2]);
  file = scratch_path (&scratch, "pid");
  way.server = command = g_strdup_printf (
    "sh -c 'echo $$ > \"$2\"; eval \"exec $1\"' sh %s %s", quoted, file);
  kymo_remote_files_use (&way);
  g_test_add_func ("/remote-file/frames", test_frames);
  g_test_add_func ("/remote-file/grows", test_grows);
  g_test_add_func ("/remote-file/refused", test_refused);
  g_test_add_func ("/remote-file/plays", test_plays);
  g_test_add_func ("/remote-file/is-steered", test_is_steered);
  g_test_add_func ("/remote-file/line-breaks", test_line_breaks);
  status = g_test_run ();
  kymo_far_files_set (NULL);
  scratch_down (&scratch, NULL);
  return status;
}
