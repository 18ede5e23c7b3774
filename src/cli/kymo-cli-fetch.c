/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Brings a run of another machine here.
 */
#include "config.h"

#include "kymo-cli.h"

#include "kymo-remote-fetch.h"

/**
 * kymo_cli_run_fetch:
 * @cli: the invocation; its words are the address of a run and a folder here
 * @error: where to put the reason
 *
 * Brings all files of the run into the folder, and says how many there are.
 *
 * Returns: the exit code
 */
int
kymo_cli_run_fetch (KymoCli *cli, GError **error)
{
  const char *folder = cli->words->pdata[1];
  g_autoptr (KymoRemoteAddress) address = kymo_remote_address_parse (cli->words->pdata[0], error);
  const KymoRemoteWay way = {
    .server = kymo_cli_find_server (cli), .launch = kymo_cli_get (cli, "launch"),
  };
  g_autoptr (KymoTable) answer = NULL;
  KymoRemoteFetched fetched;

  if (address == NULL)
    return KYMO_CLI_USAGE;
  if (!kymo_remote_fetch (address, &way, folder, &fetched, cli->job, error))
    return KYMO_CLI_FAILED;
  answer = kymo_table_new (KYMO_STYLE_OBJECT);
  kymo_table_set_string (answer, "folder", folder);
  kymo_table_set_int (answer, "files", fetched.files);
  kymo_table_set_int (answer, "bytes", fetched.bytes);
  kymo_table_set_int (answer, "kept_bytes", fetched.kept_bytes);
  return kymo_cli_write_table (cli, answer, error) ? KYMO_CLI_OK : KYMO_CLI_FAILED;
}

/** kymo_cli_text_fetch: how much of the run was fetched, and how much was here before */
void
kymo_cli_text_fetch (KymoCli *cli, const KymoTable *answer, GString *out)
{
  gint64 kept = kymo_table_get_int (answer, "kept_bytes", 0);
  g_autofree char *bytes = kymo_format_bytes (kymo_table_get_int (answer, "bytes", 0));
  g_autofree char *before = kymo_format_bytes (kept);

  g_string_append_printf (out, "%" G_GINT64_FORMAT " files, %s", kymo_table_get_int (answer,
                                                                                     "files", 0),
                          bytes);
  if (kept > 0)
    g_string_append_printf (out, ", of which %s were here before", before);
  g_string_append (out, ".\n");
}
