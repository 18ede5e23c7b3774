/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What each location had of each node -> what it had of each function and path, in the
 * order of events. Locations are shared out to threads in blocks, whose rows are put
 * behind each other in the end: each row is made by one thread of one location.
 */
#include "config.h"

#include "kymo-order.h"
#include "kymo-share.h"
#include "kymo-trace-profile-private.h"

typedef struct
{
  double calls, subroutines;
} Counts;

/* Sums of one location by event, and which are not 0. */
typedef struct
{
  gboolean *touched;
  Counts   *counts;
  double   *values;             /* as KymoProfileData.values */
  GArray   *list;               /* guint32 */
} Sums;

static void
add_row (const KymoTraceAssembly *a,
         Sums                    *sums,
         guint32                  event,
         const KymoTraceRow      *row,
         const gint64            *counters,
         gboolean                 outer)
{
  double *values = sums->values + (gsize) event * a->n_metrics * 2;

  if (!sums->touched[event])
    {
      sums->touched[event] = TRUE;
      g_array_append_val (sums->list, event);
    }
  sums->counts[event].calls += (double) row->calls;
  sums->counts[event].subroutines += (double) row->subroutines;
  values[0] += (double) row->exclusive_ns;
  values[1] += outer ? (double) row->inclusive_ns : 0;
  for (guint m = 1; m < a->n_metrics; m++)
    {
      double scale = kymo_run_metric_scale (a->job->run, m - 1);

      values[2 * m] += (double) counters[2 * m - 2] * scale;
      values[2 * m + 1] += outer ? (double) counters[2 * m - 1] * scale : 0;
    }
}

/* Where phases are ranges of time, calls below a phase are also counted at the top. */
static gboolean
is_flat (const KymoTraceAssembly *a,
         guint32                  node)
{
  return a->job->phases == NULL || kymo_trace_node_at (a, node)->parent == KYMO_TRACE_ROOT;
}

static void
add_location (const KymoTraceAssembly *a,
              Sums                    *sums,
              guint                    segment)
{
  const KymoTraceRows *rows = &a->job->rows[segment];
  const guint32 *node_of = a->node_of[a->job->walked_by[segment]];

  for (guint r = 0; r < rows->rows->len; r++)
    {
      const KymoTraceRow *row = &g_array_index (rows->rows, KymoTraceRow, r);
      const gint64 *counters = a->n_metrics > 1
        ? (const gint64 *) rows->counters->data + (gsize) r * (a->n_metrics - 1) * 2 : NULL;
      guint32 node = node_of[row->node];
      const KymoTraceNodeUse *use = &a->uses[node];

      if (is_flat (a, node))
        add_row (a, sums, a->event_of_function[kymo_trace_node_at (a, node)->function], row,
                 counters, use->outer);
      if (use->path >= 0)
        add_row (a, sums, a->event_of_path[use->path], row, counters, use->path_outer);
    }
}

typedef struct
{
  GArray *event, *calls, *subroutines, *values;
} Columns;

static void
take_sums (const KymoTraceAssembly *a,
           Sums                    *sums,
           Columns                 *columns)
{
  gsize n = (gsize) a->n_metrics * 2;

  g_array_sort (sums->list, kymo_compare_uints);
  for (guint i = 0; i < sums->list->len; i++)
    {
      guint32 event = g_array_index (sums->list, guint32, i);

      g_array_append_val (columns->event, event);
      g_array_append_val (columns->calls, sums->counts[event].calls);
      g_array_append_val (columns->subroutines, sums->counts[event].subroutines);
      g_array_append_vals (columns->values, sums->values + event * n, n);
      sums->touched[event] = FALSE;
      sums->counts[event] = (Counts) { 0 };
      memset (sums->values + event * n, 0, n * sizeof (double));
    }
  g_array_set_size (sums->list, 0);
}

/* Number of locations that a thread takes at a time. */
#define BLOCK 64

typedef struct
{
  const KymoTraceAssembly *a;
  const guint             *first_segment;       /* by location, and of the end */
  guint                    n_blocks;
  Columns                 *blocks;
  gint                     next;                /* atomic */
} Share;

static Columns
new_columns (void)
{
  return (Columns) { g_array_new (FALSE, FALSE, sizeof (guint32)),
                     g_array_new (FALSE, FALSE, sizeof (double)),
                     g_array_new (FALSE, FALSE, sizeof (double)),
                     g_array_new (FALSE, FALSE, sizeof (double)) };
}

static void
free_columns (Columns *columns)
{
  g_clear_pointer (&columns->event, g_array_unref);
  g_clear_pointer (&columns->calls, g_array_unref);
  g_clear_pointer (&columns->subroutines, g_array_unref);
  g_clear_pointer (&columns->values, g_array_unref);
}

/* Adds up blocks of locations. The number of rows of each location is left in data->first, one
   place further. */
static gpointer
add_blocks (gpointer data)
{
  Share *share = data;
  const KymoTraceAssembly *a = share->a;
  guint n_events = MAX (a->data->events->len, 1), n_locations = a->data->n_locations;
  Sums sums = { g_new0 (gboolean, n_events), g_new0 (Counts, n_events),
                g_new0 (double, (gsize) n_events * a->n_metrics * 2),
                g_array_new (FALSE, FALSE, sizeof (guint32)) };
  guint block;

  while ((block = g_atomic_int_add (&share->next, 1)) < share->n_blocks
         && !kymo_trace_is_stopped (a, 0))
    {
      Columns *columns = &share->blocks[block];

      *columns = new_columns ();
      for (guint l = block * BLOCK; l < MIN ((block + 1) * BLOCK, n_locations); l++)
        {
          guint before = columns->event->len;

          for (guint s = share->first_segment[l]; s < share->first_segment[l + 1]; s++)
            add_location (a, &sums, s);
          take_sums (a, &sums, columns);
          a->data->first[l + 1] = columns->event->len - before;
        }
    }
  g_free (sums.touched);
  g_free (sums.counts);
  g_free (sums.values);
  g_array_unref (sums.list);
  return NULL;
}

/* The blocks behind each other; those that were not made have nothing. */
static void
join_blocks (Share *share)
{
  KymoProfileData *data = share->a->data;
  gsize n_values = (gsize) share->a->n_metrics * 2;
  guint64 n, row = 0;

  for (guint l = 0; l < data->n_locations; l++)
    data->first[l + 1] += data->first[l];
  n = MAX (data->first[data->n_locations], 1);
  data->event = g_new (guint32, n);
  data->calls = g_new (double, n);
  data->subroutines = g_new (double, n);
  data->values = g_new (double, n * n_values);
  for (guint b = 0; b < share->n_blocks && share->blocks[b].event != NULL; b++)
    {
      Columns *columns = &share->blocks[b];
      gsize n_rows = columns->event->len;

      if (n_rows == 0)                  /* then the arrays have no memory */
        continue;
      memcpy (data->event + row, columns->event->data, n_rows * sizeof (guint32));
      memcpy (data->calls + row, columns->calls->data, n_rows * sizeof (double));
      memcpy (data->subroutines + row, columns->subroutines->data, n_rows * sizeof (double));
      memcpy (data->values + row * n_values, columns->values->data,
              n_rows * n_values * sizeof (double));
      row += n_rows;
    }
}

/**
 * kymo_trace_add_figures:
 *
 * Adds up what each location had of each event; nothing where it was cancelled.
 */
void
kymo_trace_add_figures (KymoTraceAssembly *a)
{
  GPtrArray *segments = a->job->run->segments;
  guint n_locations = a->data->n_locations, n_threads = a->job->n_threads, segment = 0;
  g_autofree guint *first_segment = g_new0 (guint, (gsize) n_locations + 1);
  Share share = { a, first_segment, (n_locations + BLOCK - 1) / BLOCK };

  for (guint l = 0; l < n_locations; l++)
    {
      first_segment[l] = segment;
      while (segment < segments->len
             && ((KymoSegment *) g_ptr_array_index (segments, segment))->location == l)
        segment++;
    }
  first_segment[n_locations] = segment;
  share.blocks = g_new0 (Columns, MAX (share.n_blocks, 1));
  kymo_share_run ("kymo-figures", n_threads, add_blocks, &share, 0);
  if (!kymo_trace_is_stopped (a, 0))
    join_blocks (&share);
  for (guint b = 0; b < share.n_blocks; b++)
    free_columns (&share.blocks[b]);
  g_free (share.blocks);
}
