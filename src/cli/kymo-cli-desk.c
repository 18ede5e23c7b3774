/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * desk: what a file of a desk holds, or what the window keeps of a run: its
 * bookmarks with their notes, and what was chosen.
 *
 * Thread: the worker's.
 */
#include "config.h"

#include "kymo-cli.h"

#include <string.h>

#include "kymo-desk-answer.h"
#include "kymo-desk-store.h"

/* Warns of parts of the file that were left out: the other parts are still good. */
static KymoDesk *
tell_desk (KymoCli *cli, KymoDesk *desk)
{
  g_autofree char *words = desk != NULL ? kymo_desk_dup_left_out (desk) : NULL;

  if (words != NULL && !kymo_cli_has (cli, "quiet"))
    kymo_cli_tell ("%s", words);
  return desk;
}

static KymoDesk *
load_desk (KymoCli *cli, const char *path, GError **error)
{
  KymoDesk *desk;

  if (g_str_has_suffix (path, KYMO_DESK_SUFFIX))
    return tell_desk (cli, kymo_desk_load (path, error));
  desk = kymo_desk_store_find (path);
  if (desk == NULL)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                 "nothing is kept of %s, and it is no file of a desk (.kymodesk)", path);
  return tell_desk (cli, desk);
}

/**
 * kymo_cli_load_desk:
 * @cli: with a run
 * @path: a file, or "kept": what the window keeps of the run
 */
KymoDesk *
kymo_cli_load_desk (KymoCli *cli, const char *path, GError **error)
{
  g_autofree char *key = NULL;
  KymoDesk *desk;

  if (strcmp (path, "kept") != 0)
    return tell_desk (cli, kymo_desk_load (path, error));
  key = kymo_desk_store_dup_key (cli->run->path != NULL ? cli->run->path : cli->words->pdata[0],
                                 cli->run->title);
  desk = kymo_desk_store_load (key);
  if (desk == NULL)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, "no desk is kept of %s",
                 (const char *) cli->words->pdata[0]);
  return tell_desk (cli, desk);
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
  g_autoptr (KymoDesk) desk = load_desk (cli, cli->words->pdata[0], error);
  g_autoptr (KymoTable) answer = desk != NULL ? kymo_desk_dup_answer (desk) : NULL;
  KymoTable *written = answer;

  if (answer == NULL)
    return KYMO_CLI_FAILED;
  if (g_strcmp0 (kymo_cli_get (cli, "format"), "csv") == 0)
    written = kymo_table_peek_nested (answer, "bookmarks", NULL);
  return kymo_cli_write_table (cli, written, error) ? KYMO_CLI_OK : KYMO_CLI_FAILED;
}
