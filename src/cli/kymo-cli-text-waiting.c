/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text of `waiting`: how much of it there is, where, and the longest single waits; and of
 * `collectives`: sums by function, and those with the longest waiting.
 */
#include "config.h"

#include "kymo-cli.h"

#include <math.h>

#define MAX_ROWS 15
#define MAX_WORST 10
#define MAX_COLLECTIVES 20

/* Lists are sorted, the most first, but that of kinds, of which the empty ones
   are left out. */
static void
write_list (const KymoTable *answer, const char *list_name, const char *name,
            const char *head, GString *out)
{
  KymoTable *list = kymo_table_peek_nested (answer, list_name, NULL);
  double all_ns = MAX (kymo_table_get_int (answer, "total_ns", 0), 1);
  guint n = kymo_table_get_n_rows (list);
  const char *heads[] = { head, "Wait", "Share", "Times", "Longest" };
  KymoCliGrid *grid = kymo_cli_grid_begin (heads, G_N_ELEMENTS (heads), 1);

  for (guint i = 0; i < MIN (n, MAX_ROWS); i++)
    {
      gint64 ns = kymo_table_get_int (list, "ns", i);

      if (ns == 0)
        continue;
      kymo_cli_grid_add (grid, kymo_table_get_string (list, name, i));
      kymo_cli_grid_time (grid, list, "ns", i);
      kymo_cli_grid_take (grid, kymo_format_percent ((double) ns / all_ns));
      kymo_cli_grid_cells (grid, list, i, "count max_ns");
    }
  g_string_append_c (out, '\n');
  kymo_cli_grid_end (grid, out);
  kymo_cli_write_more (MIN (n, MAX_ROWS), n, out);
}

/* The locations that waited, or were waited for, the most first. */
static GArray *
rank_locations (const KymoTable *list)
{
  GArray *ranked = g_array_new (FALSE, FALSE, sizeof (KymoCliRanked));

  for (guint i = 0; i < kymo_table_get_n_rows (list); i++)
    {
      KymoCliRanked one = { i, MAX (kymo_table_get_int (list, "ns", i),
                                    kymo_table_get_int (list, "caused_ns", i)) };

      if (one.ns > 0)
        g_array_append_val (ranked, one);
    }
  g_array_sort (ranked, kymo_cli_compare_ranked);
  return ranked;
}

static void
write_locations (const KymoTable *answer, GString *out)
{
  static const char *const heads[] = { "Where", "Wait", "Share", "Times", "Wait caused" };
  KymoTable *list = kymo_table_peek_nested (answer, "locations", NULL);
  g_autoptr (GArray) ranked = rank_locations (list);
  KymoCliGrid *grid = kymo_cli_grid_begin (heads, G_N_ELEMENTS (heads), 1);

  for (guint i = 0; i < MIN (ranked->len, MAX_ROWS); i++)
    {
      guint row = g_array_index (ranked, KymoCliRanked, i).row;
      double share = kymo_table_get_double (list, "share", row);

      kymo_cli_grid_cells (grid, list, row, "label ns");
      kymo_cli_grid_take (grid, isnan (share) ? g_strdup ("–") : kymo_format_percent (share));
      kymo_cli_grid_cells (grid, list, row, "count caused_ns");
    }
  g_string_append_c (out, '\n');
  kymo_cli_grid_end (grid, out);
  if (ranked->len > MAX_ROWS)
    g_string_append_printf (out, "and %u more\n", ranked->len - MAX_ROWS);
}

static void
write_worst (const KymoTable *answer, GString *out)
{
  static const char *const heads[] = { "Longest", "From", "Where", "In", "Late", "It was in" };
  KymoTable *list = kymo_table_peek_nested (answer, "worst", NULL);
  KymoCliGrid *grid = kymo_cli_grid_new (G_N_ELEMENTS (heads));

  for (guint i = 0; i < G_N_ELEMENTS (heads); i++)
    kymo_cli_grid_add (grid, heads[i]);
  kymo_cli_grid_right (grid, 0);
  kymo_cli_grid_right (grid, 1);
  for (guint i = 0; i < MIN (kymo_table_get_n_rows (list), MAX_WORST); i++)
    {
      const char *did = kymo_table_get_string (list, "by_did", i);

      kymo_cli_grid_cells (grid, list, i, "wait_ns wait_begin_ns label function by_label");
      kymo_cli_grid_add (grid, did != NULL ? did : "–");
    }
  g_string_append_c (out, '\n');
  kymo_cli_grid_end (grid, out);
}

/** kymo_cli_text_waiting: by kind, function, path and location, and the longest */
void
kymo_cli_text_waiting (KymoCli *cli, const KymoTable *table, GString *out)
{
  gint64 ns = kymo_table_get_int (table, "total_ns", 0);
  gint64 rootless = kymo_table_get_int (table, "collectives_without_root", 0);
  g_autofree char *time = kymo_format_duration (ns);
  gint64 several = kymo_table_get_int (table, "collectives_may_be_several", 0);
  g_autofree char *share = kymo_format_percent (kymo_table_get_double (table, "share", 0));

  if (ns == 0)
    g_string_append (out, "Nobody waited for anybody here.\n");
  else
    {
      g_string_append_printf (out, "Waited for others: %s, %s of the time\n", time, share);
      write_list (table, "kinds", "name", "Kind", out);
      write_list (table, "functions", "name", "Function", out);
      write_list (table, "paths", "path", "Call path", out);
      write_locations (table, out);
      write_worst (table, out);
    }
  if (kymo_table_get_bool (table, "collectives_inferred", 0))
    g_string_append (out, "\nCollectives were put together by the names and the order of calls.\n");
  if (several > 0)
    g_string_append_printf (out, "%" G_GINT64_FORMAT " of them may be several at the same time: "
                            "the communicators are not recorded.\n", several);
  if (rootless > 0)
    g_string_append_printf (out, "%s%" G_GINT64_FORMAT " collectives have a root that nobody "
                            "knows or whose call is missing; who waited in them is left out.\n",
                            kymo_table_get_bool (table, "collectives_inferred", 0) ? "" : "\n",
                            rootless);
}

/* -- text of collectives --------------------------------------------------- */

static void
take_bytes (KymoCliGrid *grid, const KymoTable *list, const char *key, guint row)
{
  gint64 bytes = kymo_table_get_int (list, key, row);

  kymo_cli_grid_take (grid, bytes != KYMO_NULL_INT ? kymo_format_bytes (bytes) : g_strdup ("–"));
}

static void
write_collectives (const KymoTable *list, GString *out)
{
  static const char *const heads[] = { "Function", "Kind", "Times", "Waited", "Most", "Sent" };
  KymoCliGrid *grid = kymo_cli_grid_begin (heads, G_N_ELEMENTS (heads), 2);

  for (guint i = 0; i < kymo_table_get_n_rows (list); i++)
    {
      kymo_cli_grid_cells (grid, list, i, "name kind count wait_ns max_wait_ns");
      take_bytes (grid, list, "sent_bytes", i);
    }
  g_string_append_c (out, '\n');
  kymo_cli_grid_end (grid, out);
}

static void
write_longest_collectives (const KymoTable *list, GString *out)
{
  static const char *const heads[] =
    { "Function", "Came last", "From", "Last came", "Members", "Waited" };
  KymoCliGrid *grid = kymo_cli_grid_begin (heads, G_N_ELEMENTS (heads), 2);

  for (guint i = 0; i < MIN (kymo_table_get_n_rows (list), MAX_COLLECTIVES); i++)
    {
      kymo_cli_grid_cells (grid, list, i, "name last_label begin_ns");
      kymo_cli_grid_take (grid, kymo_format_duration_exact (
        kymo_table_get_int (list, "last_begin_ns", i)));
      kymo_cli_grid_cells (grid, list, i, "n_members wait_ns");
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
      write_collectives (kymo_table_peek_nested (table, "names", NULL), out);
      write_longest_collectives (kymo_table_peek_nested (table, "collectives", NULL), out);
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
