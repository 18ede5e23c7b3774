/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-answer-texts.h.
 */
#include "config.h"

#include "kymo-answer-texts.h"

#include <math.h>
#include <string.h>

#include "kymo-id-set.h"
#include "kymo-in-terms.h"
#include "kymo-units.h"

/**
 * kymo_answer_number:
 * @row: of the table, which must not be %NULL
 *
 * Not for columns of text: they have no number.
 *
 * Returns: the number that a cell is sorted by: of a list its length, of times ns; %NAN where
 *   nothing is known
 */
double
kymo_answer_number (const KymoAnswerTexts *self, const KymoAnswerColumn *column,
                    guint row)
{
  const guint *offsets = NULL;
  gint64 value;

  switch (column->kind)
    {
    case KYMO_CELL_CLUSTER:
      return kymo_table_find_column (self->table, column->key) < 0 ? row
             : kymo_table_get_int (self->table, column->key, row);
    case KYMO_CELL_NUMBER:
    case KYMO_CELL_SHARE:
    case KYMO_CELL_DISTANCE:
      return kymo_table_get_double (self->table, column->key, row);
    case KYMO_CELL_LIST:
      if (kymo_table_peek_nested (self->table, column->key, &offsets) == NULL)
        return NAN;
      return offsets[row + 1] - offsets[row];
    default:
      value = kymo_table_get_int (self->table, column->key, row);
      /* NAN is a float, and would make one of the other. */
      return value == KYMO_NULL_INT ? (double) NAN : (double) value;
    }
}

static gboolean
is_duration (const KymoAnswerTexts *self, const KymoAnswerColumn *column)
{
  return column->kind == KYMO_CELL_TIME
         || (column->kind == KYMO_CELL_DISTANCE && self->is_time);
}

/** kymo_moment_text: "2.160 ms" */
char *
kymo_moment_text (gint64 ns)
{
  g_autofree char *exact = kymo_format_duration_exact (ns);
  const char *unit = strchr (exact, ' '), *point = strchr (exact, '.');
  gsize digits = point != NULL ? unit - point - 1 : 0;
  gsize least = g_str_equal (unit, " s") ? 6 : g_str_equal (unit, " ms") ? 3 : 0;
  gsize wanted = MAX (least, (digits + 2) / 3 * 3);
  GString *text = g_string_new_len (exact, unit - exact);

  if (point == NULL && wanted > 0)
    g_string_append_c (text, '.');
  for (; digits < wanted; digits++)
    g_string_append_c (text, '0');
  g_string_append (text, unit);
  return g_string_free (text, FALSE);
}

/**
 * kymo_answer_text:
 * @row: of the table, which must not be %NULL
 * @times: (nullable): unit and decimals of the column, where it holds times
 *
 * Returns: (transfer full): the shown text of a cell: a rounded figure with its unit, "–" where no
 *   number is known, "" where there is no text
 */
char *
kymo_answer_text (const KymoAnswerTexts *self, const KymoAnswerColumn *column,
                  guint row, const KymoTimeColumn *times)
{
  const char *text;
  double number;

  if (column->kind == KYMO_CELL_TEXT)
    {
      text = g_str_has_suffix (column->key, "label")
             ? kymo_table_peek_label (self->table, column->key, row)
             : kymo_shown_name (kymo_table_get_string (self->table, column->key, row));
      if (text != NULL && self->words != NULL)
        text = self->words (text);
      return g_strdup (text != NULL ? text : "");
    }
  number = kymo_answer_number (self, column, row);
  if (!isfinite (number))
    return g_strdup ("–");
  switch (column->kind)
    {
    case KYMO_CELL_COUNT:
    case KYMO_CELL_LIST:
      return kymo_format_count (number);
    case KYMO_CELL_TIME:
    case KYMO_CELL_MOMENT:
      return kymo_time_column_format (times, number);
    case KYMO_CELL_NUMBER:
      return g_strdup_printf ("%.2f", number);
    case KYMO_CELL_SHARE:
      return kymo_format_part (number);
    case KYMO_CELL_DISTANCE:
      return self->is_time ? kymo_time_column_format (times, number)
                           : kymo_format_number (number, 3);
    default:
      return g_strdup_printf ("%.0f", number);
    }
}

/**
 * kymo_answer_exact:
 * @row: of the table, which must not be %NULL
 *
 * Returns: (transfer full): a cell for copying and tooltips: times and numbers with all digits, of
 *   a list its numbers, and "" for an unknown time or number; a cell of another kind as
 *   kymo_answer_text() returns it
 */
char *
kymo_answer_exact (const KymoAnswerTexts *self, const KymoAnswerColumn *column,
                   guint row)
{
  const guint *offsets = NULL;
  KymoTable *list;
  double number;

  if (column->kind == KYMO_CELL_LIST
      && (list = kymo_table_peek_nested (self->table, column->key, &offsets))
         != NULL)
    return kymo_ids_to_text (kymo_table_peek_ints (list, "value", NULL)
                             + offsets[row], offsets[row + 1] - offsets[row]);
  if (column->kind != KYMO_CELL_NUMBER && column->kind != KYMO_CELL_TIME
      && column->kind != KYMO_CELL_MOMENT && column->kind != KYMO_CELL_DISTANCE)
    return kymo_answer_text (self, column, row, NULL);
  number = kymo_answer_number (self, column, row);
  if (!isfinite (number))
    return g_strdup ("");
  if (column->kind == KYMO_CELL_MOMENT)
    return kymo_moment_text (llround (number));
  if (is_duration (self, column))
    return kymo_format_duration_exact (llround (number));
  return kymo_format_exact (number);
}
