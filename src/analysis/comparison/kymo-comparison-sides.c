/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sides with several runs: means in whole numbers that still add up. A mean of
 * parts that were summed up one after the other is the difference of two rounded
 * sums, so the means of all parts sum up to the mean of the whole, and a side of one
 * run has its figures unchanged.
 *
 * Pure functions; any thread.
 */
#include "config.h"

#include "kymo-comparison-private.h"

#include "kymo-id-weights.h"

/**
 * kymo_compare_scale:
 * @per_pe: of one PE instead of all
 *
 * Returns: what sums over the runs of a side are divided by
 */
KymoCompareScale
kymo_compare_scale (const KymoCompared *compared,
                    guint               side,
                    gboolean            per_pe)
{
  KymoCompareScale scale = { per_pe ? KYMO_WEIGHT_ONE : 1, 0 };

  for (guint i = 0; i < compared->n_runs; i++)
    if (compared->side[i] == side)
      scale.parts = kymo_saturating_add (scale.parts, per_pe ? compared->runs[i]->pes : 1);
  return scale;
}

/**
 * kymo_compare_mean:
 *
 * Returns: @sum by @scale, rounded down
 */
gint64
kymo_compare_mean (gint64           sum,
                   KymoCompareScale scale)
{
  __int128 product = (__int128) sum * scale.times;
  __int128 mean = product / MAX (scale.parts, 1);

  if (product < 0 && mean * MAX (scale.parts, 1) != product)
    mean--;
  return (gint64) CLAMP (mean, (__int128) G_MININT64 + 1, (__int128) G_MAXINT64);
}

/**
 * kymo_compare_part:
 * @sum: (inout): what came before; 0 at first
 * @more: a sum over the runs of a side
 *
 * Returns: its mean, such that the means of all parts sum up to that of the whole
 */
gint64
kymo_compare_part (gint64           *sum,
                   gint64            more,
                   KymoCompareScale  scale)
{
  gint64 before = kymo_compare_mean (*sum, scale);

  *sum = kymo_saturating_add (*sum, more);
  return kymo_saturating_add (kymo_compare_mean (*sum, scale), -before);
}
