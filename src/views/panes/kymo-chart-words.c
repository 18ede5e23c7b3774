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

/* Cells are records in one string: heading, FIELD, value, and where it is a number NUMBER and that;
   then END. No value has these characters. */
#define FIELD '\x1f'
#define NUMBER '\x1d'
#define END '\x1e'

/**
 * kymo_chart_add:
 * @cells: that grow
 * @heading: (nullable): what the value is; %NULL for a name
 * @value: (nullable): %NULL and "" add nothing
 * @number: to sort by; NaN where the value is no number
 *
 * Appends a cell. Control characters in the value become blanks.
 */
void
kymo_chart_add (GString *cells, const char *heading, const char *value, double number)
{
  if (value == NULL || *value == '\0')
    return;
  g_string_append_printf (cells, "%s%c", heading != NULL ? heading : "", FIELD);
  for (const char *p = value; *p != '\0'; p++)
    g_string_append_c (cells, g_ascii_iscntrl (*p) ? ' ' : *p);
  if (!isnan (number))
    {
      char digits[G_ASCII_DTOSTR_BUF_SIZE];

      g_string_append_printf (cells, "%c%s", NUMBER,
                              g_ascii_dtostr (digits, sizeof digits, number));
    }
  g_string_append_c (cells, END);
}

typedef struct
{
  const char *heading, *value, *end;   /* borrowed; the value ends at `end` */
  gsize       length;                  /* of the heading */
  gboolean    has_number;
} Record;

/* Reads a record and goes to the next one. */
static gboolean
next_record (const char **cells, Record *record)
{
  if (**cells == '\0')
    return FALSE;
  record->heading = *cells;
  record->value = strchr (*cells, FIELD) + 1;
  record->length = record->value - *cells - 1;
  for (record->end = record->value; *record->end != NUMBER && *record->end != END;)
    record->end++;
  record->has_number = *record->end == NUMBER;
  *cells = strchr (record->end, END) + 1;
  return TRUE;
}

/* A figure without a heading has a column of its own; what stands first in a line, and words, are
   its name. */
static void
find_column (Record *record, gboolean is_first)
{
  if (record->length == 0 && record->has_number && !is_first)
    {
      record->heading = _("value");
      record->length = strlen (record->heading);
    }
}

/**
 * kymo_chart_phrase:
 * @cells: of one line
 *
 * Returns: (transfer full): all cells in words, each value after its heading, with commas
 */
char *
kymo_chart_phrase (const char *cells)
{
  GString *words = g_string_new (NULL);
  Record record;

  while (next_record (&cells, &record))
    {
      g_string_append (words, words->len > 0 ? ", " : "");
      g_string_append_len (words, record.heading, record.length);
      if (record.length > 0)
        g_string_append_c (words, ' ');
      g_string_append_len (words, record.value, record.end - record.value);
    }
  return g_string_free (words, FALSE);
}

/**
 * kymo_chart_cell:
 * @cells: of one line
 * @heading: (nullable): of a column; %NULL for that of names
 * @number: (out) (optional): what the cell is sorted by; not set where the cell is no number
 *
 * Returns: (transfer full) (nullable): what stands in the column, with commas where that are
 *   several values; %NULL where the line has nothing there
 */
char *
kymo_chart_cell (const char *cells, const char *heading, double *number)
{
  const char *at = cells;
  gsize length = heading != NULL ? strlen (heading) : 0;
  GString *text = NULL;
  Record record;

  for (gboolean is_first = TRUE; next_record (&at, &record); is_first = FALSE)
    {
      find_column (&record, is_first);
      if (record.length != length || (length > 0 && strncmp (record.heading, heading, length) != 0))
        continue;
      text = text != NULL ? g_string_append (text, ", ") : g_string_new (NULL);
      g_string_append_len (text, record.value, record.end - record.value);
      if (number != NULL && record.has_number)
        *number = g_ascii_strtod (record.end + 1, NULL);
    }
  return text != NULL ? g_string_free (text, FALSE) : NULL;
}

/**
 * kymo_chart_add_headings:
 * @cells: of one line
 * @known: (element-type utf8): headings that are known; grows
 * @headings: (element-type utf8): the same in their order; grows by strings that are kept for good
 *
 * Adds the headings of a line that are new.
 */
void
kymo_chart_add_headings (const char *cells, GHashTable *known, GPtrArray *headings)
{
  const char *at = cells;
  Record record;

  for (gboolean is_first = TRUE; next_record (&at, &record); is_first = FALSE)
    {
      g_autofree char *heading = NULL;

      find_column (&record, is_first);
      heading = g_strndup (record.heading, record.length);
      if (*heading != '\0' && !g_hash_table_contains (known, heading))
        {
          const char *kept = g_intern_string (heading);

          g_hash_table_add (known, (gpointer) kept);
          g_ptr_array_add (headings, (gpointer) kept);
        }
    }
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

/* Parts of extrema are in the unit of what they are parts of. */
static KymoColumnKind
kind_of_parts (const KymoTable *answer, KymoColumnKind kind)
{
  if (kymo_table_find_column (answer, "average_ns") >= 0)
    return KYMO_COLUMN_OF_DURATION;
  return kymo_table_find_column (answer, "average_bytes") >= 0 ? KYMO_COLUMN_OF_BYTES : kind;
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
  if (is_int && g_str_equal (column, "value"))
    info.kind = kind_of_parts (self->answer, info.kind);
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
        return g_str_equal (key, "label") ? kymo_table_peek_label (list, key, i)
                                          : kymo_shown_name (kymo_table_get_string (list, key, i));
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
      kymo_chart_add (words, heading != NULL ? heading : of, text, value);
    }
}

/* The ends of an edge in a call graph are lines of its nodes, not rows of the run.
   Returns: (nullable): what that line is called */
static const char *
node_name (const KymoTable *answer, const char *column, gint64 line)
{
  const KymoTable *nodes = kymo_table_peek_nested (answer, "nodes", NULL);

  if (nodes == NULL || kymo_column_info (column).kind != KYMO_COLUMN_OF_ROW
      || line < 0 || line >= kymo_table_get_n_rows (nodes))
    return NULL;
  return kymo_table_get_string (nodes, "name", line);
}

static void
add_cell (const KymoChartWords *self, const KymoTable *table, guint c, guint row,
          GString *words)
{
  const char *column = kymo_table_get_column_name (table, c);
  KymoColumnType type = kymo_table_get_column_type (table, c);
  gboolean is_int = type == KYMO_COLUMN_INT;
  double number = NAN;
  g_autofree char *text = NULL;

  if (type == KYMO_COLUMN_STRING)
    {
      const char *word = kymo_table_get_string (table, column, row);

      /* All others are named: what communicates, or what one run has alone. */
      if ((g_str_equal (column, "kind") && g_strcmp0 (word, "worker") == 0)
          || (g_str_equal (column, "present") && g_strcmp0 (word, "both") == 0))
        return;
      text = g_strdup (g_str_has_suffix (column, "label") ? kymo_shown_label (word)
                       : g_str_equal (column, "kind") ? kymo_shown_kind (word)
                       : kymo_shown_name (word));
    }
  else if (type == KYMO_COLUMN_BOOL && g_str_equal (column, "is_noise"))
    {
      if (kymo_table_get_bool (table, column, row))
        kymo_chart_add (words, NULL, _("within noise"), NAN);
      return;
    }
  else if (!is_int && type != KYMO_COLUMN_DOUBLE)
    return;
  else if (kymo_table_get_column_width (table, c) != 1)
    {
      add_vector (self, table, column, row, is_int, words);
      return;
    }
  else if (is_int
           && node_name (self->answer, column, kymo_table_get_int (table, column, row)) != NULL)
    text = g_strdup (node_name (self->answer, column, kymo_table_get_int (table, column, row)));
  else
    {
      number = number_at (table, column, row, is_int);
      text = kymo_chart_number (self, column, number, is_int);
    }
  kymo_chart_add (words, kymo_chart_heading (column), text, number);
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
  gboolean by_labelled = kymo_table_find_column (table, "by_label") >= 0;
  /* Without repeats it is unknown. */
  gboolean noiseless = kymo_table_find_column (table, "has_noise") >= 0
                       && !kymo_table_get_bool (table, "has_noise", row);
  gboolean useful = kymo_tells_useful (table);

  for (guint c = 0; c < kymo_table_get_n_columns (table); c++)
    {
      const char *column = kymo_table_get_column_name (table, c);

      if (!kymo_column_info (column).internal
          && !(labelled && g_str_equal (column, "location"))
          && !(by_labelled && g_str_equal (column, "by"))
          && !(noiseless && g_str_has_prefix (column, "noise"))
          /* What functions were busy with is told by what it was for. */
          && !(useful && g_str_has_prefix (column, "busy")))
        add_cell (self, table, c, row, words);
    }
}
