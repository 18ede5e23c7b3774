/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-pairs.h"

#include "kymo-share.h"
#include "kymo-span.h"

/* Pairs that are looked at between two looks at a cancellable. */
#define PAIRS_AT_ONCE 4096

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
 * @cancellable: (nullable): ends the work; what is in @into is of no use then
 *
 * Adds all of @from to @into.
 */
void
kymo_pairs_merge (GHashTable   *into,
                  GHashTable   *from,
                  gint64        group_size,
                  GCancellable *cancellable)
{
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, from);
  for (guint i = 0; g_hash_table_iter_next (&iter, &key, NULL)
       && (i % PAIRS_AT_ONCE != 0 || !g_cancellable_is_cancelled (cancellable)); i++)
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
               gconstpointer b,
               gpointer      unused)
{
  const KymoPair *x = *(KymoPair *const *) a, *y = *(KymoPair *const *) b;

  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  return x->to < y->to ? -1 : x->to > y->to;
}

/**
 * kymo_pairs_sort:
 * @cancellable: (nullable): ends the work
 *
 * Returns: (transfer container): the pairs by sender, then receiver; none where it was cancelled
 */
GPtrArray *
kymo_pairs_sort (GHashTable   *pairs,
                 GCancellable *cancellable)
{
  GPtrArray *keys = g_ptr_array_sized_new (g_hash_table_size (pairs));
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, pairs);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_ptr_array_add (keys, key);
  if (!kymo_share_sort (keys->pdata, keys->len, sizeof (gpointer), compare_pairs, NULL, 1,
                        cancellable))
    g_ptr_array_set_size (keys, 0);
  return keys;
}
