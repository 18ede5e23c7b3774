/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * system-metrics: what was measured of nodes, of resources beside the locations and of processes
 * within a range: of totals what was added, else the mean over time. Metrics of processes are those
 * of the locations asked for. A value holds until the next one is read; of a total the part of a
 * step that lies in the range counts. The sums of a split range are those of the whole one, up to
 * the last digit of a double.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-engine.h"
#include "kymo-series.h"

/** Sum: @total, @weight: amounts, and the nanoseconds that were measured; @span: of these */
typedef struct
{
  double   total, weight, min, max;
  KymoSpan span;
} Sum;

static void
add_step (Sum              *sum,
          const KymoSeries *series,
          KymoSpan          measured,
          double            value)
{
  double weight = (double) kymo_span_length (measured);

  sum->span.begin_ns = sum->weight == 0 ? measured.begin_ns : sum->span.begin_ns;
  sum->span.end_ns = measured.end_ns;
  sum->min = sum->weight == 0 ? value : MIN (sum->min, value);
  sum->max = sum->weight == 0 ? value : MAX (sum->max, value);
  sum->total += value * (series->is_total ? weight / 1e9 : weight);
  sum->weight += weight;
}

static Sum
sum_range (const KymoSeries *series,
           KymoSpan          span)
{
  Sum sum = { 0 };

  for (guint i = 0; i + 1 < series->n; i++)
    {
      KymoSpan step = { series->times_ns[i], series->times_ns[i + 1] };
      KymoSpan measured = kymo_span_intersect (step, span);
      double value;

      if (kymo_span_length (measured) > 0 && kymo_series_get_step (series, i, &value))
        add_step (&sum, series, measured, value);
    }
  return sum;
}

static gboolean
is_asked (const KymoAsk    *ask,
          const KymoSeries *series)
{
  if (series->location < 0)
    return TRUE;
  for (guint i = 0; i < ask->n_locations; i++)
    if (ask->locations[i] == (guint) series->location)
      return TRUE;
  return FALSE;
}

static KymoTable *
new_metrics (void)
{
  static const struct { const char *name; KymoColumnType type; } columns[] = {
    { "of", KYMO_COLUMN_STRING }, { "kind", KYMO_COLUMN_STRING }, { "name", KYMO_COLUMN_STRING },
    { "unit", KYMO_COLUMN_STRING }, { "location", KYMO_COLUMN_INT },
    { "label", KYMO_COLUMN_STRING }, { "begin_ns", KYMO_COLUMN_INT },
    { "end_ns", KYMO_COLUMN_INT }, { "total", KYMO_COLUMN_DOUBLE }, { "mean", KYMO_COLUMN_DOUBLE },
    { "min", KYMO_COLUMN_DOUBLE }, { "max", KYMO_COLUMN_DOUBLE },
  };
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    kymo_table_add_column (table, columns[i].name, columns[i].type, 1);
  return table;
}

static void
append_series (const KymoAsk    *ask,
               const KymoSeries *series,
               const Sum        *sum,
               KymoTable        *table)
{
  const KymoLocation *location = series->location < 0 ? NULL
    : kymo_run_peek_location (ask->run, series->location);
  g_autofree char *rate = g_strconcat (series->unit, "/s", NULL);
  double mean = sum->total / (series->is_total ? sum->weight / 1e9 : sum->weight);

  kymo_table_append_string (table, 0, series->of);
  kymo_table_append_string (table, 1, location != NULL ? "process" : "node");
  kymo_table_append_string (table, 2, series->name);
  kymo_table_append_string (table, 3, series->is_total ? rate : series->unit);
  kymo_table_append_int (table, 4, location != NULL ? location->id : KYMO_NULL_INT);
  kymo_table_append_string (table, 5, location != NULL ? series->of : NULL);
  kymo_table_append_int (table, 6, sum->span.begin_ns);
  kymo_table_append_int (table, 7, sum->span.end_ns);
  kymo_table_append_double (table, 8, series->is_total ? sum->total : NAN);
  kymo_table_append_double (table, 9, mean);
  kymo_table_append_double (table, 10, sum->min);
  kymo_table_append_double (table, 11, sum->max);
}

/* What was not measured in the range is no row. */
static KymoTable *
system_metrics_answer (KymoAsk  *ask,
                       guint     n_threads,
                       GError  **error)
{
  KymoTable *answer = kymo_ask_answer_new (ask), *table = new_metrics ();

  for (guint i = 0; i < ask->run->series->len; i++)
    {
      const KymoSeries *series = &g_array_index (ask->run->series, KymoSeries, i);
      Sum sum = is_asked (ask, series) ? sum_range (series, ask->span) : (Sum) { 0 };

      if (g_cancellable_set_error_if_cancelled (ask->cancellable, error))
        break;
      if (sum.weight > 0)
        append_series (ask, series, &sum, table);
    }
  kymo_table_set_table (answer, "metrics", table);
  if (!g_cancellable_is_cancelled (ask->cancellable))
    return answer;
  kymo_table_unref (answer);
  return NULL;
}

static const KymoQuestionList lists[] =
{
  { "metrics", "of kind name unit location label begin_ns end_ns total mean min max", TRUE },
  { NULL }
};

const KymoAnswerClass kymo_answer_system_metrics =
{
  { "system-metrics", N_("A chart of system metrics"), "CPU, memory, disks and networks in a range",
    .lists = lists, .topic = KYMO_TOPIC_TIME },
  .answer = system_metrics_answer, .needs = KYMO_NEEDS_PHASES,
};
