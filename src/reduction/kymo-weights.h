/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What each kept PE stands for when the others of its cluster are dropped.
 */
#pragma once

#include "kymo-id-weights.h"
#include "kymo-table.h"

G_BEGIN_DECLS

/**
 * KymoWeighed: PEs in their clusters; arrays by row
 * @n_columns: a multiple of %KYMO_KMEANS_LANES
 * @vectors: n_rows x n_columns, padded with 0: what they are compared by
 * @kept: whether it is
 * @before: what it stood for itself; %NULL = 1 each
 */
typedef struct
{
  guint           n_rows;
  guint           n_columns;
  const guint    *cluster;
  const double   *vectors;
  const gboolean *kept;
  const double   *before;
} KymoWeighed;

/**
 * KymoNearest: of a row: the kept row that stands for it, and the square of
 * the distance between them
 */
typedef struct
{
  guint  row;
  double square;
} KymoNearest;

KymoNearest   *kymo_nearest_new    (guint                n_rows);
void           kymo_weights_share  (const KymoWeighed   *pes,
                                    KymoNearest         *nearest,
                                    double              *weights);
double        *kymo_weights_vectors (const KymoTable    *locations,
                                     guint              *n_columns);
KymoIdWeights *kymo_weights_new    (const KymoTable     *locations,
                                    const KymoIdWeights *before);

G_END_DECLS
