/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A table as JSON. A writer of our own because a tree of nodes (json-glib)
 * costs some hundred bytes a number, and a timeline has millions.
 */
#include "config.h"

#include <math.h>

#include "kymo-safe-text.h"
#include "kymo-table-private.h"

static void write_rows (const KymoTable *table,
                        guint            first,
                        guint            end,
                        GString         *out);

static void
write_int (gint64   value,
           GString *out)
{
  char digits[24];
  char *p = digits + sizeof digits;
  guint64 magnitude = value < 0 ? -(guint64) value : (guint64) value;

  if (value == KYMO_NULL_INT)
    {
      g_string_append (out, "null");
      return;
    }
  do
    *--p = '0' + magnitude % 10;
  while ((magnitude /= 10) > 0);
  if (value < 0)
    *--p = '-';
  g_string_append_len (out, p, digits + sizeof digits - p);
}

static void
write_double (double   value,
              GString *out)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (!isfinite (value))
    g_string_append (out, "null");
  else
    g_string_append (out, g_ascii_dtostr (text, sizeof text, value));
}

static void
write_string (const char *value,
              GString    *out)
{
  if (value != NULL)
    kymo_safe_text_append_json (out, value);
  else
    g_string_append (out, "null");
}

static void
write_scalar (const KymoColumn *column,
              guint             index,
              GString          *out)
{
  switch (column->type)
    {
    case KYMO_COLUMN_INT:
      write_int (g_array_index (column->ints, gint64, index), out);
      break;
    case KYMO_COLUMN_BOOL:
      g_string_append (out, g_array_index (column->ints, gint64, index) ? "true" : "false");
      break;
    case KYMO_COLUMN_DOUBLE:
      write_double (g_array_index (column->doubles, double, index), out);
      break;
    case KYMO_COLUMN_STRING:
      write_string (g_ptr_array_index (column->strings, index), out);
      break;
    case KYMO_COLUMN_TABLE:
      write_rows (column->child, g_array_index (column->offsets, guint, index),
                  g_array_index (column->offsets, guint, index + 1), out);
      break;
    case KYMO_COLUMN_PACKED:
      write_int (column->packed[index], out);
      break;
    }
}

static void
write_cell (const KymoColumn *column,
            guint             row,
            GString          *out)
{
  if (!column->vector)
    {
      write_scalar (column, row, out);
      return;
    }
  g_string_append_c (out, '[');
  for (guint i = 0; i < column->width; i++)
    {
      if (i > 0)
        g_string_append_c (out, ',');
      write_scalar (column, row * column->width + i, out);
    }
  g_string_append_c (out, ']');
}

static void
write_row (const KymoTable *table,
           guint            row,
           GString         *out)
{
  gboolean tuple = table->style == KYMO_STYLE_TUPLES;

  g_string_append_c (out, tuple ? '[' : '{');
  for (guint c = 0; c < table->columns->len; c++)
    {
      const KymoColumn *column = kymo_table_column (table, c);

      if (c > 0)
        g_string_append_c (out, ',');
      if (!tuple)
        {
          write_string (column->name, out);
          g_string_append_c (out, ':');
        }
      write_cell (column, row, out);
    }
  g_string_append_c (out, tuple ? ']' : '}');
}

static void
write_rows (const KymoTable *table,
            guint            first,
            guint            end,
            GString         *out)
{
  if (table->style == KYMO_STYLE_OBJECT)
    {
      if (end > first)
        write_row (table, first, out);
      else
        g_string_append (out, "{}");
      return;
    }
  g_string_append_c (out, '[');
  for (guint row = first; row < end; row++)
    {
      if (row > first)
        g_string_append_c (out, ',');
      if (table->style == KYMO_STYLE_FLAT)
        write_cell (kymo_table_column (table, 0), row, out);
      else
        write_row (table, row, out);
    }
  g_string_append_c (out, ']');
}

/**
 * kymo_table_write_json:
 * @out: appended to; no newline at the end
 */
void
kymo_table_write_json (const KymoTable *table,
                       GString         *out)
{
  write_rows (table, 0, kymo_table_get_n_rows (table), out);
}
