/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Making and reading tables; see kymo-table.h.
 */
#include "config.h"

#include "kymo-safe-text.h"
#include "kymo-table-private.h"

#include <math.h>
#include <string.h>

static void
column_clear (gpointer data)
{
  KymoColumn *column = data;

  g_free (column->name);
  g_clear_pointer (&column->ints, g_array_unref);
  g_clear_pointer (&column->doubles, g_array_unref);
  g_clear_pointer (&column->strings, g_ptr_array_unref);
  g_clear_pointer (&column->packed, g_free);
  g_clear_pointer (&column->child, kymo_table_unref);
  g_clear_pointer (&column->offsets, g_array_unref);
}

/**
 * kymo_table_new:
 * @style: what it becomes in JSON
 *
 * Returns: (transfer full): a table without columns
 */
KymoTable *
kymo_table_new (KymoTableStyle style)
{
  KymoTable *table = g_new0 (KymoTable, 1);

  g_atomic_ref_count_init (&table->ref_count);
  table->style = style;
  table->columns = g_array_new (FALSE, FALSE, sizeof (KymoColumn));
  g_array_set_clear_func (table->columns, column_clear);
  kymo_made_init (&table->made);
  return table;
}

/** kymo_table_ref: Returns: (transfer full): @table, with one more reference; any thread */
KymoTable *
kymo_table_ref (KymoTable *table)
{
  g_atomic_ref_count_inc (&table->ref_count);
  return table;
}

/** kymo_table_unref: @table: (nullable): the last reference frees it with its children */
void
kymo_table_unref (KymoTable *table)
{
  if (table == NULL || !g_atomic_ref_count_dec (&table->ref_count))
    return;
  kymo_made_clear (&table->made);
  g_array_unref (table->columns);
  g_free (table);
}

/**
 * kymo_table_peek_made:
 * @table: that is made, and changes no more
 * @make: makes something of it, where that was not done before; always the same for one
 *   table. It gets the table as its data
 * @free: frees it with the table
 *
 * What a picture derives from an answer and needs with each motion of the pointer. Any
 * thread.
 *
 * Returns: (transfer none) (nullable): what was made; %NULL where @make gave none
 */
gconstpointer
kymo_table_peek_made (const KymoTable *table,
                      KymoMadeFunc     make,
                      GDestroyNotify   free)
{
  return kymo_made_get ((KymoMade *) &table->made, make, table, free, NULL, NULL);
}

/**
 * kymo_table_add_column:
 * @table: a table that is being made
 * @name: key of the column
 * @type: any but %KYMO_COLUMN_TABLE
 * @width: numbers a row; 1 is a scalar, more an array; of a packed column 1
 *
 * Returns: the column's index for the append functions
 */
guint
kymo_table_add_column (KymoTable      *table,
                       const char     *name,
                       KymoColumnType  type,
                       guint           width)
{
  KymoColumn column = { .name = g_strdup (name), .type = type, .width = width,
                        .vector = width > 1 };

  if (type == KYMO_COLUMN_DOUBLE)
    column.doubles = g_array_new (FALSE, FALSE, sizeof (double));
  else if (type == KYMO_COLUMN_STRING)
    column.strings = g_ptr_array_new_with_free_func (g_free);
  else if (type != KYMO_COLUMN_PACKED)
    column.ints = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_array_append_val (table->columns, column);
  return table->columns->len - 1;
}

/**
 * kymo_table_add_columns:
 * @columns: names of scalar columns with a blank between two of them. After a name stands
 *   ":double", ":string" or ":bool"; a column without one of them has integers
 *
 * Adds several columns.
 *
 * Returns: index of the first of them for the append functions
 */
guint
kymo_table_add_columns (KymoTable  *table,
                        const char *columns)
{
  static const struct { const char *word; KymoColumnType type; } types[] = {
    { ":double", KYMO_COLUMN_DOUBLE }, { ":string", KYMO_COLUMN_STRING },
    { ":bool", KYMO_COLUMN_BOOL }, { "", KYMO_COLUMN_INT },
  };
  g_auto (GStrv) words = g_strsplit (columns, " ", -1);
  guint first = table->columns->len;

  for (guint i = 0; words[i] != NULL; i++)
    {
      guint t = 0;

      while (!g_str_has_suffix (words[i], types[t].word))
        t++;
      words[i][strlen (words[i]) - strlen (types[t].word)] = '\0';
      kymo_table_add_column (table, words[i], types[t].type, 1);
    }
  return first;
}

/**
 * kymo_table_new_list:
 * @columns: as of kymo_table_add_columns()
 *
 * Returns: (transfer full): a table of style %KYMO_STYLE_OBJECTS with these columns
 */
KymoTable *
kymo_table_new_list (const char *columns)
{
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);

  kymo_table_add_columns (table, columns);
  return table;
}

/**
 * kymo_table_add_vector:
 * @name: of the column
 * @width: numbers a row
 *
 * Like kymo_table_add_column(), but an array in JSON even when @width is 1.
 *
 * Returns: index of the new column
 */
guint
kymo_table_add_vector (KymoTable      *table,
                       const char     *name,
                       KymoColumnType  type,
                       guint           width)
{
  guint index = kymo_table_add_column (table, name, type, width);

  g_array_index (table->columns, KymoColumn, index).vector = TRUE;
  return index;
}

/**
 * kymo_table_add_nested:
 * @name: of the column
 * @child: (transfer full): the table that all rows share; append to it, then call
 *   kymo_table_end_nested() for the row of @table
 *
 * Returns: index of the new column
 */
guint
kymo_table_add_nested (KymoTable  *table,
                       const char *name,
                       KymoTable  *child)
{
  KymoColumn column = { .name = g_strdup (name), .type = KYMO_COLUMN_TABLE, .width = 1 };
  guint zero = 0;

  column.child = child;
  column.offsets = g_array_new (FALSE, FALSE, sizeof (guint));
  g_array_append_val (column.offsets, zero);
  g_array_append_val (table->columns, column);
  return table->columns->len - 1;
}

static inline KymoColumn *
writable_column (KymoTable *table,
                 guint      index)
{
  return &g_array_index (table->columns, KymoColumn, index);
}

/** kymo_table_append_int: @column: of integers or flags; @value: %KYMO_NULL_INT is null */
void
kymo_table_append_int (KymoTable *table,
                       guint      column,
                       gint64     value)
{
  g_array_append_val (writable_column (table, column)->ints, value);
}

/** kymo_table_append_ints: copies a row: as many @values as the column is wide */
void
kymo_table_append_ints (KymoTable    *table,
                        guint         column,
                        const gint64 *values)
{
  KymoColumn *c = writable_column (table, column);

  g_array_append_vals (c->ints, values, c->width);
}

/** kymo_table_append_double: @column: of doubles; @value: NaN is null */
void
kymo_table_append_double (KymoTable *table,
                          guint      column,
                          double     value)
{
  g_array_append_val (writable_column (table, column)->doubles, value);
}

/** kymo_table_append_doubles: copies a row: as many @values as the column is wide */
void
kymo_table_append_doubles (KymoTable    *table,
                           guint         column,
                           const double *values)
{
  KymoColumn *c = writable_column (table, column);

  g_array_append_vals (c->doubles, values, c->width);
}

/** kymo_table_append_bool: @column: of flags; @value: any but 0 is true */
void
kymo_table_append_bool (KymoTable *table,
                        guint      column,
                        gboolean   value)
{
  kymo_table_append_int (table, column, value != FALSE);
}

/**
 * kymo_table_append_string:
 * @column: index of a column of strings
 * @value: (nullable): copied; bytes that are no UTF-8 are replaced
 *
 * Appends a string to a column.
 */
void
kymo_table_append_string (KymoTable  *table,
                          guint       column,
                          const char *value)
{
  g_ptr_array_add (writable_column (table, column)->strings,
                   value != NULL ? g_utf8_make_valid (value, -1) : NULL);
}

/**
 * kymo_table_append_words:
 * @format: as of printf()
 * @args: what it formats
 *
 * Appends a formatted text to a column of strings.
 */
void
kymo_table_append_words (KymoTable  *table,
                         guint       column,
                         const char *format,
                         va_list     args)
{
  g_autofree char *text = g_strdup_vprintf (format, args);

  kymo_table_append_string (table, column, text);
}

/**
 * kymo_table_append_cells:
 * @first: index of a column
 * @cells: (array length=n_cells): values of the columns from @first on, texts for strings
 * @n_cells: number of columns
 *
 * Appends to several columns; see kymo_table_append_from(), which makes the cells.
 */
void
kymo_table_append_cells (KymoTable      *table,
                         guint           first,
                         const KymoCell *cells,
                         guint           n_cells)
{
  for (guint i = 0; i < n_cells; i++)
    {
      const KymoCell *cell = &cells[i];
      KymoColumnType type = writable_column (table, first + i)->type;
      gboolean is_real = cell->type == KYMO_COLUMN_DOUBLE;

      g_assert ((type == KYMO_COLUMN_STRING) == (cell->type == KYMO_COLUMN_STRING));
      if (type == KYMO_COLUMN_STRING)
        kymo_table_append_string (table, first + i, cell->text);
      else if (type == KYMO_COLUMN_DOUBLE)
        kymo_table_append_double (table, first + i, is_real ? cell->real : cell->number);
      else if (type == KYMO_COLUMN_BOOL)
        kymo_table_append_bool (table, first + i, cell->number != 0);
      else
        kymo_table_append_int (table, first + i, is_real ? (gint64) cell->real : cell->number);
    }
}

static void
make_column_safe (KymoColumn *column)
{
  for (guint i = 0; column->type == KYMO_COLUMN_STRING && i < column->strings->len; i++)
    {
      char *text = column->strings->pdata[i];

      if (text == NULL || kymo_safe_text_is_safe (text))
        continue;
      g_strdelimit (text, "\n\r\t", ' ');
      column->strings->pdata[i] = kymo_safe_text_dup (text);
      g_free (text);
    }
  if (column->type == KYMO_COLUMN_TABLE)
    kymo_table_make_safe (column->child);
}

/**
 * kymo_table_make_safe:
 * @table: an answer that no other thread uses
 *
 * Makes each of its texts safe to show on one line before lines for people are made of
 * them: line breaks and tabs, as notes of several lines have them, become blanks, all else
 * as in kymo_safe_text_dup().
 */
void
kymo_table_make_safe (KymoTable *table)
{
  for (guint c = 0; c < table->columns->len; c++)
    make_column_safe (&g_array_index (table->columns, KymoColumn, c));
}

/**
 * kymo_table_extend_ints:
 * @n_rows: rows to be added to a column of integers
 *
 * Returns: (transfer none) (nullable): room for their values, to be filled before
 * anything else is appended to the table
 */
gint64 *
kymo_table_extend_ints (KymoTable *table,
                        guint      column,
                        guint      n_rows)
{
  KymoColumn *c = writable_column (table, column);
  guint before = c->ints->len;

  if (n_rows == 0)
    return NULL;
  g_array_set_size (c->ints, before + n_rows * c->width);
  return &g_array_index (c->ints, gint64, before);
}

/**
 * kymo_table_extend_doubles:
 * @column: index of a column of doubles
 * @n_rows: rows to append
 *
 * Appends rows of zeros, for the caller to fill.
 *
 * Returns: (transfer none) (nullable): the first number of the new rows, valid until the
 *   column changes; %NULL for no rows
 */
double *
kymo_table_extend_doubles (KymoTable *table,
                           guint      column,
                           guint      n_rows)
{
  KymoColumn *c = writable_column (table, column);
  guint before = c->doubles->len;

  if (n_rows == 0)
    return NULL;
  g_array_set_size (c->doubles, before + n_rows * c->width);
  return &g_array_index (c->doubles, double, before);
}

/**
 * kymo_table_take_packed:
 * @column: an empty column of type %KYMO_COLUMN_PACKED
 * @values: (transfer full) (array length=n_values): its rows, from g_malloc()
 */
void
kymo_table_take_packed (KymoTable *table,
                        guint      column,
                        guint32   *values,
                        guint      n_values)
{
  KymoColumn *c = writable_column (table, column);

  g_free (c->packed);
  c->packed = values;
  c->n_packed = n_values;
}

/**
 * kymo_table_end_nested:
 * @column: index of a column of tables
 *
 * Ends a row of the column: what was appended to its child since the last call belongs to
 * this row.
 */
void
kymo_table_end_nested (KymoTable *table,
                       guint      column)
{
  KymoColumn *c = writable_column (table, column);
  guint n = kymo_table_get_n_rows (c->child);

  g_array_append_val (c->offsets, n);
}

/**
 * kymo_table_set_int:
 * @name: of the column
 * @value: its value; %KYMO_NULL_INT is null
 *
 * Adds a column with one value, for tables of style OBJECT.
 */
void
kymo_table_set_int (KymoTable  *table,
                    const char *name,
                    gint64      value)
{
  kymo_table_append_int (table, kymo_table_add_column (table, name, KYMO_COLUMN_INT, 1), value);
}

/**
 * kymo_table_set_double:
 * @name: of the column
 * @value: its value; NaN is null
 *
 * Adds a column with one value, for tables of style OBJECT.
 */
void
kymo_table_set_double (KymoTable  *table,
                       const char *name,
                       double      value)
{
  guint column = kymo_table_add_column (table, name, KYMO_COLUMN_DOUBLE, 1);

  kymo_table_append_double (table, column, value);
}

/**
 * kymo_table_set_bool:
 * @name: of the column
 * @value: its value
 *
 * Adds a column with one value, for tables of style OBJECT.
 */
void
kymo_table_set_bool (KymoTable  *table,
                     const char *name,
                     gboolean    value)
{
  guint column = kymo_table_add_column (table, name, KYMO_COLUMN_BOOL, 1);

  kymo_table_append_bool (table, column, value);
}

/**
 * kymo_table_set_string:
 * @name: of the column
 * @value: (nullable): its value; copied
 *
 * Adds a column with one value, for tables of style OBJECT.
 */
void
kymo_table_set_string (KymoTable  *table,
                       const char *name,
                       const char *value)
{
  guint column = kymo_table_add_column (table, name, KYMO_COLUMN_STRING, 1);

  kymo_table_append_string (table, column, value);
}

/* A column needs a width of at least one, so an empty vector goes in as a
   FLAT table. */
static KymoTable *
flat_child (KymoColumnType type,
            gconstpointer  values,
            guint          n_values)
{
  KymoTable *child = kymo_table_new (KYMO_STYLE_FLAT);
  guint column = kymo_table_add_column (child, "value", type, 1);
  KymoColumn *c = writable_column (child, column);

  g_array_append_vals (type == KYMO_COLUMN_INT ? c->ints : c->doubles, values, n_values);
  return child;
}

/**
 * kymo_table_set_ints:
 * @name: of the column
 * @values: (array length=n_values): copied
 * @n_values: may be 0
 *
 * Adds a column with an array of integers, for tables of style OBJECT.
 */
void
kymo_table_set_ints (KymoTable    *table,
                     const char   *name,
                     const gint64 *values,
                     guint         n_values)
{
  if (n_values == 0)
    kymo_table_set_table (table, name, flat_child (KYMO_COLUMN_INT, values, n_values));
  else
    kymo_table_append_ints (table, kymo_table_add_vector (table, name, KYMO_COLUMN_INT, n_values),
                            values);
}

/**
 * kymo_table_set_doubles:
 * @name: of the column
 * @values: (array length=n_values): copied
 * @n_values: may be 0
 *
 * Adds a column with an array of doubles, for tables of style OBJECT.
 */
void
kymo_table_set_doubles (KymoTable    *table,
                        const char   *name,
                        const double *values,
                        guint         n_values)
{
  if (n_values == 0)
    kymo_table_set_table (table, name, flat_child (KYMO_COLUMN_DOUBLE, values, n_values));
  else
    kymo_table_append_doubles (table, kymo_table_add_vector (table, name, KYMO_COLUMN_DOUBLE,
                                                             n_values), values);
}

/**
 * kymo_table_set_table:
 * @name: of the column
 * @child: (transfer full): a finished table
 *
 * Adds a column whose only row is a nested table, for tables of style OBJECT.
 */
void
kymo_table_set_table (KymoTable  *table,
                      const char *name,
                      KymoTable  *child)
{
  kymo_table_end_nested (table, kymo_table_add_nested (table, name, child));
}
