/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What choosing by a number and by an error share.
 */
#pragma once

#include "kymo-archive-keep.h"

bool kymo_archive_choice_cluster (const KymoArchiveChoice *choice,
                                  unsigned                 k,
                                  KymoKmeans              *kmeans);
bool kymo_archive_choice_take    (KymoArchiveChoice       *choice,
                                  unsigned                 k,
                                  KymoKmeans              *kmeans,
                                  unsigned                 n_outliers);
