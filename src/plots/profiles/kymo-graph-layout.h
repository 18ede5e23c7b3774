/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Places of the boxes of a layered graph: each in its layer, none over another,
 * beside those it is connected with.
 *
 * Methods: the order within a layer by weighted barycentres, in sweeps down and up
 * (Sugiyama, Tagawa and Toda, "Methods for visual understanding of hierarchical
 * system structures", 1981); places by isotonic regression, the least sum of squared
 * distances from where boxes would like to be that keeps the order and the gaps (pool
 * adjacent violators, Ayer and others, 1955). Deterministic; any thread may call.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * KymoGraphBox:
 * @layer: from the top
 * @width: wanted; less where a layer would be too wide
 * @x: (out): of the middle
 */
typedef struct
{
  guint  layer;
  double width;
  double x;
} KymoGraphBox;

/** KymoGraphLine: connects two boxes */
typedef struct
{
  guint  from, to;
  double weight;
} KymoGraphLine;

void kymo_graph_layout (KymoGraphBox        *boxes,
                        guint                n_boxes,
                        const KymoGraphLine *lines,
                        guint                n_lines,
                        double               width,
                        double               gap);

G_END_DECLS
