/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-daemon-connect.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "kymo-daemon-place.h"
#include "kymo-daemon-relay.h"
#include "kymo-error.h"
#include "kymo-frame-reader.h"
#include "kymo-frame-writer.h"
#include "kymo-units.h"

/* A daemon listens after some milliseconds; a machine may be very busy. */
#define START_MS 30000
/* So long a daemon may take to answer, or to end its clients. */
#define ANSWER_S 10

/* Exit status of a command that failed with the error. */
static int
fail (const GError *error)
{
  fprintf (stderr, "kymo-server: %s\n", error->message);
  return 1;
}

/* -- starting ---------------------------------------------------------------------------------- */

/* In the child that becomes the daemon: it outlives the login session that started it. */
static void
leave_session (gpointer unused)
{
  setsid ();
}

/* (transfer full): "kymo-server --daemon" with the options that it was called with. */
static char **
make_words (const char *const *options)
{
  GPtrArray *words = g_ptr_array_new ();
  char *self = g_file_read_link ("/proc/self/exe", NULL);

  g_ptr_array_add (words, self != NULL ? self : g_strdup ("kymo-server"));
  g_ptr_array_add (words, g_strdup ("--daemon"));
  for (guint i = 0; options[i] != NULL; i++)
    g_ptr_array_add (words, g_strdup (options[i]));
  g_ptr_array_add (words, NULL);
  return (char **) g_ptr_array_free (words, FALSE);
}

/* Starts a process that belongs to nobody, with no descriptor but these. GLib forks twice where
   the caller does not want to reap a child. */
static gboolean
spawn_daemon (const char *const *options, int nothing, int out, int log, GError **error)
{
  g_auto (GStrv) words = make_words (options);

  return g_spawn_async_with_pipes_and_fds (NULL, (const char *const *) words, NULL,
                                           G_SPAWN_SEARCH_PATH, leave_session, NULL, nothing, out,
                                           log, NULL, NULL, 0, NULL, NULL, NULL, NULL, error);
}

/* The daemon says "ready", or why it cannot be. */
static gboolean
wait_for_ready (int in, const KymoDaemonPlace *place, GError **error)
{
  g_autoptr (GString) said = g_string_new (NULL);
  struct pollfd fd = { in, POLLIN, 0 };
  char piece[256];
  gssize n;

  while (poll (&fd, 1, START_MS) > 0 && (n = read (in, piece, sizeof piece)) > 0)
    g_string_append_len (said, piece, n);
  g_strchomp (said->str);
  if (strcmp (said->str, "ready") == 0)
    return TRUE;
  if (*said->str != '\0')
    g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, said->str);
  else
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                 _("The server ended while it was started; the log is “%s/%s.log”"), place->path,
                 place->node);
  return FALSE;
}

static gboolean
start_daemon (const KymoDaemonPlace *place, const char *const *options, GError **error)
{
  int log = kymo_daemon_place_open_log (place, error);
  int nothing = log >= 0 ? open ("/dev/null", O_RDWR | O_CLOEXEC) : -1;
  int ends[2] = { -1, -1 };
  gboolean done = FALSE;

  if (log < 0)
    return FALSE;
  if (nothing < 0 || pipe2 (ends, O_CLOEXEC) != 0)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, _("No server can be started: %s"),
                 g_strerror (errno));
  else
    {
      done = spawn_daemon (options, nothing, ends[1], log, error);
      close (ends[1]);
      done = done && wait_for_ready (ends[0], place, error);
      close (ends[0]);
    }
  if (nothing >= 0)
    close (nothing);
  close (log);
  return done;
}

/* -- connecting -------------------------------------------------------------------------------- */

/* A line to the daemon; -1 with an error. @options NULL: none is started, and -1 may come without
   an error. */
static int
find_daemon (const char *const *options, GError **error)
{
  g_auto (KymoDaemonPlace) place = { .folder = -1 };
  g_autoptr (GError) why = NULL;
  int lock, line;

  if (!kymo_daemon_place_open (&place, error))
    return -1;
  lock = kymo_daemon_place_lock (&place, TRUE, error);
  if (lock < 0)
    return -1;
  line = kymo_daemon_place_connect (&place, &why);
  if (line < 0 && why == NULL && options != NULL && start_daemon (&place, options, &why))
    {
      line = kymo_daemon_place_connect (&place, &why);
      if (line < 0 && why == NULL)
        g_set_error (&why, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                     _("The server ended while it was started; the log is “%s/%s.log”"),
                     place.path, place.node);
    }
  if (line >= 0)
    close (lock);
  else
    kymo_daemon_place_unlock (&place, lock);
  if (why != NULL)
    g_propagate_error (error, g_steal_pointer (&why));
  return line;
}

/* Carries bytes until one side has gone. Returns the exit status. */
static int
relay_line (int line)
{
  gint64 pid = 0;

  kymo_daemon_peer_is_ours (line, &pid);
  if (kymo_daemon_relay (STDIN_FILENO, STDOUT_FILENO, line))
    return 0;
  fprintf (stderr, _("kymo-server: the server (process %d) has ended\n"), (int) pid);
  return 1;
}

/**
 * kymo_daemon_connect:
 * @options: of a daemon that is started
 *
 * Joins standard input and output to the user's daemon until one side ends.
 *
 * Returns: the exit status
 */
int
kymo_daemon_connect (const char *const *options)
{
  g_autoptr (GError) error = NULL;
  int line = find_daemon (options, &error);

  return line >= 0 ? relay_line (line) : fail (error);
}

/**
 * kymo_daemon_relay_job:
 *
 * As kymo_daemon_connect(), but starts no daemon: that of a job begins by itself, and is waited
 * for a while.
 *
 * Returns: the exit status
 */
int
kymo_daemon_relay_job (void)
{
  g_autoptr (GError) error = NULL;
  gint64 until = g_get_monotonic_time () + START_MS * 1000;
  int line = find_daemon (NULL, &error);

  while (line < 0 && error == NULL && g_get_monotonic_time () < until)
    {
      g_usleep (100 * 1000);
      line = find_daemon (NULL, &error);
    }
  if (line < 0 && error == NULL)
    g_set_error_literal (&error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                         _("No server runs in the job; the log of the job may say why"));
  return line >= 0 ? relay_line (line) : fail (error);
}

/* -- asking ------------------------------------------------------------------------------------ */

/* (transfer full) (nullable): the greeting of the daemon. */
static GVariant *
ask_greeting (int line)
{
  const struct timeval most = { .tv_sec = ANSWER_S };
  g_autoptr (KymoFrameReader) reader = kymo_frame_reader_new (KYMO_FRAME_MOST_ANSWER);
  g_autoptr (KymoFrame) frame = NULL;
  KymoFrameWriter *writer;
  GVariantDict body;

  fcntl (line, F_SETFL, 0);
  setsockopt (line, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
  writer = kymo_frame_writer_new (line);
  g_variant_dict_init (&body, NULL);
  g_variant_dict_insert (&body, "version", "u", KYMO_FRAME_VERSION);
  g_variant_dict_insert (&body, "program", "s", "kymo-server " KYMO_VERSION);
  kymo_frame_writer_push (writer, KYMO_FRAME_HELLO, 0, g_variant_dict_end (&body));
  frame = kymo_frame_reader_wait (reader, line, NULL);
  kymo_frame_writer_free (writer);
  return frame != NULL && frame->type == KYMO_FRAME_WELCOME ? g_variant_ref (frame->body) : NULL;
}

static void
print_status (GVariant *welcome)
{
  const char *program = "kymo-server", *node = "?";
  guint32 pid = 0, clients = 1, runs = 0;
  gint64 since_s = 0, bytes = 0;
  g_autoptr (GDateTime) since = NULL;
  g_autofree char *since_text = NULL;
  g_autofree char *size = NULL;

  g_variant_lookup (welcome, "program", "&s", &program);
  g_variant_lookup (welcome, "node", "&s", &node);
  g_variant_lookup (welcome, "process", "u", &pid);
  g_variant_lookup (welcome, "clients", "u", &clients);
  g_variant_lookup (welcome, "runs", "u", &runs);
  g_variant_lookup (welcome, "since", "x", &since_s);
  g_variant_lookup (welcome, "memory", "x", &bytes);
  since = g_date_time_new_from_unix_local (since_s);
  since_text = g_date_time_format (since, "%F %H:%M");
  size = kymo_format_bytes (bytes);
  clients -= MIN (clients, 1);
  printf (_("%s runs on %s as process %u since %s, with %u %s and %u %s in %s of memory.\n"),
          program, node, pid, since_text, clients, clients == 1 ? _("client") : _("clients"), runs,
          runs == 1 ? _("run") : _("runs"), size);
}

/**
 * kymo_daemon_status:
 *
 * Says in a sentence what the user's daemon does.
 *
 * Returns: the exit status: 1 where none runs
 */
int
kymo_daemon_status (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) welcome = NULL;
  int line = find_daemon (NULL, &error);

  if (line >= 0)
    {
      welcome = ask_greeting (line);
      close (line);
      if (welcome != NULL)
        print_status (welcome);
      else
        fprintf (stderr, "kymo-server: %s\n", _("The server does not answer"));
    }
  else if (error != NULL)
    return fail (error);
  else
    puts (_("No server runs on this machine."));
  return welcome != NULL ? 0 : 1;
}

/**
 * kymo_daemon_stop:
 *
 * Ends the user's daemon.
 *
 * Returns: the exit status: 1 where it does not end
 */
int
kymo_daemon_stop (void)
{
  g_autoptr (GError) error = NULL;
  int line = find_daemon (NULL, &error);
  struct pollfd fd = { line, POLLIN, 0 };
  gint64 pid = 0;
  char byte;
  gboolean done;

  if (line < 0 && error != NULL)
    return fail (error);
  if (line < 0)
    return puts (_("No server runs on this machine.")) < 0;
  /* The process at the other end cannot be another one, unlike that of a number in a file. It says
     nothing before it is greeted. */
  kymo_daemon_peer_is_ours (line, &pid);
  done = pid > 1 && kill (pid, SIGTERM) == 0 && poll (&fd, 1, ANSWER_S * 1000) > 0
         && read (line, &byte, 1) <= 0;
  close (line);
  if (done)
    return puts (_("The server has ended.")) < 0;
  fprintf (stderr, "kymo-server: %s\n", _("The server does not end"));
  return 1;
}
