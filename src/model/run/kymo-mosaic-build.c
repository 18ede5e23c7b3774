/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Building a mosaic. The work is cut by chunks of time, which threads take
 * from a common counter. In a chunk the groups of the finest j are summed one
 * after the other; each is folded in pairs of columns for the coarser k, and
 * joined with its neighbour for the coarser j as soon as both are there (a
 * binary counter). So a thread holds the sums of at most two groups a j.
 */
#include "config.h"

#include "kymo-mosaic-private.h"
#include "kymo-share.h"

#include <string.h>

typedef struct
{
  KymoMosaic       *mosaic;
  const KymoRun    *run;
  GCancellable     *cancellable;
  KymoMosaicLayer  *layer;
  guint             storey;
  gint              next;       /* atomic: next chunk to take */
} Build;

/** Builder: what a thread needs for one chunk after the other */
typedef struct
{
  Build           *build;
  guint            n_columns;   /* of a chunk */
  KymoColumnSums  *carry;       /* the group that was just summed up */
  KymoColumnSums  *pending[KYMO_MOSAIC_MAX_J]; /* left neighbours, by j */
  KymoColumnSums   folded;
  gint64          *states;
  gint64          *ns;
  gint64          *edges_ns;    /* n_columns + 1 */
  GArray          *tops[3];     /* offsets, states, ns; and so of all */
  GArray          *all[3];
} Builder;

static gboolean
is_stopped (const Build *build)
{
  return g_cancellable_is_cancelled (build->cancellable)
    || g_atomic_int_get (&build->mosaic->dropped);
}

static KymoMosaicStorey *
storey_of (const Build *build)
{
  return &build->layer->storeys[build->storey];
}

/* Numbers are those of the grid of time, and may be negative. */
static gint64
first_column_of (const KymoMosaicStorey *storey,
                 gint64                  chunk)
{
  return chunk * (G_GINT64_CONSTANT (1) << storey->chunk_bits);
}

static KymoColumnSums *
sums_new (const Builder *builder)
{
  KymoColumnSums *sums = g_new (KymoColumnSums, 1);

  kymo_column_sums_init (sums, builder->build->mosaic->n_states, builder->n_columns);
  return sums;
}

static void
sums_free (KymoColumnSums *sums)
{
  if (sums == NULL)
    return;
  kymo_column_sums_clear (sums);
  g_free (sums);
}

static void
sparse_begin (GArray **list)
{
  guint32 zero = 0;

  list[0] = g_array_new (FALSE, FALSE, sizeof (guint32));
  list[1] = g_array_new (FALSE, FALSE, sizeof (guint32));
  list[2] = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_array_append_val (list[0], zero);
}

/* Appends a column of the sums as the next list, without the states that have no time in it. */
static void
sparse_append (GArray              **list,
               const KymoColumnSums *sums,
               guint                 column)
{
  for (guint i = 0; i < sums->n_used; i++)
    {
      guint32 state = sums->used[i];

      if (sums->ns[state][column] <= 0)
        continue;
      g_array_append_val (list[1], state);
      g_array_append_val (list[2], sums->ns[state][column]);
    }
  g_array_append_val (list[0], list[1]->len);
}

static KymoSparse
sparse_end (GArray **list)
{
  return (KymoSparse) { (guint32 *) (gpointer) g_array_free (list[0], FALSE),
                        (guint32 *) (gpointer) g_array_free (list[1], FALSE),
                        (gint64 *) (gpointer) g_array_free (list[2], FALSE) };
}

static void
sparse_drop (GArray **list)
{
  for (guint i = 0; i < 3; i++)
    g_array_unref (list[i]);
}

/* -- the groups of the finest j ------------------------------------------- */

/* In the lowest storey from the pieces. */
static gboolean
sum_pieces (Builder *builder,
            guint    group)
{
  const KymoRun *run = builder->build->run;
  const KymoMosaic *mosaic = builder->build->mosaic;
  guint j = builder->build->layer->j_first;
  guint end = kymo_mosaic_place_begin (mosaic, kymo_mosaic_group_end (mosaic, j, group));

  for (guint i = kymo_mosaic_place_begin (mosaic, group << j); i < end; i++)
    {
      guint location = mosaic->locations != NULL ? mosaic->locations[i] : i;
      KymoSegment *segment = g_ptr_array_index (run->segments, location);

      if (!kymo_segment_use (segment, KYMO_PART_TRACK))
        return FALSE;
      kymo_column_sums_add (builder->carry, segment, builder->edges_ns);
    }
  kymo_column_sums_settle (builder->carry, builder->edges_ns);
  return TRUE;
}

/* Above from the sums that the chunks of the storey below left. */
static void
sum_tops (Builder *builder,
          gint64   chunk,
          guint    group)
{
  const KymoMosaicStorey *storey = storey_of (builder->build), *below = storey - 1;

  for (guint c = 0; c < builder->n_columns; c++)
    {
      gint64 from = first_column_of (storey, chunk) + c - below->first_chunk;
      const KymoSparse *tops;

      if (from < 0 || from >= below->n_chunks)
        continue;
      tops = &below->chunks[from].tops;
      for (guint32 i = tops->offsets[group]; i < tops->offsets[group + 1]; i++)
        kymo_column_sums_add_one (builder->carry, tops->states[i], c, tops->ns[i]);
    }
  kymo_column_sums_settle (builder->carry, builder->edges_ns);
}

/* -- levels --------------------------------------------------------------- */

static void
emit_mosaic_build (Builder              *builder,
                   const KymoColumnSums *sums,
                   guint                 n_columns,
                   guint                 j,
                   guint                 k,
                   guint                 group,
                   gint64                first_column)
{
  const KymoMosaic *mosaic = builder->build->mosaic;
  KymoMosaicLevel *level = kymo_mosaic_level (builder->build->layer, j, k);
  guint n = kymo_mosaic_place_begin (mosaic, kymo_mosaic_group_end (mosaic, j, group))
    - kymo_mosaic_place_begin (mosaic, group << j);
  double all_ns = (double) (G_GINT64_CONSTANT (1) << k) * n;
  gint64 at = first_column - level->first_column;
  guint32 *cells = level->cells + (gsize) group * level->n_columns;

  kymo_column_sums_pick (sums, n_columns, builder->states, builder->ns);
  for (guint c = 0; c < n_columns; c++, at++)
    if (at >= 0 && at < level->n_columns)
      cells[at] = builder->states[c] == KYMO_NO_STATE ? KYMO_NO_CELL
        : kymo_pack_cell (builder->states[c], builder->ns[c], all_ns);
}

/* All k of a storey for the group at hand; what is left is one column. */
static void
emit_widths (Builder *builder,
             gint64   chunk,
             guint    j,
             guint    group)
{
  const KymoMosaicStorey *storey = storey_of (builder->build);
  guint n = builder->n_columns, k = storey->k_first;

  emit_mosaic_build (builder, builder->carry, n, j, k, group, chunk * n);
  kymo_column_sums_fold (&builder->folded, builder->carry, n);
  for (n /= 2, k++; n > 1; n /= 2, k++)
    {
      emit_mosaic_build (builder, &builder->folded, n, j, k, group, chunk * n);
      kymo_column_sums_fold (&builder->folded, &builder->folded, n);
    }
}

/* The sums of all locations, of the columns that the run has. */
static void
keep_all (Builder *builder,
          gint64   chunk)
{
  const KymoMosaicStorey *storey = storey_of (builder->build);

  for (guint c = 0; c < builder->n_columns; c++)
    {
      gint64 column = first_column_of (storey, chunk) + c - storey->first_column;

      if (column >= 0 && column < storey->n_columns)
        sparse_append (builder->all, builder->carry, c);
    }
}

/* The group in `carry` goes up: it waits for its right neighbour, joins its
   left one, or, being the last, goes alone. */
static void
carry_up (Builder *builder,
          gint64   chunk,
          guint    group)
{
  const KymoMosaicLayer *layer = builder->build->layer;

  for (guint j = layer->j_first;; j++, group /= 2)
    {
      guint n_groups = kymo_mosaic_n_groups (builder->build->mosaic->n_places, j);
      KymoColumnSums *left = builder->pending[j];

      emit_widths (builder, chunk, j, group);
      if (j == layer->j_first && builder->build->storey + 1 < layer->n_storeys)
        sparse_append (builder->tops, &builder->folded, 0);
      kymo_column_sums_reset (&builder->folded);
      if (j + 1 == layer->j_first + layer->n_j)
        break;
      if (group % 2 == 0 && group + 1 < n_groups)
        {
          builder->pending[j] = builder->carry;
          builder->carry = left;
          break;
        }
      if (group % 2 == 1)
        {
          kymo_column_sums_join (left, builder->carry);
          builder->pending[j] = builder->carry;
          builder->carry = left;
          kymo_column_sums_reset (builder->pending[j]);
        }
    }
}

/* FALSE where it was cancelled, or a segment is not fit to be read. */
static gboolean
build_groups (Builder *builder,
              gint64   chunk)
{
  const Build *build = builder->build;
  guint n_groups = kymo_mosaic_n_groups (build->mosaic->n_places, build->layer->j_first);

  for (guint group = 0; group < n_groups; group++)
    {
      if (is_stopped (build))
        return FALSE;
      kymo_column_sums_reset (builder->carry);
      if (build->storey > 0)
        sum_tops (builder, chunk, group);
      else if (!sum_pieces (builder, group))
        return FALSE;
      carry_up (builder, chunk, group);
    }
  if (build->storey == 0 && build->layer->j_first > 0)
    keep_all (builder, chunk);
  return TRUE;
}

static void
build_chunk (Builder *builder,
             guint    index)
{
  const KymoMosaicStorey *storey = storey_of (builder->build);
  gint64 chunk = storey->first_chunk + index;
  gboolean done;

  for (guint c = 0; c <= builder->n_columns; c++)
    builder->edges_ns[c] = (first_column_of (storey, chunk) + c) * (G_GINT64_CONSTANT (1)
                                                                    << storey->k_first);
  sparse_begin (builder->tops);
  sparse_begin (builder->all);
  done = build_groups (builder, chunk);
  if (done)
    {
      storey->chunks[index].tops = sparse_end (builder->tops);
      storey->chunks[index].all = sparse_end (builder->all);
      storey->chunks[index].done = TRUE;
      return;
    }
  sparse_drop (builder->tops);
  sparse_drop (builder->all);
}

static gpointer
build_chunks (gpointer data)
{
  Build *build = data;
  const KymoMosaicStorey *storey = storey_of (build);
  guint n = 1u << storey->chunk_bits;
  Builder builder = { .build = build, .n_columns = n, .states = g_new (gint64, n),
                      .ns = g_new (gint64, n), .edges_ns = g_new (gint64, n + 1) };
  gint i;

  builder.carry = sums_new (&builder);
  for (guint j = 0; j < build->layer->n_j; j++)
    builder.pending[build->layer->j_first + j] = sums_new (&builder);
  kymo_column_sums_init (&builder.folded, build->mosaic->n_states, n);
  while ((i = g_atomic_int_add (&build->next, 1)) < (gint) storey->n_chunks
         && !is_stopped (build))
    if (!storey->chunks[i].done)
      {
        for (guint j = 0; j < build->layer->n_j; j++)
          kymo_column_sums_reset (builder.pending[build->layer->j_first + j]);
        kymo_column_sums_reset (&builder.folded);
        build_chunk (&builder, i);
      }
  sums_free (builder.carry);
  for (guint j = 0; j < build->layer->n_j; j++)
    sums_free (builder.pending[build->layer->j_first + j]);
  kymo_column_sums_clear (&builder.folded);
  g_free (builder.states);
  g_free (builder.ns);
  g_free (builder.edges_ns);
  return NULL;
}

/* -- the whole ------------------------------------------------------------ */

static gboolean
build_storey (Build *build,
              guint  n_threads)
{
  const KymoMosaicStorey *storey = storey_of (build);

  n_threads = CLAMP (n_threads, 1, storey->n_chunks);
  build->next = 0;
  kymo_share_run ("kymo-mosaic", n_threads, build_chunks, build, 0);
  for (guint i = 0; i < storey->n_chunks; i++)
    if (!storey->chunks[i].done)
      return FALSE;
  return TRUE;
}

static void
drop_tops (KymoMosaicStorey *storey)
{
  for (guint i = 0; i < storey->n_chunks; i++)
    {
      KymoSparse *tops = &storey->chunks[i].tops;

      g_clear_pointer (&tops->offsets, g_free);
      g_clear_pointer (&tops->states, g_free);
      g_clear_pointer (&tops->ns, g_free);
    }
}

/* The lists of all chunks become one pyramid over the columns. */
static void
gather_all (KymoMosaic *mosaic)
{
  KymoMosaicStorey *storey = &mosaic->layers[1].storeys[0];
  GArray *list[3];
  KymoSparse whole;

  sparse_begin (list);
  for (guint i = 0; i < storey->n_chunks; i++)
    {
      KymoSparse *all = &storey->chunks[i].all;
      gint64 first = MAX (first_column_of (storey, storey->first_chunk + i), storey->first_column);
      gint64 end = MIN (first_column_of (storey, storey->first_chunk + i + 1),
                        storey->first_column + storey->n_columns);

      for (gint64 c = 0; c < end - first; c++)
        {
          guint32 n = all->offsets[c + 1] - all->offsets[c];

          if (n > 0)
            {
              g_array_append_vals (list[1], all->states + all->offsets[c], n);
              g_array_append_vals (list[2], all->ns + all->offsets[c], n);
            }
          g_array_append_val (list[0], list[1]->len);
        }
      g_clear_pointer (&all->offsets, g_free);
      g_clear_pointer (&all->states, g_free);
      g_clear_pointer (&all->ns, g_free);
    }
  whole = sparse_end (list);
  mosaic->all = kymo_pyramid_new_from_nodes (whole.offsets, whole.states, whole.ns,
                                             storey->n_columns, mosaic->n_states);
}

static void
allocate_levels (const KymoMosaic *mosaic,
                 KymoMosaicLayer  *layer)
{
  for (guint j = layer->j_first; j < layer->j_first + layer->n_j; j++)
    for (guint k = layer->k_first; k < layer->k_first + layer->n_k; k++)
      {
        KymoMosaicLevel *level = kymo_mosaic_level (layer, j, k);

        if (level->cells == NULL)
          level->cells = g_new (guint32, (gsize) kymo_mosaic_n_groups (mosaic->n_places, j)
                                * level->n_columns);
      }
}

static gboolean
build_layers (KymoMosaic    *mosaic,
              const KymoRun *run,
              guint          n_threads,
              GCancellable  *cancellable)
{
  for (guint i = 0; i < 2; i++)
    {
      Build build = { mosaic, run, cancellable, &mosaic->layers[i], 0, 0 };

      allocate_levels (mosaic, build.layer);
      for (; build.storey < build.layer->n_storeys; build.storey++)
        if (!build_storey (&build, n_threads))
          return FALSE;
    }
  for (guint i = 0; i < 2; i++)
    for (guint k = 0; k < mosaic->layers[i].n_storeys; k++)
      drop_tops (&mosaic->layers[i].storeys[k]);
  if (mosaic->layers[1].n_k > 0)
    gather_all (mosaic);
  return TRUE;
}

/**
 * kymo_mosaic_build:
 * @run: the run that it was made for
 * @n_threads: most threads, the caller's included
 *
 * Builds what is not yet built; nothing after the first time. Any thread.
 *
 * Returns: %TRUE when it can be read; %FALSE where it was cancelled, another
 * thread is building it, or columns turned out unfit to be read
 */
gboolean
kymo_mosaic_build (KymoMosaic    *mosaic,
                   const KymoRun *run,
                   guint          n_threads,
                   GCancellable  *cancellable)
{
  if (kymo_mosaic_is_built (mosaic))
    return TRUE;
  if (!g_mutex_trylock (&mosaic->building))
    return FALSE;
  if (!mosaic->built && build_layers (mosaic, run, n_threads, cancellable))
    __atomic_store_n (&mosaic->built, 1, __ATOMIC_RELEASE);
  g_mutex_unlock (&mosaic->building);
  return kymo_mosaic_is_built (mosaic);
}
