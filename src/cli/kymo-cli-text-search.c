/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text of `search`: how much was found, under which names, and the earliest; and of the markers
 * of a run.
 */
#include "config.h"

#include "kymo-cli.h"
#include "kymo-safe-text.h"

#define MAX_NAMES 20
#define MAX_FOUND 20
#define MAX_MARKERS 20

static void
write_names (const KymoTable *answer, GString *out)
{
  static const char *const heads[] = { "Name", "Kind", "Found", "First at", "Shortest",
                                       "Longest" };
  KymoTable *names = kymo_table_peek_nested (answer, "names", NULL);
  guint n = kymo_table_get_n_rows (names);
  KymoCliGrid *grid = kymo_cli_grid_begin (heads, G_N_ELEMENTS (heads), 2);

  for (guint i = 0; i < MIN (n, MAX_NAMES); i++)
    {
      kymo_cli_grid_cells (grid, names, i, "name kind count");
      kymo_cli_grid_take (grid, kymo_format_duration_exact (
                            kymo_table_get_int (names, "first_ns", i)));
      kymo_cli_grid_cells (grid, names, i, "shortest_ns longest_ns");
    }
  g_string_append_c (out, '\n');
  kymo_cli_grid_end (grid, out);
  if (n > MAX_NAMES)
    g_string_append_printf (out, "and %u more names; --format json lists them\n", n - MAX_NAMES);
}

static void
write_found (const KymoTable *answer, GString *out)
{
  static const char *const heads[] = { "Where", "Name", "At", "For" };
  KymoTable *found = kymo_table_peek_nested (answer, "found", NULL);
  gint64 n = kymo_table_get_int (answer, "matches", 0);
  guint told = MIN (kymo_table_get_n_rows (found), MAX_FOUND);
  KymoCliGrid *grid = kymo_cli_grid_begin (heads, G_N_ELEMENTS (heads), 2);

  for (guint i = 0; i < told; i++)
    kymo_cli_grid_cells (grid, found, i, "label name begin_ns duration_ns");
  g_string_append_c (out, '\n');
  kymo_cli_grid_end (grid, out);
  if (n > told)
    {
      g_autofree char *rest = kymo_format_count (n - told);

      g_string_append_printf (out, "and %s later; --format csv --limit N lists the first N\n",
                              rest);
    }
}

/* "12.3 ms, high severity, rank 1, MUST, Type error: text" */
static char *
describe_marker (const KymoTable *markers, guint row)
{
  gint64 begin_ns = kymo_table_get_int (markers, "begin_ns", row);
  gint64 end_ns = kymo_table_get_int (markers, "end_ns", row);
  g_autofree char *begin = kymo_format_duration_exact (begin_ns);
  g_autofree char *end = kymo_format_duration_exact (end_ns);
  g_autofree char *text = kymo_safe_text_dup (kymo_table_get_string (markers, "text", row));
  const char *group = kymo_table_get_string (markers, "group", row);
  const char *severity = kymo_table_get_string (markers, "severity", row);

  return g_strdup_printf ("%s%s%s, %s severity, %s%s%s, %s: %s", begin,
                          end_ns > begin_ns ? " to " : "", end_ns > begin_ns ? end : "",
                          g_strcmp0 (severity, "none") == 0 ? "no" : severity,
                          kymo_table_get_string (markers, "scope", row),
                          *group != '\0' ? ", " : "", group,
                          kymo_table_get_string (markers, "category", row), text);
}

/**
 * kymo_cli_text_add_markers:
 * @info: of kind info
 *
 * Adds a line for each of the first markers of the run, of which there may be none.
 */
void
kymo_cli_text_add_markers (KymoCliGrid *grid, const KymoTable *info)
{
  const KymoTable *markers = kymo_table_peek_nested (info, "markers", NULL);
  guint n = markers != NULL ? kymo_table_get_n_rows (markers) : 0;

  for (guint i = 0; i < MIN (n, MAX_MARKERS); i++)
    {
      kymo_cli_grid_add (grid, i == 0 ? "Markers" : "");
      kymo_cli_grid_take (grid, describe_marker (markers, i));
    }
  if (n > MAX_MARKERS)
    {
      kymo_cli_grid_add (grid, "");
      kymo_cli_grid_take (grid, g_strdup_printf ("and %u more; --format json lists them",
                                                 n - MAX_MARKERS));
    }
}

static void
write_markers (const KymoTable *answer, GString *out)
{
  KymoCliGrid *grid = kymo_cli_grid_new (2);

  kymo_cli_text_add_markers (grid, answer);
  if (kymo_table_find_column (answer, "markers") >= 0)
    g_string_append_c (out, '\n');
  kymo_cli_grid_end (grid, out);
}

static void
write_bookmarks (const KymoTable *answer, GString *out)
{
  static const char *const heads[] = { "Bookmark", "Note", "At", "For" };
  KymoTable *list = kymo_table_peek_nested (answer, "bookmarks", NULL);
  guint n = list != NULL ? kymo_table_get_n_rows (list) : 0;
  KymoCliGrid *grid;

  if (n == 0)
    return;
  grid = kymo_cli_grid_begin (heads, G_N_ELEMENTS (heads), 2);
  for (guint i = 0; i < MIN (n, MAX_FOUND); i++)
    {
      gint64 begin_ns = kymo_table_get_int (list, "begin_ns", i);
      g_autofree char *note = g_strdup (kymo_table_get_string (list, "note", i));

      kymo_cli_grid_add (grid, kymo_table_get_string (list, "name", i));
      kymo_cli_grid_add (grid, note != NULL ? g_strdelimit (note, "\n\r\t", ' ') : "");
      kymo_cli_grid_take (grid, kymo_format_duration_exact (begin_ns));
      kymo_cli_grid_take (grid, kymo_format_duration (
                            kymo_table_get_int (list, "end_ns", i) - begin_ns));
    }
  g_string_append_c (out, '\n');
  kymo_cli_grid_end (grid, out);
  if (n > MAX_FOUND)
    g_string_append_printf (out, "and %u more bookmarks; --format csv lists them\n",
                            n - MAX_FOUND);
}

/**
 * kymo_cli_text_search:
 * @table: an answer of kind search, with markers and bookmarks where there are some
 *
 * Appends the text for people: how much was found, then names, matches, markers and bookmarks, at
 * most 20 each.
 */
void
kymo_cli_text_search (KymoCli *cli, const KymoTable *table, GString *out)
{
  gint64 n = kymo_table_get_int (table, "matches", 0);
  g_autofree char *all = kymo_format_count (n);
  g_autofree char *blocks = kymo_format_count (kymo_table_get_int (table, "blocks", 0));
  g_autofree char *events = kymo_format_count (kymo_table_get_int (table, "events", 0));
  g_autofree char *notes = kymo_format_count (kymo_table_get_int (table, "notes_found", 0));

  g_string_append_printf (out, "%s found: %s blocks, %s user events, %s notes\n", all, blocks,
                          events, notes);
  if (kymo_table_find_column (table, "markers_found") >= 0)
    g_string_append_printf (out, "and markers of the run: %" G_GINT64_FORMAT "\n",
                            kymo_table_get_int (table, "markers_found", 0));
  if (kymo_table_find_column (table, "bookmarks_found") >= 0)
    g_string_append_printf (out, "and bookmarks of the desk: %" G_GINT64_FORMAT "\n",
                            kymo_table_get_int (table, "bookmarks_found", 0));
  if (kymo_table_get_bool (table, "undecided", 0))
    g_string_append (out, "Of some notes it could not be decided within the limit of steps\n");
  if (n > 0)
    {
      write_names (table, out);
      write_found (table, out);
    }
  write_markers (table, out);
  write_bookmarks (table, out);
}
