/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One connection to a CCS server: a request, a reply, and the end. The request
 * has to be there in ten seconds, and the reply to be taken in sixty; what
 * never ends ends when the client closes, or the server.
 *
 * A connection belongs to itself from kymo_ccs_connection_open() on: it goes
 * when its last operation has come back. Where the server is gone before, it
 * only tidies up. All in the server's main context.
 */
#include "config.h"

#include "kymo-ccs-server-private.h"

#include <string.h>
#include <sys/socket.h>

#define REQUEST_MS 10000
#define REPLY_MS 60000
#define DRIP_MS 1000

struct _KymoCcsConnection
{
  KymoCcsServer       *server;          /* NULL when that is gone */
  GSocketConnection   *stream;
  GCancellable        *cancellable;
  GSource             *deadline;
  GSource             *timer;           /* of a late reply or the next byte */
  GByteArray          *bytes;           /* of the request */
  gsize                n_got;
  gsize                n_needed;
  KymoCcsServerRequest request;
  guint32              challenge;       /* that a login has to sign */
  guint32              challenge_be;    /* as it is sent */
  gboolean             logging_in;
  KymoCcsReply         reply;
  gsize                n_sent;
  guint8               last;            /* what comes after the request */
};

static void read_on (KymoCcsConnection *connection);
static void send_reply (KymoCcsConnection *connection);

static void
clear_source (GSource **source)
{
  if (*source != NULL)
    g_source_destroy (*source);
  g_clear_pointer (source, g_source_unref);
}

static GSource *
add_timer (guint       after_ms,
           GSourceFunc func,
           gpointer    data)
{
  GSource *source = g_timeout_source_new (after_ms);

  g_source_set_callback (source, func, data, NULL);
  g_source_attach (source, g_main_context_get_thread_default ());
  return source;
}

static gboolean
give_up (gpointer data)
{
  KymoCcsConnection *connection = data;

  g_cancellable_cancel (connection->cancellable);
  return G_SOURCE_REMOVE;
}

static void
set_deadline (KymoCcsConnection *connection,
              guint              after_ms)
{
  clear_source (&connection->deadline);
  if (after_ms > 0)
    connection->deadline = add_timer (after_ms, give_up, connection);
}

/* Lets close() send a reset in place of an orderly end. */
static void
arm_reset (KymoCcsConnection *connection)
{
  struct linger now = { .l_onoff = 1, .l_linger = 0 };
  GSocket *socket = g_socket_connection_get_socket (connection->stream);

  (void) setsockopt (g_socket_get_fd (socket), SOL_SOCKET, SO_LINGER, &now, sizeof now);
}

/* Nothing is under way any more. */
static void
ccs_server_connection_finish (KymoCcsConnection *connection)
{
  KymoCcsServer *server = connection->server;

  clear_source (&connection->deadline);
  clear_source (&connection->timer);
  g_io_stream_close (G_IO_STREAM (connection->stream), NULL, NULL);
  g_object_unref (connection->stream);
  g_object_unref (connection->cancellable);
  g_byte_array_unref (connection->bytes);
  g_clear_pointer (&connection->reply.bytes, g_byte_array_unref);
  if (server != NULL)
    kymo_ccs_server_closed (server, connection);
  g_free (connection);
}

/* Called for input while a client should be silent: it hung up, or sent more than it may. */
static void
on_client_closed (GObject      *input,
                  GAsyncResult *result,
                  gpointer      data)
{
  g_input_stream_read_finish (G_INPUT_STREAM (input), result, NULL);
  ccs_server_connection_finish (data);
}

static void
end_reply (KymoCcsConnection *connection)
{
  GInputStream *input = g_io_stream_get_input_stream (G_IO_STREAM (connection->stream));

  if (connection->reply.after == KYMO_CCS_AFTER_HOLD)
    {
      set_deadline (connection, 0);
      g_input_stream_read_async (input, &connection->last, 1, G_PRIORITY_DEFAULT,
                                 connection->cancellable, on_client_closed, connection);
      return;
    }
  if (connection->reply.after == KYMO_CCS_AFTER_RESET)
    arm_reset (connection);
  ccs_server_connection_finish (connection);
}

static gboolean
on_timer (gpointer data)
{
  KymoCcsConnection *connection = data;

  g_clear_pointer (&connection->timer, g_source_unref);
  send_reply (connection);
  return G_SOURCE_REMOVE;
}

static void
on_written (GObject      *output,
            GAsyncResult *result,
            gpointer      data)
{
  KymoCcsConnection *connection = data;
  gsize n = 0;

  if (!g_output_stream_write_all_finish (G_OUTPUT_STREAM (output), result, &n, NULL)
      || connection->server == NULL)
    {
      ccs_server_connection_finish (connection);
      return;
    }
  connection->n_sent += n;
  if (connection->n_sent == connection->reply.bytes->len)
    end_reply (connection);
  else
    connection->timer = add_timer (DRIP_MS, on_timer, connection);
}

static void
send_reply (KymoCcsConnection *connection)
{
  GOutputStream *output = g_io_stream_get_output_stream (G_IO_STREAM (connection->stream));
  gsize n_left = connection->reply.bytes->len - connection->n_sent;

  if (n_left == 0)
    {
      end_reply (connection);
      return;
    }
  set_deadline (connection, REPLY_MS);
  g_output_stream_write_all_async (output, connection->reply.bytes->data + connection->n_sent,
                                   connection->reply.drip ? 1 : n_left, G_PRIORITY_DEFAULT,
                                   connection->cancellable, on_written, connection);
}

static void
begin_reply (KymoCcsConnection *connection)
{
  set_deadline (connection, 0);
  if (connection->reply.late_ms > 0)
    connection->timer = add_timer (connection->reply.late_ms, on_timer, connection);
  else
    send_reply (connection);
}

static void
refuse_ccs_server_connection (KymoCcsConnection *connection)
{
  connection->reply.after = KYMO_CCS_AFTER_RESET;
  begin_reply (connection);
}

static void
answer_call (KymoCcsConnection *connection)
{
  KymoCcsServer *server = connection->server;
  const KymoCcsServerRequest *request = &connection->request;
  guint8 hash[KYMO_CCS_HASH_BYTES];

  if (server->auth != NULL)
    {
      if (request->kind != KYMO_CCS_CALL
          || !kymo_ccs_server_auth_call (server->auth, request, hash))
        {
          refuse_ccs_server_connection (connection);
          return;
        }
      g_byte_array_append (connection->reply.bytes, hash, sizeof hash);
    }
  else if (request->kind != KYMO_CCS_PLAIN)
    {
      refuse_ccs_server_connection (connection);
      return;
    }
  kymo_ccs_server_answer (server, request, &connection->reply);
  begin_reply (connection);
}

/* The second half of a login: the client's answer to the challenge. */
static void
answer_login (KymoCcsConnection *connection)
{
  guint8 welcome[KYMO_CCS_WELCOME_BYTES];
  const guint8 *hash = connection->bytes->data + connection->n_got - KYMO_CCS_HASH_BYTES;

  if (!kymo_ccs_server_auth_login (connection->server->auth, &connection->request,
                                   connection->challenge, hash, welcome))
    {
      refuse_ccs_server_connection (connection);
      return;
    }
  g_byte_array_append (connection->reply.bytes, welcome, sizeof welcome);
  begin_reply (connection);
}

static void
on_challenged (GObject      *output,
               GAsyncResult *result,
               gpointer      data)
{
  KymoCcsConnection *connection = data;

  if (!g_output_stream_write_all_finish (G_OUTPUT_STREAM (output), result, NULL, NULL)
      || connection->server == NULL)
    {
      ccs_server_connection_finish (connection);
      return;
    }
  connection->n_needed = connection->n_got + KYMO_CCS_HASH_BYTES;
  read_on (connection);
}

static void
challenge (KymoCcsConnection *connection)
{
  GOutputStream *output = g_io_stream_get_output_stream (G_IO_STREAM (connection->stream));

  if (connection->server->auth == NULL)
    {
      refuse_ccs_server_connection (connection);
      return;
    }
  connection->logging_in = TRUE;
  connection->challenge = g_random_int ();
  connection->challenge_be = GUINT32_TO_BE (connection->challenge);
  g_output_stream_write_all_async (output, &connection->challenge_be, KYMO_CCS_CHALLENGE_BYTES,
                                   G_PRIORITY_DEFAULT, connection->cancellable, on_challenged,
                                   connection);
}

static void
look_at_request (KymoCcsConnection *connection)
{
  switch (kymo_ccs_server_request_scan (connection->bytes->data, connection->n_got,
                                        &connection->request, &connection->n_needed))
    {
    case KYMO_CCS_SCAN_MORE:
      read_on (connection);
      break;
    case KYMO_CCS_SCAN_WHOLE:
      if (connection->request.kind == KYMO_CCS_LOGIN)
        challenge (connection);
      else
        answer_call (connection);
      break;
    case KYMO_CCS_SCAN_REFUSED:
    default:
      ccs_server_connection_finish (connection);
    }
}

static void
on_read (GObject      *input,
         GAsyncResult *result,
         gpointer      data)
{
  KymoCcsConnection *connection = data;
  gssize n = g_input_stream_read_finish (G_INPUT_STREAM (input), result, NULL);

  if (n <= 0 || connection->server == NULL)
    {
      ccs_server_connection_finish (connection);
      return;
    }
  connection->n_got += n;
  if (!connection->logging_in)
    look_at_request (connection);
  else if (connection->n_got < connection->n_needed)
    read_on (connection);
  else
    answer_login (connection);
}

/* Never more than the request needs, which is bounded. */
static void
read_on (KymoCcsConnection *connection)
{
  GInputStream *input = g_io_stream_get_input_stream (G_IO_STREAM (connection->stream));

  g_byte_array_set_size (connection->bytes, connection->n_needed);
  g_input_stream_read_async (input, connection->bytes->data + connection->n_got,
                             connection->n_needed - connection->n_got, G_PRIORITY_DEFAULT,
                             connection->cancellable, on_read, connection);
}

/**
 * kymo_ccs_connection_open:
 * @stream: that was accepted
 *
 * Reads the request and answers it; the connection is among the server's
 * until kymo_ccs_server_closed() is called for it.
 */
void
kymo_ccs_connection_open (KymoCcsServer     *server,
                          GSocketConnection *stream)
{
  KymoCcsConnection *connection = g_new0 (KymoCcsConnection, 1);

  connection->server = server;
  connection->stream = g_object_ref (stream);
  connection->cancellable = g_cancellable_new ();
  connection->bytes = g_byte_array_new ();
  connection->reply.bytes = g_byte_array_new ();
  connection->n_needed = 1;
  g_ptr_array_add (server->connections, connection);
  set_deadline (connection, REQUEST_MS);
  read_on (connection);
}

/**
 * kymo_ccs_connection_abandon:
 *
 * The server goes: what is under way is given up. The connection frees itself
 * when that has come back.
 */
void
kymo_ccs_connection_abandon (KymoCcsConnection *connection)
{
  connection->server = NULL;
  if (connection->timer != NULL)
    ccs_server_connection_finish (connection);
  else
    g_cancellable_cancel (connection->cancellable);
}
