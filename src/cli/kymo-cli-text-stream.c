/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text of what streams are asked: who is busiest, and the replies.
 */
#include "config.h"

#include "kymo-cli.h"

#include <math.h>

#define MAX_ACTIVITIES 40
#define MAX_MARKS 20

/**
 * kymo_cli_has_rest:
 * @table: an answer
 *
 * Returns: whether what entry methods left is idle time or overhead and nobody
 * knows which, so that it must not be told as either
 */
gboolean
kymo_cli_has_rest (const KymoTable *table)
{
  return kymo_table_get_bool (table, "overhead_is_rest", 0);
}

/* -- info ------------------------------------------------------------------ */

static void
add_line (KymoCliGrid *grid, const char *label, char *value)
{
  kymo_cli_grid_add (grid, label);
  kymo_cli_grid_take (grid, value);
}

/* A note: when it was written, in the program's time, and its text. */
static char *
describe_mark (const KymoTable *marks, guint row)
{
  g_autofree char *time = kymo_format_duration_exact (
    kymo_table_get_int (marks, "time_ns", row));
  const char *text = kymo_table_get_string (marks, "text", row);

  return g_strdup_printf ("%s: %s", time, text != NULL ? text : "");
}

/** kymo_cli_text_add_stream: what came of it, and what was noted beside it */
void
kymo_cli_text_add_stream (KymoCliGrid *grid, const KymoTable *info)
{
  const KymoTable *stream = kymo_table_peek_nested (info, "stream", NULL);
  const KymoTable *marks = kymo_table_peek_nested (info, "marks", NULL);
  const char *handler, *ended;
  guint n = marks != NULL ? kymo_table_get_n_rows (marks) : 0;

  if (stream == NULL)
    return;
  handler = kymo_table_get_string (stream, "handler", 0);
  ended = kymo_table_get_string (stream, "ended", 0);
  if (handler != NULL)
    add_line (grid, "Handler", g_strdup (handler));
  g_autofree char *blocks = kymo_format_count (
    kymo_table_get_int (stream, "blocks", 0));
  g_autofree char *lost = kymo_format_count (
    kymo_table_get_int (stream, "lost", 0));
  g_autofree char *bytes = kymo_format_bytes (
    kymo_table_get_int (stream, "bytes_received", 0));
  add_line (grid, "Received", g_strdup_printf ("%s blocks, %s lost, %s",
                                               blocks, lost, bytes));
  if (ended != NULL)
    add_line (grid, "Ended", g_strdup (ended));
  for (guint i = 0; i < MIN (n, MAX_MARKS); i++)
    add_line (grid, i == 0 ? "Marks" : "", describe_mark (marks, i));
  if (n > MAX_MARKS)
    add_line (grid, "", g_strdup_printf ("and %u more; --format json lists "
                                         "them", n - MAX_MARKS));
}

/* -- busiest --------------------------------------------------------------- */

static void
add_shares (KymoCliGrid *grid, const char *name, const KymoTable *table,
            guint row)
{
  static const char *const keys[] = { "now", "mean", "lowest", "highest" };

  kymo_cli_grid_add (grid, name);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      double share = kymo_table_get_double (table, keys[i], row);

      kymo_cli_grid_take (grid, isnan (share) ? g_strdup ("–")
                          : kymo_format_percent (share));
    }
}

/* The time ranges that the columns are about. */
static void
write_steps (const KymoTable *table, GString *out)
{
  gint64 begin_ns = kymo_table_get_int (table, "now_begin_ns", 0);
  gint64 end_ns = kymo_table_get_int (table, "now_end_ns", 0);
  gint64 n = kymo_table_get_int (table, "steps", 0);
  g_autofree char *step = kymo_format_duration (
    kymo_table_get_int (table, "step_ns", 0));
  g_autofree char *begin = NULL, *end = NULL;

  if (begin_ns == KYMO_NULL_INT)
    {
      g_string_append (out, "nothing was traced here\n");
      return;
    }
  begin = kymo_format_duration_exact (begin_ns);
  end = kymo_format_duration_exact (end_ns);
  g_string_append_printf (out, "now is %s to %s; lowest and highest are of %"
                          G_GINT64_FORMAT " %s of %s\n", begin, end, n,
                          n == 1 ? "step" : "steps", step);
}

/** kymo_cli_text_busiest: shares of all traced time, busiest now first */
void
kymo_cli_text_busiest (KymoCli *cli, const KymoTable *table, GString *out)
{
  static const char *const heads[] = { "Activity", "Now", "Mean", "Lowest",
                                       "Highest" };
  KymoTable *list = kymo_table_peek_nested (table, "activities", NULL);
  guint n = list != NULL ? kymo_table_get_n_rows (list) : 0;
  KymoCliGrid *grid = kymo_cli_grid_begin (heads, G_N_ELEMENTS (heads), 1);
  gboolean functions = kymo_source_get_terms (cli->source).code == KYMO_CODE_FUNCTION;

  add_shares (grid, functions ? "Useful" : "Busy", kymo_table_peek_nested (table, "busy", NULL), 0);
  add_shares (grid, functions ? "Other than useful"
              : kymo_cli_has_rest (table) ? "Idle or overhead"
              : "Idle and overhead",
              kymo_table_peek_nested (table, "rest", NULL), 0);
  for (guint i = 0; i < MIN (n, MAX_ACTIVITIES); i++)
    add_shares (grid, kymo_table_get_string (list, "name", i), list, i);
  kymo_cli_grid_end (grid, out);
  kymo_cli_write_more (MIN (n, MAX_ACTIVITIES), n, out);
  write_steps (table, out);
}

/* -- replies --------------------------------------------------------------- */

static char *
format_rate (double bytes)
{
  g_autofree char *words = kymo_format_bytes (llround (bytes));

  return g_strconcat (words, "/s", NULL);
}

static void
write_totals (const KymoTable *table, GString *out)
{
  g_autofree char *blocks = kymo_format_count (
    kymo_table_get_int (table, "total_blocks", 0));
  g_autofree char *lost = kymo_format_count (
    kymo_table_get_int (table, "total_lost", 0));
  g_autofree char *empty = kymo_format_count (
    kymo_table_get_int (table, "total_empty", 0));
  g_autofree char *bytes = kymo_format_bytes (
    kymo_table_get_int (table, "bytes_received", 0));
  g_autofree char *now = format_rate (
    kymo_table_get_double (table, "bandwidth_now", 0));
  g_autofree char *all = format_rate (
    kymo_table_get_double (table, "bandwidth", 0));

  g_string_append_printf (out, "%s blocks, %s lost, %s empty replies, %s\n"
                          "%s over all, %s in the last 10 s\n\n", blocks, lost,
                          empty, bytes, all, now);
}

static void
add_bar (KymoCliGrid *grid, const KymoTable *table, guint i)
{
  static const char *const keys[] = { "bytes", "largest_bytes", "blocks",
                                      "lost_ns", "delay_ns" };

  kymo_cli_grid_take (grid, kymo_format_duration_exact (
    kymo_table_peek_ints (table, "edges_ns", NULL)[i]));
  for (guint k = 0; k < G_N_ELEMENTS (keys); k++)
    kymo_cli_grid_take (grid, kymo_cli_format_int (
      keys[k], kymo_table_peek_ints (table, keys[k], NULL)[i]));
}

/** kymo_cli_text_replies: totals, then a line a bar */
void
kymo_cli_text_replies (KymoCli *cli, const KymoTable *table, GString *out)
{
  static const char *const heads[] = { "From", "Bytes", "Largest", "Blocks",
                                       "Lost", "Delay" };
  KymoCliGrid *grid = kymo_cli_grid_begin (heads, G_N_ELEMENTS (heads), 0);
  guint n_edges = 0;

  write_totals (table, out);
  kymo_table_peek_ints (table, "edges_ns", &n_edges);
  for (guint i = 0; i + 1 < n_edges; i++)
    add_bar (grid, table, i);
  kymo_cli_grid_end (grid, out);
}
