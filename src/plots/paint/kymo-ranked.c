/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-ranked.h"

static int
compare_ranked (gconstpointer a, gconstpointer b)
{
  const KymoRanked *x = a, *y = b;

  if (x->ns != y->ns)
    return x->ns > y->ns ? -1 : 1;
  return x->row < y->row ? -1 : x->row > y->row;
}

/** kymo_ranked_sort: @ranked: (element-type KymoRanked): */
void
kymo_ranked_sort (GArray *ranked)
{
  g_array_sort (ranked, compare_ranked);
}
