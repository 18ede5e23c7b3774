/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * kymo-cli cache: what is kept of runs between two openings, and clearing it.
 * It opens no run and reads none of its files.
 */
#include "config.h"

#include "kymo-cache-folder.h"
#include "kymo-cli.h"

#include "kymo-cache-list.h"
#include "kymo-cache-pictures.h"

static char *
format_time (gint64 time_s)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_utc (time_s);

  return time != NULL ? g_date_time_format (time, "%Y-%m-%dT%H:%M:%SZ") : g_strdup ("");
}

/* Answers are UTF-8, but a path may hold any bytes. */
static KymoTable *
make_list (GPtrArray *items)
{
  KymoTable *table = kymo_table_new_list ("run:string name:string size_bytes last_used:string "
                                          "file:string");

  for (guint i = 0; i < items->len; i++)
    {
      const KymoCacheItem *item = g_ptr_array_index (items, i);
      g_autofree char *folder = item->folder != NULL ? g_utf8_make_valid (item->folder, -1) : NULL;
      g_autofree char *time = format_time (item->used_s);

      kymo_table_append_row (table, folder, item->title, item->n_bytes, time, item->name);
    }
  return table;
}

static KymoTable *
make_answer (GPtrArray *items,
             gboolean   clears,
             gint64     cleared_bytes)
{
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);
  g_autofree char *raw = kymo_cache_dup_folder ();
  g_autofree char *folder = g_utf8_make_valid (raw, -1);

  kymo_table_set_string (answer, "folder", folder);
  kymo_table_set_int (answer, "limit_bytes", kymo_cache_get_max_bytes ());
  kymo_table_set_int (answer, "total_bytes", kymo_cache_get_bytes ());
  if (clears)
    kymo_table_set_int (answer, "cleared_files", items->len);
  if (clears)
    kymo_table_set_int (answer, "cleared_bytes", cleared_bytes);
  kymo_table_set_table (answer, "runs", make_list (items));
  return answer;
}

static gboolean
cache_clear (GPtrArray  *items,
             gint64     *n_bytes,
             GError    **error)
{
  for (guint i = 0; i < items->len; i++)
    {
      const KymoCacheItem *item = g_ptr_array_index (items, i);

      if (!kymo_cache_item_remove (item, error))
        return FALSE;
      *n_bytes += item->n_bytes;
    }
  return TRUE;
}

static gboolean
set_limit (KymoCli  *cli,
           GError  **error)
{
  const char *text = kymo_cli_get (cli, "max-size");
  gint64 n_bytes;

  if (text == NULL)
    return TRUE;
  if (!kymo_parse_size (text, &n_bytes, error) || !kymo_cache_set_max_bytes (n_bytes, error))
    return FALSE;
  kymo_cache_trim ();
  return TRUE;
}

/**
 * kymo_cli_run_cache:
 * @cli: the invocation; its word, if any, names a run
 * @error: where to put the reason
 *
 * Lists what is kept, or with --clear what was.
 *
 * Returns: the exit code
 */
int
kymo_cli_run_cache (KymoCli  *cli,
                    GError  **error)
{
  const char *run = cli->words->len > 0 ? cli->words->pdata[0] : NULL;
  g_autoptr (GPtrArray) items = NULL;
  g_autoptr (KymoTable) answer = NULL;
  gint64 cleared_bytes = 0;
  gboolean clears = kymo_cli_has (cli, "clear");

  if (!set_limit (cli, error))
    return KYMO_CLI_FAILED;
  items = kymo_cache_list (run, kymo_cli_get (cli, "base"));
  if (clears && !cache_clear (items, &cleared_bytes, error))
    return KYMO_CLI_FAILED;
  if (clears && (run != NULL || kymo_cli_get (cli, "base") == NULL))
    kymo_cache_pictures_clear (run);
  answer = make_answer (items, clears, cleared_bytes);
  return kymo_cli_write_table (cli, answer, error) ? KYMO_CLI_OK : KYMO_CLI_FAILED;
}
