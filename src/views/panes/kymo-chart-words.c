/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-chart-words.h.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "kymo-badge.h"
#include "kymo-chart-words.h"
#include "kymo-columns.h"
#include "kymo-in-terms.h"
#include "kymo-measure.h"
#include "kymo-time-parts.h"
#include "kymo-units.h"

/** kymo_chart_heading: kept for good: columns are few */
const char *
kymo_chart_heading (const char *column)
{
  g_autofree char *own = NULL;
  const char *heading = kymo_column_info (column).heading;

  if (heading != NULL)
    return *heading != '\0' ? _(heading) : NULL;
  own = g_strdelimit (g_strdup (column), "_", ' ');
  return g_intern_string (own);
}

/**
 * kymo_chart_add:
 * @words: the phrase that grows
 * @heading: (nullable): words before the value
 * @value: (nullable): %NULL and "" add nothing
 *
 * Appends heading and value to @words, after a comma where @words has text already. Line breaks in
 * the value become blanks.
 */
void
kymo_chart_add (GString *words, const char *heading, const char *value)
{
  if (value == NULL || *value == '\0')
    return;
  if (words->len > 0)
    g_string_append (words, ", ");
  if (heading != NULL)
    g_string_append_printf (words, "%s ", heading);
  for (const char *p = value; *p != '\0'; p++)
    g_string_append_c (words, *p == '\n' ? ' ' : *p);
}

/* -- numbers -------------------------------------------------------------- */

/* Values of profiles are in the answer's metric. */
static char *
in_metric (const KymoChartWords *self, const char *column, double value)
{
  const char *type = g_str_has_prefix (column, "exclusive")
                     || g_str_has_prefix (column, "inclusive") ? column : NULL;
  KymoPlotFrame frame = { .unit = self->unit };
  KymoMeasure measure;

  kymo_measure_init (&measure, self->answer, &frame, type);
  return kymo_measure_format (&measure, value);
}

/* Of a scatter plot, whose axes say their units. */
static char *
on_axis (const KymoChartWords *self, const char *column, double value)
{
  KymoTable *axis = kymo_table_peek_nested (self->answer, column, NULL);
  KymoPlotFrame frame = { .unit = self->unit };
  KymoMeasure measure;

  if (axis == NULL)
    return kymo_format_number (value, 3);
  if (kymo_table_find_column (axis, "key") >= 0)
    return kymo_unit_format (kymo_unit_of (kymo_table_get_string (axis, "unit", 0)), value);
  kymo_measure_init (&measure, axis, &frame, NULL);
  return kymo_measure_format (&measure, value);
}

/**
 * kymo_chart_number:
 * @column: name of the column, which tells the unit of the value
 * @value: in the unit of the column; NaN = null
 * @is_int: whether the column holds integers
 *
 * Writes a cell in the unit of its column: a duration, a size, a share, a distance, a count or a
 * plain number.
 *
 * Returns: (transfer full): the words; "" where @value is no number to show
 */
char *
kymo_chart_number (const KymoChartWords *self, const char *column, double value,
                   gboolean is_int)
{
  KymoColumnInfo info = kymo_column_info (column);
  gboolean of_profile = kymo_table_find_column (self->answer, "unit_ns") >= 0;

  if (isnan (value) || fabs (value) > 9.2e18)
    return g_strdup ("");
  /* Edges of a histogram of sizes are bytes, those of a metric are in its unit. */
  if (g_str_equal (column, "edges")
      && g_strcmp0 (kymo_table_get_string (self->answer, "of", 0), "duration") != 0)
    info.kind = KYMO_COLUMN_OF_NUMBER;
  if (info.kind == KYMO_COLUMN_OF_MOMENT)
    return kymo_format_duration_exact (llround (value));
  if (info.kind == KYMO_COLUMN_OF_DURATION)
    return kymo_format_duration (llround (value));
  if (of_profile && !is_int && info.in_metric)
    return in_metric (self, column, value);
  if (!is_int && info.kind == KYMO_COLUMN_OF_DISTANCE)
    return kymo_unit_format (kymo_unit_of_distances (self->answer), value);
  if (!is_int && info.kind == KYMO_COLUMN_OF_AXIS)
    return on_axis (self, column, value);
  if (!is_int && info.kind == KYMO_COLUMN_OF_SHARE)
    return kymo_format_percent (value);
  if (info.kind == KYMO_COLUMN_OF_BYTES)
    return kymo_format_bytes (llround (value));
  if (info.kind == KYMO_COLUMN_OF_ROW)
    return g_strdup_printf ("%s %.0f", kymo_in_terms (self->terms, _("{row}")), value);
  if (is_int || (value == floor (value) && fabs (value) < 1e15))
    return kymo_format_count (llround (value));
  return kymo_format_number (value, 3);
}

static double
number_at (const KymoTable *table, const char *column, guint row, gboolean is_int)
{
  gint64 value;

  if (!is_int)
    return kymo_table_get_double (table, column, row);
  value = kymo_table_get_int (table, column, row);
  return value == KYMO_NULL_INT ? (double) NAN : (double) value;
}

/* -- rows ----------------------------------------------------------------- */

/* What the numbers of a vector are of: another list of the answer is as long. */
static const char *
element_name (const KymoTable *answer, const KymoTable *except, guint width, guint i)
{
  static const char *const keys[] = { "threads", "functions", "kinds", "phases", "sides",
                                      NULL };

  for (guint k = 0; keys[k] != NULL; k++)
    {
      KymoTable *list = kymo_table_peek_nested (answer, keys[k], NULL);
      const char *key = list != NULL && kymo_table_find_column (list, "label") >= 0
                        ? "label" : "name";

      if (list != NULL && list != except && kymo_table_get_n_rows (list) == width
          && kymo_table_find_column (list, key) >= 0)
        return kymo_table_get_string (list, key, i);
    }
  return NULL;
}

static void
add_vector (const KymoChartWords *self, const KymoTable *table, const char *column,
            guint row, gboolean is_int, GString *words)
{
  guint width = 0;
  const gint64 *ints = is_int ? kymo_table_peek_ints (table, column, &width) : NULL;
  const double *doubles = is_int ? NULL : kymo_table_peek_doubles (table, column, &width);

  for (guint i = 0; i < width; i++)
    {
      gsize at = (gsize) row * width + i;
      double value = doubles != NULL ? doubles[at]
                     : ints[at] == KYMO_NULL_INT ? (double) NAN : (double) ints[at];
      g_autofree char *text = NULL, *heading = NULL;
      const char *of;

      if (value == 0 || isnan (value))
        continue;
      text = kymo_chart_number (self, column, value, is_int);
      of = element_name (self->answer, table, width, i);
      /* Of sides there are several vectors. */
      if (kymo_table_find_column (self->answer, "sides") >= 0 && of != NULL)
        heading = g_strdup_printf ("%s %s", kymo_chart_heading (column), of);
      kymo_chart_add (words, heading != NULL ? heading : of, text);
    }
}

static void
add_cell (const KymoChartWords *self, const KymoTable *table, guint c, guint row,
          GString *words)
{
  const char *column = kymo_table_get_column_name (table, c);
  KymoColumnType type = kymo_table_get_column_type (table, c);
  gboolean is_int = type == KYMO_COLUMN_INT;
  g_autofree char *text = NULL;

  if (type == KYMO_COLUMN_STRING)
    {
      text = g_strdup (kymo_table_get_string (table, column, row));
      /* All others are named: what communicates, or what one run has alone. */
      if ((g_str_equal (column, "kind") && g_strcmp0 (text, "worker") == 0)
          || (g_str_equal (column, "present") && g_strcmp0 (text, "both") == 0))
        return;
    }
  else if (type == KYMO_COLUMN_BOOL && g_str_equal (column, "is_noise"))
    {
      if (kymo_table_get_bool (table, column, row))
        kymo_chart_add (words, NULL, _("within noise"));
      return;
    }
  else if (!is_int && type != KYMO_COLUMN_DOUBLE)
    return;
  else if (kymo_table_get_column_width (table, c) != 1)
    {
      add_vector (self, table, column, row, is_int, words);
      return;
    }
  else
    text = kymo_chart_number (self, column, number_at (table, column, row, is_int),
                              is_int);
  kymo_chart_add (words, kymo_chart_heading (column), text);
}

/**
 * kymo_chart_add_row:
 * @words: the phrase that grows
 *
 * Appends the cells of a row to @words, each with the heading of its column. Columns that only
 * serve the picture are left out, as is the number of a location that has a label.
 */
void
kymo_chart_add_row (const KymoChartWords *self, const KymoTable *table, guint row,
                    GString *words)
{
  gboolean labelled = kymo_table_find_column (table, "label") >= 0;
  /* Without repeats nobody knows. */
  gboolean noiseless = kymo_table_find_column (table, "has_noise") >= 0
                       && !kymo_table_get_bool (table, "has_noise", row);
  gboolean useful = kymo_tells_useful (table);

  for (guint c = 0; c < kymo_table_get_n_columns (table); c++)
    {
      const char *column = kymo_table_get_column_name (table, c);

      if (!kymo_column_info (column).internal
          && !(labelled && g_str_equal (column, "location"))
          && !(noiseless && g_str_has_prefix (column, "noise"))
          /* What functions were busy with is told by what it was for. */
          && !(useful && g_str_has_prefix (column, "busy")))
        add_cell (self, table, c, row, words);
    }
}
