/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What slow rows of an answer cost more than the same rows of reference runs: metrics with a key.
 * Rows are compared with equal ones alone, such as calls of one function with one size, so another
 * mix of calls is no slowness.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-run-metrics-private.h"

/** Row: of the list of an answer */
typedef struct
{
  double signal, also, value, times;
  guint  number;
} Row;

typedef struct
{
  const KymoMetricRule *metric;
  const KymoTable      *table;
  GHashTable           *rows;           /* key -> Row */
} Index;

/* (transfer full): what tells a row from others: the texts of its key columns */
static char *
dup_key (const KymoMetricRule *metric,
         const KymoTable      *table,
         guint                 row)
{
  GString *key = g_string_new (NULL);

  for (guint i = 0; metric->key[i] != NULL; i++)
    {
      gint column = kymo_table_find_column (table, metric->key[i]);

      if (column >= 0 && kymo_table_get_column_type (table, column) == KYMO_COLUMN_STRING)
        {
          const char *text = kymo_table_get_string (table, metric->key[i], row);

          g_string_append (key, text != NULL ? text : "");
        }
      else
        g_string_append_printf (key, "%g", kymo_table_get_number (table, metric->key[i], row));
      g_string_append_c (key, '\n');
    }
  return g_string_free (key, FALSE);
}

static void
take_row (gpointer data,
          guint    number)
{
  Index *index = data;
  const KymoMetricRule *metric = index->metric;
  Row row = {
    kymo_table_get_number (index->table, metric->signal != NULL ? metric->signal : metric->value,
                           number) * metric->factor,
    metric->also != NULL
      ? kymo_table_get_number (index->table, metric->also, number) * metric->factor : 0,
    kymo_table_get_number (index->table, metric->value, number) * metric->factor,
    metric->times != NULL ? kymo_table_get_number (index->table, metric->times, number) : 1,
    number,
  };

  if (!isnan (row.signal) && !isnan (row.value) && !isnan (row.times) && !isnan (row.also))
    g_hash_table_replace (index->rows, dup_key (metric, index->table, number),
                          g_memdup2 (&row, sizeof row));
}

/* (transfer full) (nullable): the rows of a run by key; NULL with the reason where it has none */
static GHashTable *
index_rows (KymoRunMetrics        *measure,
            KymoMetricsOfRun      *run,
            const KymoMetricRule  *metric,
            const KymoTable      **table,
            const char           **why)
{
  const KymoTable *answer = kymo_run_metrics_find_answer (measure, run, metric, why);
  Index index = { metric };

  index.table = answer != NULL ? kymo_table_peek_nested (answer, metric->list, NULL) : NULL;
  *table = index.table;
  if (index.table == NULL)
    return NULL;
  index.rows = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  kymo_run_metrics_each_row (metric, index.table, take_row, &index);
  return index.rows;
}

/* (transfer full) (element-type GHashTable): the rows of each reference that fits */
static GPtrArray *
index_references (KymoRunMetrics       *measure,
                  const KymoMetricRule *metric)
{
  GPtrArray *all = g_ptr_array_new_with_free_func ((GDestroyNotify) g_hash_table_unref);

  for (guint i = 1; i < measure->runs->len; i++)
    {
      KymoMetricsOfRun *run = measure->runs->pdata[i];
      const KymoTable *table;
      const char *why;
      GHashTable *rows = run->unfit != NULL ? NULL
        : index_rows (measure, run, metric, &table, &why);

      if (rows != NULL)
        g_ptr_array_add (all, rows);
    }
  return all;
}

/* What a row costs more than usual; 0 unless its signal exceeds that of the references. NaN: too
   few of these have such a row. */
static double
find_excess (const KymoMetricRule *metric,
             const GPtrArray      *references,
             const char           *key,
             const Row            *row)
{
  g_autoptr (GArray) signals = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) alsos = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  KymoUsual signal, also, value;

  for (guint i = 0; i < references->len; i++)
    {
      const Row *other = g_hash_table_lookup (references->pdata[i], key);

      if (other == NULL)
        continue;
      g_array_append_val (signals, other->signal);
      g_array_append_val (alsos, other->also);
      g_array_append_val (values, other->value);
    }
  signal = kymo_usual_of (signals, TRUE);
  also = kymo_usual_of (alsos, TRUE);
  value = kymo_usual_of (values, TRUE);
  if (isnan (signal.median))
    return NAN;
  if (metric->also != NULL && row->also <= also.median + also.spread)
    return 0;
  return kymo_usual_is_exceeded (&signal, row->signal)
    ? MAX (row->value - value.median, 0) * row->times : 0;
}

/**
 * kymo_run_metrics_sum_excess:
 * @metric: a metric with a key, of times
 * @measured: (out caller-allocates): gets the sum, and name and location of the row that costs most
 */
void
kymo_run_metrics_sum_excess (KymoRunMetrics       *measure,
                             const KymoMetricRule *metric,
                             KymoMeasured         *measured)
{
  g_autoptr (GHashTable) rows = NULL;
  g_autoptr (GPtrArray) references = NULL;
  const KymoTable *table;
  const char *why = NULL;
  GHashTableIter iter;
  gpointer key, data;
  double most = 0;

  kymo_run_metrics_test_fit (measure);
  if (measure->n_fit < KYMO_LEAST_REFERENCES)
    {
      measured->why = kymo_run_metrics_dup_lack (measure);
      return;
    }
  rows = index_rows (measure, measure->runs->pdata[0], metric, &table, &why);
  if (rows == NULL)
    {
      measured->why = g_strdup (metric->needs != NULL ? _(metric->needs) : why);
      return;
    }
  references = index_references (measure, metric);
  /* What a run does not do is not slow. */
  if (g_hash_table_size (rows) == 0)
    measured->value = 0;
  else
    measured->why = g_strdup (_("calls that the run and its references share"));
  g_hash_table_iter_init (&iter, rows);
  while (g_hash_table_iter_next (&iter, &key, &data))
    {
      const Row *row = data;
      double excess = find_excess (metric, references, key, row);

      if (isnan (excess))
        continue;
      g_clear_pointer (&measured->why, g_free);
      measured->value = (isnan (measured->value) ? 0 : measured->value) + excess;
      if (excess <= most)
        continue;
      most = excess;
      g_free (measured->name);
      measured->name = metric->name_column == NULL ? NULL
        : g_strdup (kymo_table_get_string (table, metric->name_column, row->number));
      if (metric->location_column != NULL)
        measured->location = kymo_table_get_int (table, metric->location_column, row->number);
    }
}
