/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-bar-lattice.h.
 */
#include "config.h"

#include "kymo-bar-lattice.h"

#include <math.h>

/* Narrower ones have no gap between them. */
#define TOUCHING_PX 3
/* From here on gaps are a share of the slot. */
#define WIDE_PX 6

/**
 * kymo_bar_lattice:
 * @width_px: of all bars
 * @n: how many things there are, at least one
 * @most_px: slots are no wider
 * @scale: of the frame; 0 is 1
 */
KymoBarLattice
kymo_bar_lattice (double width_px, guint n, double most_px, double scale)
{
  guint room = MAX (1, floor (width_px));
  guint per_bar = 1 + (n - 1) / room, n_bars = 1 + (n - 1) / per_bar;

  return (KymoBarLattice) { MAX (scale, 1), MIN (width_px / n_bars, most_px), n_bars,
                             per_bar };
}

static double
snap (const KymoBarLattice *lattice, double x)
{
  return round (x * lattice->scale) / lattice->scale;
}

/**
 * kymo_bar_lattice_edges:
 * @left_px: where the first slot begins
 * @x: (out): @width: (out): of the bar
 */
void
kymo_bar_lattice_edges (const KymoBarLattice *lattice, double left_px, guint bar,
                        double *x, double *width)
{
  double slot = lattice->slot_px;

  *x = snap (lattice, left_px + bar * slot);
  if (slot < TOUCHING_PX)
    *width = snap (lattice, left_px + (bar + 1) * slot) - *x;
  else
    *width = snap (lattice, slot < WIDE_PX ? floor (slot) - 1 : floor (slot * 0.8));
}
