/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-collectives.h"

#include <stdlib.h>

#include "kymo-run.h"

KymoCollectives *
kymo_collectives_new (void)
{
  KymoCollectives *collectives = g_new0 (KymoCollectives, 1);

  collectives->list = g_array_new (FALSE, FALSE, sizeof (KymoCollective));
  collectives->members = g_array_new (FALSE, FALSE, sizeof (KymoCollectiveMember));
  return collectives;
}

/**
 * kymo_collectives_free:
 * @collectives: (nullable): whatever was in it is gone
 */
void
kymo_collectives_free (KymoCollectives *collectives)
{
  if (collectives == NULL)
    return;
  g_array_unref (collectives->list);
  g_array_unref (collectives->members);
  g_free (collectives);
}

static int
compare_locations (gconstpointer a,
                   gconstpointer b)
{
  const KymoCollectiveMember *x = a, *y = b;

  return x->location < y->location ? -1 : x->location > y->location;
}

/**
 * kymo_collectives_add:
 * @members: at least one; their order does not matter
 * @activity: the function
 * @kind: who waits for whom
 * @root: index of the root's location, or -1
 *
 * Bytes are not recorded until who made it sets them.
 *
 * Returns: (transfer none): the collective, good until the next one is added
 */
KymoCollective *
kymo_collectives_add (KymoCollectives            *collectives,
                      const KymoCollectiveMember *members,
                      guint                       n_members,
                      guint32                     activity,
                      KymoCollectiveKind          kind,
                      gint32                      root)
{
  KymoCollective made = { .activity = activity, .kind = kind, .root = root,
                          .first = collectives->members->len, .n_members = n_members,
                          .span = { G_MAXINT64, G_MININT64 },
                          .sent_bytes = -1, .received_bytes = -1 };
  KymoCollectiveMember *own;

  g_array_append_vals (collectives->members, members, n_members);
  own = &g_array_index (collectives->members, KymoCollectiveMember, made.first);
  qsort (own, n_members, sizeof *own, compare_locations);
  for (guint i = 0; i < n_members; i++)
    {
      made.span.begin_ns = MIN (made.span.begin_ns, own[i].begin_ns);
      made.span.end_ns = MAX (made.span.end_ns, own[i].end_ns);
      if (own[i].begin_ns > own[made.last].begin_ns)
        made.last = i;
    }
  g_array_append_val (collectives->list, made);
  return &g_array_index (collectives->list, KymoCollective, collectives->list->len - 1);
}

static gint64
last_begin (const KymoCollective  *collective,
            const KymoCollectives *collectives)
{
  return g_array_index (collectives->members, KymoCollectiveMember,
                        collective->first + collective->last).begin_ns;
}

static int
compare_last_begins (gconstpointer a,
                     gconstpointer b,
                     gpointer      data)
{
  const KymoCollective *x = a, *y = b;
  gint64 i = last_begin (x, data), j = last_begin (y, data);

  if (i != j)
    return i < j ? -1 : 1;
  return x->first < y->first ? -1 : x->first > y->first;
}

/**
 * kymo_collectives_sort:
 *
 * To be called once all are added.
 */
void
kymo_collectives_sort (KymoCollectives *collectives)
{
  g_array_sort_with_data (collectives->list, compare_last_begins, collectives);
}

/**
 * kymo_run_peek_collectives:
 *
 * Returns: (transfer none) (nullable): the collective operations of the run
 */
const KymoCollectives *
kymo_run_peek_collectives (const KymoRun *run)
{
  return run->collectives;
}
