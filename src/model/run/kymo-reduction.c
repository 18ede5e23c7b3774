/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-reduction.h"

#include "kymo-order.h"

#include <math.h>

/**
 * kymo_reduction_new:
 * @weights: (transfer none): of the kept PEs
 *
 * Returns: (transfer full): without errors; the caller adds them
 */
KymoReduction *
kymo_reduction_new (KymoIdWeights *weights)
{
  KymoReduction *reduction = g_new0 (KymoReduction, 1);

  reduction->weights = kymo_id_weights_ref (weights);
  reduction->errors = g_array_new (FALSE, FALSE, sizeof (KymoReductionError));
  reduction->time_profile = reduction->mean_ratio = reduction->stddev = NAN;
  return reduction;
}

/**
 * kymo_reduction_free:
 *
 * Frees @reduction with its weights and errors. %NULL is ignored.
 */
void
kymo_reduction_free (KymoReduction *reduction)
{
  if (reduction == NULL)
    return;
  kymo_id_weights_unref (reduction->weights);
  g_array_unref (reduction->errors);
  g_free (reduction);
}

/**
 * kymo_reduction_find_error:
 * @id: of an entry method, or a #KymoReductionOther
 *
 * Returns: (transfer none) (nullable): what was measured of it
 */
const KymoReductionError *
kymo_reduction_find_error (const KymoReduction *reduction,
                           gint64               id)
{
  const KymoReductionError *errors = (gconstpointer) reduction->errors->data;
  guint n = reduction->errors->len;
  guint at = KYMO_FIND_FIRST (i, 0, n, errors[i].id >= id);

  return at < n && errors[at].id == id ? &errors[at] : NULL;
}
