/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of k-means share: rows shared out to threads, and seeds.
 */
#pragma once

#include "kymo-kmeans.h"

G_BEGIN_DECLS

/* Of one stretch of rows; called on any thread, each row once. */
typedef void (*KymoRowsFunc) (gpointer data,
                              guint    first,
                              guint    end);

gboolean kymo_rows_for_each    (guint         n_rows,
                                guint64       n_operations,
                                guint         n_threads,
                                KymoRowsFunc  func,
                                gpointer      data,
                                GCancellable *cancellable);
void     kymo_widen_box        (double       *low,
                                double       *high,
                                const double *row,
                                guint         n_columns);
double   kymo_draw             (guint64      *state);
void     kymo_kmeans_seed      (const KymoKmeansInput *input,
                                const double          *low,
                                const double          *high,
                                double                *centres,
                                GCancellable          *cancellable);

/**
 * kymo_square_tie:
 * @square: square of a distance
 *
 * Returns: squares up to this one may be of a distance that ties with it: their last bits
 *   need not agree
 */
static inline double
kymo_square_tie (double square)
{
  return square * (1 + 2 * KYMO_KMEANS_TIE);
}

G_END_DECLS
