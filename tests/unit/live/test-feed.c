/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Feeds: recordings that are played, with all that a person can do to them;
 * programs that do not answer; starts and stops.
 */
#include "config.h"

#include <string.h>

#include <gio/gio.h>

#include "blocks.h"
#include "kymo-error.h"
#include "kymo-feed-private.h"
#include "kymo-open.h"
#include "scratch.h"

#define S_NS G_GINT64_CONSTANT (1000000000)

static Scratch scratch;
static const char *source_root;

/* --- Streams by hand --- */

/* (transfer full): a recording of blocks that came `pace_us` apart; the n-th
   is entry n's. */
static char *
record_blocks (guint  n_blocks,
               gint64 pace_us)
{
  static int number;
  g_autofree char *name = g_strdup_printf ("made-%d%s", number++, KYMO_STREAM_SUFFIX);
  char *path = scratch_path (&scratch, name);
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

/* --- Waiting --- */

typedef gboolean (*Check) (KymoFeed             *feed,
                           const KymoFeedStatus *status,
                           gint64                value);

static gboolean
wake_cb (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

/* Until it holds; fails after ten seconds. Returns how long it took. */
static gint64
wait_for (KymoFeed *feed,
          Check     check,
          gint64    value)
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

static gboolean
has_ended (KymoFeed             *feed,
           const KymoFeedStatus *status,
           gint64                value)
{
  return status->state == KYMO_ATTACHMENT_ENDED && !status->seeking;
}

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
  return has_ended (feed, status, value) || has_failed (feed, status, value);
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

static gboolean
shows (KymoFeed             *feed,
       const KymoFeedStatus *status,
       gint64                value)
{
  KymoSource *source = kymo_feed_peek_source (feed);

  return source != NULL && kymo_source_get_span (source).end_ns == value;
}

static gboolean
has_passed (KymoFeed             *feed,
            const KymoFeedStatus *status,
            gint64                value)
{
  return g_get_monotonic_time () >= value;
}

static void
pass (KymoFeed *feed,
      gint64    us)
{
  wait_for (feed, has_passed, g_get_monotonic_time () + us);
}

static gint64
count_blocks (KymoFeed *feed)
{
  g_auto (KymoFeedStatus) status = { 0 };

  kymo_feed_get_status (feed, &status);
  return status.n_blocks;
}

/* --- Answers --- */

static char *
ask (KymoSource *source,
     const char *kind)
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

static void
assert_same_answers (KymoSource *a,
                     KymoSource *b)
{
  static const char *const kinds[] = { "profile", "time-profile", "usage", "busiest", "replies" };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *of_a = ask (a, kinds[i]);
      g_autofree char *of_b = ask (b, kinds[i]);

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
  wait_for (feed, has_ended, 0);
  wait_for (feed, shows, kymo_source_get_span (read).end_ns);
  kymo_feed_get_status (feed, &status);
  g_assert_cmpint (status.end_ns, ==, kymo_source_get_span (read).end_ns);
  g_assert_cmpint (status.total_ns, ==, status.end_ns);
  pass (feed, 100000);
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
      wait_for (feed, is_over, 0);
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
  g_autofree char *path = record_blocks (9, 200000);
  g_autoptr (KymoFeed) feed = kymo_feed_new_playback (path);
  g_autoptr (KymoSource) read = open_source (path);
  gint64 took;

  kymo_feed_start (feed);
  took = wait_for (feed, has_blocks, 5);
  g_assert_cmpint (took, >, 4 * 200000 * 8 / 10);
  kymo_feed_set_speed (feed, 0);
  pass (feed, 50000);
  g_assert_cmpint (count_blocks (feed), <, 7);
  took = count_blocks (feed);
  pass (feed, 400000);
  g_assert_cmpint (count_blocks (feed), ==, took);
  kymo_feed_set_speed (feed, 4);
  took = wait_for (feed, has_ended, 0);
  g_assert_cmpint (took, <, 3 * 200000);
  assert_same_answers (kymo_feed_peek_source (feed), read);
}

static void
test_slow (void)
{
  g_autofree char *path = record_blocks (3, 100000);
  g_autoptr (KymoFeed) feed = kymo_feed_new_playback (path);

  kymo_feed_start (feed);
  kymo_feed_set_speed (feed, 0.01);             /* the slowest is a quarter */
  g_assert_cmpint (wait_for (feed, has_blocks, 3), >, 2 * 100000 * 4 * 8 / 10);
  wait_for (feed, has_ended, 0);
}

static void
test_seek (void)
{
  g_autofree char *path = record_blocks (40, 1000000);
  g_autoptr (KymoFeed) feed = kymo_feed_new_playback (path);
  g_auto (KymoFeedStatus) status = { 0 };

  kymo_feed_start (feed);
  wait_for (feed, has_blocks, 1);
  kymo_feed_get_status (feed, &status);
  g_assert_cmpint (status.total_ns, ==, 40 * S_NS);
  kymo_feed_set_speed (feed, 0);
  kymo_feed_seek (feed, 30 * S_NS - 5);
  wait_for (feed, shows, 30 * S_NS);
  g_assert_cmpint (count_blocks (feed), ==, 30);
  kymo_feed_seek (feed, 7 * S_NS);
  wait_for (feed, shows, 7 * S_NS);
  g_assert_cmpint (count_blocks (feed), ==, 7);
  kymo_feed_seek (feed, 0);                     /* one block there is always */
  wait_for (feed, shows, S_NS);
  for (guint i = 0; i < 50; i++)                /* each takes the place of the one before */
    kymo_feed_seek (feed, (i * 17 % 40) * S_NS);
  kymo_feed_seek (feed, 12 * S_NS);
  wait_for (feed, shows, 12 * S_NS);
  kymo_feed_seek (feed, 100 * S_NS);
  wait_for (feed, has_ended, 0);
  wait_for (feed, shows, 40 * S_NS);
  kymo_feed_seek (feed, 20 * S_NS);
  wait_for (feed, has_sought, 20 * S_NS);
  wait_for (feed, shows, 20 * S_NS);
  pass (feed, 100000);
  kymo_feed_status_clear (&status);
  kymo_feed_get_status (feed, &status);
  g_assert_cmpint (status.state, ==, KYMO_ATTACHMENT_FOLLOWING);
  g_assert_cmpint (status.n_blocks, ==, 20);
  kymo_feed_set_speed (feed, 16);
  wait_for (feed, has_blocks, 25);
}

static void
test_no_recording (void)
{
  g_autofree char *path = scratch_path (&scratch, "none.kymostream");
  g_autoptr (KymoFeed) feed = kymo_feed_new_playback (path);

  kymo_feed_start (feed);
  wait_for (feed, has_failed, 0);
  kymo_feed_seek (feed, 1);
  kymo_feed_set_speed (feed, 2);
  kymo_feed_stop (feed);
  pass (feed, 20000);
  g_assert_null (kymo_feed_peek_source (feed));
}

/* --- Names, conditions --- */

typedef struct
{
  gboolean   done;
  GError    *error;
  GPtrArray *alarms;
} Told;

static void
names_cb (GObject      *object,
          GAsyncResult *result,
          gpointer      data)
{
  Told *told = data;

  g_assert_cmpint (kymo_feed_set_names_finish (KYMO_FEED (object), result, &told->error), ==,
                   told->error == NULL);
  told->done = TRUE;
}

static void
save_cb (GObject      *object,
         GAsyncResult *result,
         gpointer      data)
{
  Told *told = data;

  g_assert_cmpint (kymo_feed_save_finish (KYMO_FEED (object), result, &told->error), ==,
                   told->error == NULL);
  told->done = TRUE;
}

/* The work of a feed without its thread is done here, too. */
static void
wait_done (Told *told)
{
  GMainContext *here = g_main_context_get_thread_default ();

  while (!told->done)
    if (!g_main_context_iteration (here, FALSE) && !g_main_context_iteration (NULL, FALSE))
      g_usleep (100);
  told->done = FALSE;
}

static void
test_names (void)
{
  static const char sts[] = "VERSION 11.0\nMACHINE \"x\"\nPROCESSORS 4\nTOTAL_CHARES 1\n"
    "TOTAL_EPS 3\nTOTAL_MSGS 1\nCHARE 0 \"Cell\" 1\nENTRY CHARE 1 \"go()\" 0 0\n"
    "ENTRY CHARE 2 \"run()\" 0 0\nMESSAGE 0 8\nEND\n";
  g_autofree char *path = record_blocks (2, 1000);
  g_autofree char *names = scratch_path (&scratch, "made.util.sts");
  g_autofree char *before = NULL, *after = NULL, *again = NULL;
  g_autoptr (KymoFeed) feed = kymo_feed_new_playback (path);
  Told told = { 0 };

  g_assert_true (g_file_set_contents (names, sts, -1, NULL));
  kymo_feed_start (feed);
  wait_for (feed, has_ended, 0);
  before = ask (kymo_feed_peek_source (feed), "profile");
  g_assert_null (strstr (before, "Cell::go"));
  kymo_feed_set_names_async (feed, scratch.folder, names_cb, &told);
  wait_done (&told);
  g_assert_nonnull (told.error);
  g_clear_error (&told.error);
  kymo_feed_set_names_async (feed, names, names_cb, &told);
  wait_done (&told);
  g_assert_no_error (told.error);
  pass (feed, 100000);
  after = ask (kymo_feed_peek_source (feed), "profile");
  g_assert_nonnull (strstr (after, "Cell::go"));
  g_assert_nonnull (strstr (after, "Cell::run"));
  kymo_feed_seek (feed, 0);                     /* they hold for what is played again */
  wait_for (feed, shows, S_NS);
  again = ask (kymo_feed_peek_source (feed), "profile");
  g_assert_nonnull (strstr (again, "Cell::go"));
}

static void
alarm_cb (KymoFeed   *feed,
          const char *sentence,
          gpointer    data)
{
  g_ptr_array_add (((Told *) data)->alarms, g_strdup (sentence));
}

static void
set_condition (KymoFeed   *feed,
               const char *text)
{
  g_autoptr (GPtrArray) conditions =
    g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_condition_free);

  g_ptr_array_add (conditions, kymo_condition_parse (text, NULL));
  kymo_feed_set_conditions (feed, conditions);
}

static void
test_alarm (void)
{
  g_autofree char *path = record_blocks (5, 50000);
  g_autoptr (KymoFeed) feed = kymo_feed_new_playback (path);
  Told told = { .alarms = g_ptr_array_new_with_free_func (g_free) };

  g_signal_connect (feed, "alarm", G_CALLBACK (alarm_cb), &told);
  set_condition (feed, "below 13% for 2s");
  kymo_feed_start (feed);
  wait_for (feed, has_ended, 0);
  pass (feed, 100000);
  g_assert_cmpuint (told.alarms->len, ==, 1);
  g_assert_cmpstr (told.alarms->pdata[0], ==, "Utilization was below 13 % for 2 s (11.4 %)");
  g_ptr_array_unref (told.alarms);
}

/* --- Starts and stops --- */

static guint
count_threads (void)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/task", 0, NULL);
  guint n = 0;

  while (dir != NULL && g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static guint
count_feed_threads (void)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/task", 0, NULL);
  const char *name;
  guint n = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename ("/proc/self/task", name, "comm", NULL);
      g_autofree char *comm = NULL;

      if (g_file_get_contents (path, &comm, NULL, NULL) && g_str_has_prefix (comm, "kymo-feed"))
        n++;
    }
  return n;
}

static void
drop (KymoFeed *feed)
{
  gint64 begin = g_get_monotonic_time ();

  g_assert_finalize_object (feed);
  g_assert_cmpint (g_get_monotonic_time () - begin, <, 200000);
}

static void
test_stops (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  g_autofree char *path = record_blocks (60, 5000);

  for (guint i = 0; i < 200; i++)
    {
      KymoFeed *feed = kymo_feed_new_playback (path);
      gint64 until = g_get_monotonic_time () + g_rand_int_range (random, 0, 12000);

      if (i % 20 != 0)
        kymo_feed_start (feed);
      if (i % 3 == 0)
        kymo_feed_seek (feed, g_rand_int_range (random, 0, 60) * S_NS);
      if (i % 5 == 0)
        kymo_feed_set_speed (feed, 16);
      while (g_get_monotonic_time () < until)
        g_main_context_iteration (NULL, FALSE);
      if (i % 7 == 0)
        kymo_feed_seek (feed, 0);
      if (i % 11 == 0)
        kymo_feed_stop (feed);
      drop (feed);
    }
  for (guint i = 0; i < 100 && count_feed_threads () > 0; i++)
    g_usleep (1000);
  g_assert_cmpuint (count_feed_threads (), ==, 0);
}

/* A port that nobody listens at, and one that takes connections and never
   says a word. */
static void
test_deaf (void)
{
  g_autoptr (GSocketListener) listener = g_socket_listener_new ();
  guint16 port = g_socket_listener_add_any_inet_port (listener, NULL, NULL);
  guint n_threads = 0;

  g_assert_cmpuint (port, !=, 0);
  for (guint i = 0; i < 40; i++)
    {
      g_autofree char *text = g_strdup_printf ("127.0.0.1:%u", i % 2 ? port : 1);
      g_autoptr (KymoCcsTarget) target = kymo_ccs_target_parse (text, NULL, NULL, NULL);
      KymoFeed *feed = kymo_feed_new_attached (target);
      gint64 until = g_get_monotonic_time () + i % 4 * 10000;

      kymo_feed_start (feed);
      g_assert_false (kymo_feed_is_playback (feed));
      while (g_get_monotonic_time () < until)
        g_main_context_iteration (NULL, FALSE);
      kymo_feed_retry (feed);
      drop (feed);
      if (i == 10)
        n_threads = count_threads ();
    }
  g_assert_cmpuint (count_threads (), <=, n_threads + 4);
  g_socket_listener_close (listener);
}

/* What was asked of a feed that is gone is answered. */
static void
test_asked_too_late (void)
{
  g_autofree char *path = record_blocks (1, 1000);
  KymoFeed *feed = kymo_feed_new_playback (path);
  Told told = { 0 };

  kymo_feed_start (feed);
  wait_for (feed, has_ended, 0);
  kymo_feed_save_async (feed, "/tmp/never-made.kymostream", FALSE, save_cb, &told);
  wait_done (&told);
  g_assert_error (told.error, KYMO_ERROR, KYMO_ERROR_USAGE);
  g_clear_error (&told.error);
  kymo_feed_set_names_async (feed, "/nowhere", names_cb, &told);
  g_object_unref (feed);                        /* the task holds it until it is answered */
  wait_done (&told);
  g_assert_nonnull (told.error);
  g_clear_error (&told.error);
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
  g_test_add_func ("/feed/names", test_names);
  g_test_add_func ("/feed/alarm", test_alarm);
  g_test_add_func ("/feed/stops", test_stops);
  g_test_add_func ("/feed/deaf", test_deaf);
  g_test_add_func ("/feed/asked-too-late", test_asked_too_late);
  status = g_test_run ();
  scratch_down (&scratch, NULL);
  return status;
}
