/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The walk over the blocks of a trace that a profile is made of: of each location
 * what every node of the call tree had. A node is a function below another node; where
 * no paths are asked for all functions stand below the root.
 *
 * A KymoTraceWalk belongs to one thread; its nodes are numbered in the order in which
 * it met them, parents before children, and mean nothing to another walk.
 */
#pragma once

#include <gio/gio.h>

#include "kymo-run.h"

G_BEGIN_DECLS

#define KYMO_TRACE_ROOT G_MAXUINT32

/**
 * KymoTraceFunctions: what the walk tells apart
 * @of_activity: function of each activity of the run; %G_MAXUINT32 of events
 * @idle: %KYMO_STATE_OVERHEAD and its like are the functions idle + state
 */
typedef struct
{
  guint    n_functions;         /* those of @idle and of phases included */
  guint32 *of_activity;
  guint32  idle;
} KymoTraceFunctions;

typedef struct
{
  guint32 parent;               /* node, or %KYMO_TRACE_ROOT */
  guint32 function;
} KymoTraceNode;

typedef struct
{
  guint32 node;
  gint64  calls, subroutines, exclusive_ns, inclusive_ns;
} KymoTraceRow;

/**
 * KymoTraceRows: what one location had
 * @rows: KymoTraceRow, by order of first touch, none of them all 0
 * @counters: of each row and metric: exclusive and inclusive; empty without metrics
 */
typedef struct
{
  GArray *rows;
  GArray *counters;             /* gint64 */
} KymoTraceRows;

typedef struct _KymoTraceWalk KymoTraceWalk;

KymoTraceWalk       *kymo_trace_walk_new       (const KymoRun            *run,
                                                const KymoTraceFunctions *functions,
                                                gboolean                  paths,
                                                guint                     most_nodes,
                                                GCancellable             *cancellable);
void                 kymo_trace_walk_free      (KymoTraceWalk            *walk);
void                 kymo_trace_walk_begin     (KymoTraceWalk            *walk,
                                                KymoSegment              *segment);
void                 kymo_trace_walk_add       (KymoTraceWalk            *walk,
                                                KymoSpan                  span,
                                                gint64                    count_end_ns,
                                                guint32                   below);
void                 kymo_trace_walk_end       (KymoTraceWalk            *walk,
                                                KymoTraceRows            *rows);
const KymoTraceNode *kymo_trace_walk_get_nodes (const KymoTraceWalk      *walk,
                                                guint                    *n_nodes);
gboolean             kymo_trace_walk_is_full   (const KymoTraceWalk      *walk);

G_END_DECLS
