/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Hardware counters of blocks. A block's figure holds those of the blocks
 * nested in it; its own is what is left without them, and is not known where
 * one of them is not.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "kymo-profile.h"
#include "kymo-memory.h"
#include "kymo-units.h"

static gboolean
has_fractions (const KymoRun *run)
{
  for (guint i = 0; i < run->metrics->len; i++)
    if (kymo_run_metric_scale (run, i) != 1)
      return TRUE;
  return FALSE;
}

/**
 * kymo_counts_add_column:
 * @table: gets the column
 * @name: of the column
 *
 * Adds a column for counts of metrics to a table: whole numbers, unless a metric of the run
 * counts in fractions of its unit.
 */
void
kymo_counts_add_column (const KymoRun *run,
                        KymoTable     *table,
                        const char    *name)
{
  kymo_table_add_column (table, name, has_fractions (run) ? KYMO_COLUMN_DOUBLE : KYMO_COLUMN_INT,
                         1);
}

/**
 * kymo_counts_append:
 * @column: of kymo_counts_add_column()
 * @metric: index in KymoRun.metrics
 * @count: as blocks have it; %KYMO_NO_COUNT = not known
 *
 * Appends a count in the metric's unit.
 */
void
kymo_counts_append (const KymoRun *run,
                    KymoTable     *table,
                    guint          column,
                    guint          metric,
                    gint64         count)
{
  gboolean known = count != KYMO_NO_COUNT;

  if (has_fractions (run))
    kymo_table_append_double (table, column,
                              known ? (double) count * kymo_run_metric_scale (run, metric) : NAN);
  else
    kymo_table_append_int (table, column, known ? count : KYMO_NULL_INT);
}

/**
 * kymo_count_dup_words:
 * @metric: index in KymoRun.metrics
 *
 * Returns: (transfer full): the count with its unit, for people
 */
char *
kymo_count_dup_words (const KymoRun *run,
                      guint          metric,
                      gint64         count)
{
  double scale = kymo_run_metric_scale (run, metric);
  const char *unit = kymo_run_metric_unit (run, metric);
  g_autofree char *number = NULL;

  if (count == KYMO_NO_COUNT)
    return g_strdup ("not known");
  number = scale == 1 ? kymo_format_count (count)
    : kymo_format_number ((double) count * scale, 6);
  return g_strdup_printf ("%s%s%s", number, *unit != '\0' ? " " : "", unit);
}

/**
 * kymo_profile_add_counters:
 *
 * Adds the own counters of the blocks that begin inside the range.
 */
void
kymo_profile_add_counters (const KymoAsk     *ask,
                           KymoProfileState  *state,
                           const KymoSegment *segment)
{
  guint n = MIN (segment->n_counters, state->n_metrics);
  kymo_autoscratch gint64 *own = n > 0 ? kymo_segment_exclusive_counters (segment) : NULL;
  gint64 end_ns = kymo_ask_count_end (ask);

  for (guint i = kymo_segment_first_block (segment, ask->span.begin_ns);
       own != NULL && i < segment->n_blocks && kymo_segment_block_begin (segment, i) < end_ns; i++)
    {
      gsize row = (gsize) (KYMO_STATE_ACTIVITY + segment->block_activity[i]) * state->n_metrics;

      if (kymo_ask_is_stopped (ask, i))
        return;
      for (guint k = 0; k < n; k++)
        {
          gint64 value = own[(gsize) i * segment->n_counters + k];

          if (value == KYMO_NO_COUNT)
            continue;
          state->counters[row + k] = kymo_saturating_add (state->counters[row + k], value);
          state->counted[row + k]++;
        }
    }
}
