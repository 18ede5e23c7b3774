/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A connection, step by step: each sets what comes `then`; at most one source
 * of the socket and one deadline are there at a time.
 *
 * The address that answered last is tried first, without asking for the name
 * again; where it fails the name is asked.
 */
#include "config.h"

#include "kymo-ccs-link.h"

#include <netinet/in.h>
#include <netinet/tcp.h>

/* Memory is taken as bytes come, this much at a time. */
#define PIECE_BYTES (64 << 10)
/* The memory of a reply that was larger is not kept for the next. */
#define LARGE_BYTES (256 << 10)

/* Keepalive: a host that has gone is noticed after some 25 s. */
#define KEEPALIVE_IDLE_S 10
#define KEEPALIVE_INTERVAL_S 5
#define KEEPALIVE_PROBES 3

/* A look-up cannot be called back at once: it may outlive the link. */
typedef struct
{
  KymoCcsLink *link;
} Lookup;

struct _KymoCcsLink
{
  GMainContext   *context;
  char           *host;
  guint16         port;
  KymoCcsTimes    times;
  KymoCcsFailed   failed;
  gpointer        data;
  GSocketAddress *known;        /* that answered last, or NULL */
  gboolean        has_connected;
  gint64          bytes_sent;

  Lookup         *lookup;
  GCancellable   *cancellable;  /* of the look-up */
  GPtrArray      *addresses;    /* that are tried, GSocketAddress */
  guint           next_address;
  gboolean        looked_up;
  gint64          connect_end_us;
  GSocket        *socket;
  GSource        *ready;
  GSource        *deadline;
  KymoCcsError    deadline_error;
  GByteArray     *out;
  gsize           n_out;        /* sent of it */
  GByteArray     *in;           /* since the last exchange began */
  gsize           n_wanted;
  gboolean        has_asked;
  KymoCcsStep     then;
};

static void try_address (KymoCcsLink *link);
static void look_up (KymoCcsLink *link);

/* -- ends ------------------------------------------------------------------ */

/** kymo_ccs_link_close: gives up what is under way; no callback is called. What
 * was received stays to be looked at. */
void
kymo_ccs_link_close (KymoCcsLink *link)
{
  kymo_ccs_drop_source (&link->ready);
  kymo_ccs_drop_source (&link->deadline);
  if (link->lookup != NULL)
    {
      link->lookup->link = NULL;
      link->lookup = NULL;
      g_cancellable_cancel (link->cancellable);
    }
  g_clear_object (&link->cancellable);
  g_clear_pointer (&link->addresses, g_ptr_array_unref);
  g_clear_object (&link->socket);
  link->has_asked = FALSE;
}

static void
fail_ccs_link (KymoCcsLink  *link,
               KymoCcsError  code,
               const char   *detail)
{
  kymo_ccs_link_close (link);
  link->failed (code, detail, link->data);
}

static void
fail_ended (KymoCcsLink *link,
            gboolean     reset)
{
  if (link->in->len > 0)
    fail_ccs_link (link, KYMO_CCS_ERROR_CUT, NULL);
  else
    fail_ccs_link (link, reset ? KYMO_CCS_ERROR_RESET : KYMO_CCS_ERROR_CLOSED, NULL);
}

static void
fail_socket (KymoCcsLink  *link,
             const GError *why)
{
  if (g_error_matches (why, G_IO_ERROR, G_IO_ERROR_CONNECTION_CLOSED))
    fail_ended (link, TRUE);
  else if (link->in->len > 0)
    fail_ccs_link (link, KYMO_CCS_ERROR_CUT, NULL);
  else if (g_error_matches (why, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED))
    fail_ccs_link (link, KYMO_CCS_ERROR_REFUSED, why->message);
  else if (g_error_matches (why, G_IO_ERROR, G_IO_ERROR_TIMED_OUT)
           || g_error_matches (why, G_IO_ERROR, G_IO_ERROR_HOST_UNREACHABLE)
           || g_error_matches (why, G_IO_ERROR, G_IO_ERROR_NETWORK_UNREACHABLE))
    fail_ccs_link (link, KYMO_CCS_ERROR_NETWORK, why->message);
  else
    fail_ccs_link (link, KYMO_CCS_ERROR_FAILED, why->message);
}

/* -- time ------------------------------------------------------------------ */

static gboolean
at_deadline (gpointer data)
{
  KymoCcsLink *link = data;
  KymoCcsError error = link->deadline_error;

  if (error == KYMO_CCS_ERROR_NETWORK)
    g_clear_object (&link->known);
  fail_ccs_link (link, error, NULL);
  return G_SOURCE_REMOVE;
}

/* In place of the deadline before. */
static void
set_deadline (KymoCcsLink  *link,
              KymoCcsError  error,
              gint64        after_us,
              GSourceFunc   callback)
{
  kymo_ccs_drop_source (&link->deadline);
  link->deadline_error = error;
  link->deadline = g_timeout_source_new (MAX (after_us / 1000, 1));
  g_source_set_callback (link->deadline, callback, link, NULL);
  g_source_attach (link->deadline, link->context);
}

static void
wait_for (KymoCcsLink       *link,
          GIOCondition       condition,
          GSocketSourceFunc  callback)
{
  kymo_ccs_drop_source (&link->ready);
  link->ready = g_socket_create_source (link->socket, condition, NULL);
  g_source_set_callback (link->ready, G_SOURCE_FUNC (callback), link, NULL);
  g_source_attach (link->ready, link->context);
}

/* -- bytes ----------------------------------------------------------------- */

/* Reads what is there; the first byte of an answer begins its time. */
static gboolean
receive (GSocket      *socket,
         GIOCondition  condition,
         gpointer      data)
{
  KymoCcsLink *link = data;
  g_autoptr (GError) why = NULL;
  gsize before = link->in->len;
  gsize n = MIN (link->n_wanted - before, PIECE_BYTES);
  gssize n_read;

  g_byte_array_set_size (link->in, before + n);
  n_read = g_socket_receive (socket, (char *) link->in->data + before, n, NULL, &why);
  g_byte_array_set_size (link->in, before + MAX (n_read, 0));
  if (g_error_matches (why, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK))
    return G_SOURCE_CONTINUE;
  if (n_read > 0 && before == 0)
    {
      link->has_asked = FALSE;
      set_deadline (link, KYMO_CCS_ERROR_SLOW, link->times.reply_us, at_deadline);
    }
  if (n_read > 0 && link->in->len < link->n_wanted)
    return G_SOURCE_CONTINUE;
  kymo_ccs_drop_source (&link->ready);
  if (n_read > 0)
    link->then (link->data);
  else if (n_read == 0)
    fail_ended (link, FALSE);
  else
    fail_socket (link, why);
  return G_SOURCE_REMOVE;
}

static gboolean
send_more (GSocket      *socket,
           GIOCondition  condition,
           gpointer      data)
{
  KymoCcsLink *link = data;
  g_autoptr (GError) why = NULL;
  gssize n = g_socket_send (socket, (char *) link->out->data + link->n_out,
                            link->out->len - link->n_out, NULL, &why);

  if (g_error_matches (why, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK))
    return G_SOURCE_CONTINUE;
  if (n < 0)
    {
      kymo_ccs_drop_source (&link->ready);
      fail_socket (link, why);
      return G_SOURCE_REMOVE;
    }
  link->n_out += n;
  link->bytes_sent += n;
  if (link->n_out < link->out->len)
    return G_SOURCE_CONTINUE;
  link->has_asked = TRUE;
  set_deadline (link, KYMO_CCS_ERROR_LATE, link->times.answer_us, at_deadline);
  wait_for (link, G_IO_IN, receive);
  return G_SOURCE_REMOVE;
}

/**
 * kymo_ccs_link_exchange:
 * @request: what is sent; copied
 * @n_wanted: bytes of the answer
 * @then: called when they are there; see kymo_ccs_link_peek()
 *
 * Sends and receives. There must be a connection.
 */
void
kymo_ccs_link_exchange (KymoCcsLink      *link,
                        const GByteArray *request,
                        gsize             n_wanted,
                        KymoCcsStep       then)
{
  g_byte_array_set_size (link->out, 0);
  g_byte_array_append (link->out, request->data, request->len);
  g_byte_array_set_size (link->in, 0);
  link->n_out = 0;
  link->n_wanted = n_wanted;
  link->then = then;
  wait_for (link, G_IO_OUT, send_more);
}

/** kymo_ccs_link_want: goes on receiving, up to @n_wanted bytes since the
 * exchange began, within the time that began with its first byte. */
void
kymo_ccs_link_want (KymoCcsLink *link,
                    gsize        n_wanted,
                    KymoCcsStep  then)
{
  g_return_if_fail (n_wanted > link->in->len);

  link->n_wanted = n_wanted;
  link->then = then;
  wait_for (link, G_IO_IN, receive);
}

/* -- connecting ------------------------------------------------------------ */

static void
set_up_socket (GSocket *socket)
{
  g_socket_set_blocking (socket, FALSE);
  g_socket_set_keepalive (socket, TRUE);
  g_socket_set_option (socket, IPPROTO_TCP, TCP_NODELAY, 1, NULL);
#ifdef TCP_KEEPIDLE
  g_socket_set_option (socket, IPPROTO_TCP, TCP_KEEPIDLE, KEEPALIVE_IDLE_S, NULL);
  g_socket_set_option (socket, IPPROTO_TCP, TCP_KEEPINTVL, KEEPALIVE_INTERVAL_S, NULL);
  g_socket_set_option (socket, IPPROTO_TCP, TCP_KEEPCNT, KEEPALIVE_PROBES, NULL);
#endif
}

static void
on_connected (KymoCcsLink *link)
{
  g_set_object (&link->known, link->addresses->pdata[link->next_address - 1]);
  link->has_connected = TRUE;
  /* No other address is tried any more, whatever the time of this one was. */
  set_deadline (link, KYMO_CCS_ERROR_NETWORK,
                MAX (link->connect_end_us - g_get_monotonic_time (), 1000), at_deadline);
  g_clear_pointer (&link->addresses, g_ptr_array_unref);
  link->then (link->data);
}

/* The next address, or the error of the last. */
static void
on_not_connected (KymoCcsLink  *link,
                  const GError *why)
{
  gboolean was_known = link->known != NULL && !link->looked_up;

  g_clear_object (&link->socket);
  g_clear_object (&link->known);
  if (link->next_address < link->addresses->len)
    try_address (link);
  else if (was_known)
    look_up (link);
  else
    fail_socket (link, why);
}

static gboolean
connection_ready (GSocket      *socket,
                  GIOCondition  condition,
                  gpointer      data)
{
  KymoCcsLink *link = data;
  g_autoptr (GError) why = NULL;

  kymo_ccs_drop_source (&link->ready);
  if (g_socket_check_connect_result (socket, &why))
    on_connected (link);
  else
    on_not_connected (link, why);
  return G_SOURCE_REMOVE;
}

static gboolean
next_instead (gpointer data)
{
  KymoCcsLink *link = data;

  kymo_ccs_drop_source (&link->deadline);
  kymo_ccs_drop_source (&link->ready);
  g_clear_object (&link->socket);
  try_address (link);
  return G_SOURCE_REMOVE;
}

/* An address that is silent must not use up the time of those after it. */
static void
limit_address (KymoCcsLink *link)
{
  gint64 left_us = MAX (link->connect_end_us - g_get_monotonic_time (), 1000);
  guint n_left = link->addresses->len - link->next_address;

  set_deadline (link, KYMO_CCS_ERROR_NETWORK, left_us / (n_left + 1),
                n_left > 0 ? next_instead : at_deadline);
}

static void
try_address (KymoCcsLink *link)
{
  GSocketAddress *address = link->addresses->pdata[link->next_address++];
  g_autoptr (GError) why = NULL;

  link->socket = g_socket_new (g_socket_address_get_family (address), G_SOCKET_TYPE_STREAM,
                               G_SOCKET_PROTOCOL_TCP, &why);
  if (link->socket == NULL)
    {
      on_not_connected (link, why);
      return;
    }
  set_up_socket (link->socket);
  limit_address (link);
  if (g_socket_connect (link->socket, address, NULL, &why))
    on_connected (link);
  else if (g_error_matches (why, G_IO_ERROR, G_IO_ERROR_PENDING))
    wait_for (link, G_IO_OUT, connection_ready);
  else
    on_not_connected (link, why);
}

static void
on_looked_up (GObject      *resolver,
              GAsyncResult *result,
              gpointer      data)
{
  g_autofree Lookup *lookup = data;
  KymoCcsLink *link = lookup->link;
  g_autoptr (GError) why = NULL;
  GList *found = g_resolver_lookup_by_name_finish (G_RESOLVER (resolver), result, &why);

  if (link != NULL)
    {
      link->lookup = NULL;
      for (GList *l = found; l != NULL; l = l->next)
        g_ptr_array_add (link->addresses, g_inet_socket_address_new (l->data, link->port));
      if (found != NULL)
        try_address (link);
      else if (g_error_matches (why, G_RESOLVER_ERROR, G_RESOLVER_ERROR_NOT_FOUND))
        fail_ccs_link (link, KYMO_CCS_ERROR_NO_HOST, why->message);
      else
        fail_ccs_link (link, KYMO_CCS_ERROR_NETWORK, why->message);
    }
  g_resolver_free_addresses (found);
}

/* An address needs no look-up (and may have a scope that look-ups drop). */
static void
look_up (KymoCcsLink *link)
{
  GSocketAddress *literal = g_inet_socket_address_new_from_string (link->host, link->port);

  link->looked_up = TRUE;
  link->next_address = 0;
  g_ptr_array_set_size (link->addresses, 0);
  if (literal != NULL)
    {
      g_ptr_array_add (link->addresses, literal);
      try_address (link);
      return;
    }
  g_autoptr (GResolver) resolver = g_resolver_get_default ();

  set_deadline (link, KYMO_CCS_ERROR_NETWORK,
                MAX (link->connect_end_us - g_get_monotonic_time (), 1000), at_deadline);
  link->lookup = g_new0 (Lookup, 1);
  link->lookup->link = link;
  link->cancellable = g_cancellable_new ();
  g_resolver_lookup_by_name_async (resolver, link->host, link->cancellable, on_looked_up,
                                   link->lookup);
}

static gboolean
begin_ccs_link (gpointer data)
{
  KymoCcsLink *link = data;

  kymo_ccs_drop_source (&link->deadline);
  if (link->known == NULL)
    {
      look_up (link);
      return G_SOURCE_REMOVE;
    }
  g_ptr_array_add (link->addresses, g_object_ref (link->known));
  try_address (link);
  return G_SOURCE_REMOVE;
}

/**
 * kymo_ccs_link_connect:
 * @then: called when there is a connection
 *
 * Closes the connection before and makes a new one.
 */
void
kymo_ccs_link_connect (KymoCcsLink *link,
                       KymoCcsStep  then)
{
  kymo_ccs_link_close (link);
  link->then = then;
  link->looked_up = FALSE;
  link->next_address = 0;
  link->addresses = g_ptr_array_new_with_free_func (g_object_unref);
  link->connect_end_us = g_get_monotonic_time () + link->times.connect_us;
  if (link->in->len > LARGE_BYTES)
    {
      g_byte_array_unref (link->in);
      link->in = g_byte_array_new ();
    }
  g_byte_array_set_size (link->in, 0);
  /* Not now: a connection may fail at once, and no callback is called from here. */
  link->deadline = g_idle_source_new ();
  g_source_set_priority (link->deadline, G_PRIORITY_DEFAULT);
  g_source_set_callback (link->deadline, begin_ccs_link, link, NULL);
  g_source_attach (link->deadline, link->context);
}

/* -- from outside ---------------------------------------------------------- */

/**
 * kymo_ccs_link_new:
 * @host: name or address to connect to; copied
 * @port: TCP port of the host
 * @times: limits of time; copied
 * @failed: called when a step fails or takes too long
 * @data: for @failed and for what is called after each step
 *
 * Makes a link that is not connected, for the thread-default main context of the calling
 * thread.
 *
 * Returns: (transfer full): free with kymo_ccs_link_free()
 */
KymoCcsLink *
kymo_ccs_link_new (const char         *host,
                   guint16             port,
                   const KymoCcsTimes *times,
                   KymoCcsFailed       failed,
                   gpointer            data)
{
  KymoCcsLink *link = g_new0 (KymoCcsLink, 1);

  link->context = g_main_context_ref_thread_default ();
  link->host = g_strdup (host);
  link->port = port;
  link->times = *times;
  link->failed = failed;
  link->data = data;
  link->out = g_byte_array_new ();
  link->in = g_byte_array_new ();
  return link;
}

/**
 * kymo_ccs_link_free:
 *
 * Closes the connection and frees the link; nothing is called any more. %NULL is ignored.
 */
void
kymo_ccs_link_free (KymoCcsLink *link)
{
  if (link == NULL)
    return;
  kymo_ccs_link_close (link);
  g_clear_object (&link->known);
  g_byte_array_unref (link->out);
  g_byte_array_unref (link->in);
  g_free (link->host);
  g_main_context_unref (link->context);
  g_free (link);
}

/** kymo_ccs_link_set_port: another port of the host, from the next connection
 * on. */
void
kymo_ccs_link_set_port (KymoCcsLink *link,
                        guint16      port)
{
  link->port = port;
  link->has_connected = FALSE;
  g_clear_object (&link->known);
}

/** kymo_ccs_link_peek: what was received since the exchange began. */
const guint8 *
kymo_ccs_link_peek (const KymoCcsLink *link,
                    gsize             *n_bytes)
{
  if (n_bytes != NULL)
    *n_bytes = link->in->len;
  return link->in->data;
}

/** kymo_ccs_link_has_asked: whether all was sent and nothing has come. */
gboolean
kymo_ccs_link_has_asked (const KymoCcsLink *link)
{
  return link->has_asked;
}

/** kymo_ccs_link_has_connected: whether there ever was a connection to this
 * port. */
gboolean
kymo_ccs_link_has_connected (const KymoCcsLink *link)
{
  return link->has_connected;
}

/** kymo_ccs_link_get_bytes_sent: the bytes sent over all connections so far */
gint64
kymo_ccs_link_get_bytes_sent (const KymoCcsLink *link)
{
  return link->bytes_sent;
}
