/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text for people, made from any answer: single values line by line, lists
 * of objects as lined up columns. What deserves more has a layout of its own
 * in the table of commands. Units come from the names: _ns, _bytes, shares.
 */
#include "config.h"

#include "kymo-cli.h"
#include "kymo-columns.h"

#include <math.h>
#include <string.h>

/* Longest name: long names of templates would push the numbers off the screen. */
#define MAX_CELL_CHARS 60

struct _KymoCliGrid
{
  guint      n_columns;
  gboolean  *right;
  GPtrArray *cells;
};

KymoCliGrid *
kymo_cli_grid_new (guint n_columns)
{
  KymoCliGrid *grid = g_new0 (KymoCliGrid, 1);
  grid->n_columns = n_columns;
  grid->right = g_new0 (gboolean, n_columns);
  grid->cells = g_ptr_array_new_with_free_func (g_free);
  return grid;
}

/** kymo_cli_grid_right: lines a column up at its right edge. */
void
kymo_cli_grid_right (KymoCliGrid *grid, guint column)
{
  grid->right[column] = TRUE;
}

/**
 * kymo_cli_grid_begin:
 * @heads: (array length=n): of the columns
 * @first_right: from this column on all line up at their right edges
 *
 * Returns: (transfer full): a grid that has a row of heads; see kymo_cli_grid_end()
 */
KymoCliGrid *
kymo_cli_grid_begin (const char *const *heads, guint n, guint first_right)
{
  KymoCliGrid *grid = kymo_cli_grid_new (n);

  for (guint i = 0; i < n; i++)
    {
      kymo_cli_grid_add (grid, heads[i]);
      if (i >= first_right)
        kymo_cli_grid_right (grid, i);
    }
  return grid;
}

/** kymo_cli_grid_take: adds the next cell and takes its text over. */
void
kymo_cli_grid_take (KymoCliGrid *grid, char *cell)
{
  /* A name with line breaks must not break the table. */
  for (char *p = cell; *p != '\0'; p++)
    if (g_ascii_iscntrl (*p))
      *p = ' ';
  /* The last column may be as long as it likes: nothing follows it. */
  if ((grid->cells->len + 1) % grid->n_columns == 0)
    {
      g_ptr_array_add (grid->cells, cell);
      return;
    }
  g_ptr_array_add (grid->cells, kymo_elide_middle (cell, MAX_CELL_CHARS));
  g_free (cell);
}

/** kymo_cli_grid_whole: the same for a cell that must not be shortened. */
void
kymo_cli_grid_whole (KymoCliGrid *grid, char *cell)
{
  g_ptr_array_add (grid->cells, cell);
}

void
kymo_cli_grid_add (KymoCliGrid *grid, const char *cell)
{
  kymo_cli_grid_take (grid, g_strdup (cell ? cell : ""));
}

/** kymo_cli_grid_time: adds a length of time, in nanoseconds in a row of a table */
void
kymo_cli_grid_time (KymoCliGrid *grid, const KymoTable *table, const char *name, guint row)
{
  kymo_cli_grid_take (grid, kymo_format_duration (kymo_table_get_int (table, name, row)));
}

/** kymo_cli_grid_count: adds a number of things in a row of a table */
void
kymo_cli_grid_count (KymoCliGrid *grid, const KymoTable *table, const char *name, guint row)
{
  kymo_cli_grid_take (grid, kymo_format_count (kymo_table_get_int (table, name, row)));
}

/**
 * kymo_cli_grid_cells:
 * @row: of @table
 * @names: of columns of texts or integers, with a blank between two of them
 *
 * Adds a cell for each column, in the unit that its name tells.
 */
void
kymo_cli_grid_cells (KymoCliGrid *grid, const KymoTable *table, guint row, const char *names)
{
  g_auto (GStrv) words = g_strsplit (names, " ", -1);

  for (guint i = 0; words[i] != NULL; i++)
    if (kymo_table_get_column_type (table, kymo_table_find_column (table, words[i]))
        == KYMO_COLUMN_STRING)
      kymo_cli_grid_add (grid, kymo_table_get_string (table, words[i], row));
    else
      kymo_cli_grid_take (grid, kymo_cli_format_int (words[i],
                                                     kymo_table_get_int (table, words[i], row)));
}

/** kymo_cli_write_more: tells how many of @n rows are left out and who has them all, if any are */
void
kymo_cli_write_more (guint shown, guint n, GString *out)
{
  if (shown < n)
    g_string_append_printf (out, "and %u more; --format csv lists them all\n", n - shown);
}

static void
append_padded (GString *out, const char *text, guint width, gboolean right)
{
  guint length = g_utf8_strlen (text, -1);
  guint pad = width > length ? width - length : 0;

  if (!right)
    g_string_append (out, text);
  for (guint i = 0; i < pad; i++)
    g_string_append_c (out, ' ');
  if (right)
    g_string_append (out, text);
}

/**
 * kymo_cli_grid_end:
 * @grid: (transfer full): a grid whose last row is complete
 * @out: where to append
 *
 * Writes the grid and frees it.
 */
void
kymo_cli_grid_end (KymoCliGrid *grid, GString *out)
{
  g_autofree guint *widths = g_new0 (guint, grid->n_columns);
  guint n_cells = grid->cells->len;

  for (guint i = 0; i < n_cells; i++)
    {
      guint length = g_utf8_strlen (grid->cells->pdata[i], -1);
      guint column = i % grid->n_columns;
      widths[column] = MAX (widths[column], length);
    }
  for (guint i = 0; i < n_cells; i++)
    {
      guint column = i % grid->n_columns;
      append_padded (out, grid->cells->pdata[i], widths[column],
                     grid->right[column]);
      if (column + 1 < grid->n_columns)
        {
          g_string_append (out, "  ");
          continue;
        }
      while (out->len > 0 && out->str[out->len - 1] == ' ')
        g_string_truncate (out, out->len - 1);
      g_string_append_c (out, '\n');
    }
  g_ptr_array_unref (grid->cells);
  g_free (grid->right);
  g_free (grid);
}

/**
 * kymo_cli_format_int:
 * @name: the column's name, which tells the unit
 * @value: the number
 *
 * Returns: (transfer full): the number in words
 */
char *
kymo_cli_format_int (const char *name, gint64 value)
{
  if (value == KYMO_NULL_INT)
    return g_strdup ("–");
  switch (kymo_column_info (name).kind)
    {
    case KYMO_COLUMN_OF_MOMENT:
      return kymo_format_duration_exact (value);
    case KYMO_COLUMN_OF_DURATION:
      return kymo_format_duration (value);
    case KYMO_COLUMN_OF_BYTES:
      return kymo_format_bytes (value);
    case KYMO_COLUMN_OF_ROW:
    case KYMO_COLUMN_OF_ORDINAL:
      return g_strdup_printf ("%" G_GINT64_FORMAT, value);
    default:
      return kymo_format_count (value);
    }
}

/** kymo_cli_format_double: the same for a number with a fraction. */
char *
kymo_cli_format_double (const char *name, double value)
{
  if (!isfinite (value))
    return g_strdup ("–");
  if (kymo_column_info (name).kind == KYMO_COLUMN_OF_SHARE)
    return kymo_format_percent (value);
  if (g_str_has_suffix (name, "_ns"))
    return kymo_format_duration (llround (value));
  return kymo_format_number (value, 4);
}

static char *
format_value (const KymoTable *table, guint column, guint row)
{
  const char *name = kymo_table_get_column_name (table, column);
  const char *text;

  switch (kymo_table_get_column_type (table, column))
    {
    case KYMO_COLUMN_INT:
      return kymo_cli_format_int (name, kymo_table_get_int (table, name, row));
    case KYMO_COLUMN_DOUBLE:
      return kymo_cli_format_double (name,
                                     kymo_table_get_double (table, name, row));
    case KYMO_COLUMN_BOOL:
      return g_strdup (kymo_table_get_bool (table, name, row) ? "yes" : "no");
    case KYMO_COLUMN_STRING:
      text = kymo_table_get_string (table, name, row);
      return g_strdup (text ? text : "–");
    case KYMO_COLUMN_TABLE:
    default:
      return g_strdup ("");
    }
}

/* "per_location" -> "per location", "span_ns" -> "span". */
static char *
label_of (const char *name)
{
  char *label = g_strdup (name);
  if (g_str_has_suffix (label, "_ns"))
    label[strlen (label) - 3] = '\0';
  else if (g_str_has_suffix (label, "_bytes"))
    label[strlen (label) - 6] = '\0';
  g_strdelimit (label, "_", ' ');
  return label;
}

static gboolean
is_single (const KymoTable *table, guint column)
{
  return kymo_table_get_column_type (table, column) != KYMO_COLUMN_TABLE
    && kymo_table_get_column_width (table, column) == 1;
}

static void
append_title (GString *out, const char *title)
{
  if (out->len > 0)
    g_string_append_c (out, '\n');
  g_string_append_printf (out, "%s\n", title);
}

/* Rows first .. last of a list of objects, the single values only. */
static void
write_rows (const KymoTable *table, guint first, guint last, GString *out)
{
  guint n = kymo_table_get_n_columns (table), shown = 0;
  g_autofree guint *columns = g_new0 (guint, n + 1);

  for (guint c = 0; c < n; c++)
    if (is_single (table, c))
      columns[shown++] = c;
  if (shown == 0)
    return;

  KymoCliGrid *grid = kymo_cli_grid_new (shown);
  for (guint i = 0; i < shown; i++)
    {
      KymoColumnType type = kymo_table_get_column_type (table, columns[i]);
      if (type == KYMO_COLUMN_INT || type == KYMO_COLUMN_DOUBLE)
        kymo_cli_grid_right (grid, i);
      kymo_cli_grid_take (grid, label_of (
        kymo_table_get_column_name (table, columns[i])));
    }
  for (guint row = first; row < last; row++)
    for (guint i = 0; i < shown; i++)
      kymo_cli_grid_take (grid, format_value (table, columns[i], row));
  kymo_cli_grid_end (grid, out);
}

/* A list of plain values on one line. */
static void
write_flat (const KymoTable *table, guint first, guint last, GString *out)
{
  for (guint row = first; row < last; row++)
    {
      g_autofree char *text = format_value (table, 0, row);
      g_string_append_printf (out, "%s%s", row > first ? ", " : "", text);
    }
  g_string_append_c (out, '\n');
}

/**
 * kymo_cli_text_object:
 * @table: a table of any style
 * @row: which of its rows
 * @out: where to append
 *
 * Writes the single values of one object as "label  value" lines.
 */
void
kymo_cli_text_object (const KymoTable *table, guint row, GString *out)
{
  KymoCliGrid *grid = kymo_cli_grid_new (2);

  for (guint c = 0; c < kymo_table_get_n_columns (table); c++)
    if (is_single (table, c))
      {
        kymo_cli_grid_take (grid, label_of (
          kymo_table_get_column_name (table, c)));
        kymo_cli_grid_take (grid, format_value (table, c, row));
      }
  kymo_cli_grid_end (grid, out);
}

/**
 * kymo_cli_text_generic:
 * @table: an answer
 * @out: where to append
 *
 * Writes any answer: its single values, then a section a nested list.
 */
void
kymo_cli_text_generic (const KymoTable *table, GString *out)
{
  if (kymo_table_get_style (table) != KYMO_STYLE_OBJECT)
    {
      write_rows (table, 0, kymo_table_get_n_rows (table), out);
      return;
    }
  kymo_cli_text_object (table, 0, out);
  for (guint c = 0; c < kymo_table_get_n_columns (table); c++)
    {
      const char *name = kymo_table_get_column_name (table, c);
      const guint *offsets;
      KymoTable *child = kymo_table_peek_nested (table, name, &offsets);
      g_autofree char *title = label_of (name);

      if (child == NULL || offsets[0] == offsets[1] || strcmp (name, "notes") == 0)
        continue;
      append_title (out, title);
      if (kymo_table_get_style (child) == KYMO_STYLE_OBJECT)
        kymo_cli_text_object (child, offsets[0], out);
      else if (kymo_table_get_style (child) == KYMO_STYLE_FLAT)
        write_flat (child, offsets[0], offsets[1], out);
      else
        write_rows (child, offsets[0], offsets[1], out);
    }
}

/**
 * kymo_cli_row:
 *
 * Returns: (transfer none): what the run calls a row, in lower case but for "PE": "rank",
 *   "threads"; "PE" where no run is open
 */
const char *
kymo_cli_row (KymoCli *cli, gboolean plural)
{
  return kymo_terms_row (cli->source != NULL ? kymo_source_get_terms (cli->source)
                                             : (KymoTerms) { 0 }, plural);
}

/** kymo_cli_code: "entry method", "functions" */
const char *
kymo_cli_code (KymoCli *cli, gboolean plural)
{
  return kymo_terms_code (cli->source != NULL ? kymo_source_get_terms (cli->source)
                                              : (KymoTerms) { 0 }, plural);
}

/**
 * kymo_cli_heading:
 * @word: not %NULL
 *
 * Returns: (transfer full): the word with its first letter, where that is ASCII, in upper case
 */
char *
kymo_cli_heading (const char *word)
{
  char *heading = g_strdup (word);

  heading[0] = g_ascii_toupper (heading[0]);
  return heading;
}

/* Says which locations the figures stand for, and how large their error may be. */
static void
write_extrapolated (KymoCli *cli, const KymoTable *table, GString *out)
{
  double error = kymo_table_get_double (table, "time_profile_error", 0);
  double pes = kymo_table_get_double (table, "stands_for", 0);
  g_autofree char *share = kymo_format_bound (error);
  /* PEs of a reduced run may stand for a number of PEs that is not whole. */
  g_autofree char *count = fabs (pes - round (pes)) < 1e-9 ? kymo_format_count (llround (pes))
    : g_strdup_printf ("%.2f", pes);

  if (!kymo_table_get_bool (table, "extrapolated", 0))
    return;
  g_string_append_printf (out, "\nExtrapolated from %" G_GINT64_FORMAT " of %s %s; ",
                          kymo_table_get_int (table, "extrapolated_from", 0), count,
                          kymo_cli_row (cli, TRUE));
  if (isnan (error))
    g_string_append (out, "how far that is off was not measured.\n");
  else
    g_string_append_printf (out, "measured at reduction: the time profile is at most %s off.\n",
                            share);
}

/* Appends the notes on things that the run does not know, a sentence on each line. */
static void
write_notes (const KymoTable *table, GString *out)
{
  KymoTable *notes = kymo_table_peek_nested (table, "notes", NULL);

  if (notes == NULL)
    return;
  g_string_append_c (out, '\n');
  for (guint i = 0; i < kymo_table_get_n_rows (notes); i++)
    g_string_append_printf (out, "note: %s.\n",
                            kymo_table_get_string (notes, "value", i));
}

/**
 * kymo_cli_write_text:
 * @cli: the invocation
 * @table: an answer
 * @out: where to append
 *
 * Writes an answer for people.
 */
void
kymo_cli_write_text (KymoCli *cli, const KymoTable *table, GString *out)
{
  if (cli->command->text != NULL)
    cli->command->text (cli, table, out);
  else
    kymo_cli_text_generic (table, out);
  write_extrapolated (cli, table, out);
  write_notes (table, out);
}
