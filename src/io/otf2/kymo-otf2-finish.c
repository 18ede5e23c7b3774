/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the definitions of an OTF2 archive mean for the rows of a run: which location is which
 * thread of which rank, and which locations are the members of a communicator. A rank is a place
 * in the list of locations that take part in MPI (or another paradigm of processes); processes that
 * are in no list come after these.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "kymo-order.h"
#include "kymo-otf2-defs.h"

#define AT(array, type, i) (&g_array_index ((array), type, (i)))

static gboolean
is_of_processes (OTF2_Paradigm paradigm)
{
  return paradigm == OTF2_PARADIGM_MPI || paradigm == OTF2_PARADIGM_SHMEM
    || paradigm == OTF2_PARADIGM_GASPI || paradigm == OTF2_PARADIGM_UPC;
}

/* By paradigm the locations that take part in it: what ranks are numbers of. */
static void
find_comm_locations (const KymoOtf2Defs  *defs,
                     const KymoOtf2Group *lists[G_MAXUINT8 + 1])
{
  for (guint i = 0; i < defs->groups->len; i++)
    {
      const KymoOtf2Group *group = AT (defs->groups, KymoOtf2Group, i);

      if (group->type == OTF2_GROUP_TYPE_COMM_LOCATIONS && lists[group->paradigm] == NULL)
        lists[group->paradigm] = group;
    }
}

static guint
location_of_member (const KymoOtf2Defs  *defs,
                    const KymoOtf2Group *group,
                    const KymoOtf2Group *all,
                    guint64              member)
{
  if (group->type == OTF2_GROUP_TYPE_COMM_GROUP
      && !(group->flags & OTF2_GROUP_FLAG_GLOBAL_MEMBERS))
    {
      if (all == NULL || member >= all->n_members)
        return KYMO_OTF2_NONE;
      member = all->members[member];
    }
  return kymo_otf2_ids_find (&defs->location_ids, member);
}

static void
resolve_group (KymoOtf2Defs        *defs,
               KymoOtf2Group       *group,
               const KymoOtf2Group *all)
{
  if (group->type != OTF2_GROUP_TYPE_COMM_LOCATIONS && group->type != OTF2_GROUP_TYPE_COMM_GROUP
      && group->type != OTF2_GROUP_TYPE_LOCATIONS)
    return;
  group->locations = g_new (guint, MAX (group->n_members, 1));
  for (guint i = 0; i < group->n_members; i++)
    group->locations[i] = location_of_member (defs, group, all, group->members[i]);
}

static const KymoOtf2Group *
group_of (KymoOtf2Defs *defs,
          guint64       id)
{
  guint32 index = kymo_otf2_ids_find (&defs->group_ids, id);

  return index != KYMO_OTF2_NONE ? AT (defs->groups, KymoOtf2Group, index) : NULL;
}

/* For kymo_otf2_comm_location(), which asks with every message. */
static void
sort_members (KymoOtf2Defs *defs,
              guint64       id)
{
  guint32 index = kymo_otf2_ids_find (&defs->group_ids, id);
  KymoOtf2Group *group = index != KYMO_OTF2_NONE
    ? AT (defs->groups, KymoOtf2Group, index) : NULL;

  if (group == NULL || group->locations == NULL || group->sorted != NULL)
    return;
  group->sorted = g_memdup2 (group->locations, group->n_members * sizeof (guint));
  if (group->n_members > 0)
    qsort (group->sorted, group->n_members, sizeof (guint), kymo_compare_uints);
}

static void
resolve_comms (KymoOtf2Defs *defs)
{
  const KymoOtf2Group *lists[G_MAXUINT8 + 1] = { NULL };

  find_comm_locations (defs, lists);
  for (guint i = 0; i < defs->groups->len; i++)
    {
      KymoOtf2Group *group = AT (defs->groups, KymoOtf2Group, i);

      resolve_group (defs, group, lists[group->paradigm]);
    }
  for (guint i = 0; i < defs->comms->len; i++)
    {
      KymoOtf2Comm *comm = AT (defs->comms, KymoOtf2Comm, i);

      comm->group = group_of (defs, comm->group_id);
      comm->other = group_of (defs, comm->other_id);
      if (comm->other != NULL)
        sort_members (defs, comm->group_id);
    }
  for (guint i = 0; i < defs->wins->len; i++)
    {
      KymoOtf2Win *win = AT (defs->wins, KymoOtf2Win, i);

      win->comm = kymo_otf2_ids_find (&defs->comm_ids, win->comm_id);
    }
}

/* Regions that a group names are of that group, each of the first. */
static void
resolve_region_groups (KymoOtf2Defs *defs)
{
  for (guint i = 0; i < defs->groups->len; i++)
    {
      const KymoOtf2Group *group = AT (defs->groups, KymoOtf2Group, i);

      for (guint j = 0; group->type == OTF2_GROUP_TYPE_REGIONS && j < group->n_members; j++)
        {
          guint32 index = kymo_otf2_ids_find (&defs->region_ids, group->members[j]);
          KymoOtf2Region *region = index != KYMO_OTF2_NONE
            ? AT (defs->regions, KymoOtf2Region, index) : NULL;

          if (region != NULL && region->group_name == KYMO_OTF2_NONE)
            region->group_name = group->name;
        }
    }
}

/* Ranks as the list of locations gives them, one a location group; where it has
   several of one it numbers something else. */
static gint64
rank_by_list (KymoOtf2Defs *defs)
{
  for (guint i = 0; i < defs->groups->len; i++)
    {
      const KymoOtf2Group *list = AT (defs->groups, KymoOtf2Group, i);

      if (list->type != OTF2_GROUP_TYPE_COMM_LOCATIONS || !is_of_processes (list->paradigm))
        continue;
      for (guint j = 0; j < list->n_members; j++)
        {
          guint at = list->locations[j];
          guint group = at != KYMO_OTF2_NONE
            ? AT (defs->locations, KymoOtf2Location, at)->group : KYMO_OTF2_NONE;
          KymoOtf2LocationGroup *process = group != KYMO_OTF2_NONE
            ? AT (defs->location_groups, KymoOtf2LocationGroup, group) : NULL;

          if (process != NULL && process->rank < 0)
            process->rank = j;
        }
      return list->n_members;
    }
  return 0;
}

static void
rank_groups (KymoOtf2Defs *defs)
{
  gint64 next;

  for (guint i = 0; i < defs->locations->len; i++)
    {
      KymoOtf2Location *location = AT (defs->locations, KymoOtf2Location, i);

      location->group = kymo_otf2_ids_find (&defs->location_group_ids, location->group_id);
    }
  next = rank_by_list (defs);
  for (guint i = 0; i < defs->location_groups->len; i++)
    {
      KymoOtf2LocationGroup *group = AT (defs->location_groups, KymoOtf2LocationGroup, i);

      if (group->rank < 0 && group->type != OTF2_LOCATION_GROUP_TYPE_ACCELERATOR)
        group->rank = next++;
    }
  /* An accelerator is of the process that made it. */
  for (guint i = 0; i < defs->location_groups->len; i++)
    {
      KymoOtf2LocationGroup *group = AT (defs->location_groups, KymoOtf2LocationGroup, i);
      guint32 creator = kymo_otf2_ids_find (&defs->location_group_ids, group->creator);

      if (group->rank < 0 && creator != KYMO_OTF2_NONE)
        group->rank = AT (defs->location_groups, KymoOtf2LocationGroup, creator)->rank;
      if (group->rank < 0)
        group->rank = next++;
    }
  for (guint i = 0; i < defs->locations->len; i++)
    {
      KymoOtf2Location *location = AT (defs->locations, KymoOtf2Location, i);

      location->rank = location->group != KYMO_OTF2_NONE
        ? AT (defs->location_groups, KymoOtf2LocationGroup, location->group)->rank : next++;
    }
}

static int
compare_rows (gconstpointer a,
              gconstpointer b,
              gpointer      data)
{
  guint i = *(const guint *) a, j = *(const guint *) b;
  const KymoOtf2Location *x = AT ((GArray *) data, KymoOtf2Location, i);
  const KymoOtf2Location *y = AT ((GArray *) data, KymoOtf2Location, j);

  KYMO_ORDER_BY (x->rank, y->rank);
  KYMO_ORDER_BY (x->type, y->type);
  KYMO_ORDER_BY (i, j);
  return 0;
}

/* By rank, then threads before streams of accelerators, then as defined. Locations
   that hold nothing but metrics have no row; their type is the last. */
static void
number_rows (KymoOtf2Defs *defs)
{
  g_autofree guint *order = g_new (guint, MAX (defs->locations->len, 1));
  gint64 rank = -1;
  KymoOtf2Location *last = NULL;        /* the first row of the rank, or its last sampler */
  guint thread = 0;

  for (guint i = 0; i < defs->locations->len; i++)
    order[i] = i;
  g_qsort_with_data (order, defs->locations->len, sizeof *order, compare_rows, defs->locations);
  for (guint i = 0; i < defs->locations->len; i++)
    {
      KymoOtf2Location *location = AT (defs->locations, KymoOtf2Location, order[i]);

      if (location->type == OTF2_LOCATION_TYPE_METRIC)
        {
          if (last != NULL && last->rank == location->rank)
            {
              last->sampler = order[i];
              last = location;
            }
          continue;
        }
      if (location->rank != rank)
        last = location;
      thread = location->rank == rank ? thread + 1 : 0;
      rank = location->rank;
      location->thread = thread;
      location->row = defs->n_rows++;
      if (location->group != KYMO_OTF2_NONE)
        AT (defs->location_groups, KymoOtf2LocationGroup, location->group)->n_threads++;
    }
}

/**
 * kymo_otf2_defs_finish:
 *
 * To be called once, when all definitions are there.
 */
void
kymo_otf2_defs_finish (KymoOtf2Defs *defs)
{
  resolve_comms (defs);
  resolve_region_groups (defs);
  rank_groups (defs);
  number_rows (defs);
}

/**
 * kymo_otf2_comm_location:
 * @comm: (nullable): a communicator
 * @from: index of the location that speaks
 * @rank: whom it speaks to
 *
 * Of an intercommunicator the partner is in the other group.
 *
 * Returns: index of the location, or -1
 */
gint
kymo_otf2_comm_location (const KymoOtf2Comm *comm,
                         guint               from,
                         guint64             rank)
{
  const KymoOtf2Group *group = comm != NULL ? comm->group : NULL;

  if (group == NULL)
    return -1;
  if (group->type == OTF2_GROUP_TYPE_COMM_SELF)
    return from;
  if (comm->other != NULL && group->sorted != NULL && group->n_members > 0
      && bsearch (&from, group->sorted, group->n_members, sizeof (guint), kymo_compare_uints)
         != NULL)
    group = comm->other;
  if (group->locations == NULL || rank >= group->n_members
      || group->locations[rank] == KYMO_OTF2_NONE)
    return -1;
  return group->locations[rank];
}
