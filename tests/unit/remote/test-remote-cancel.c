/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Questions that a client cancels, and in which order a server answers: ROOT SERVER, where SERVER
 * is the command that starts it. Each request ends with one message, also where it is cancelled.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/socket.h>

#include "frame-client.h"

/* Locations of the run of make_wide_run(). */
#define WIDE 1024

/* (transfer floating): an ASK for what is known at once */
static GVariant *
make_short_ask (Client *client)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("info");

  return client_ask (client, question);
}

/* Cancels @id, of which no answer is sent any more; @us: (out): how long that took */
static void
cancel_request (Client *client, guint64 id, gint64 *us)
{
  gint64 begin_us = g_get_monotonic_time ();
  g_autoptr (KymoFrame) last = NULL;

  client_say (client, KYMO_FRAME_CANCEL, id, client_body (NULL, NULL));
  client_wait (client);
  last = client_hear (client);
  *us = g_get_monotonic_time () - begin_us;
  g_assert_nonnull (last);
  g_assert_cmpuint (last->id, ==, id);
  g_assert_cmpuint (last->type, ==, KYMO_FRAME_ERROR);
}

/* The server answers something else, and says nothing before that. */
static void
check_alone (Client *client, guint64 id)
{
  g_autoptr (KymoFrame) frame = NULL;

  client_say (client, KYMO_FRAME_ASK, id, make_short_ask (client));
  frame = client_hear (client);
  g_assert_nonnull (frame);
  g_assert_cmpuint (frame->id, ==, id);
  g_assert_cmpuint (frame->type, ==, KYMO_FRAME_ANSWER);
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;

  return x < y ? -1 : x > y;
}

static void
tell_times (const char *what, gint64 *us, guint n)
{
  qsort (us, n, sizeof *us, compare_times);
  g_test_message ("%s: median %.1f ms, most %.1f ms", what, us[n / 2] / 1000.0, us[n - 1] / 1000.0);
}

/* Megabytes that are made in no time. */
static GVariant *
make_grid (Client *client)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("timeline");

  kymo_question_set_resolution (question, 100000, 0);
  kymo_question_set (question, "grid", "1");
  kymo_question_set (question, "dense", "1");
  return client_ask (client, question);
}

/* More answers than a reader keeps open are cancelled while their parts are on the way: an answer
   is longer than what lies between two ends of a line, and the client reads none of it before. */
static void
test_cancelled_in_parts (void)
{
  gint64 us[80];
  Client client;

  client_up (&client, 0);
  client_open (&client, "data/sample");
  for (guint i = 0; i < G_N_ELEMENTS (us); i++)
    {
      char byte;

      client_say (&client, KYMO_FRAME_ASK, 100 + i, make_grid (&client));
      g_assert_cmpint (recv (client.line, &byte, 1, MSG_PEEK), ==, 1);
      cancel_request (&client, 100 + i, &us[i]);
    }
  check_alone (&client, 1000);
  tell_times ("in parts", us, G_N_ELEMENTS (us));
  client_down (&client);
}

/* A thousand PEs that send a message each. */
static char *
make_wide_run (void)
{
  GString *text = g_string_new ("PROJECTIONS_ID \nVERSION 11.0\n");
  char *folder = scratch_path (&client_home, "wide");

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  g_string_append_printf (text, "PROCESSORS %d\nTOTAL_CHARES 1\nTOTAL_EPS 1\nTOTAL_MSGS 1\n"
                          "TOTAL_EVENTS 0\nCHARE 0 \"Main\" -1\nENTRY CHARE 0 \"run()\" 0 -1\n"
                          "MESSAGE 0 8\nEND\n", WIDE);
  scratch_put (&client_home, "wide/wide.sts", text->str);
  for (guint i = 0; i < WIDE; i++)
    {
      g_autofree char *name = g_strdup_printf ("wide/wide.%u.log", i);

      g_string_printf (text, "PROJECTIONS-RECORD 5\n6 0\n2 0 0 10 0 %u 64 0 0 0 0 0 10\n"
                       "1 0 0 20 0 %u 64 1\n3 0 0 30 0 %u 64 30\n7 100\n", i, i, i);
      scratch_put (&client_home, name, text->str);
    }
  g_string_free (text, TRUE);
  return folder;
}

/* (transfer floating): what takes seconds in the run of make_wide_run(): it goes through as many
   cells as may be for each of its PEs. */
static GVariant *
make_long_ask (Client *client)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("messages");

  kymo_question_set_resolution (question, 64, WIDE);
  kymo_question_set (question, "crossing", "1");
  kymo_question_set_int (question, "limit", 1);
  return client_ask (client, question);
}

/* Nine questions: the last is one too many; those that wait and those that are computed are
   cancelled, each once. */
static void
test_cancelled_in_queue (gconstpointer run)
{
  gint64 us[8], begin_us;
  Client client;

  client_up (&client, 0);
  client_open (&client, run);
  for (guint i = 0; i < 9; i++)
    client_say (&client, KYMO_FRAME_ASK, 100 + i, make_long_ask (&client));
  client_refused (&client, 108, "Too many requests");
  for (guint i = 8; i-- > 0;)
    cancel_request (&client, 100 + i, &us[i]);
  tell_times ("in queue and computing", us, G_N_ELEMENTS (us));
  /* All threads that answer were at work: one that has stopped takes this question. */
  begin_us = g_get_monotonic_time ();
  check_alone (&client, 1000);
  g_test_message ("work stopped: the next question took %.1f ms",
                  (g_get_monotonic_time () - begin_us) / 1000.0);
  client_down (&client);
}

/* Whether five questions that wait for three long ones are answered newest first, when one of the
   three is cancelled. They need not have waited: then the order tells nothing. */
static gboolean
is_newest_first (Client *client, guint64 first, gulong patience_us)
{
  guint64 last = first + 8;
  gboolean is_ordered = TRUE;

  for (guint i = 0; i < 3; i++)
    client_say (client, KYMO_FRAME_ASK, first + i, make_long_ask (client));
  client_wait (client);
  g_usleep (patience_us);
  for (guint i = 3; i < 8; i++)
    client_say (client, KYMO_FRAME_ASK, first + i, make_short_ask (client));
  client_wait (client);
  for (guint i = 0; i < 8; i++)
    {
      g_autoptr (KymoFrame) frame = NULL;

      if (i == 0 || i == 6)
        client_say (client, KYMO_FRAME_CANCEL, first + i / 6, client_body (NULL, NULL));
      if (i == 6)
        client_say (client, KYMO_FRAME_CANCEL, first + 2, client_body (NULL, NULL));
      frame = client_hear (client);
      g_assert_nonnull (frame);
      g_assert_cmpuint (frame->type, ==, frame->id < first + 3 ? KYMO_FRAME_ERROR
                        : KYMO_FRAME_ANSWER);
      if (frame->id < first + 3)
        continue;
      is_ordered = is_ordered && frame->id == last - 1;
      last = frame->id;
    }
  return is_ordered;
}

static void
test_newest (gconstpointer run)
{
  guint64 first = 100;
  Client client;

  client_up (&client, 0);
  client_open (&client, run);
  while (first < 200 && !is_newest_first (&client, first, 1000 << (first - 100) / 10))
    first += 10;
  g_assert_cmpuint (first, <, 200);
  client_down (&client);
}

int
main (int argc, char **argv)
{
  g_autofree char *wide = NULL;
  int n_words = 1, status;
  char **words = argv;

  g_test_init (&n_words, &words, NULL);
  client_root = argv[1];
  client_server = argv[2];
  scratch_up (&client_home, NULL);
  wide = make_wide_run ();
  g_test_add_func ("/remote-cancel/in-parts", test_cancelled_in_parts);
  g_test_add_data_func ("/remote-cancel/in-queue", wide, test_cancelled_in_queue);
  g_test_add_data_func ("/remote-cancel/newest", wide, test_newest);
  status = g_test_run ();
  scratch_down (&client_home, NULL);
  return status;
}
