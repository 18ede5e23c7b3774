/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Machines of hosts.conf: which there are, whether a server can be reached on one, and bringing one
 * there.
 */
#include "config.h"

#include "kymo-cli.h"

#include "kymo-host-test.h"
#include "kymo-host.h"

static void
add_step (const KymoHostStep *step, gpointer data)
{
  kymo_table_append_row (data, step->title, step->passed, step->words);
}

static KymoTable *
list_hosts (KymoCli *cli)
{
  g_autofree char *problem = NULL;
  g_autoptr (GPtrArray) hosts = kymo_hosts_load (&problem);
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);
  KymoTable *list = kymo_table_new_list ("host:string ssh:string launches:string file:string");

  for (guint i = 0; i < hosts->len; i++)
    {
      const KymoHost *host = hosts->pdata[i];
      g_autofree char *words = g_strjoinv (" ", host->ssh);
      g_autoptr (GString) names = g_string_new (NULL);

      for (guint k = 0; k < host->launches->len; k++)
        g_string_append_printf (names, "%s%s", k > 0 ? " " : "",
                                ((KymoLaunch *) host->launches->pdata[k])->name);
      kymo_table_append_row (list, host->name, words, names->str, host->file);
    }
  kymo_table_set_table (answer, "hosts", list);
  if (problem != NULL)
    kymo_cli_tell ("%s", problem);
  return answer;
}

static int
test_host (KymoCli *cli, const char *host, GError **error)
{
  g_autoptr (KymoTable) answer = kymo_table_new (KYMO_STYLE_OBJECT);
  KymoTable *steps = kymo_table_new_list ("step:string passed:bool words:string");
  g_autoptr (GError) why = NULL;
  gboolean passed;

  passed = kymo_host_test (host, kymo_cli_get (cli, "launch"), add_step, steps, cli->job, &why);
  kymo_table_set_table (answer, "steps", steps);
  if (why != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&why));
      return KYMO_CLI_FAILED;
    }
  return kymo_cli_write_table (cli, answer, error) && passed ? KYMO_CLI_OK : KYMO_CLI_FAILED;
}

static int
install_host (KymoCli *cli, const char *host, GError **error)
{
  g_autoptr (KymoTable) answer = kymo_table_new (KYMO_STYLE_OBJECT);
  g_autofree char *version = kymo_host_install (host, kymo_cli_get (cli, "install"), cli->job,
                                                error);

  if (version == NULL)
    return KYMO_CLI_FAILED;
  kymo_table_set_string (answer, "host", host);
  kymo_table_set_string (answer, "version", version);
  return kymo_cli_write_table (cli, answer, error) ? KYMO_CLI_OK : KYMO_CLI_FAILED;
}

/**
 * kymo_cli_run_hosts:
 * @cli: the invocation; its word is a host, or it has none
 * @error: where to put the reason
 *
 * Lists the machines of hosts.conf, tests one of them step by step, or installs a server there.
 *
 * Returns: the exit code
 */
int
kymo_cli_run_hosts (KymoCli *cli, GError **error)
{
  const char *host = cli->words->len > 0 ? cli->words->pdata[0] : NULL;
  g_autoptr (KymoTable) answer = NULL;

  if (host == NULL && kymo_cli_has (cli, "install"))
    {
      g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_USAGE, "--install needs a host");
      return KYMO_CLI_USAGE;
    }
  if (host != NULL)
    return kymo_cli_has (cli, "install") ? install_host (cli, host, error)
                                         : test_host (cli, host, error);
  answer = list_hosts (cli);
  return kymo_cli_write_table (cli, answer, error) ? KYMO_CLI_OK : KYMO_CLI_FAILED;
}
