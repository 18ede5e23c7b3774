/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-collectives.h"

#include "kymo-order.h"

#include <stdlib.h>

/**
 * kymo_collectives_new:
 *
 * Returns: (transfer full): an empty list of operations; free with kymo_collectives_free()
 */
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
  g_clear_pointer (&collectives->bytes, g_array_unref);
  g_free (collectives);
}

static gint64 sum_waits (const KymoCollectives *collectives,
                         const KymoCollective  *collective);

/** kymo_collective_settle: its first member, their number, kind and root are set */
void
kymo_collective_settle (const KymoCollectives *collectives,
                        KymoCollective        *collective)
{
  KymoCollectiveMember *own = &g_array_index (collectives->members, KymoCollectiveMember,
                                              collective->first);
  gboolean in_order = TRUE;

  for (guint i = 1; i < collective->n_members && in_order; i++)
    in_order = own[i - 1].location <= own[i].location;
  if (!in_order)
    qsort (own, collective->n_members, sizeof *own, kymo_compare_uints);
  collective->span = (KymoSpan) { G_MAXINT64, G_MININT64 };
  collective->last = 0;
  for (guint i = 0; i < collective->n_members; i++)
    {
      collective->span.begin_ns = MIN (collective->span.begin_ns, own[i].begin_ns);
      collective->span.end_ns = MAX (collective->span.end_ns, own[i].end_ns);
      if (own[i].begin_ns > own[collective->last].begin_ns)
        collective->last = i;
    }
  collective->wait_ns = sum_waits (collectives, collective);
}

/**
 * kymo_collectives_add:
 * @members: at least one; their order does not matter
 * @activity: the function
 * @kind: which members wait for which
 * @root: index of the root's location, or -1
 *
 * Bytes, communicator and operation are not known until the caller sets them.
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
                          .comm = -1, .op = -1, .first = collectives->members->len,
                          .n_members = n_members,
                          .sent_bytes = -1, .received_bytes = -1 };

  g_array_append_vals (collectives->members, members, n_members);
  kymo_collective_settle (collectives, &made);
  g_array_append_val (collectives->list, made);
  return &g_array_index (collectives->list, KymoCollective, collectives->list->len - 1);
}

/**
 * kymo_collectives_find:
 * @time_ns: a time
 *
 * Returns: index of the first collective whose last member began at @time_ns or later; their
 *   number if there is none. They are in that order.
 */
guint
kymo_collectives_find (const KymoCollectives *collectives,
                       gint64                 time_ns)
{
  const KymoCollective *list = (gconstpointer) collectives->list->data;

  return KYMO_FIND_FIRST (i, 0, collectives->list->len,
                          kymo_collective_member (collectives, &list[i], list[i].last)->begin_ns
                          >= time_ns);
}

/**
 * kymo_collective_find_member:
 * @location: index of a location
 *
 * Returns: number of the first member whose location is not below @location; the number of members
 *   if there is none
 */
guint
kymo_collective_find_member (const KymoCollectives *collectives,
                             const KymoCollective  *collective,
                             guint                  location)
{
  return KYMO_FIND_FIRST (i, 0, collective->n_members,
                          kymo_collective_member (collectives, collective, i)->location
                          >= location);
}

static gint64
add_bytes (gint64 sum,
           gint64 bytes)
{
  gint64 together;

  if (sum < 0 || bytes < 0 || __builtin_add_overflow (sum, bytes, &together))
    return -1;
  return together;
}

/**
 * kymo_collectives_set_bytes:
 * @collective: the one that was added last
 * @bytes: (array): of each of its members, which are sorted by location
 *
 * Sets what each member moved, and all of them together.
 */
void
kymo_collectives_set_bytes (KymoCollectives           *collectives,
                            KymoCollective            *collective,
                            const KymoCollectiveBytes *bytes)
{
  static const KymoCollectiveBytes none = { -1, -1 };
  gboolean any = collectives->bytes != NULL;

  collective->sent_bytes = collective->received_bytes = 0;
  for (guint i = 0; i < collective->n_members; i++)
    {
      any |= bytes[i].sent >= 0 || bytes[i].received >= 0;
      collective->sent_bytes = add_bytes (collective->sent_bytes, bytes[i].sent);
      collective->received_bytes = add_bytes (collective->received_bytes, bytes[i].received);
    }
  if (!any)
    return;
  if (collectives->bytes == NULL)
    collectives->bytes = g_array_new (FALSE, FALSE, sizeof (KymoCollectiveBytes));
  while (collectives->bytes->len < collective->first)
    g_array_append_val (collectives->bytes, none);
  g_array_append_vals (collectives->bytes, bytes, collective->n_members);
}

static gint64
last_begin (const KymoCollective  *collective,
            const KymoCollectives *collectives)
{
  return g_array_index (collectives->members, KymoCollectiveMember,
                        collective->first + collective->last).begin_ns;
}

/**
 * kymo_collective_compare:
 * @a: a #KymoCollective
 * @b: another one
 * @data: the #KymoCollectives that both are of
 *
 * Compares two operations by the time when their last member came, for
 * g_array_sort_with_data(); of equal times by their place in the list of members.
 *
 * Returns: less than 0, 0 or more than 0
 */
gint
kymo_collective_compare (gconstpointer a,
                         gconstpointer b,
                         gpointer      data)
{
  const KymoCollective *x = a, *y = b;
  gint64 i = last_begin (x, data), j = last_begin (y, data);

  KYMO_ORDER_BY (i, j);
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
  g_array_sort_with_data (collectives->list, kymo_collective_compare, collectives);
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
    kymo_collective_settle (collectives, &g_array_index (collectives->list, KymoCollective, i));
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

/* -- which members wait ----------------------------------------------------- */

/* The one that came last, the first of equals; the root is left out for itself. */
static guint
find_last_but (const KymoCollectiveMember *members,
               guint                       n,
               guint                       root)
{
  guint last = root;

  for (guint i = 0; i < n; i++)
    if (i != root && (last == root || members[i].begin_ns > members[last].begin_ns))
      last = i;
  return last;
}

/* Its place among the members, or their number. */
static guint
find_root (const KymoCollectiveMember *members,
           const KymoCollective       *collective)
{
  guint i = collective->root < 0 ? collective->n_members : 0;

  while (i < collective->n_members && members[i].location != (guint32) collective->root)
    i++;
  return i;
}

static void
find_late_by_root (const KymoCollectiveMember *members,
                   const KymoCollective       *collective,
                   guint                      *late)
{
  guint n = collective->n_members, root = find_root (members, collective);

  if (root == n)
    return;
  if (collective->kind == KYMO_COLLECTIVE_ALL_TO_ONE)
    late[root] = find_last_but (members, n, root);
  else
    for (guint i = 0; i < n; i++)
      late[i] = root;
}

/**
 * kymo_collective_find_late:
 * @late: (out) (array): for each member whom it waits for, another member, or itself
 *   where it does not wait: in barriers and where all need the data of all the last
 *   one, the root where it sends, at a root that receives the last of the others, and
 *   in prefix operations the last of those of lower location
 *
 * Where the root is not known no member waits. Ranks of a communicator that was made with
 * keys need not be in the order of locations; that order stands for it.
 */
void
kymo_collective_find_late (const KymoCollectives *collectives,
                           const KymoCollective  *collective,
                           guint                 *late)
{
  const KymoCollectiveMember *members = kymo_collective_member (collectives, collective, 0);
  guint last = 0;

  for (guint i = 0; i < collective->n_members; i++)
    late[i] = i;
  switch ((KymoCollectiveKind) collective->kind)
    {
    case KYMO_COLLECTIVE_BARRIER:
    case KYMO_COLLECTIVE_ALL_TO_ALL:
      for (guint i = 0; i < collective->n_members; i++)
        late[i] = collective->last;
      break;
    case KYMO_COLLECTIVE_ONE_TO_ALL:
    case KYMO_COLLECTIVE_ALL_TO_ONE:
      find_late_by_root (members, collective, late);
      break;
    case KYMO_COLLECTIVE_PREFIX:
      for (guint i = 0; i < collective->n_members; i++)
        {
          last = members[i].begin_ns > members[last].begin_ns ? i : last;
          late[i] = last;
        }
      break;
    case KYMO_COLLECTIVE_OTHER:
      break;
    }
}

static gint64
sum_waits (const KymoCollectives *collectives,
           const KymoCollective  *collective)
{
  const KymoCollectiveMember *members = kymo_collective_member (collectives, collective, 0);
  g_autofree guint *late = g_new (guint, collective->n_members);
  gint64 sum_ns = 0;

  kymo_collective_find_late (collectives, collective, late);
  for (guint i = 0; i < collective->n_members; i++)
    sum_ns = kymo_saturating_add (sum_ns, kymo_collective_wait (&members[i], &members[late[i]]));
  return sum_ns;
}
