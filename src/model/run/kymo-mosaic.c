/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-mosaic-private.h"

#include <string.h>

/* A large window: what it asks for decides which levels there are. */
#define WINDOW_COLUMNS 1920
#define WINDOW_ROWS 1080
/* A level of no more cells takes too little memory to be counted. */
#define FEW_CELLS (1u << 16)
/* Longest span of a run, which readers keep to; longer ones could overflow widths. */
#define MOST_SPAN_NS (G_GINT64_CONSTANT (1) << 54)

const KymoMosaicLimits kymo_mosaic_limits = { 4e6, 1280, 32, 9, 1280, 1e9, 2.8e6 };

/** Planner: what levels are planned for; density and numbers are those of places */
typedef struct
{
  KymoMosaic             *mosaic;
  const KymoRun          *run;
  const KymoMosaicLimits *limits;
  double                  pieces_per_ns;        /* of a place */
} Planner;

/* The smallest width of at least `least` pieces a column, with which a window
   of so many places meets too many pieces for a walk. */
static guint
first_width (const Planner *planner,
             double         least,
             double         n_places)
{
  for (guint k = 0; k < KYMO_MOSAIC_MAX_K; k++)
    {
      double pieces = planner->pieces_per_ns * (double) (G_GUINT64_CONSTANT (1) << k);

      if (pieces >= least
          && pieces * WINDOW_COLUMNS * n_places > planner->limits->most_pieces)
        return k;
    }
  return KYMO_MOSAIC_MAX_K;
}

static const KymoSegment *
segment_of (const Planner *planner,
            guint          i)
{
  const guint *locations = planner->mosaic->locations;

  return g_ptr_array_index (planner->run->segments, locations != NULL ? locations[i] : i);
}

/* The density is that of the segments. Where they lie far apart, of a clock
   that is wrong or a location that came late, most of the grid is empty; and
   a level must not take more than the pieces do. */
static guint
widen_mosaic (const Planner *planner,
              guint          n_rows,
              guint          k)
{
  gint64 length = planner->run->span.end_ns - planner->run->span.begin_ns;
  guint64 n_pieces = 0;

  for (guint i = 0; i < planner->mosaic->n_locations; i++)
    n_pieces += segment_of (planner, i)->n_pieces;
  while (k < KYMO_MOSAIC_MAX_K
         && (double) ((length >> k) + 1) * n_rows > (double) MAX (n_pieces / 2, FEW_CELLS))
    k++;
  return k;
}

/* Bytes of a layer that begins with columns of 2^k ns: each further width has
   half of the cells. */
static double
bytes_of_layer (const Planner *planner,
                guint          j_first,
                guint          n_j,
                guint          k)
{
  KymoSpan span = planner->run->span;
  double columns = (double) ((span.end_ns - span.begin_ns) >> k) + 2, groups = 0;

  for (guint j = j_first; j < j_first + n_j; j++)
    groups += kymo_mosaic_n_groups (planner->mosaic->n_places, j);
  return 2 * columns * groups * sizeof (guint32);
}

static void
plan_storeys (const KymoMosaicLimits *limits,
              KymoMosaicLayer        *layer,
              KymoSpan                span)
{
  guint bits = limits->chunk_bits;

  for (guint k = layer->k_first; layer->n_storeys < KYMO_MOSAIC_MAX_STOREYS; k += bits)
    {
      KymoMosaicStorey *storey = &layer->storeys[layer->n_storeys++];

      storey->k_first = k;
      storey->chunk_bits = bits;
      storey->first_column = span.begin_ns >> k;
      storey->n_columns = ((span.end_ns - 1) >> k) - storey->first_column + 1;
      storey->first_chunk = storey->first_column >> bits;
      storey->n_chunks = ((storey->first_column + storey->n_columns - 1) >> bits)
        - storey->first_chunk + 1;
      storey->chunks = g_new0 (KymoMosaicChunk, storey->n_chunks);
      layer->n_k += bits;
      if (storey->n_chunks <= limits->least_columns)
        return;
    }
}

static void
plan_layer (const Planner   *planner,
            KymoMosaicLayer *layer,
            double           most_bytes,
            guint            j_first,
            guint            n_j,
            guint            k_first)
{
  const KymoMosaicLimits *limits = planner->limits;
  KymoSpan span = planner->run->span;

  k_first = widen_mosaic (planner, kymo_mosaic_n_groups (planner->mosaic->n_places, j_first),
                          k_first);
  while (k_first < KYMO_MOSAIC_MAX_K
         && bytes_of_layer (planner, j_first, n_j, k_first) > most_bytes)
    k_first++;
  if (k_first >= KYMO_MOSAIC_MAX_K
      || (span.end_ns - span.begin_ns) >> k_first < limits->least_columns
      || (span.end_ns - span.begin_ns) >> k_first > G_MAXINT32)
    return;
  layer->j_first = j_first;
  layer->n_j = n_j;
  layer->k_first = k_first;
  plan_storeys (limits, layer, span);
  layer->levels = g_new0 (KymoMosaicLevel, (gsize) layer->n_j * layer->n_k);
  for (guint k = k_first; k < k_first + layer->n_k; k++)
    for (guint j = j_first; j < j_first + n_j; j++)
      {
        KymoMosaicLevel *level = kymo_mosaic_level (layer, j, k);

        level->first_column = span.begin_ns >> k;
        level->n_columns = ((span.end_ns - 1) >> k) - level->first_column + 1;
      }
}

/* Rows that are not merged. Those that are single locations are found in the mosaic of the
   run, whatever their order. */
static void
plan_single (const Planner *planner)
{
  KymoMosaic *mosaic = planner->mosaic;

  if (mosaic->locations != NULL && mosaic->begin == NULL)
    return;
  plan_layer (planner, &mosaic->layers[0], planner->limits->most_bytes / 2, 0, 1,
              first_width (planner, KYMO_MOSAIC_LEAST_PIECES,
                           MIN (mosaic->n_places, WINDOW_ROWS)));
}

static void
plan_merged (const Planner *planner)
{
  KymoMosaic *mosaic = planner->mosaic;
  double left = planner->limits->most_bytes;
  guint n = mosaic->n_places, j = 1, n_j = 1;

  if (mosaic->layers[0].n_k > 0)
    left -= bytes_of_layer (planner, 0, 1, mosaic->layers[0].k_first);
  while (kymo_mosaic_n_groups (n, j) > planner->limits->most_merged_rows)
    j++;
  while (kymo_mosaic_n_groups (n, j + n_j - 1) > 1)
    n_j++;
  if (n > 1)
    plan_layer (planner, &mosaic->layers[1], left, j, n_j,
                first_width (planner, (double) KYMO_MOSAIC_LEAST_PIECES / (double) (1u << j), n));
}

static gboolean
can_have_mosaic (const KymoRun *run)
{
  return run->segments->len > 0
    && KYMO_STATE_ACTIVITY + run->activities->len <= KYMO_MOST_PACKED_STATES
    && !kymo_run_is_binned (run) && run->draft == NULL && run->span.end_ns > run->span.begin_ns
    && run->span.end_ns - run->span.begin_ns <= MOST_SPAN_NS;
}

/**
 * kymo_mosaic_new_of:
 * @run: a sealed run of tracks; a segment a location
 * @places: (nullable): the rows, which are copied; %NULL: all locations of the run in their
 *   order
 * @pieces_per_ns: how densely a location is filled, on average
 * @limits: what is worth a level; &kymo_mosaic_limits, or for tests others
 *
 * Plans which levels there shall be; nothing is built.
 *
 * Returns: (transfer full) (nullable): %NULL where none would help
 */
KymoMosaic *
kymo_mosaic_new_of (const KymoRun          *run,
                    const KymoMosaicPlaces *places,
                    double                  pieces_per_ns,
                    const KymoMosaicLimits *limits)
{
  KymoMosaic *mosaic;
  Planner planner;

  if (!can_have_mosaic (run) || (places != NULL && places->n_places == 0))
    return NULL;
  mosaic = g_new0 (KymoMosaic, 1);
  mosaic->ref_count = 1;
  g_mutex_init (&mosaic->building);
  mosaic->n_locations = places != NULL ? places->n_locations : run->segments->len;
  mosaic->n_places = places != NULL ? places->n_places : mosaic->n_locations;
  mosaic->n_states = KYMO_STATE_ACTIVITY + run->activities->len;
  if (places != NULL)
    mosaic->locations = g_memdup2 (places->locations, sizeof (guint) * places->n_locations);
  if (places != NULL && places->begin != NULL)
    mosaic->begin = g_memdup2 (places->begin, sizeof (guint) * (places->n_places + 1));
  planner = (Planner) { mosaic, run, limits,
                        pieces_per_ns * mosaic->n_locations / mosaic->n_places };
  plan_single (&planner);
  plan_merged (&planner);
  if (mosaic->layers[0].n_k > 0 || mosaic->layers[1].n_k > 0)
    return mosaic;
  kymo_mosaic_unref (mosaic);
  return NULL;
}

/**
 * kymo_mosaic_new:
 * @pieces_per_ns: how densely the run is filled
 * @limits: copied
 *
 * Returns: (transfer full): kymo_mosaic_new_of() with the locations in the order of the run
 */
KymoMosaic *
kymo_mosaic_new (const KymoRun          *run,
                 double                  pieces_per_ns,
                 const KymoMosaicLimits *limits)
{
  return kymo_mosaic_new_of (run, NULL, pieces_per_ns, limits);
}

static void
sparse_clear (KymoSparse *sparse)
{
  g_free (sparse->offsets);
  g_free (sparse->states);
  g_free (sparse->ns);
}

static void
layer_clear (KymoMosaicLayer *layer)
{
  for (guint i = 0; i < layer->n_j * layer->n_k; i++)
    g_free (layer->levels[i].cells);
  g_free (layer->levels);
  for (guint i = 0; i < layer->n_storeys; i++)
    {
      for (guint k = 0; layer->storeys[i].chunks != NULL && k < layer->storeys[i].n_chunks; k++)
        {
          sparse_clear (&layer->storeys[i].chunks[k].tops);
          sparse_clear (&layer->storeys[i].chunks[k].all);
        }
      g_free (layer->storeys[i].chunks);
    }
}

/**
 * kymo_mosaic_ref:
 *
 * Returns: (transfer full): @mosaic, with one more reference; may be called from any thread
 */
KymoMosaic *
kymo_mosaic_ref (KymoMosaic *mosaic)
{
  g_atomic_int_inc (&mosaic->ref_count);
  return mosaic;
}

/**
 * kymo_mosaic_unref:
 *
 * Drops a reference; the last one frees all cells. Any thread.
 */
void
kymo_mosaic_unref (KymoMosaic *mosaic)
{
  if (!g_atomic_int_dec_and_test (&mosaic->ref_count))
    return;
  for (guint i = 0; i < 2; i++)
    layer_clear (&mosaic->layers[i]);
  kymo_pyramid_free (mosaic->all);
  g_mutex_clear (&mosaic->building);
  g_free (mosaic->locations);
  g_free (mosaic->begin);
  g_free (mosaic);
}

/**
 * kymo_mosaic_is_of:
 *
 * Returns: whether it was made for just these rows
 */
gboolean
kymo_mosaic_is_of (const KymoMosaic       *mosaic,
                   const KymoMosaicPlaces *places)
{
  return mosaic->locations != NULL && mosaic->n_locations == places->n_locations
    && mosaic->n_places == places->n_places
    && (mosaic->begin != NULL) == (places->begin != NULL)
    && memcmp (mosaic->locations, places->locations, sizeof (guint) * places->n_locations) == 0
    && (places->begin == NULL
        || memcmp (mosaic->begin, places->begin, sizeof (guint) * (places->n_places + 1)) == 0);
}

/**
 * kymo_mosaic_drop:
 *
 * The mosaic is not needed any more: a build that is under way ends. Any thread.
 */
void
kymo_mosaic_drop (KymoMosaic *mosaic)
{
  g_atomic_int_set (&mosaic->dropped, 1);
}

/**
 * kymo_mosaic_want:
 *
 * An answer would have been faster with it. Any thread.
 *
 * Returns: %TRUE for the first caller
 */
gboolean
kymo_mosaic_want (KymoMosaic *mosaic)
{
  return g_atomic_int_compare_and_exchange (&mosaic->wanted, 0, 1);
}

/**
 * kymo_mosaic_take_wish:
 *
 * Returns: %TRUE if it is wanted and no thread builds it: the caller has to build it
 */
gboolean
kymo_mosaic_take_wish (KymoMosaic *mosaic)
{
  return g_atomic_int_compare_and_exchange (&mosaic->wanted, 1, 2);
}

/** kymo_mosaic_forget_wish: it was not built; it may be wanted again */
void
kymo_mosaic_forget_wish (KymoMosaic *mosaic)
{
  g_atomic_int_set (&mosaic->wanted, 0);
}

static const KymoMosaicLayer *
find_layer (const KymoMosaic *mosaic,
            guint             j,
            guint             k)
{
  const KymoMosaicLayer *layer = &mosaic->layers[j > 0];

  return j >= layer->j_first && j < layer->j_first + layer->n_j
    && k >= layer->k_first && k < layer->k_first + layer->n_k ? layer : NULL;
}

/**
 * kymo_mosaic_has:
 *
 * Returns: whether there is, or will be once it is built, a level of groups
 * of 2^@j places and columns of 2^@k ns
 */
gboolean
kymo_mosaic_has (const KymoMosaic *mosaic,
                 guint             j,
                 guint             k)
{
  return find_layer (mosaic, j, k) != NULL;
}

/** kymo_mosaic_is_built: whether it can be read. Any thread. */
gboolean
kymo_mosaic_is_built (const KymoMosaic *mosaic)
{
  return __atomic_load_n (&mosaic->built, __ATOMIC_ACQUIRE) != 0;
}

/**
 * kymo_mosaic_peek_row:
 * @j: groups of 2^j places
 * @k: columns of 2^k ns
 * @group: the places from @group << @j on
 * @first_column: (out): number of the first column on the grid of time
 * @n_columns: (out): how many columns there are; outside of them nothing was recorded
 *
 * Returns: (transfer none) (nullable): packed cells of a row of a built mosaic; %NULL if
 *   there is no such level
 */
const guint32 *
kymo_mosaic_peek_row (const KymoMosaic *mosaic,
                      guint             j,
                      guint             k,
                      guint             group,
                      gint64           *first_column,
                      guint            *n_columns)
{
  const KymoMosaicLayer *layer = find_layer (mosaic, j, k);
  const KymoMosaicLevel *level;

  if (layer == NULL)
    return NULL;
  level = kymo_mosaic_level (layer, j, k);
  *first_column = level->first_column;
  *n_columns = level->n_columns;
  return level->cells + (gsize) group * level->n_columns;
}

/**
 * kymo_mosaic_sum:
 * @k: width of a column
 * @first_column: the first, by its number on the grid of time
 * @end_column: one past the last
 * @sums: added to: exact time by state of all its locations
 *
 * Returns: %FALSE where a built mosaic does not know them
 */
gboolean
kymo_mosaic_sum (const KymoMosaic *mosaic,
                 guint             k,
                 gint64            first_column,
                 gint64            end_column,
                 KymoSums         *sums)
{
  const KymoMosaicStorey *storey = &mosaic->layers[1].storeys[0];
  gint64 first, end;

  if (mosaic->all == NULL || k < storey->k_first || k >= KYMO_MOSAIC_MAX_K)
    return FALSE;
  first = first_column * (G_GINT64_CONSTANT (1) << (k - storey->k_first));
  end = end_column * (G_GINT64_CONSTANT (1) << (k - storey->k_first));
  first = CLAMP (first - storey->first_column, 0, (gint64) storey->n_columns);
  end = CLAMP (end - storey->first_column, 0, (gint64) storey->n_columns);
  kymo_pyramid_sum_nodes (mosaic->all, first, end, sums);
  return TRUE;
}

/**
 * kymo_mosaic_get_bytes:
 *
 * Returns: memory of a built mosaic
 */
gsize
kymo_mosaic_get_bytes (const KymoMosaic *mosaic)
{
  gsize bytes = sizeof *mosaic;

  for (guint i = 0; i < 2; i++)
    {
      const KymoMosaicLayer *layer = &mosaic->layers[i];

      for (guint j = layer->j_first; j < layer->j_first + layer->n_j; j++)
        for (guint k = layer->k_first; k < layer->k_first + layer->n_k; k++)
          bytes += (gsize) kymo_mosaic_n_groups (mosaic->n_places, j)
            * kymo_mosaic_level (layer, j, k)->n_columns * sizeof (guint32);
    }
  return bytes + (mosaic->all != NULL ? kymo_pyramid_get_bytes (mosaic->all) : 0);
}
