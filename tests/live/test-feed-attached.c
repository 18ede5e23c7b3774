/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A feed attached to a server that offers a recording: what comes is what was
 * recorded, whatever is saved meanwhile, and dropping the feed at any time is
 * the end of it.
 */
#include "config.h"

#include <string.h>

#include "kymo-ccs-server.h"
#include "kymo-feed.h"
#include "kymo-open.h"
#include "kymo-run-source.h"
#include "scratch.h"

#define TIMEOUT_US (120 * G_USEC_PER_SEC)

static Scratch scratch;
static const char *source_root;

/* --- A server on a thread of its own --- */

typedef struct
{
  char                *recording;
  KymoCcsServerOptions options;
  GThread             *thread;
  GMainContext        *context;
  GMutex               mutex;
  GCond                cond;
  guint16              port;
  int                  quit;            /* atomic */
} Server;

static gpointer
server_thread (gpointer data)
{
  Server *server = data;
  g_autoptr (GError) error = NULL;
  KymoCcsServer *ccs;

  g_main_context_push_thread_default (server->context);
  ccs = kymo_ccs_server_new (server->recording, &server->options, &error);
  g_assert_no_error (error);
  g_mutex_lock (&server->mutex);
  server->port = kymo_ccs_server_get_port (ccs);
  g_cond_signal (&server->cond);
  g_mutex_unlock (&server->mutex);
  while (!g_atomic_int_get (&server->quit))
    g_main_context_iteration (server->context, TRUE);
  kymo_ccs_server_free (ccs);
  while (g_main_context_iteration (server->context, FALSE))
    ;
  g_main_context_pop_thread_default (server->context);
  return NULL;
}

static void
server_start (Server     *server,
              const char *recording,
              double      speed,
              gboolean    repeat,
              const char *misbehave)
{
  *server = (Server) {
    .recording = g_build_filename (source_root, "tests", "data", "streams", recording, NULL),
    .options = { .speed = speed, .repeat = repeat, .misbehave = misbehave },
    .context = g_main_context_new (),
  };
  g_mutex_init (&server->mutex);
  g_cond_init (&server->cond);
  server->thread = g_thread_new ("server", server_thread, server);
  g_mutex_lock (&server->mutex);
  while (server->port == 0)
    g_cond_wait (&server->cond, &server->mutex);
  g_mutex_unlock (&server->mutex);
}

static void
server_stop (Server *server)
{
  g_atomic_int_set (&server->quit, TRUE);
  g_main_context_wakeup (server->context);
  g_thread_join (server->thread);
  g_main_context_unref (server->context);
  g_mutex_clear (&server->mutex);
  g_cond_clear (&server->cond);
  g_free (server->recording);
}

static KymoFeed *
attach (const Server *server)
{
  g_autofree char *text = g_strdup_printf ("127.0.0.1:%u", server->port);
  g_autoptr (KymoCcsTarget) target = kymo_ccs_target_parse (text, NULL, NULL, NULL);
  KymoFeed *feed = kymo_feed_new_attached (target);

  kymo_feed_start (feed);
  return feed;
}

/* --- Waiting and comparing --- */

/* Until so many blocks have come, and where `state` is not -1 it is that. */
static void
wait_until (KymoFeed *feed,
            gint64    n_blocks,
            int       state)
{
  gint64 until = g_get_monotonic_time () + TIMEOUT_US;

  while (TRUE)
    {
      g_auto (KymoFeedStatus) status = { 0 };

      kymo_feed_get_status (feed, &status);
      if (status.n_blocks >= n_blocks && (state < 0 || (int) status.state == state))
        return;
      if (g_get_monotonic_time () > until)
        g_error ("waited in vain: state %d, “%s”, %" G_GINT64_FORMAT " blocks", status.state,
                 status.sentence, status.n_blocks);
      if (!g_main_context_iteration (NULL, FALSE))
        g_usleep (1000);
    }
}

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

/* `n_kinds`: 2 where replies and marks came at other times */
static void
assert_same (KymoSource *source,
             const char *path,
             guint       n_kinds)
{
  static const char *const kinds[] = { "profile", "busiest", "time-profile", "replies" };
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoRun) run = kymo_open_run (path, NULL, NULL, &error);
  g_autoptr (KymoRunSource) read = NULL;

  g_assert_no_error (error);
  read = kymo_run_source_new (run, 1);
  for (guint i = 0; i < n_kinds; i++)
    {
      g_autofree char *a = ask (source, kinds[i]), *b = ask (KYMO_SOURCE (read), kinds[i]);

      gsize n = 0;

      while (a[n] != 0 && a[n] == b[n])
        n++;
      if (a[n] != b[n])
        g_error ("%s: …%.200s is not …%.200s", kinds[i], a + n - MIN (n, 60), b + n - MIN (n, 60));
    }
}

typedef struct
{
  gboolean done;
  GError  *error;
} Told;

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

static void
wait_saved (Told *told)
{
  while (!told->done)
    g_main_context_iteration (NULL, TRUE);
  g_assert_no_error (told->error);
}

/* --- Tests --- */

static void
test_all (void)
{
  g_autofree char *early = scratch_path (&scratch, "early.kymostream");
  g_autofree char *late = scratch_path (&scratch, "late.kymostream");
  g_autoptr (KymoFeed) feed = NULL;
  Told first = { 0 }, last = { 0 };
  Server server;

  server_start (&server, "summary-p4.kymostream", 0, FALSE, NULL);
  feed = attach (&server);
  wait_until (feed, 1, -1);
  kymo_feed_save_async (feed, early, TRUE, save_cb, &first);
  wait_saved (&first);
  wait_until (feed, 7, KYMO_ATTACHMENT_ENDED);
  kymo_feed_save_async (feed, late, FALSE, save_cb, &last);
  wait_saved (&last);
  assert_same (kymo_feed_peek_source (feed), server.recording, 2);
  assert_same (kymo_feed_peek_source (feed), late, 4);
  while (TRUE)
    {
      g_auto (KymoFeedStatus) status = { 0 };

      kymo_feed_get_status (feed, &status);
      if (status.recording == NULL)
        break;
      g_main_context_iteration (NULL, TRUE);
    }
  assert_same (kymo_feed_peek_source (feed), early, 4);
  server_stop (&server);
}

/* Blocks come 50 times as fast as they did; the feed goes at any time. */
static void
test_drop (void)
{
  enum { N_FREED = 60 };
  guint n_late = 0;
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  Server server;

  server_start (&server, "load-p4.kymostream", 50, TRUE, NULL);
  for (guint i = 0; i < N_FREED; i++)
    {
      KymoFeed *feed = attach (&server);
      gint64 until = g_get_monotonic_time () + g_rand_int_range (random, 0, 60000), begin;

      while (g_get_monotonic_time () < until)
        if (!g_main_context_iteration (NULL, FALSE))
          g_usleep (500);
      begin = g_get_monotonic_time ();
      g_assert_finalize_object (feed);
      n_late += g_get_monotonic_time () - begin >= 200000;
    }
  /* Nothing is waited for; on a busy machine single ones are late all the same. */
  g_assert_cmpint (n_late, <, N_FREED / 2);
  server_stop (&server);
}

static void
test_stop (void)
{
  g_autofree char *path = scratch_path (&scratch, "stopped.kymostream");
  g_autoptr (KymoFeed) feed = NULL;
  Told told = { 0 };
  gint64 n_blocks;
  Server server;

  server_start (&server, "load-p4.kymostream", 50, TRUE, NULL);
  feed = attach (&server);
  wait_until (feed, 3, -1);
  kymo_feed_stop (feed);
  wait_until (feed, 3, KYMO_ATTACHMENT_ENDED);
  {
    g_auto (KymoFeedStatus) status = { 0 };

    kymo_feed_get_status (feed, &status);
    n_blocks = status.n_blocks;
  }
  g_usleep (200000);
  wait_until (feed, n_blocks, KYMO_ATTACHMENT_ENDED);
  kymo_feed_save_async (feed, path, TRUE, save_cb, &told);      /* there is nothing to go on */
  wait_saved (&told);
  assert_same (kymo_feed_peek_source (feed), path, 4);
  kymo_feed_retry (feed);
  wait_until (feed, n_blocks + 2, KYMO_ATTACHMENT_FOLLOWING);
  g_assert_true (kymo_source_get_capabilities (kymo_feed_peek_source (feed)) & KYMO_CAN_GROWING);
  server_stop (&server);
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
  g_test_add_func ("/feed-attached/all", test_all);
  g_test_add_func ("/feed-attached/drop", test_drop);
  g_test_add_func ("/feed-attached/stop", test_stop);
  status = g_test_run ();
  scratch_down (&scratch, NULL);
  return status;
}
