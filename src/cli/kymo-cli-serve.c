/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * kymo-cli replay FILE --serve PORT: a recording as a running program that
 * can be attached to.
 */
#include "config.h"

#include "kymo-cli.h"

#include <string.h>

#include "kymo-ccs-server.h"
#include "kymo-stream-file.h"

static void
wake (GCancellable *cancellable,
      gpointer      context)
{
  g_main_context_wakeup (context);
}

/* Two lines: the first as charmrun prints it, for people and scripts that
   look for it. */
static void
tell_port (KymoCli *cli,
           guint16  port)
{
  g_autoptr (GString) line = g_string_new (NULL);

  g_string_printf (line, "ccs: Server IP = 127.0.0.1, Server port = %u $\n", port);
  kymo_cli_print (line);
  if (!kymo_cli_has (cli, "quiet"))
    kymo_cli_tell ("attach with “kymo-cli attach localhost:%u”, or with this address in the "
                   "window; it ends with the recording or with Ctrl+C", port);
}

static gboolean
find_port (KymoCli  *cli,
           guint16  *port,
           GError  **error)
{
  const char *text = kymo_cli_get (cli, "serve");
  guint64 value;

  if (!g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT16, &value, NULL))
    {
      g_autofree char *shown = g_utf8_make_valid (text, -1);

      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                   "“%s” is no port: a number from 0 to 65535 is needed", shown);
      return FALSE;
    }
  *port = value;
  return TRUE;
}

/* TRUE if the whole recording is served. A program that is attached to begins at its begin, so
   options that choose a part are refused. */
static gboolean
is_of_all (KymoCli  *cli,
           GError  **error)
{
  static const char *const parts[] = { "from", "to", "names", "notes" };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (kymo_cli_has (cli, parts[i]))
      {
        g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE, "--%s does not go with --serve: all of "
                     "the recording is served, without names, as a program does", parts[i]);
        return FALSE;
      }
  return TRUE;
}

static gboolean
serve (KymoCli      *cli,
       GMainContext *context,
       GError      **error)
{
  KymoCcsServerOptions options = {
    .speed = kymo_cli_get_number (cli, "speed", 1),
    .key_file = kymo_cli_get (cli, "key"),
    .repeat = kymo_cli_has (cli, "repeat"),
    .misbehave = kymo_cli_get (cli, "misbehave"),
    .report = cli->report = kymo_report_new (),
  };
  GCancellable *cancellable = kymo_job_peek_cancellable (cli->job);
  g_autofree char *path = kymo_stream_file_find (cli->words->pdata[0],
                                                 kymo_cli_get (cli, "base"), error);
  g_autoptr (KymoCcsServer) server = NULL;
  gulong handler;

  if (path == NULL || !find_port (cli, &options.port, error) || !is_of_all (cli, error))
    return FALSE;
  server = kymo_ccs_server_new (path, &options, error);
  if (server == NULL)
    return FALSE;
  tell_port (cli, kymo_ccs_server_get_port (server));
  handler = g_cancellable_connect (cancellable, G_CALLBACK (wake), context, NULL);
  while (!kymo_ccs_server_has_ended (server) && !g_cancellable_is_cancelled (cancellable))
    g_main_context_iteration (context, TRUE);
  g_cancellable_disconnect (cancellable, handler);
  return TRUE;
}

/**
 * kymo_cli_serve:
 *
 * Offers the recording that was named until it is told, or until the person
 * stops it, which is no failure.
 *
 * Returns: exit status
 */
int
kymo_cli_serve (KymoCli  *cli,
                GError  **error)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  gboolean good;

  g_main_context_push_thread_default (context);
  good = serve (cli, context, error);
  /* Cancelled operations of connections still call back. */
  while (g_main_context_iteration (context, FALSE))
    ;
  g_main_context_pop_thread_default (context);
  return good ? KYMO_CLI_OK : KYMO_CLI_FAILED;
}

/**
 * kymo_cli_serve_is_not_meant:
 *
 * Returns: %FALSE and %KYMO_ERROR_USAGE where options were given that make
 * sense with --serve alone
 */
gboolean
kymo_cli_serve_is_not_meant (KymoCli  *cli,
                             GError  **error)
{
  static const char *const only[] = { "repeat", "key", "misbehave" };

  for (guint i = 0; i < G_N_ELEMENTS (only); i++)
    if (kymo_cli_has (cli, only[i]))
      {
        g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE, "--%s goes with --serve PORT", only[i]);
        return FALSE;
      }
  return TRUE;
}

/** kymo_cli_serve_help: what --misbehave can be, for the help page */
void
kymo_cli_serve_help (GString *out)
{
  g_auto (GStrv) lines = g_strsplit (kymo_ccs_server_list_faults (), "\n", -1);

  g_string_append (out, "\nWhat --misbehave can be, with the number that is taken for N where "
                   "none is given:\n");
  for (guint i = 0; lines[i] != NULL; i++)
    {
      char *colon = strchr (lines[i], ':');

      *colon = 0;
      g_string_append_printf (out, "  %-14s%s\n", lines[i], colon + 1);
    }
}
