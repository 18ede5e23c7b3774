/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values beside the stream: the newest second, and the load of the last minutes.
 */
#include "config.h"

#include "kymo-feed-private.h"

#include "kymo-stream-values.h"

/* Seconds of which the load is kept. */
#define MOST_LOADS 600

/* The load of a second over the ranks, 0 to 1. */
typedef struct
{
  gint64 second;
  double least, mean, most;
} Load;

struct _KymoFeedValues
{
  KymoStreamValues newest;
  GArray          *loads;       /* Load, ascending seconds */
};

static void
push_load (GArray                 *loads,
           const KymoStreamValues *values)
{
  const KymoStreamValue *load = kymo_stream_values_find (values, KYMO_STREAM_LOAD);
  Load told;

  if (load == NULL)
    return;
  told = (Load) { values->second, load->least / 1e6, (double) load->sum / load->n / 1e6,
                  load->most / 1e6 };
  /* A playback that goes back begins anew there. */
  while (loads->len > 0 && g_array_index (loads, Load, loads->len - 1).second >= told.second)
    g_array_set_size (loads, loads->len - 1);
  if (loads->len == MOST_LOADS)
    g_array_remove_index (loads, 0);
  g_array_append_val (loads, told);
}

/**
 * kymo_feed_values_take:
 * @frame: of the kind %KYMO_FRAME_SCALARS
 * @watch: (nullable): looks at them, too
 *
 * Keeps the values of a second. Called on the feed's thread.
 */
void
kymo_feed_values_take (KymoFeedCore          *core,
                       const KymoStreamFrame *frame,
                       KymoWatch             *watch)
{
  g_autofree KymoStreamValues *values = g_new (KymoStreamValues, 1);
  gsize n_bytes;
  const char *text = g_bytes_get_data (frame->bytes, &n_bytes);

  if (!kymo_stream_values_parse (values, text, n_bytes))
    return;
  g_mutex_lock (&core->mutex);
  if (core->values == NULL)
    {
      core->values = g_new0 (KymoFeedValues, 1);
      core->values->loads = g_array_new (FALSE, FALSE, sizeof (Load));
    }
  core->values->newest = *values;
  push_load (core->values->loads, values);
  g_mutex_unlock (&core->mutex);
  if (watch != NULL)
    kymo_watch_values (watch, values, frame->begin_ns);
}

/**
 * kymo_feed_values_free:
 *
 * Frees what kymo_feed_values_take() has kept. %NULL is ignored.
 */
void
kymo_feed_values_free (KymoFeedValues *values)
{
  if (values == NULL)
    return;
  g_array_unref (values->loads);
  g_free (values);
}

static KymoTable *
make_counters (const KymoStreamValues *values)
{
  KymoTable *table = kymo_table_new_list ("name:string mean:string least:string least_rank "
                                          "most:string most_rank");

  for (guint i = 0; i < values->n_values; i++)
    {
      const KymoStreamValue *value = &values->values[i];
      g_autofree char *mean_text = kymo_stream_value_format (value,
                                                             (double) value->sum / value->n);
      g_autofree char *least_text = kymo_stream_value_format (value, value->least);
      g_autofree char *most_text = kymo_stream_value_format (value, value->most);

      kymo_table_append_row (table, value->name, mean_text, least_text, value->least_rank,
                             most_text, value->most_rank);
    }
  return table;
}

static KymoTable *
make_ranks (const KymoStreamExtreme *extremes,
            guint                    n)
{
  KymoTable *table = kymo_table_new_list ("rank load:double");

  for (guint i = 0; i < n; i++)
    {
      kymo_table_append_row (table, extremes[i].rank, extremes[i].load / 1e6);
    }
  return table;
}

static KymoTable *
make_loads (const GArray *loads)
{
  KymoTable *table = kymo_table_new_list ("second least:double mean:double most:double");

  for (guint i = 0; i < loads->len; i++)
    {
      const Load *load = &g_array_index (loads, Load, i);

      kymo_table_append_row (table, load->second, load->least, load->mean, load->most);
    }
  return table;
}

/**
 * kymo_feed_core_dup_values:
 *
 * Returns: (transfer full) (nullable): see kymo_feed_dup_values()
 */
KymoTable *
kymo_feed_core_dup_values (KymoFeedCore *core)
{
  KymoTable *table = NULL;

  g_mutex_lock (&core->mutex);
  if (core->values != NULL)
    {
      const KymoStreamValues *newest = &core->values->newest;

      table = kymo_table_new (KYMO_STYLE_OBJECT);
      kymo_table_set_int (table, "second", newest->second);
      kymo_table_set_int (table, "processes", newest->n_processes);
      kymo_table_set_int (table, "all", newest->n_all);
      kymo_table_set_table (table, "counters", make_counters (newest));
      kymo_table_set_table (table, "busiest", make_ranks (newest->busiest, newest->n_busiest));
      kymo_table_set_table (table, "idlest", make_ranks (newest->idlest, newest->n_idlest));
      kymo_table_set_table (table, "loads", make_loads (core->values->loads));
    }
  g_mutex_unlock (&core->mutex);
  return table;
}
