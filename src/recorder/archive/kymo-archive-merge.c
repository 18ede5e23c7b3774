/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kymo-archive-merge.h"

#include <stdio.h>
#include <string.h>

/* Files of locations that are made for ranks that are missing; beyond that they share the last. */
#define MOST_MISSING 4096
/* Longer texts are cut: one must fit into a chunk of definitions. */
#define MOST_STRING_BYTES 32768
#define NO_RANK -1

const char *const kymo_archive_paradigms[] = { "POSIX", "ISOC", "MPI-IO", "libnfs" };

/**
 * kymo_archive_merge_string:
 * @text: a text
 *
 * Returns: its number among the strings of the archive
 */
uint32_t
kymo_archive_merge_string (KymoArchiveMerge *merge,
                           const char       *text)
{
  size_t n = strlen (text);
  char cut[MOST_STRING_BYTES];

  if (n < MOST_STRING_BYTES)
    return kymo_archive_pool_add (&merge->strings, text, n + 1);
  memcpy (cut, text, MOST_STRING_BYTES - 1);
  cut[MOST_STRING_BYTES - 1] = '\0';
  return kymo_archive_pool_add (&merge->strings, cut, sizeof cut);
}

/**
 * kymo_archive_merge_node:
 * @parent: a node, or %KYMO_ARCHIVE_NONE
 * @class_name: what it is
 * @name: which one it is
 *
 * Returns: its number in the system tree
 */
uint32_t
kymo_archive_merge_node (KymoArchiveMerge *merge,
                         uint32_t          parent,
                         const char       *class_name,
                         const char       *name)
{
  KymoArchiveNode node = { parent, kymo_archive_merge_string (merge, class_name),
                           kymo_archive_merge_string (merge, name) };

  return kymo_archive_pool_add (&merge->nodes, &node, sizeof node);
}

/**
 * kymo_archive_adding_count:
 * @kind: #KymoArchiveKind of what is counted
 * @a, @b: on what it was made
 *
 * Returns: how many of the kind the process made there before
 */
uint32_t
kymo_archive_adding_count (KymoArchiveAdding *adding,
                           uint32_t           kind,
                           uint32_t           a,
                           uint32_t           b)
{
  uint32_t key[] = { kind, a, b };
  uint32_t number = kymo_archive_pool_add (&adding->seen, key, sizeof key);
  size_t n = KYMO_ARCHIVE_COUNT (&adding->counts, uint32_t);

  if (number == KYMO_ARCHIVE_NONE
      || (number >= n && kymo_archive_bytes_grow (&adding->counts, sizeof (uint32_t)) == NULL))
    {
      adding->merge->failed = true;
      return 0;
    }
  return KYMO_ARCHIVE_AT (&adding->counts, uint32_t)[number]++;
}

static KymoArchiveLocationGroup *
group_of (KymoArchiveAdding *adding)
{
  return &KYMO_ARCHIVE_AT (&adding->merge->location_groups,
                           KymoArchiveLocationGroup)[adding->group];
}

/* -- the lines of a process ---------------------------------------------------------- */

static void
add_process (KymoArchiveAdding     *adding,
             const KymoArchiveLine *line)
{
  KymoArchiveMerge *merge = adding->merge;
  uint32_t root = kymo_archive_merge_node (merge, KYMO_ARCHIVE_NONE, "machine", "machine");
  const char *slash = strrchr (line->field[4], '/');
  char name[256];

  adding->node = kymo_archive_merge_node (merge, root, "node", line->field[1]);
  group_of (adding)->node = adding->node;
  kymo_archive_get_number (line->field[2], UINT32_MAX, &group_of (adding)->pid);
  snprintf (name, sizeof name, "%.200s (process %.20s)",
            slash != NULL ? slash + 1 : line->field[4], line->field[2]);
  group_of (adding)->name = kymo_archive_merge_string (merge, name);
  adding->table->program = kymo_archive_merge_string (merge, line->field[4]);
}

static void
add_parent (KymoArchiveAdding     *adding,
            const KymoArchiveLine *line)
{
  kymo_archive_get_number (line->field[1], UINT32_MAX, &group_of (adding)->parent_pid);
}

static void
add_region (KymoArchiveAdding     *adding,
            const KymoArchiveLine *line)
{
  KymoArchiveMerge *merge = adding->merge;
  KymoArchiveRegion region = { 0 };
  uint64_t id, role = 0, paradigm = 0, line_number = 0;

  if (!kymo_archive_get_number (line->field[1], UINT32_MAX, &id))
    return;
  kymo_archive_get_number (line->field[2], UINT8_MAX, &role);
  kymo_archive_get_number (line->field[3], UINT8_MAX, &paradigm);
  if (line->n > 6)
    kymo_archive_get_number (line->field[6], UINT32_MAX, &line_number);
  region.name = kymo_archive_merge_string (merge, line->field[4]);
  region.file = line->n > 5 && *line->field[5] != '\0'
    ? kymo_archive_merge_string (merge, line->field[5]) : KYMO_ARCHIVE_NONE;
  region.line = (uint32_t) line_number;
  region.role = (uint32_t) role;
  region.paradigm = (uint32_t) paradigm;
  kymo_archive_table_set (adding->table, KYMO_ARCHIVE_REGIONS, id,
                          kymo_archive_pool_add (&merge->regions, &region, sizeof region));
}

static void
add_property (KymoArchiveAdding     *adding,
              const KymoArchiveLine *line)
{
  KymoArchiveProperty property = { adding->group,
    kymo_archive_merge_string (adding->merge, line->field[1]),
    kymo_archive_merge_string (adding->merge, line->field[2]) };

  kymo_archive_bytes_add (&adding->merge->properties, &property, sizeof property);
}

static void
add_watched (KymoArchiveAdding     *adding,
             const KymoArchiveLine *line)
{
  KymoArchiveProperty property = { adding->group,
    kymo_archive_merge_string (adding->merge, "Process.files-watched"),
    kymo_archive_merge_string (adding->merge, line->field[1]) };

  kymo_archive_bytes_add (&adding->merge->properties, &property, sizeof property);
}

static void
add_location (KymoArchiveAdding     *adding,
              const KymoArchiveLine *line)
{
  KymoArchiveMerge *merge = adding->merge;
  bool is_metric = strcmp (line->field[1], "system") == 0;
  KymoArchiveLocation location = { .group = adding->group, .is_metric = is_metric };
  uint64_t tid = 0, n = 0;
  char name[64];

  kymo_archive_get_number (line->field[2], UINT32_MAX, &n);
  kymo_archive_get_number (line->field[3], UINT32_MAX, &tid);
  snprintf (name, sizeof name, is_metric ? "samples %.20s"
            : strcmp (line->field[2], "0") == 0 ? "main thread" : "thread %.20s", line->field[2]);
  location.name = kymo_archive_merge_string (merge, name);
  location.tid = (uint32_t) tid;
  location.n = (uint32_t) n;
  if (group_of (adding)->location == KYMO_ARCHIVE_NONE)
    group_of (adding)->location = (uint32_t) KYMO_ARCHIVE_COUNT (&merge->locations,
                                                                 KymoArchiveLocation);
  kymo_archive_bytes_add (&merge->locations, &location, sizeof location);
}

/**
 * kymo_archive_adding_find:
 * @n: as in the name of an event file
 * @is_metric: whether it is one of samples
 *
 * Returns: its location, or %KYMO_ARCHIVE_NONE
 */
uint32_t
kymo_archive_adding_find (const KymoArchiveAdding *adding,
                          const char              *n,
                          bool                     is_metric)
{
  const KymoArchiveBytes *list = &adding->merge->locations;
  const KymoArchiveLocation *locations = KYMO_ARCHIVE_AT (list, KymoArchiveLocation);
  uint64_t number;

  if (!kymo_archive_get_number (n, UINT32_MAX, &number))
    return KYMO_ARCHIVE_NONE;
  for (size_t i = adding->table->first_location;
       i < KYMO_ARCHIVE_COUNT (list, KymoArchiveLocation); i++)
    if (locations[i].is_metric == is_metric && locations[i].n == number)
      return (uint32_t) i;
  return KYMO_ARCHIVE_NONE;
}

static void
name_location (KymoArchiveAdding *adding,
               uint32_t           location,
               const char        *name)
{
  if (location != KYMO_ARCHIVE_NONE && *name != '\0')
    KYMO_ARCHIVE_AT (&adding->merge->locations, KymoArchiveLocation)[location].name =
      kymo_archive_merge_string (adding->merge, name);
}

static void
name_thread (KymoArchiveAdding     *adding,
             const KymoArchiveLine *line)
{
  name_location (adding, kymo_archive_adding_find (adding, line->field[1], false), line->field[3]);
}

static void
name_samples (KymoArchiveAdding     *adding,
              const KymoArchiveLine *line)
{
  name_location (adding, kymo_archive_adding_find (adding, line->field[1], true), line->field[2]);
}

static void
add_span (KymoArchiveAdding     *adding,
          const KymoArchiveLine *line)
{
  KymoArchiveMerge *merge = adding->merge;
  uint64_t begin, end;

  if (!kymo_archive_get_number (line->field[1], UINT64_MAX, &begin)
      || !kymo_archive_get_number (line->field[2], UINT64_MAX, &end))
    return;
  merge->begin_ns = begin < merge->begin_ns ? begin : merge->begin_ns;
  merge->end_ns = end > merge->end_ns ? end : merge->end_ns;
}

static void
add_real (KymoArchiveAdding     *adding,
          const KymoArchiveLine *line)
{
  KymoArchiveMerge *merge = adding->merge;

  if (!merge->has_real)
    merge->has_real = kymo_archive_get_number (line->field[1], INT64_MAX, &merge->real_ns)
      && kymo_archive_get_number (line->field[2], INT64_MAX, &merge->real_at_ns);
}

static void
add_bytes (KymoArchiveAdding     *adding,
           const KymoArchiveLine *line)
{
  uint64_t n;

  if (kymo_archive_get_number (line->field[1], INT64_MAX, &n))
    adding->merge->n_bytes += n;
}

typedef struct
{
  const char *kind;
  unsigned    n_fields;
  void      (*take) (KymoArchiveAdding     *adding,
                     const KymoArchiveLine *line);
} Handler;

/* What others refer to comes before them: the lines are gone through once for each list. */
static const Handler identity[] = {
  { "process", 5, add_process },
  { "parent", 2, add_parent },
  { "world", 4, kymo_archive_adding_world },
  { "=span", 3, add_span },
  { "=real", 3, add_real },
  { "=bytes", 2, add_bytes },
  { "=file", 4, add_location },
  { "property", 3, add_property },
  { "watched", 2, add_watched },
}, things[] = {
  { "region", 5, add_region },
  { "comm", 7, kymo_archive_adding_comm },
  { "file", 3, kymo_archive_adding_file },
  { "class", 4, kymo_archive_adding_class },
  { "thread", 4, name_thread },
  { "system", 3, name_samples },
}, users[] = {
  { "commname", 3, kymo_archive_adding_comm_name },
  { "win", 4, kymo_archive_adding_win },
  { "written", 3, kymo_archive_adding_written },
  { "changed", 4, kymo_archive_adding_changed },
  { "handle", 6, kymo_archive_adding_handle },
  { "=open", 2, kymo_archive_adding_open },
  { "=metric", 3, kymo_archive_adding_metric },
};

static void
take_lines (KymoArchiveAdding *adding,
            const void        *summary,
            size_t             n_bytes,
            const Handler     *handlers,
            unsigned           n_handlers)
{
  KymoArchiveBytes copy = { 0 };
  KymoArchiveText text;
  KymoArchiveLine line;

  kymo_archive_bytes_add (&copy, summary, n_bytes);
  text = (KymoArchiveText) { (char *) copy.at, (char *) copy.at + copy.n };
  while (!copy.failed && kymo_archive_next_line (&text, &line))
    for (unsigned i = 0; i < n_handlers; i++)
      if (kymo_archive_is_line (&line, handlers[i].kind, handlers[i].n_fields))
        handlers[i].take (adding, &line);
  adding->merge->failed = adding->merge->failed || copy.failed;
  kymo_archive_bytes_clear (&copy);
}

#define TAKE(adding, summary, n, list) \
  take_lines (adding, summary, n, list, sizeof (list) / sizeof *(list))

/**
 * kymo_archive_merge_add:
 * @summary: of a process, see kymo-archive-process.h
 * @n_bytes: how long it is; 0 = nothing is known of the process
 *
 * Adds the definitions of a process.
 *
 * Returns: its place among the tables, whether it has definitions or not
 */
uint32_t
kymo_archive_merge_add (KymoArchiveMerge *merge,
                        const void       *summary,
                        size_t            n_bytes)
{
  uint32_t index = (uint32_t) KYMO_ARCHIVE_COUNT (&merge->tables, KymoArchiveTable);
  KymoArchiveAdding adding = { merge, .index = index, .rank = NO_RANK,
    .group = (uint32_t) KYMO_ARCHIVE_COUNT (&merge->location_groups, KymoArchiveLocationGroup),
    .world = KYMO_ARCHIVE_NONE };
  KymoArchiveLocationGroup group = { .rank = NO_RANK, .location = KYMO_ARCHIVE_NONE };

  if (index == 0)
    merge->begin_ns = UINT64_MAX;
  adding.table = kymo_archive_bytes_grow (&merge->tables, sizeof *adding.table);
  if (n_bytes > 0)
    kymo_archive_bytes_add (&merge->location_groups, &group, sizeof group);
  if (adding.table == NULL || merge->location_groups.failed)
    {
      merge->failed = true;
      return index;
    }
  adding.table->team = KYMO_ARCHIVE_NONE;
  adding.table->first_location = KYMO_ARCHIVE_COUNT (&merge->locations, KymoArchiveLocation);
  if (n_bytes > 0)
    {
      TAKE (&adding, summary, n_bytes, identity);
      TAKE (&adding, summary, n_bytes, things);
      TAKE (&adding, summary, n_bytes, users);
      kymo_archive_adding_team (&adding);
    }
  merge->failed = merge->failed || adding.seen.failed || adding.counts.failed
    || adding.scopes.failed;
  kymo_archive_pool_clear (&adding.seen);
  kymo_archive_bytes_clear (&adding.counts);
  kymo_archive_bytes_clear (&adding.scopes);
  return index;
}

/* Whether a rank of the archive has a process, for all ranks. */
static bool *
ranks_there (KymoArchiveMerge *merge,
             KymoArchiveBytes *there)
{
  const KymoArchiveLocationGroup *groups = KYMO_ARCHIVE_AT (&merge->location_groups,
                                                            KymoArchiveLocationGroup);

  kymo_archive_bytes_grow (there, merge->n_ranks * sizeof (bool));
  for (size_t i = 0; !there->failed
       && i < KYMO_ARCHIVE_COUNT (&merge->location_groups, KymoArchiveLocationGroup); i++)
    if (groups[i].rank >= 0 && groups[i].location != KYMO_ARCHIVE_NONE)
      KYMO_ARCHIVE_AT (there, bool)[groups[i].rank] = true;
  return there->failed ? NULL : KYMO_ARCHIVE_AT (there, bool);
}

/**
 * kymo_archive_merge_add_missing:
 *
 * Adds an empty location for each rank that no process was added for, so that communicators keep
 * their members.
 */
void
kymo_archive_merge_add_missing (KymoArchiveMerge *merge)
{
  KymoArchiveBytes list = { 0 };
  bool *there = merge->n_ranks > 0 ? ranks_there (merge, &list) : NULL;

  merge->failed = merge->failed || list.failed;
  for (uint32_t rank = 0; there != NULL && rank < merge->n_ranks; rank++)
    if (!there[rank] && KYMO_ARCHIVE_COUNT (&merge->missing, uint32_t) < MOST_MISSING)
      {
        uint32_t location = (uint32_t) KYMO_ARCHIVE_COUNT (&merge->locations, KymoArchiveLocation);
        uint32_t group = (uint32_t) KYMO_ARCHIVE_COUNT (&merge->location_groups,
                                                        KymoArchiveLocationGroup);
        KymoArchiveLocationGroup absent = { .rank = rank, .location = location };
        KymoArchiveLocation empty = { .group = group };
        char name[64];

        snprintf (name, sizeof name, "MPI Rank %u (not recorded)", rank);
        absent.name = kymo_archive_merge_string (merge, name);
        absent.node = kymo_archive_merge_node (merge, KYMO_ARCHIVE_NONE, "machine", "machine");
        empty.name = kymo_archive_merge_string (merge, "main thread");
        kymo_archive_bytes_add (&merge->location_groups, &absent, sizeof absent);
        kymo_archive_bytes_add (&merge->locations, &empty, sizeof empty);
        kymo_archive_bytes_add (&merge->missing, &location, sizeof location);
      }
  kymo_archive_bytes_clear (&list);
}

/**
 * kymo_archive_merge_get_chunk_bytes:
 *
 * Returns: how large chunks of definitions have to be: a record of a group takes up to 9 bytes for
 *   each member, in one chunk
 */
uint64_t
kymo_archive_merge_get_chunk_bytes (const KymoArchiveMerge *merge)
{
  uint64_t n = KYMO_ARCHIVE_COUNT (&merge->locations, KymoArchiveLocation), bytes = 256u << 10;

  while (bytes < 16u << 20 && bytes < 10 * n + 2 * MOST_STRING_BYTES)
    bytes *= 2;
  return bytes;
}

static bool
is_whole (const KymoArchiveMerge *merge)
{
  const KymoArchivePool *pools[] = { &merge->strings, &merge->nodes, &merge->regions,
    &merge->groups, &merge->comms, &merge->wins, &merge->files, &merge->handles, &merge->members,
    &merge->classes, &merge->worlds, &merge->ranks };
  const KymoArchiveBytes *lists[] = { &merge->parts, &merge->location_groups, &merge->locations,
    &merge->comm_list, &merge->win_list, &merge->file_list, &merge->handle_list, &merge->written,
    &merge->threads, &merge->metrics,
    &merge->properties, &merge->tables, &merge->missing };
  bool failed = merge->failed;

  for (unsigned i = 0; i < sizeof pools / sizeof *pools; i++)
    failed = failed || pools[i]->failed;
  for (unsigned i = 0; i < sizeof lists / sizeof *lists; i++)
    failed = failed || lists[i]->failed;
  return !failed;
}

/**
 * kymo_archive_merge_finish:
 *
 * Makes the numbers final: nothing is added after this.
 *
 * Returns: FALSE if there was not enough memory
 */
bool
kymo_archive_merge_finish (KymoArchiveMerge *merge)
{
  KymoArchiveTable *tables = KYMO_ARCHIVE_AT (&merge->tables, KymoArchiveTable);
  uint32_t first_group = kymo_archive_merge_first_group (merge);

  merge->empty = kymo_archive_merge_string (merge, "");
  merge->tid = kymo_archive_merge_string (merge, "TID");
  merge->mpi = kymo_archive_merge_string (merge, "MPI");
  merge->pthreads = kymo_archive_merge_string (merge, "POSIX threads");
  merge->cuts[0] = kymo_archive_merge_string (merge, "begin not recorded");
  merge->cuts[1] = kymo_archive_merge_string (merge, "end not recorded");
  for (unsigned i = 0; i < KYMO_ARCHIVE_N_PARADIGMS; i++)
    merge->paradigms[i] = kymo_archive_merge_string (merge, kymo_archive_paradigms[i]);
  kymo_archive_merge_changes (merge);
  if (merge->begin_ns > merge->end_ns)
    merge->begin_ns = merge->end_ns;
  if (!is_whole (merge))
    return false;
  for (size_t i = 0; i < KYMO_ARCHIVE_COUNT (&merge->tables, KymoArchiveTable); i++)
    {
      KymoArchiveInstance *instances = KYMO_ARCHIVE_AT (&tables[i].instances, KymoArchiveInstance);
      uint32_t *groups = KYMO_ARCHIVE_AT (&tables[i].ids[KYMO_ARCHIVE_GROUPS], uint32_t);

      for (size_t k = 0; k < KYMO_ARCHIVE_COUNT (&tables[i].instances, KymoArchiveInstance); k++)
        instances[k].metric += merge->classes.n;
      for (size_t k = 0; k < KYMO_ARCHIVE_COUNT (&tables[i].ids[KYMO_ARCHIVE_GROUPS], uint32_t);
           k++)
        groups[k] += groups[k] > 0 ? first_group : 0;
      tables[i].definition_bytes = kymo_archive_merge_get_chunk_bytes (merge);
    }
  return true;
}

/** kymo_archive_merge_clear: frees what @merge holds */
void
kymo_archive_merge_clear (KymoArchiveMerge *merge)
{
  KymoArchivePool *pools[] = { &merge->strings, &merge->nodes, &merge->regions,
    &merge->groups, &merge->comms, &merge->wins, &merge->files, &merge->handles, &merge->members,
    &merge->classes, &merge->worlds, &merge->ranks };
  KymoArchiveBytes *lists[] = { &merge->parts, &merge->location_groups, &merge->locations,
    &merge->comm_list, &merge->win_list, &merge->file_list, &merge->handle_list, &merge->written,
    &merge->threads, &merge->metrics,
    &merge->properties, &merge->tables, &merge->missing };

  for (size_t i = 0; i < KYMO_ARCHIVE_COUNT (&merge->tables, KymoArchiveTable); i++)
    kymo_archive_table_clear (&KYMO_ARCHIVE_AT (&merge->tables, KymoArchiveTable)[i]);
  for (unsigned i = 0; i < sizeof pools / sizeof *pools; i++)
    kymo_archive_pool_clear (pools[i]);
  for (unsigned i = 0; i < sizeof lists / sizeof *lists; i++)
    kymo_archive_bytes_clear (lists[i]);
  *merge = (KymoArchiveMerge) { 0 };
}
