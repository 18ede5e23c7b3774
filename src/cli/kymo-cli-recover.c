/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * kymo-cli recover DIR: runs kymo-record, which knows how an archive is written of what a killed
 * program left. It lies beside kymo-cli, where both were built, or in PATH.
 */
#include "config.h"

#include "kymo-cli.h"

#include <string.h>

#include <gio/gio.h>

#include "kymo-recorder-path.h"

#define PROGRAM "kymo-record"

/* What the program says without its own name before it. */
static const char *
without_name (const char *line)
{
  return g_str_has_prefix (line, PROGRAM ": ") ? line + strlen (PROGRAM ": ") : line;
}

/* Tells each line that the program writes, but the last one where it fails; that is the error. */
static gboolean
wait_for_recorder (KymoCli      *cli,
                   GSubprocess  *child,
                   GError      **error)
{
  g_autoptr (GDataInputStream) lines
    = g_data_input_stream_new (g_subprocess_get_stderr_pipe (child));
  GCancellable *cancellable = kymo_job_peek_cancellable (cli->job);
  g_autofree char *last = NULL;
  char *line;

  while ((line = g_data_input_stream_read_line (lines, NULL, cancellable, NULL)) != NULL)
    {
      if (last != NULL)
        kymo_cli_tell ("%s", without_name (last));
      g_free (last);
      last = line;
    }
  if (!g_subprocess_wait (child, cancellable, error))
    {
      g_subprocess_force_exit (child);
      return FALSE;
    }
  if (!g_subprocess_get_successful (child))
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, "%s", last != NULL
                   ? without_name (last) : "kymo-record ended without a word");
      return FALSE;
    }
  if (last != NULL)
    kymo_cli_tell ("%s", without_name (last));
  return TRUE;
}

/* (transfer full) (nullable): the folder that --output names; the answer goes to stdout. */
static char *
take_output (KymoCli *cli)
{
  char *output = g_strdup (kymo_cli_get (cli, "output"));

  g_hash_table_remove (cli->values, "output");
  if (g_strcmp0 (output, "-") == 0)
    g_clear_pointer (&output, g_free);
  return output;
}

/**
 * kymo_cli_run_recover:
 * @cli: the invocation; its word is the folder of a recorded program, and --output the folder of
 *   the archive, if that is another one
 * @error: where to put the reason
 *
 * Writes the archive of a program that was killed while it was recorded. What is missing is
 * told on standard error.
 *
 * Returns: the exit code
 */
int
kymo_cli_run_recover (KymoCli  *cli,
                      GError  **error)
{
  const char *folder = cli->words->pdata[0];
  g_autofree char *program = kymo_recorder_dup_path ();
  g_autofree char *output = take_output (cli);
  g_autofree char *anchor = g_build_filename (output != NULL ? output : folder, "traces.otf2",
                                              NULL);
  g_autoptr (GSubprocess) child = NULL;
  g_autoptr (KymoTable) answer = NULL;

  if (program == NULL)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                   "kymo-record is neither beside kymo-cli nor in PATH; install it to recover a "
                   "run");
      return KYMO_CLI_FAILED;
    }
  child = g_subprocess_new (G_SUBPROCESS_FLAGS_STDERR_PIPE | G_SUBPROCESS_FLAGS_STDOUT_SILENCE,
                            error, program, "--recover", folder, output != NULL ? "--output" : NULL,
                            output, NULL);
  if (child == NULL || !wait_for_recorder (cli, child, error))
    return KYMO_CLI_FAILED;
  answer = kymo_table_new (KYMO_STYLE_OBJECT);
  kymo_table_set_string (answer, "archive", anchor);
  return kymo_cli_write_table (cli, answer, error) ? KYMO_CLI_OK : KYMO_CLI_FAILED;
}

/** kymo_cli_text_recover: where the archive is */
void
kymo_cli_text_recover (KymoCli         *cli,
                       const KymoTable *answer,
                       GString         *out)
{
  g_string_append_printf (out, "%s\n", kymo_table_get_string (answer, "archive", 0));
}
