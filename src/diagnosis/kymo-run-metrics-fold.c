/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From the rows of an answer, or the samples of a CSV file, to one number.
 */
#include "config.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-input.h"
#include "kymo-run-metrics-private.h"

/** MOST_CSV_BYTES: of one file of joined metrics */
#define MOST_CSV_BYTES (64 << 20)

static int
compare_numbers (gconstpointer a,
                 gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static double
find_median (GArray *values)
{
  g_autoptr (GArray) sorted = g_array_copy (values);
  guint n = sorted->len;

  g_array_sort (sorted, compare_numbers);
  return (g_array_index (sorted, double, (n - 1) / 2) + g_array_index (sorted, double, n / 2)) / 2;
}

/**
 * kymo_run_metrics_fold:
 * @values: doubles
 * @row: (out): the index of the value that stands for all: the least for the minimum, the first for
 *   the first, else the largest
 *
 * Returns: the number; NaN where there are no values, but 0 for sums and counts
 */
double
kymo_run_metrics_fold (GArray   *values,
                       KymoFold  fold,
                       guint    *row)
{
  double sum = 0;

  *row = 0;
  for (guint i = 0; i < values->len; i++)
    {
      double value = g_array_index (values, double, i);
      double best = g_array_index (values, double, *row);

      sum += value;
      if (fold != KYMO_FOLD_FIRST && (fold == KYMO_FOLD_MIN ? value < best : value > best))
        *row = i;
    }
  if (fold == KYMO_FOLD_COUNT)
    return values->len;
  if (fold == KYMO_FOLD_SUM)
    return sum;
  if (values->len == 0)
    return NAN;
  if (fold == KYMO_FOLD_MEAN)
    return sum / values->len;
  return fold == KYMO_FOLD_MEDIAN ? find_median (values) : g_array_index (values, double, *row);
}

/* -- answers --------------------------------------------------------------------- */

static gboolean
has_column (const KymoTable *table,
            const char      *name)
{
  gint column = name != NULL ? kymo_table_find_column (table, name) : -1;

  return column >= 0 && kymo_table_get_column_width (table, column) == 1;
}

static gboolean
is_one_of (char *const *words,
           const char  *text)
{
  for (guint i = 0; text != NULL && words[i] != NULL; i++)
    if (strchr (words[i], '*') != NULL ? g_pattern_match_simple (words[i], text)
        : strcmp (words[i], text) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
is_row_of (const KymoMetricRule *metric,
           const KymoTable      *table,
           guint                 row)
{
  for (guint i = 0; i < metric->where->len; i++)
    {
      const KymoMetricWhere *where = &g_array_index (metric->where, KymoMetricWhere, i);

      if (where->words == NULL)
        {
          double value = has_column (table, where->column)
            ? kymo_table_get_number (table, where->column, row) : NAN;

          if (!(value >= where->least && value < where->below))
            return FALSE;
        }
      else if (is_one_of (where->words, kymo_table_get_string (table, where->column, row))
               == where->is_not)
        return FALSE;
    }
  return TRUE;
}

/* A text that is a number and nothing else, as a fact of the environment may be. */
static double
read_number (const char *text)
{
  char *end;
  double value = text != NULL ? g_ascii_strtod (text, &end) : NAN;

  return text != NULL && end != text && *end == '\0' && isfinite (value) ? value : NAN;
}

/* The location of a row, and its label: "last_location" has "last_label" beside it. */
static void
take_location (const KymoMetricRule *metric,
               const KymoTable      *table,
               guint                 row,
               KymoMeasured         *measured)
{
  const char *word = g_strrstr (metric->location_column, "location");
  g_autofree char *label = word == NULL ? NULL
    : g_strdup_printf ("%.*slabel", (int) (word - metric->location_column),
                       metric->location_column);

  measured->location = kymo_table_get_int (table, metric->location_column, row);
  if (measured->location >= 0 && has_column (table, label))
    measured->label = g_strdup (kymo_table_get_string (table, label, row));
  if (has_column (table, metric->begin_column) && has_column (table, metric->end_column))
    measured->block = (KymoSpan) { kymo_table_get_int (table, metric->begin_column, row),
                                   kymo_table_get_int (table, metric->end_column, row) };
}

/* "exclusive/total" is the column total of the list "exclusive" of a row. */
static double
get_value (const KymoMetricRule *metric,
           const KymoTable      *table,
           guint                 row)
{
  const char *slash = metric->value != NULL ? strchr (metric->value, '/') : NULL;
  g_autofree char *list = slash != NULL ? g_strndup (metric->value, slash - metric->value) : NULL;
  const KymoTable *nested = table;
  const guint *offsets = NULL;

  if (metric->value == NULL)
    return 0;
  if (list != NULL)
    nested = kymo_table_peek_nested (table, list, &offsets);
  if (nested == NULL || !has_column (nested, list != NULL ? slash + 1 : metric->value)
      || (offsets != NULL && offsets[row] == offsets[row + 1]))
    return NAN;
  if (list == NULL
      && kymo_table_get_column_type (table, kymo_table_find_column (table, metric->value))
         == KYMO_COLUMN_STRING)
    return read_number (kymo_table_get_string (table, metric->value, row));
  return kymo_table_get_number (nested, list != NULL ? slash + 1 : metric->value,
                                offsets != NULL ? offsets[row] : row);
}

/**
 * kymo_run_metrics_each_row:
 * @table: the list of an answer that the metric is of
 * @see: called with the number of each row that holds what the metric says of rows
 */
void
kymo_run_metrics_each_row (const KymoMetricRule *metric,
                           const KymoTable      *table,
                           void                (*see) (gpointer data, guint row),
                           gpointer              data)
{
  for (guint i = 0; i < kymo_table_get_n_rows (table); i++)
    if (is_row_of (metric, table, i))
      see (data, i);
}

/**
 * kymo_run_metrics_fold_rows:
 * @table: a list of an answer, which has the columns that the metric names
 * @measured: (out caller-allocates): gets the value, or the reason
 */
void
kymo_run_metrics_fold_rows (const KymoMetricRule *metric,
                            const KymoTable      *table,
                            KymoMeasured         *measured)
{
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint));
  guint best;

  for (guint i = 0; i < kymo_table_get_n_rows (table); i++)
    {
      double value = get_value (metric, table, i);

      if (!is_row_of (metric, table, i) || isnan (value))
        continue;
      g_array_append_val (values, value);
      g_array_append_val (rows, i);
    }
  measured->value = kymo_run_metrics_fold (values, metric->fold, &best);
  if (metric->fold != KYMO_FOLD_COUNT)
    measured->value *= metric->factor;
  /* What was not measured of a machine is not 0. */
  if (values->len == 0 && strcmp (metric->question, "system-metrics") == 0)
    measured->value = NAN;
  if (isnan (measured->value))
    measured->why = metric->needs != NULL ? g_strdup (_(metric->needs))
      : g_strdup_printf (_("the answer to “%s” has no value for “%s”"), metric->question,
                         metric->value);
  if (values->len == 0)
    return;
  best = g_array_index (rows, guint, best);
  if (has_column (table, metric->name_column))
    measured->name = g_strdup (kymo_table_get_string (table, metric->name_column, best));
  if (has_column (table, metric->location_column))
    take_location (metric, table, best, measured);
}

static gboolean
has_value (const KymoMetricRule *metric,
           const KymoTable      *table)
{
  const char *slash = metric->value != NULL ? strchr (metric->value, '/') : NULL;
  g_autofree char *list = slash != NULL ? g_strndup (metric->value, slash - metric->value) : NULL;

  if (metric->value == NULL)
    return TRUE;
  if (list != NULL)
    table = kymo_table_find_column (table, list) >= 0
      ? kymo_table_peek_nested (table, list, NULL) : NULL;
  return table != NULL && has_column (table, slash != NULL ? slash + 1 : metric->value);
}

/**
 * kymo_run_metrics_find_answer:
 * @metric: its question, keywords and range count
 * @why: (out): why there is no answer
 *
 * Returns: (transfer none) (nullable): the answer of the run to the question, which is put once
 */
const KymoTable *
kymo_run_metrics_find_answer (KymoRunMetrics        *measure,
                              KymoMetricsOfRun      *run,
                              const KymoMetricRule  *metric,
                              const char           **why)
{
  g_autofree char *words = metric->keywords != NULL ? g_strjoinv (";", metric->keywords) : NULL;
  g_autofree char *key = g_strdup_printf ("%s;%d;%s", metric->question, metric->whole,
                                          words != NULL ? words : "");
  g_autoptr (KymoQuestion) question = NULL;
  g_autoptr (GError) error = NULL;
  KymoTable *answer = g_hash_table_lookup (run->answers, key);

  *why = g_hash_table_lookup (run->refusals, key);
  if (answer != NULL || *why != NULL)
    return answer;
  question = kymo_question_new (metric->question);
  kymo_question_set_int (question, "workers-only", 1);
  /* Of a reduced run what limits the run that it stands for. */
  if (kymo_source_get_capabilities (run->source) & KYMO_CAN_WEIGHTS)
    kymo_question_set_int (question, "extrapolate", 1);
  if (!metric->whole)
    kymo_question_set_span (question, run->range);
  if (measure->locations != NULL)
    kymo_question_set_locations (question, measure->locations);
  for (guint i = 0; metric->keywords != NULL && metric->keywords[i] != NULL; i++)
    {
      char *equals = strchr (metric->keywords[i], '=');
      g_autofree char *name = equals != NULL
        ? g_strndup (metric->keywords[i], equals - metric->keywords[i])
        : g_strdup (metric->keywords[i]);

      kymo_question_set (question, name, equals != NULL ? equals + 1 : "1");
    }
  answer = kymo_source_ask (run->source, question, measure->cancellable, &error);
  if (answer != NULL)
    {
      g_hash_table_insert (run->answers, g_steal_pointer (&key), answer);
      return answer;
    }
  *why = g_strdup (error->message);
  g_hash_table_insert (run->refusals, g_steal_pointer (&key), (char *) *why);
  return NULL;
}

/**
 * kymo_run_metrics_ask:
 * @metric: a metric that is taken from an answer
 * @measured: (out caller-allocates): gets the value, or the reason
 */
void
kymo_run_metrics_ask (KymoRunMetrics       *measure,
                      KymoMetricsOfRun     *run,
                      const KymoMetricRule *metric,
                      KymoMeasured         *measured)
{
  const char *why;
  const KymoTable *answer = kymo_run_metrics_find_answer (measure, run, metric, &why);
  const KymoTable *table = answer == NULL || metric->list == NULL ? answer
    : kymo_table_peek_nested (answer, metric->list, NULL);

  if (answer == NULL)
    measured->why = g_strdup (metric->needs != NULL ? _(metric->needs) : why);
  else if (table == NULL || !has_value (metric, table))
    measured->why = metric->needs != NULL ? g_strdup (_(metric->needs))
      : g_strdup_printf (_("the answer to “%s” has no value for “%s”"), metric->question,
                         table == NULL ? metric->list : metric->value);
  else
    kymo_run_metrics_fold_rows (metric, table, measured);
}

/**
 * kymo_run_metrics_find_main:
 *
 * Returns: the main part of the run, without start-up and shutdown; all of it if nothing tells
 *   these apart
 */
KymoSpan
kymo_run_metrics_find_main (KymoRunMetrics   *measure,
                            KymoMetricsOfRun *run)
{
  const KymoMetricRule metric = { .question = (char *) "regions", .whole = TRUE };
  const char *why;
  const KymoTable *answer = kymo_run_metrics_find_answer (measure, run, &metric, &why);
  const KymoTable *regions = answer != NULL ? kymo_table_peek_nested (answer, "regions", NULL)
                                            : NULL;

  for (guint i = 0; regions != NULL && i < kymo_table_get_n_rows (regions); i++)
    if (g_strcmp0 (kymo_table_get_string (regions, "region", i), "main") == 0)
      return (KymoSpan) { kymo_table_get_int (regions, "begin_ns", i),
                          kymo_table_get_int (regions, "end_ns", i) };
  return KYMO_SPAN_ALL;
}

/* -- CSV ------------------------------------------------------------------------- */

/**
 * kymo_csv_column_free:
 * @column: a #KymoCsvColumn
 *
 * Frees a column and its samples.
 */
void
kymo_csv_column_free (gpointer column)
{
  g_array_unref (((KymoCsvColumn *) column)->times);
  g_array_unref (((KymoCsvColumn *) column)->values);
  g_free (column);
}

static gboolean
refuse_csv (const char  *path,
            guint        line,
            const char  *why,
            GError     **error)
{
  g_autofree char *name = g_path_get_basename (path);

  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, "%s:%u: %s", name, line, why);
  return FALSE;
}

/* (nullable): a column for each name behind the first; those that a file before had are continued.
 * None where a name is there twice. */
static GPtrArray *
begin_columns (KymoRunMetrics  *measure,
               char           **names)
{
  g_autoptr (GPtrArray) columns = g_ptr_array_new ();

  for (guint i = 1; names[i] != NULL; i++)
    {
      KymoCsvColumn *column = g_hash_table_lookup (measure->csv, g_strstrip (names[i]));

      if (column != NULL && g_ptr_array_find (columns, column, NULL))
        return NULL;
      if (column == NULL)
        {
          column = g_new0 (KymoCsvColumn, 1);
          column->times = g_array_new (FALSE, FALSE, sizeof (gint64));
          column->values = g_array_new (FALSE, FALSE, sizeof (double));
          g_hash_table_insert (measure->csv, g_strdup (names[i]), column);
        }
      g_ptr_array_add (columns, column);
    }
  return g_steal_pointer (&columns);
}

/* A line of samples; an empty cell is no sample. */
static gboolean
read_samples (char       **cells,
              GPtrArray   *columns,
              const char **why)
{
  gint64 time_ns;

  *why = _("a line has another number of values than there are names");
  if (g_strv_length (cells) != columns->len + 1)
    return FALSE;
  *why = _("a time is no whole number of nanoseconds");
  if (!g_ascii_string_to_signed (g_strstrip (cells[0]), 10, 0, G_MAXINT64, &time_ns, NULL))
    return FALSE;
  *why = _("a value is no number");
  for (guint i = 0; i < columns->len; i++)
    {
      KymoCsvColumn *column = columns->pdata[i];
      char *text = g_strstrip (cells[i + 1]), *end;
      double value = g_ascii_strtod (text, &end);

      if (*text == '\0')
        continue;
      if (*end != '\0' || !isfinite (value))
        return FALSE;
      g_array_append_val (column->times, time_ns);
      g_array_append_val (column->values, value);
    }
  return TRUE;
}

/**
 * kymo_run_metrics_add_csv:
 * @path: a file whose first line is "time_ns,NAME,…", with samples below
 *
 * Joins metrics that something else measured. Times are those of the run.
 *
 * Returns: FALSE with @error, which names file and line
 */
gboolean
kymo_run_metrics_add_csv (KymoRunMetrics  *measure,
                          const char      *path,
                          GError         **error)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (GPtrArray) columns = NULL;
  gsize length;

  if (!kymo_input_load (path, MOST_CSV_BYTES, &text, &length, error))
    return FALSE;
  if (!g_utf8_validate (text, length, NULL))
    return refuse_csv (path, 1, _("the file is no text in UTF-8"), error);
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) cells = NULL;
      const char *why;

      if (*g_strstrip (lines[i]) == '\0')
        continue;
      cells = g_strsplit (lines[i], ",", -1);
      if (columns == NULL)
        {
          if (strcmp (g_strstrip (cells[0]), "time_ns") != 0 || cells[1] == NULL)
            return refuse_csv (path, i + 1, _("the first line is not “time_ns,NAME,…”"), error);
          columns = begin_columns (measure, cells);
          if (columns == NULL)
            return refuse_csv (path, i + 1, _("two columns have the same name"), error);
        }
      else if (!read_samples (cells, columns, &why))
        return refuse_csv (path, i + 1, why, error);
    }
  return columns != NULL || refuse_csv (path, 1, _("the file is empty"), error);
}

/**
 * kymo_run_metrics_fold_csv:
 * @metric: a metric that is taken from a joined file
 * @measured: (out caller-allocates): gets the value of the samples within the range
 */
void
kymo_run_metrics_fold_csv (KymoRunMetrics       *measure,
                           const KymoMetricRule *metric,
                           KymoMeasured         *measured)
{
  const KymoMetricsOfRun *run = measure->runs->pdata[0];
  const KymoCsvColumn *column = g_hash_table_lookup (measure->csv, metric->csv);
  g_autoptr (GArray) inside = g_array_new (FALSE, FALSE, sizeof (double));
  guint best;

  for (guint i = 0; column != NULL && i < column->values->len; i++)
    {
      gint64 time_ns = g_array_index (column->times, gint64, i);

      if (time_ns >= run->range.begin_ns && time_ns < run->range.end_ns)
        g_array_append_val (inside, g_array_index (column->values, double, i));
    }
  if (inside->len > 0)
    measured->value = kymo_run_metrics_fold (inside, metric->fold, &best)
      * (metric->fold == KYMO_FOLD_COUNT ? 1 : metric->factor);
  else
    measured->why = column == NULL || column->values->len == 0
      ? g_strdup_printf (_("a CSV file with the column “%s”"), metric->csv)
      : g_strdup_printf (_("values of “%s” with times in the range that is asked"), metric->csv);
}
