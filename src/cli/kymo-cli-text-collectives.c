/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text of `collectives`: sums by function, and those with the longest waiting.
 */
#include "config.h"

#include "kymo-cli.h"

#define MAX_ROWS 20

static void
take_bytes (KymoCliGrid *grid, const KymoTable *list, const char *key, guint row)
{
  gint64 bytes = kymo_table_get_int (list, key, row);

  kymo_cli_grid_take (grid, bytes != KYMO_NULL_INT ? kymo_format_bytes (bytes) : g_strdup ("–"));
}

static void
write_names (const KymoTable *list, GString *out)
{
  static const char *const heads[] = { "Function", "Kind", "Times", "Waited", "Most", "Sent" };
  KymoCliGrid *grid = kymo_cli_grid_begin (heads, G_N_ELEMENTS (heads), 2);

  for (guint i = 0; i < kymo_table_get_n_rows (list); i++)
    {
      kymo_cli_grid_add (grid, kymo_table_get_string (list, "name", i));
      kymo_cli_grid_add (grid, kymo_table_get_string (list, "kind", i));
      kymo_cli_grid_count (grid, list, "count", i);
      kymo_cli_grid_time (grid, list, "wait_ns", i);
      kymo_cli_grid_time (grid, list, "max_wait_ns", i);
      take_bytes (grid, list, "sent_bytes", i);
    }
  g_string_append_c (out, '\n');
  kymo_cli_grid_end (grid, out);
}

static void
write_longest (const KymoTable *list, GString *out)
{
  static const char *const heads[] =
    { "Function", "Came last", "From", "Last came", "Members", "Waited" };
  KymoCliGrid *grid = kymo_cli_grid_begin (heads, G_N_ELEMENTS (heads), 2);

  for (guint i = 0; i < MIN (kymo_table_get_n_rows (list), MAX_ROWS); i++)
    {
      kymo_cli_grid_add (grid, kymo_table_get_string (list, "name", i));
      kymo_cli_grid_add (grid, kymo_table_get_string (list, "last_label", i));
      kymo_cli_grid_take (grid, kymo_format_duration_exact (
        kymo_table_get_int (list, "begin_ns", i)));
      kymo_cli_grid_take (grid, kymo_format_duration_exact (
        kymo_table_get_int (list, "last_begin_ns", i)));
      kymo_cli_grid_count (grid, list, "n_members", i);
      kymo_cli_grid_time (grid, list, "wait_ns", i);
    }
  g_string_append_c (out, '\n');
  kymo_cli_grid_end (grid, out);
}

/** kymo_cli_text_collectives: by function, and the worst ones */
void
kymo_cli_text_collectives (KymoCli *cli, const KymoTable *table, GString *out)
{
  g_autofree char *count = kymo_format_count (kymo_table_get_int (table, "count", 0));
  g_autofree char *wait = kymo_format_duration (kymo_table_get_int (table, "wait_ns", 0));
  gint64 left_out = kymo_table_get_int (table, "left_out", 0);
  gint64 several = kymo_table_get_int (table, "may_be_several", 0);

  if (kymo_table_get_int (table, "count", 0) == 0)
    g_string_append (out, "No collective operations here.\n");
  else
    {
      g_string_append_printf (out, "Collective operations: %s; waited in them: %s\n", count, wait);
      write_names (kymo_table_peek_nested (table, "names", NULL), out);
      write_longest (kymo_table_peek_nested (table, "collectives", NULL), out);
    }
  if (kymo_table_get_bool (table, "inferred", 0))
    g_string_append (out, "\nPut together by the names and the times of calls.\n");
  if (several > 0)
    g_string_append_printf (out, "%" G_GINT64_FORMAT " of them may be several at the same time: "
                            "the communicators are not recorded.\n", several);
  if (left_out > 0)
    g_string_append_printf (out, "%" G_GINT64_FORMAT " calls could not be put together.\n",
                            left_out);
}
