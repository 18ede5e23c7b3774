/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a reduced run knows of the one it was made of: how many PEs each of its
 * PEs stands for, and how far its figures are off when they are extrapolated.
 * Read from the .kymo file beside it (docs/formats/kymo.md). Immutable and
 * ref-counted.
 */
#pragma once

#include "kymo-id-weights.h"
#include "kymo-span.h"

G_BEGIN_DECLS

/**
 * KymoReductionError: time of one entry method, of all PEs
 * @id: of the entry method, or a KymoReductionOther
 * @true_ns: exclusive time in the run it was made of
 * @estimated_ns: by the kept PEs and their weights
 */
typedef struct
{
  gint64 id;
  gint64 true_ns;
  gint64 estimated_ns;
} KymoReductionError;

typedef enum
{
  KYMO_REDUCTION_IDLE = -1,
  KYMO_REDUCTION_OVERHEAD = -2,
  KYMO_REDUCTION_UNTRACED = -3,
} KymoReductionOther;

/**
 * KymoReduction:
 * @weights: of the kept PEs; they sum up to the PEs of the original
 * @errors: (element-type KymoReductionError): ids ascending; empty where none
 *   were measured
 * @errors_span: time they are of
 * @time_profile: the largest error of a time profile of @bars bars over that
 *   time, a share of the time of all PEs in a bar; NAN = not measured
 * @n_clusters: that the PEs were put into; 0 = not known
 * @n_outliers: kept beside the representatives of the clusters
 * @mean_ratio: of the proportionality test (kymo-quality.h); NAN = not known
 * @stddev: of the same
 */
typedef struct
{
  KymoIdWeights   *weights;
  GArray          *errors;
  KymoSpan         errors_span;
  double           time_profile;
  guint            n_clusters, n_outliers;
  double           mean_ratio, stddev;
  guint            bars;
} KymoReduction;

KymoReduction            *kymo_reduction_new        (KymoIdWeights       *weights);
void                      kymo_reduction_free      (KymoReduction       *reduction);
const KymoReductionError *kymo_reduction_find_error (const KymoReduction *reduction,
                                                     gint64               id);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoReduction, kymo_reduction_free)

G_END_DECLS
