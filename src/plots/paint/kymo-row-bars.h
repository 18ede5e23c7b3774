/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Locations as rows with a bar each, labels to the left: what the pictures of
 * profiles over threads share. An answer's row may stand for several locations, and is
 * as much higher. Rows are as high as the frame says, and scrolled; or they share the
 * height. Any thread may call.
 */
#pragma once

#include <glib.h>

#include "kymo-plot-private.h"

G_BEGIN_DECLS

/** Above the rows lie bars of their mean, maximum and minimum. */
#define KYMO_N_HEADS 3
#define KYMO_HEAD_ROW_PX 18
#define KYMO_HEAD_GAP_PX 8
#define KYMO_HEADS_PX (KYMO_HEAD_GAP_PX + KYMO_N_HEADS * KYMO_HEAD_ROW_PX)

/** Rows lower than this are painted as lines of pixels, which rows may share. */
#define KYMO_ROW_DENSE_PX 3

/**
 * KymoRowBars:
 * @first: n_rows + 1: how many locations lie above
 */
typedef struct
{
  KymoRect         area;
  const KymoTable *rows;
  guint            n_rows;
  gint64           n_locations;
  gint64          *first;
  double           location_px;
  double           scroll_px;
} KymoRowBars;

/* FALSE where there is nothing to show; clear it in any case. `rows` has columns
   "location", "label" and "n_locations". */
gboolean kymo_row_bars_init   (KymoRowBars         *bars,
                               const KymoTable     *rows,
                               KymoRect             area,
                               const KymoPlotFrame *frame);
void     kymo_row_bars_clear  (KymoRowBars         *bars);
/* Where the row lies, as wide as the area; its bar has a gap around it. */
KymoRect kymo_row_bars_rect   (const KymoRowBars   *bars,
                               guint                row);
KymoRect kymo_row_bars_bar    (const KymoRowBars   *bars,
                               guint                row);
/* The row at a height of the picture, or G_MAXUINT. */
guint    kymo_row_bars_at     (const KymoRowBars   *bars,
                               double               y);
gboolean kymo_row_bars_dense  (const KymoRowBars   *bars);
/* (transfer full): "rank 3", or "rank 0 – rank 15" */
char    *kymo_row_bars_label  (const KymoRowBars   *bars,
                               guint                row);
/* Labels left of the area, as many as have room, and a band behind the chosen one. */
void     kymo_row_bars_paint  (cairo_t             *cr,
                               const KymoRowBars   *bars,
                               const KymoPlotFrame *frame);
/* The bar of a head, as wide as the area, and its word, translated. */
KymoRect kymo_row_bars_head   (const KymoRowBars   *bars,
                               guint                head);
const char *
         kymo_row_bars_head_words (guint            head);
/* Below the rows: what one is, where it is more than one location. */
void     kymo_row_bars_note   (cairo_t             *cr,
                               const KymoRowBars   *bars,
                               const KymoPlotFrame *frame);
/* What can be chosen: a place a row. */
GArray  *kymo_row_bars_places (const KymoRowBars   *bars);
/* What keys go to in a picture where nothing is chosen: a box a row. */
GArray  *kymo_row_bars_boxes  (const KymoRowBars   *bars);

/* Where bars stand that share a width: each in a slot of its own, with a gap where there
   is room. Edges of bars that touch are on whole pixels, so that colours do not blend,
   and together they fill the width. Where there are more things than pixels, neighbours
   share a bar. */

/**
 * KymoBarLattice:
 * @scale: pixels of the picture a unit
 * @slot_px: distance of neighbours; at least 1 where there is room for a bar
 * @per_bar: things in a bar, in the last one perhaps fewer
 */
typedef struct
{
  double scale, slot_px;
  guint  n_bars, per_bar;
} KymoBarLattice;

KymoBarLattice kymo_bar_lattice       (double                width_px,
                                       guint                 n,
                                       double                most_px,
                                       double                scale);
void           kymo_bar_lattice_edges (const KymoBarLattice *lattice,
                                       double                left_px,
                                       guint                 bar,
                                       double               *x,
                                       double               *width);

/* Rows of a list in the order of their times, for pictures that show the most first. Any
   thread. */

/** KymoRanked: a row of a list and its time */
typedef struct
{
  guint  row;
  gint64 ns;
} KymoRanked;

/* The most first; of equal ones the first of the list. */
void kymo_ranked_sort (GArray *ranked);

G_END_DECLS
