/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-thread-links.h"

#include "kymo-order.h"

static int
compare_links (gconstpointer a,
               gconstpointer b)
{
  const KymoThreadLink *x = a, *y = b;

  KYMO_ORDER_BY (x->to, y->to);
  KYMO_ORDER_BY (x->to_ns, y->to_ns);
  KYMO_ORDER_BY (x->from_ns, y->from_ns);
  KYMO_ORDER_BY (x->from, y->from);
  return 0;
}

/**
 * kymo_thread_links_sort:
 * @links: (element-type KymoThreadLink): sorted by the thread that goes on, then by time
 */
void
kymo_thread_links_sort (GArray *links)
{
  g_array_sort (links, compare_links);
}

/**
 * kymo_thread_links_shift:
 * @links: (element-type KymoThreadLink): sorted again afterwards
 * @offsets_ns: (array): by location, added to its times
 *
 * For clocks that were corrected. If a cause would then be later than its effect, both
 * get the time of the effect.
 */
void
kymo_thread_links_shift (GArray       *links,
                         const gint64 *offsets_ns)
{
  for (guint i = 0; i < links->len; i++)
    {
      KymoThreadLink *link = &g_array_index (links, KymoThreadLink, i);

      link->to_ns += offsets_ns[link->to];
      link->from_ns = MIN (link->from_ns + offsets_ns[link->from], link->to_ns);
    }
  kymo_thread_links_sort (links);
}

/**
 * kymo_thread_links_are_good:
 * @links: (array length=n): from a file that may have been made to deceive
 * @n_locations: how many locations the run has
 * @max_ns: times on both sides of zero stay below it
 *
 * Returns: whether the links are sorted, and each of them is what #KymoThreadLink says
 */
gboolean
kymo_thread_links_are_good (const KymoThreadLink *links,
                            gsize                 n,
                            guint                 n_locations,
                            gint64                max_ns)
{
  for (gsize i = 0; i < n; i++)
    if (links[i].to >= n_locations || links[i].from >= n_locations || links[i].to == links[i].from
        || links[i].from_ns <= -max_ns || links[i].to_ns >= max_ns
        || links[i].from_ns > links[i].to_ns
        || (i > 0 && compare_links (&links[i - 1], &links[i]) > 0))
      return FALSE;
  return TRUE;
}

/**
 * kymo_thread_links_find:
 * @links: sorted
 * @to: index of a location
 *
 * Returns: how many links are of locations before @to, or of @to and not later than
 *   @time_ns: the link before that number, if it is of @to, is the last one until then
 */
guint
kymo_thread_links_find (const GArray *links,
                        guint         to,
                        gint64        time_ns)
{
  const KymoThreadLink *all = (gconstpointer) links->data;

  return KYMO_FIND_FIRST (i, 0, links->len,
                          all[i].to > to || (all[i].to == to && all[i].to_ns > time_ns));
}
