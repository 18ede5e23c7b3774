/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "frame-client.h"

#include <linux/sockios.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

const char *client_root, *client_server;
Scratch client_home;

/* (transfer floating): a body with a key and a value, @key NULL: with none. */
GVariant *
client_body (const char *key, GVariant *value)
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
void
client_send (Client *client, GByteArray *bytes)
{
  gssize n = 0;

  for (gsize done = 0; done < bytes->len && n >= 0; done += MAX (n, 0))
    n = send (client->line, bytes->data + done, bytes->len - done, MSG_NOSIGNAL);
  g_byte_array_set_size (bytes, 0);
}

void
client_say (Client *client, guint type, guint64 id, GVariant *body)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  add_message (bytes, type, id, body);
  client_send (client, bytes);
}

/* Returns when the server has read all that was said to it. */
static void
wait_read (Client *client)
{
  int left = 1;

  while (left > 0)
    {
      g_assert_cmpint (ioctl (client->line, SIOCOUTQ, &left), ==, 0);
      g_usleep (left > 0 ? 100 : 0);
    }
}

/* Returns when the server has done all that was said to it: it takes what comes one by one, and
   reads no more before. */
void
client_wait (Client *client)
{
  wait_read (client);
  client_say (client, KYMO_FRAME_ALIVE, 0, client_body (NULL, NULL));
  wait_read (client);
}

/* (transfer full): the next message that is no progress. */
KymoFrame *
client_hear (Client *client)
{
  KymoFrame *frame;

  while ((frame = kymo_frame_reader_wait (client->reader, client->line, NULL)) != NULL
         && frame->type == KYMO_FRAME_PROGRESS)
    kymo_frame_free (frame);
  return frame;
}

/* Whether an ERROR ends the request whose sentence has the words. */
void
client_refused (Client *client, guint64 id, const char *words)
{
  g_autoptr (KymoFrame) frame = client_hear (client);
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
  client_say (client, KYMO_FRAME_HELLO, 0, g_variant_dict_end (&body));
  frame = client_hear (client);
  g_assert_nonnull (frame);
  g_assert_cmpuint (frame->type, ==, KYMO_FRAME_WELCOME);
  client->welcome = g_variant_ref (frame->body);
}

/* @name: as seen from the root of the sources, or absolute */
void
client_open (Client *client, const char *name)
{
  g_autofree char *path = g_canonicalize_filename (name, client_root);
  g_autoptr (KymoFrame) frame = NULL;

  client_say (client, KYMO_FRAME_OPEN, 1, client_body ("path", g_variant_new_bytestring (path)));
  frame = client_hear (client);
  g_assert_nonnull (frame);
  g_assert_cmpuint (frame->type, ==, KYMO_FRAME_OPENED);
  g_assert_true (g_variant_lookup (frame->body, "run", "u", &client->run));
}

void
client_start (Client *client)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_NONE);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) words = NULL;
  int ends[2];

  g_assert_true (g_shell_parse_argv (client_server, NULL, &words, NULL));
  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), ==, 0);
  g_subprocess_launcher_take_stdin_fd (launcher, dup (ends[1]));
  g_subprocess_launcher_take_stdout_fd (launcher, ends[1]);
  g_subprocess_launcher_setenv (launcher, "HOME", client_home.folder, TRUE);
  *client = (Client) { .line = ends[0] };
  client->process = g_subprocess_launcher_spawnv (launcher, (const char *const *) words, &error);
  g_assert_no_error (error);
  client->reader = kymo_frame_reader_new (KYMO_FRAME_MOST_ANSWER);
}

void
client_up (Client *client, guint32 alive_s)
{
  client_start (client);
  say_hello (client, alive_s);
}

/* The server ends with its client. */
void
client_down (Client *client)
{
  close (client->line);
  g_subprocess_wait (client->process, NULL, NULL);
  g_object_unref (client->process);
  kymo_frame_reader_free (client->reader);
  g_variant_unref (client->welcome);
}

/* (transfer floating): an ASK of the run */
GVariant *
client_ask (Client *client, KymoQuestion *question)
{
  GVariantDict body;

  g_variant_dict_init (&body, NULL);
  g_variant_dict_insert (&body, "run", "u", client->run);
  kymo_frame_add_question (&body, question);
  return g_variant_dict_end (&body);
}
