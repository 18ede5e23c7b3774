/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The global definitions of an OTF2 archive: what its events refer to by number.
 *
 * Made on one thread while the definitions are read (kymo_otf2_defs_register()), then
 * kymo_otf2_defs_finish() resolves what refers to what; immutable after. A reference
 * that names nothing is no error: a look-up of it gives NULL or -1.
 */
#pragma once

#include <otf2/otf2.h>

#include "kymo-part-note.h"
#include "kymo-run.h"

G_BEGIN_DECLS

/** KYMO_OTF2_NONE: the number names nothing */
#define KYMO_OTF2_NONE G_MAXUINT32

/** KYMO_OTF2_IDLE: in the place of an activity: what is entered is idle time */
#define KYMO_OTF2_IDLE (G_MAXUINT32 - 1)

/**
 * KymoOtf2Tree: how the rows of a run lie in the tree of the archive
 * @KYMO_OTF2_TREE_PROCESSES: in their processes, and these in nodes
 * @KYMO_OTF2_TREE_NODES: in the nodes of their processes
 * @KYMO_OTF2_TREE_NONE: the run has none
 */
typedef enum
{
  KYMO_OTF2_TREE_PROCESSES,
  KYMO_OTF2_TREE_NODES,
  KYMO_OTF2_TREE_NONE,
} KymoOtf2Tree;

/**
 * KymoOtf2Ids:
 *
 * Numbers of one kind of definition -> index in its array: an array where they are
 * dense, as they mostly are, and a hash for the others.
 */
typedef struct
{
  GArray     *dense;            /* guint32, KYMO_OTF2_NONE = not defined */
  GHashTable *sparse;           /* gint64 * -> index + 1 */
} KymoOtf2Ids;

typedef struct
{
  guint64 id;
  guint32 name, class_name;     /* strings */
  guint64 parent;
  gint64  place;                /* index in the run, -1 = none */
} KymoOtf2Node;

/** KymoOtf2LocationGroup: mostly a process */
typedef struct
{
  guint64 id;
  guint32 name;
  guint64 node, creator;
  OTF2_LocationGroupType type;
  gint64  rank;                 /* -1 = not a process */
  guint   n_threads;            /* locations with a row of their own */
  gint64  place;
} KymoOtf2LocationGroup;

/**
 * KymoOtf2Location:
 * @group: index of its location group, or %KYMO_OTF2_NONE
 * @rank: of its process, -1 = none
 * @row: index in the run, or %KYMO_OTF2_NONE where it is none
 * @sampler: of the first row of a process, and of each that samples for it: the next
 *   location without a row of that process, or %KYMO_OTF2_NONE
 * @is_moved: it samples for the first row of another process, as its own is not there
 * @noted: (nullable): what it was in the original of an archive that Kymo wrote
 */
typedef struct
{
  guint64 id;
  guint32 name;
  guint64 group_id;
  guint   group;
  guint64 n_events;
  OTF2_LocationType type;
  gint64  rank;
  guint   thread;               /* of its process */
  guint   row;
  guint   sampler;
  gboolean is_moved;
  const KymoPartLocation *noted;
} KymoOtf2Location;

typedef struct
{
  guint64 id;
  guint32 name, canonical, file, line;
  OTF2_RegionRole role;
  OTF2_Paradigm   paradigm;
  guint32 group_name;           /* string, or KYMO_OTF2_NONE */
  guint32 description;
  guint   activity;             /* or KYMO_OTF2_IDLE */
} KymoOtf2Region;

/**
 * KymoOtf2Group:
 * @locations: of a group of a communicator: index of the location of each member in
 *   KymoOtf2Defs.locations, or %KYMO_OTF2_NONE
 * @sorted: the same in ascending order, of the first group of an intercommunicator
 */
typedef struct
{
  guint64  id;
  guint32  name;
  OTF2_GroupType type;
  OTF2_Paradigm  paradigm;
  OTF2_GroupFlag flags;
  guint    n_members;
  guint64 *members;
  guint   *locations;
  guint   *sorted;
} KymoOtf2Group;

/** KymoOtf2Comm: @other is the second group of an intercommunicator */
typedef struct
{
  guint64 id;
  guint32 name;
  guint64 group_id, other_id, parent_id;
  const KymoOtf2Group *group, *other;
} KymoOtf2Comm;

/** KymoOtf2Win: a window of one-sided communication */
typedef struct
{
  guint64 id;
  guint64 comm_id;
  guint   comm;
  guint32 name;
} KymoOtf2Win;

/** KymoOtf2Parameter: @activity is what the run calls it */
typedef struct
{
  guint64 id;
  guint32 name;
  guint   activity;
} KymoOtf2Parameter;

/** KymoOtf2Paradigm: a programming interface of I/O */
typedef struct
{
  guint64 id;
  guint32 name;
} KymoOtf2Paradigm;

typedef struct
{
  guint64  id;
  guint32  name;
  gboolean is_folder;
} KymoOtf2File;

/** KymoOtf2Handle: of a file; its index is that in the run's definitions */
typedef struct
{
  guint64  id;
  guint32  name;
  guint64  file_id, paradigm_id, comm_id, parent_id;
  gboolean is_open;             /* before the program began */
} KymoOtf2Handle;

typedef struct
{
  guint64 id;
  char   *group, *category;
  OTF2_MarkerSeverity severity;
} KymoOtf2MarkerKind;

/** KymoOtf2Marker: as it is in the file; @kind is an index */
typedef struct
{
  OTF2_TimeStamp   time, duration;
  guint32          kind;
  OTF2_MarkerScope scope;
  guint64          scope_id;
  char            *text;
} KymoOtf2Marker;

/**
 * KymoOtf2Member: one metric
 * @counter: index in KymoRun.metrics where it is one of blocks, or %KYMO_OTF2_NONE
 * @activity: what its samples are of, or %KYMO_OTF2_NONE
 */
typedef struct
{
  guint64 id;
  guint32 name, unit, description;
  OTF2_MetricMode mode;
  OTF2_Base base;
  gint64  exponent;
  double  scale;                /* base to the power of the exponent */
  guint   counter;
  guint   activity;
} KymoOtf2Member;

/**
 * KymoOtf2Metric: a class, or an instance of one
 * @members: %NULL of an instance
 * @resolved: of an instance its class'
 * @group: of an instance that measures a process: its location group, else KYMO_OTF2_NONE
 * @of: of an instance: name of the node or resource that it measures, "" of a process; %NULL of
 *   others
 */
typedef struct
{
  guint64 id;
  guint64 class_id;             /* of an instance */
  guint   n_members;            /* 0 of an instance */
  guint64 *members;
  OTF2_MetricOccurrence occurrence;
  gboolean is_counter;          /* read with every begin and end */
  guint64  scope;               /* of an instance: a node of the tree, or KYMO_OTF2_NONE */
  guint64  group;
  guint    n_resolved;
  const KymoOtf2Member **resolved;      /* once finished */
  char    *of;                          /* the same */
} KymoOtf2Metric;

typedef struct
{
  guint64 id;
  guint64 region_id;
} KymoOtf2Context;

/** KymoOtf2Property: of a process */
typedef struct
{
  guint64 group_id;
  guint32 name, value;          /* strings */
} KymoOtf2Property;

typedef struct
{
  guint64   ticks_per_second;   /* never 0 */
  guint64   global_offset;
  guint64   length;             /* of the run from there, in ticks; 0 = not known */
  guint64   realtime_ns;        /* since 1970 of the global offset; 0 = not known */
  guint64   n_left_out;         /* definitions with a number that is taken */
  guint64   n_not_shown;        /* definitions of a kind that a run has no place for */
  guint64   n_bad_markers;      /* of a kind that is not defined */
  gint64    n_bytes;            /* that all takes, and about what the run makes of it */
  gint64    most_bytes;         /* beyond that no more is read */
  GPtrArray *strings;           /* char *, by index */
  GArray    *nodes, *location_groups, *locations, *regions, *groups, *comms, *wins,
            *members, *metrics, *contexts, *parameters, *paradigms, *files, *handles,
            *marker_kinds, *markers, *properties;
  KymoOtf2Ids string_ids, node_ids, location_group_ids, location_ids, region_ids, group_ids,
              comm_ids, win_ids, member_ids, metric_ids, context_ids, parameter_ids,
              paradigm_ids, file_ids, handle_ids, marker_kind_ids;
  guint      n_rows;
  guint      n_counters;        /* hardware counters of blocks */
} KymoOtf2Defs;

/* Bytes that a definition takes beside its own bytes: a place in a hash, and the run's copy of its
   name. */
#define KYMO_OTF2_DEFINITION_BYTES 96

/* The kinds of global definitions that are read, as OTF2 names them. */
#define KYMO_OTF2_DEFINITIONS(X) \
  X (Parameter) X (IoParadigm) X (IoRegularFile) X (IoDirectory) X (IoHandle) \
  X (ClockProperties) X (String) X (SystemTreeNode) X (LocationGroup) \
  X (Location) X (Region) X (Group) X (Comm) X (InterComm) X (RmaWin) \
  X (MetricMember) X (MetricClass) X (MetricInstance) X (CallingContext) \
  X (CartTopology) X (CartCoordinate) X (LocationProperty) \
  X (LocationGroupProperty) X (SystemTreeNodeProperty) \
  X (CallingContextProperty) X (IoFileProperty)

/** KymoOtf2DefCalls: what fills a #KymoOtf2Defs, which each function is given as user data */
typedef struct
{
#define X(Definition) OTF2_GlobalDefReaderCallback_##Definition Definition;
  KYMO_OTF2_DEFINITIONS (X)
#undef X
} KymoOtf2DefCalls;

KymoOtf2Defs *kymo_otf2_defs_new      (gint64              most_bytes);
void          kymo_otf2_defs_free     (KymoOtf2Defs       *defs);
gboolean      kymo_otf2_defs_add      (KymoOtf2Defs       *defs,
                                       KymoOtf2Ids        *ids,
                                       GArray             *array,
                                       gconstpointer       value,
                                       guint64             id);
OTF2_CallbackCode
              kymo_otf2_defs_charge   (KymoOtf2Defs       *defs,
                                       gsize               n_bytes);
void          kymo_otf2_defs_add_io_callbacks (KymoOtf2DefCalls *calls);
void          kymo_otf2_defs_calls_init (KymoOtf2DefCalls  *calls);
OTF2_GlobalDefReaderCallbacks *
              kymo_otf2_defs_new_callbacks (void);
OTF2_MarkerReaderCallbacks *
              kymo_otf2_defs_new_marker_callbacks (void);
void          kymo_otf2_name_series   (KymoOtf2Defs       *defs);
void          kymo_otf2_defs_finish   (KymoOtf2Defs       *defs);
void          kymo_otf2_defs_describe (KymoOtf2Defs       *defs,
                                       KymoOtf2Tree        tree,
                                       KymoRun            *run);
const char   *kymo_otf2_defs_string   (const KymoOtf2Defs *defs,
                                       guint64             id);
const char   *kymo_otf2_defs_use_string (KymoOtf2Defs     *defs,
                                       guint64             id);
gint          kymo_otf2_comm_location (const KymoOtf2Comm *comm,
                                       guint               from,
                                       guint64             rank);

const char   *kymo_otf2_paradigm_name (OTF2_Paradigm       paradigm);
void          kymo_otf2_quiet_library (void);

/**
 * kymo_otf2_ids_find:
 * @id: number of a definition in the archive
 *
 * Returns: its index in the list of definitions, or %KYMO_OTF2_NONE
 */
static inline guint32
kymo_otf2_ids_find (const KymoOtf2Ids *ids,
                    guint64            id)
{
  if (G_LIKELY (id < ids->dense->len))
    return g_array_index (ids->dense, guint32, id);
  return GPOINTER_TO_UINT (g_hash_table_lookup (ids->sparse, &id)) - 1;
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoOtf2Defs, kymo_otf2_defs_free)

G_END_DECLS
