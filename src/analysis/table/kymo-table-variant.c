/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A table as a GVariant and back, for frames between processes.
 *
 *   table  = (y style, a column)          type "(ya(syuv))"
 *   column = (s name, y type, u width, v data); type has bit 7 set for a vector
 *   data   = "ax" | "ad" | "ams" | "au" | (offsets "au", table) as "(auv)"
 *
 * Where the reader knows it, a long column may be narrow (kymo-narrow.h) instead:
 *
 *   data   = (y bits, b nulls, x least, u n, ax words): integers, each less the least one; with
 *            nulls each is one more than that, and 0 is null
 *          | (y bits, u n, ax words, v values): numbers of values, which are data of a plain column
 *
 * The byte order belongs to the frame around it. from_variant believes
 * nothing: lengths, offsets and types are checked against each other, and what narrow columns
 * become is bounded.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-table-narrow.h"

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

/** kymo_table_strings_to_variant: Returns: (transfer floating): texts, also %NULL, as "ams" */
GVariant *
kymo_table_strings_to_variant (char **strings, guint n)
{
  g_autoptr (GBytes) bytes = NULL;
  gsize texts = 0, at = 0;
  guint size = 1;
  guchar *data;

  for (guint i = 0; i < n; i++)
    if (strings[i] != NULL)
      texts += strlen (strings[i]) + 2;
  while (place_size (texts + (gsize) n * size) > size)
    size *= 2;
  data = g_malloc (MAX (texts + (gsize) n * size, 1));
  for (guint i = 0; i < n; i++)
    {
      gsize length = strings[i] != NULL ? strlen (strings[i]) + 1 : 0;

      if (length > 0)
        {
          memcpy (data + at, strings[i], length);
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

static GVariant *table_to_variant (const KymoTable *table, gboolean narrow);

static GVariant *
column_data (const KymoColumn *column, gboolean narrow)
{
  GVariant *data = narrow ? kymo_column_to_narrow (column) : NULL;

  if (data != NULL)
    return data;
  switch (column->type)
    {
    case KYMO_COLUMN_DOUBLE:
      return fixed_array (G_VARIANT_TYPE_DOUBLE, column->doubles, sizeof (double));
    case KYMO_COLUMN_STRING:
      return kymo_table_strings_to_variant ((char **) column->strings->pdata, column->strings->len);
    case KYMO_COLUMN_TABLE:
      return g_variant_new ("(@auv)",
                            fixed_array (G_VARIANT_TYPE_UINT32, column->offsets, sizeof (guint)),
                            table_to_variant (column->child, narrow));
    case KYMO_COLUMN_PACKED:
      return g_variant_new_fixed_array (G_VARIANT_TYPE_UINT32, column->packed, column->n_packed,
                                        sizeof (guint32));
    default:
      return fixed_array (G_VARIANT_TYPE_INT64, column->ints, sizeof (gint64));
    }
}

static GVariant *
table_to_variant (const KymoTable *table, gboolean narrow)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(syuv)"));
  for (guint i = 0; i < table->columns->len; i++)
    {
      const KymoColumn *column = kymo_table_column (table, i);

      g_variant_builder_add (&builder, "(syuv)", column->name,
                             (guchar) (column->type | (column->vector ? VECTOR_BIT : 0)),
                             column->width, column_data (column, narrow));
    }
  return g_variant_new ("(ya(syuv))", (guchar) table->style, &builder);
}

/**
 * kymo_table_to_variant:
 * @narrow: whether the reader knows narrow columns, which are shorter
 *
 * Returns: (transfer floating): the table in one value
 */
GVariant *
kymo_table_to_variant (const KymoTable *table, gboolean narrow)
{
  return table_to_variant (table, narrow);
}

/**
 * kymo_table_count_bytes:
 *
 * Returns: bytes of the numbers and texts of the table
 */
gsize
kymo_table_count_bytes (const KymoTable *table)
{
  gsize bytes = 0;

  for (guint i = 0; i < table->columns->len; i++)
    {
      const KymoColumn *column = kymo_table_column (table, i);

      bytes += column->ints != NULL ? column->ints->len * sizeof (gint64) : 0;
      bytes += column->doubles != NULL ? column->doubles->len * sizeof (double) : 0;
      bytes += column->n_packed * sizeof (guint32);
      bytes += column->child != NULL ? kymo_table_count_bytes (column->child) : 0;
      for (guint k = 0; column->strings != NULL && k < column->strings->len; k++)
        bytes += column->strings->pdata[k] != NULL ? strlen (column->strings->pdata[k]) + 1 : 1;
    }
  return bytes;
}

/* -- reading ----------------------------------------------------------------------------------- */

/** Reading: of a table and what is in it; @left: bytes that narrow columns may still become */
typedef struct
{
  guint depth;
  gsize left;
} Reading;

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

static KymoTable *table_from_variant (Reading *reading, GVariant *variant);

static gboolean
read_nested (Reading    *reading,
             GVariant   *data,
             KymoTable  *table,
             const char *name)
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
  reading->depth++;
  child = table_from_variant (reading, inner);
  reading->depth--;
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

static gboolean read_column (Reading *reading, KymoTable *table, const char *name, guint type,
                             guint width, GVariant *data);

/* A narrow column that lists its values. */
static gboolean
read_values (Reading *reading, GVariant *data, KymoColumn *column)
{
  g_autoptr (KymoTable) values = kymo_table_new (KYMO_STYLE_FLAT);
  g_autoptr (GVariant) listed = kymo_column_get_narrow_values (data);

  return column->type != KYMO_COLUMN_INT && column->type != KYMO_COLUMN_BOOL
         && !g_variant_is_of_type (listed, KYMO_NARROW_VALUES)
         && read_column (reading, values, "", column->type, 1, listed)
         && kymo_column_read_narrow_values (column, data, kymo_table_column (values, 0),
                                            &reading->left);
}

static gboolean
read_column (Reading    *reading,
             KymoTable  *table,
             const char *name,
             guint       type,
             guint       width,
             GVariant   *data)
{
  gboolean vector = (type & VECTOR_BIT) != 0;
  KymoColumn *column;
  guint index;

  type &= ~VECTOR_BIT;
  if (type > KYMO_COLUMN_PACKED || width < 1 || width > MAX_WIDTH)
    return FALSE;
  if (type == KYMO_COLUMN_TABLE)
    return read_nested (reading, data, table, name);
  index = kymo_table_add_column (table, name, type, width);
  g_array_index (table->columns, KymoColumn, index).vector = vector;
  column = &g_array_index (table->columns, KymoColumn, index);
  if (g_variant_is_of_type (data, KYMO_NARROW_VALUES))
    return (width == 1 || type == KYMO_COLUMN_DOUBLE) && read_values (reading, data, column)
           && (width == 1 || column->doubles->len % width == 0);
  if (type == KYMO_COLUMN_STRING)
    return width == 1 && read_strings (data, table, index);
  if (type == KYMO_COLUMN_PACKED)
    return width == 1 && read_packed (data, table, index);
  if (type == KYMO_COLUMN_DOUBLE)
    return read_numbers (data, G_VARIANT_TYPE ("ad"), sizeof (double), column->doubles)
      && column->doubles->len % width == 0;
  return (kymo_column_read_narrow_ints (column, data, &reading->left)
          || read_numbers (data, G_VARIANT_TYPE ("ax"), sizeof (gint64), column->ints))
         && column->ints->len % width == 0;
}

static KymoTable *
table_from_variant (Reading *reading, GVariant *variant)
{
  g_autoptr (KymoTable) table = NULL;
  g_autoptr (GVariantIter) iter = NULL;
  const char *name;
  guchar style, type;
  guint width;
  GVariant *data;

  if (reading->depth > MAX_DEPTH || !g_variant_is_of_type (variant, G_VARIANT_TYPE ("(ya(syuv))")))
    return NULL;
  g_variant_get (variant, "(ya(syuv))", &style, &iter);
  if (style > KYMO_STYLE_FLAT)
    return NULL;
  table = kymo_table_new (style);
  while (g_variant_iter_next (iter, "(&syuv)", &name, &type, &width, &data))
    {
      gboolean fine = read_column (reading, table, name, type, width, data);

      g_variant_unref (data);
      if (!fine)
        return NULL;
    }
  for (guint i = 0; i < table->columns->len; i++)
    if (kymo_column_get_n_rows (kymo_table_column (table, i)) != kymo_table_get_n_rows (table))
      return NULL;
  if ((style == KYMO_STYLE_FLAT && table->columns->len != 1)
      || (style == KYMO_STYLE_OBJECT && reading->depth == 0 && kymo_table_get_n_rows (table) > 1))
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
  Reading reading = { 0, KYMO_TABLE_MOST_BYTES };
  KymoTable *table = table_from_variant (&reading, variant);

  if (table == NULL)
    g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                         _("The answer is damaged: its parts do not fit together"));
  return table;
}
