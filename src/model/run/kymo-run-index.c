/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "kymo-run-index.h"

/**
 * kymo_run_index_new:
 *
 * Returns: (transfer full): an index in which nothing has been derived; free with
 *   kymo_run_index_free()
 */
KymoRunIndex *
kymo_run_index_new (void)
{
  KymoRunIndex *index = g_new0 (KymoRunIndex, 1);

  index->limits = kymo_mosaic_limits;
  g_mutex_init (&index->rows_lock);
  kymo_made_init (&index->collectives);
  kymo_made_init (&index->waits);
  kymo_made_init (&index->arrivals);
  kymo_made_init (&index->senders);
  g_mutex_init (&index->kept_mutex);
  return index;
}

/**
 * kymo_run_index_free:
 * @index: (transfer full): not %NULL
 *
 * Frees the index and all that was derived.
 */
void
kymo_run_index_free (KymoRunIndex *index)
{
  g_clear_pointer (&index->phases, g_array_unref);
  g_clear_pointer (&index->mosaic, kymo_mosaic_unref);
  g_clear_pointer (&index->rows_mosaic, kymo_mosaic_unref);
  g_mutex_clear (&index->rows_lock);
  kymo_made_clear (&index->collectives);
  kymo_made_clear (&index->waits);
  kymo_made_clear (&index->arrivals);
  kymo_made_clear (&index->senders);
  if (index->free_kept != NULL)
    index->free_kept (index->kept);
  g_clear_pointer (&index->figures, g_ptr_array_unref);
  g_clear_pointer (&index->backings, g_ptr_array_unref);
  g_mutex_clear (&index->kept_mutex);
  g_free (index);
}

static double
make_density (const KymoRun *run)
{
  gint64 n_pieces = 0, span_ns = 0;

  for (guint i = 0; i < run->segments->len; i++)
    {
      const KymoSegment *segment = g_ptr_array_index (run->segments, i);

      n_pieces += segment->n_pieces + (segment->bins != NULL ? segment->bins->n_bins : 0);
      span_ns = kymo_saturating_add (span_ns, kymo_span_length (segment->span));
    }
  return span_ns > 0 ? (double) n_pieces / (double) span_ns : 0;
}

/**
 * kymo_run_get_density:
 *
 * Returns: pieces (or bins) that a location has in a nanosecond, on average
 */
double
kymo_run_get_density (const KymoRun *run)
{
  KymoRunIndex *index = run->index;

  if (g_once_init_enter (&index->density_once))
    {
      index->pieces_per_ns = make_density (run);
      g_once_init_leave (&index->density_once, 1);
    }
  return index->pieces_per_ns;
}

/* Segments of one file follow each other. */
static GPtrArray *
collect_backings (const KymoRun *run)
{
  GPtrArray *backings = g_ptr_array_new ();

  for (guint i = 0; i < run->segments->len; i++)
    {
      KymoBacking *backing = ((KymoSegment *) g_ptr_array_index (run->segments, i))->backing;

      if (backing != NULL && (backings->len == 0 || backings->pdata[backings->len - 1] != backing))
        g_ptr_array_add (backings, backing);
    }
  return backings;
}

static const GPtrArray *
peek_backings (const KymoRun *run)
{
  KymoRunIndex *index = run->index;

  if (g_once_init_enter (&index->backings_once))
    {
      index->backings = collect_backings (run);
      g_once_init_leave (&index->backings_once, 1);
    }
  return index->backings;
}

/**
 * kymo_run_has_backing:
 * @run: a run that is sealed
 *
 * Returns: whether any of its segments lies in a file, so that its columns have to be used before
 *   they are read. Any thread.
 */
gboolean
kymo_run_has_backing (const KymoRun *run)
{
  return peek_backings (run)->len > 0;
}

/**
 * kymo_run_is_damaged:
 * @run: a run that is sealed
 *
 * To be asked after columns were read: the file that they lie in may be cut off meanwhile,
 * and what was read then is zeros.
 *
 * Returns: whether what was computed of the run is not to be believed. Any thread.
 */
gboolean
kymo_run_is_damaged (const KymoRun *run)
{
  const GPtrArray *backings = peek_backings (run);

  for (guint i = 0; i < backings->len; i++)
    {
      KymoBacking *backing = backings->pdata[i];

      if (backing->is_damaged != NULL && backing->is_damaged (backing))
        return TRUE;
    }
  return FALSE;
}

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

static GArray *
make_phases (const KymoRun *run)
{
  GArray *phases = g_array_new (FALSE, FALSE, sizeof (KymoPhase));
  g_autoptr (GHashTable) by_phase = g_hash_table_new (g_int64_hash, g_int64_equal);
  g_autoptr (GPtrArray) order = g_ptr_array_new_with_free_func (g_free);
  gint64 begin_ns = run->span.begin_ns;

  for (guint i = 0; i < run->segments->len; i++)
    collect_ends (g_ptr_array_index (run->segments, i), by_phase, order);
  g_ptr_array_sort (order, compare_ends);
  for (guint i = 0; i < order->len; i++)
    {
      const Ends *ends = g_ptr_array_index (order, i);
      KymoPhase phase = { ends->phase, { begin_ns, ends->last_ns } };

      g_array_append_val (phases, phase);
      begin_ns = ends->first_ns;
    }
  return phases;
}

/**
 * kymo_run_knows_phases:
 *
 * Returns: whether kymo_run_peek_phases() was asked before, and reads nothing
 */
gboolean
kymo_run_knows_phases (const KymoRun *run)
{
  return __atomic_load_n (&run->index->phases_once, __ATOMIC_ACQUIRE) != 0;
}

/**
 * kymo_run_peek_phases:
 *
 * Of a run with a backing the points of all segments that mark phases must
 * have been used (kymo_segment_use()).
 *
 * Returns: (transfer none): #KymoPhase in order of time
 */
const GArray *
kymo_run_peek_phases (const KymoRun *run)
{
  KymoRunIndex *index = run->index;

  if (g_once_init_enter (&index->phases_once))
    {
      index->phases = make_phases (run);
      g_once_init_leave (&index->phases_once, 1);
    }
  return index->phases;
}

static KymoMosaicLimits
limits_of (const KymoRun *run)
{
  KymoMosaicLimits limits = run->index->limits;

  /* Beside a run that does not fit into memory little of that is left. */
  if (kymo_run_is_on_disk (run))
    limits.most_bytes /= 16;
  return limits;
}

/**
 * kymo_run_peek_mosaic:
 *
 * Returns: (transfer none) (nullable): the mosaic, which has still to be
 * built (kymo_mosaic_build()); %NULL where the run needs none
 */
KymoMosaic *
kymo_run_peek_mosaic (const KymoRun *run)
{
  KymoRunIndex *index = run->index;

  if (g_once_init_enter (&index->mosaic_once))
    {
      KymoMosaicLimits limits = limits_of (run);

      index->mosaic = kymo_mosaic_new (run, kymo_run_get_density (run), &limits);
      g_once_init_leave (&index->mosaic_once, 1);
    }
  return index->mosaic;
}

/**
 * kymo_run_ref_rows_mosaic:
 * @places: rows in an order of their own, folded ones, or some of all
 *
 * The last one is kept; it may take a quarter of the memory of the run's. Any thread.
 *
 * Returns: (transfer full) (nullable): the mosaic of these rows, which has still to be
 * built; %NULL where none would help
 */
KymoMosaic *
kymo_run_ref_rows_mosaic (const KymoRun          *run,
                          const KymoMosaicPlaces *places)
{
  KymoRunIndex *index = run->index;
  KymoMosaicLimits limits = limits_of (run);
  KymoMosaic *mosaic = NULL;

  limits.most_bytes /= 4;
  g_mutex_lock (&index->rows_lock);
  if (index->rows_mosaic != NULL && kymo_mosaic_is_of (index->rows_mosaic, places))
    mosaic = kymo_mosaic_ref (index->rows_mosaic);
  else
    mosaic = kymo_mosaic_new_of (run, places, kymo_run_get_density (run), &limits);
  if (mosaic != NULL && mosaic != index->rows_mosaic)
    {
      if (index->rows_mosaic != NULL)
        kymo_mosaic_drop (index->rows_mosaic);
      g_clear_pointer (&index->rows_mosaic, kymo_mosaic_unref);
      index->rows_mosaic = kymo_mosaic_ref (mosaic);
    }
  g_mutex_unlock (&index->rows_lock);
  return mosaic;
}

/**
 * kymo_run_take_wanted_mosaic:
 *
 * Returns: (transfer full) (nullable): one that is wanted and that the caller builds now
 */
KymoMosaic *
kymo_run_take_wanted_mosaic (const KymoRun *run)
{
  KymoRunIndex *index = run->index;
  KymoMosaic *mosaic = kymo_run_peek_mosaic (run);

  if (mosaic != NULL && kymo_mosaic_take_wish (mosaic))
    return kymo_mosaic_ref (mosaic);
  g_mutex_lock (&index->rows_lock);
  mosaic = index->rows_mosaic != NULL && kymo_mosaic_take_wish (index->rows_mosaic)
    ? kymo_mosaic_ref (index->rows_mosaic) : NULL;
  g_mutex_unlock (&index->rows_lock);
  return mosaic;
}

/**
 * kymo_activity_is_phase:
 *
 * Returns: whether TAU or the user put the function into the group of phases
 */
gboolean
kymo_activity_is_phase (const KymoActivity *activity)
{
  return activity->group != NULL && strstr (activity->group, "PHASE") != NULL;
}

/**
 * kymo_run_has_phase_functions:
 *
 * Returns: TRUE if the name of an activity of the run marks it as a phase
 */
gboolean
kymo_run_has_phase_functions (const KymoRun *run)
{
  for (guint i = 0; i < run->activities->len; i++)
    if (kymo_activity_is_phase (kymo_run_peek_activity (run, i)))
      return TRUE;
  return FALSE;
}

/**
 * kymo_run_marks_phases:
 *
 * Returns: whether a profile by phase can be made of the trace: it has functions that are
 * phases, or records that begin one
 */
gboolean
kymo_run_marks_phases (const KymoRun *run)
{
  if (kymo_run_has_phase_functions (run))
    return TRUE;
  for (guint i = 0; i < run->segments->len; i++)
    if (kymo_segment_get_point_kinds (g_ptr_array_index (run->segments, i))
        & (1u << KYMO_POINT_PHASE))
      return TRUE;
  return FALSE;
}
