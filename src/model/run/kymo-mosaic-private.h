/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The inside of a mosaic, for kymo-mosaic.c (plan and reading) and
 * kymo-mosaic-build.c.
 *
 * A *layer* is a set of levels over the same sums: j from j_first, k from
 * k_first. It is built in *storeys*: the columns of a storey are cut into
 * *chunks* of 2^chunk_bits; within a chunk columns are folded in pairs until
 * one is left, and these are the columns of the storey above. Of a chunk only
 * the sums of a few groups are held at a time.
 */
#pragma once

#include "kymo-column-sums.h"
#include "kymo-mosaic.h"

G_BEGIN_DECLS

#define KYMO_MOSAIC_MAX_J 32
#define KYMO_MOSAIC_MAX_K 62
#define KYMO_MOSAIC_MAX_STOREYS 8

/** KymoMosaicLevel: one j and k; row-major */
typedef struct
{
  gint64   first_column;
  guint    n_columns;
  guint32 *cells;
} KymoMosaicLevel;

/** KymoSparse: lists of (state, ns), one behind the other */
typedef struct
{
  guint32 *offsets;             /* n + 1 */
  guint32 *states;
  gint64  *ns;
} KymoSparse;

/** KymoMosaicChunk: what a chunk leaves to the storey above */
typedef struct
{
  gboolean   done;
  KymoSparse tops;              /* by group of j_first: sums of the chunk */
  KymoSparse all;               /* by column: sums of all locations; in the
                                   lowest storey */
} KymoMosaicChunk;

typedef struct
{
  guint            k_first;
  guint            chunk_bits;
  gint64           first_column;        /* of width 2^k_first, absolute */
  guint            n_columns;
  gint64           first_chunk;
  guint            n_chunks;
  KymoMosaicChunk *chunks;
} KymoMosaicStorey;

typedef struct
{
  guint            j_first, n_j;
  guint            k_first, n_k;        /* n_k = 0: there is no such layer */
  guint            n_storeys;
  KymoMosaicStorey storeys[KYMO_MOSAIC_MAX_STOREYS];
  KymoMosaicLevel *levels;              /* n_j x n_k */
} KymoMosaicLayer;

struct _KymoMosaic
{
  gint             ref_count;           /* atomic */
  gint             wanted;              /* atomic: 1 wanted, 2 being built or built */
  gint             dropped;             /* atomic: it will not be read */
  guint           *locations;           /* by number; NULL: those of the run, in their order */
  guint           *begin;               /* n_places + 1; NULL: a place is one location */
  guint            n_locations;
  guint            n_places;
  guint            n_states;
  gsize            built;               /* atomic */
  GMutex           building;
  KymoMosaicLayer  layers[2];           /* single locations, merged ones */
  KymoPyramid     *all;                 /* sums of all locations by column of
                                           the merged layer */
};

/**
 * kymo_mosaic_n_groups:
 * @n_places: number of places of the mosaic
 * @j: a group has 2^j places
 *
 * Returns: the number of groups; the last may have fewer places
 */
static inline guint
kymo_mosaic_n_groups (guint n_places,
                      guint j)
{
  return (guint) (((guint64) n_places + (G_GUINT64_CONSTANT (1) << j) - 1) >> j);
}

/**
 * kymo_mosaic_place_begin:
 * @place: index of a place, or the number of places
 *
 * Returns: index of the first location of the place; for the number of places the number of
 *   locations
 */
static inline guint
kymo_mosaic_place_begin (const KymoMosaic *mosaic,
                         guint             place)
{
  return mosaic->begin != NULL ? mosaic->begin[place] : place;
}

/**
 * kymo_mosaic_group_end:
 * @j: a group has 2^j places
 * @group: index of a group
 *
 * Returns: one past the index of its last place
 */
static inline guint
kymo_mosaic_group_end (const KymoMosaic *mosaic,
                       guint             j,
                       guint             group)
{
  return (guint) MIN (((guint64) group + 1) << j, mosaic->n_places);
}

/**
 * kymo_mosaic_level:
 * @j: groups of 2^j places, not below the layer's first
 * @k: columns of 2^k ns, not below the layer's first
 *
 * Returns: (transfer none): the level of a layer that has it, owned by the layer
 */
static inline KymoMosaicLevel *
kymo_mosaic_level (const KymoMosaicLayer *layer,
                   guint                  j,
                   guint                  k)
{
  return &layer->levels[(j - layer->j_first) * layer->n_k + (k - layer->k_first)];
}

G_END_DECLS
