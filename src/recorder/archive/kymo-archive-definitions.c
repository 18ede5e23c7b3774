/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The global definitions of the archive, which rank 0 writes.
 */
#include "kymo-archive-out.h"

#include <stdlib.h>
#include <string.h>

#define NS_PER_S UINT64_C (1000000000)

/** Definitions: what the functions below write with */
typedef struct
{
  KymoArchiveOut          *out;
  const KymoArchiveMerge  *merge;
  const KymoArchiveResult *all;
  OTF2_GlobalDefWriter    *writer;
} Definitions;

#define NOTE(defs, call) kymo_archive_out_note ((defs)->out, call)
#define AT(defs, list, type) KYMO_ARCHIVE_AT (&(defs)->merge->list, type)
#define COUNT(defs, list, type) KYMO_ARCHIVE_COUNT (&(defs)->merge->list, type)

/* A key that is a struct. */
#define GET(pool, i, to) \
  do { size_t n_; memcpy (&(to), kymo_archive_pool_get (pool, i, &n_), sizeof (to)); } while (0)

static void
write_clock (Definitions *defs)
{
  const KymoArchiveMerge *merge = defs->merge;
  uint64_t real = OTF2_UNDEFINED_TIMESTAMP;

  if (merge->has_real && merge->begin_ns + merge->real_ns >= merge->real_at_ns)
    real = merge->begin_ns + merge->real_ns - merge->real_at_ns;
  NOTE (defs, OTF2_GlobalDefWriter_WriteClockProperties (
    defs->writer, NS_PER_S, merge->begin_ns, merge->end_ns - merge->begin_ns + 1, real));
}

static void
write_strings (Definitions *defs)
{
  size_t n_bytes;

  for (uint32_t i = 0; i < defs->merge->strings.n; i++)
    NOTE (defs, OTF2_GlobalDefWriter_WriteString (
      defs->writer, i, kymo_archive_pool_get (&defs->merge->strings, i, &n_bytes)));
}

/* -- the system tree ----------------------------------------------------------------- */

static void
write_nodes (Definitions *defs)
{
  for (uint32_t i = 0; i < defs->merge->nodes.n; i++)
    {
      KymoArchiveNode node;

      GET (&defs->merge->nodes, i, node);
      NOTE (defs, OTF2_GlobalDefWriter_WriteSystemTreeNode (
        defs->writer, i, node.name, node.class_name, node.parent));
      if (node.parent == KYMO_ARCHIVE_NONE)
        NOTE (defs, OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain (
          defs->writer, i, OTF2_SYSTEM_TREE_DOMAIN_MACHINE));
    }
}

/* A process of a node, if it was recorded. */
static uint32_t
find_process (Definitions *defs,
              uint32_t     node,
              uint64_t     pid)
{
  const KymoArchiveLocationGroup *all = AT (defs, location_groups, KymoArchiveLocationGroup);

  if (pid > 0)
    for (size_t i = 0; i < COUNT (defs, location_groups, KymoArchiveLocationGroup); i++)
      if (all[i].node == node && all[i].pid == pid)
        return (uint32_t) i;
  return OTF2_UNDEFINED_LOCATION_GROUP;
}

static void
write_locations (Definitions *defs)
{
  const KymoArchiveLocationGroup *groups = AT (defs, location_groups, KymoArchiveLocationGroup);
  const KymoArchiveLocation *locations = AT (defs, locations, KymoArchiveLocation);
  const KymoArchiveProperty *properties = AT (defs, properties, KymoArchiveProperty);
  const uint64_t *n_events = KYMO_ARCHIVE_AT (&defs->all->n_events, uint64_t);
  size_t n_known = KYMO_ARCHIVE_COUNT (&defs->all->n_events, uint64_t);

  for (size_t i = 0; i < COUNT (defs, location_groups, KymoArchiveLocationGroup); i++)
    NOTE (defs, OTF2_GlobalDefWriter_WriteLocationGroup (
      defs->writer, (uint32_t) i, groups[i].name, OTF2_LOCATION_GROUP_TYPE_PROCESS,
      groups[i].node, find_process (defs, groups[i].node, groups[i].parent_pid)));
  for (size_t i = 0; i < COUNT (defs, locations, KymoArchiveLocation); i++)
    /* Those of missing ranks come last, with two events. */
    NOTE (defs, OTF2_GlobalDefWriter_WriteLocation (
      defs->writer, i, locations[i].name, locations[i].is_metric ? OTF2_LOCATION_TYPE_METRIC
      : OTF2_LOCATION_TYPE_CPU_THREAD, i < n_known ? n_events[i]
      : kymo_archive_out_keeps (defs->out, i) ? 2 : 0, locations[i].group));
  for (size_t i = 0; i < COUNT (defs, locations, KymoArchiveLocation); i++)
    if (locations[i].tid > 0)
      NOTE (defs, OTF2_GlobalDefWriter_WriteLocationProperty (
        defs->writer, i, defs->merge->tid, OTF2_TYPE_UINT64,
        (OTF2_AttributeValue) { .uint64 = locations[i].tid }));
  for (size_t i = 0; i < COUNT (defs, properties, KymoArchiveProperty); i++)
    NOTE (defs, OTF2_GlobalDefWriter_WriteLocationGroupProperty (
      defs->writer, properties[i].group, properties[i].name, OTF2_TYPE_STRING,
      (OTF2_AttributeValue) { .stringRef = properties[i].value }));
}

static void
write_regions (Definitions *defs)
{
  for (uint32_t i = 0; i < defs->merge->regions.n; i++)
    {
      KymoArchiveRegion region;

      GET (&defs->merge->regions, i, region);
      NOTE (defs, OTF2_GlobalDefWriter_WriteRegion (
        defs->writer, i, region.name, region.name, defs->merge->empty,
        (OTF2_RegionRole) region.role, (OTF2_Paradigm) region.paradigm, OTF2_REGION_FLAG_NONE,
        region.file, region.line, region.line));
    }
}

/* -- communicators ------------------------------------------------------------------- */

/* Which location speaks for each rank. Ranks that have none share one of those that were made
   for missing ones. */
static void
write_all_ranks (Definitions *defs)
{
  const KymoArchiveLocationGroup *groups = AT (defs, location_groups, KymoArchiveLocationGroup);
  size_t n = COUNT (defs, location_groups, KymoArchiveLocationGroup);
  uint64_t *members = calloc (defs->merge->n_ranks, sizeof *members);
  uint64_t other = n > 0 && groups[n - 1].location != KYMO_ARCHIVE_NONE ? groups[n - 1].location
    : 0;

  if (!NOTE (defs, members == NULL ? OTF2_ERROR_MEM_ALLOC_FAILED : OTF2_SUCCESS))
    return;
  for (uint32_t i = 0; i < defs->merge->n_ranks; i++)
    members[i] = other;
  for (size_t i = 0; i < n; i++)
    if (groups[i].rank >= 0 && groups[i].location != KYMO_ARCHIVE_NONE)
      members[groups[i].rank] = groups[i].location;
  NOTE (defs, OTF2_GlobalDefWriter_WriteGroup (
    defs->writer, KYMO_ARCHIVE_GROUP_ALL, defs->merge->empty, OTF2_GROUP_TYPE_COMM_LOCATIONS,
    OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, defs->merge->n_ranks, members));
  NOTE (defs, OTF2_GlobalDefWriter_WriteGroup (
    defs->writer, KYMO_ARCHIVE_GROUP_SELF, defs->merge->empty, OTF2_GROUP_TYPE_COMM_SELF,
    OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 0, NULL));
  free (members);
}

/* Which locations groups of threads consist of. */
static void
write_all_threads (Definitions *defs,
                   uint32_t     number)
{
  uint32_t n = (uint32_t) COUNT (defs, threads, uint64_t);

  if (n > 0)
    NOTE (defs, OTF2_GlobalDefWriter_WriteGroup (
      defs->writer, number, defs->merge->empty, OTF2_GROUP_TYPE_COMM_LOCATIONS,
      OTF2_PARADIGM_PTHREAD, OTF2_GROUP_FLAG_NONE, n, AT (defs, threads, uint64_t)));
}

/* Their keys begin with their kind: 1 are groups of threads. */
static void
write_groups (Definitions *defs,
              uint32_t     first)
{
  for (uint32_t i = 0; i < defs->merge->groups.n; i++)
    {
      size_t n_bytes;
      const void *key = kymo_archive_pool_get (&defs->merge->groups, i, &n_bytes);
      uint64_t *members = malloc (n_bytes);

      if (!NOTE (defs, members == NULL ? OTF2_ERROR_MEM_ALLOC_FAILED : OTF2_SUCCESS))
        return;
      memcpy (members, key, n_bytes);
      NOTE (defs, OTF2_GlobalDefWriter_WriteGroup (
        defs->writer, first + i, defs->merge->empty, OTF2_GROUP_TYPE_COMM_GROUP,
        members[0] != 0 ? OTF2_PARADIGM_PTHREAD : OTF2_PARADIGM_MPI,
        OTF2_GROUP_FLAG_NONE, (uint32_t) (n_bytes / sizeof *members - 1), members + 1));
      free (members);
    }
}

static void
write_comms (Definitions *defs)
{
  const KymoArchiveComm *comms = AT (defs, comm_list, KymoArchiveComm);
  const KymoArchiveWin *wins = AT (defs, win_list, KymoArchiveWin);
  uint32_t first = kymo_archive_merge_first_group (defs->merge);

  if (defs->merge->has_mpi)
    write_all_ranks (defs);
  write_all_threads (defs, first - 1);
  write_groups (defs, first);
  for (uint32_t i = 0; i < COUNT (defs, comm_list, KymoArchiveComm); i++)
    {
      uint32_t name = comms[i].name != KYMO_ARCHIVE_NONE ? comms[i].name : defs->merge->empty;
      uint32_t group = comms[i].is_self ? KYMO_ARCHIVE_GROUP_SELF : comms[i].group + first;
      OTF2_CommFlag flags = comms[i].is_self || comms[i].is_world || comms[i].is_team
        ? OTF2_COMM_FLAG_NONE : OTF2_COMM_FLAG_CREATE_DESTROY_EVENTS;

      if (comms[i].other == KYMO_ARCHIVE_NONE)
        NOTE (defs, OTF2_GlobalDefWriter_WriteComm (defs->writer, i, name, group,
                                                    OTF2_UNDEFINED_COMM, flags));
      else
        NOTE (defs, OTF2_GlobalDefWriter_WriteInterComm (
          defs->writer, i, name, group, comms[i].other + first, OTF2_UNDEFINED_COMM, flags));
    }
  for (uint32_t i = 0; i < COUNT (defs, win_list, KymoArchiveWin); i++)
    NOTE (defs, OTF2_GlobalDefWriter_WriteRmaWin (defs->writer, i, wins[i].name, wins[i].comm,
                                                  OTF2_RMA_WIN_FLAG_CREATE_DESTROY_EVENTS));
}

/* -- files and metrics --------------------------------------------------------------- */

static void
write_files (Definitions *defs)
{
  const KymoArchiveFilePath *files = AT (defs, file_list, KymoArchiveFilePath);
  const KymoArchiveHandle *handles = AT (defs, handle_list, KymoArchiveHandle);
  size_t n_handles = COUNT (defs, handle_list, KymoArchiveHandle);
  size_t n_files = COUNT (defs, file_list, KymoArchiveFilePath);

  for (uint32_t i = 0; i < KYMO_ARCHIVE_N_PARADIGMS && n_handles + n_files > 0; i++)
    NOTE (defs, OTF2_GlobalDefWriter_WriteIoParadigm (
      defs->writer, i, defs->merge->paradigms[i], defs->merge->paradigms[i],
      strcmp (kymo_archive_paradigms[i], "MPI-IO") == 0 ? OTF2_IO_PARADIGM_CLASS_PARALLEL
      : OTF2_IO_PARADIGM_CLASS_SERIAL, OTF2_IO_PARADIGM_FLAG_NONE, 0, NULL, NULL, NULL));
  for (uint32_t i = 0; i < n_files; i++)
    NOTE (defs, OTF2_GlobalDefWriter_WriteIoRegularFile (
      defs->writer, i, files[i].name,
      files[i].node != KYMO_ARCHIVE_NONE ? files[i].node : 0));
  for (uint32_t i = 0; i < n_handles; i++)
    {
      NOTE (defs, OTF2_GlobalDefWriter_WriteIoHandle (
        defs->writer, i, handles[i].name, handles[i].file, handles[i].paradigm,
        handles[i].is_open ? OTF2_IO_HANDLE_FLAG_PRE_CREATED : OTF2_IO_HANDLE_FLAG_NONE,
        handles[i].comm, OTF2_UNDEFINED_IO_HANDLE));
      if (handles[i].is_open)
        NOTE (defs, OTF2_GlobalDefWriter_WriteIoPreCreatedHandleState (
          defs->writer, i, OTF2_IO_ACCESS_MODE_READ_WRITE, OTF2_IO_STATUS_FLAG_NONE));
    }
}

static void
write_members (Definitions *defs)
{
  for (uint32_t i = 0; i < defs->merge->members.n; i++)
    {
      KymoArchiveMetricMember member;

      GET (&defs->merge->members, i, member);
      NOTE (defs, OTF2_GlobalDefWriter_WriteMetricMember (
        defs->writer, i, member.name, defs->merge->empty, OTF2_METRIC_TYPE_OTHER,
        (OTF2_MetricMode) member.mode, (OTF2_Type) member.type, OTF2_BASE_DECIMAL, 0,
        member.unit));
    }
}

static void
write_metrics (Definitions *defs)
{
  const KymoArchiveMetric *metrics = AT (defs, metrics, KymoArchiveMetric);

  write_members (defs);
  for (uint32_t i = 0; i < defs->merge->classes.n; i++)
    {
      size_t n_bytes;
      const void *key = kymo_archive_pool_get (&defs->merge->classes, i, &n_bytes);
      uint32_t members[256];

      memcpy (members, key, n_bytes);
      NOTE (defs, OTF2_GlobalDefWriter_WriteMetricClass (
        defs->writer, i, (uint8_t) (n_bytes / sizeof *members - 1), members + 1,
        (OTF2_MetricOccurrence) members[0],
        members[0] == OTF2_METRIC_SYNCHRONOUS_STRICT ? OTF2_RECORDER_KIND_CPU
        : OTF2_RECORDER_KIND_ABSTRACT));
    }
  for (uint32_t i = 0; i < COUNT (defs, metrics, KymoArchiveMetric); i++)
    {
      uint32_t process = find_process (defs, metrics[i].node, metrics[i].pid);
      bool is_known = process != OTF2_UNDEFINED_LOCATION_GROUP;

      NOTE (defs, OTF2_GlobalDefWriter_WriteMetricInstance (
        defs->writer, defs->merge->classes.n + i, metrics[i].metric_class, metrics[i].location,
        is_known ? OTF2_SCOPE_LOCATION_GROUP : OTF2_SCOPE_SYSTEM_TREE_NODE,
        is_known ? process : metrics[i].node));
    }
}

/* Of calls that began before the record, or end after it. */
static void
write_parameters (Definitions *defs)
{
  _Static_assert (KYMO_ARCHIVE_N_PARAMETERS == 2, "one string each");

  for (uint32_t i = 0; i < KYMO_ARCHIVE_N_PARAMETERS && defs->all->n_cut > 0; i++)
    NOTE (defs, OTF2_GlobalDefWriter_WriteParameter (defs->writer, i, defs->merge->cuts[i],
                                                     OTF2_PARAMETER_TYPE_UINT64));
}

/* -- markers ------------------------------------------------------------------------- */

static int
compare_markers (const void *a,
                 const void *b)
{
  const KymoArchiveMarker *x = a, *y = b;

  return x->ns < y->ns ? -1 : x->ns > y->ns;
}

static void
write_markers (Definitions *defs)
{
  KymoArchiveMarker *markers = KYMO_ARCHIVE_AT (&defs->all->markers, KymoArchiveMarker);
  size_t n = KYMO_ARCHIVE_COUNT (&defs->all->markers, KymoArchiveMarker);
  OTF2_MarkerWriter *writer = n > 0 ? OTF2_Archive_GetMarkerWriter (defs->out->archive) : NULL;

  if (writer == NULL)
    return;
  qsort (markers, n, sizeof *markers, compare_markers);
  NOTE (defs, OTF2_MarkerWriter_WriteDefMarker (writer, 0, "program", "marker",
                                                OTF2_SEVERITY_LOW));
  for (size_t i = 0; i < n; i++)
    {
      KymoArchiveRegion region;
      size_t n_bytes;

      GET (&defs->merge->regions, markers[i].region, region);
      NOTE (defs, OTF2_MarkerWriter_WriteMarker (
        writer, markers[i].ns, 0, 0, OTF2_MARKER_SCOPE_LOCATION, markers[i].location,
        kymo_archive_pool_get (&defs->merge->strings, region.name, &n_bytes)));
    }
  NOTE (defs, OTF2_Archive_CloseMarkerWriter (defs->out->archive, writer));
}

/**
 * kymo_archive_out_write_definitions:
 * @merge: the definitions, finished
 * @all: results of all processes, in the order of their locations
 *
 * Writes the global definitions and the markers, on rank 0.
 */
void
kymo_archive_out_write_definitions (KymoArchiveOut          *out,
                                    const KymoArchiveMerge  *merge,
                                    const KymoArchiveResult *all)
{
  Definitions defs = { out, merge, all, OTF2_Archive_GetGlobalDefWriter (out->archive) };

  if (!NOTE (&defs, defs.writer == NULL ? OTF2_ERROR_MEM_ALLOC_FAILED : OTF2_SUCCESS))
    return;
  write_clock (&defs);
  write_strings (&defs);
  if (merge->has_mpi)
    NOTE (&defs, OTF2_GlobalDefWriter_WriteParadigm (defs.writer, OTF2_PARADIGM_MPI, merge->mpi,
                                                     OTF2_PARADIGM_CLASS_PROCESS));
  if (merge->threads.n > 0)
    NOTE (&defs, OTF2_GlobalDefWriter_WriteParadigm (defs.writer, OTF2_PARADIGM_PTHREAD,
                                                     merge->pthreads,
                                                     OTF2_PARADIGM_CLASS_THREAD_CREATE_WAIT));
  write_nodes (&defs);
  write_locations (&defs);
  write_regions (&defs);
  write_comms (&defs);
  write_files (&defs);
  write_metrics (&defs);
  write_parameters (&defs);
  NOTE (&defs, OTF2_Archive_CloseGlobalDefWriter (out->archive, defs.writer));
  write_markers (&defs);
}
