/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * kymo-cli attach --list [ssh://[USER@]HOST[:PORT]]: the jobs of this user that run under
 * kymo-record --live, here or on another host, whose kymo-cli is asked through ssh.
 */
#include "config.h"

#include "kymo-cli.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kymo-cli-stream.h"
#include "kymo-host.h"
#include "kymo-jobs-far.h"
#include "kymo-safe-text.h"
#include "kymo-ssh-host.h"

#define SCHEME "ssh://"

/* (transfer full): the jobs of another host */
static GPtrArray *
ask_host (KymoCli     *cli,
          const char  *where,
          GError     **error)
{
  gboolean asks = isatty (STDIN_FILENO) || g_getenv ("SSH_ASKPASS") != NULL;
  g_autoptr (KymoHost) there = NULL;
  g_auto (GStrv) words = NULL;
  g_autofree char *host = NULL;
  guint16 port = 0;

  if (!kymo_ssh_host_parse (where, &host, &port))
    {
      g_autofree char *shown = kymo_safe_text_dup (where);

      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE, "“%s” is no ssh://[USER@]HOST", shown);
      return NULL;
    }
  there = kymo_hosts_find (host, port, error);
  words = there != NULL ? kymo_host_dup_ssh (there, asks, KYMO_JOBS_FAR_LIST) : NULL;
  return words != NULL ? kymo_jobs_ask ((const char *const *) words,
                                        kymo_job_peek_cancellable (cli->job), error) : NULL;
}

/* What follows `kymo-cli attach` to reach a job from here. */
static char *
dup_target (const KymoJobInfo *info,
            const char        *where)
{
  const char *colon = strrchr (info->address, ':');

  return where == NULL || colon == NULL ? g_strdup (info->address)
                                        : g_strconcat (SCHEME, where, colon, NULL);
}

static KymoTable *
make_answer (GPtrArray  *jobs,
             const char *where)
{
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);
  KymoTable *list = kymo_table_new (KYMO_STYLE_OBJECTS);
  guint attach = kymo_table_add_column (list, "attach", KYMO_COLUMN_STRING, 1);
  guint program = kymo_table_add_column (list, "program", KYMO_COLUMN_STRING, 1);
  guint ranks = kymo_table_add_column (list, "ranks", KYMO_COLUMN_INT, 1);
  guint begin = kymo_table_add_column (list, "begin", KYMO_COLUMN_STRING, 1);
  guint host = kymo_table_add_column (list, "host", KYMO_COLUMN_STRING, 1);
  guint pid = kymo_table_add_column (list, "pid", KYMO_COLUMN_INT, 1);
  guint folder = kymo_table_add_column (list, "folder", KYMO_COLUMN_STRING, 1);

  for (guint i = 0; i < jobs->len; i++)
    {
      const KymoJobInfo *info = jobs->pdata[i];
      g_autofree char *target = dup_target (info, where);
      g_autoptr (GDateTime) time
        = g_date_time_new_from_unix_local (info->begin_us / G_USEC_PER_SEC);
      g_autofree char *words = time != NULL ? g_date_time_format_iso8601 (time) : NULL;

      kymo_table_append_string (list, attach, target);
      kymo_table_append_string (list, program, info->program);
      kymo_table_append_int (list, ranks, info->n_ranks);
      kymo_table_append_string (list, begin, words != NULL ? words : "");
      kymo_table_append_string (list, host, info->host);
      kymo_table_append_int (list, pid, info->pid);
      kymo_table_append_string (list, folder, info->folder);
    }
  kymo_table_set_table (answer, "jobs", list);
  return answer;
}

/**
 * kymo_cli_run_jobs:
 * @cli: the invocation; its word, if there is one, is the host
 * @error: where to put the reason
 *
 * Lists the jobs of this user.
 *
 * Returns: the exit code
 */
int
kymo_cli_run_jobs (KymoCli  *cli,
                   GError  **error)
{
  const char *where = cli->words->len > 0 ? cli->words->pdata[0] : NULL;
  g_autofree char *folder = kymo_jobs_dup_folder ();
  g_autoptr (GPtrArray) jobs = NULL;
  g_autoptr (KymoTable) answer = NULL;

  if (where != NULL && g_str_has_prefix (where, SCHEME))
    where += strlen (SCHEME);
  else if (where != NULL && kymo_jobs_is_here (where))
    where = NULL;
  jobs = where != NULL ? ask_host (cli, where, error)
                       : kymo_jobs_list (folder, kymo_job_peek_cancellable (cli->job));
  if (jobs == NULL)
    return KYMO_CLI_FAILED;
  if (kymo_cli_has (cli, "relay"))
    {
      g_autofree char *lines = kymo_jobs_dup_lines (jobs);

      fputs (lines, stdout);
      return fflush (stdout) == 0 ? KYMO_CLI_OK : KYMO_CLI_FAILED;
    }
  answer = make_answer (jobs, where);
  return kymo_cli_write_table (cli, answer, error) ? KYMO_CLI_OK : KYMO_CLI_FAILED;
}
