/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-order.h"
#include "kymo-run.h"

static int
compare_stretched (gconstpointer a,
                   gconstpointer b)
{
  const KymoStretched *x = a, *y = b;

  KYMO_ORDER_BY (x->location, y->location);
  KYMO_ORDER_BY (x->begin_ns, y->begin_ns);
  KYMO_ORDER_BY (y->end_ns, x->end_ns);
  return x->activity < y->activity ? -1 : x->activity > y->activity;
}

/** kymo_stretched_sort: brings #KymoStretched in the order in which a run has them */
void
kymo_stretched_sort (GArray *blocks)
{
  guint i = 1;

  /* Nearly always they are, as blocks seldom nest. */
  while (i < blocks->len && compare_stretched (&g_array_index (blocks, KymoStretched, i - 1),
                                               &g_array_index (blocks, KymoStretched, i)) <= 0)
    i++;
  if (i < blocks->len)
    g_array_sort (blocks, compare_stretched);
}

/**
 * kymo_run_add_stretched:
 * @blocks: (nullable): #KymoStretched of the location that was added last, sorted
 * @sums: (nullable): #KymoStretchSum of it; copied, as the blocks are
 *
 * Tells which blocks of a location had no processor for a while.
 */
void
kymo_run_add_stretched (KymoRun      *run,
                        const GArray *blocks,
                        const GArray *sums)
{
  guint32 location = run->locations->len - 1;

  for (guint i = 0; blocks != NULL && i < blocks->len; i++)
    {
      KymoStretched one = g_array_index (blocks, KymoStretched, i);

      one.location = location;
      g_array_append_val (run->stretched, one);
    }
  for (guint i = 0; sums != NULL && i < sums->len; i++)
    {
      KymoStretchSum one = g_array_index (sums, KymoStretchSum, i);

      one.location = location;
      g_array_append_val (run->stretch_sums, one);
    }
}

/**
 * kymo_stretched_shift:
 * @blocks: #KymoStretched
 * @offsets_ns: what is added to all times of a location, by its index
 */
void
kymo_stretched_shift (GArray       *blocks,
                      const gint64 *offsets_ns)
{
  for (guint i = 0; i < blocks->len; i++)
    {
      KymoStretched *one = &g_array_index (blocks, KymoStretched, i);

      one->begin_ns += offsets_ns[one->location];
      one->end_ns += offsets_ns[one->location];
    }
}

/* The index of the first element whose location, @at bytes behind its begin, is not below one. */
static guint
find_first (const GArray *sorted,
            gsize         at,
            guint32       location)
{
  gsize size = g_array_get_element_size ((GArray *) sorted);
  guint low = 0, high = sorted->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (G_STRUCT_MEMBER (guint32, sorted->data + middle * size, at) < location)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/**
 * kymo_stretched_first:
 * @blocks: #KymoStretched, sorted
 *
 * Returns: the index of the first one of a location, or of the first one behind it
 */
guint
kymo_stretched_first (const GArray *blocks,
                      guint32       location)
{
  return find_first (blocks, G_STRUCT_OFFSET (KymoStretched, location), location);
}

/**
 * kymo_stretched_first_sum:
 * @sums: #KymoStretchSum, sorted
 *
 * Returns: the index of the first one of a location, or of the first one behind it
 */
guint
kymo_stretched_first_sum (const GArray *sums,
                          guint32       location)
{
  return find_first (sums, G_STRUCT_OFFSET (KymoStretchSum, location), location);
}

/**
 * kymo_stretched_find:
 *
 * Returns: (transfer none) (nullable): the block, if it had no processor for a while; %NULL if it
 *   had one all the time, or if the run does not keep it
 */
const KymoStretched *
kymo_stretched_find (const GArray *blocks,
                     guint32       location,
                     gint64        begin_ns,
                     gint64        end_ns,
                     guint32       activity)
{
  for (guint i = kymo_stretched_first (blocks, location); i < blocks->len; i++)
    {
      const KymoStretched *one = &g_array_index (blocks, KymoStretched, i);

      if (one->location != location || one->begin_ns > begin_ns)
        break;
      if (one->begin_ns == begin_ns && one->end_ns == end_ns && one->activity == activity)
        return one;
    }
  return NULL;
}

/**
 * kymo_stretched_are_good:
 * @blocks: #KymoStretched from a file
 * @sums: #KymoStretchSum from a file
 * @most_ns: no time is beyond
 *
 * Returns: whether they are as a reader makes them: so they can be summed up and looked for
 */
gboolean
kymo_stretched_are_good (const GArray *blocks,
                         const GArray *sums,
                         guint         n_locations,
                         guint         n_activities,
                         gint64        most_ns)
{
  for (guint i = 0; i < blocks->len; i++)
    {
      const KymoStretched *one = &g_array_index (blocks, KymoStretched, i);

      if (one->location >= n_locations || one->activity >= n_activities || one->begin_ns < -most_ns
          || one->begin_ns > one->end_ns || one->end_ns > most_ns || one->cpu_ns < 0
          || one->cpu_ns > most_ns || one->excess_ns < 0
          || one->excess_ns > one->end_ns - one->begin_ns
          || (i > 0 && compare_stretched (one - 1, one) > 0)
          || (i >= KYMO_STRETCHED_MOST && one[-KYMO_STRETCHED_MOST].location == one->location))
        return FALSE;
    }
  for (guint i = 0; i < sums->len; i++)
    {
      const KymoStretchSum *one = &g_array_index (sums, KymoStretchSum, i);

      if (one->location >= n_locations || one->activity >= n_activities || one->excess_ns < 0
          || one->excess_ns > most_ns || one->n_blocks < 0 || one->n_blocks > G_MAXUINT32
          || (i > 0 && (one[-1].location > one->location
                        || (one[-1].location == one->location
                            && one[-1].activity >= one->activity))))
        return FALSE;
    }
  return TRUE;
}
