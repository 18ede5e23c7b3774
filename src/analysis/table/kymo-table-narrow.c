/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-table-narrow.h"

#include <string.h>

#include "kymo-narrow.h"

/* Shorter columns are plain. */
#define NARROW_FROM 64
/* More distinct values than these, or than one in four, are not listed. */
#define MOST_DISTINCT (16 * 1024)
/* Cells of a long column that are looked at first, to tell whether a look at all is worth it. */
#define CELLS_TOLD 4096

/* (transfer floating): the numbers as an "ax" of words. */
static GVariant *
pack_words (const guint64 *numbers, gsize n, guint bits)
{
  gsize size = kymo_narrow_count_words (n, bits) * sizeof (guint64);
  g_autoptr (GBytes) bytes = g_bytes_new_take (kymo_narrow_pack (numbers, n, bits), size);

  return g_variant_new_from_bytes (G_VARIANT_TYPE ("ax"), bytes, TRUE);
}

/* The least of all, and what the largest is more than it; whether there are nulls. */
static gboolean
find_range (const gint64 *values, gsize n, gint64 *least, guint64 *range)
{
  gint64 most = G_MININT64;
  gboolean nulls = FALSE;

  *least = G_MAXINT64;
  for (gsize i = 0; i < n; i++)
    if (values[i] == KYMO_NULL_INT)
      nulls = TRUE;
    else
      {
        *least = MIN (*least, values[i]);
        most = MAX (most, values[i]);
      }
  if (most < *least)
    *least = most = 0;
  *range = (guint64) most - (guint64) *least;
  return nulls;
}

/* (transfer floating) (nullable): integers narrow; NULL where that is not worth it. */
static GVariant *
narrow_ints (const gint64 *values, gsize n)
{
  g_autofree guint64 *numbers = NULL;
  gint64 least;
  guint64 range;
  gboolean nulls = find_range (values, n, &least, &range);
  guint bits = kymo_narrow_count_bits (range + nulls);

  if (bits > 48)
    return NULL;
  numbers = g_new (guint64, n);
  for (gsize i = 0; i < n; i++)
    numbers[i] = values[i] == KYMO_NULL_INT ? 0 : (guint64) values[i] - (guint64) least + nulls;
  return g_variant_new ("(ybxu@ax)", (guchar) bits, nulls, least, (guint32) n,
                        pack_words (numbers, n, bits));
}

static gsize
most_distinct (gsize n)
{
  return MIN (n / 4, MOST_DISTINCT);
}

/* (transfer floating): a column of @n values, of which @distinct has all. */
static GVariant *
narrow_values (const guint64 *numbers, gsize n, gsize n_distinct, GVariant *distinct)
{
  guint bits = kymo_narrow_count_bits (n_distinct - 1);

  return g_variant_new ("(yu@axv)", (guchar) bits, (guint32) n, pack_words (numbers, n, bits),
                        distinct);
}

/* (transfer floating) (nullable) */
static GVariant *
narrow_strings (GPtrArray *strings)
{
  gsize n = strings->len, most = most_distinct (n);
  g_autofree guint64 *numbers = g_new (guint64, n);
  g_autofree gsize *firsts = g_new (gsize, most);
  g_autofree char **distinct = g_new (char *, most);
  gsize n_distinct = kymo_narrow_number_texts ((const char *const *) strings->pdata, n, most,
                                               numbers, firsts);

  for (gsize i = 0; i < n_distinct; i++)
    distinct[i] = strings->pdata[firsts[i]];
  return n_distinct > 0
         ? narrow_values (numbers, n, n_distinct,
                          kymo_table_strings_to_variant (distinct, n_distinct)) : NULL;
}

/* (transfer floating) (nullable): doubles by their bits: -0 and each NaN stay what they are. */
static GVariant *
narrow_doubles (const GArray *doubles)
{
  gsize n = doubles->len, most = most_distinct (n);
  g_autofree guint64 *numbers = g_new (guint64, n);
  g_autofree gsize *firsts = g_new (gsize, most);
  g_autofree double *distinct = g_new (double, most);
  gsize n_distinct = kymo_narrow_number ((const guint64 *) doubles->data, n, most, numbers, firsts);

  for (gsize i = 0; i < n_distinct; i++)
    distinct[i] = g_array_index (doubles, double, firsts[i]);
  return n_distinct > 0
         ? narrow_values (numbers, n, n_distinct,
                          g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, distinct, n_distinct,
                                                     sizeof (double))) : NULL;
}

/* (transfer floating) (nullable) */
static GVariant *
narrow_packed (const guint32 *packed, gsize n)
{
  gsize most = most_distinct (n), told = MIN (n, CELLS_TOLD), n_distinct;
  g_autofree guint64 *numbers = g_new (guint64, n);
  g_autofree gsize *firsts = g_new (gsize, most);
  g_autofree guint32 *distinct = g_new (guint32, most);
  g_autofree guint64 *values = g_new (guint64, n);

  for (gsize i = 0; i < told; i++)
    values[i] = packed[i];
  if (kymo_narrow_number (values, told, most_distinct (told), numbers, firsts) == 0)
    return NULL;
  for (gsize i = told; i < n; i++)
    values[i] = packed[i];
  n_distinct = kymo_narrow_number (values, n, most, numbers, firsts);
  for (gsize i = 0; i < n_distinct; i++)
    distinct[i] = packed[firsts[i]];
  return n_distinct > 0
         ? narrow_values (numbers, n, n_distinct,
                          g_variant_new_fixed_array (G_VARIANT_TYPE_UINT32, distinct, n_distinct,
                                                     sizeof (guint32))) : NULL;
}

/**
 * kymo_column_to_narrow:
 *
 * Returns: (transfer floating) (nullable): the data of a column that is long and shorter if narrow;
 *   %NULL for others
 */
GVariant *
kymo_column_to_narrow (const KymoColumn *column)
{
  switch (column->type)
    {
    case KYMO_COLUMN_DOUBLE:
      return column->doubles->len >= NARROW_FROM ? narrow_doubles (column->doubles) : NULL;
    case KYMO_COLUMN_STRING:
      return column->strings->len >= NARROW_FROM ? narrow_strings (column->strings) : NULL;
    case KYMO_COLUMN_PACKED:
      return column->n_packed >= NARROW_FROM ? narrow_packed (column->packed, column->n_packed)
                                             : NULL;
    case KYMO_COLUMN_TABLE:
      return NULL;
    default:
      return column->ints->len >= NARROW_FROM
             ? narrow_ints ((const gint64 *) column->ints->data, column->ints->len) : NULL;
    }
}

/* -- reading ----------------------------------------------------------------------------------- */

/* Takes bytes of those that may still be made. */
static gboolean
spend_bytes (gsize *left, gsize bytes)
{
  gboolean fits = bytes <= *left;

  *left -= fits ? bytes : 0;
  return fits;
}

/* (transfer full) (nullable): the numbers of a narrow column; NULL where they do not fit. */
static guint64 *
read_words (GVariant *data, guint bits, gsize n, gsize *left)
{
  guint64 *numbers;
  const guint64 *words;
  gsize n_words;

  words = g_variant_get_fixed_array (data, &n_words, sizeof (guint64));
  if (bits < 1 || bits > 64 || n == 0 || n_words != kymo_narrow_count_words (n, bits)
      || !spend_bytes (left, n * sizeof (guint64)))
    return NULL;
  numbers = g_new (guint64, n);
  kymo_narrow_unpack (words, bits, numbers, n);
  return numbers;
}

/**
 * kymo_column_read_narrow_ints:
 * @column: empty, of integers or flags
 * @data: anything
 * @left: (inout): bytes that narrow columns may still become
 *
 * Returns: whether the data are a narrow column of integers, which the column has then
 */
gboolean
kymo_column_read_narrow_ints (KymoColumn *column, GVariant *data, gsize *left)
{
  g_autoptr (GVariant) words = NULL;
  g_autofree guint64 *numbers = NULL;
  guchar bits;
  gboolean nulls;
  gint64 least;
  guint32 n;

  if (!g_variant_is_of_type (data, KYMO_NARROW_INTS))
    return FALSE;
  g_variant_get (data, "(ybxu@ax)", &bits, &nulls, &least, &n, &words);
  numbers = read_words (words, bits, n, left);
  for (guint32 i = 0; numbers != NULL && i < n; i++)
    numbers[i] = nulls && numbers[i] == 0 ? (guint64) KYMO_NULL_INT
                                          : (guint64) least + numbers[i] - (guint64) nulls;
  if (numbers != NULL)
    g_array_append_vals (column->ints, numbers, n);
  return numbers != NULL;
}

/** kymo_column_get_narrow_values: @data: of type %KYMO_NARROW_VALUES; Returns: (transfer full): the
 *  data of the plain column that lists its values */
GVariant *
kymo_column_get_narrow_values (GVariant *data)
{
  GVariant *values;

  g_variant_get (data, "(yuaxv)", NULL, NULL, NULL, &values);
  return values;
}

static void
spread_doubles (KymoColumn *column, const KymoColumn *values, const guint64 *numbers, gsize n)
{
  g_array_set_size (column->doubles, n);
  for (gsize i = 0; i < n; i++)
    g_array_index (column->doubles, double, i) = g_array_index (values->doubles, double,
                                                                numbers[i]);
}

static void
spread_packed (KymoColumn *column, const KymoColumn *values, const guint64 *numbers, gsize n)
{
  column->packed = g_new (guint32, n);
  column->n_packed = n;
  for (gsize i = 0; i < n; i++)
    column->packed[i] = values->packed[numbers[i]];
}

/* Texts may be long, and there may be many of each. */
static gboolean
spread_strings (KymoColumn *column, const KymoColumn *values, const guint64 *numbers, gsize n,
                gsize *left)
{
  g_autofree gsize *sizes = g_new (gsize, values->strings->len);

  for (guint i = 0; i < values->strings->len; i++)
    sizes[i] = values->strings->pdata[i] != NULL ? strlen (values->strings->pdata[i]) + 1 : 0;
  for (gsize i = 0; i < n; i++)
    {
      gsize size = sizes[numbers[i]];

      if (!spend_bytes (left, size))
        return FALSE;
      g_ptr_array_add (column->strings,
                       size > 0 ? g_memdup2 (values->strings->pdata[numbers[i]], size) : NULL);
    }
  return TRUE;
}

/**
 * kymo_column_read_narrow_values:
 * @column: empty, of doubles, texts or packed numbers
 * @data: of type %KYMO_NARROW_VALUES
 * @values: of the same type, see kymo_column_get_narrow_values()
 * @left: (inout): bytes that narrow columns may still become
 *
 * Returns: whether the data fit together; the column has them then
 */
gboolean
kymo_column_read_narrow_values (KymoColumn *column, GVariant *data, const KymoColumn *values,
                                gsize *left)
{
  gsize n_values = kymo_column_get_n_rows (values);
  g_autoptr (GVariant) words = NULL;
  g_autofree guint64 *numbers = NULL;
  guchar bits;
  guint32 n;

  g_variant_get (data, "(yu@axv)", &bits, &n, &words, NULL);
  numbers = read_words (words, bits, n, left);
  for (guint32 i = 0; numbers != NULL && i < n; i++)
    if (numbers[i] >= n_values)
      return FALSE;
  if (numbers == NULL)
    return FALSE;
  if (column->type == KYMO_COLUMN_STRING)
    return spread_strings (column, values, numbers, n, left);
  if (column->type == KYMO_COLUMN_DOUBLE)
    spread_doubles (column, values, numbers, n);
  else
    spread_packed (column, values, numbers, n);
  return TRUE;
}
