/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * metrics=LIST: system metrics under the rows, by their names, or all. "metrics" lists them, in the
 * order of the run, each with "values": tuples x0, x1, min, max, mean of the columns from x0 until
 * x1, nothing where nothing was measured. A value holds until the next one is read. Of totals the
 * values are what was added per second between two readings.
 */
#include "config.h"

#include "kymo-timeline-private.h"

#include <math.h>

#include "kymo-listed.h"

/* Series that are given at most. */
#define MOST_SERIES 64
#define NS_PER_S 1e9

/** Column: what was measured in it */
typedef struct
{
  double min, max, sum, weight;
} Column;

/* What was measured from reading i until the next; FALSE where it cannot be told. */
static gboolean
value_of (const KymoSeries *series,
          guint             i,
          double           *value)
{
  gint64 length_ns = series->times_ns[i + 1] - series->times_ns[i];
  double more = series->values[i + 1] - series->values[i];

  *value = series->is_total ? more / ((double) length_ns / NS_PER_S) : series->values[i];
  /* A total that falls was begun anew. */
  return length_ns > 0 && (!series->is_total || more >= 0) && isfinite (*value);
}

static void
add_to_column (Column  *column,
               KymoSpan span,
               KymoSpan measured,
               double   value)
{
  double weight = (double) kymo_span_length (kymo_span_intersect (span, measured));

  if (weight <= 0)
    return;
  column->min = column->weight == 0 ? value : MIN (column->min, value);
  column->max = column->weight == 0 ? value : MAX (column->max, value);
  column->sum += weight * value;
  column->weight += weight;
}

static void
fill_columns (const KymoTimelinePlan *plan,
              const KymoSeries       *series,
              Column                 *columns)
{
  guint x = 0;

  for (guint i = 0; i + 1 < series->n; i++)
    {
      KymoSpan measured = { series->times_ns[i], series->times_ns[i + 1] };
      double value;

      if (measured.end_ns <= plan->span.begin_ns || measured.begin_ns >= plan->span.end_ns
          || !value_of (series, i, &value))
        continue;
      while (x > 0 && plan->edges_ns[x] > measured.begin_ns)
        x--;
      while (x + 1 < plan->n_columns && plan->edges_ns[x + 1] <= measured.begin_ns)
        x++;
      for (guint c = x; c < plan->n_columns && plan->edges_ns[c] < measured.end_ns; c++)
        add_to_column (&columns[c], (KymoSpan) { plan->edges_ns[c], plan->edges_ns[c + 1] },
                       measured, value);
    }
}

static double
mean_of (const Column *column)
{
  return column->min == column->max ? column->min : column->sum / column->weight;
}

static gboolean
is_alike (const Column *a,
          const Column *b)
{
  return a->weight > 0 && b->weight > 0 && a->min == b->min && a->max == b->max
    && mean_of (a) == mean_of (b);
}

/* Columns with the same figures are one tuple. */
static void
append_values (KymoTable    *values,
               const Column *columns,
               guint         n)
{
  for (guint i = 0, end; i < n; i = end)
    {
      for (end = i + 1; end < n && is_alike (&columns[i], &columns[end]); end++)
        ;
      if (columns[i].weight == 0)
        continue;
      kymo_table_append_int (values, 0, i);
      kymo_table_append_int (values, 1, end);
      kymo_table_append_double (values, 2, columns[i].min);
      kymo_table_append_double (values, 3, columns[i].max);
      kymo_table_append_double (values, 4, mean_of (&columns[i]));
    }
}

static KymoTable *
new_values (void)
{
  static const char *const names[] = { "x0", "x1", "min", "max", "mean" };
  KymoTable *table = kymo_table_new (KYMO_STYLE_TUPLES);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    kymo_table_add_column (table, names[i], i < 2 ? KYMO_COLUMN_INT : KYMO_COLUMN_DOUBLE, 1);
  return table;
}

static void
append_series (const KymoTimelinePlan *plan,
               const KymoSeries       *series,
               KymoTable              *table,
               KymoTable              *values)
{
  g_autofree Column *columns = g_new0 (Column, plan->n_columns);
  g_autofree char *rate = g_strconcat (series->unit, "/s", NULL);
  double low = INFINITY, high = -INFINITY;

  fill_columns (plan, series, columns);
  for (guint i = 0; i < plan->n_columns; i++)
    if (columns[i].weight > 0)
      {
        low = MIN (low, columns[i].min);
        high = MAX (high, columns[i].max);
      }
  kymo_table_append_string (table, 0, series->of);
  kymo_table_append_string (table, 1, series->name);
  kymo_table_append_string (table, 2, series->is_total ? rate : series->unit);
  kymo_table_append_double (table, 3, low <= high ? low : NAN);
  kymo_table_append_double (table, 4, low <= high ? high : NAN);
  append_values (values, columns, plan->n_columns);
}

/**
 * kymo_timeline_set_metrics:
 * @answer: (inout): a timeline
 *
 * Adds the system metrics that the question names; nothing where it names none.
 */
void
kymo_timeline_set_metrics (const KymoAsk          *ask,
                           const KymoTimelinePlan *plan,
                           KymoTable              *answer)
{
  static const char *const names[] = { "of", "name", "unit", "min", "max" };
  const char *text = kymo_question_get (ask->question, "metrics");
  const GArray *all = ask->run->series;
  KymoTable *table, *values;
  guint nested, n = 0;

  if (text == NULL || *text == '\0')
    return;
  table = kymo_table_new (KYMO_STYLE_OBJECTS);
  values = new_values ();
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    kymo_table_add_column (table, names[i], i < 3 ? KYMO_COLUMN_STRING : KYMO_COLUMN_DOUBLE, 1);
  nested = kymo_table_add_nested (table, "values", values);
  for (guint i = 0; i < all->len && n < MOST_SERIES; i++)
    {
      const KymoSeries *series = &g_array_index (all, KymoSeries, i);

      if (!kymo_is_listed (text, "all") && !kymo_is_listed (text, series->name))
        continue;
      append_series (plan, series, table, values);
      kymo_table_end_nested (table, nested);
      n++;
    }
  kymo_table_set_table (answer, "metrics", table);
}
