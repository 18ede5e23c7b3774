/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text of `outliers`: whose blocks are far above their median, and which; and of `explain`:
 * what sets PEs apart.
 */
#include "config.h"

#include "kymo-cli.h"

#include <math.h>

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

      kymo_cli_grid_cells (grid, names, row, "name blocks median_ns outliers excess_ns");
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
    kymo_cli_grid_cells (grid, list, i, "label name begin_ns duration_ns median_ns");
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

/* -- text of explain --------- */

/* "2.1 standard deviations above; longest at 1.25 s on PE 17" */
static void
write_more (KymoCli *cli, const KymoTable *reasons, guint row, GString *out)
{
  double deviations = kymo_table_get_double (reasons, "deviations", row);
  gint64 location = kymo_table_get_int (reasons, "location", row);
  GString *line = g_string_new (NULL);

  if (isfinite (deviations))
    {
      char number[G_ASCII_DTOSTR_BUF_SIZE];

      g_ascii_formatd (number, sizeof number, "%.1f", fabs (deviations));
      g_string_append_printf (line, "%s standard deviations %s the mean", number,
                              deviations < 0 ? "below" : "above");
    }
  if (location != KYMO_NULL_INT)
    {
      gint64 begin_ns = kymo_table_get_int (reasons, "begin_ns", row);
      g_autofree char *at = kymo_format_duration_exact (begin_ns);
      g_autofree char *length = kymo_format_duration (
        kymo_table_get_int (reasons, "end_ns", row) - begin_ns);

      g_string_append_printf (line, "%sthe longest takes %s, at %s on %s %" G_GINT64_FORMAT,
                              line->len > 0 ? "; " : "", length, at, kymo_cli_row (cli, FALSE),
                              location);
    }
  if (line->len > 0)
    g_string_append_printf (out, "   %s\n", line->str);
  g_string_free (line, TRUE);
}

/** kymo_cli_text_explain: a sentence a reason, the largest difference first */
void
kymo_cli_text_explain (KymoCli *cli, const KymoTable *table, GString *out)
{
  KymoTable *reasons = kymo_table_peek_nested (table, "reasons", NULL);
  guint n = kymo_table_get_n_rows (reasons), n_of = 0, n_left_out = 0;
  g_autofree char *pes = kymo_format_count (kymo_table_get_int (table, "pes", 0));

  kymo_table_peek_ints (table, "of", &n_of);
  kymo_table_peek_ints (table, "left_out", &n_left_out);
  for (guint i = 0; i < n; i++)
    {
      g_string_append_printf (out, "%s.\n", kymo_table_get_string (reasons, "sentence", i));
      write_more (cli, reasons, i, out);
    }
  if (n == 0)
    g_string_append_printf (out, "Nothing ran on any %s in this range.\n",
                            kymo_cli_row (cli, FALSE));
  g_string_append_printf (out, "\n%u of %s %s against the mean of all.\n", n_of, pes,
                          kymo_cli_row (cli, TRUE));
  if (n_left_out > 0)
    g_string_append_printf (out, "%u left out: communication threads, and %s whose logs were "
                            "cut away.\n", n_left_out, kymo_cli_row (cli, TRUE));
}
