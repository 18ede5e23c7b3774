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
  KymoTable *table = kymo_table_new_list ("of:string kind:string name:string unit:string location "
                                          "label:string begin_ns end_ns total:double mean:double "
                                          "min:double max:double");

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

  kymo_table_append_row (table, series->of, location != NULL ? "process" : "node", series->name,
                         series->is_total ? rate : series->unit,
                         location != NULL ? location->id : KYMO_NULL_INT,
                         location != NULL ? series->of : NULL, sum->span.begin_ns, sum->span.end_ns,
                         series->is_total ? sum->total : NAN, mean, sum->min, sum->max);
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
