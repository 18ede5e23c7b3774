/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The main thread accepts clients, and each is served by a session on a thread of its own. What is
 * here belongs to the main thread but for what is called atomic.
 */
#include "config.h"

#include "kymo-daemon.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "kymo-daemon-place.h"
#include "kymo-server-runs.h"

#define MOST_CLIENTS 64
/* While it is idle it looks so often whether its socket is still there: the folder of a login
   session goes with the session. */
#define LOOK_S 60
/* Then clients and their work are gone, or it ends all the same. */
#define END_S 5

/**
 * Daemon:
 * @inode: of the socket, which tells it from that of another daemon
 * @used_us: when the last client went that asked for something
 */
typedef struct
{
  KymoServerOptions  options;
  KymoDaemonPlace    place;
  KymoDaemonState    state;
  GMainLoop         *loop;
  int                listener;
  guint              watch, timer;
  guint64            inode;
  GPtrArray         *clients;
  gint               n_clients; /* atomic */
  gint64             used_us, idle_us;
  gboolean           ends;
} Daemon;

/** Client: on the heap; its thread serves it */
typedef struct
{
  Daemon   *daemon;
  int       line;
  GThread  *thread;
  gboolean  has_asked;
} Client;

/* -- ending ------------------------------------------------------------------------------------ */

static void
note (const char *sentence)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *time = g_date_time_format (now, "%F %T");

  kymo_daemon_log_bound (STDERR_FILENO);
  fprintf (stderr, "%s %d: %s\n", time, (int) getpid (), sentence);
}

static gboolean
has_place (Daemon *daemon)
{
  return kymo_daemon_place_get_inode (&daemon->place) == daemon->inode;
}

static gboolean
exit_now (gpointer unused)
{
  note ("ended while work was under way");
  _exit (0);
}

/* Nobody finds it any more; clients see that the line is gone, and their work is cancelled. */
static void
end_daemon (Daemon *daemon, const char *why)
{
  if (daemon->ends)
    return;
  note (why);
  daemon->ends = TRUE;
  if (has_place (daemon))
    kymo_daemon_place_remove (&daemon->place);
  g_clear_handle_id (&daemon->watch, g_source_remove);
  g_clear_handle_id (&daemon->timer, g_source_remove);
  close (daemon->listener);
  for (guint i = 0; i < daemon->clients->len; i++)
    shutdown (((Client *) daemon->clients->pdata[i])->line, SHUT_RDWR);
  g_timeout_add_seconds (END_S, exit_now, NULL);
  if (daemon->clients->len == 0)
    g_main_loop_quit (daemon->loop);
}

static gboolean
on_signal (gpointer data)
{
  Daemon *daemon = data;
  gboolean is_there = !daemon->ends && has_place (daemon);
  int lock;

  end_daemon (daemon, "ended by a signal");
  /* Who holds the lock now starts the next daemon. */
  lock = is_there ? kymo_daemon_place_lock (&daemon->place, FALSE, NULL) : -1;
  if (lock >= 0)
    kymo_daemon_place_unlock (&daemon->place, lock);
  return G_SOURCE_CONTINUE;
}

/* -- clients ----------------------------------------------------------------------------------- */

static void watch_idle (Daemon *daemon);

static gboolean
on_client_gone (gpointer data)
{
  Client *client = data;
  Daemon *daemon = client->daemon;

  g_thread_join (client->thread);
  close (client->line);
  g_ptr_array_remove_fast (daemon->clients, client);
  g_atomic_int_add (&daemon->n_clients, -1);
  if (client->has_asked)
    daemon->used_us = g_get_monotonic_time ();
  g_free (client);
  if (daemon->ends && daemon->clients->len == 0)
    g_main_loop_quit (daemon->loop);
  else if (!daemon->ends)
    watch_idle (daemon);
  return G_SOURCE_REMOVE;
}

static gpointer
serve_client (gpointer data)
{
  Client *client = data;

  client->has_asked = kymo_server_session_run (client->line, client->line,
                                               &client->daemon->options);
  g_idle_add (on_client_gone, client);
  return NULL;
}

static void
add_client (Daemon *daemon, int line)
{
  Client *client = g_new0 (Client, 1);

  client->daemon = daemon;
  client->line = line;
  g_ptr_array_add (daemon->clients, client);
  g_atomic_int_inc (&daemon->n_clients);
  client->thread = g_thread_new ("kymo-client", serve_client, client);
}

/* A line of text before any frame is shown to the person by each client. */
static void
refuse_client (int line, const char *sentence)
{
  g_autofree char *text = g_strconcat ("kymo-server: ", sentence, "\n", NULL);

  note (sentence);
  send (line, text, strlen (text), MSG_DONTWAIT | MSG_NOSIGNAL);
  close (line);
}

/* Returns whether there was a client to accept. */
static gboolean
accept_client (Daemon *daemon)
{
  int line = accept4 (daemon->listener, NULL, NULL, SOCK_CLOEXEC);

  if (line < 0)
    return FALSE;
  if (!kymo_daemon_peer_is_ours (line, NULL))
    refuse_client (line, _("This server belongs to another user"));
  else if (daemon->clients->len >= MOST_CLIENTS)
    refuse_client (line, _("The server has too many clients"));
  else
    add_client (daemon, line);
  return TRUE;
}

static gboolean
on_connection (int listener, GIOCondition condition, gpointer daemon)
{
  accept_client (daemon);
  return G_SOURCE_CONTINUE;
}

/* -- idle -------------------------------------------------------------------------------------- */

/* Nobody may be connecting just now. */
static void
end_idle (Daemon *daemon)
{
  int lock = kymo_daemon_place_lock (&daemon->place, FALSE, NULL);

  if (lock < 0 || accept_client (daemon))
    watch_idle (daemon);
  else
    {
      end_daemon (daemon, "ended because it was idle");
      kymo_daemon_place_unlock (&daemon->place, lock);
      return;
    }
  if (lock >= 0)
    close (lock);
}

static gboolean
on_idle (gpointer data)
{
  Daemon *daemon = data;

  daemon->timer = 0;
  if (daemon->clients->len > 0)
    return G_SOURCE_REMOVE;
  if (!has_place (daemon))
    end_daemon (daemon, "ended because its socket is gone");
  else if (g_get_monotonic_time () >= daemon->used_us + daemon->idle_us)
    end_idle (daemon);
  else
    watch_idle (daemon);
  return G_SOURCE_REMOVE;
}

static void
watch_idle (Daemon *daemon)
{
  gint64 left_us = daemon->used_us + daemon->idle_us - g_get_monotonic_time ();

  if (daemon->clients->len == 0 && daemon->timer == 0)
    daemon->timer = g_timeout_add (CLAMP (left_us / 1000 + 1, 50, LOOK_S * 1000), on_idle, daemon);
}

/* -- beginning --------------------------------------------------------------------------------- */

/* Of the whole process. */
static gint64
count_memory (void)
{
  g_autofree char *text = NULL;
  const char *resident;

  if (!g_file_get_contents ("/proc/self/statm", &text, NULL, NULL))
    return 0;
  resident = strchr (text, ' ');
  return resident != NULL ? g_ascii_strtoll (resident, NULL, 10) * sysconf (_SC_PAGESIZE) : 0;
}

/* Any thread. */
static void
add_greeting (GVariantDict *welcome, gpointer data)
{
  Daemon *daemon = data;

  g_variant_dict_insert (welcome, "instance", "s", daemon->state.instance);
  g_variant_dict_insert (welcome, "node", "s", daemon->place.node);
  g_variant_dict_insert (welcome, "process", "u", (guint32) daemon->state.pid);
  g_variant_dict_insert (welcome, "since", "x", daemon->state.since_s);
  g_variant_dict_insert (welcome, "clients", "u", g_atomic_int_get (&daemon->n_clients));
  g_variant_dict_insert (welcome, "runs", "u", kymo_server_runs_count (daemon->options.runs));
  g_variant_dict_insert (welcome, "memory", "x", count_memory ());
}

static gboolean
listen_here (Daemon *daemon, GError **error)
{
  if (!kymo_daemon_place_open (&daemon->place, error))
    return FALSE;
  daemon->listener = kymo_daemon_place_listen (&daemon->place, error);
  if (daemon->listener < 0
      || !kymo_daemon_place_save_state (&daemon->place, &daemon->state, error))
    return FALSE;
  daemon->inode = kymo_daemon_place_get_inode (&daemon->place);
  return TRUE;
}

static GLogWriterOutput
write_log (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer unused)
{
  kymo_daemon_log_bound (STDERR_FILENO);
  return g_log_writer_standard_streams (level, fields, n_fields, NULL);
}

/* Whoever started it waits for the end of its standard output. */
static void
say_ready (void)
{
  int nothing = open ("/dev/null", O_RDWR | O_CLOEXEC);

  puts ("ready");
  fflush (stdout);
  if (nothing >= 0)
    {
      dup2 (nothing, STDOUT_FILENO);
      close (nothing);
    }
}

static void
run_daemon (Daemon *daemon)
{
  daemon->clients = g_ptr_array_new ();
  daemon->loop = g_main_loop_new (NULL, FALSE);
  daemon->watch = g_unix_fd_add (daemon->listener, G_IO_IN, on_connection, daemon);
  g_unix_signal_add (SIGTERM, on_signal, daemon);
  signal (SIGHUP, SIG_IGN);
  daemon->used_us = g_get_monotonic_time ();
  watch_idle (daemon);
  note ("began");
  say_ready ();
  g_main_loop_run (daemon->loop);
}

/**
 * kymo_daemon_run:
 * @idle_ns: after so long without a client it ends
 *
 * Serves clients of this user until it was idle for long enough or gets SIGTERM. The caller holds
 * the lock of the place until this has said "ready" on standard output, and nothing else there.
 *
 * Returns: the exit status: 1 where there is no private place for the socket; then standard
 *   output says why
 */
int
kymo_daemon_run (const KymoServerOptions *options, gint64 idle_ns)
{
  g_autofree char *instance = g_uuid_string_random ();
  g_autoptr (GError) error = NULL;
  Daemon daemon = {
    .options = *options, .place.folder = -1, .idle_us = idle_ns / 1000,
    .state = { instance, KYMO_VERSION, getpid (), g_get_real_time () / G_USEC_PER_SEC },
  };

  /* Names without a folder that a client gives mean what they mean in its login shell. */
  if (chdir (g_get_home_dir ()) != 0 && chdir ("/") != 0)
    return 1;
  g_log_set_writer_func (write_log, NULL, NULL);
  if (!listen_here (&daemon, &error))
    {
      puts (error->message);
      return 1;
    }
  daemon.options.runs = kymo_server_runs_new (options->memory_limit_bytes);
  daemon.options.greet = add_greeting;
  daemon.options.greet_data = &daemon;
  run_daemon (&daemon);
  kymo_server_runs_free (daemon.options.runs);
  g_ptr_array_unref (daemon.clients);
  g_main_loop_unref (daemon.loop);
  kymo_daemon_place_clear (&daemon.place);
  return 0;
}
