/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the definitions of an OTF2 archive mean for a run: which location is which
 * thread of which rank, who the members of communicators are, and the tree that all
 * lie in. A rank is a place in the list of locations that take part in MPI (or what
 * else processes speak); processes that are in none come after these.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "kymo-otf2-defs.h"
#include "kymo-otf2-note.h"

/* Nodes of the tree, from the root: more would be a ring. */
#define MAX_TREE_DEPTH 256
/* Hardware counters that are kept, as of logs. */
#define MAX_COUNTERS 64

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

static int
compare_numbers (gconstpointer a,
                 gconstpointer b)
{
  guint x = *(const guint *) a, y = *(const guint *) b;

  return x < y ? -1 : x > y;
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
    qsort (group->sorted, group->n_members, sizeof (guint), compare_numbers);
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

#define COMPARE(a, b) if ((a) != (b)) return (a) < (b) ? -1 : 1

static int
compare_rows (gconstpointer a,
              gconstpointer b,
              gpointer      data)
{
  guint i = *(const guint *) a, j = *(const guint *) b;
  const KymoOtf2Location *x = AT ((GArray *) data, KymoOtf2Location, i);
  const KymoOtf2Location *y = AT ((GArray *) data, KymoOtf2Location, j);

  COMPARE (x->rank, y->rank);
  COMPARE (x->type, y->type);
  COMPARE (i, j);
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
      && bsearch (&from, group->sorted, group->n_members, sizeof (guint), compare_numbers)
         != NULL)
    group = comm->other;
  if (group->locations == NULL || rank >= group->n_members
      || group->locations[rank] == KYMO_OTF2_NONE)
    return -1;
  return group->locations[rank];
}

/* (transfer full): without the blanks that some tools leave at the end */
static char *
dup_trimmed (KymoOtf2Defs *defs,
             guint64       id)
{
  return g_strchomp (g_strdup (kymo_otf2_defs_use_string (defs, id)));
}

/**
 * kymo_otf2_paradigm_name:
 *
 * Returns: what the group of its functions is called; "" for none
 */
const char *
kymo_otf2_paradigm_name (OTF2_Paradigm paradigm)
{
  static const char *const names[] =
    { "", "User", "Compiler", "OpenMP", "MPI", "CUDA", "Measurement", "Pthread", "HMPP", "OmpSs",
      "Hardware", "GASPI", "UPC", "SHMEM", "Windows threads", "Qt threads", "ACE threads", "TBB",
      "OpenACC", "OpenCL", "MTAPI", "Sampling", "", "HIP", "Kokkos" };

  return paradigm < G_N_ELEMENTS (names) ? names[paradigm] : "";
}

/* Kymo's role for the role of a region, or -1 where the region's tells nothing: code of the program
   itself (functions, loops, parallel regions, tasks) is judged by its name. */
static gint32
role_of (OTF2_RegionRole role)
{
  switch (role)
    {
    case OTF2_REGION_ROLE_BARRIER:
    case OTF2_REGION_ROLE_IMPLICIT_BARRIER:
    case OTF2_REGION_ROLE_CRITICAL:
    case OTF2_REGION_ROLE_ATOMIC:
    case OTF2_REGION_ROLE_ORDERED:
    case OTF2_REGION_ROLE_FLUSH:
      return KYMO_ROLE_SYNCHRONIZATION;
    case OTF2_REGION_ROLE_TASK_WAIT:
    case OTF2_REGION_ROLE_THREAD_WAIT:
      return KYMO_ROLE_WAIT;
    case OTF2_REGION_ROLE_COLL_ONE2ALL:
    case OTF2_REGION_ROLE_COLL_ALL2ONE:
    case OTF2_REGION_ROLE_COLL_ALL2ALL:
    case OTF2_REGION_ROLE_COLL_OTHER:
    case OTF2_REGION_ROLE_POINT2POINT:
    case OTF2_REGION_ROLE_RMA:
    case OTF2_REGION_ROLE_DATA_TRANSFER:
      return KYMO_ROLE_COMMUNICATION;
    case OTF2_REGION_ROLE_FILE_IO:
    case OTF2_REGION_ROLE_FILE_IO_METADATA:
      return KYMO_ROLE_IO;
    case OTF2_REGION_ROLE_ARTIFICIAL:
    case OTF2_REGION_ROLE_THREAD_CREATE:
    case OTF2_REGION_ROLE_TASK_CREATE:
    case OTF2_REGION_ROLE_ALLOCATE:
    case OTF2_REGION_ROLE_DEALLOCATE:
    case OTF2_REGION_ROLE_REALLOCATE:
      return KYMO_ROLE_RUNTIME;
    default:
      return -1;
    }
}

static void
add_regions (KymoOtf2Defs *defs,
             KymoRun      *run)
{
  for (guint i = 0; i < defs->regions->len; i++)
    {
      KymoOtf2Region *region = AT (defs->regions, KymoOtf2Region, i);
      g_autofree char *name = dup_trimmed (defs, region->name);
      g_autofree char *full = dup_trimmed (defs, region->canonical);
      g_autofree char *unnamed = g_strdup_printf ("region %" G_GUINT64_FORMAT, region->id);
      const char *mark = kymo_otf2_defs_string (defs, region->description);
      gint64 id = region->id;
      gboolean is_entry = kymo_otf2_read_mark (mark, KYMO_OTF2_MARK_ENTRY, &id);
      const char *group = region->group_name != KYMO_OTF2_NONE
        ? kymo_otf2_defs_use_string (defs, region->group_name)
        : kymo_otf2_paradigm_name (region->paradigm);

      if (g_str_equal (mark, KYMO_OTF2_MARK_IDLE))
        {
          region->activity = KYMO_OTF2_IDLE;
          continue;
        }
      if (is_entry || kymo_otf2_read_mark (mark, KYMO_OTF2_MARK_FUNCTION, &id))
        {
          g_free (full);
          full = g_strdup (kymo_otf2_defs_use_string (defs, region->canonical));
        }
      region->activity = kymo_run_add_activity (run, is_entry ? KYMO_ACTIVITY_ENTRY
                                                : KYMO_ACTIVITY_FUNCTION, id,
                                                *name != '\0' ? name : unnamed,
                                                *full != '\0' ? full : NULL, group);
      g_array_index (run->activities, KymoActivity, region->activity).told_role
        = role_of (region->role);
      kymo_run_set_source (run, region->activity, kymo_otf2_defs_use_string (defs, region->file),
                           region->line);
    }
}

/* (transfer full): the unit of its values; "#" stands for a mere count. */
static char *
dup_unit (KymoOtf2Defs         *defs,
          const KymoOtf2Member *member)
{
  char *unit = dup_trimmed (defs, member->unit);

  if (strcmp (unit, "#") == 0)
    *unit = '\0';
  return unit;
}

/* Metrics of a class that is read with every begin and end are counters of blocks,
   as far as they only grow. */
static void
take_counters (KymoOtf2Defs         *defs,
               KymoRun              *run,
               const KymoOtf2Metric *metric)
{
  for (guint i = 0; i < metric->n_members; i++)
    {
      guint32 at = kymo_otf2_ids_find (&defs->member_ids, metric->members[i]);
      KymoOtf2Member *member = at != KYMO_OTF2_NONE
        ? AT (defs->members, KymoOtf2Member, at) : NULL;
      g_autofree char *name = NULL;
      g_autofree char *unit = NULL;

      if (member == NULL || member->counter != KYMO_OTF2_NONE
          || member->mode != OTF2_METRIC_ACCUMULATED_START || run->metrics->len == MAX_COUNTERS)
        continue;
      name = dup_trimmed (defs, member->name);
      unit = dup_unit (defs, member);
      member->counter = run->metrics->len;
      /* Whole numbers are multiplied while the values are read. */
      kymo_run_add_metric (run, name, unit, MIN (member->scale, 1));
    }
}

/* A class: its members are its own. */
static void
resolve_class (KymoOtf2Defs   *defs,
               KymoOtf2Metric *metric)
{
  metric->is_counter = metric->occurrence == OTF2_METRIC_SYNCHRONOUS_STRICT;
  metric->n_resolved = metric->n_members;
  metric->resolved = g_new0 (const KymoOtf2Member *, MAX (metric->n_members, 1));
  for (guint i = 0; i < metric->n_members; i++)
    {
      guint32 at = kymo_otf2_ids_find (&defs->member_ids, metric->members[i]);

      metric->resolved[i] = at != KYMO_OTF2_NONE ? AT (defs->members, KymoOtf2Member, at) : NULL;
    }
}

/* An instance has those of its class: there may be a million of one. */
static void
resolve_instance (KymoOtf2Defs   *defs,
                  KymoOtf2Metric *metric)
{
  guint32 index = kymo_otf2_ids_find (&defs->metric_ids, metric->class_id);
  const KymoOtf2Metric *its = index != KYMO_OTF2_NONE
    ? AT (defs->metrics, KymoOtf2Metric, index) : NULL;

  if (its == NULL || its->members == NULL)
    return;
  metric->is_counter = its->is_counter;
  metric->n_resolved = its->n_resolved;
  metric->resolved = its->resolved;
}

static void
add_metrics (KymoOtf2Defs *defs,
             KymoRun      *run)
{
  for (guint i = 0; i < defs->metrics->len; i++)
    if (AT (defs->metrics, KymoOtf2Metric, i)->occurrence == OTF2_METRIC_SYNCHRONOUS_STRICT)
      take_counters (defs, run, AT (defs->metrics, KymoOtf2Metric, i));
  defs->n_counters = run->metrics->len;
  for (guint i = 0; i < defs->members->len; i++)
    {
      KymoOtf2Member *member = AT (defs->members, KymoOtf2Member, i);
      g_autofree char *name = dup_trimmed (defs, member->name);
      KymoActivity *activity;
      gint64 id = member->id;

      kymo_otf2_read_mark (kymo_otf2_defs_string (defs, member->description),
                           KYMO_OTF2_MARK_EVENT, &id);
      member->activity = kymo_run_add_activity (run, KYMO_ACTIVITY_EVENT, id, name, NULL,
                                                kymo_otf2_defs_use_string (defs, member->unit));
      activity = &g_array_index (run->activities, KymoActivity, member->activity);
      g_free (activity->unit);
      activity->unit = dup_unit (defs, member);
    }
  for (guint i = 0; i < defs->metrics->len; i++)
    if (AT (defs->metrics, KymoOtf2Metric, i)->members != NULL)
      resolve_class (defs, AT (defs->metrics, KymoOtf2Metric, i));
  for (guint i = 0; i < defs->metrics->len; i++)
    if (AT (defs->metrics, KymoOtf2Metric, i)->members == NULL)
      resolve_instance (defs, AT (defs->metrics, KymoOtf2Metric, i));
}

static void
add_parameters (KymoOtf2Defs *defs,
                KymoRun      *run)
{
  for (guint i = 0; i < defs->parameters->len; i++)
    {
      KymoOtf2Parameter *parameter = AT (defs->parameters, KymoOtf2Parameter, i);
      g_autofree char *name = dup_trimmed (defs, parameter->name);

      parameter->activity = kymo_run_add_activity (run, KYMO_ACTIVITY_EVENT, parameter->id, name,
                                                   NULL, "Parameter");
    }
}

/* Adds a node and all above it that are not there yet. Returns its index, or -1. */
static gint64
add_node (KymoOtf2Defs *defs,
          KymoRun      *run,
          gint64       *places,
          guint64       id)
{
  guint path[MAX_TREE_DEPTH];
  guint n = 0;
  gint64 parent = -1;

  for (;;)
    {
      guint32 index = kymo_otf2_ids_find (&defs->node_ids, id);

      if (index == KYMO_OTF2_NONE || n == MAX_TREE_DEPTH)
        break;
      if (places[index] >= 0)
        {
          parent = places[index];
          break;
        }
      path[n++] = index;
      id = AT (defs->nodes, KymoOtf2Node, index)->parent;
    }
  while (n-- > 0)
    {
      const KymoOtf2Node *node = AT (defs->nodes, KymoOtf2Node, path[n]);

      if (places[path[n]] < 0)
        places[path[n]] = kymo_run_add_place (
          run, kymo_otf2_defs_use_string (defs, node->class_name),
          kymo_otf2_defs_use_string (defs, node->name), parent);
      parent = places[path[n]];
      AT (defs->nodes, KymoOtf2Node, path[n])->place = parent;
    }
  return parent;
}

static const char *
kind_of_group (const KymoOtf2LocationGroup *group)
{
  return group->type == OTF2_LOCATION_GROUP_TYPE_ACCELERATOR ? "accelerator" : "process";
}

static void
add_places (KymoOtf2Defs *defs,
            KymoOtf2Tree  tree,
            KymoRun      *run)
{
  g_autofree gint64 *places = g_new (gint64, MAX (defs->nodes->len, 1));

  for (guint i = 0; i < defs->nodes->len; i++)
    places[i] = -1;
  for (guint i = 0; i < defs->location_groups->len; i++)
    {
      KymoOtf2LocationGroup *group = AT (defs->location_groups, KymoOtf2LocationGroup, i);

      if (group->n_threads == 0 || tree == KYMO_OTF2_TREE_NONE)
        continue;
      group->place = add_node (defs, run, places, group->node);
      if (tree == KYMO_OTF2_TREE_PROCESSES)
        group->place = kymo_run_add_place (run, kind_of_group (group),
                                           kymo_otf2_defs_use_string (defs, group->name),
                                           group->place);
    }
}

static KymoTerms
terms_of (const KymoOtf2Defs *defs)
{
  KymoTerms terms = { KYMO_ROW_RANK, KYMO_CODE_FUNCTION };

  for (guint i = 0; i < defs->locations->len; i++)
    {
      const KymoOtf2Location *location = AT (defs->locations, KymoOtf2Location, i);

      if (location->row != KYMO_OTF2_NONE && location->thread > 0)
        terms.row = KYMO_ROW_THREAD;
    }
  return terms;
}

/**
 * kymo_otf2_defs_describe:
 * @run: gets activities, places and terms; names are of use only where the definitions
 *   have not become more than they may be
 */
void
kymo_otf2_defs_describe (KymoOtf2Defs *defs,
                         KymoOtf2Tree  tree,
                         KymoRun      *run)
{
  add_regions (defs, run);
  add_metrics (defs, run);
  add_parameters (defs, run);
  add_places (defs, tree, run);
  run->terms = terms_of (defs);
}
