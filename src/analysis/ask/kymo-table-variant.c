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
#include <string.h>

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

/* -- texts ------------------------------------------------------------------------------------- */

/* An "ams" is written and read here byte by byte, for an answer may have a hundred thousand texts
   and GLib makes two values of each. Texts stand one behind another, each with the two zeros that
   end it and say that it is there; behind them stand the places where they end, as numbers of as
   few bytes as will do, least significant byte first. */

/* How many bytes the number of a place has in an array of that many bytes in all. */
static guint
place_size (gsize all)
{
  return all <= G_MAXUINT8 ? 1 : all <= G_MAXUINT16 ? 2 : all <= G_MAXUINT32 ? 4 : 8;
}

static void
put_place (guchar *bytes, guint size, gsize place)
{
  for (guint i = 0; i < size; i++)
    bytes[i] = (guint64) place >> (8 * i);
}

static gsize
get_place (const guchar *bytes, guint size)
{
  guint64 place = 0;

  for (guint i = size; i-- > 0;)
    place = place << 8 | bytes[i];
  return place;
}

static GVariant *
strings_to_variant (GPtrArray *strings)
{
  g_autoptr (GBytes) bytes = NULL;
  gsize texts = 0, at = 0;
  guint n = strings->len, size = 1;
  guchar *data;

  for (guint i = 0; i < n; i++)
    if (strings->pdata[i] != NULL)
      texts += strlen (strings->pdata[i]) + 2;
  while (place_size (texts + (gsize) n * size) > size)
    size *= 2;
  data = g_malloc (MAX (texts + (gsize) n * size, 1));
  for (guint i = 0; i < n; i++)
    {
      gsize length = strings->pdata[i] != NULL ? strlen (strings->pdata[i]) + 1 : 0;

      if (length > 0)
        {
          memcpy (data + at, strings->pdata[i], length);
          data[at + length] = 0;
          at += length + 1;
        }
      put_place (data + texts + (gsize) i * size, size, at);
    }
  bytes = g_bytes_new_take (data, texts + (gsize) n * size);
  return g_variant_new_from_bytes (G_VARIANT_TYPE ("ams"), bytes, FALSE);
}

/* Whether the bytes are a text with its two zeros; @text NULL: none at all. */
static gboolean
read_text (const guchar *bytes, gsize size, const char **text)
{
  *text = size > 0 ? (const char *) bytes : NULL;
  return size == 0 || (size >= 2 && bytes[size - 1] == 0
                       && memchr (bytes, 0, size - 1) == bytes + size - 2);
}

static gboolean
strings_from_variant (GVariant *variant, KymoTable *table, guint column)
{
  const guchar *bytes = g_variant_get_data (variant);
  gsize all = g_variant_get_size (variant), begin = 0, texts;
  guint size = place_size (all);

  if (all == 0)
    return TRUE;
  texts = all >= size ? get_place (bytes + all - size, size) : all + 1;
  if (texts > all || (all - texts) % size != 0)
    return FALSE;
  for (gsize at = texts; at < all; at += size)
    {
      gsize end = get_place (bytes + at, size);
      const char *text;

      if (end < begin || end > texts || !read_text (bytes + begin, end - begin, &text))
        return FALSE;
      kymo_table_append_string (table, column, text);
      begin = end;
    }
  return TRUE;
}

/* -- columns ----------------------------------------------------------------------------------- */

static GVariant *
column_data (const KymoColumn *column)
{
  switch (column->type)
    {
    case KYMO_COLUMN_DOUBLE:
      return fixed_array (G_VARIANT_TYPE_DOUBLE, column->doubles, sizeof (double));
    case KYMO_COLUMN_STRING:
      return strings_to_variant (column->strings);
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
  /* What is in normal form is UTF-8, too. */
  return g_variant_is_of_type (data, G_VARIANT_TYPE ("ams")) && g_variant_is_normal_form (data)
         && strings_from_variant (data, table, column);
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
