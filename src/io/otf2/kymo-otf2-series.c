/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * System metrics: asynchronous metrics whose scope is a node of the system tree, such as a host,
 * a disk of it, or a file server, or a process, which another process may have sampled. They are of
 * no row; their samples make series of the run.
 */
#include "config.h"

#include "kymo-order.h"
#include "kymo-otf2-events-private.h"
#include "kymo-otf2-private.h"

#include <string.h>

/* Nodes of the tree, from the root: more would be a ring. */
#define MAX_TREE_DEPTH 256

#define AT(array, type, i) (&g_array_index ((array), type, (i)))

/** Sample: on the archive's clock */
typedef struct
{
  gint64 ns;
  double value;
} Sample;

/** Samples: of one member of a metric; @samples is (element-type Sample) */
typedef struct
{
  const KymoOtf2Metric *metric;
  const KymoOtf2Member *member;
  guint   key;
  GArray *samples;
} Samples;

static void
samples_free (gpointer data)
{
  Samples *samples = data;

  g_array_unref (samples->samples);
  g_free (samples);
}

/**
 * kymo_otf2_new_series:
 *
 * Returns: (transfer full): no samples of system metrics
 */
GHashTable *
kymo_otf2_new_series (void)
{
  return g_hash_table_new_full (NULL, NULL, NULL, samples_free);
}

/**
 * kymo_otf2_add_to_series:
 * @ns: on the archive's clock
 * @metric: whose scope is a node or a process
 * @index: of the metric in the definitions
 * @place: of the member in the metric
 * @value: in the unit of the member
 *
 * Keeps a sample.
 */
void
kymo_otf2_add_to_series (KymoOtf2Stream       *stream,
                         gint64                ns,
                         const KymoOtf2Metric *metric,
                         guint32               index,
                         guint                 place,
                         double                value)
{
  gpointer key = GSIZE_TO_POINTER (((gsize) index << 8 | place) + 1);
  Samples *samples = g_hash_table_lookup (stream->series, key);
  Sample sample = { ns, value };

  if (samples == NULL)
    {
      samples = g_new0 (Samples, 1);
      samples->metric = metric;
      samples->member = metric->resolved[place];
      samples->key = index << 8 | place;
      samples->samples = g_array_new (FALSE, FALSE, sizeof (Sample));
      g_hash_table_insert (stream->series, key, samples);
    }
  g_array_append_val (samples->samples, sample);
  stream->n_series_bytes += sizeof sample;
}

/* (transfer full): the resource with its node, or the node. */
static char *
dup_scope (KymoOtf2Defs *defs,
           guint64       id)
{
  char *name = NULL;

  for (guint i = 0; i < MAX_TREE_DEPTH; i++)
    {
      guint32 index = kymo_otf2_ids_find (&defs->node_ids, id);
      const KymoOtf2Node *node = index != KYMO_OTF2_NONE
        ? AT (defs->nodes, KymoOtf2Node, index) : NULL;
      const char *own = node != NULL ? kymo_otf2_defs_use_string (defs, node->name) : "";
      char *inner = name;

      if (node == NULL || (inner != NULL && kymo_otf2_ids_find (&defs->node_ids, node->parent)
                           == KYMO_OTF2_NONE))
        break;
      name = inner != NULL ? g_strdup_printf ("%s, %s", own, inner) : g_strdup (own);
      g_free (inner);
      /* What a node lies in, a rack or the machine, is not told. */
      if (!g_str_equal (kymo_otf2_defs_string (defs, node->class_name), "resource"))
        break;
      id = node->parent;
    }
  return name != NULL ? name : g_strdup ("");
}

/**
 * kymo_otf2_name_series:
 *
 * Gives metrics of nodes the names of these nodes, and marks those of processes.
 */
void
kymo_otf2_name_series (KymoOtf2Defs *defs)
{
  for (guint i = 0; i < defs->metrics->len; i++)
    {
      KymoOtf2Metric *metric = AT (defs->metrics, KymoOtf2Metric, i);

      if (metric->members != NULL || metric->is_counter)
        continue;
      if (metric->scope != KYMO_OTF2_NONE)
        metric->of = dup_scope (defs, metric->scope);
      else if (metric->group != KYMO_OTF2_NONE && metric->occurrence == OTF2_METRIC_ASYNCHRONOUS)
        metric->of = g_strdup ("");
    }
}

static int
compare_series (gconstpointer a,
                gconstpointer b)
{
  const Samples *x = *(Samples *const *) a, *y = *(Samples *const *) b;

  return x->key < y->key ? -1 : x->key > y->key;
}

/* (transfer container) */
static GPtrArray *
dup_values (GHashTable *table)
{
  GPtrArray *values = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, table);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    g_ptr_array_add (values, value);
  return values;
}

/* (transfer full): by location group: its first row, or KYMO_OTF2_NONE */
static guint32 *
find_rows (KymoOtf2Defs *defs)
{
  guint32 *rows = g_new (guint32, MAX (defs->location_groups->len, 1));

  memset (rows, 0xff, defs->location_groups->len * sizeof *rows);
  for (guint i = 0; i < defs->locations->len; i++)
    {
      const KymoOtf2Location *location = AT (defs->locations, KymoOtf2Location, i);

      if (location->group != KYMO_OTF2_NONE)
        rows[location->group] = MIN (rows[location->group], location->row);
    }
  return rows;
}

static void
add_series (KymoOtf2Reading *reading,
            const Samples   *samples,
            const guint32   *rows,
            gint64           zero_ns)
{
  guint32 group = kymo_otf2_ids_find (&reading->defs->location_group_ids, samples->metric->group);
  gint32 location = samples->metric->group != KYMO_OTF2_NONE && group != KYMO_OTF2_NONE
    ? (gint32) rows[group] : -1;
  const KymoActivity *activity = kymo_run_peek_activity (reading->run, samples->member->activity);
  GArray *all = samples->samples;
  KymoSeries series = {
    .of = g_strdup (location >= 0 ? kymo_run_peek_location (reading->run, location)->label
                    : samples->metric->of), .location = location, .name = g_strdup (activity->name),
    .unit = g_strdup (activity->unit),
    .is_total = (samples->member->mode & OTF2_METRIC_VALUE_MASK)
      == OTF2_METRIC_VALUE_ACCUMULATED,
    .n = all->len,
    .times_ns = g_new (gint64, MAX (all->len, 1)), .values = g_new (double, MAX (all->len, 1)),
  };

  g_array_sort (all, kymo_compare_ints);
  for (guint i = 0; i < all->len; i++)
    {
      series.times_ns[i] = AT (all, Sample, i)->ns - zero_ns;
      series.values[i] = AT (all, Sample, i)->value;
    }
  kymo_run_add_series (reading->run, &series);
}

/**
 * kymo_otf2_add_all_series:
 * @zero_ns: time zero of the run on the archive's clock
 *
 * Gives the run the system metrics of all locations, by location and metric.
 */
void
kymo_otf2_add_all_series (KymoOtf2Reading *reading,
                          gint64           zero_ns)
{
  g_autofree guint32 *rows = find_rows (reading->defs);

  for (guint i = 0; i < reading->defs->locations->len; i++)
    {
      GHashTable *of_location = reading->results[i].series;
      g_autoptr (GPtrArray) order = of_location != NULL
        ? dup_values (of_location) : g_ptr_array_new ();

      g_ptr_array_sort (order, compare_series);
      for (guint k = 0; k < order->len; k++)
        add_series (reading, order->pdata[k], rows, zero_ns);
    }
}
