/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * k-means (kymo-lloyd.h) on several threads, for the classes of PEs (kymo-clusters.c).
 *
 * Life: a KymoKmeans belongs to who called; its rows stay the caller's.
 */
#pragma once

#include <gio/gio.h>

#include "kymo-lloyd.h"
#include "kymo-pe-choice.h"

G_BEGIN_DECLS

KymoKmeans *kymo_kmeans_new          (const KymoKmeansInput *input,
                                      GCancellable          *cancellable,
                                      GError               **error);
void        kymo_kmeans_free         (KymoKmeans            *kmeans);
gboolean    kymo_kmeans_silhouette   (const KymoKmeans      *kmeans,
                                      const KymoKmeansInput *input,
                                      double                *by_cluster,
                                      double                *mean,
                                      GCancellable          *cancellable,
                                      GError               **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoKmeans, kymo_kmeans_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoPeChoice, kymo_pe_choice_free)

G_END_DECLS
