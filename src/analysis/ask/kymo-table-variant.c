/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A table as a GVariant and back, for frames between processes.
 *
 *   table  = (y style, a column)          type "(ya(syuv))"
 *   column = (s name, y type, u width, v data); type has bit 7 set for a vector
 *   data   = "ax" | "ad" | "ams" | "au" | (offsets "au", table) as "(auv)"
 *
 * The byte order belongs to the frame around it. from_variant believes
 * nothing: lengths, offsets and types are checked against each other.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-error.h"
#include "kymo-table-private.h"

#define MAX_DEPTH 8
#define VECTOR_BIT 0x80
/* More than any answer has: a column without rows must not claim billions. */
#define MAX_WIDTH (1 << 20)

static GVariant *
fixed_array (const GVariantType *type,
             const GArray       *array,
             gsize               size)
{
  return g_variant_new_fixed_array (type, array->data, array->len, size);
}

static GVariant *
column_data (const KymoColumn *column)
{
  GVariantBuilder builder;

  switch (column->type)
    {
    case KYMO_COLUMN_DOUBLE:
      return fixed_array (G_VARIANT_TYPE_DOUBLE, column->doubles, sizeof (double));
    case KYMO_COLUMN_STRING:
      g_variant_builder_init (&builder, G_VARIANT_TYPE ("ams"));
      for (guint i = 0; i < column->strings->len; i++)
        g_variant_builder_add (&builder, "ms", g_ptr_array_index (column->strings, i));
      return g_variant_builder_end (&builder);
    case KYMO_COLUMN_TABLE:
      return g_variant_new ("(@auv)",
                            fixed_array (G_VARIANT_TYPE_UINT32, column->offsets, sizeof (guint)),
                            kymo_table_to_variant (column->child));
    case KYMO_COLUMN_PACKED:
      return g_variant_new_fixed_array (G_VARIANT_TYPE_UINT32, column->packed, column->n_packed,
                                        sizeof (guint32));
    default:
      return fixed_array (G_VARIANT_TYPE_INT64, column->ints, sizeof (gint64));
    }
}

/**
 * kymo_table_to_variant:
 *
 * Returns: (transfer floating): the table in one value
 */
GVariant *
kymo_table_to_variant (const KymoTable *table)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(syuv)"));
  for (guint i = 0; i < table->columns->len; i++)
    {
      const KymoColumn *column = kymo_table_column (table, i);

      g_variant_builder_add (&builder, "(syuv)", column->name,
                             (guchar) (column->type | (column->vector ? VECTOR_BIT : 0)),
                             column->width, column_data (column));
    }
  return g_variant_new ("(ya(syuv))", (guchar) table->style, &builder);
}

static gboolean
read_numbers (GVariant            *data,
              const GVariantType  *array_type,
              gsize                size,
              GArray              *into)
{
  gconstpointer values;
  gsize n;

  if (!g_variant_is_of_type (data, array_type))
    return FALSE;
  values = g_variant_get_fixed_array (data, &n, size);
  if (n > G_MAXUINT / size)
    return FALSE;
  g_array_append_vals (into, values, n);
  return TRUE;
}

static gboolean
read_strings (GVariant  *data,
              KymoTable *table,
              guint      column)
{
  GVariantIter iter;
  char *text;

  if (!g_variant_is_of_type (data, G_VARIANT_TYPE ("ams")))
    return FALSE;
  g_variant_iter_init (&iter, data);
  while (g_variant_iter_loop (&iter, "ms", &text))
    kymo_table_append_string (table, column, text);
  return TRUE;
}

static gboolean
read_packed (GVariant  *data,
             KymoTable *table,
             guint      column)
{
  gconstpointer values;
  gsize n;

  if (!g_variant_is_of_type (data, G_VARIANT_TYPE ("au")))
    return FALSE;
  values = g_variant_get_fixed_array (data, &n, sizeof (guint32));
  if (n > G_MAXUINT / sizeof (guint32))
    return FALSE;
  kymo_table_take_packed (table, column, g_memdup2 (values, n * sizeof (guint32)), n);
  return TRUE;
}

static KymoTable *table_from_variant (GVariant *variant,
                                      guint     depth);

static gboolean
read_nested (GVariant   *data,
             KymoTable  *table,
             const char *name,
             guint       depth)
{
  g_autoptr (GVariant) offsets = NULL;
  g_autoptr (GVariant) inner = NULL;
  g_autoptr (KymoTable) child = NULL;
  const guint *values;
  KymoColumn *column;
  gsize n;

  if (!g_variant_is_of_type (data, G_VARIANT_TYPE ("(auv)")))
    return FALSE;
  g_variant_get (data, "(@auv)", &offsets, &inner);
  child = table_from_variant (inner, depth + 1);
  values = g_variant_get_fixed_array (offsets, &n, sizeof (guint));
  if (child == NULL || n < 1 || values[0] != 0
      || values[n - 1] != kymo_table_get_n_rows (child))
    return FALSE;
  for (gsize i = 1; i < n; i++)
    if (values[i] < values[i - 1]
        || (child->style == KYMO_STYLE_OBJECT && values[i] - values[i - 1] > 1))
      return FALSE;
  kymo_table_add_nested (table, name, g_steal_pointer (&child));
  column = &g_array_index (table->columns, KymoColumn, table->columns->len - 1);
  g_array_append_vals (column->offsets, values + 1, n - 1);
  return TRUE;
}

static gboolean
read_column (KymoTable  *table,
             const char *name,
             guint       type,
             guint       width,
             GVariant   *data,
             guint       depth)
{
  gboolean vector = (type & VECTOR_BIT) != 0;
  KymoColumn *column;
  guint index;

  type &= ~VECTOR_BIT;
  if (type > KYMO_COLUMN_PACKED || width < 1 || width > MAX_WIDTH)
    return FALSE;
  if (type == KYMO_COLUMN_TABLE)
    return read_nested (data, table, name, depth);
  index = kymo_table_add_column (table, name, type, width);
  g_array_index (table->columns, KymoColumn, index).vector = vector;
  column = &g_array_index (table->columns, KymoColumn, index);
  if (type == KYMO_COLUMN_STRING)
    return width == 1 && read_strings (data, table, index);
  if (type == KYMO_COLUMN_PACKED)
    return width == 1 && read_packed (data, table, index);
  if (type == KYMO_COLUMN_DOUBLE)
    return read_numbers (data, G_VARIANT_TYPE ("ad"), sizeof (double), column->doubles)
      && column->doubles->len % width == 0;
  return read_numbers (data, G_VARIANT_TYPE ("ax"), sizeof (gint64), column->ints)
    && column->ints->len % width == 0;
}

static KymoTable *
table_from_variant (GVariant *variant,
                    guint     depth)
{
  g_autoptr (KymoTable) table = NULL;
  g_autoptr (GVariantIter) iter = NULL;
  const char *name;
  guchar style, type;
  guint width;
  GVariant *data;

  if (depth > MAX_DEPTH || !g_variant_is_of_type (variant, G_VARIANT_TYPE ("(ya(syuv))")))
    return NULL;
  g_variant_get (variant, "(ya(syuv))", &style, &iter);
  if (style > KYMO_STYLE_FLAT)
    return NULL;
  table = kymo_table_new (style);
  while (g_variant_iter_next (iter, "(&syuv)", &name, &type, &width, &data))
    {
      gboolean fine = read_column (table, name, type, width, data, depth);

      g_variant_unref (data);
      if (!fine)
        return NULL;
    }
  for (guint i = 0; i < table->columns->len; i++)
    if (kymo_column_get_n_rows (kymo_table_column (table, i)) != kymo_table_get_n_rows (table))
      return NULL;
  if ((style == KYMO_STYLE_FLAT && table->columns->len != 1)
      || (style == KYMO_STYLE_OBJECT && depth == 0 && kymo_table_get_n_rows (table) > 1))
    return NULL;
  return g_steal_pointer (&table);
}

/**
 * kymo_table_from_variant:
 * @variant: what kymo_table_to_variant() made, or anything
 * @error: return location
 *
 * Returns: (transfer full) (nullable): the table
 */
KymoTable *
kymo_table_from_variant (GVariant  *variant,
                         GError   **error)
{
  KymoTable *table = table_from_variant (variant, 0);

  if (table == NULL)
    g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                         _("The answer is damaged: its parts do not fit together"));
  return table;
}
