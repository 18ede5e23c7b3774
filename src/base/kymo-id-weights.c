/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ids ascend, so that a weight is found by a binary search.
 */
#include "config.h"

#include "kymo-id-weights.h"

#include "kymo-order.h"

#include <math.h>

typedef struct
{
  gint64 id;
  gint64 weight;                /* millionths */
} Weight;

struct _KymoIdWeights
{
  gatomicrefcount ref_count;
  Weight         *weights;
  guint           n;
  gint64          sum;
};

/**
 * kymo_id_weights_new:
 * @ids: (array length=n_ids): each once, in any order
 * @weights: (array length=n_ids): millionths, none negative; the caller sees
 *   to it that their sum fits
 *
 * Returns: (transfer full): the weights
 */
KymoIdWeights *
kymo_id_weights_new (const gint64 *ids,
                     const gint64 *weights,
                     guint         n_ids)
{
  KymoIdWeights *self = g_new0 (KymoIdWeights, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->weights = g_new (Weight, MAX (n_ids, 1));
  self->n = n_ids;
  for (guint i = 0; i < n_ids; i++)
    {
      self->weights[i] = (Weight) { ids[i], weights[i] };
      self->sum += weights[i];
    }
  qsort (self->weights, n_ids, sizeof (Weight), kymo_compare_ints);
  return self;
}

/**
 * kymo_id_weights_new_round:
 * @ids: (array length=n_ids): ascending
 * @weights: (array length=n_ids): how many each stands for
 * @sum: of all in millionths, which rounding must not change
 *
 * Each running sum is rounded, so that no weight is off by more than a
 * millionth and their sum is exact.
 *
 * Returns: (transfer full): the weights
 */
KymoIdWeights *
kymo_id_weights_new_round (const gint64 *ids,
                           const double *weights,
                           guint         n_ids,
                           gint64        sum)
{
  g_autofree gint64 *rounded = g_new (gint64, MAX (n_ids, 1));
  long double running = 0;
  gint64 before = 0;

  for (guint i = 0; i < n_ids; i++)
    {
      gint64 here;

      running += weights[i];
      here = i + 1 < n_ids ? llroundl (running * KYMO_WEIGHT_ONE) : sum;
      here = CLAMP (here, before, sum);
      rounded[i] = here - before;
      before = here;
    }
  return kymo_id_weights_new (ids, rounded, n_ids);
}

/**
 * kymo_id_weights_ref:
 *
 * Returns: (transfer full): @weights, with one more reference
 */
KymoIdWeights *
kymo_id_weights_ref (KymoIdWeights *weights)
{
  g_atomic_ref_count_inc (&weights->ref_count);
  return weights;
}

/**
 * kymo_id_weights_unref:
 *
 * Drops a reference to @weights and frees it with the last reference. %NULL is ignored.
 */
void
kymo_id_weights_unref (KymoIdWeights *weights)
{
  if (weights == NULL || !g_atomic_ref_count_dec (&weights->ref_count))
    return;
  g_free (weights->weights);
  g_free (weights);
}

/** kymo_id_weights_get_n: the number of locations that have a weight */
guint
kymo_id_weights_get_n (const KymoIdWeights *weights)
{
  return weights->n;
}

/**
 * kymo_id_weights_get_id:
 * @index: position among the locations in ascending order of their ids, from 0
 *
 * Returns: the id of the location
 */
gint64
kymo_id_weights_get_id (const KymoIdWeights *weights,
                        guint                index)
{
  return weights->weights[index].id;
}

/**
 * kymo_id_weights_get:
 *
 * Returns: the weight in millionths; 0 of an id that has none
 */
gint64
kymo_id_weights_get (const KymoIdWeights *weights,
                     gint64               id)
{
  guint at = KYMO_FIND_FIRST (i, 0, weights->n, weights->weights[i].id >= id);

  return at < weights->n && weights->weights[at].id == id ? weights->weights[at].weight : 0;
}

/** kymo_id_weights_get_sum: the sum of all weights, in millionths of a location */
gint64
kymo_id_weights_get_sum (const KymoIdWeights *weights)
{
  return weights->sum;
}

/**
 * kymo_weigh:
 * @value: of a location, not negative
 * @weight: in millionths
 *
 * Returns: of all it stands for, rounded to the nearest; at most %G_MAXINT64
 */
gint64
kymo_weigh (gint64 value,
            gint64 weight)
{
  __int128 wide;
  gint64 product;

  /* A division of 128 bits is a call and takes ten times as long. */
  if (!__builtin_mul_overflow (value, weight, &product)
      && !__builtin_add_overflow (product, KYMO_WEIGHT_ONE / 2, &product))
    return product / KYMO_WEIGHT_ONE;
  wide = ((__int128) value * weight + KYMO_WEIGHT_ONE / 2) / KYMO_WEIGHT_ONE;
  return CLAMP (wide, G_MININT64 + 1, G_MAXINT64);
}

/**
 * kymo_weigh_count:
 * @count: of a location
 * @weight: in millionths
 *
 * Counts are small, often 0 or 1 a location, and what rounding takes from each
 * would add up: they are summed up in millionths and rounded once, by
 * kymo_round_count().
 *
 * Returns: of all it stands for, in millionths; at most %G_MAXINT64
 */
gint64
kymo_weigh_count (gint64 count,
                  gint64 weight)
{
  gint64 product;

  return __builtin_mul_overflow (count, weight, &product) ? G_MAXINT64 : product;
}

/**
 * kymo_round_count:
 * @millionths: a sum of weighted counts (kymo_weigh_count()), 0 or more
 *
 * Returns: the nearest whole count; a half is rounded up
 */
gint64
kymo_round_count (gint64 millionths)
{
  gint64 rest = millionths % KYMO_WEIGHT_ONE;

  return millionths / KYMO_WEIGHT_ONE + (rest >= KYMO_WEIGHT_ONE / 2);
}

/**
 * kymo_weigh_parts:
 * @parts: (array length=n_parts): what adds up to something, none negative
 * @weight: in millionths
 *
 * Weighs parts so that they add up to their weighed sum: each running sum is
 * weighed, and the parts are their differences.
 */
void
kymo_weigh_parts (gint64 *parts,
                  guint   n_parts,
                  gint64  weight)
{
  gint64 sum = 0, before = 0;

  for (guint i = 0; i < n_parts; i++)
    {
      gint64 here;

      sum += parts[i];
      here = kymo_weigh (sum, weight);
      parts[i] = here - before;
      before = here;
    }
}
