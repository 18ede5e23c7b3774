/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * desk: what a file of a desk holds, or what the window keeps of a run: its
 * bookmarks with their notes, and what was chosen. Beside what `search` finds in the run:
 * bookmarks that begin in the range and whose name or note matches, in the order of time.
 *
 * Thread: the worker's.
 */
#include "config.h"

#include "kymo-cli.h"

#include <string.h>

#include "kymo-bookmark-match.h"
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
  g_autoptr (KymoSourceFacts) facts = kymo_source_dup_facts (cli->source);
  gboolean is_here = facts->path != NULL && !KYMO_IS_REMOTE_SOURCE (cli->source);
  g_autofree char *key = NULL;
  KymoDesk *desk;

  if (strcmp (path, "kept") != 0)
    return tell_desk (cli, kymo_desk_load (path, error));
  key = kymo_desk_store_dup_key (is_here ? facts->path : cli->words->pdata[0], facts->title);
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

/* -- bookmarks beside what search finds ------------------------------------ */

static int
compare_notes (gconstpointer a, gconstpointer b)
{
  const KymoDeskNote *const *x = a, *const *y = b;

  return (*x)->span.begin_ns < (*y)->span.begin_ns ? -1
    : (*x)->span.begin_ns > (*y)->span.begin_ns;
}

static KymoTable *
make_list (const GPtrArray *notes)
{
  KymoTable *list = kymo_bookmarks_table_new ();

  for (guint i = 0; i < notes->len; i++)
    {
      const KymoDeskNote *one = notes->pdata[i];

      kymo_bookmarks_table_append (list, one->span, one->name, one->note, one->locations);
    }
  return list;
}

/**
 * kymo_cli_add_bookmarks:
 * @answer: of search; gets "bookmarks", where --desk names a file, or that which is kept
 */
gboolean
kymo_cli_add_bookmarks (KymoCli *cli, KymoTable *answer, GError **error)
{
  const char *path = kymo_cli_get (cli, "desk");
  KymoSpan span = kymo_cli_get_span (cli);
  g_autoptr (KymoDesk) desk = path != NULL ? kymo_cli_load_desk (cli, path, error) : NULL;
  g_autoptr (KymoPattern) pattern = NULL;
  g_autoptr (GPtrArray) found = g_ptr_array_new ();

  if (path == NULL || desk == NULL)
    return path == NULL;
  pattern = kymo_pattern_new (cli->words->pdata[1], kymo_cli_has (cli, "regex"), error);
  if (pattern == NULL)
    return FALSE;
  for (guint i = 0; i < desk->notes->len; i++)
    {
      KymoDeskNote *note = desk->notes->pdata[i];

      if (note->span.begin_ns >= span.begin_ns && note->span.begin_ns < span.end_ns
          && kymo_bookmark_matches (pattern, note->name, note->note))
        g_ptr_array_add (found, note);
    }
  if (!kymo_pattern_check (pattern, TRUE, error))
    return FALSE;
  g_ptr_array_sort (found, compare_notes);
  kymo_table_set_int (answer, "bookmarks_found", found->len);
  kymo_table_set_table (answer, "bookmarks", make_list (found));
  return TRUE;
}
