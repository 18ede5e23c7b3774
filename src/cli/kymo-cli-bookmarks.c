/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bookmarks of a desk, beside what `search` finds in the run: those that begin in the range
 * and whose name or note matches, in the order of time.
 */
#include "config.h"

#include "kymo-bookmark-match.h"
#include "kymo-cli.h"
#include "kymo-desk-answer.h"

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
