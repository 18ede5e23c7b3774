/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-pairs.h"

#include "kymo-span.h"

static guint
pair_hash (gconstpointer data)
{
  const KymoPair *pair = data;
  guint64 key = (guint64) pair->from * 1000003 + (guint64) pair->to;

  return (guint) (key * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) >> 32);
}

static gboolean
pair_equal (gconstpointer a,
            gconstpointer b)
{
  const KymoPair *x = a, *y = b;

  return x->from == y->from && x->to == y->to;
}

/**
 * kymo_pairs_new:
 *
 * Returns: (transfer full): a set of #KymoPair, each its own key
 */
GHashTable *
kymo_pairs_new (void)
{
  return g_hash_table_new_full (pair_hash, pair_equal, g_free, NULL);
}

/**
 * kymo_pairs_add:
 * @pairs: (element-type KymoPair): sums by pair
 * @pair: copied, if there is none of its sender and receiver
 *
 * Adds the sums of @pair to those of the same sender and receiver.
 */
void
kymo_pairs_add (GHashTable     *pairs,
                const KymoPair *pair)
{
  KymoPair *sum = g_hash_table_lookup (pairs, pair);

  if (sum == NULL)
    {
      g_hash_table_add (pairs, g_memdup2 (pair, sizeof *pair));
      return;
    }
  sum->messages = kymo_saturating_add (sum->messages, pair->messages);
  sum->bytes = kymo_saturating_add (sum->bytes, pair->bytes);
  sum->matched = kymo_saturating_add (sum->matched, pair->matched);
  sum->latency_ns = kymo_saturating_add (sum->latency_ns, pair->latency_ns);
}

/**
 * kymo_pairs_merge:
 * @group_size: ids are rounded down to multiples of it; 1 keeps them
 *
 * Adds all of @from to @into.
 */
void
kymo_pairs_merge (GHashTable *into,
                  GHashTable *from,
                  gint64      group_size)
{
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, from);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      KymoPair pair = *(const KymoPair *) key;

      /* An unknown location is in no group. */
      if (pair.from >= 0)
        pair.from -= pair.from % group_size;
      if (pair.to >= 0)
        pair.to -= pair.to % group_size;
      kymo_pairs_add (into, &pair);
    }
}

/**
 * kymo_pairs_group_size:
 * @pairs: (element-type KymoPair): all that there are
 * @n_ids: ids are below it
 * @limit: above 0
 *
 * Returns: how many ids, a power of two, make a group so that at most @limit pairs of groups can
 *   be; 1 where @pairs are no more than that
 */
gint64
kymo_pairs_group_size (GHashTable *pairs,
                       gint64      n_ids,
                       gint64      limit)
{
  gint64 size = 1;

  if (g_hash_table_size (pairs) <= limit)
    return 1;
  while (((n_ids + size - 1) / size) * ((n_ids + size - 1) / size) > limit)
    size *= 2;
  return size;
}

static int
compare_pairs (gconstpointer a,
               gconstpointer b)
{
  const KymoPair *x = *(KymoPair *const *) a, *y = *(KymoPair *const *) b;

  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  return x->to < y->to ? -1 : x->to > y->to;
}

/**
 * kymo_pairs_sort:
 *
 * Returns: (transfer container): the pairs by sender, then receiver
 */
GPtrArray *
kymo_pairs_sort (GHashTable *pairs)
{
  GPtrArray *keys = g_ptr_array_sized_new (g_hash_table_size (pairs));
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, pairs);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_ptr_array_add (keys, key);
  g_ptr_array_sort (keys, compare_pairs);
  return keys;
}
