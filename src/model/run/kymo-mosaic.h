/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The mosaic: for groups of 2^j places and columns of 2^k ns of absolute time which
 * state has most time, and its share. A picture that stands on this grid is read from
 * it: it costs its cells, whatever the run holds. Places are the locations in the order
 * of the run, or, of a mosaic that was made for them, the rows of a picture: some
 * locations, in an order of their own, several of them folded into one place.
 *
 * A cell is 32 bits: state << 16 | share in 1 / 65535 of column x locations;
 * %KYMO_NO_CELL where nothing was recorded. Cells are taken from exact sums
 * (kymo-column-sums.h), each level from those of the level below, so that they
 * are what a walk over the pieces gives.
 *
 * There are levels only where a walk would be slow. Single locations: from the
 * width on at which a large window would meet millions of pieces, and a column
 * holds about two of them. Merged locations: from the j on that a large
 * window asks for, and from the width on at which two pieces fall into a cell
 * of the group, if a walk over all locations would be slow there. This bounds
 * the memory to a few bytes a piece, and there is a limit to all of it.
 *
 * Life: planned from what a run holds, built once by the first thread that needs it;
 * what a cancelled build has done is kept for the next. Immutable once built; counted
 * references. The idea of drawing from majority tiles is that of image
 * mipmaps (L. Williams, "Pyramidal parametrics", 1983), with a vote in place
 * of a mean.
 */
#pragma once

#include <gio/gio.h>

#include "kymo-pyramid.h"
#include "kymo-run.h"

G_BEGIN_DECLS

/** KYMO_NO_CELL: a packed cell in which nothing was recorded */
#define KYMO_NO_CELL G_MAXUINT32
/** KYMO_MOST_PACKED_STATES: states that a packed cell can tell */
#define KYMO_MOST_PACKED_STATES 65000
/** KYMO_MOSAIC_LEAST_PIECES: pieces of a cell of the finest level, on average */
#define KYMO_MOSAIC_LEAST_PIECES 2

/**
 * kymo_pack_cell:
 * @state: below %KYMO_MOST_PACKED_STATES
 * @ns: its time, from 0
 * @all_ns: what a share of 1 is, > 0; a double, for a wide column of many
 *   locations is more than 64 bits of nanoseconds
 *
 * A share beyond 1 is none, and must not reach the bits of the state: sums
 * of a pyramid that was read from a file may tell more than there is time.
 *
 * Returns: state and share, rounded to 1 / 65535
 */
static inline guint32
kymo_pack_cell (guint32 state,
                gint64  ns,
                double  all_ns)
{
  return state << 16 | (guint32) (MIN ((double) ns / all_ns, 1) * 65535 + 0.5);
}

/**
 * KymoMosaicLimits:
 * @most_pieces: that a question may meet on a walk
 * @most_merged_rows: limit of rows of the first merged level
 * @least_columns: where the whole run has fewer a walk will do
 * @chunk_bits: columns of a chunk are 2^chunk_bits
 * @most_busy: merged rows of more locations do not tell how busy they were,
 *   which would be a sum a location
 * @most_bytes: of the whole mosaic; beyond it begins with wider columns
 * @most_steps: of a walk over single rows, a column or a piece each; where it
 *   would take more, columns become twice as wide. Of merged rows twice as many
 */
typedef struct
{
  double most_pieces;
  guint  most_merged_rows;
  guint  least_columns;
  guint  chunk_bits;
  guint  most_busy;
  double most_bytes;
  double most_steps;
} KymoMosaicLimits;

extern const KymoMosaicLimits kymo_mosaic_limits;

typedef struct _KymoMosaic KymoMosaic;

/**
 * KymoMosaicPlaces: the rows of a picture before any are merged
 * @locations: numbers of segments of the run, none twice
 * @begin: (nullable): n_places + 1: the first of the locations of each place; %NULL where a
 *   place is one location
 * @n_locations: length of @locations
 * @n_places: how many rows there are
 */
typedef struct
{
  const guint *locations;
  const guint *begin;
  guint        n_locations;
  guint        n_places;
} KymoMosaicPlaces;

KymoMosaic    *kymo_mosaic_new      (const KymoRun     *run,
                                     double             pieces_per_ns,
                                     const KymoMosaicLimits *limits);
KymoMosaic    *kymo_mosaic_new_of   (const KymoRun     *run,
                                     const KymoMosaicPlaces *places,
                                     double             pieces_per_ns,
                                     const KymoMosaicLimits *limits);
KymoMosaic    *kymo_mosaic_ref      (KymoMosaic        *mosaic);
void           kymo_mosaic_unref    (KymoMosaic        *mosaic);
gboolean       kymo_mosaic_is_of    (const KymoMosaic  *mosaic,
                                     const KymoMosaicPlaces *places);
void           kymo_mosaic_drop     (KymoMosaic        *mosaic);
gboolean       kymo_mosaic_want     (KymoMosaic        *mosaic);
gboolean       kymo_mosaic_take_wish (KymoMosaic       *mosaic);
void           kymo_mosaic_forget_wish (KymoMosaic     *mosaic);
gboolean       kymo_mosaic_has      (const KymoMosaic  *mosaic,
                                     guint              j,
                                     guint              k);
gboolean       kymo_mosaic_is_built (const KymoMosaic  *mosaic);
gboolean       kymo_mosaic_build    (KymoMosaic        *mosaic,
                                     const KymoRun     *run,
                                     guint              n_threads,
                                     GCancellable      *cancellable);
const guint32 *kymo_mosaic_peek_row (const KymoMosaic  *mosaic,
                                     guint              j,
                                     guint              k,
                                     guint              group,
                                     gint64            *first_column,
                                     guint             *n_columns);
gboolean       kymo_mosaic_sum      (const KymoMosaic  *mosaic,
                                     guint              k,
                                     gint64             first_column,
                                     gint64             end_column,
                                     KymoSums          *sums);
gsize          kymo_mosaic_get_bytes (const KymoMosaic *mosaic);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoMosaic, kymo_mosaic_unref)

G_END_DECLS
