/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kymo-proportion.h"

#include <math.h>

/**
 * kymo_proportion_test:
 * @original: blocks of the original by bar
 * @reduced: blocks of the reduced run
 * @mean: (out): of their ratios, over the bars that the original has; NaN if it has none
 * @stddev: (out): of a population
 *
 * Returns: how many bars were compared
 */
unsigned
kymo_proportion_test (const int64_t *original,
                      const int64_t *reduced,
                      unsigned       n,
                      double        *mean,
                      double        *stddev)
{
  double sum = 0, square = 0;
  unsigned n_compared = 0;

  for (unsigned i = 0; i < n; i++)
    if (original[i] != 0)
      {
        sum += (double) reduced[i] / (double) original[i];
        n_compared++;
      }
  *mean = n_compared > 0 ? sum / n_compared : NAN;
  for (unsigned i = 0; i < n; i++)
    if (original[i] != 0)
      {
        double off = (double) reduced[i] / (double) original[i] - *mean;

        square += off * off;
      }
  *stddev = n_compared > 0 ? sqrt (square / n_compared) : NAN;
  return n_compared;
}
