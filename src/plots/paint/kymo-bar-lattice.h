/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where bars stand that share a width: each in a slot of its own, with a gap where there
 * is room. Edges of bars that touch are on whole pixels, so that colours do not blend,
 * and together they fill the width. Where there are more things than pixels, neighbours
 * share a bar.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

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

G_END_DECLS
