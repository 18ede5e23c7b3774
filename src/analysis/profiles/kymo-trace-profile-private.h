/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of a trace's profile share: the walk that is under way.
 */
#pragma once

#include <string.h>

#include "kymo-run-index.h"
#include "kymo-trace-profile.h"
#include "kymo-trace-walk.h"

G_BEGIN_DECLS

/** KymoTraceTiming: a function, or what is counted as one */
typedef struct
{
  char       *name;
  const char *groups;
  guint       flags;            /* KymoProfileFlags */
  KymoRole    role;
} KymoTraceTiming;

typedef enum
{
  KYMO_TRACE_STALE = 1,
  KYMO_TRACE_TOO_MANY,
} KymoTraceFailure;

/**
 * KymoTraceSample: what a location recorded of one user event
 * @mean: as samples came, and @squares of what differs from it (Welford, 1962): what
 *   the deviation is made of, without a difference of large numbers
 */
typedef struct
{
  guint32 kind;                 /* KymoPointKind */
  guint32 activity;             /* or G_MAXUINT32: by id */
  gint32  id;
  guint32 event;                /* in the profile, given in the end */
  double  n, max, min, sum, sum_squares;
  double  mean, squares;
} KymoTraceSample;

/**
 * KymoTraceJob:
 * @phases: (nullable): stretches of time that are phases, as the locations mark them
 *   together; the functions first_phase + i stand for them
 * @phase_numbers: (nullable): the number of a phase in the files -> i
 * @n_threads: most threads
 * @rows: by segment; nodes are those of the walk @walked_by
 * @samples: by segment, of KymoTraceSample, or %NULL
 */
typedef struct
{
  const KymoRun                 *run;
  const KymoTraceProfileOptions *options;
  GCancellable                  *cancellable;
  guint                          n_threads;
  GArray                        *timings;       /* KymoTraceTiming, by function */
  KymoTraceFunctions             functions;
  const GArray                  *phases;        /* KymoPhase */
  guint                          first_phase;
  GHashTable                    *phase_numbers;
  GPtrArray                     *walks;
  KymoTraceRows                 *rows;
  guint                         *walked_by;
  GArray                       **samples;
  gint                           next;          /* atomic */
  gint                           failed;        /* atomic; a KymoTraceFailure */
} KymoTraceJob;

/**
 * kymo_trace_most_paths:
 *
 * Returns: the number of different call paths beyond which a profile is refused
 */
static inline guint
kymo_trace_most_paths (const KymoTraceJob *job)
{
  return job->options->most_paths > 0 ? job->options->most_paths : KYMO_TRACE_PROFILE_MAX_PATHS;
}

/**
 * KymoTraceNodeUse:
 * @used: some location has figures of the node
 * @outer: no node of the same function lies above it
 * @path_outer: none of the same path does
 * @path: which one it belongs to; -1 = none
 */
typedef struct
{
  gboolean used, outer, path_outer;
  gint     path;
} KymoTraceNodeUse;

/**
 * KymoTraceAssembly: the profile in the making
 * @nodes: KymoTraceNode, all walks' made one
 * @node_of: by walk: by its node
 * @uses: by node
 * @parts: guint32: functions of the paths
 * @paths: of kymo-trace-assemble.c
 * @n_metrics: time is one
 */
typedef struct
{
  KymoTraceJob     *job;
  KymoProfileData  *data;
  GArray           *nodes;
  guint32         **node_of;
  KymoTraceNodeUse *uses;
  GArray           *parts;
  GArray           *paths;
  guint32          *event_of_function;
  guint32          *event_of_path;
  guint             n_metrics;
} KymoTraceAssembly;

/**
 * kymo_trace_node_at:
 * @node: index of a node
 *
 * Returns: (transfer none): the node, owned by the assembly, valid until a node is added
 */
static inline const KymoTraceNode *
kymo_trace_node_at (const KymoTraceAssembly *assembly,
                    guint32                  node)
{
  return &g_array_index (assembly->nodes, KymoTraceNode, node);
}

/**
 * kymo_trace_is_stopped:
 * @i: a loop's counter; the cancellable is looked at every 4,096th time
 *
 * Returns: %TRUE if the work was cancelled, as far as was looked
 */
static inline gboolean
kymo_trace_is_stopped (const KymoTraceAssembly *assembly,
                       guint                    i)
{
  return (i & 0xfff) == 0 && g_cancellable_is_cancelled (assembly->job->cancellable);
}

void             kymo_trace_add_figures      (KymoTraceAssembly *assembly);
KymoProfileData *kymo_trace_profile_assemble (KymoTraceJob    *job);
gboolean         kymo_trace_is_sample        (const KymoPoint *point);
char            *kymo_trace_sample_dup_name  (const KymoRun         *run,
                                              const KymoTraceSample *sample);
void             kymo_trace_samples_add      (KymoTraceJob    *job,
                                              KymoSegment     *segment,
                                              guint            index);
void             kymo_trace_samples_set      (KymoTraceJob    *job,
                                              KymoProfileData *data);

G_END_DECLS
