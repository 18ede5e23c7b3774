/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A server as a client of any version sees it: ROOT SERVER, where SERVER is the command that starts
 * it. The test writes and reads messages itself. Each request ends with one message, also where it
 * is cancelled; what is not known is refused in a sentence; limits hold.
 */
#include "config.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "kymo-error.h"
#include "kymo-frame-reader.h"
#include "kymo-frame-words.h"
#include "kymo-frame-writer.h"
#include "kymo-table.h"
#include "scratch.h"

static const char *root, *server;
static Scratch scratch;

/* -- a client ---------------------------------------------------------------------------------- */

/** Client: of a server of its own */
typedef struct
{
  GSubprocess     *process;
  int              line;
  KymoFrameReader *reader;
  GVariant        *welcome;
  guint32          run;
} Client;

/* (transfer floating): a body with a key and a value, @key NULL: with none. */
static GVariant *
make_body (const char *key, GVariant *value)
{
  GVariantDict body;

  g_variant_dict_init (&body, NULL);
  if (key != NULL)
    g_variant_dict_insert_value (&body, key, value);
  return g_variant_dict_end (&body);
}

/* Adds the bytes of a message in parts, as any client would send them. */
static void
add_message (GByteArray *bytes, guint type, guint64 id, GVariant *body)
{
  g_autoptr (GVariant) held = g_variant_ref_sink (body);
  gsize size = g_variant_get_size (held), done = 0;
  KymoFrameHead head = { .type = type, .id = id, .total = size };

  do
    {
      guchar header[KYMO_FRAME_HEADER];

      head.length = MIN (KYMO_FRAME_PART, size - done);
      head.flags = done + head.length == size ? KYMO_FRAME_LAST : 0;
      kymo_frame_head_write (&head, header);
      g_byte_array_append (bytes, header, sizeof header);
      if (head.length > 0)
        g_byte_array_append (bytes, (const guchar *) g_variant_get_data (held) + done, head.length);
      done += head.length;
      head.part++;
    }
  while (done < size);
}

/* A server that refuses a message does not read the rest of it. */
static void
send_bytes (Client *client, GByteArray *bytes)
{
  gssize n = 0;

  for (gsize done = 0; done < bytes->len && n >= 0; done += MAX (n, 0))
    n = send (client->line, bytes->data + done, bytes->len - done, MSG_NOSIGNAL);
  g_byte_array_set_size (bytes, 0);
}

static void
say (Client *client, guint type, guint64 id, GVariant *body)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  add_message (bytes, type, id, body);
  send_bytes (client, bytes);
}

/* (transfer full): the next message that is no progress. */
static KymoFrame *
hear (Client *client)
{
  KymoFrame *frame;

  while ((frame = kymo_frame_reader_wait (client->reader, client->line, NULL)) != NULL
         && frame->type == KYMO_FRAME_PROGRESS)
    kymo_frame_free (frame);
  return frame;
}

/* Whether an ERROR ends the request whose sentence has the words. */
static void
check_refused (Client *client, guint64 id, const char *words)
{
  g_autoptr (KymoFrame) frame = hear (client);
  const char *message = "";

  g_assert_nonnull (frame);
  g_assert_cmpuint (frame->type, ==, KYMO_FRAME_ERROR);
  g_assert_cmpuint (frame->id, ==, id);
  g_variant_lookup (frame->body, "message", "&s", &message);
  g_test_message ("%s", message);
  g_assert_nonnull (strstr (message, words));
}

static void
say_hello (Client *client, guint32 alive_s)
{
  GVariantDict body;
  g_autoptr (KymoFrame) frame = NULL;

  g_variant_dict_init (&body, NULL);
  g_variant_dict_insert (&body, "version", "u", KYMO_FRAME_VERSION);
  g_variant_dict_insert (&body, "of-a-later-version", "s", "nobody knows this");
  g_variant_dict_insert (&body, "compress", "s", "never");
  if (alive_s > 0)
    g_variant_dict_insert (&body, "alive", "u", alive_s);
  say (client, KYMO_FRAME_HELLO, 0, g_variant_dict_end (&body));
  frame = hear (client);
  g_assert_nonnull (frame);
  g_assert_cmpuint (frame->type, ==, KYMO_FRAME_WELCOME);
  client->welcome = g_variant_ref (frame->body);
}

static void
open_run (Client *client, const char *name)
{
  g_autofree char *path = g_build_filename (root, name, NULL);
  g_autoptr (KymoFrame) frame = NULL;

  say (client, KYMO_FRAME_OPEN, 1, make_body ("path", g_variant_new_bytestring (path)));
  frame = hear (client);
  g_assert_nonnull (frame);
  g_assert_cmpuint (frame->type, ==, KYMO_FRAME_OPENED);
  g_assert_true (g_variant_lookup (frame->body, "run", "u", &client->run));
}

static void
start_server (Client *client)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_NONE);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) words = NULL;
  int ends[2];

  g_assert_true (g_shell_parse_argv (server, NULL, &words, NULL));
  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), ==, 0);
  g_subprocess_launcher_take_stdin_fd (launcher, dup (ends[1]));
  g_subprocess_launcher_take_stdout_fd (launcher, ends[1]);
  g_subprocess_launcher_setenv (launcher, "HOME", scratch.folder, TRUE);
  *client = (Client) { .line = ends[0] };
  client->process = g_subprocess_launcher_spawnv (launcher, (const char *const *) words, &error);
  g_assert_no_error (error);
  client->reader = kymo_frame_reader_new (KYMO_FRAME_MOST_ANSWER);
}

static void
client_up (Client *client, guint32 alive_s)
{
  start_server (client);
  say_hello (client, alive_s);
}

/* The server ends with its client. */
static void
client_down (Client *client)
{
  close (client->line);
  g_subprocess_wait (client->process, NULL, NULL);
  g_object_unref (client->process);
  kymo_frame_reader_free (client->reader);
  g_variant_unref (client->welcome);
}

/* (transfer floating): an ASK; @limit 0: without that keyword */
static GVariant *
make_ask (Client *client, const char *kind, guint columns, guint limit)
{
  g_autoptr (KymoQuestion) question = kymo_question_new (kind);
  GVariantDict body;

  kymo_question_set_resolution (question, columns, 0);
  if (limit > 0)
    kymo_question_set_int (question, "limit", limit);
  g_variant_dict_init (&body, NULL);
  g_variant_dict_insert (&body, "run", "u", client->run);
  kymo_frame_add_question (&body, question);
  return g_variant_dict_end (&body);
}

/* -- what is not known ------------------------------------------------------------------------- */

static void
test_unknown (void)
{
  g_autoptr (GVariant) kinds = NULL;
  guint32 at_once = 0;
  Client client;

  client_up (&client, 0);
  kinds = g_variant_lookup_value (client.welcome, "kinds", G_VARIANT_TYPE ("a{sas}"));
  g_assert_cmpuint (g_variant_n_children (kinds), >, 40);
  g_assert_true (g_variant_lookup (client.welcome, "at-once", "u", &at_once));
  g_assert_cmpuint (at_once, ==, 8);
  say (&client, 99, 7, make_body (NULL, NULL));
  check_refused (&client, 7, "does not know such requests");
  say (&client, KYMO_FRAME_ASK, 8, make_body (NULL, NULL));
  check_refused (&client, 8, "not open on the server");
  open_run (&client, "data/sample");
  say (&client, KYMO_FRAME_ASK, 9, make_ask (&client, "no-such-kind", 0, 0));
  check_refused (&client, 9, "no-such-kind");
  say (&client, KYMO_FRAME_ASK, 10, make_body ("run", g_variant_new_uint32 (client.run)));
  check_refused (&client, 10, "The question is damaged");
  say (&client, KYMO_FRAME_WORK, 11, make_body (NULL, NULL));
  check_refused (&client, 11, "runs no such command");
  say (&client, KYMO_FRAME_LIST, 12, make_body (NULL, NULL));
  check_refused (&client, 12, "No run is named");
  client_down (&client);
}

/* -- clients of other versions and machines ---------------------------------------------------- */

/* What a client said that was recorded, message by message: the run lies in the user's folder. */
static void
test_recorded (gconstpointer name)
{
  static const guint answers[] = { KYMO_FRAME_WELCOME, KYMO_FRAME_OPENED, KYMO_FRAME_ANSWER };
  g_autofree char *path = g_build_filename (root, "tests", "data", "frames", name, NULL);
  g_autofree char *bytes = NULL;
  gsize size, at = 0;
  Client client;

  start_server (&client);
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
      send_bytes (&client, part);
      frame = hear (&client);
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
  say (&client, type, 5,
       make_body ("blank", g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, blank, size, 1)));
  check_refused (&client, 0, words);
  g_assert_null (hear (&client));
  client_down (&client);
}

static void
test_too_long (void)
{
  check_too_long (KYMO_FRAME_ASK, 1 << 20, "A message (ASK) is longer than 1 MiB");
  check_too_long (KYMO_FRAME_VALUE, 16 << 20, "A message (VALUE) is longer than 16 MiB");
}

/* Cancels @id and reads what is left of it: one message, and nothing of it after that. Returns
   whether the answer came first; @us: (out): how long that took */
static gboolean
cancel_request (Client *client, guint64 id, gint64 *us)
{
  gint64 begin_us = g_get_monotonic_time ();
  g_autoptr (KymoFrame) last = NULL;

  say (client, KYMO_FRAME_CANCEL, id, make_body (NULL, NULL));
  last = hear (client);
  *us = g_get_monotonic_time () - begin_us;
  g_assert_nonnull (last);
  g_assert_cmpuint (last->id, ==, id);
  if (last->type == KYMO_FRAME_ANSWER)
    return TRUE;
  g_assert_cmpuint (last->type, ==, KYMO_FRAME_ERROR);
  return FALSE;
}

/* The server answers something else, and says nothing before that. */
static void
check_alone (Client *client, guint64 id)
{
  g_autoptr (KymoFrame) frame = NULL;

  say (client, KYMO_FRAME_ASK, id, make_ask (client, "info", 0, 0));
  frame = hear (client);
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
  GVariantDict body;

  kymo_question_set_resolution (question, 100000, 0);
  kymo_question_set (question, "grid", "1");
  kymo_question_set (question, "dense", "1");
  g_variant_dict_init (&body, NULL);
  g_variant_dict_insert (&body, "run", "u", client->run);
  kymo_frame_add_question (&body, question);
  return g_variant_dict_end (&body);
}

/* More answers than a reader keeps open are cancelled while their parts are on the way. */
static void
test_cancelled_in_parts (void)
{
  gint64 us[80];
  guint n_answers = 0;
  Client client;

  client_up (&client, 0);
  open_run (&client, "data/sample");
  for (guint i = 0; i < G_N_ELEMENTS (us); i++)
    {
      char byte;

      say (&client, KYMO_FRAME_ASK, 100 + i, make_grid (&client));
      g_assert_cmpint (recv (client.line, &byte, 1, MSG_PEEK), ==, 1);
      n_answers += cancel_request (&client, 100 + i, &us[i]);
    }
  check_alone (&client, 1000);
  g_assert_cmpuint (n_answers, <, G_N_ELEMENTS (us) / 2);
  tell_times ("in parts", us, G_N_ELEMENTS (us));
  client_down (&client);
}

/* Nine questions: the last is one too many; those that wait and those that are computed are
   cancelled, each once. */
static void
test_cancelled_in_queue (void)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  gint64 us[8], begin_us;
  Client client;

  client_up (&client, 0);
  open_run (&client, "data/sample");
  for (guint i = 0; i < 9; i++)
    add_message (bytes, KYMO_FRAME_ASK, 100 + i, make_ask (&client, "events", 0, 100000));
  send_bytes (&client, bytes);
  check_refused (&client, 108, "Too many requests");
  for (guint i = 8; i-- > 0;)
    g_assert_false (cancel_request (&client, 100 + i, &us[i]));
  tell_times ("in queue and computing", us, G_N_ELEMENTS (us));
  /* All threads that answer were at work: one that has stopped takes this question. */
  begin_us = g_get_monotonic_time ();
  check_alone (&client, 1000);
  g_test_message ("work stopped: the next question took %.1f ms",
                  (g_get_monotonic_time () - begin_us) / 1000.0);
  client_down (&client);
}

/* Three are computed; of those that wait the newest is the next. */
static void
test_newest (void)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint place[8];
  Client client;

  client_up (&client, 0);
  open_run (&client, "data/sample");
  for (guint i = 0; i < G_N_ELEMENTS (place); i++)
    add_message (bytes, KYMO_FRAME_ASK, 100 + i, make_ask (&client, "events", 0, 10000));
  send_bytes (&client, bytes);
  for (guint i = 0; i < G_N_ELEMENTS (place); i++)
    {
      g_autoptr (KymoFrame) frame = hear (&client);

      g_assert_nonnull (frame);
      g_assert_cmpuint (frame->type, ==, KYMO_FRAME_ANSWER);
      place[frame->id - 100] = i;
    }
  g_assert_cmpuint (place[7], <, place[3]);
  client_down (&client);
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
  say (client, KYMO_FRAME_ASK, id, g_variant_dict_end (&body));
  frame = hear (client);
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
  open_run (&client, "data/sample");
  g_assert_null (ask_ordered (&client, 2, "order-value", g_variant_new_uint32 (3)));
  g_variant_dict_init (&body, NULL);
  g_variant_dict_insert (&body, "number", "u", 3);
  g_variant_dict_insert_value (&body, "value", held);
  say (&client, KYMO_FRAME_VALUE, 0, g_variant_dict_end (&body));
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
      say (&client, KYMO_FRAME_ALIVE, 0, make_body (NULL, NULL));
    }
  g_assert_null (hear (&client));
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
  root = argv[1];
  server = argv[2];
  scratch_up (&scratch, NULL);
  run = g_build_filename (root, "tests", "data", "feat-p4-text", NULL);
  link = scratch_path (&scratch, "run");
  g_assert_cmpint (symlink (run, link), ==, 0);
  g_test_add_func ("/remote-server/unknown", test_unknown);
  g_test_add_data_func ("/remote-server/first", "first-client.bin", test_recorded);
  g_test_add_data_func ("/remote-server/swapped", "swapped-client.bin", test_recorded);
  g_test_add_data_func ("/remote-server/limits", "limits-client.bin", test_recorded);
  g_test_add_func ("/remote-server/too-long", test_too_long);
  g_test_add_func ("/remote-server/cancelled-in-parts", test_cancelled_in_parts);
  g_test_add_func ("/remote-server/cancelled-in-queue", test_cancelled_in_queue);
  g_test_add_func ("/remote-server/newest", test_newest);
  g_test_add_func ("/remote-server/named", test_named);
  g_test_add_func ("/remote-server/silent", test_silent);
  status = g_test_run ();
  /* What it points to is not ours to be removed. */
  unlink (link);
  scratch_down (&scratch, NULL);
  return status;
}
