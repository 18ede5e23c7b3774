/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-compare.h"

#include "kymo-units.h"

static gboolean
is_time (const KymoTable *answer)
{
  return kymo_table_get_bool (answer, "is_time", 0);
}

/**
 * kymo_compare_column:
 * @answer: a comparison; tells whether its figures are times
 * @table: of @answer
 * @name: of the column, without the suffix for ns
 * @width: (out) (optional): values in a row
 *
 * Returns: (transfer none) (nullable): the figures, ns or counts; %NULL where @table lacks the
 *   column
 */
const gint64 *
kymo_compare_column (const KymoTable *answer, const KymoTable *table,
                     const char *name, guint *width)
{
  g_autofree char *whole = g_strconcat (name, is_time (answer) ? "_ns" : "", NULL);

  return kymo_table_peek_ints (table, whole, width);
}

/**
 * kymo_compare_amount:
 * @value: ns or a count, as @answer tells; or %KYMO_NULL_INT
 *
 * Returns: (transfer full): "1.25 ms" or "1,234"; "–" where the value is not known
 */
char *
kymo_compare_amount (const KymoTable *answer, gint64 value)
{
  if (value == KYMO_NULL_INT)
    return g_strdup ("–");
  return is_time (answer) ? kymo_format_duration (value) : kymo_format_count (value);
}

/**
 * kymo_compare_signed:
 * @value: ns or a count, as @answer tells; or %KYMO_NULL_INT
 *
 * Returns: (transfer full): kymo_compare_amount() with "+" or "−" in front, except for 0 and for
 *   an unknown value
 */
char *
kymo_compare_signed (const KymoTable *answer, gint64 value)
{
  g_autofree char *text = value == KYMO_NULL_INT ? g_strdup ("–")
                          : kymo_compare_amount (answer, ABS (value));

  return g_strdup_printf ("%s%s", value > 0 ? "+" : value < 0 && value != KYMO_NULL_INT
                          ? "−" : "", text);
}

/**
 * kymo_compare_side:
 * @side: from 0, which is "A"
 *
 * Returns: (transfer full): the label of the first run of a side; "" where the answer lacks the
 *   side
 */
char *
kymo_compare_side (const KymoTable *answer, guint side)
{
  const KymoTable *runs = kymo_table_peek_nested (answer, "runs", NULL);

  for (guint i = 0; runs != NULL && i < kymo_table_get_n_rows (runs); i++)
    if (kymo_table_get_int (runs, "side", i) == side)
      return g_strdup (kymo_table_get_string (runs, "label", i));
  return g_strdup ("");
}
