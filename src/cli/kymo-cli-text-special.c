/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text for the answers whose shape deserves words of its own: info,
 * the binned ones (time profile, histogram), the timeline as letters, and
 * the records one a line.
 */
#include "config.h"

#include "kymo-cli.h"
#include "kymo-time-parts.h"

#include <math.h>
#include <string.h>

/* Series shown beside the sums; the rest is in JSON and CSV. */
#define MAX_SERIES 5

static void
add_line (KymoCliGrid *grid, const char *label, char *value)
{
  kymo_cli_grid_add (grid, label);
  kymo_cli_grid_take (grid, value);
}

static char *
join_flat (const KymoTable *table, const char *name, const char *between)
{
  const guint *offsets;
  KymoTable *child = kymo_table_peek_nested (table, name, &offsets);
  GString *out = g_string_new (NULL);

  for (guint i = 0; child != NULL && i < offsets[1] - offsets[0]; i++)
    {
      const char *column = kymo_table_get_column_name (child, 0);
      const char *text = kymo_table_get_string (child, column, offsets[0] + i);
      g_string_append_printf (out, "%s%s", i ? between : "", text ? text : "");
    }
  return g_string_free (out, FALSE);
}

/* -- info ---------------------------------------------------------------- */

/* Whatever provenance the files hold, each thing where it is known. */
static void
add_provenance (KymoCliGrid *grid, const KymoTable *table)
{
  static const struct { const char *key, *label; } known[] = {
    { "program", "Program" }, { "command_line", "Command line" },
    { "user", "User" }, { "host", "Host" }, { "machine", "Machine" },
    { "timestamp", "Run ended" }, { "names_written", "Names written" },
    { "runtime_version", "Runtime" },
  };
  const guint *offsets;
  KymoTable *run = kymo_table_peek_nested (table, "run", &offsets);

  if (run == NULL || kymo_table_get_n_rows (run) == 0)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    {
      const char *text = kymo_table_get_string (run, known[i].key, offsets[0]);
      if (text != NULL && *text != '\0')
        add_line (grid, known[i].label, g_strdup (text));
    }
}

/* Without an axis of time. */
static gboolean
is_profile (const KymoTable *table)
{
  return g_strcmp0 (kymo_table_get_string (table, "kind", 0), "profile") == 0;
}

static void
add_time (KymoCliGrid *grid, gint64 begin_ns, gint64 end_ns)
{
  g_autofree char *length = kymo_format_duration (end_ns - begin_ns);
  g_autofree char *first = kymo_format_duration_exact (begin_ns);
  g_autofree char *last = kymo_format_duration_exact (end_ns);

  add_line (grid, "Time", g_strdup_printf ("%s, from %s to %s", length, first, last));
}

static void
add_counts (KymoCliGrid *grid, const KymoTable *table)
{
  static const struct { const char *key, *label; } counts[] = {
    { "bins", "Bins" }, { "records", "Records" }, { "intervals", "Blocks" },
    { "messages", "Messages" }, { "points", "Points" },
    { "activities", "Activities" },
  };
  /* A summary or a profile cannot count messages and the like; they would be shown as 0. */
  gboolean is_sums = kymo_table_find_column (table, "bins") >= 0 || is_profile (table);

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    if (kymo_table_find_column (table, counts[i].key) >= 0
        && (!is_sums || i == 0 || i == G_N_ELEMENTS (counts) - 1))
      add_line (grid, counts[i].label, kymo_format_count (
        kymo_table_get_int (table, counts[i].key, 0)));
}

static char *
describe_report (const KymoTable *table)
{
  const guint *offsets;
  KymoTable *report = kymo_table_peek_nested (table, "report", &offsets);
  KymoTable *issues = report
    ? kymo_table_peek_nested (report, "issues", NULL) : NULL;
  guint n = issues ? kymo_table_get_n_rows (issues) : 0;
  gboolean complete = report == NULL
    || kymo_table_get_bool (report, "complete", 0);

  if (n == 0)
    return g_strdup (complete ? "complete" : "incomplete");
  return g_strdup_printf ("%s, %u %s", complete ? "complete" : "incomplete", n,
                          n == 1 ? "remark" : "remarks");
}

static void
write_issues (const KymoTable *table, GString *out)
{
  KymoTable *report = kymo_table_peek_nested (table, "report", NULL);
  KymoTable *issues = report
    ? kymo_table_peek_nested (report, "issues", NULL) : NULL;

  for (guint i = 0; issues && i < kymo_table_get_n_rows (issues); i++)
    {
      const char *file = kymo_table_get_string (issues, "file", i);
      gint64 count = kymo_table_get_int (issues, "count", i);
      const char *severity = kymo_table_get_string (issues, "severity", i);
      g_string_append_printf (out, "  %s: %s%s%s", severity ? severity : "",
                              file ? file : "", file && *file ? ": " : "",
                              kymo_table_get_string (issues, "what", i));
      if (count > 1)
        g_string_append_printf (out, " (%" G_GINT64_FORMAT ")", count);
      g_string_append_c (out, '\n');
    }
}

static char *
describe_phase (const KymoTable *phases, guint row)
{
  g_autofree char *begin = kymo_cli_format_int (
    "begin_ns", kymo_table_get_int (phases, "begin_ns", row));
  g_autofree char *end = kymo_cli_format_int (
    "end_ns", kymo_table_get_int (phases, "end_ns", row));
  return g_strdup_printf ("%" G_GINT64_FORMAT ": %s to %s",
                          kymo_table_get_int (phases, "phase", row), begin,
                          end);
}

static char *
describe_locations (const KymoTable *table)
{
  gint64 n = kymo_table_get_int (table, "locations", 0);
  gint64 original = kymo_table_get_int (table, "locations_original", 0);

  if (kymo_cli_has_rest (table))
    return g_strdup_printf ("mean of %" G_GINT64_FORMAT " %s", original,
                            original == 1 ? "PE" : "PEs");
  return original > n
    ? g_strdup_printf ("%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT, n, original)
    : kymo_format_count (n);
}

/* Number of PEs that are kept for all PEs, and the error of the time profile that they give. */
static char *
describe_reduction (const KymoTable *reduction)
{
  double error = kymo_table_get_double (reduction, "time_profile", 0);
  g_autofree char *share = kymo_format_bound (error);
  g_autofree char *pes = kymo_format_count (kymo_table_get_int (reduction, "pes", 0));
  g_autofree char *kept = kymo_format_count (kymo_table_get_int (reduction, "kept", 0));

  return isnan (error) ? g_strdup_printf ("%s for %s PEs", kept, pes)
    : g_strdup_printf ("%s for %s PEs; the time profile is at most %s off", kept, pes, share);
}

/* What surrounded the program, by groups. */
static void
write_environment (const KymoTable *table, GString *out)
{
  const KymoTable *lines = kymo_table_peek_nested (table, "environment", NULL);
  KymoCliGrid *grid = kymo_cli_grid_new (2);
  const char *before = "";

  for (guint i = 0; lines != NULL && i < kymo_table_get_n_rows (lines); i++)
    {
      const char *group = kymo_table_get_string (lines, "group", i);

      if (!g_str_equal (group, before))
        {
          kymo_cli_grid_end (grid, out);
          grid = kymo_cli_grid_new (2);
          g_string_append_printf (out, "\n%s\n", group);
        }
      before = group;
      add_line (grid, kymo_table_get_string (lines, "key", i),
                g_strdup (kymo_table_get_string (lines, "value", i)));
    }
  kymo_cli_grid_end (grid, out);
}

/** kymo_cli_text_info: program, machine, time and counts, a line each, then the load report */
void
kymo_cli_text_info (KymoCli *cli, const KymoTable *table, GString *out)
{
  KymoCliGrid *grid = kymo_cli_grid_new (2);
  gint64 begin = kymo_table_get_int (table, "begin_ns", 0);
  gint64 end = kymo_table_get_int (table, "end_ns", 0);
  gint64 n = kymo_table_get_int (table, "locations", 0);
  g_autofree char *title = kymo_source_dup_title (cli->source);
  const char *kind = kymo_table_get_string (table, "kind", 0);
  const char *format = kymo_table_get_string (table, "format", 0);
  const char *version = kymo_table_get_string (table, "format_version", 0);

  add_line (grid, "Run", g_strdup (title ? title : ""));
  add_line (grid, "Form", g_strdup_printf ("%s, %s %s", kind ? kind : "",
            format ? format : "", version ? version : ""));
  add_provenance (grid, table);
  gint64 comm = kymo_table_get_int (table, "communication_threads", 0);
  add_line (grid, "Locations", describe_locations (table));
  if (comm > 0)
    add_line (grid, "of which", g_strdup_printf (
      "%" G_GINT64_FORMAT " workers, %" G_GINT64_FORMAT
      " communication threads", n - comm, comm));
  KymoTable *reduction = kymo_table_peek_nested (table, "reduction", NULL);
  if (reduction != NULL)
    add_line (grid, "Weights of", describe_reduction (reduction));
  if (!is_profile (table))
    add_time (grid, begin, end);
  if (kymo_table_find_column (table, "utilization") >= 0)
    add_line (grid, "Utilization", kymo_format_percent (
      kymo_table_get_double (table, "utilization", 0)));
  if (kymo_table_find_column (table, "imbalance") >= 0
      && !kymo_cli_has_rest (table))
    add_line (grid, "Imbalance", kymo_cli_format_double (
      "imbalance", kymo_table_get_double (table, "imbalance", 0)));
  char *efficiency = kymo_cli_describe_efficiency (table);
  if (efficiency != NULL)
    add_line (grid, "Efficiency", efficiency);
  add_counts (grid, table);
  const KymoTable *metrics = kymo_table_peek_nested (table, "metrics", NULL);
  if (metrics != NULL && kymo_table_get_n_rows (metrics) > 0)
    add_line (grid, "Metrics", join_flat (table, "metrics", ", "));
  kymo_cli_text_add_stream (grid, table);
  const KymoTable *phases = kymo_table_peek_nested (table, "phases", NULL);
  for (guint i = 0; phases && i < kymo_table_get_n_rows (phases); i++)
    add_line (grid, i == 0 ? "Phases" : "", describe_phase (phases, i));
  kymo_cli_text_add_markers (grid, table);
  add_line (grid, "Can answer", join_flat (table, "capabilities", ", "));
  add_line (grid, "Report", describe_report (table));
  kymo_cli_grid_end (grid, out);
  write_issues (table, out);
  write_environment (table, out);
}

/* -- time profile and histogram ------------------------------------------ */

static char *
format_cell (gboolean time, gboolean whole, const gint64 *ints,
             const double *doubles, gsize index)
{
  if (ints == NULL && doubles == NULL)
    return g_strdup ("");
  if (time)
    return kymo_format_duration (ints ? ints[index] : llround (doubles[index]));
  return ints ? kymo_format_count (ints[index])
              : kymo_cli_format_double (whole ? "" : "value", doubles[index]);
}

/* A line for each bin: its begin, the sums, and the largest series. */
typedef struct
{
  const gint64 *ints;
  const double *doubles;
  const char   *head;
  gsize         offset;              /* of this series in its column */
} Column;

static gint64
sum_series (const KymoTable *series, const char *name, guint row)
{
  guint width = 0;
  const gint64 *ints = kymo_table_peek_ints (series, name, &width);
  const double *doubles = ints ? NULL
    : kymo_table_peek_doubles (series, name, &width);
  double sum = 0;
  for (guint i = 0; i < width; i++)
    sum += ints ? ints[(gsize) row * width + i]
                : doubles ? doubles[(gsize) row * width + i] : 0;
  return llround (sum);
}

static void
add_series (GArray *columns, const KymoTable *series, const char *name)
{
  guint n = series ? kymo_table_get_n_rows (series) : 0, width = 0;
  g_autoptr (GArray) ranked = g_array_new (FALSE, FALSE, sizeof (KymoCliRanked));

  for (guint i = 0; i < n; i++)
    {
      KymoCliRanked r = { i, sum_series (series, name, i) };
      if (r.ns > 0)
        g_array_append_val (ranked, r);
    }
  g_array_sort (ranked, kymo_cli_compare_ranked);
  for (guint i = 0; i < MIN (ranked->len, MAX_SERIES); i++)
    {
      guint row = g_array_index (ranked, KymoCliRanked, i).row;
      Column c = { kymo_table_peek_ints (series, name, &width), NULL,
                   kymo_table_get_string (series, "name", row), 0 };
      if (c.ints == NULL)
        c.doubles = kymo_table_peek_doubles (series, name, &width);
      c.offset = (gsize) row * width;
      g_array_append_val (columns, c);
    }
}

static void
add_sum (GArray *columns, const KymoTable *table, const char *name,
         const char *head)
{
  Column c = { kymo_table_peek_ints (table, name, NULL), NULL, head, 0 };
  if (c.ints == NULL)
    c.doubles = kymo_table_peek_doubles (table, name, NULL);
  if (c.ints != NULL || c.doubles != NULL)
    g_array_append_val (columns, c);
}

static char *
format_edge (const KymoTable *table, const char *name, gboolean bytes, guint i)
{
  const gint64 *ints = kymo_table_peek_ints (table, name, NULL);
  const double *doubles = kymo_table_peek_doubles (table, name, NULL);
  gint64 edge = ints ? ints[i] : doubles ? llround (doubles[i]) : 0;
  return bytes ? kymo_format_bytes (edge) : kymo_format_duration_exact (edge);
}

static void
write_bins (const KymoTable *table, const char *edges, gboolean bytes,
            gboolean time, GArray *columns, GString *out)
{
  KymoCliGrid *grid = kymo_cli_grid_new (columns->len + 1);
  guint width = 0;

  if (kymo_table_peek_ints (table, edges, &width) == NULL)
    kymo_table_peek_doubles (table, edges, &width);
  kymo_cli_grid_add (grid, bytes ? "From size" : "From");
  kymo_cli_grid_right (grid, 0);
  for (guint c = 0; c < columns->len; c++)
    {
      const char *head = g_array_index (columns, Column, c).head;
      kymo_cli_grid_take (grid, kymo_elide_middle (head ? head : "", 24));
      kymo_cli_grid_right (grid, c + 1);
    }
  for (guint i = 0; i + 1 < width; i++)
    {
      kymo_cli_grid_take (grid, format_edge (table, edges, bytes, i));
      for (guint c = 0; c < columns->len; c++)
        {
          Column *k = &g_array_index (columns, Column, c);
          kymo_cli_grid_take (grid, format_cell (time, FALSE, k->ints,
                                                 k->doubles, k->offset + i));
        }
    }
  kymo_cli_grid_end (grid, out);
}

/** kymo_cli_text_time_profile: a line for each bin, with the largest activities */
void
kymo_cli_text_time_profile (KymoCli *cli, const KymoTable *table, GString *out)
{
  g_autoptr (GArray) columns = g_array_new (FALSE, FALSE, sizeof (Column));

  add_series (columns, kymo_table_peek_nested (table, "series", NULL), "ns");
  if (!kymo_cli_has_rest (table))
    add_sum (columns, table, "idle_ns", "Idle");
  add_sum (columns, table, "overhead_ns",
           kymo_cli_has_rest (table) ? "Idle or overhead" : "Overhead");
  add_sum (columns, table, "untraced_ns", "Untraced");
  write_bins (table, "edges_ns", FALSE, TRUE, columns, out);
}

static char *
format_outside (const KymoTable *table, const char *name, gboolean time)
{
  const gint64 *ints = kymo_table_peek_ints (table, name, NULL);
  const double *doubles = ints ? NULL
    : kymo_table_peek_doubles (table, name, NULL);
  return format_cell (time, FALSE, ints, doubles, 0);
}

/** kymo_cli_text_histogram: a line for each bin, with a bar */
void
kymo_cli_text_histogram (KymoCli *cli, const KymoTable *table, GString *out)
{
  g_autoptr (GArray) columns = g_array_new (FALSE, FALSE, sizeof (Column));
  const char *of = kymo_table_get_string (table, "of", 0);
  const char *weight = kymo_table_get_string (table, "weight", 0);
  gboolean time = g_strcmp0 (weight, "time") == 0;
  g_autofree char *below = format_outside (table, "below", time);
  g_autofree char *above = format_outside (table, "above", time);

  add_sum (columns, table, "total", "Total");
  add_series (columns, kymo_table_peek_nested (table, "series", NULL),
              "values");
  write_bins (table, "edges", g_strcmp0 (of, "message-size") == 0, time,
              columns, out);
  g_string_append_printf (out, "below the first: %s, above the last: %s\n",
                          below, above);
}

/* -- timeline ------------------------------------------------------------ */

/* A letter an activity, the busiest in the picture first. */
static const char letters[] =
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

static char *
assign_letters (KymoTable *cells, KymoTable *kinds, guint n_names,
                guint *order, guint *n_order)
{
  g_autofree gint64 *widths = g_new0 (gint64, n_names + 1);
  char *signs = g_malloc (n_names + 1);
  g_autoptr (GArray) ranked = g_array_new (FALSE, FALSE, sizeof (KymoCliRanked));
  const char *column = kinds ? kymo_table_get_column_name (kinds, 0) : "";

  for (guint i = 0; cells && i < kymo_table_get_n_rows (cells); i++)
    {
      gint64 a = kymo_table_get_int (cells, "activity", i);
      if (a >= 0 && a < n_names)
        widths[a] += kymo_table_get_int (cells, "x1", i)
          - kymo_table_get_int (cells, "x0", i);
    }
  for (guint i = 0; i < n_names; i++)
    {
      const char *kind = kinds ? kymo_table_get_string (kinds, column, i) : "";
      KymoCliRanked r = { i, widths[i] };
      signs[i] = g_strcmp0 (kind, "idle") == 0 ? '.'
        : g_strcmp0 (kind, "overhead") == 0 ? ' '
        : g_strcmp0 (kind, "untraced") == 0 ? '~' : '?';
      if (signs[i] == '?' && widths[i] > 0)
        g_array_append_val (ranked, r);
    }
  g_array_sort (ranked, kymo_cli_compare_ranked);
  *n_order = MIN (ranked->len, strlen (letters));
  for (guint i = 0; i < *n_order; i++)
    {
      order[i] = g_array_index (ranked, KymoCliRanked, i).row;
      signs[order[i]] = letters[i];
    }
  return signs;
}

static char *
paint_row (KymoTable *cells, guint first, guint last, guint columns,
           const char *signs, guint n_names)
{
  char *line = g_strnfill (columns, ' ');
  for (guint i = first; cells != NULL && i < last; i++)
    {
      gint64 x0 = kymo_table_get_int (cells, "x0", i);
      gint64 x1 = kymo_table_get_int (cells, "x1", i);
      gint64 a = kymo_table_get_int (cells, "activity", i);
      for (gint64 x = MAX (x0, 0); a >= 0 && a < n_names && x < x1
           && x < columns; x++)
        line[x] = signs[a];
    }
  return line;
}

/** kymo_cli_text_timeline: a line for each row, a letter for each cell, then their meanings */
void
kymo_cli_text_timeline (KymoCli *cli, const KymoTable *table, GString *out)
{
  const guint *row_of, *cell_of = NULL;
  KymoTable *rows = kymo_table_peek_nested (table, "rows", &row_of);
  KymoTable *names = kymo_table_peek_nested (table, "names", NULL);
  KymoTable *kinds = kymo_table_peek_nested (table, "kinds", NULL);
  guint n_names = names ? kymo_table_get_n_rows (names) : 0, n_order;
  guint columns = kymo_table_get_int (table, "columns", 0);
  g_autofree guint *order = g_new0 (guint, n_names + 1);

  if (rows == NULL)
    return;
  KymoTable *cells = kymo_table_peek_nested (rows, "cells", &cell_of);
  g_autofree char *signs = assign_letters (cells, kinds, n_names, order,
                                           &n_order);
  const char *share = cli->source != NULL
                      ? kymo_terms_share (kymo_source_get_terms (cli->source)) : "busy";
  KymoCliGrid *grid = kymo_cli_grid_new (3);
  kymo_cli_grid_right (grid, 2);
  for (guint r = 0; r < kymo_table_get_n_rows (rows); r++)
    {
      g_autofree char *line = cells
        ? paint_row (cells, cell_of[r], cell_of[r + 1], columns, signs, n_names)
        : g_strnfill (columns, ' ');
      kymo_cli_grid_add (grid, kymo_table_get_string (rows, "label", r));
      kymo_cli_grid_whole (grid, g_strdup_printf ("|%s|", line));
      kymo_cli_grid_take (grid, kymo_format_percent (
        kymo_table_get_double (rows, share, r)));
    }
  kymo_cli_grid_end (grid, out);
  g_autofree char *from = kymo_cli_format_int ("begin_ns",
    kymo_table_get_int (table, "begin_ns", 0));
  g_autofree char *to = kymo_cli_format_int ("end_ns",
    kymo_table_get_int (table, "end_ns", 0));
  g_string_append_printf (out, "from %s to %s; . idle, blank overhead, "
                          "~ untraced\n", from, to);
  const char *column = names ? kymo_table_get_column_name (names, 0) : "";
  for (guint i = 0; i < n_order; i++)
    g_string_append_printf (out, "%c %s\n", letters[i],
                            kymo_table_get_string (names, column, order[i]));
}

/* -- usage --------------------------------------------------------------- */

/* The columns of times that shares are told of; idle time and overhead are one where nobody
   knows which it was. */
static guint
choose_shares (const KymoTable *table, const KymoTable *list, const char **heads,
               const char **keys)
{
  gboolean rest = kymo_cli_has_rest (table);
  guint n = 0, n_parts;
  const KymoTimePart *parts = kymo_time_parts (list, &n_parts);

  for (guint i = 0; i < n_parts; i++)
    {
      if (rest && g_str_equal (parts[i].key, "idle_ns"))
        continue;
      heads[n] = rest && g_str_equal (parts[i].key, "overhead_ns") ? "Idle or overhead"
                 : parts[i].title;
      keys[n++] = parts[i].key;
    }
  return n;
}

static void
add_usage (KymoCliGrid *grid, const KymoTable *table, guint row,
           const char *label, const char **keys, guint n)
{
  double span_ns = MAX (kymo_table_get_int (table, "span_ns", row), 1);

  kymo_cli_grid_add (grid, label);
  kymo_cli_grid_time (grid, table, "span_ns", row);
  for (guint i = 0; i < n; i++)
    kymo_cli_grid_take (grid, kymo_format_percent (
      kymo_table_get_int (table, keys[i], row) / span_ns));
}

/** kymo_cli_text_usage: a line for each location, and the average */
void
kymo_cli_text_usage (KymoCli *cli, const KymoTable *table, GString *out)
{
  KymoTable *list = kymo_table_peek_nested (table, "locations", NULL);
  KymoTable *average = kymo_table_peek_nested (table, "average", NULL);
  const char *heads[KYMO_TIME_PARTS_MOST], *keys[KYMO_TIME_PARTS_MOST];
  guint n = list != NULL ? choose_shares (table, list, heads, keys) : 0;
  KymoCliGrid *grid = kymo_cli_grid_new (n + 2);

  kymo_cli_grid_add (grid, "Location");
  kymo_cli_grid_add (grid, "Span");
  for (guint i = 0; i < n; i++)
    kymo_cli_grid_add (grid, heads[i]);
  for (guint i = 0; i <= n; i++)
    kymo_cli_grid_right (grid, i + 1);
  const char *average_label
    = kymo_table_get_int (table, "communication_threads", 0) > 0
      && kymo_table_get_int (table, "workers", 0) > 0
      ? "Average of workers" : "Average";
  for (guint r = 0; list != NULL && r < kymo_table_get_n_rows (list); r++)
    add_usage (grid, list, r, kymo_table_get_string (list, "label", r), keys, n);
  /* Where the only location is a mean already, the average would repeat its line. */
  if (average != NULL && kymo_table_get_n_rows (average) > 0
      && !kymo_cli_has_rest (table))
    add_usage (grid, average, 0, average_label, keys, n);
  kymo_cli_grid_end (grid, out);
}
