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

#include "kymo-server-session.h"
#include "kymo-server-text.h"
#include "kymo-units.h"

typedef struct
{
  KymoServerOptions  options;
  GMainLoop         *loop;
} Server;

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

int
main (int argc, char **argv)
{
  gboolean stdio = FALSE, text = FALSE, version = FALSE;
  g_autofree char *limit = NULL;
  int threads = 0;
  const GOptionEntry entries[] = {
    { "stdio", 0, 0, G_OPTION_ARG_NONE, &stdio, "serve a Kymo over standard input and output",
      NULL },
    { "text", 0, 0, G_OPTION_ARG_NONE, &text, "answer a question a line with JSON", NULL },
    { "threads", 0, 0, G_OPTION_ARG_INT, &threads, "most threads (one per core)", "N" },
    { "memory-limit", 0, 0, G_OPTION_ARG_STRING, &limit, "of a run in memory", "SIZE" },
    { "version", 0, 0, G_OPTION_ARG_NONE, &version, "show the version", NULL },
    { NULL }
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("[RUN]");
  g_autoptr (GError) error = NULL;
  Server server = { 0 };

  g_option_context_set_summary (context, "Answers for a Kymo on another machine, beside the data.");
  g_option_context_set_translation_domain (context, "kymo-none");
  g_option_context_add_main_entries (context, entries, NULL);
  bindtextdomain (GETTEXT_PACKAGE, KYMO_LOCALE_DIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  if (!g_option_context_parse (context, &argc, &argv, &error))
    return fail_usage (error->message);
  if (version)
    return printf ("kymo-server %s\n", KYMO_VERSION) < 0;
  if (limit != NULL && !kymo_parse_size (limit, &server.options.memory_limit_bytes, &error))
    return fail_usage (error->message);
  server.options.n_threads = CLAMP (threads, 0, 4096);
  server.options.path = argc > 1 ? argv[1] : NULL;
  if (argc > 2 || stdio == text || (text && argc < 2))
    return fail_usage ("--stdio [RUN], or --text RUN");
  return text ? kymo_server_text_run (&server.options) : serve_stdio (&server);
}
