/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-phases.h"

#include <string.h>

#include "kymo-engine.h"

typedef struct
{
  gint64 phase;
  gint64 first_ns, last_ns;     /* earliest and latest end */
} Ends;

static void
collect_ends (const KymoSegment *segment,
              GHashTable        *by_phase,
              GPtrArray         *all)
{
  if (!(kymo_segment_get_point_kinds (segment) & (1u << KYMO_POINT_PHASE)))
    return;
  for (guint i = 0; i < segment->points->len; i++)
    {
      const KymoPoint *point = &g_array_index (segment->points, KymoPoint, i);
      Ends *ends;

      if (point->kind != KYMO_POINT_PHASE)
        continue;
      ends = g_hash_table_lookup (by_phase, &(gint64) { point->id });
      if (ends == NULL)
        {
          ends = g_new (Ends, 1);
          *ends = (Ends) { point->id, point->begin_ns, point->begin_ns };
          g_hash_table_insert (by_phase, &ends->phase, ends);
          g_ptr_array_add (all, ends);
        }
      ends->first_ns = MIN (ends->first_ns, point->begin_ns);
      ends->last_ns = MAX (ends->last_ns, point->begin_ns);
    }
}

static int
compare_ends (gconstpointer a,
              gconstpointer b)
{
  const Ends *x = *(Ends *const *) a, *y = *(Ends *const *) b;

  if (x->first_ns != y->first_ns)
    return x->first_ns < y->first_ns ? -1 : 1;
  return x->phase < y->phase ? -1 : x->phase > y->phase;
}

/**
 * kymo_phases_of_run:
 *
 * Returns: (transfer full): rows of phase (its number in the files), begin_ns
 * and end_ns in order of time; empty where the program marked none
 */
KymoTable *
kymo_phases_of_run (const KymoRun *run)
{
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);
  guint phase = kymo_table_add_column (table, "phase", KYMO_COLUMN_INT, 1);
  guint begin = kymo_table_add_column (table, "begin_ns", KYMO_COLUMN_INT, 1);
  guint end = kymo_table_add_column (table, "end_ns", KYMO_COLUMN_INT, 1);
  g_autoptr (GHashTable) by_phase = g_hash_table_new (g_int64_hash, g_int64_equal);
  g_autoptr (GPtrArray) order = g_ptr_array_new_with_free_func (g_free);
  gint64 begin_ns = run->span.begin_ns;

  for (guint i = 0; i < run->segments->len; i++)
    collect_ends (g_ptr_array_index (run->segments, i), by_phase, order);
  g_ptr_array_sort (order, compare_ends);
  for (guint i = 0; i < order->len; i++)
    {
      const Ends *ends = g_ptr_array_index (order, i);

      kymo_table_append_int (table, phase, ends->phase);
      kymo_table_append_int (table, begin, begin_ns);
      kymo_table_append_int (table, end, ends->last_ns);
      begin_ns = ends->first_ns;
    }
  return table;
}

/**
 * kymo_phases_find:
 * @phases: (nullable): rows of kymo_phases_of_run()
 * @span: (out): its range
 *
 * Returns: whether there is a phase of that number
 */
gboolean
kymo_phases_find (const KymoTable *phases,
                  gint64           phase,
                  KymoSpan        *span)
{
  guint n = phases != NULL ? kymo_table_get_n_rows (phases) : 0;

  for (guint i = 0; i < n; i++)
    if (kymo_table_get_int (phases, "phase", i) == phase)
      {
        span->begin_ns = kymo_table_get_int (phases, "begin_ns", i);
        span->end_ns = kymo_table_get_int (phases, "end_ns", i);
        return TRUE;
      }
  return FALSE;
}

/**
 * kymo_phases_parse:
 * @text: "phase 2", in any case
 * @phase: (out): the number
 * @span: (out): its range
 *
 * Returns: whether @text names a phase of the run
 */
gboolean
kymo_phases_parse (const KymoTable *phases,
                   const char      *text,
                   gint64          *phase,
                   KymoSpan        *span)
{
  g_autofree char *number = NULL;

  text += strspn (text, " ");
  if (g_ascii_strncasecmp (text, "phase", 5) != 0)
    return FALSE;
  number = g_strstrip (g_strdup (text + 5));
  return g_ascii_string_to_signed (number, 10, G_MININT32, G_MAXINT32, phase, NULL)
    && kymo_phases_find (phases, *phase, span);
}
