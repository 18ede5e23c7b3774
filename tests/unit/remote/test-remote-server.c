/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A server as a client of any version sees it: ROOT SERVER, where SERVER is the command that starts
 * it. What is not known is refused in a sentence; limits hold.
 */
#include "config.h"

#include <string.h>
#include <unistd.h>

#include "frame-client.h"

/* -- what is not known ------------------------------------------------------------------------- */

static void
test_unknown (void)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("no-such-kind");
  g_autoptr (GVariant) kinds = NULL;
  guint32 at_once = 0;
  Client client;

  client_up (&client, 0);
  kinds = g_variant_lookup_value (client.welcome, "kinds", G_VARIANT_TYPE ("a{sas}"));
  g_assert_cmpuint (g_variant_n_children (kinds), >, 40);
  g_assert_true (g_variant_lookup (client.welcome, "at-once", "u", &at_once));
  g_assert_cmpuint (at_once, ==, 8);
  client_say (&client, 99, 7, client_body (NULL, NULL));
  client_refused (&client, 7, "does not know such requests");
  client_say (&client, KYMO_FRAME_ASK, 8, client_body (NULL, NULL));
  client_refused (&client, 8, "not open on the server");
  client_open (&client, "data/sample");
  client_say (&client, KYMO_FRAME_ASK, 9, client_ask (&client, question));
  client_refused (&client, 9, "no-such-kind");
  client_say (&client, KYMO_FRAME_ASK, 10, client_body ("run", g_variant_new_uint32 (client.run)));
  client_refused (&client, 10, "The question is damaged");
  client_say (&client, KYMO_FRAME_WORK, 11, client_body (NULL, NULL));
  client_refused (&client, 11, "runs no such command");
  client_say (&client, KYMO_FRAME_LIST, 12, client_body (NULL, NULL));
  client_refused (&client, 12, "No run is named");
  client_down (&client);
}

/* What a client of another version or machine said that was recorded, message by message: the run
   lies in the user's folder. */
static void
test_recorded (gconstpointer name)
{
  static const guint answers[] = { KYMO_FRAME_WELCOME, KYMO_FRAME_OPENED, KYMO_FRAME_ANSWER };
  g_autofree char *path = g_build_filename (client_root, "tests", "data", "frames", name, NULL);
  g_autofree char *bytes = NULL;
  gsize size, at = 0;
  Client client;

  client_start (&client);
  g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      g_autoptr (GByteArray) part = g_byte_array_new ();
      g_autoptr (KymoFrame) frame = NULL;
      KymoFrameHead head;

      g_assert_cmpuint (at + KYMO_FRAME_HEADER, <=, size);
      g_assert_true (kymo_frame_head_read ((const guchar *) bytes + at, &head));
      g_byte_array_append (part, (const guchar *) bytes + at, KYMO_FRAME_HEADER + head.length);
      at += part->len;
      client_send (&client, part);
      frame = client_hear (&client);
      g_assert_nonnull (frame);
      g_assert_cmpuint (frame->type, ==, answers[i]);
      g_assert_cmpuint (frame->id, ==, head.id);
      if (frame->type == KYMO_FRAME_WELCOME)
        client.welcome = g_variant_ref (frame->body);
    }
  client_down (&client);
}

/* -- limits ------------------------------------------------------------------------------------ */

/* What a client that sends it gets: a sentence, and the line ends. */
static void
check_too_long (guint type, gsize size, const char *words)
{
  g_autofree guchar *blank = g_malloc0 (size);
  Client client;

  client_up (&client, 0);
  client_say (&client, type, 5,
       client_body ("blank", g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, blank, size, 1)));
  client_refused (&client, 0, words);
  g_assert_null (client_hear (&client));
  client_down (&client);
}

static void
test_too_long (void)
{
  check_too_long (KYMO_FRAME_ASK, 1 << 20, "A message (ASK) is longer than 1 MiB");
  check_too_long (KYMO_FRAME_VALUE, 16 << 20, "A message (VALUE) is longer than 16 MiB");
}

/* -- lists that are named ---------------------------------------------------------------------- */

/* (transfer full): JSON of the rows of a usage in the order that the body names. */
static char *
ask_ordered (Client *client, guint64 id, const char *key, GVariant *value)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("timeline");
  g_autoptr (KymoFrame) frame = NULL;
  g_autoptr (GVariant) boxed = NULL;
  GVariantDict body;

  kymo_question_set_resolution (question, 10, 0);
  g_variant_dict_init (&body, NULL);
  g_variant_dict_insert (&body, "run", "u", client->run);
  kymo_frame_add_question (&body, question);
  g_variant_dict_insert_value (&body, key, value);
  client_say (client, KYMO_FRAME_ASK, id, g_variant_dict_end (&body));
  frame = client_hear (client);
  g_assert_nonnull (frame);
  boxed = g_variant_lookup_value (frame->body, "table", NULL);
  return boxed != NULL ? g_variant_print (boxed, FALSE) : NULL;
}

static void
test_named (void)
{
  const gint64 order[] = { 5, 2, 7, 0, 1, 3, 4, 6 };
  GVariant *list = g_variant_new_fixed_array (G_VARIANT_TYPE_INT64, order, G_N_ELEMENTS (order), 8);
  g_autoptr (GVariant) held = g_variant_ref_sink (list);
  g_autofree char *wanted = NULL;
  g_autofree char *named = NULL;
  g_autofree char *plain = NULL;
  GVariantDict body;
  Client client;

  client_up (&client, 0);
  client_open (&client, "data/sample");
  g_assert_null (ask_ordered (&client, 2, "order-value", g_variant_new_uint32 (3)));
  g_variant_dict_init (&body, NULL);
  g_variant_dict_insert (&body, "number", "u", 3);
  g_variant_dict_insert_value (&body, "value", held);
  client_say (&client, KYMO_FRAME_VALUE, 0, g_variant_dict_end (&body));
  named = ask_ordered (&client, 3, "order-value", g_variant_new_uint32 (3));
  wanted = ask_ordered (&client, 4, "order", held);
  plain = ask_ordered (&client, 5, "columns", g_variant_new_uint32 (10));
  g_assert_nonnull (wanted);
  g_assert_cmpstr (named, ==, wanted);
  g_assert_cmpstr (plain, !=, wanted);
  client_down (&client);
}

/* -- silence ----------------------------------------------------------------------------------- */

/* A client that promised a message each second and sends none is gone, though its line is open. */
static void
test_silent (void)
{
  gint64 begin_us;
  Client client;

  client_up (&client, 1);
  begin_us = g_get_monotonic_time ();
  for (guint i = 0; i < 3; i++)
    {
      g_usleep (G_USEC_PER_SEC / 4);
      client_say (&client, KYMO_FRAME_ALIVE, 0, client_body (NULL, NULL));
    }
  g_assert_null (client_hear (&client));
  g_assert_cmpint (g_get_monotonic_time () - begin_us, >, 6 * G_USEC_PER_SEC);
  g_subprocess_wait (client.process, NULL, NULL);
  client_down (&client);
}

int
main (int argc, char **argv)
{
  g_autofree char *run = NULL;
  g_autofree char *link = NULL;
  int n_words = 1, status;
  char **words = argv;

  g_test_init (&n_words, &words, NULL);
  client_root = argv[1];
  client_server = argv[2];
  scratch_up (&client_home, NULL);
  run = g_build_filename (client_root, "tests", "data", "feat-p4-text", NULL);
  link = scratch_path (&client_home, "run");
  g_assert_cmpint (symlink (run, link), ==, 0);
  g_test_add_func ("/remote-server/unknown", test_unknown);
  g_test_add_data_func ("/remote-server/first", "first-client.bin", test_recorded);
  g_test_add_data_func ("/remote-server/swapped", "swapped-client.bin", test_recorded);
  g_test_add_data_func ("/remote-server/limits", "limits-client.bin", test_recorded);
  g_test_add_func ("/remote-server/too-long", test_too_long);
  g_test_add_func ("/remote-server/named", test_named);
  g_test_add_func ("/remote-server/silent", test_silent);
  status = g_test_run ();
  /* What it points to is not ours to be removed. */
  unlink (link);
  scratch_down (&client_home, NULL);
  return status;
}
