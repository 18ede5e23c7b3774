/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * kymo-server: answers for a Kymo on another machine, beside the data.
 */
#include "config.h"

#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "kymo-daemon-connect.h"
#include "kymo-daemon-job.h"
#include "kymo-daemon-place.h"
#include "kymo-daemon.h"
#include "kymo-server-text.h"
#include "kymo-units.h"

/* After so long without a client a daemon ends. */
#define IDLE_END_NS (G_GINT64_CONSTANT (1800) * 1000 * 1000 * 1000)

typedef struct
{
  KymoServerOptions  options;
  GMainLoop         *loop;
} Server;

/** Words: of the command line */
typedef struct
{
  gboolean  stdio, text, connect, daemon, status, stop, relay, rejoin, version;
  char     *limit, *idle_end, *job, *job_id;
  gint64    job_time_s;
  int       threads;
  gint64    idle_ns;
} Words;

static gboolean
quit_loop (gpointer loop)
{
  g_main_loop_quit (loop);
  return G_SOURCE_REMOVE;
}

static gpointer
serve_client (gpointer data)
{
  Server *server = data;

  kymo_server_session_run (STDIN_FILENO, STDOUT_FILENO, &server->options);
  g_idle_add (quit_loop, server->loop);
  return NULL;
}

/* The client sees that the line is gone. */
static gboolean
on_signal (gpointer data)
{
  _exit (128 + SIGTERM);
}

static int
serve_stdio (Server *server)
{
  GThread *thread;

  server->loop = g_main_loop_new (NULL, FALSE);
  g_unix_signal_add (SIGTERM, on_signal, NULL);
  thread = g_thread_new ("kymo-client", serve_client, server);
  g_main_loop_run (server->loop);
  g_thread_join (thread);
  g_main_loop_unref (server->loop);
  return 0;
}

static int
fail_usage (const char *sentence)
{
  fprintf (stderr, "kymo-server: %s\n", sentence);
  return 2;
}

static gboolean
parse_words (Words *words, int *argc, char ***argv, GError **error)
{
  const GOptionEntry entries[] = {
    { "stdio", 0, 0, G_OPTION_ARG_NONE, &words->stdio,
      "serve a Kymo over standard input and output", NULL },
    { "connect", 0, 0, G_OPTION_ARG_NONE, &words->connect,
      "the same, through a server that several clients share", NULL },
    { "job", 0, 0, G_OPTION_ARG_STRING, &words->job,
      "with --connect: through a server in a job, as Kymo orders it", "ORDER" },
    { "rejoin", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &words->rejoin,
      "with --job: submit no other one", NULL },
    { "relay", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &words->relay,
      "join the server of a job", NULL },
    { "job-id", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_STRING, &words->job_id, "its number",
      "ID" },
    { "job-time", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_INT64, &words->job_time_s,
      "how long it lasts", "SECONDS" },
    { "status", 0, 0, G_OPTION_ARG_NONE, &words->status, "say what that server does", NULL },
    { "stop", 0, 0, G_OPTION_ARG_NONE, &words->stop, "end that server", NULL },
    { "daemon", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &words->daemon, "be that server",
      NULL },
    { "text", 0, 0, G_OPTION_ARG_NONE, &words->text, "answer a question a line with JSON", NULL },
    { "threads", 0, 0, G_OPTION_ARG_INT, &words->threads, "most threads (one per core)", "N" },
    { "memory-limit", 0, 0, G_OPTION_ARG_STRING, &words->limit, "of runs in memory", "SIZE" },
    { "idle-end", 0, 0, G_OPTION_ARG_STRING, &words->idle_end,
      "a shared server ends after so long without a client (1800s)", "TIME" },
    { "version", 0, 0, G_OPTION_ARG_NONE, &words->version, "show the version", NULL },
    { NULL }
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("[RUN]");

  g_option_context_set_summary (context, "Answers for a Kymo on another machine, beside the data.");
  g_option_context_set_translation_domain (context, "kymo-none");
  g_option_context_add_main_entries (context, entries, NULL);
  return g_option_context_parse (context, argc, argv, error);
}

/* (transfer full): the options that a daemon which is started gets. */
static char **
make_daemon_options (const Words *words)
{
  GPtrArray *options = g_ptr_array_new ();

  if (words->threads > 0)
    g_ptr_array_add (options, g_strdup_printf ("--threads=%d", words->threads));
  if (words->limit != NULL)
    g_ptr_array_add (options, g_strconcat ("--memory-limit=", words->limit, NULL));
  if (words->idle_end != NULL)
    g_ptr_array_add (options, g_strconcat ("--idle-end=", words->idle_end, NULL));
  g_ptr_array_add (options, NULL);
  return (char **) g_ptr_array_free (options, FALSE);
}

/* When the job ends, in seconds since 1970: Slurm says so to all that is in a job. A job's server
   begins with the job. 0 = not known. */
static gint64
find_end (gint64 job_time_s)
{
  const char *told = g_getenv ("SLURM_JOB_END_TIME");
  gint64 end_s = told != NULL ? g_ascii_strtoll (told, NULL, 10) : 0;

  return end_s > 0 || job_time_s <= 0 ? MAX (end_s, 0)
                                      : g_get_real_time () / G_USEC_PER_SEC + job_time_s;
}

static gboolean
read_values (Words *words, KymoServerOptions *options, GError **error)
{
  words->idle_ns = IDLE_END_NS;
  options->n_threads = CLAMP (words->threads, 0, 4096);
  options->end_s = find_end (words->job_time_s);
  return (words->limit == NULL
          || kymo_parse_size (words->limit, &options->memory_limit_bytes, error))
    && (words->idle_end == NULL || kymo_parse_time (words->idle_end, &words->idle_ns, error));
}

/* Does the one thing that is asked for. */
static int
do_words (const Words *words, Server *server)
{
  g_auto (GStrv) options = make_daemon_options (words);

  if (words->text)
    return kymo_server_text_run (&server->options);
  if (words->job_id != NULL)
    kymo_daemon_place_use_job (words->job_id);
  if (words->connect && words->job != NULL)
    return kymo_daemon_connect_job (words->job, words->rejoin, (const char *const *) options);
  if (words->relay)
    return kymo_daemon_relay_job ();
  if (words->connect)
    return kymo_daemon_connect ((const char *const *) options);
  if (words->daemon)
    return kymo_daemon_run (&server->options, words->idle_ns);
  if (words->status)
    return kymo_daemon_status ();
  return words->stop ? kymo_daemon_stop () : serve_stdio (server);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  Server server = { 0 };
  Words words = { 0 };
  int status;

  bindtextdomain (GETTEXT_PACKAGE, KYMO_LOCALE_DIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  if (!parse_words (&words, &argc, &argv, &error)
      || !read_values (&words, &server.options, &error))
    return fail_usage (error->message);
  if (words.version)
    return printf ("kymo-server %s\n", KYMO_VERSION) < 0;
  server.options.path = argc > 1 ? argv[1] : NULL;
  if (words.stdio + words.text + words.connect + words.daemon + words.status + words.stop
      + words.relay != 1
      || argc > (words.stdio || words.text ? 2 : 1) || (words.text && argc < 2))
    return fail_usage ("--connect, --stdio [RUN], --text RUN, --status, or --stop");
  status = do_words (&words, &server);
  g_free (words.limit);
  g_free (words.idle_end);
  g_free (words.job);
  g_free (words.job_id);
  return status;
}
