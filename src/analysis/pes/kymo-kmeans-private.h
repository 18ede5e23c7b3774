/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What figures of PEs and k-means share: rows shared out to threads.
 */
#pragma once

#include "kymo-kmeans.h"

G_BEGIN_DECLS

gboolean kymo_rows_for_each    (guint         n_rows,
                                guint64       n_operations,
                                guint         n_threads,
                                KymoRowsFunc  func,
                                gpointer      data,
                                GCancellable *cancellable);

G_END_DECLS
