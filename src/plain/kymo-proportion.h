/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The proportionality test over a histogram (analysis/sums/kymo-quality.h).
 */
#pragma once

#include <stdint.h>

/** KYMO_GRAIN_BINS: of the published histogram: the last is of all that is longer */
#define KYMO_GRAIN_BINS 100

/** KYMO_GRAIN_NS: length of a bin, and of the shortest block that counts */
#define KYMO_GRAIN_NS 100000

unsigned kymo_proportion_test (const int64_t *original,
                               const int64_t *reduced,
                               unsigned       n,
                               double        *mean,
                               double        *stddev);
