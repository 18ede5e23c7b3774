/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A table as CSV (RFC 4180 quoting, "\n" line ends).
 *
 * An answer becomes blocks: first the scalars as "key,value" lines, then one
 * block a table, headed by "# name" and its columns. A column of width N
 * becomes N columns name[0] … name[N-1]; a nested table inside a table of
 * rows repeats the row's scalars on every line.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "kymo-table-private.h"

static void
write_text (const char *text,
            GString    *out)
{
  if (text == NULL)
    return;
  if (strpbrk (text, ",\"\r\n") == NULL)
    {
      g_string_append (out, text);
      return;
    }
  g_string_append_c (out, '"');
  for (const char *p = text; *p != '\0'; p++)
    {
      if (*p == '"')
        g_string_append_c (out, '"');
      g_string_append_c (out, *p);
    }
  g_string_append_c (out, '"');
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

/* One line a row of the child, with the plain cells of its parent before. */
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

static void
write_object_scalars (const KymoTable *table,
                      const char      *path,
                      GString         *out)
{
  write_block_head (path, out);
  for (guint c = 0; c < table->columns->len; c++)
    {
      const KymoColumn *column = kymo_table_column (table, c);

      if (column->type == KYMO_COLUMN_TABLE)
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
  if (table->style == KYMO_STYLE_OBJECT)
    write_object_scalars (table, path, out);
  else
    write_table (table, path, out);
  for (guint c = 0; c < table->columns->len; c++)
    {
      const KymoColumn *column = kymo_table_column (table, c);
      g_autofree char *name = NULL;

      if (column->type != KYMO_COLUMN_TABLE)
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
