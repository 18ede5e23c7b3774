/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "play.h"

#include <string.h>
#include <sys/socket.h>

#define REQUEST_BYTES 40

struct _Play
{
  GSocket *socket;
  guint16  port;
  GArray  *steps;
  GThread *thread;
  guint    n_done;              /* atomic */
  gint     stop;                /* atomic */
};

static void
clear_step (gpointer data)
{
  PlayStep *step = data;

  g_clear_pointer (&step->reply, g_bytes_unref);
}

Play *
play_new (gboolean ipv6)
{
  Play *play = g_new0 (Play, 1);
  GSocketFamily family = ipv6 ? G_SOCKET_FAMILY_IPV6 : G_SOCKET_FAMILY_IPV4;
  g_autoptr (GInetAddress) loopback = g_inet_address_new_loopback (family);
  g_autoptr (GSocketAddress) any = g_inet_socket_address_new (loopback, 0);
  g_autoptr (GSocketAddress) bound = NULL;
  g_autoptr (GError) error = NULL;

  play->steps = g_array_new (FALSE, TRUE, sizeof (PlayStep));
  g_array_set_clear_func (play->steps, clear_step);
  play->socket = g_socket_new (family, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, &error);
  if (play->socket == NULL || !g_socket_bind (play->socket, any, TRUE, &error))
    {
      g_array_unref (play->steps);
      g_clear_object (&play->socket);
      g_free (play);
      return NULL;
    }
  g_assert_true (g_socket_listen (play->socket, &error));
  bound = g_socket_get_local_address (play->socket, NULL);
  play->port = g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (bound));
  return play;
}

void
play_add_raw (Play       *play,
              const char *handler,
              PlayAct     act,
              GBytes     *bytes)
{
  PlayStep step = { .handler = handler, .act = act, .reply = bytes };

  g_array_append_val (play->steps, step);
}

void
play_add (Play       *play,
          const char *handler,
          PlayAct     act,
          GBytes     *payload)
{
  g_autoptr (GBytes) owned = payload != NULL ? payload : g_bytes_new (NULL, 0);
  g_autoptr (GByteArray) reply = g_byte_array_new ();
  guint32 length = GUINT32_TO_BE (g_bytes_get_size (owned));

  g_byte_array_append (reply, (guint8 *) &length, 4);
  if (g_bytes_get_size (owned) > 0)
    g_byte_array_append (reply, g_bytes_get_data (owned, NULL), g_bytes_get_size (owned));
  play_add_raw (play, handler, act, g_bytes_new (reply->data, reply->len));
}

PlayStep *
play_last (Play *play)
{
  return &g_array_index (play->steps, PlayStep, play->steps->len - 1);
}

static gsize
read_all (GSocket *socket,
          guint8  *bytes,
          gsize    n_bytes)
{
  gsize n_read = 0;

  while (n_read < n_bytes)
    {
      gssize n = g_socket_receive (socket, (char *) bytes + n_read, n_bytes - n_read, NULL, NULL);

      if (n <= 0)
        break;
      n_read += n;
    }
  return n_read;
}

static void
send_all (GSocket    *socket,
          const char *bytes,
          gsize       n_bytes)
{
  gsize n_sent = 0;

  while (n_sent < n_bytes)
    {
      gssize n = g_socket_send (socket, bytes + n_sent, n_bytes - n_sent, NULL, NULL);

      if (n <= 0)
        return;
      n_sent += n;
    }
}

/* Until the client has gone. */
static void
wait_for_end (Play    *play,
              GSocket *socket)
{
  guint8 byte;

  while (!g_atomic_int_get (&play->stop)
         && !g_socket_condition_timed_wait (socket, G_IO_IN | G_IO_HUP, 10000, NULL, NULL))
    ;
  read_all (socket, &byte, g_atomic_int_get (&play->stop) ? 0 : 1);
}

static void
drip (Play    *play,
      GSocket *socket,
      GBytes  *reply)
{
  gsize n_bytes;
  const char *bytes = g_bytes_get_data (reply, &n_bytes);

  for (gsize i = 0; i < n_bytes && !g_atomic_int_get (&play->stop); i++)
    {
      if (g_socket_send (socket, bytes + i, 1, NULL, NULL) <= 0)
        return;
      g_usleep (1000);
    }
}

static void
reset (GSocket *socket)
{
  struct linger linger = { .l_onoff = 1, .l_linger = 0 };

  g_assert_cmpint (setsockopt (g_socket_get_fd (socket), SOL_SOCKET, SO_LINGER, &linger,
                               sizeof linger), ==, 0);
}

static void
play_step (Play           *play,
           const PlayStep *step,
           GSocket        *socket)
{
  guint8 request[REQUEST_BYTES];
  gsize n_bytes = g_bytes_get_size (step->reply);

  if (read_all (socket, request, sizeof request) < sizeof request)
    return;
  if (step->handler != NULL)
    g_assert_cmpstr ((char *) request + 8, ==, step->handler);
  g_usleep (step->pause_ms * 1000);
  if (step->act == PLAY_CUT)
    n_bytes = step->n_sent;
  if (step->act == PLAY_REPLY || step->act == PLAY_CUT || step->act == PLAY_STAY)
    send_all (socket, g_bytes_get_data (step->reply, NULL), n_bytes);
  if (step->act == PLAY_STAY)
    send_all (socket, "more", 4);
  if (step->act == PLAY_DRIP)
    drip (play, socket, step->reply);
  if (step->act == PLAY_RESET)
    reset (socket);
  if (step->act == PLAY_STAY || step->act == PLAY_SILENT)
    wait_for_end (play, socket);
}

static gpointer
run (gpointer data)
{
  Play *play = data;

  for (guint i = 0; i < play->steps->len && !g_atomic_int_get (&play->stop); i++)
    {
      g_autoptr (GSocket) client = NULL;

      while (client == NULL && !g_atomic_int_get (&play->stop))
        if (g_socket_condition_timed_wait (play->socket, G_IO_IN, 10000, NULL, NULL))
          client = g_socket_accept (play->socket, NULL, NULL);
      if (client != NULL)
        play_step (play, &g_array_index (play->steps, PlayStep, i), client);
      g_atomic_int_inc (&play->n_done);
    }
  g_socket_close (play->socket, NULL);
  return NULL;
}

void
play_start (Play *play)
{
  play->thread = g_thread_new ("play", run, play);
}

guint16
play_get_port (Play *play)
{
  return play->port;
}

guint
play_get_n_done (Play *play)
{
  return g_atomic_int_get (&play->n_done);
}

void
play_free (Play *play)
{
  if (play == NULL)
    return;
  g_atomic_int_set (&play->stop, 1);
  if (play->thread != NULL)
    g_thread_join (play->thread);
  g_object_unref (play->socket);
  g_array_unref (play->steps);
  g_free (play);
}
