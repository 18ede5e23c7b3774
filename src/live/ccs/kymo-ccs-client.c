/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A request of the Converse Client Server:
 *
 *   request  int32 length of the data, int32 PE, 32 bytes name of the handler,
 *            data; big endian
 *   reply    int32 length, that many bytes; then the server closes
 *
 * with, where there is a key, a login on a connection of its own before the
 * first (kymo-ccs-auth.c). The server reads a request with blocking calls
 * while the program waits, so what is to be sent goes out in one piece as soon
 * as there is a connection.
 */
#include "config.h"

#include "kymo-ccs-client.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/random.h>

#include "kymo-bytes.h"
#include "kymo-ccs-link.h"
#include "kymo-stream-block.h"

#define HEADER_BYTES 40
#define NAME_BYTES 32
#define LENGTH_BYTES 4

const KymoCcsTimes kymo_ccs_times = {
  .connect_us = 10 * G_USEC_PER_SEC,
  .answer_us = 120 * G_USEC_PER_SEC,
  .reply_us = 30 * G_USEC_PER_SEC,
};

G_DEFINE_QUARK (kymo-ccs-error-quark, kymo_ccs_error)

struct _KymoCcsClient
{
  char           *shown_as;
  KymoCcsTimes    times;
  KymoCcsAuth    *auth;
  KymoCcsLink    *link;
  KymoCcsReplied  replied;      /* NULL = no request is under way */
  gpointer        user_data;
  GByteArray     *request;      /* header and data */
  gint64          told;
};

static void begin_ccs_client (KymoCcsClient *client);

/* -- ends ------------------------------------------------------------------ */

static void
ccs_client_finish (KymoCcsClient *client,
                   GBytes        *reply,
                   const GError  *error)
{
  KymoCcsReplied replied = g_steal_pointer (&client->replied);

  kymo_ccs_link_close (client->link);
  if (error != NULL && client->auth != NULL)
    kymo_ccs_auth_forget (client->auth);
  replied (reply, error, client->user_data);
}

static void G_GNUC_PRINTF (3, 4)
fail_ccs_client (KymoCcsClient *client,
                 KymoCcsError   code,
                 const char    *format,
                 ...)
{
  g_autoptr (GError) error = NULL;
  va_list args;

  va_start (args, format);
  error = g_error_new_valist (KYMO_CCS_ERROR, code, format, args);
  va_end (args);
  ccs_client_finish (client, NULL, error);
}

static gboolean
is_in_login (const KymoCcsClient *client)
{
  return client->auth != NULL && !kymo_ccs_auth_has_session (client->auth);
}

/* Bytes of a reply before its payload. */
static gsize
get_head_bytes (const KymoCcsClient *client)
{
  return client->auth != NULL ? KYMO_CCS_HASH_BYTES + LENGTH_BYTES : LENGTH_BYTES;
}

/* A reply that broke off, or did not get on in time. */
static void
fail_within (KymoCcsClient *client,
             KymoCcsError   code)
{
  double seconds = client->times.reply_us / (double) G_USEC_PER_SEC;
  gsize n_bytes, n_head = get_head_bytes (client);

  kymo_ccs_link_peek (client->link, &n_bytes);
  if (client->told < 0 && code == KYMO_CCS_ERROR_CUT)
    fail_ccs_client (client, code, _("%s broke off after %zu bytes, within the head of a reply"),
                     client->shown_as, n_bytes);
  else if (client->told < 0)
    fail_ccs_client (client, code,
                     _("%s sent %zu bytes of the head of a reply, and no more within %g s"),
                     client->shown_as, n_bytes, seconds);
  else if (code == KYMO_CCS_ERROR_CUT)
    fail_ccs_client (client, code, _("%s broke off after %zu of %zu bytes of a reply"),
                     client->shown_as,
                     n_bytes - n_head, (gsize) client->told);
  else
    fail_ccs_client (client, code,
                     _("%s sent %zu of %zu bytes of a reply, and no more within %g s"),
                     client->shown_as, n_bytes - n_head, (gsize) client->told, seconds);
}

static void
fail_unreached (KymoCcsClient *client,
                const char    *detail)
{
  if (detail != NULL)
    fail_ccs_client (client, KYMO_CCS_ERROR_NETWORK, _("%s cannot be reached: %s"),
                     client->shown_as,
                     detail);
  else
    fail_ccs_client (client, KYMO_CCS_ERROR_NETWORK,
                     _("%s cannot be reached: no answer within %g s"),
                     client->shown_as, client->times.connect_us / (double) G_USEC_PER_SEC);
}

/* The link failed; the received part of the reply makes a sentence of it. */
static void
on_failed (KymoCcsError  code,
           const char   *detail,
           gpointer      data)
{
  KymoCcsClient *client = data;
  gboolean ended = code == KYMO_CCS_ERROR_RESET || code == KYMO_CCS_ERROR_CLOSED
    || code == KYMO_CCS_ERROR_CUT;

  if (ended && is_in_login (client))
    fail_ccs_client (client, KYMO_CCS_ERROR_DENIED, _("%s ended the login: it has no such key"),
                     client->shown_as);
  else if (code == KYMO_CCS_ERROR_RESET)
    fail_ccs_client (client, code, _("%s reset the connection without an answer"),
                     client->shown_as);
  else if (code == KYMO_CCS_ERROR_CLOSED)
    fail_ccs_client (client, code, _("%s closed the connection without an answer"),
                     client->shown_as);
  else if (code == KYMO_CCS_ERROR_CUT || code == KYMO_CCS_ERROR_SLOW)
    fail_within (client, code);
  else if (code == KYMO_CCS_ERROR_LATE)
    fail_ccs_client (client, code, _("%s took the request but did not answer within %g s"),
                     client->shown_as, client->times.answer_us / (double) G_USEC_PER_SEC);
  else if (code == KYMO_CCS_ERROR_REFUSED)
    fail_ccs_client (client, code, _("%s refuses the connection"), client->shown_as);
  else if (code == KYMO_CCS_ERROR_NO_HOST)
    fail_ccs_client (client, code, _("%s cannot be found: there is no host of that name"),
                     client->shown_as);
  else
    fail_unreached (client, detail);
}

/* -- the reply ------------------------------------------------------------- */

static void
have_reply (gpointer data)
{
  KymoCcsClient *client = data;
  const guint8 *bytes = kymo_ccs_link_peek (client->link, NULL);
  g_autoptr (GBytes) reply = g_bytes_new (bytes + get_head_bytes (client), client->told);

  ccs_client_finish (client, reply, NULL);
}

static void
have_head (gpointer data)
{
  KymoCcsClient *client = data;
  const guint8 *bytes = kymo_ccs_link_peek (client->link, NULL);

  if (client->auth != NULL && !kymo_ccs_auth_check (client->auth, bytes))
    {
      fail_ccs_client (client, KYMO_CCS_ERROR_DENIED,
                       _("What answers at %s does not have the key; its "
                       "reply is not believed"), client->shown_as);
      return;
    }
  client->told = kymo_get_32 (bytes + get_head_bytes (client) - LENGTH_BYTES, TRUE);
  if (client->told > KYMO_STREAM_MAX_BYTES)
    fail_ccs_client (client, KYMO_CCS_ERROR_LONG,
                     _("%s announces a reply of %zu bytes, which no program "
                     "sends"), client->shown_as, (gsize) client->told);
  else if (client->told == 0)
    have_reply (client);
  else
    kymo_ccs_link_want (client->link, get_head_bytes (client) + client->told, have_reply);
}

/* -- the request ----------------------------------------------------------- */

static guint32
random_u32 (void)
{
  guint32 value;

  if (getrandom (&value, sizeof value, GRND_NONBLOCK) != sizeof value)
    value = g_random_int ();
  return value;
}

static void
send_request (gpointer data)
{
  KymoCcsClient *client = data;
  g_autoptr (GByteArray) sealed = NULL;
  guint8 seal[KYMO_CCS_SEAL_BYTES];

  if (client->auth == NULL)
    {
      kymo_ccs_link_exchange (client->link, client->request, LENGTH_BYTES, have_head);
      return;
    }
  sealed = g_byte_array_new ();
  kymo_ccs_auth_seal (client->auth, random_u32 (), client->request->data, seal);
  g_byte_array_append (sealed, seal, sizeof seal);
  g_byte_array_append (sealed, client->request->data, client->request->len);
  kymo_ccs_link_exchange (client->link, sealed, get_head_bytes (client), have_head);
}

static void
have_welcome (gpointer data)
{
  KymoCcsClient *client = data;

  if (kymo_ccs_auth_welcome (client->auth, kymo_ccs_link_peek (client->link, NULL)))
    begin_ccs_client (client);
  else
    fail_ccs_client (client, KYMO_CCS_ERROR_DENIED, _("What answers at %s does not have the key"),
                     client->shown_as);
}

static void
have_challenge (gpointer data)
{
  KymoCcsClient *client = data;
  g_autoptr (GByteArray) answer = g_byte_array_new ();
  guint8 hash[KYMO_CCS_HASH_BYTES];

  kymo_ccs_auth_answer (client->auth, kymo_ccs_link_peek (client->link, NULL), hash);
  g_byte_array_append (answer, hash, sizeof hash);
  kymo_ccs_link_exchange (client->link, answer, KYMO_CCS_WELCOME_BYTES, have_welcome);
}

static void
send_hello (gpointer data)
{
  KymoCcsClient *client = data;
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint8 hello[KYMO_CCS_HELLO_BYTES];

  kymo_ccs_auth_hello (client->auth, random_u32 (), hello);
  g_byte_array_append (bytes, hello, sizeof hello);
  kymo_ccs_link_exchange (client->link, bytes, 4, have_challenge);
}

static void
begin_ccs_client (KymoCcsClient *client)
{
  kymo_ccs_link_connect (client->link, is_in_login (client) ? send_hello : send_request);
}

/* -- from outside ---------------------------------------------------------- */

/**
 * kymo_ccs_client_new:
 * @host: name or address
 * @port: of the server
 * @shown_as: what it is called in sentences
 * @auth: (transfer full) (nullable): the key, where the server wants one
 * @times: (nullable): how long is waited; %NULL = kymo_ccs_times
 *
 * Nothing is sent before kymo_ccs_client_ask().
 */
KymoCcsClient *
kymo_ccs_client_new (const char         *host,
                     guint16             port,
                     const char         *shown_as,
                     KymoCcsAuth        *auth,
                     const KymoCcsTimes *times)
{
  KymoCcsClient *client = g_new0 (KymoCcsClient, 1);

  client->shown_as = g_strdup (shown_as);
  client->auth = auth;
  client->times = times != NULL ? *times : kymo_ccs_times;
  client->link = kymo_ccs_link_new (host, port, &client->times, on_failed, client);
  client->request = g_byte_array_new ();
  client->told = -1;
  return client;
}

/**
 * kymo_ccs_client_free:
 *
 * Frees the client and gives up its request, whose callback is not called. %NULL is ignored.
 */
void
kymo_ccs_client_free (KymoCcsClient *client)
{
  if (client == NULL)
    return;
  kymo_ccs_link_free (client->link);
  kymo_ccs_auth_free (client->auth);
  g_byte_array_unref (client->request);
  g_free (client->shown_as);
  g_free (client);
}

/** kymo_ccs_client_set_port: the server is now reached at another port of the
 * same host (a tunnel was opened anew). Nothing may be under way. */
void
kymo_ccs_client_set_port (KymoCcsClient *client,
                          guint16        port)
{
  g_return_if_fail (client->replied == NULL);

  kymo_ccs_link_set_port (client->link, port);
}

/**
 * kymo_ccs_client_ask:
 * @pe: destination, 0 for the stream
 * @handler: its name, at most 31 bytes
 * @data: (nullable): of the request
 * @replied: called once, later, with the reply or with %KYMO_CCS_ERROR; never
 *   where the request was cancelled
 *
 * Begins a request. None may be under way.
 */
void
kymo_ccs_client_ask (KymoCcsClient  *client,
                     gint32          pe,
                     const char     *handler,
                     GBytes         *data,
                     KymoCcsReplied  replied,
                     gpointer        user_data)
{
  guint32 n_data = data != NULL ? g_bytes_get_size (data) : 0;
  guint8 header[HEADER_BYTES] = { 0 };

  g_return_if_fail (client->replied == NULL);
  g_return_if_fail (strlen (handler) < NAME_BYTES);

  pe = GINT32_TO_BE (pe);
  memcpy (header + 4, &pe, 4);
  memcpy (header + 8, handler, strlen (handler));
  client->request->len = 0;
  g_byte_array_append (client->request, header, sizeof header);
  if (n_data > 0)
    g_byte_array_append (client->request, g_bytes_get_data (data, NULL), n_data);
  n_data = GUINT32_TO_BE (n_data);
  memcpy (client->request->data, &n_data, 4);
  client->replied = replied;
  client->user_data = user_data;
  client->told = -1;
  begin_ccs_client (client);
}

/** kymo_ccs_client_cancel: gives up what is under way; no callback is called. */
void
kymo_ccs_client_cancel (KymoCcsClient *client)
{
  if (client->replied != NULL && client->auth != NULL)
    kymo_ccs_auth_forget (client->auth);
  client->replied = NULL;
  kymo_ccs_link_close (client->link);
}

/** kymo_ccs_client_has_asked: whether a request was sent and no byte of its
 * reply is here: PE 0 has not come to it. */
gboolean
kymo_ccs_client_has_asked (const KymoCcsClient *client)
{
  return kymo_ccs_link_has_asked (client->link);
}

/** kymo_ccs_client_has_connected: whether it ever got a connection to this
 * port. */
gboolean
kymo_ccs_client_has_connected (const KymoCcsClient *client)
{
  return kymo_ccs_link_has_connected (client->link);
}

/** kymo_ccs_client_get_told: the length of which the head of the last reply
 * told, or -1 where there was no whole head. */
gint64
kymo_ccs_client_get_told (const KymoCcsClient *client)
{
  return client->told;
}

/** kymo_ccs_client_get_bytes_sent: the bytes of all requests and logins sent so far */
gint64
kymo_ccs_client_get_bytes_sent (const KymoCcsClient *client)
{
  return kymo_ccs_link_get_bytes_sent (client->link);
}
