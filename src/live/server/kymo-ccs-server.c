/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The port of a CCS server: opened on loopback alone, closed when the
 * recording is told. While very many connections are open no others are
 * accepted; they wait in the system's queue.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-ccs-server-private.h"

#include <math.h>

#include "kymo-error.h"

#define MAX_CONNECTIONS 128
#define PORT_TRIES 16
#define REFUSE_AFTER_BLOCKS 3
#define NEXT_PROGRAM_US (3 * G_USEC_PER_SEC / 2)

static gboolean
on_incoming (GSocketService    *service,
             GSocketConnection *stream,
             GObject           *source,
             gpointer           data)
{
  KymoCcsServer *server = data;

  kymo_ccs_connection_open (server, stream);
  if (server->connections->len >= MAX_CONNECTIONS)
    g_socket_service_stop (service);
  return TRUE;
}

static gboolean
add_address (GSocketService  *service,
             GSocketFamily    family,
             guint16         *port,
             GError         **error)
{
  g_autoptr (GInetAddress) loopback = g_inet_address_new_loopback (family);
  g_autoptr (GSocketAddress) wanted = g_inet_socket_address_new (loopback, *port);
  g_autoptr (GSocketAddress) got = NULL;

  if (!g_socket_listener_add_address (G_SOCKET_LISTENER (service), wanted, G_SOCKET_TYPE_STREAM,
                                      G_SOCKET_PROTOCOL_TCP, NULL, &got, error))
    return FALSE;
  *port = g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (got));
  return TRUE;
}

static void
close_port (KymoCcsServer *server)
{
  if (server->service == NULL)
    return;
  g_socket_service_stop (server->service);
  g_socket_listener_close (G_SOCKET_LISTENER (server->service));
  g_signal_handlers_disconnect_by_data (server->service, server);
  g_clear_object (&server->service);
}

/* Tries to listen at the port. A machine without IPv6 is served on 127.0.0.1 alone. */
static gboolean
try_port (KymoCcsServer  *server,
          guint16         port,
          GError        **error)
{
  g_autoptr (GSocketService) service = g_socket_service_new ();
  g_autoptr (GError) why = NULL;

  /* A service is born active, and gives up what it waits for with each address
     that is added: a client that came just then would be thrown out. */
  g_socket_service_stop (service);
  g_socket_listener_set_backlog (G_SOCKET_LISTENER (service), MAX_CONNECTIONS);
  if (!add_address (service, G_SOCKET_FAMILY_IPV4, &port, error))
    return FALSE;
  if (!add_address (service, G_SOCKET_FAMILY_IPV6, &port, &why)
      && g_error_matches (why, G_IO_ERROR, G_IO_ERROR_ADDRESS_IN_USE))
    {
      g_propagate_error (error, g_steal_pointer (&why));
      return FALSE;
    }
  server->port = port;
  server->service = g_steal_pointer (&service);
  g_signal_connect (server->service, "incoming", G_CALLBACK (on_incoming), server);
  g_socket_service_start (server->service);
  return TRUE;
}

/* A free port of the one kind of address may be taken in the other. */
static gboolean
open_port (KymoCcsServer  *server,
           guint16         port,
           GError        **error)
{
  g_autoptr (GError) why = NULL;

  for (guint i = 0; i < (port == 0 ? PORT_TRIES : 1); i++)
    {
      g_clear_error (&why);
      if (try_port (server, port, &why))
        return TRUE;
    }
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
               _("port %u of this machine cannot be opened: %s"), port, why->message);
  return FALSE;
}

static void
clear_timer (KymoCcsServer *server)
{
  if (server->timer != NULL)
    g_source_destroy (server->timer);
  g_clear_pointer (&server->timer, g_source_unref);
}

static void
set_timer (KymoCcsServer *server,
           gint64         at_us,
           GSourceFunc    func)
{
  clear_timer (server);
  server->timer = g_timeout_source_new (0);
  g_source_set_ready_time (server->timer, at_us);
  g_source_set_callback (server->timer, func, server, NULL);
  g_source_attach (server->timer, g_main_context_get_thread_default ());
}

static gboolean open_again (gpointer data);

/* The next program of the recording is started a while after the end of the
   one before; who is still connected is not answered by it. */
static gboolean
end_ccs_server (gpointer data)
{
  KymoCcsServer *server = data;

  clear_timer (server);
  close_port (server);
  if (kymo_ccs_tape_has_next_program (server->tape))
    set_timer (server, g_get_monotonic_time () + NEXT_PROGRAM_US, open_again);
  else
    server->ended = TRUE;
  return G_SOURCE_REMOVE;
}

static void
look_for_end (KymoCcsServer *server)
{
  gint64 end_us = kymo_ccs_tape_get_end_us (server->tape);

  if (end_us >= 0 && !server->ended)
    set_timer (server, MAX (end_us, g_get_monotonic_time ()), end_ccs_server);
}

static gboolean
open_again (gpointer data)
{
  KymoCcsServer *server = data;

  clear_timer (server);
  if (kymo_ccs_tape_get_end_us (server->tape) >= 0)
    kymo_ccs_tape_next_program (server->tape);
  if (!open_port (server, server->port, NULL))
    server->ended = TRUE;
  else
    look_for_end (server);
  return G_SOURCE_REMOVE;
}

static void
look_for_refusal (KymoCcsServer *server)
{
  guint seconds = server->faults.number[KYMO_CCS_FAULT_REFUSE];

  if (seconds == 0 || server->refused
      || kymo_ccs_tape_get_n_taken (server->tape) < REFUSE_AFTER_BLOCKS)
    return;
  server->refused = TRUE;
  close_port (server);
  set_timer (server, g_get_monotonic_time () + seconds * G_USEC_PER_SEC, open_again);
}

/**
 * kymo_ccs_server_closed:
 * @connection: that is over; it is forgotten
 */
void
kymo_ccs_server_closed (KymoCcsServer     *server,
                        KymoCcsConnection *connection)
{
  g_ptr_array_remove_fast (server->connections, connection);
  look_for_refusal (server);
  if (server->service == NULL)
    return;
  if (!g_socket_service_is_active (server->service))
    g_socket_service_start (server->service);
  if (server->connections->len == 0)
    look_for_end (server);
}

/**
 * kymo_ccs_server_new:
 * @recording: file of a stream
 * @options: how it is offered
 * @error: %KYMO_ERROR_USAGE for options that make no sense; otherwise why the
 *   recording cannot be read, or the port not be opened
 *
 * Opens the port, on 127.0.0.1 and ::1. The recording begins to run off now.
 *
 * Returns: (transfer full) (nullable): the server
 */
KymoCcsServer *
kymo_ccs_server_new (const char                 *recording,
                     const KymoCcsServerOptions *options,
                     GError                    **error)
{
  g_autoptr (KymoCcsServer) server = g_new0 (KymoCcsServer, 1);

  server->connections = g_ptr_array_new ();
  if (!isfinite (options->speed) || options->speed < 0)
    {
      g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_USAGE, _("a speed is a number from 0"));
      return NULL;
    }
  if (!kymo_ccs_faults_parse (options->misbehave, &server->faults, error))
    return NULL;
  if (options->key_file != NULL
      && (server->auth = kymo_ccs_server_auth_new (options->key_file, error)) == NULL)
    return NULL;
  server->tape = kymo_ccs_tape_new (recording, options->speed, options->repeat,
                                    g_get_monotonic_time (), options->report, error);
  if (server->tape == NULL || !open_port (server, options->port, error))
    return NULL;
  return g_steal_pointer (&server);
}

/**
 * kymo_ccs_server_free:
 *
 * Closes the port and all connections. What was under way comes back in the
 * main context once more.
 */
void
kymo_ccs_server_free (KymoCcsServer *server)
{
  if (server == NULL)
    return;
  clear_timer (server);
  close_port (server);
  g_ptr_array_foreach (server->connections, (GFunc) (void (*) (void)) kymo_ccs_connection_abandon,
                       NULL);
  g_ptr_array_unref (server->connections);
  g_clear_pointer (&server->auth, kymo_ccs_server_auth_free);
  g_clear_pointer (&server->tape, kymo_ccs_tape_free);
  g_free (server);
}

/** kymo_ccs_server_get_port: the port of 127.0.0.1 on which the server listens */
guint16
kymo_ccs_server_get_port (KymoCcsServer *server)
{
  return server->port;
}

/**
 * kymo_ccs_server_has_ended:
 *
 * Returns: whether all blocks were told and the port is closed
 */
gboolean
kymo_ccs_server_has_ended (KymoCcsServer *server)
{
  return server->ended;
}

/**
 * kymo_ccs_server_list_faults:
 *
 * Returns: what can go wrong on demand, "name=number: sentence", one a line
 */
const char *
kymo_ccs_server_list_faults (void)
{
  return kymo_ccs_faults_list ();
}
