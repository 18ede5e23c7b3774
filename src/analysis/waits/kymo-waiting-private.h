/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the question "waiting" adds up, between kymo-waiting.c (sums) and
 * kymo-waiting-answer.c (tables).
 */
#pragma once

#include "kymo-pairs.h"
#include "kymo-waits.h"

G_BEGIN_DECLS

/** KymoWaitSum: times are cut to the asked range; counts are of what begins in it */
typedef struct
{
  gint64 ns;
  gint64 count;
  gint64 longest_ns;
} KymoWaitSum;

/** KYMO_PATH_ROOT: no function at all */
#define KYMO_PATH_ROOT 0

/** KymoPathNode: a function in the one that called it; parents come first */
typedef struct
{
  guint       parent;
  guint32     activity;
  gint        wanted;           /* -1 = not looked at, whether it is the path asked for */
  KymoWaitSum sum;
} KymoPathNode;

/** KymoWorstWait: a wait of a location, and what of it lies in the range */
typedef struct
{
  guint  location;              /* index in the run */
  guint  index;                 /* in its waits */
  gint64 begin_ns;
  gint64 ns;
} KymoWorstWait;

/**
 * KymoTurns: of the rounds of one sender
 * @n_rounds: those with two receivers and more
 * @last_ns: what the last receivers waited
 * @lost_ns: what they would not have waited for a tree of messages; below 0: a tree was slower
 */
typedef struct
{
  gint64 n_rounds, last_ns, lost_ns;
} KymoTurns;

typedef struct
{
  const KymoWaits *waits;
  gint             kind;        /* alone, or -1 */
  const char      *function;    /* alone, or NULL */
  const char      *path;
  guint            limit;
  gboolean         with_turns;
} KymoWaitingPlan;

/**
 * KymoWaitingState:
 * @function_kinds: ns by activity and kind
 * @of: by row and kind
 * @caused: by location of the run: waiting that others did for it
 * @pairs: (element-type KymoPair): from who waited to who was late; waits as messages, ns as bytes
 * @nodes: #KymoPathNode; the first stands for no function
 * @node_of: parent and activity -> number of the node
 * @turns: (nullable): by row
 */
typedef struct
{
  KymoWaitSum  kinds[KYMO_N_WAIT_KINDS];
  KymoWaitSum *functions;       /* by activity */
  gint64      *function_kinds;
  KymoWaitSum *of;
  KymoWaitSum *caused;
  GHashTable  *pairs;
  GArray      *nodes;
  GHashTable  *node_of;
  GArray      *worst;           /* KymoWorstWait: the longest, and up to twice as many */
  KymoTurns   *turns;
} KymoWaitingState;

void        kymo_waiting_drop_short (KymoWaitingState *state,
                                     guint             limit);
char       *kymo_waiting_dup_path   (const KymoAsk    *ask,
                                     const GArray     *nodes,
                                     guint             node);
void        kymo_waits_sum_turns    (const KymoAsk     *ask,
                                     const KymoSegment *segment,
                                     KymoTurns         *sum);
KymoTable  *kymo_waiting_conclude   (const KymoAsk    *ask,
                                     gpointer          data,
                                     GError          **error);

G_END_DECLS
