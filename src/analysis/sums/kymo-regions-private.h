/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of the question regions share: how often and when each activity was executed,
 * and by how many actors. An actor is what repeats a loop: an element of an array where entry
 * methods tell theirs, else a location.
 */
#pragma once

#include "kymo-engine.h"

G_BEGIN_DECLS

/**
 * KymoUse: executions of one activity
 * @first_ns: earliest begin; %G_MAXINT64 where it was not executed
 * @last_ns: latest end
 * @n_actors: locations or elements that execute it
 * @least: the fewest executions of an actor
 * @most: the most executions of an actor
 * @of_elements: whether the actors are elements of an array
 */
typedef struct
{
  gint64   first_ns, last_ns;
  gint64   n_actors;
  gint64   least, most;
  gboolean of_elements;
} KymoUse;

/**
 * KymoTurn: the k-th execution of an activity, over all of its actors
 * @first_ns: earliest begin
 * @latest_ns: latest begin
 * @end_ns: latest end
 */
typedef struct
{
  gint64 first_ns, latest_ns, end_ns;
} KymoTurn;

/**
 * KymoUses: the executions of a run, by element and activity
 * @use: by activity
 * @elements: counts by activity and element, of a sample; see kymo-region-uses.c
 * @level: one element of 2^level is in the sample
 * @notes: earliest time in ns by number, of notes that name an iteration
 */
typedef struct
{
  KymoUse    *use;
  guint       n;
  GHashTable *elements;
  guint       level;
  GHashTable *notes;
} KymoUses;

/* Activities that are executed more often by an actor are no marks; of more notes those with the
   lowest numbers count. */
#define KYMO_MOST_TURNS 10000

KymoUses *kymo_uses_new        (const KymoRun *run);
void      kymo_uses_free       (KymoUses      *uses);
void      kymo_uses_add        (KymoUses      *uses,
                                const KymoAsk *ask,
                                KymoSegment   *segment);
void      kymo_uses_merge      (const KymoAsk *ask,
                                KymoUses      *into,
                                KymoUses      *from);
void      kymo_uses_finish     (KymoUses      *uses);
GArray   *kymo_uses_find_turns (const KymoUses *uses,
                                const KymoAsk  *ask,
                                guint           activity);
gboolean  kymo_names_iteration (const char     *name,
                                gint64         *number);
gboolean  kymo_activity_is_of_runtime (const KymoActivity *activity);
gboolean  kymo_activity_balances      (const KymoActivity *activity);
void      kymo_regions_append  (KymoTable      *table,
                                const char     *kind,
                                const char     *name,
                                gint64          number,
                                KymoSpan        span,
                                gint64          spread_ns);
guint     kymo_regions_add_iterations (const KymoUses *uses,
                                       const KymoAsk  *ask,
                                       KymoSpan        main,
                                       KymoTable      *table,
                                       char          **how);

G_END_DECLS
