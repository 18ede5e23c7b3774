/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * kymo-cli: the questions of the window, on the command line.
 *
 * The work runs on one worker thread; the main thread waits in a main loop,
 * shows progress where standard error is a terminal, and turns SIGINT and
 * SIGTERM into a cancelled job, so that no half written file stays behind.
 */
#include "config.h"

#include "kymo-cli.h"

#include <glib-unix.h>
#include <signal.h>
#include <unistd.h>

typedef struct
{
  KymoCli   *cli;
  GMainLoop *loop;
  gboolean   interrupted;
  gboolean   shown;                  /* a progress line is on the terminal */
} Wait;

static gboolean
quit_loop (gpointer data)
{
  g_main_loop_quit (data);
  return G_SOURCE_REMOVE;
}

static gpointer
main_work (gpointer data)
{
  Wait *wait = data;
  KymoCli *cli = wait->cli;

  cli->status = (kymo_cli_is_far_work (cli) ? kymo_cli_run_far : cli->command->run) (cli,
                                                                                     &cli->error);
  kymo_cli_keep (cli);
  g_idle_add (quit_loop, wait->loop);
  return NULL;
}

static gboolean
interrupt (gpointer data)
{
  Wait *wait = data;
  wait->interrupted = TRUE;
  kymo_job_cancel (wait->cli->job);
  return G_SOURCE_CONTINUE;
}

static gboolean
show_progress (gpointer data)
{
  Wait *wait = data;
  g_autofree char *stage = kymo_job_dup_stage (wait->cli->job);
  double fraction = kymo_job_get_fraction (wait->cli->job);

  kymo_cli_tell_progress (stage ? stage : "Reading", fraction);
  wait->shown = TRUE;
  return G_SOURCE_CONTINUE;
}

static void
wait_for_work (Wait *wait)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  gboolean progress = isatty (STDERR_FILENO)
    && !kymo_cli_has (wait->cli, "quiet")
    && wait->cli->command->run != kymo_cli_run_attach
    && !kymo_cli_has (wait->cli, "serve");
  guint sigint = g_unix_signal_add (SIGINT, interrupt, wait);
  guint sigterm = g_unix_signal_add (SIGTERM, interrupt, wait);
  guint timer = progress ? g_timeout_add (250, show_progress, wait) : 0;

  wait->loop = loop;
  GThread *thread = g_thread_new ("work", main_work, wait);
  g_main_loop_run (loop);
  g_thread_join (thread);
  if (timer != 0)
    g_source_remove (timer);
  g_source_remove (sigint);
  g_source_remove (sigterm);
  if (wait->shown)
    kymo_cli_tell_progress (NULL, 0);
}

/* Prints the sentence of an error and returns its exit code. */
static int
tell_error (KymoCli *cli, const GError *error)
{
  kymo_cli_tell ("%s", error->message);
  return g_error_matches (error, KYMO_ERROR, KYMO_ERROR_USAGE)
    ? KYMO_CLI_USAGE : KYMO_CLI_FAILED;
}

static int
run (KymoCli *cli)
{
  Wait wait = { .cli = cli };

  cli->job = kymo_job_new ();
  kymo_cli_use_far_files (cli);
  wait_for_work (&wait);
  if (cli->error != NULL && wait.interrupted)
    {
      kymo_cli_tell ("interrupted");
      return KYMO_CLI_INTERRUPTED;
    }
  if (cli->not_kept != NULL && !kymo_cli_has (cli, "quiet"))
    kymo_cli_tell ("%s", cli->not_kept->message);
  int status = kymo_cli_tell_report (cli, cli->status);
  return cli->error != NULL ? tell_error (cli, cli->error) : status;
}

static void
cli_clear (KymoCli *cli)
{
  g_ptr_array_unref (cli->words);
  g_hash_table_unref (cli->values);
  g_clear_object (&cli->job);
  g_clear_object (&cli->source);
  g_clear_pointer (&cli->others, g_ptr_array_unref);
  g_clear_pointer (&cli->run, kymo_run_unref);
  g_clear_pointer (&cli->report, kymo_report_unref);
  g_clear_error (&cli->error);
  g_clear_error (&cli->not_kept);
}

static int
print_help (KymoCli *cli)
{
  g_autoptr (GString) out = g_string_new (NULL);
  if (kymo_cli_has (cli, "version"))
    g_string_append (out, "kymo-cli " KYMO_VERSION "\n");
  else
    kymo_cli_help (cli->command, out);
  kymo_cli_print (out);
  return KYMO_CLI_OK;
}

int
main (int argc, char **argv)
{
  KymoCli cli = { 0 };
  g_autoptr (GError) error = NULL;
  int status;

  /* A closed pipe is reported by write() as EPIPE. */
  signal (SIGPIPE, SIG_IGN);
  /* A limit on the length of files is reported by write() as EFBIG. */
  signal (SIGXFSZ, SIG_IGN);
  cli.argv = argv;
  cli.words = g_ptr_array_new_with_free_func (g_free);
  cli.values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  if (!kymo_cli_parse (&cli, argc, argv, &error))
    status = tell_error (&cli, error);
  else if (kymo_cli_has (&cli, "help") || kymo_cli_has (&cli, "version"))
    status = print_help (&cli);
  else
    status = run (&cli);
  cli_clear (&cli);
  return status;
}
