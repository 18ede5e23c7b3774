/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A segment of a summary or of a draft: bins in the place of a track.
 */
#include "config.h"

#include "kymo-segment.h"

/**
 * kymo_segment_new_of_bins:
 * @bins: (transfer full): sums by bin
 *
 * Returns: (transfer full): a segment of a summary; its points may be added
 */
KymoSegment *
kymo_segment_new_of_bins (KymoBins *bins)
{
  KymoSegment *segment = kymo_segment_new ();

  segment->bins = bins;
  segment->span.begin_ns = bins->begin_ns;
  segment->span.end_ns = bins->begin_ns + bins->bin_ns * bins->n_bins;
  return segment;
}
