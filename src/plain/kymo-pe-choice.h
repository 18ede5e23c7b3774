/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which rows stand for the clusters of k-means: of each the one closest to the
 * mean, and outliers, shared out to the clusters by their sizes. Published for
 * Projections (Lee, Mendes and Kale, 2008: "Towards Scalable Performance
 * Analysis and Visualization through Data Reduction").
 */
#pragma once

#include "kymo-lloyd.h"

/**
 * KymoPeChoice:
 * @representative: by cluster: a row
 * @n_outliers: of all clusters
 * @first_outlier: by cluster, and one more: into @outliers
 * @outliers: rows, those of a cluster together, the farthest first
 */
typedef struct
{
  unsigned *representative;
  unsigned  n_outliers;
  unsigned *first_outlier;
  unsigned *outliers;
} KymoPeChoice;

/**
 * KymoPeQuota: by what outliers are shared out to clusters of S PEs
 * @KYMO_PE_QUOTA_SIZE: by S - 1, as it was published
 * @KYMO_PE_QUOTA_SPREAD: by (S - 1) x mean distance of the PEs from their mean,
 *   so that tight clusters have fewer; beyond the publication
 */
typedef enum
{
  KYMO_PE_QUOTA_SIZE,
  KYMO_PE_QUOTA_SPREAD,
} KymoPeQuota;

KymoPeChoice *kymo_pe_choice_new       (const KymoKmeans *kmeans,
                                        unsigned          n_outliers,
                                        KymoPeQuota       by);
void          kymo_pe_choice_free      (KymoPeChoice     *choice);
bool          kymo_pe_choice_parse     (const char       *text,
                                        bool              up,
                                        unsigned          n_pes,
                                        unsigned         *n);
