/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * metrics=LIST: system metrics under the rows, by their names, or all. "metrics" lists them, first
 * those of nodes, then those of the processes of the given rows, each with "values": tuples x0, x1,
 * min, max, mean of the columns from x0 until x1, nothing where nothing was measured. A value holds
 * until the next one is read. Of totals the values are what was added per second between two
 * readings. Of many processes a metric has one entry for all of them: the mean, the least and the
 * largest. "processes" is how many an entry is of, 0 of a node.
 */
#include "config.h"

#include "kymo-timeline-private.h"

#include <math.h>
#include <string.h>

#include "kymo-listed.h"

/* Series that are given at most, of nodes and of processes. */
#define MOST_SERIES 64
/* Processes that have an entry each. */
#define MOST_APART 8

/** Column: what was measured in it */
typedef struct
{
  double min, max, sum, weight;
} Column;

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
          || !kymo_series_get_step (series, i, &value))
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
      kymo_table_append_row (values, i, end, columns[i].min, columns[i].max, mean_of (&columns[i]));
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

/** Metrics: the lists of the answer, being filled; the columns of one entry at a time */
typedef struct
{
  const KymoAsk          *ask;
  const KymoTimelinePlan *plan;
  const char             *chosen;
  KymoTable              *table, *values;
  guint                   nested, most;
  Column                 *columns;
} Metrics;

/* Appends what the columns hold, and empties them. */
static void
append_entry (Metrics          *metrics,
              const KymoSeries *series,
              guint             n_processes)
{
  const KymoTimelinePlan *plan = metrics->plan;
  g_autofree char *rate = g_strconcat (series->unit, "/s", NULL);
  double low = INFINITY, high = -INFINITY;

  for (guint i = 0; i < plan->n_columns; i++)
    if (metrics->columns[i].weight > 0)
      {
        low = MIN (low, metrics->columns[i].min);
        high = MAX (high, metrics->columns[i].max);
      }
  kymo_table_append_row (metrics->table, n_processes > 1 ? "" : series->of, series->name,
                         series->is_total ? rate : series->unit, low <= high ? low : NAN,
                         low <= high ? high : NAN, n_processes);
  append_values (metrics->values, metrics->columns, plan->n_columns);
  kymo_table_end_nested (metrics->table, metrics->nested);
  memset (metrics->columns, 0, plan->n_columns * sizeof *metrics->columns);
}

static gboolean
is_chosen (const Metrics    *metrics,
           const KymoSeries *series)
{
  return kymo_is_listed (metrics->chosen, "all") || kymo_is_listed (metrics->chosen, series->name);
}

static void
append_nodes (Metrics *metrics)
{
  const GArray *all = metrics->ask->run->series;

  for (guint i = 0; i < all->len && kymo_table_get_n_rows (metrics->table) < metrics->most; i++)
    {
      const KymoSeries *series = &g_array_index (all, KymoSeries, i);

      if (series->location >= 0 || !is_chosen (metrics, series))
        continue;
      fill_columns (metrics->plan, series, metrics->columns);
      append_entry (metrics, series, 0);
    }
}

/* -- processes ------------------------------------------------------------ */

static gboolean
is_given (const Metrics    *metrics,
          const KymoSeries *series)
{
  const KymoTimelinePlan *plan = metrics->plan;
  gint place = series->location >= 0 ? metrics->ask->row_of[series->location] : -1;

  return place >= (gint) kymo_timeline_row_begin (metrics->ask, plan, plan->first_row)
    && place < (gint) kymo_timeline_row_begin (metrics->ask, plan,
                                               plan->first_row + plan->n_rows);
}

static int
compare_places (gconstpointer a,
                gconstpointer b,
                gpointer      ask)
{
  const KymoSeries *x = *(KymoSeries *const *) a, *y = *(KymoSeries *const *) b;
  const gint *row_of = ((const KymoAsk *) ask)->row_of;

  return row_of[x->location] - row_of[y->location];
}

/* (transfer full): by name the series of given processes that were chosen, in the order of rows */
static GPtrArray *
list_processes (const Metrics *metrics)
{
  const GArray *all = metrics->ask->run->series;
  g_autoptr (GHashTable) by_name = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *lists = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);

  for (guint i = 0; i < all->len; i++)
    {
      KymoSeries *series = &g_array_index (all, KymoSeries, i);
      GPtrArray *list;

      if (!is_given (metrics, series) || !is_chosen (metrics, series))
        continue;
      list = g_hash_table_lookup (by_name, series->name);
      if (list == NULL)
        {
          list = g_ptr_array_new ();
          g_ptr_array_add (lists, list);
          g_hash_table_insert (by_name, series->name, list);
        }
      g_ptr_array_add (list, series);
    }
  for (guint i = 0; i < lists->len; i++)
    g_ptr_array_sort_with_data (lists->pdata[i], compare_places, (gpointer) metrics->ask);
  return lists;
}

static void
append_processes (Metrics *metrics)
{
  g_autoptr (GPtrArray) lists = list_processes (metrics);
  guint most = kymo_table_get_n_rows (metrics->table) + MOST_SERIES;

  for (guint i = 0; i < lists->len; i++)
    {
      const GPtrArray *list = lists->pdata[i];
      gboolean apart = list->len <= MOST_APART;

      for (guint k = 0; k < list->len && kymo_table_get_n_rows (metrics->table) < most
                        && !kymo_ask_is_stopped (metrics->ask, 0); k++)
        {
          fill_columns (metrics->plan, list->pdata[k], metrics->columns);
          if (apart || k + 1 == list->len)
            append_entry (metrics, list->pdata[k], apart ? 1 : list->len);
        }
    }
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
  g_autofree Column *columns = NULL;
  Metrics metrics = { ask, plan, text, .most = MOST_SERIES };

  if (text == NULL || *text == '\0')
    return;
  metrics.columns = columns = g_new0 (Column, plan->n_columns);
  metrics.table = kymo_table_new (KYMO_STYLE_OBJECTS);
  metrics.values = new_values ();
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    kymo_table_add_column (metrics.table, names[i],
                           i < 3 ? KYMO_COLUMN_STRING : KYMO_COLUMN_DOUBLE, 1);
  kymo_table_add_column (metrics.table, "processes", KYMO_COLUMN_INT, 1);
  metrics.nested = kymo_table_add_nested (metrics.table, "values", metrics.values);
  append_nodes (&metrics);
  append_processes (&metrics);
  kymo_table_set_table (answer, "metrics", metrics.table);
}
