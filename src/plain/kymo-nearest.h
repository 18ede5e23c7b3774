/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which kept PE stands for each one that is dropped, and so for how many each stands.
 */
#pragma once

#include "kymo-lloyd.h"

/**
 * KymoWeighed: PEs in their clusters; arrays by row
 * @n_columns: a multiple of %KYMO_KMEANS_LANES
 * @vectors: n_rows x n_columns, padded with 0: what they are compared by
 * @kept: whether it is
 * @before: what it stood for itself; %NULL = 1 each
 */
typedef struct
{
  unsigned        n_rows;
  unsigned        n_columns;
  const unsigned *cluster;
  const double   *vectors;
  const int      *kept;
  const double   *before;
} KymoWeighed;

/**
 * KymoNearest: of a row: the kept row that stands for it, and the square of
 * the distance between them
 */
typedef struct
{
  unsigned  row;
  double square;
} KymoNearest;

KymoNearest *kymo_nearest_new   (unsigned           n_rows);
bool         kymo_weights_share (const KymoWeighed *pes,
                                 KymoNearest       *nearest,
                                 double            *weights);
