/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libFuzzer target: a .sum, and the bins that are made of it.
 */
#include "config.h"

#include "fuzz-bins.h"
#include "fuzz-mutate.h"

static const FuzzGrammar grammar = FUZZ_LINES;
FUZZ_GRAMMAR (grammar)

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (KymoReport) report = kymo_report_new ();
  g_autoptr (KymoSum) sum = kymo_projections_sum_read (fuzz_file (data, size), "fuzz.0.sum",
                                                       report, NULL);

  fuzz_require (sum != NULL || fuzz_told (report, KYMO_SEVERITY_LOST) > 0);
  if (sum != NULL)
    fuzz_bins (sum, NULL, size, report);
  fuzz_report (report);
  return 0;
}
