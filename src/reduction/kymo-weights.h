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
 * @distance: to the mean of its cluster
 * @kept: whether it is
 * @before: what it stood for itself; %NULL = 1 each
 */
typedef struct
{
  guint           n_rows;
  const guint    *cluster;
  const double   *distance;
  const gboolean *kept;
  const double   *before;
} KymoWeighed;

void           kymo_weights_share (const KymoWeighed   *pes,
                                   double              *weights);
KymoIdWeights *kymo_weights_new   (const KymoTable     *locations,
                                   const KymoIdWeights *before);

G_END_DECLS
