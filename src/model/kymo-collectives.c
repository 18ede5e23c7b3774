/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-collectives.h"

#include <stdlib.h>

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

/* When it began and ended, and who came last. */
static void
measure (const KymoCollectives *collectives,
         KymoCollective        *collective)
{
  const KymoCollectiveMember *own = kymo_collective_member (collectives, collective, 0);

  collective->span = (KymoSpan) { G_MAXINT64, G_MININT64 };
  collective->last = 0;
  for (guint i = 0; i < collective->n_members; i++)
    {
      collective->span.begin_ns = MIN (collective->span.begin_ns, own[i].begin_ns);
      collective->span.end_ns = MAX (collective->span.end_ns, own[i].end_ns);
      if (own[i].begin_ns > own[collective->last].begin_ns)
        collective->last = i;
    }
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
                          .sent_bytes = -1, .received_bytes = -1 };

  g_array_append_vals (collectives->members, members, n_members);
  qsort (&g_array_index (collectives->members, KymoCollectiveMember, made.first), n_members,
         sizeof *members, compare_locations);
  measure (collectives, &made);
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
 * kymo_collectives_shift:
 * @offsets_ns: (array): by location, to be added to its times
 *
 * Clocks were corrected: who came last, and in which order collectives stand, may be
 * another one after.
 */
void
kymo_collectives_shift (KymoCollectives *collectives,
                        const gint64    *offsets_ns)
{
  for (guint i = 0; i < collectives->members->len; i++)
    {
      KymoCollectiveMember *member = &g_array_index (collectives->members, KymoCollectiveMember,
                                                     i);

      member->begin_ns += offsets_ns[member->location];
      member->end_ns += offsets_ns[member->location];
    }
  for (guint i = 0; i < collectives->list->len; i++)
    measure (collectives, &g_array_index (collectives->list, KymoCollective, i));
  kymo_collectives_sort (collectives);
}

/**
 * kymo_collective_kind_to_string:
 *
 * Returns: a word for it: "barrier" or the like
 */
const char *
kymo_collective_kind_to_string (KymoCollectiveKind kind)
{
  static const char *const words[] =
    { "barrier", "one-to-all", "all-to-one", "all-to-all", "prefix", "other" };

  return words[kind];
}

/* Until the late one came, but no longer than the call takes. */
static gint64
wait_for (const KymoCollectiveMember *member,
          const KymoCollectiveMember *late)
{
  return MAX (MIN (late->begin_ns, member->end_ns) - member->begin_ns, 0);
}

/* The one that came last; the root is left out for itself. */
static const KymoCollectiveMember *
last_but (const KymoCollectiveMember *members,
          guint                       n,
          gint                        root)
{
  const KymoCollectiveMember *last = NULL;

  for (guint i = 0; i < n; i++)
    if ((gint) i != root && (last == NULL || members[i].begin_ns > last->begin_ns))
      last = &members[i];
  return last;
}

static gint
find_root (const KymoCollectiveMember *members,
           const KymoCollective       *collective)
{
  for (guint i = 0; collective->root >= 0 && i < collective->n_members; i++)
    if (members[i].location == (guint32) collective->root)
      return i;
  return -1;
}

static void
wait_by_root (const KymoCollectiveMember *members,
              const KymoCollective       *collective,
              gint64                     *waits_ns)
{
  gint root = find_root (members, collective);
  const KymoCollectiveMember *last = last_but (members, collective->n_members, root);

  if (root < 0)
    return;
  if (collective->kind == KYMO_COLLECTIVE_ONE_TO_ALL)
    for (guint i = 0; i < collective->n_members; i++)
      waits_ns[i] = wait_for (&members[i], &members[root]);
  else if (last != NULL)
    waits_ns[root] = wait_for (&members[root], last);
}

/**
 * kymo_collective_get_waits:
 * @waits_ns: (out) (array): of each member, how long it waited for another one: in
 *   barriers and where all need the data of all for the last one, for a root that
 *   sends, a root that receives for the last of the others, and in prefix operations
 *   for the last one of lower rank
 *
 * The patterns are those of Scalasca ("Wait at Barrier", "Wait at N x N", "Late
 * Broadcast", "Early Reduce", "Early Scan"; Geimer et al., The Scalasca Performance
 * Toolset Architecture, 2010). Where the root is not known nobody waits.
 */
void
kymo_collective_get_waits (const KymoCollectives *collectives,
                           const KymoCollective  *collective,
                           gint64                *waits_ns)
{
  const KymoCollectiveMember *members = kymo_collective_member (collectives, collective, 0);
  const KymoCollectiveMember *late = &members[collective->last];

  for (guint i = 0; i < collective->n_members; i++)
    waits_ns[i] = 0;
  switch ((KymoCollectiveKind) collective->kind)
    {
    case KYMO_COLLECTIVE_BARRIER:
    case KYMO_COLLECTIVE_ALL_TO_ALL:
      for (guint i = 0; i < collective->n_members; i++)
        waits_ns[i] = wait_for (&members[i], late);
      break;
    case KYMO_COLLECTIVE_ONE_TO_ALL:
    case KYMO_COLLECTIVE_ALL_TO_ONE:
      wait_by_root (members, collective, waits_ns);
      break;
    case KYMO_COLLECTIVE_PREFIX:
      late = members;
      for (guint i = 0; i < collective->n_members; i++)
        {
          late = members[i].begin_ns > late->begin_ns ? &members[i] : late;
          waits_ns[i] = wait_for (&members[i], late);
        }
      break;
    case KYMO_COLLECTIVE_OTHER:
      break;
    }
}
