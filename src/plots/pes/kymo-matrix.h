/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Locations by locations on a square grid: who sent to whom, who waited for whom. Bars at the
 * edges are the totals of rows and columns.
 */
#pragma once

#include "kymo-id-set.h"
#include "kymo-plot-private.h"

G_BEGIN_DECLS

/* Room for the bars, above the grid and right of it. */
#define KYMO_MATRIX_TOTALS_PX 34

/**
 * KymoMatrix:
 * @area: of the grid itself, px
 * @ids: (array length=n): the locations, or the first ones of groups, in order
 * @rows: (array length=n): sums by row
 * @columns: (array length=n): sums by column
 * @least: amount, above 0
 * @pairs: row * n + column -> pair + 1
 *
 * What does not depend on the size of the picture is made once and kept with the answer: the
 * pointer moves often. A picture has a copy that it places.
 */
typedef struct
{
  KymoRect      area;
  guint         n, n_pairs;
  gint64       *ids;
  const gint64 *row_of, *column_of, *values;
  gint64        n_locations, group;
  double       *rows, *columns;
  double        most_sum, least, most;
  GHashTable   *pairs;
  double        cell_px;
  char       *(*dup_amount) (double amount);
  gboolean      known;               /* FALSE: nothing can be painted */
} KymoMatrix;

KymoMatrix *kymo_matrix_new     (const gint64        *row_of,
                                 const gint64        *column_of,
                                 const gint64        *values,
                                 guint                n_pairs,
                                 gint64               n_locations,
                                 gint64               group,
                                 char              *(*dup_amount) (double amount));
void        kymo_matrix_free    (gpointer             data);
gboolean    kymo_matrix_place   (KymoMatrix          *matrix,
                                 KymoRect             area);
char       *kymo_matrix_dup_id  (const KymoMatrix    *matrix,
                                 guint                i);
guint       kymo_matrix_pair_at (const KymoMatrix    *matrix,
                                 guint                row,
                                 guint                column);
void        kymo_matrix_paint   (cairo_t             *cr,
                                 const KymoMatrix    *matrix,
                                 const KymoPlotFrame *frame,
                                 const char          *rows,
                                 const char          *columns);
gboolean    kymo_matrix_at      (const KymoMatrix    *matrix,
                                 double               x,
                                 double               y,
                                 guint               *row,
                                 guint               *column,
                                 KymoRect            *rect);
GArray     *kymo_matrix_boxes   (const KymoMatrix    *matrix,
                                 gboolean             of_locations);
GArray     *kymo_matrix_marks   (const KymoMatrix    *matrix,
                                 const KymoIdSet     *locations);

G_END_DECLS
