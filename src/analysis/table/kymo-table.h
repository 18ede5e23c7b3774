/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoTable: the value every answer is made of.
 *
 * A table is a list of named, typed columns of equal length. A column holds
 * one number, flag or string a row, or a fixed number of numbers a row
 * (`width` > 1), or a nested table: then row i owns the rows
 * offsets[i] .. offsets[i+1] of one shared child table. An answer is a table
 * of style OBJECT with one row. From this one shape come the GVariant of a
 * server, the JSON of the command line, the CSV of an export and the cells of
 * a chart; all are written once (kymo-table-variant.c, kymo-table-json.c,
 * kymo-table-csv.c).
 *
 * Styles, and what JSON makes of them:
 *   OBJECT   one row:    {"a":1,"b":[…]}
 *   OBJECTS  many rows:  [{"a":1},{"a":2}]
 *   TUPLES   many rows:  [[1,2.0],[3,4.0]]
 *   FLAT     one column: [1,2,3]
 *
 * A packed column is an array of unsigned 32-bit numbers in one piece of
 * memory, filled by its maker: a picture has millions of them.
 *
 * Integers: %KYMO_NULL_INT is null. Doubles: NaN is null. Strings may be
 * NULL; they are valid UTF-8 (foreign bytes are replaced when appended).
 *
 * Life: filled by one thread, then sealed by handing it out; afterwards it is
 * immutable and may be shared between threads (atomic reference count).
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define KYMO_NULL_INT G_MININT64
/** KYMO_TABLE_MOST_BYTES: kymo_table_count_bytes() of what kymo_table_from_variant() reads */
#define KYMO_TABLE_MOST_BYTES (256 << 20)

typedef enum
{
  KYMO_COLUMN_INT,
  KYMO_COLUMN_DOUBLE,
  KYMO_COLUMN_STRING,
  KYMO_COLUMN_BOOL,
  KYMO_COLUMN_TABLE,
  KYMO_COLUMN_PACKED,
} KymoColumnType;

typedef enum
{
  KYMO_STYLE_OBJECT,
  KYMO_STYLE_OBJECTS,
  KYMO_STYLE_TUPLES,
  KYMO_STYLE_FLAT,
} KymoTableStyle;

typedef struct _KymoTable KymoTable;

/* One value of a row, made by KYMO_CELL(). */
typedef struct
{
  KymoColumnType type;          /* INT, DOUBLE or STRING */
  union
  {
    gint64      number;
    double      real;
    const char *text;
  };
} KymoCell;

/* -- making ------------------------------------------------------------- */
KymoTable      *kymo_table_new             (KymoTableStyle  style);
KymoTable      *kymo_table_new_list        (const char     *columns);
guint           kymo_table_add_columns     (KymoTable      *table,
                                            const char     *columns);
void            kymo_table_append_cells    (KymoTable      *table,
                                            guint           first,
                                            const KymoCell *cells,
                                            guint           n_cells);
KymoTable      *kymo_table_ref             (KymoTable      *table);
void            kymo_table_unref           (KymoTable      *table);
guint           kymo_table_add_column      (KymoTable      *table,
                                            const char     *name,
                                            KymoColumnType  type,
                                            guint           width);
guint           kymo_table_add_vector      (KymoTable      *table,
                                            const char     *name,
                                            KymoColumnType  type,
                                            guint           width);
guint           kymo_table_add_nested      (KymoTable      *table,
                                            const char     *name,
                                            KymoTable      *child);
void            kymo_table_append_int      (KymoTable      *table,
                                            guint           column,
                                            gint64          value);
void            kymo_table_append_ints     (KymoTable      *table,
                                            guint           column,
                                            const gint64   *values);
void            kymo_table_append_double   (KymoTable      *table,
                                            guint           column,
                                            double          value);
void            kymo_table_append_doubles  (KymoTable      *table,
                                            guint           column,
                                            const double   *values);
void            kymo_table_append_bool     (KymoTable      *table,
                                            guint           column,
                                            gboolean        value);
void            kymo_table_append_string   (KymoTable      *table,
                                            guint           column,
                                            const char     *value);
void            kymo_table_append_words    (KymoTable      *table,
                                            guint           column,
                                            const char     *format,
                                            va_list         args) G_GNUC_PRINTF (3, 0);
gint64         *kymo_table_extend_ints     (KymoTable      *table,
                                            guint           column,
                                            guint           n_rows);
double         *kymo_table_extend_doubles  (KymoTable      *table,
                                            guint           column,
                                            guint           n_rows);
void            kymo_table_take_packed     (KymoTable      *table,
                                            guint           column,
                                            guint32        *values,
                                            guint           n_values);
void            kymo_table_end_nested      (KymoTable      *table,
                                            guint           column);

/* Shorthands that add a column and its one value: for OBJECT tables. */
void            kymo_table_set_int         (KymoTable      *table,
                                            const char     *name,
                                            gint64          value);
void            kymo_table_set_double      (KymoTable      *table,
                                            const char     *name,
                                            double          value);
void            kymo_table_set_bool        (KymoTable      *table,
                                            const char     *name,
                                            gboolean        value);
void            kymo_table_set_string      (KymoTable      *table,
                                            const char     *name,
                                            const char     *value);
void            kymo_table_set_ints        (KymoTable      *table,
                                            const char     *name,
                                            const gint64   *values,
                                            guint           n_values);
void            kymo_table_set_doubles     (KymoTable      *table,
                                            const char     *name,
                                            const double   *values,
                                            guint           n_values);
void            kymo_table_set_table       (KymoTable      *table,
                                            const char     *name,
                                            KymoTable      *child);

/* -- reading (all borrowed; NULL or 0 where there is no such column) ----- */
KymoTableStyle  kymo_table_get_style       (const KymoTable *table);
guint           kymo_table_get_n_rows      (const KymoTable *table);
guint           kymo_table_get_n_columns   (const KymoTable *table);
const char     *kymo_table_get_column_name (const KymoTable *table,
                                            guint            column);
KymoColumnType  kymo_table_get_column_type (const KymoTable *table,
                                            guint            column);
guint           kymo_table_get_column_width (const KymoTable *table,
                                            guint            column);
gint            kymo_table_find_column     (const KymoTable *table,
                                            const char      *name);
const gint64   *kymo_table_peek_ints       (const KymoTable *table,
                                            const char      *name,
                                            guint           *width);
const double   *kymo_table_peek_doubles    (const KymoTable *table,
                                            const char      *name,
                                            guint           *width);
const guint32  *kymo_table_peek_packed     (const KymoTable *table,
                                            const char      *name,
                                            guint           *n_values);
const char     *kymo_table_get_string      (const KymoTable *table,
                                            const char      *name,
                                            guint            row);
const char     *kymo_table_peek_label      (const KymoTable *table,
                                            const char      *name,
                                            guint            row);
gint64          kymo_table_get_int         (const KymoTable *table,
                                            const char      *name,
                                            guint            row);
double          kymo_table_get_double      (const KymoTable *table,
                                            const char      *name,
                                            guint            row);
double          kymo_table_get_number      (const KymoTable *table,
                                            const char      *name,
                                            guint            row);
gboolean        kymo_table_get_bool        (const KymoTable *table,
                                            const char      *name,
                                            guint            row);
KymoTable      *kymo_table_peek_nested     (const KymoTable *table,
                                            const char      *name,
                                            const guint    **offsets);

/* -- forms --------------------------------------------------------------- */
void            kymo_table_make_safe       (KymoTable       *table);
GVariant       *kymo_table_to_variant      (const KymoTable *table,
                                            gboolean         narrow);
gsize           kymo_table_count_bytes     (const KymoTable *table);
KymoTable      *kymo_table_from_variant    (GVariant        *variant,
                                            GError         **error);
void            kymo_table_write_json      (const KymoTable *table,
                                            GString         *out);
void            kymo_table_write_csv       (const KymoTable *table,
                                            GString         *out);

/* -- rows: a macro for each value, because C has no list of arguments that knows their types -- */
static inline KymoCell
kymo_cell_int (gint64 number)
{
  return (KymoCell) { KYMO_COLUMN_INT, { .number = number } };
}

static inline KymoCell
kymo_cell_double (double real)
{
  return (KymoCell) { KYMO_COLUMN_DOUBLE, { .real = real } };
}

static inline KymoCell
kymo_cell_string (const char *text)
{
  return (KymoCell) { KYMO_COLUMN_STRING, { .text = text } };
}

#define KYMO_CELL(value)                                                       \
  _Generic ((value), float: kymo_cell_double, double: kymo_cell_double,        \
            char *: kymo_cell_string, const char *: kymo_cell_string,          \
            void *: kymo_cell_string, const void *: kymo_cell_string,          \
            default: kymo_cell_int) (value)

/* KYMO_CELL() of each argument; up to 27 of them */
#define KYMO_CELLS(...) KYMO_CELLS_9 (KYMO_CELLS_9 (KYMO_CELLS_9 (KYMO_CELLS_ONE (__VA_ARGS__))))
#define KYMO_CELLS_9(...) KYMO_CELLS_3 (KYMO_CELLS_3 (KYMO_CELLS_3 (__VA_ARGS__)))
#define KYMO_CELLS_3(...) KYMO_CELLS_SCAN (KYMO_CELLS_SCAN (KYMO_CELLS_SCAN (__VA_ARGS__)))
#define KYMO_CELLS_SCAN(...) __VA_ARGS__
#define KYMO_CELLS_ONE(value, ...)                                             \
  KYMO_CELL (value) __VA_OPT__ (, KYMO_CELLS_NEXT KYMO_CELLS_PARENS (__VA_ARGS__))
#define KYMO_CELLS_NEXT() KYMO_CELLS_ONE
#define KYMO_CELLS_PARENS ()

/**
 * kymo_table_append_from:
 * @table: a table that is being made
 * @first: index of a column
 * @...: values of this column and of those behind it: numbers for columns of integers, doubles or
 *   flags, and texts, which are copied
 *
 * Appends to several columns. Columns of other types get their values one by one.
 */
#define kymo_table_append_from(table, first, ...)                              \
  G_STMT_START                                                                 \
    {                                                                          \
      const KymoCell cells_[] = { KYMO_CELLS (__VA_ARGS__) };                  \
                                                                               \
      kymo_table_append_cells (table, first, cells_, G_N_ELEMENTS (cells_));   \
    }                                                                          \
  G_STMT_END

/** kymo_table_append_row: the same from the first column on */
#define kymo_table_append_row(table, ...) kymo_table_append_from (table, 0, __VA_ARGS__)

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoTable, kymo_table_unref)

G_END_DECLS
