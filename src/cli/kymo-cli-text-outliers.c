/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text of `outliers`: whose blocks are far above their median, and which.
 */
#include "config.h"

#include "kymo-cli.h"

#define MAX_NAMES 15
#define MAX_BLOCKS 15

/* Names with outliers, the most excess first. */
static void
write_names (const KymoTable *answer, GString *out)
{
  static const char *const heads[] = { "Name", "Blocks", "Median", "Outliers", "Excess" };
  KymoTable *names = kymo_table_peek_nested (answer, "names", NULL);
  g_autoptr (GArray) ranked = g_array_new (FALSE, FALSE, sizeof (KymoCliRanked));
  KymoCliGrid *grid = kymo_cli_grid_begin (heads, G_N_ELEMENTS (heads), 1);

  for (guint i = 0; i < kymo_table_get_n_rows (names); i++)
    {
      KymoCliRanked one = { i, kymo_table_get_int (names, "excess_ns", i) };

      if (one.ns > 0)
        g_array_append_val (ranked, one);
    }
  g_array_sort (ranked, kymo_cli_compare_ranked);
  for (guint i = 0; i < MIN (ranked->len, MAX_NAMES); i++)
    {
      guint row = g_array_index (ranked, KymoCliRanked, i).row;

      kymo_cli_grid_add (grid, kymo_table_get_string (names, "name", row));
      kymo_cli_grid_count (grid, names, "blocks", row);
      kymo_cli_grid_time (grid, names, "median_ns", row);
      kymo_cli_grid_count (grid, names, "outliers", row);
      kymo_cli_grid_time (grid, names, "excess_ns", row);
    }
  kymo_cli_grid_end (grid, out);
}

static void
write_blocks (const KymoTable *answer, GString *out)
{
  static const char *const heads[] = { "Where", "Name", "At", "For", "Median" };
  KymoTable *list = kymo_table_peek_nested (answer, "outliers", NULL);
  KymoCliGrid *grid = kymo_cli_grid_begin (heads, G_N_ELEMENTS (heads), 2);

  for (guint i = 0; i < MIN (kymo_table_get_n_rows (list), MAX_BLOCKS); i++)
    {
      kymo_cli_grid_add (grid, kymo_table_get_string (list, "label", i));
      kymo_cli_grid_add (grid, kymo_table_get_string (list, "name", i));
      kymo_cli_grid_take (grid, kymo_format_duration_exact (
                            kymo_table_get_int (list, "begin_ns", i)));
      kymo_cli_grid_time (grid, list, "duration_ns", i);
      kymo_cli_grid_time (grid, list, "median_ns", i);
    }
  g_string_append_c (out, '\n');
  kymo_cli_grid_end (grid, out);
}

/* "PE 3: work, 3.2 ms from 1.5 s; the median of 120 blocks is 790 us; 3 of them are longer" */
static void
write_block (const KymoTable *table, GString *out)
{
  KymoTable *block = kymo_table_peek_nested (table, "block", NULL);
  gint64 n, median_ns;

  if (block == NULL)
    return;
  n = kymo_table_get_int (block, "blocks", 0);
  median_ns = kymo_table_get_int (block, "median_ns", 0);
  g_autofree char *length = kymo_format_duration (kymo_table_get_int (block, "duration_ns", 0));
  g_autofree char *at = kymo_format_duration_exact (kymo_table_get_int (block, "begin_ns", 0));
  g_autofree char *all = kymo_format_count (n);
  g_autofree char *longer = kymo_format_count (kymo_table_get_int (block, "rank", 0) - 1);
  g_autofree char *median = n > 0 ? kymo_format_duration (median_ns) : NULL;

  g_string_append_printf (out, "%s: %s, %s from %s", kymo_table_get_string (block, "label", 0),
                          kymo_table_get_string (block, "name", 0), length, at);
  if (median == NULL)
    g_string_append (out, "; no block of that name begins in the range");
  else
    g_string_append_printf (out, "; the median of %s blocks is %s; %s of them are longer", all,
                            median, longer);
  if (n > 0 && median_ns > 0)
    {
      g_autofree char *times = kymo_format_number (
        (double) kymo_table_get_int (block, "duration_ns", 0) / median_ns, 3);

      g_string_append_printf (out, "; %s times the median", times);
    }
  g_string_append (out, "\n\n");
}

/**
 * kymo_cli_text_outliers:
 * @table: an answer of kind outliers
 *
 * Appends the text for people: the block that was asked about where there is one, then names with
 * outliers and the first blocks, at most 15 each.
 */
void
kymo_cli_text_outliers (KymoCli *cli, const KymoTable *table, GString *out)
{
  KymoTable *list = kymo_table_peek_nested (table, "outliers", NULL);
  guint n = kymo_table_get_n_rows (list);

  write_block (table, out);
  if (n == 0)
    {
      g_string_append_printf (out, "No block is more than %" G_GINT64_FORMAT
                              " times as long as the median of its name\n",
                              kymo_table_get_int (table, "times", 0));
      return;
    }
  write_names (table, out);
  write_blocks (table, out);
  if (n > MAX_BLOCKS)
    g_string_append (out, "and more; --format csv lists them\n");
}
