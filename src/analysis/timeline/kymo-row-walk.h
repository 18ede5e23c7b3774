/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An order in which neighbours are alike: a walk over points that goes to the
 * nearest one not yet visited (the nearest neighbour heuristic for the
 * travelling salesman: D. J. Rosenkrantz, R. E. Stearns, P. M. Lewis, "An analysis
 * of several heuristics for the traveling salesman problem", SIAM J. Comput.
 * 6(3), 1977). It begins at the end of the direction in which points differ most.
 *
 * Points are looked through from the present one outwards along that direction:
 * two points are no nearer to each other than along it, so that most need not be
 * compared (J. H. Friedman, F. Baskett, L. J. Shustek, "An algorithm for finding
 * nearest neighbors", IEEE Trans. Comput. C-24, 1975). Of equally near ones
 * the one met first is taken: the same order with any number of threads.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

guint *kymo_row_walk_new (const double  *points,
                          guint          n_points,
                          guint          n_columns,
                          guint          n_components,
                          guint          n_threads,
                          double       **steps,
                          GCancellable  *cancellable,
                          GError       **error);

G_END_DECLS
