/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Work shared out over threads, so that it can be cancelled at any time: steps that
 * do not depend on each other, and sorting. What comes out is the same for any number
 * of threads.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/** KymoShareFunc: does step @i; several threads at once, each step once */
typedef void (*KymoShareFunc) (gpointer data,
                               guint    i);

void     kymo_share_run  (const char       *name,
                          guint             n_threads,
                          GThreadFunc       func,
                          gpointer          workers,
                          gsize             size);
gboolean kymo_share_out  (guint             n_steps,
                          guint             n_threads,
                          KymoShareFunc     func,
                          gpointer          data,
                          GCancellable     *cancellable);
gboolean kymo_share_sort (gpointer          items,
                          gsize             n_items,
                          gsize             size,
                          GCompareDataFunc  compare,
                          gpointer          data,
                          guint             n_threads,
                          GCancellable     *cancellable);

G_END_DECLS
