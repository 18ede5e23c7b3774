/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A second tells the least and the most of the processes, and who has it. Which process is named is
 * the one that has it in most seconds.
 */
#include "config.h"

#include <math.h>

#include "kymo-stream-loads.h"

#define PPM 1e6
#define SECOND_NS 1e9

/* The rank that stands there in most seconds, the lowest of equal ones; -1: none. */
static gint64
find_most_common (const GArray *loads, gsize offset)
{
  g_autoptr (GHashTable) counts = g_hash_table_new (g_int64_hash, g_int64_equal);
  gint64 best = -1;
  guint most = 0;

  for (guint i = 0; i < loads->len; i++)
    {
      const KymoStreamLoad *load = &g_array_index (loads, KymoStreamLoad, i);
      const gint64 *rank = G_STRUCT_MEMBER_P (load, offset);
      guint n = GPOINTER_TO_UINT (g_hash_table_lookup (counts, rank)) + 1;

      if (*rank < 0)
        continue;
      g_hash_table_replace (counts, (gpointer) rank, GUINT_TO_POINTER (n));
      if (n > most || (n == most && *rank < best))
        {
          most = n;
          best = *rank;
        }
    }
  return best;
}

/* The mean of the seconds in which it is known; NaN of none. */
static double
find_mean (const GArray *loads, gsize offset, double whole)
{
  double sum = 0;
  guint n = 0;

  for (guint i = 0; i < loads->len; i++)
    {
      const KymoStreamLoad *load = &g_array_index (loads, KymoStreamLoad, i);
      gint64 value = G_STRUCT_MEMBER (gint64, load, offset);

      n += value >= 0;
      sum += MAX (value, 0);
    }
  return n > 0 ? sum / n / whole : NAN;
}

static void
set_rank (KymoTable *stream, const char *location, const char *label, gint64 rank)
{
  g_autofree char *name = g_strdup_printf ("rank %" G_GINT64_FORMAT, rank);

  kymo_table_set_int (stream, location, rank);
  kymo_table_set_string (stream, label, rank >= 0 ? name : NULL);
}

/**
 * kymo_stream_loads_set:
 * @stream: gets shares of a second, as means over the seconds, and the ranks that have the least
 *   and the most load and the longest waits for CPUs in most of them; nothing where @log has none
 */
void
kymo_stream_loads_set (const KymoStreamLog *log, KymoTable *stream)
{
  const GArray *loads = log->loads;

  if (loads->len == 0)
    return;
  kymo_table_set_int (stream, "load_seconds", loads->len);
  kymo_table_set_double (stream, "load_mean",
                         find_mean (loads, G_STRUCT_OFFSET (KymoStreamLoad, mean), PPM));
  kymo_table_set_double (stream, "load_least",
                         find_mean (loads, G_STRUCT_OFFSET (KymoStreamLoad, least), PPM));
  set_rank (stream, "least_location", "least_label",
            find_most_common (loads, G_STRUCT_OFFSET (KymoStreamLoad, least_rank)));
  kymo_table_set_double (stream, "load_most",
                         find_mean (loads, G_STRUCT_OFFSET (KymoStreamLoad, most), PPM));
  set_rank (stream, "most_location", "most_label",
            find_most_common (loads, G_STRUCT_OFFSET (KymoStreamLoad, most_rank)));
  kymo_table_set_double (stream, "delay_mean",
                         find_mean (loads, G_STRUCT_OFFSET (KymoStreamLoad, delay_ns), SECOND_NS));
  kymo_table_set_double (stream, "delay_most",
                         find_mean (loads, G_STRUCT_OFFSET (KymoStreamLoad, most_delay_ns),
                                    SECOND_NS));
  set_rank (stream, "delay_location", "delay_label",
            find_most_common (loads, G_STRUCT_OFFSET (KymoStreamLoad, delay_rank)));
}
