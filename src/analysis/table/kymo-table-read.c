/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading a table: its shape, and the values of its columns by name.
 */
#include "config.h"

#include "kymo-safe-text.h"
#include "kymo-table-private.h"
#include "kymo-terms.h"
#include <math.h>
#include <string.h>

/** kymo_table_get_style: Returns: what it becomes in JSON */
KymoTableStyle
kymo_table_get_style (const KymoTable *table)
{
  return table->style;
}

/** kymo_column_get_n_rows: Returns: how many rows it has, whatever its type */
guint
kymo_column_get_n_rows (const KymoColumn *column)
{
  switch (column->type)
    {
    case KYMO_COLUMN_DOUBLE:
      return column->doubles->len / column->width;
    case KYMO_COLUMN_STRING:
      return column->strings->len;
    case KYMO_COLUMN_TABLE:
      return column->offsets->len - 1;
    case KYMO_COLUMN_PACKED:
      return column->n_packed;
    default:
      return column->ints->len / column->width;
    }
}

/** kymo_table_get_n_rows: Returns: rows of the first column; 0 without columns */
guint
kymo_table_get_n_rows (const KymoTable *table)
{
  return table->columns->len > 0 ? kymo_column_get_n_rows (kymo_table_column (table, 0)) : 0;
}

/** kymo_table_get_n_columns: Returns: how many columns were added */
guint
kymo_table_get_n_columns (const KymoTable *table)
{
  return table->columns->len;
}

/** kymo_table_get_column_name: Returns: (transfer none): key of a column that is there */
const char *
kymo_table_get_column_name (const KymoTable *table,
                            guint            column)
{
  return kymo_table_column (table, column)->name;
}

/** kymo_table_get_column_type: Returns: type of a column that is there */
KymoColumnType
kymo_table_get_column_type (const KymoTable *table,
                            guint            column)
{
  return kymo_table_column (table, column)->type;
}

/** kymo_table_get_column_width: Returns: numbers a row of a column that is there */
guint
kymo_table_get_column_width (const KymoTable *table,
                             guint            column)
{
  return kymo_table_column (table, column)->width;
}

/** kymo_table_find_column: Returns: index of the first of that name; -1 for none, or no @table */
gint
kymo_table_find_column (const KymoTable *table,
                        const char      *name)
{
  for (guint i = 0; table != NULL && i < table->columns->len; i++)
    if (strcmp (kymo_table_column (table, i)->name, name) == 0)
      return i;
  return -1;
}

static const KymoColumn *
find_typed (const KymoTable *table,
            const char      *name,
            KymoColumnType   type)
{
  gint index = kymo_table_find_column (table, name);
  const KymoColumn *column;

  if (index < 0)
    return NULL;
  column = kymo_table_column (table, index);
  return column->type == type
    || (type == KYMO_COLUMN_INT && column->type == KYMO_COLUMN_BOOL) ? column : NULL;
}

/* The single column of the FLAT child that an empty vector became. */
static const KymoColumn *
find_flat (const KymoTable *table,
           const char      *name,
           KymoColumnType   type)
{
  const KymoColumn *column = find_typed (table, name, KYMO_COLUMN_TABLE);

  if (column == NULL || column->child->style != KYMO_STYLE_FLAT
      || table->style != KYMO_STYLE_OBJECT || column->child->columns->len != 1)
    return NULL;
  column = kymo_table_column (column->child, 0);
  return column->type == type ? column : NULL;
}

/**
 * kymo_table_peek_ints:
 * @name: of a column of integers, or of an array
 * @width: (out) (optional): numbers a row
 *
 * Returns: (transfer none) (nullable): all numbers of the column, row by row; %NULL if there
 *   is no such column
 */
const gint64 *
kymo_table_peek_ints (const KymoTable *table,
                      const char      *name,
                      guint           *width)
{
  const KymoColumn *column = find_typed (table, name, KYMO_COLUMN_INT);
  const KymoColumn *flat = column == NULL ? find_flat (table, name, KYMO_COLUMN_INT) : NULL;

  if (width != NULL)
    *width = column != NULL ? column->width : flat != NULL ? flat->ints->len : 0;
  if (flat != NULL)
    column = flat;
  return column != NULL ? (const gint64 *) (gconstpointer) column->ints->data : NULL;
}

/**
 * kymo_table_peek_doubles:
 * @name: of a column of doubles, or of an array
 * @width: (out) (optional): numbers a row
 *
 * Returns: (transfer none) (nullable): all numbers of the column, row by row; %NULL if there
 *   is no such column
 */
const double *
kymo_table_peek_doubles (const KymoTable *table,
                         const char      *name,
                         guint           *width)
{
  const KymoColumn *column = find_typed (table, name, KYMO_COLUMN_DOUBLE);
  const KymoColumn *flat = column == NULL ? find_flat (table, name, KYMO_COLUMN_DOUBLE) : NULL;

  if (width != NULL)
    *width = column != NULL ? column->width : flat != NULL ? flat->doubles->len : 0;
  if (flat != NULL)
    column = flat;
  return column != NULL ? (const double *) (gconstpointer) column->doubles->data : NULL;
}

/**
 * kymo_table_peek_packed:
 * @name: of a packed column
 * @n_values: (out) (optional): how many there are
 *
 * Returns: (transfer none) (nullable): the numbers of the column; %NULL if there is no such
 *   column, or nothing in it
 */
const guint32 *
kymo_table_peek_packed (const KymoTable *table,
                        const char      *name,
                        guint           *n_values)
{
  const KymoColumn *column = find_typed (table, name, KYMO_COLUMN_PACKED);

  if (n_values != NULL)
    *n_values = column != NULL ? column->n_packed : 0;
  return column != NULL ? column->packed : NULL;
}

/**
 * kymo_table_get_string:
 * @name: of a column of strings
 *
 * Returns: (transfer none) (nullable): the text; %NULL for no such column or row
 */
const char *
kymo_table_get_string (const KymoTable *table,
                       const char      *name,
                       guint            row)
{
  const KymoColumn *column = find_typed (table, name, KYMO_COLUMN_STRING);

  return column != NULL && row < column->strings->len
    ? g_ptr_array_index (column->strings, row) : NULL;
}

/**
 * kymo_table_peek_label:
 * @name: of a column of strings that holds labels of locations
 *
 * Returns: (transfer none) (nullable): the label as it is shown, see kymo_shown_label(); %NULL for
 *   no such column or row
 */
const char *
kymo_table_peek_label (const KymoTable *table,
                       const char      *name,
                       guint            row)
{
  return kymo_shown_label (kymo_table_get_string (table, name, row));
}

/**
 * kymo_table_get_int:
 * @name: of a column of integers or flags
 *
 * Returns: the value, %KYMO_NULL_INT for null; 0 if there is no such column or row
 */
gint64
kymo_table_get_int (const KymoTable *table,
                    const char      *name,
                    guint            row)
{
  const KymoColumn *column = find_typed (table, name, KYMO_COLUMN_INT);

  return column != NULL && row < column->ints->len
    ? g_array_index (column->ints, gint64, row) : 0;
}

/**
 * kymo_table_get_double:
 * @name: of a column of doubles
 *
 * Returns: the value, NaN for null; 0 for no such column or row
 */
double
kymo_table_get_double (const KymoTable *table,
                       const char      *name,
                       guint            row)
{
  const KymoColumn *column = find_typed (table, name, KYMO_COLUMN_DOUBLE);

  return column != NULL && row < column->doubles->len
    ? g_array_index (column->doubles, double, row) : 0;
}

/**
 * kymo_table_get_number:
 * @name: of a column of whole or real numbers
 * @row: index of a row
 *
 * Returns: its value; NAN if there is none
 */
double
kymo_table_get_number (const KymoTable *table,
                       const char      *name,
                       guint            row)
{
  gint column = kymo_table_find_column (table, name);
  gint64 whole;

  if (column < 0 || row >= kymo_table_get_n_rows (table))
    return NAN;
  if (kymo_table_get_column_type (table, (guint) column) == KYMO_COLUMN_DOUBLE)
    return kymo_table_get_double (table, name, row);
  whole = kymo_table_get_int (table, name, row);
  return whole == KYMO_NULL_INT ? NAN : (double) whole;
}

/**
 * kymo_table_get_bool:
 * @name: of a column of flags
 *
 * Returns: whether the value is true; %FALSE for null, no such column or row
 */
gboolean
kymo_table_get_bool (const KymoTable *table,
                     const char      *name,
                     guint            row)
{
  return kymo_table_get_int (table, name, row) == TRUE;
}

/**
 * kymo_table_peek_nested:
 * @name: of a column of tables
 * @offsets: (out) (optional): rows + 1 offsets into the child
 *
 * Returns: (transfer none) (nullable): the child that all rows share; %NULL if there is no
 *   such column
 */
KymoTable *
kymo_table_peek_nested (const KymoTable  *table,
                        const char       *name,
                        const guint     **offsets)
{
  const KymoColumn *column = find_typed (table, name, KYMO_COLUMN_TABLE);

  if (offsets != NULL)
    *offsets = column != NULL ? (const guint *) (gconstpointer) column->offsets->data : NULL;
  return column != NULL ? column->child : NULL;
}
