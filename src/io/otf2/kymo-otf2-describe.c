/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the definitions of an OTF2 archive give a run: activities of regions, metrics and
 * parameters, and the tree of places. See kymo-otf2-finish.c for the rows of the run.
 */
#include "config.h"

#include <string.h>

#include "kymo-otf2-defs.h"
#include "kymo-otf2-note.h"

/* Nodes of the tree, from the root: more would be a ring. */
#define MAX_TREE_DEPTH 256
/* Hardware counters that are kept, as of logs. */
#define MAX_COUNTERS 64

#define AT(array, type, i) (&g_array_index ((array), type, (i)))

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
  metric->occurrence = its->occurrence;
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
  kymo_otf2_name_series (defs);
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
