/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What each kept PE stands for when the others of its cluster are dropped.
 */
#pragma once

#include "kymo-id-weights.h"
#include "kymo-nearest.h"
#include "kymo-table.h"

G_BEGIN_DECLS

double        *kymo_weights_vectors (const KymoTable     *locations,
                                     guint               *n_columns);
KymoIdWeights *kymo_weights_new    (const KymoTable     *locations,
                                    const KymoIdWeights *before);

G_END_DECLS
