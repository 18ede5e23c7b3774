/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A table as CSV (RFC 4180 quoting, "\n" line ends). Texts are made safe to show and
 * safe for spreadsheets, see kymo_safe_text_append_csv().
 *
 * An answer becomes blocks: first the scalars as "key,value" lines, then one
 * block a table, headed by "# name" and its columns; a nested table inside a
 * table of rows repeats the row's scalars on every line.
 *
 * Vectors of an answer stand upright, for spreadsheets: one block "# bins", a
 * line a bin. N + 1 edges become the columns name and name_end; vectors of N
 * are a column each; so is every row of a table with vectors of N (a series),
 * headed by its name. Vectors elsewhere become columns name[0] … name[N-1].
 */
#include "config.h"

#include <math.h>

#include "kymo-safe-text.h"
#include "kymo-table-private.h"

static void
write_text (const char *text,
            GString    *out)
{
  if (text != NULL)
    kymo_safe_text_append_csv (out, text);
}

static void
write_value (const KymoColumn *column,
             guint             index,
             GString          *out)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  gint64 number;

  switch (column->type)
    {
    case KYMO_COLUMN_DOUBLE:
      if (isfinite (g_array_index (column->doubles, double, index)))
        g_string_append (out, g_ascii_dtostr (text, sizeof text,
                                              g_array_index (column->doubles, double, index)));
      break;
    case KYMO_COLUMN_STRING:
      write_text (g_ptr_array_index (column->strings, index), out);
      break;
    case KYMO_COLUMN_PACKED:
      g_string_append_printf (out, "%" G_GUINT32_FORMAT, column->packed[index]);
      break;
    case KYMO_COLUMN_BOOL:
      g_string_append (out, g_array_index (column->ints, gint64, index) ? "true" : "false");
      break;
    default:
      number = g_array_index (column->ints, gint64, index);
      if (number != KYMO_NULL_INT)
        g_string_append_printf (out, "%" G_GINT64_FORMAT, number);
    }
}

/* The scalar and vector cells of a row, separated by commas. */
static void
write_plain_cells (const KymoTable *table,
                   guint            row,
                   GString         *out)
{
  gboolean first = TRUE;

  for (guint c = 0; c < table->columns->len; c++)
    {
      const KymoColumn *column = kymo_table_column (table, c);

      for (guint i = 0; column->type != KYMO_COLUMN_TABLE && i < column->width; i++)
        {
          if (!first)
            g_string_append_c (out, ',');
          first = FALSE;
          write_value (column, row * column->width + i, out);
        }
    }
}

static void
write_plain_heads (const KymoTable *table,
                   const char      *prefix,
                   GString         *out)
{
  gboolean first = TRUE;

  for (guint c = 0; c < table->columns->len; c++)
    {
      const KymoColumn *column = kymo_table_column (table, c);

      for (guint i = 0; column->type != KYMO_COLUMN_TABLE && i < column->width; i++)
        {
          g_autofree char *head = !column->vector
            ? g_strdup (column->name) : g_strdup_printf ("%s[%u]", column->name, i);

          if (!first)
            g_string_append_c (out, ',');
          first = FALSE;
          g_string_append (out, prefix);
          write_text (head, out);
        }
    }
}

static void
write_block_head (const char *path,
                  GString    *out)
{
  if (out->len > 0)
    g_string_append_c (out, '\n');
  if (*path != '\0')
    g_string_append_printf (out, "# %s\n", path);
}

/* Nesting is as deep as our own answers are (three), never as deep as input. */
static void
write_table (const KymoTable *table,
             const char      *path,
             GString         *out)
{
  guint n_rows = kymo_table_get_n_rows (table);

  if (table->style != KYMO_STYLE_OBJECT)
    {
      write_block_head (path, out);
      write_plain_heads (table, "", out);
      g_string_append_c (out, '\n');
      for (guint row = 0; row < n_rows; row++)
        {
          write_plain_cells (table, row, out);
          g_string_append_c (out, '\n');
        }
    }
}

/* A line for each row of the child, with the plain cells of its parent before it. */
static void
write_nested (const KymoTable  *parent,
              const KymoColumn *column,
              const char       *path,
              GString          *out)
{
  g_autofree char *prefix = g_strconcat (column->name, ".", NULL);

  write_block_head (path, out);
  write_plain_heads (parent, "", out);
  g_string_append_c (out, ',');
  write_plain_heads (column->child, prefix, out);
  g_string_append_c (out, '\n');
  for (guint row = 0; row + 1 < column->offsets->len; row++)
    for (guint i = g_array_index (column->offsets, guint, row);
         i < g_array_index (column->offsets, guint, row + 1); i++)
      {
        write_plain_cells (parent, row, out);
        g_string_append_c (out, ',');
        write_plain_cells (column->child, i, out);
        g_string_append_c (out, '\n');
      }
}

/* The bins of an answer: its edges tell how many. 0 = it has none. */
static guint
count_bins (const KymoTable *table)
{
  for (guint c = 0; c < table->columns->len; c++)
    if (g_str_has_prefix (kymo_table_column (table, c)->name, "edges")
        && kymo_table_column (table, c)->vector)
      return kymo_table_column (table, c)->width - 1;
  return 0;
}

static gboolean
is_bin_vector (const KymoColumn *column,
               guint             n_bins)
{
  return column->vector && (column->width == n_bins || column->width == n_bins + 1);
}

/* The vector column of a table of series, or NULL. */
static const KymoColumn *
series_values (const KymoColumn *column,
               guint             n_bins)
{
  if (column->type != KYMO_COLUMN_TABLE || n_bins == 0
      || kymo_table_find_column (column->child, "name") < 0)
    return NULL;
  for (guint c = 0; c < column->child->columns->len; c++)
    if (kymo_table_column (column->child, c)->vector
        && kymo_table_column (column->child, c)->width == n_bins)
      return kymo_table_column (column->child, c);
  return NULL;
}

static void
write_bin_heads (const KymoTable *table,
                 guint            n_bins,
                 GString         *out)
{
  gboolean first = TRUE;

  for (guint c = 0; c < table->columns->len; c++)
    {
      const KymoColumn *column = kymo_table_column (table, c);
      gboolean is_series = series_values (column, n_bins) != NULL;
      guint n = is_series ? kymo_table_get_n_rows (column->child)
        : is_bin_vector (column, n_bins) ? 1 : 0;

      for (guint i = 0; i < n; i++)
        {
          g_string_append (out, first ? "" : ",");
          first = FALSE;
          write_text (is_series ? kymo_table_get_string (column->child, "name", i)
                      : column->name, out);
          if (!is_series && column->width == n_bins + 1)
            g_string_append_printf (out, ",%s_end", column->name);
        }
    }
  g_string_append_c (out, '\n');
}

static void
write_bin (const KymoTable *table,
           guint            n_bins,
           guint            bin,
           GString         *out)
{
  gboolean first = TRUE;

  for (guint c = 0; c < table->columns->len; c++)
    {
      const KymoColumn *column = kymo_table_column (table, c);
      const KymoColumn *values = series_values (column, n_bins);
      guint n = values != NULL ? kymo_table_get_n_rows (column->child)
        : is_bin_vector (column, n_bins) ? 1 : 0;

      for (guint i = 0; i < n; i++)
        {
          g_string_append (out, first ? "" : ",");
          first = FALSE;
          write_value (values != NULL ? values : column,
                       values != NULL ? i * n_bins + bin : bin, out);
          if (values == NULL && column->width == n_bins + 1)
            {
              g_string_append_c (out, ',');
              write_value (column, bin + 1, out);
            }
        }
    }
  g_string_append_c (out, '\n');
}

static void
write_bins (const KymoTable *table,
            guint            n_bins,
            GString         *out)
{
  write_block_head ("bins", out);
  write_bin_heads (table, n_bins, out);
  for (guint bin = 0; bin < n_bins; bin++)
    write_bin (table, n_bins, bin, out);
}

static void
write_object_scalars (const KymoTable *table,
                      const char      *path,
                      guint            n_bins,
                      GString         *out)
{
  write_block_head (path, out);
  for (guint c = 0; c < table->columns->len; c++)
    {
      const KymoColumn *column = kymo_table_column (table, c);

      if (column->type == KYMO_COLUMN_TABLE
          || (n_bins > 0 && is_bin_vector (column, n_bins)))
        continue;
      write_text (column->name, out);
      for (guint i = 0; i < column->width; i++)
        {
          g_string_append_c (out, ',');
          write_value (column, i, out);
        }
      g_string_append_c (out, '\n');
    }
}

static void
write_all (const KymoTable *table,
           const char      *path,
           GString         *out)
{
  guint n_bins = table->style == KYMO_STYLE_OBJECT ? count_bins (table) : 0;

  if (table->style == KYMO_STYLE_OBJECT && kymo_table_get_n_rows (table) == 0)
    return;
  if (table->style == KYMO_STYLE_OBJECT)
    write_object_scalars (table, path, n_bins, out);
  else
    write_table (table, path, out);
  if (n_bins > 0)
    write_bins (table, n_bins, out);
  for (guint c = 0; c < table->columns->len; c++)
    {
      const KymoColumn *column = kymo_table_column (table, c);
      g_autofree char *name = NULL;

      if (column->type != KYMO_COLUMN_TABLE || series_values (column, n_bins) != NULL)
        continue;
      name = *path != '\0' ? g_strconcat (path, ".", column->name, NULL)
        : g_strdup (column->name);
      if (table->style == KYMO_STYLE_OBJECT)
        write_all (column->child, name, out);
      else
        write_nested (table, column, name, out);
    }
}

/**
 * kymo_table_write_csv:
 * @out: appended to
 */
void
kymo_table_write_csv (const KymoTable *table,
                      GString         *out)
{
  write_all (table, "", out);
}
