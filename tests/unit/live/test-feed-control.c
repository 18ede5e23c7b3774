/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a person does to a feed: names, alarms, starts and stops at any time; programs that do not
 * answer.
 */
#include "config.h"

#include <string.h>

#include <gio/gio.h>

#include "kymo-error.h"
#include "kymo-feed-private.h"
#include "played-feed.h"
#include "scratch.h"

#define S_NS G_GINT64_CONSTANT (1000000000)

static Scratch scratch;

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
  g_autofree char *path = played_feed_record (&scratch, 2, 1000);
  g_autofree char *names = scratch_path (&scratch, "made.util.sts");
  g_autofree char *before = NULL, *after = NULL, *again = NULL;
  g_autoptr (KymoFeed) feed = kymo_feed_new_playback (path);
  Told told = { 0 };

  g_assert_true (g_file_set_contents (names, sts, -1, NULL));
  kymo_feed_start (feed);
  played_feed_wait (feed, played_feed_has_ended, 0);
  before = played_feed_ask (kymo_feed_peek_source (feed), "profile");
  g_assert_null (strstr (before, "Cell::go"));
  kymo_feed_set_names_async (feed, scratch.folder, names_cb, &told);
  wait_done (&told);
  g_assert_nonnull (told.error);
  g_clear_error (&told.error);
  kymo_feed_set_names_async (feed, names, names_cb, &told);
  wait_done (&told);
  g_assert_no_error (told.error);
  played_feed_pass (feed, 100000);
  after = played_feed_ask (kymo_feed_peek_source (feed), "profile");
  g_assert_nonnull (strstr (after, "Cell::go"));
  g_assert_nonnull (strstr (after, "Cell::run"));
  kymo_feed_seek (feed, 0);                     /* they hold for what is played again */
  played_feed_wait (feed, played_feed_shows, S_NS);
  again = played_feed_ask (kymo_feed_peek_source (feed), "profile");
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
  g_autofree char *path = played_feed_record (&scratch, 5, 50000);
  g_autoptr (KymoFeed) feed = kymo_feed_new_playback (path);
  Told told = { .alarms = g_ptr_array_new_with_free_func (g_free) };

  g_signal_connect (feed, "alarm", G_CALLBACK (alarm_cb), &told);
  set_condition (feed, "below 13% for 2s");
  kymo_feed_start (feed);
  played_feed_wait (feed, played_feed_has_ended, 0);
  played_feed_pass (feed, 100000);
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
  g_autofree char *path = played_feed_record (&scratch, 60, 5000);

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
  g_autofree char *path = played_feed_record (&scratch, 1, 1000);
  KymoFeed *feed = kymo_feed_new_playback (path);
  Told told = { 0 };

  kymo_feed_start (feed);
  played_feed_wait (feed, played_feed_has_ended, 0);
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
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  scratch_up (&scratch, NULL);
  g_test_add_func ("/feed-control/names", test_names);
  g_test_add_func ("/feed-control/alarm", test_alarm);
  g_test_add_func ("/feed-control/stops", test_stops);
  g_test_add_func ("/feed-control/deaf", test_deaf);
  g_test_add_func ("/feed-control/asked-too-late", test_asked_too_late);
  status = g_test_run ();
  scratch_down (&scratch, NULL);
  return status;
}
