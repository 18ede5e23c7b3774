/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What holds for the bins that are made of any summary: every range is
 * accounted for, and parts add up to the whole.
 */
#pragma once

#include "fuzz.h"
#include "kymo-bins.h"
#include "kymo-projections-sum.h"
#include "kymo-projections-summary.h"

static inline void
fuzz_bins (const KymoSum  *sum,
           const KymoSumd *sumd,
           gsize           size,
           KymoReport     *report)
{
  guint n_entries = 0;
  KymoBins *bins = kymo_summary_make_bins (sum, sumd, "fuzz.0.sum", size, report, &n_entries);
  KymoSums whole, parts;
  KymoSpan span;
  gint64 total = 0, middle;

  if (bins == NULL)
    return;
  fuzz_require (bins->bin_ns > 0 && bins->n_bins > 0);
  fuzz_require (bins->n_bins <= G_MAXINT64 / bins->bin_ns);
  span = (KymoSpan) { 0, bins->n_bins * bins->bin_ns };
  middle = span.end_ns / 3 + 1;
  kymo_sums_init (&whole, KYMO_SUMMARY_ENTRY + n_entries);
  kymo_sums_init (&parts, KYMO_SUMMARY_ENTRY + n_entries);
  kymo_bins_sum (bins, span, &whole);
  kymo_bins_sum (bins, (KymoSpan) { 0, middle }, &parts);
  if (middle < span.end_ns)
    kymo_bins_sum (bins, (KymoSpan) { middle, span.end_ns }, &parts);
  for (guint i = 0; i < whole.n_states; i++)
    {
      fuzz_require (whole.ns[i] == parts.ns[i]);
      total += whole.ns[i];
    }
  fuzz_require (total == span.end_ns);
  kymo_sums_clear (&whole);
  kymo_sums_clear (&parts);
  kymo_bins_unref (bins);
}
