/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The inside of a KymoTable, for the files that turn it into other forms.
 */
#pragma once

#include "kymo-table-made.h"
#include "kymo-table.h"

typedef struct
{
  char           *name;
  KymoColumnType  type;
  guint           width;        /* numbers a row; 1 for all but numbers */
  gboolean        vector;       /* an array in JSON even when width is 1 */
  GArray         *ints;         /* gint64: INT, BOOL */
  GArray         *doubles;      /* double: DOUBLE */
  GPtrArray      *strings;      /* owned or NULL: STRING */
  guint32        *packed;       /* n_packed numbers: PACKED */
  guint           n_packed;
  KymoTable      *child;        /* TABLE */
  GArray         *offsets;      /* guint, rows + 1: TABLE */
} KymoColumn;

struct _KymoTable
{
  gatomicrefcount  ref_count;
  KymoTableStyle   style;
  GArray          *columns;     /* KymoColumn */
  KymoMade         made;        /* kymo_table_peek_made() */
};

/**
 * kymo_table_column:
 * @index: of a column
 *
 * Returns: (transfer none): the column, owned by the table
 */
static inline const KymoColumn *
kymo_table_column (const KymoTable *table,
                   guint            index)
{
  return &g_array_index (table->columns, KymoColumn, index);
}

guint kymo_column_get_n_rows (const KymoColumn *column);
