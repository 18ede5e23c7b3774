/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The definitions of all processes as one set, on rank 0. Things that are the same in several
 * processes get one number: strings and regions by what they are, communicators by the pair that
 * identifies them, windows and shared I/O handles by their place in the order in which their
 * communicator made them, for making them is collective.
 *
 * Processes are added one after the other (kymo_archive_merge_add()); after
 * kymo_archive_merge_finish() numbers are final and each process can have its table.
 */
#pragma once

#include "kymo-archive-lines.h"
#include "kymo-archive-table.h"

/* Numbers of regular groups follow those of all ranks, of single ranks and of all threads, as far
   as there are any. */
#define KYMO_ARCHIVE_GROUP_ALL 0
#define KYMO_ARCHIVE_GROUP_SELF 1

/* Interfaces of I/O; their numbers are those of raw files. */
#define KYMO_ARCHIVE_N_PARADIGMS 4
extern const char *const kymo_archive_paradigms[];

/** KymoArchiveWorldPart: ranks of one MPI_COMM_WORLD among all ranks of the archive */
typedef struct
{
  uint32_t first, size;
} KymoArchiveWorldPart;

/**
 * KymoArchiveLocationGroup: a process
 * @rank: among all ranks of the archive, -1 = none
 * @location: its first, or %KYMO_ARCHIVE_NONE
 */
typedef struct
{
  uint32_t name, node;
  int64_t  rank;
  uint32_t location;
  uint64_t pid, parent_pid;
} KymoArchiveLocationGroup;

/** KymoArchiveLocation: @n as in the name of its file */
typedef struct
{
  uint32_t name, group, tid, n;
  bool     is_metric;
  uint64_t n_events;
} KymoArchiveLocation;

/** KymoArchiveComm: @group and @other are numbers of regular groups, or %KYMO_ARCHIVE_NONE */
typedef struct
{
  uint32_t name, group, other;
  bool     is_self, is_world, is_team;
} KymoArchiveComm;

typedef struct
{
  uint32_t name, comm;
} KymoArchiveWin;

/**
 * KymoArchiveFilePath:
 * @node: %KYMO_ARCHIVE_NONE where several nodes use the path
 * @n_changed: how often the process that saw most changes found it other than before
 * @inode: as that process found it last
 * @is_written: whether a process of the run may have changed it
 */
typedef struct
{
  uint32_t name, node;
  uint64_t n_changed, inode;
  bool     is_written;
} KymoArchiveFilePath;

typedef struct
{
  uint32_t name, file, paradigm, comm;
  bool     is_open;             /* before the program began */
} KymoArchiveHandle;

/** KymoArchiveMetricMember: a key of its pool */
typedef struct
{
  uint32_t name, unit, type, mode;
} KymoArchiveMetricMember;

/** KymoArchiveRegion: a key of its pool */
typedef struct
{
  uint32_t name, file, line, role, paradigm;
} KymoArchiveRegion;

/** KymoArchiveNode: a key of its pool: of the system tree */
typedef struct
{
  uint32_t parent, class_name, name;
} KymoArchiveNode;

/**
 * KymoArchiveMetric: samples of a class on one location
 * @node: that they are about
 * @pid: of the process of that node that they are about, 0 = of none
 */
typedef struct
{
  uint32_t metric_class, location, node;
  uint64_t pid;
} KymoArchiveMetric;

/** KymoArchiveProperty: strings, of a location group */
typedef struct
{
  uint32_t group, name, value;
} KymoArchiveProperty;

/**
 * KymoArchiveMerge: {0} is empty
 * @groups: a pool of groups: their kind, then members
 * @classes: a pool of metric classes: OTF2_MetricOccurrence, then numbers of members
 * @metrics: (element-type KymoArchiveMetric): their numbers follow those of classes
 * @tables: (element-type KymoArchiveTable): by order of adding
 * @begin_ns, @end_ns: of all records, on the clock of rank 0
 * @real_ns, @real_at_ns: clock of day, and the moment when it was that
 * @n_bytes: of all records
 * @empty, @tid, @mpi, @pthreads, @cuts: strings that are always there, like those of interfaces of
 *   I/O
 */
typedef struct
{
  KymoArchivePool  strings, nodes, regions, groups, comms, wins, files, handles, members,
                   classes, worlds, ranks;
  KymoArchiveBytes parts;               /* KymoArchiveWorldPart */
  KymoArchiveBytes location_groups;     /* KymoArchiveLocationGroup */
  KymoArchiveBytes locations;           /* KymoArchiveLocation */
  KymoArchiveBytes comm_list;           /* KymoArchiveComm, by number */
  KymoArchiveBytes win_list;            /* KymoArchiveWin, by number */
  KymoArchiveBytes file_list;           /* KymoArchiveFilePath, by number */
  KymoArchiveBytes handle_list;         /* KymoArchiveHandle, by number */
  KymoArchiveBytes written;             /* uint64_t: inodes that processes of the run change */
  KymoArchiveBytes threads;             /* uint64_t: locations of processes with several threads */
  KymoArchiveBytes metrics;
  KymoArchiveBytes properties;          /* KymoArchiveProperty */
  KymoArchiveBytes tables;
  KymoArchiveBytes missing;             /* uint32_t: locations of ranks that are not there */
  uint32_t         n_ranks;
  uint32_t         empty, tid, mpi, pthreads, cuts[2], paradigms[KYMO_ARCHIVE_N_PARADIGMS];
  uint64_t         begin_ns, end_ns, real_ns, real_at_ns;
  uint64_t         n_bytes;
  bool             has_real, has_mpi;
  bool             failed;
} KymoArchiveMerge;

/**
 * KymoArchiveAdding: a process that is being added
 * @seen: how often something was made on something, for what has no name of its own
 * @classes: (element-type uint32_t): by local class the string of its scope plus one
 */
typedef struct
{
  KymoArchiveMerge *merge;
  KymoArchiveTable *table;
  uint32_t          index;
  uint32_t          group, node;
  uint32_t          world;      /* KYMO_ARCHIVE_NONE = none */
  int64_t           rank;
  KymoArchivePool   seen;
  KymoArchiveBytes  counts;     /* uint32_t, by number in @seen */
  KymoArchiveBytes  scopes;
} KymoArchiveAdding;

uint32_t kymo_archive_merge_add      (KymoArchiveMerge      *merge,
                                      const void            *summary,
                                      size_t                 n_bytes);
void     kymo_archive_merge_add_missing (KymoArchiveMerge   *merge);
bool     kymo_archive_merge_finish   (KymoArchiveMerge      *merge);
uint64_t kymo_archive_merge_get_chunk_bytes (const KymoArchiveMerge *merge);
void     kymo_archive_merge_clear    (KymoArchiveMerge      *merge);
uint32_t kymo_archive_merge_string   (KymoArchiveMerge      *merge,
                                      const char            *text);
uint32_t kymo_archive_merge_node     (KymoArchiveMerge      *merge,
                                      uint32_t               parent,
                                      const char            *class_name,
                                      const char            *name);
uint32_t kymo_archive_adding_find    (const KymoArchiveAdding *adding,
                                      const char            *n,
                                      bool                   is_metric);
uint32_t kymo_archive_adding_count   (KymoArchiveAdding     *adding,
                                      uint32_t               kind,
                                      uint32_t               a,
                                      uint32_t               b);
/* kymo-archive-merge-comms.c */
void     kymo_archive_adding_world   (KymoArchiveAdding     *adding,
                                      const KymoArchiveLine *line);
void     kymo_archive_adding_comm    (KymoArchiveAdding     *adding,
                                      const KymoArchiveLine *line);
void     kymo_archive_adding_comm_name (KymoArchiveAdding   *adding,
                                      const KymoArchiveLine *line);
void     kymo_archive_adding_win     (KymoArchiveAdding     *adding,
                                      const KymoArchiveLine *line);
void     kymo_archive_adding_team    (KymoArchiveAdding     *adding);
/* kymo-archive-merge-files.c */
void     kymo_archive_adding_file    (KymoArchiveAdding     *adding,
                                      const KymoArchiveLine *line);
void     kymo_archive_adding_written (KymoArchiveAdding     *adding,
                                      const KymoArchiveLine *line);
void     kymo_archive_adding_changed (KymoArchiveAdding     *adding,
                                      const KymoArchiveLine *line);
void     kymo_archive_merge_changes  (KymoArchiveMerge      *merge);
void     kymo_archive_adding_handle  (KymoArchiveAdding     *adding,
                                      const KymoArchiveLine *line);
void     kymo_archive_adding_open    (KymoArchiveAdding     *adding,
                                      const KymoArchiveLine *line);
void     kymo_archive_adding_class   (KymoArchiveAdding     *adding,
                                      const KymoArchiveLine *line);
void     kymo_archive_adding_metric  (KymoArchiveAdding     *adding,
                                      const KymoArchiveLine *line);

static inline uint32_t
kymo_archive_merge_first_group (const KymoArchiveMerge *merge)
{
  return (merge->has_mpi ? KYMO_ARCHIVE_GROUP_SELF + 1 : 0) + (merge->threads.n > 0 ? 1 : 0);
}
