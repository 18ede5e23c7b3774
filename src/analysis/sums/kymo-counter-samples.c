/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-counter-samples.h"

#include <glib/gi18n-lib.h>

#include "kymo-error.h"
#include "kymo-memory.h"
#include "kymo-term-words.h"
#include "kymo-trace-profile-private.h"

static guint
find_metric (const KymoRun *run,
             const char    *name)
{
  guint k = 0;

  while (k < run->metrics->len && g_strcmp0 (run->metrics->pdata[k], name) != 0)
    k++;
  return k;
}

/**
 * kymo_counter_is_metric:
 *
 * Returns: whether functions were counted by that name
 */
gboolean
kymo_counter_is_metric (const KymoRun *run,
                        const char    *name)
{
  return find_metric (run, name) < run->metrics->len;
}

/**
 * kymo_counter_unit:
 * @name: as the kind "counters" lists it
 *
 * Returns: (transfer none): the unit of its values; "" where none is known
 */
const char *
kymo_counter_unit (const KymoRun *run,
                   const char    *name)
{
  guint k = find_metric (run, name);

  if (k < run->metrics->len)
    return kymo_run_metric_unit (run, k);
  for (guint i = 0; i < run->activities->len; i++)
    {
      const KymoActivity *activity = kymo_run_peek_activity (run, i);

      if (activity->kind == KYMO_ACTIVITY_EVENT && *activity->unit != '\0'
          && g_strcmp0 (activity->name, name) == 0)
        return activity->unit;
    }
  return "";
}

/* Neighbours are mostly of one kind, so that names are looked up seldom. */
static void
each_point (const KymoAsk     *ask,
            const KymoSegment *segment,
            const char        *name,
            gint64             end_ns,
            KymoOnSample       on_sample,
            gpointer           data)
{
  KymoTraceSample last = { .kind = KYMO_N_POINT_KINDS };
  gboolean wanted = FALSE;

  for (guint i = 0; i < segment->points->len && !kymo_ask_is_stopped (ask, i); i++)
    {
      const KymoPoint *point = &g_array_index (segment->points, KymoPoint, i);

      if (!kymo_trace_is_sample (point) || point->begin_ns >= end_ns)
        continue;
      if (point->kind != last.kind || point->activity != last.activity || point->id != last.id)
        {
          g_autofree char *known = NULL;

          last.kind = point->kind;
          last.activity = point->activity;
          last.id = point->id;
          known = kymo_trace_sample_dup_name (ask->run, &last);
          wanted = g_strcmp0 (known, name) == 0;
        }
      if (wanted)
        on_sample (point->begin_ns, point->value, data);
    }
}

static void
each_call (const KymoAsk *ask,
           KymoSegment   *segment,
           const char    *name,
           KymoSpan       span,
           KymoOnSample   on_sample,
           gpointer       data)
{
  guint n = MIN (segment->n_counters, ask->run->metrics->len), k = find_metric (ask->run, name);
  kymo_autoscratch gint64 *own = k < n ? kymo_segment_exclusive_counters (segment) : NULL;

  for (guint i = kymo_segment_first_block (segment, span.begin_ns);
       own != NULL && i < segment->n_blocks && !kymo_ask_is_stopped (ask, i)
         && kymo_segment_block_begin (segment, i) < span.end_ns; i++)
    {
      gint64 time_ns = kymo_segment_block_begin (segment, i);
      gint64 value = own[(gsize) i * segment->n_counters + k];

      if (value != KYMO_NO_COUNT && time_ns >= span.begin_ns)
        on_sample (time_ns, (double) value * kymo_run_metric_scale (ask->run, k), data);
    }
}

/**
 * kymo_counter_each_sample:
 * @name: as the kind "counters" lists it
 */
void
kymo_counter_each_sample (const KymoAsk *ask,
                          KymoSegment   *segment,
                          const char    *name,
                          KymoSpan       span,
                          KymoOnSample   on_sample,
                          gpointer       data)
{
  each_point (ask, segment, name, span.end_ns, on_sample, data);
  each_call (ask, segment, name, span, on_sample, data);
}

/* Rows times columns: 64 MiB of values. */
#define MOST_CELLS (8u << 20)

/**
 * kymo_counter_is_in_bounds:
 * @n_rows: rows of an answer
 * @error: %KYMO_ERROR_UNANSWERABLE: what to ask for instead
 *
 * Returns: whether the cells of the answer take no more memory than an answer may
 */
gboolean
kymo_counter_is_in_bounds (const KymoAsk  *ask,
                           guint           n_rows,
                           guint           n_columns,
                           GError        **error)
{
  if ((guint64) n_rows * n_columns <= MOST_CELLS)
    return TRUE;
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
               kymo_in_terms (ask->run->terms,
                              _("%u columns of %u {rows} are too many for one answer; ask for "
                                "fewer of them, or for fewer rows")), n_columns, ask->n_locations);
  return FALSE;
}
