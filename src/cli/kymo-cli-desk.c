/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * desk: what a file of a desk holds, or what the window keeps of a run: its
 * bookmarks with their notes, and what was chosen.
 *
 * Thread: the worker's.
 */
#include "config.h"

#include "kymo-cli.h"

#include "kymo-desk-answer.h"
#include "kymo-desk-store.h"

static KymoDesk *
load (const char *path, GError **error)
{
  KymoDesk *desk;

  if (g_str_has_suffix (path, KYMO_DESK_SUFFIX))
    return kymo_desk_load (path, error);
  desk = kymo_desk_store_find (path);
  if (desk == NULL)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                 "nothing is kept of %s, and it is no file of a desk (.kymodesk)", path);
  return desk;
}

/**
 * kymo_cli_run_desk:
 * @cli: the invocation
 * @error: where to put the reason
 *
 * CSV is of the bookmarks alone.
 *
 * Returns: the exit code
 */
int
kymo_cli_run_desk (KymoCli *cli, GError **error)
{
  g_autoptr (KymoDesk) desk = load (cli->words->pdata[0], error);
  g_autoptr (KymoTable) answer = desk != NULL ? kymo_desk_dup_answer (desk) : NULL;
  KymoTable *written = answer;

  if (answer == NULL)
    return KYMO_CLI_FAILED;
  if (g_strcmp0 (kymo_cli_get (cli, "format"), "csv") == 0)
    written = kymo_table_peek_nested (answer, "bookmarks", NULL);
  return kymo_cli_write_table (cli, written, error) ? KYMO_CLI_OK : KYMO_CLI_FAILED;
}
