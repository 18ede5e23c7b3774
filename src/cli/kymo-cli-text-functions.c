/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text of profiles of functions: tables of a thread, trees of calls, user events, and
 * statistics over all locations. Figures are in the metric's unit; times are written
 * as times.
 */
#include "config.h"

#include "kymo-cli.h"
#include "kymo-in-terms.h"

#include <math.h>
#include <string.h>

#define MAX_ROWS 60

/* A figure of the answer's metric. */
static char *
format_figure (const KymoTable *answer, double value)
{
  double unit_ns = kymo_table_get_double (answer, "unit_ns", 0);

  if (!isfinite (value))
    return g_strdup ("–");
  if (unit_ns > 0 && fabs (value * unit_ns) < 9e18)
    return kymo_format_duration (llround (value * unit_ns));
  return kymo_cli_format_double ("", value);
}

static char *
format_number (double value)
{
  return isfinite (value) && value == floor (value) && fabs (value) < 1e15
    ? kymo_format_count (llround (value)) : kymo_cli_format_double ("", value);
}

/* Numbers, and in the last column names: of functions where that has no title. */
static KymoCliGrid *
new_grid (const KymoTable *answer, const char *const *titles, guint n)
{
  KymoCliGrid *grid = kymo_cli_grid_new (n);

  for (guint i = 0; i < n; i++)
    {
      if (i + 1 < n)
        kymo_cli_grid_right (grid, i);
      kymo_cli_grid_add (grid, titles[i] != NULL ? titles[i]
                         : kymo_table_get_string (answer, "code_term", 0));
    }
  return grid;
}

static void
write_head (const KymoTable *table, const char *whom, GString *out)
{
  g_string_append_printf (out, "%s, %s", kymo_table_get_string (table, "metric", 0), whom);
  if (kymo_table_get_string (table, "unit", 0)[0] == '\0')
    g_string_append (out, " (numbers)");
  g_string_append_c (out, '\n');
}

/* A name, with marks for figures or a path that are incomplete. */
static char *
dup_marked (const KymoTable *list, guint indent, guint row)
{
  const char *name = kymo_table_get_string (list, "name", row);
  const char *mark = kymo_flags_mark (kymo_table_get_string (list, "flags", row), name);

  /* A function has two trees: the functions that it calls, and the functions that call it. */
  gboolean called = indent == 0 && kymo_table_find_column (list, "side") >= 0
    && strcmp (kymo_table_get_string (list, "side", row), "callers") == 0;

  return g_strdup_printf ("%*s%s%s%s%s%s", (int) indent, "", name, mark != NULL ? " [" : "",
                          mark != NULL ? mark : "", mark != NULL ? "]" : "",
                          called ? " is called by" : "");
}

/** kymo_cli_text_thread: the functions of a thread, the longest first. */
void
kymo_cli_text_thread (KymoCli *cli, const KymoTable *table, GString *out)
{
  static const char *const titles[] =
    { "exclusive", "share", "inclusive", "calls", "excl. per call", NULL };
  KymoTable *list = kymo_table_peek_nested (table, "functions", NULL);
  guint n = list != NULL ? kymo_table_get_n_rows (list) : 0, shown = MIN (n, MAX_ROWS);
  KymoCliGrid *grid;

  write_head (table, kymo_table_get_string (table, "label", 0), out);
  grid = new_grid (table, titles, G_N_ELEMENTS (titles));
  for (guint i = 0; i < shown; i++)
    {
      double share = kymo_table_get_double (list, "exclusive_share", i);

      kymo_cli_grid_take (grid, format_figure (table,
        kymo_table_get_double (list, "exclusive", i)));
      kymo_cli_grid_take (grid, isnan (share) ? g_strdup ("–") : kymo_format_percent (share));
      kymo_cli_grid_take (grid, format_figure (table,
        kymo_table_get_double (list, "inclusive", i)));
      kymo_cli_grid_take (grid, format_number (kymo_table_get_double (list, "calls", i)));
      kymo_cli_grid_take (grid, format_figure (table,
        kymo_table_get_double (list, "exclusive_per_call", i)));
      kymo_cli_grid_take (grid, dup_marked (list, 0, i));
    }
  kymo_cli_grid_end (grid, out);
  kymo_cli_write_more (shown, n, out);
}

/** kymo_cli_text_calltree: the tree, what is called below its caller. */
void
kymo_cli_text_calltree (KymoCli *cli, const KymoTable *table, GString *out)
{
  static const char *const titles[] = { "inclusive", "exclusive", "calls", NULL };
  KymoTable *list = kymo_table_peek_nested (table, "nodes", NULL);
  guint n = list != NULL ? kymo_table_get_n_rows (list) : 0, shown = MIN (n, 4 * MAX_ROWS);
  KymoCliGrid *grid;

  write_head (table, kymo_table_get_string (table, "label", 0), out);
  if (!kymo_table_get_bool (table, "has_paths", 0))
    g_string_append (out, "who called whom was not recorded\n");
  if (kymo_table_get_bool (table, "cut", 0))
    g_string_append (out, "paths are cut to their last functions\n");
  grid = new_grid (table, titles, G_N_ELEMENTS (titles));
  for (guint i = 0; i < shown; i++)
    {
      gboolean known = kymo_table_get_bool (list, "known", i);
      gint64 depth = MIN (kymo_table_get_int (list, "depth", i), 60);

      kymo_cli_grid_take (grid, format_figure (table,
        kymo_table_get_double (list, "inclusive", i)));
      kymo_cli_grid_take (grid, known ? format_figure (table,
        kymo_table_get_double (list, "exclusive", i)) : g_strdup ("–"));
      kymo_cli_grid_take (grid, known ? format_number (
        kymo_table_get_double (list, "calls", i)) : g_strdup ("–"));
      kymo_cli_grid_take (grid, dup_marked (list, 2 * depth, i));
    }
  kymo_cli_grid_end (grid, out);
  kymo_cli_write_more (shown, n, out);
}

typedef struct
{
  guint  row;
  double inclusive;
} EdgeRow;

/* The longest first, and of equal ones as the answer has them. */
static int
compare_edges (gconstpointer a, gconstpointer b)
{
  const EdgeRow *x = a, *y = b;

  return x->inclusive != y->inclusive ? (x->inclusive > y->inclusive ? -1 : 1)
    : (x->row > y->row) - (x->row < y->row);
}

/** kymo_cli_text_call_graph: who calls whom, the longest first. */
void
kymo_cli_text_call_graph (KymoCli *cli, const KymoTable *table, GString *out)
{
  static const char *const titles[] = { "inclusive", "calls", "caller", NULL };
  KymoTable *nodes = kymo_table_peek_nested (table, "nodes", NULL);
  KymoTable *edges = kymo_table_peek_nested (table, "edges", NULL);
  guint n = edges != NULL ? kymo_table_get_n_rows (edges) : 0, shown = MIN (n, 4 * MAX_ROWS);
  g_autofree EdgeRow *rows = g_new (EdgeRow, n + 1);
  KymoCliGrid *grid;

  write_head (table, kymo_table_get_string (table, "label", 0), out);
  if (n == 0)
    {
      g_string_append (out, "who called whom was not recorded\n");
      return;
    }
  for (guint i = 0; i < n; i++)
    rows[i] = (EdgeRow) { i, kymo_table_get_double (edges, "inclusive", i) };
  qsort (rows, n, sizeof *rows, compare_edges);
  grid = kymo_cli_grid_new (4);
  kymo_cli_grid_right (grid, 0);
  kymo_cli_grid_right (grid, 1);
  for (guint k = 0; k < G_N_ELEMENTS (titles); k++)
    kymo_cli_grid_add (grid, titles[k] != NULL ? titles[k]
                       : kymo_table_get_string (table, "code_term", 0));
  for (guint i = 0; i < shown; i++)
    {
      guint edge = rows[i].row;

      kymo_cli_grid_take (grid, format_figure (table, rows[i].inclusive));
      kymo_cli_grid_take (grid, format_number (kymo_table_get_double (edges, "calls", edge)));
      kymo_cli_grid_add (grid, kymo_table_get_string (nodes, "name",
                                                      kymo_table_get_int (edges, "from", edge)));
      kymo_cli_grid_add (grid, kymo_table_get_string (nodes, "name",
                                                      kymo_table_get_int (edges, "to", edge)));
    }
  kymo_cli_grid_end (grid, out);
  kymo_cli_write_more (shown, n, out);
}

/** kymo_cli_text_user_events: what was sampled. */
void
kymo_cli_text_user_events (KymoCli *cli, const KymoTable *table, GString *out)
{
  static const char *const titles[] = { "count", "min", "max", "mean", "deviation", "event" };
  static const char *const keys[] = { "count", "min", "max", "mean", "stddev" };
  KymoTable *list = kymo_table_peek_nested (table, "user_events", NULL);
  guint n = list != NULL ? kymo_table_get_n_rows (list) : 0, shown = MIN (n, MAX_ROWS);
  KymoCliGrid *grid;

  if (n == 0)
    {
      g_string_append (out, "no user event was sampled here\n");
      return;
    }
  grid = new_grid (table, titles, G_N_ELEMENTS (titles));
  for (guint i = 0; i < shown; i++)
    {
      for (guint k = 0; k < G_N_ELEMENTS (keys); k++)
        kymo_cli_grid_take (grid, format_number (kymo_table_get_double (list, keys[k], i)));
      kymo_cli_grid_add (grid, kymo_table_get_string (list, "name", i));
    }
  kymo_cli_grid_end (grid, out);
  kymo_cli_write_more (shown, n, out);
}

static void
add_statistics (KymoCliGrid     *grid,
                const KymoTable *answer,
                const KymoTable *figures,
                guint            row)
{
  static const char *const keys[] = { "mean", "min", "max", "stddev" };

  for (guint k = 0; k < G_N_ELEMENTS (keys); k++)
    kymo_cli_grid_take (grid, format_figure (answer,
                                             kymo_table_get_double (figures, keys[k], row)));
}

/** kymo_cli_text_thread_bars: the functions with their spread; bars are for pictures. */
void
kymo_cli_text_thread_bars (KymoCli *cli, const KymoTable *table, GString *out)
{
  static const char *const titles[] = { "mean", "min", "max", "deviation", NULL };
  KymoTable *list = kymo_table_peek_nested (table, "functions", NULL);
  g_autofree char *whom = g_strdup_printf ("%s, over %" G_GINT64_FORMAT " %s",
    kymo_table_get_string (table, "value", 0), kymo_table_get_int (table, "n_locations", 0),
    kymo_terms_row (kymo_source_get_terms (cli->source), TRUE));
  KymoCliGrid *grid = NULL;

  write_head (table, whom, out);
  grid = new_grid (table, titles, G_N_ELEMENTS (titles));
  for (guint i = 0; list != NULL && i < kymo_table_get_n_rows (list); i++)
    {
      add_statistics (grid, table, list, i);
      kymo_cli_grid_add (grid, kymo_table_get_string (list, "name", i));
    }
  kymo_cli_grid_end (grid, out);
}

/** kymo_cli_text_function_bars: one function, by location. */
void
kymo_cli_text_function_bars (KymoCli *cli, const KymoTable *table, GString *out)
{
  KymoTable *list = kymo_table_peek_nested (table, "rows", NULL);
  guint n = list != NULL ? kymo_table_get_n_rows (list) : 0, shown = MIN (n, MAX_ROWS);
  static const char *const titles[] = { "mean", "min", "max", "deviation", "" };
  KymoCliGrid *grid = new_grid (table, titles, G_N_ELEMENTS (titles));

  add_statistics (grid, table, table, 0);
  kymo_cli_grid_add (grid, kymo_table_get_string (table, "name", 0));
  kymo_cli_grid_end (grid, out);
  g_string_append_c (out, '\n');
  grid = kymo_cli_grid_new (2);
  kymo_cli_grid_right (grid, 1);
  for (guint i = 0; i < shown; i++)
    {
      kymo_cli_grid_add (grid, kymo_table_get_string (list, "label", i));
      kymo_cli_grid_take (grid, kymo_table_get_bool (list, "has", i)
                          ? format_figure (table, kymo_table_get_double (list, "value", i))
                          : g_strdup ("–"));
    }
  kymo_cli_grid_end (grid, out);
  kymo_cli_write_more (shown, n, out);
}

/** kymo_cli_text_metrics: the profile of a run of profiles. */
void
kymo_cli_text_metrics (KymoCli *cli, const KymoTable *table, GString *out)
{
  static const char *const titles[] =
    { "exclusive", "mean", "min", "max", "inclusive", "calls", NULL };
  KymoTable *list = kymo_table_peek_nested (table, "activities", NULL);
  KymoTable *exclusive = kymo_table_peek_nested (list, "exclusive", NULL);
  KymoTable *inclusive = kymo_table_peek_nested (list, "inclusive", NULL);
  KymoTable *calls = kymo_table_peek_nested (list, "calls", NULL);
  guint n = kymo_table_get_n_rows (list), shown = MIN (n, MAX_ROWS);
  KymoCliGrid *grid;

  write_head (table, "totals, and the spread of exclusive figures", out);
  grid = new_grid (table, titles, G_N_ELEMENTS (titles));
  for (guint i = 0; i < shown; i++)
    {
      static const char *const keys[] = { "total", "mean", "min", "max" };

      for (guint k = 0; k < G_N_ELEMENTS (keys); k++)
        kymo_cli_grid_take (grid, format_figure (table,
                                                 kymo_table_get_double (exclusive, keys[k], i)));
      kymo_cli_grid_take (grid, format_figure (table,
                                               kymo_table_get_double (inclusive, "total", i)));
      kymo_cli_grid_take (grid, format_number (kymo_table_get_double (calls, "total", i)));
      kymo_cli_grid_add (grid, kymo_table_get_string (list, "name", i));
    }
  kymo_cli_grid_end (grid, out);
  kymo_cli_write_more (shown, n, out);
}
