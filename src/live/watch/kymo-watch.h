/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Looks at a stream for the conditions that a person wants to be told of.
 *
 * The mean over a condition's time is taken over every stretch of that length
 * without a lost second, moved in steps of 1 ms or a hundredth of its length
 * (then rounded up to whole steps). One met raises an alarm once; it is armed
 * again by a block that ends no stretch that meets it. Values come once a second, and their
 * stretches have whole seconds. Times are the program's
 * for blocks, and the wall clock's for their absence. One thread at a time.
 */
#pragma once

#include "kymo-condition.h"
#include "kymo-stream-block.h"
#include "kymo-stream-values.h"

G_BEGIN_DECLS

typedef struct _KymoWatch KymoWatch;

/* `met`: a sentence for the person. `begin_ns`: where in the program's time. */
typedef void (*KymoWatchMet) (const KymoCondition *condition,
                              gint64               begin_ns,
                              const char          *sentence,
                              gpointer             data);
/* (transfer full): display name of an id */
typedef char *(*KymoWatchName) (gint64   id,
                                gpointer data);

/* Whether an id is compute, which alone counts as utilization. */
typedef gboolean (*KymoWatchCounts) (gint64   id,
                                     gpointer data);

KymoWatch     *kymo_watch_new      (KymoWatchMet         met,
                                    KymoWatchName        name_of,
                                    gpointer             data);
void           kymo_watch_free     (KymoWatch           *watch);
void           kymo_watch_set_counts (KymoWatch         *watch,
                                    KymoWatchCounts      counts);
/* (element-type KymoCondition): copied; what came before is forgotten, but
   not which of them were told of */
void           kymo_watch_set_conditions (KymoWatch     *watch,
                                    GPtrArray           *conditions);
/* Names are others now: they are asked for again. */
void           kymo_watch_names_changed (KymoWatch      *watch);
void           kymo_watch_block    (KymoWatch           *watch,
                                    const KymoStreamBlock *block,
                                    gint64               begin_ns,
                                    gint64               arrived_us);
void           kymo_watch_values   (KymoWatch           *watch,
                                    const KymoStreamValues *values,
                                    gint64               begin_ns);
/* From time to time, with the wall clock; `attached`: blocks are expected. */
void           kymo_watch_tick     (KymoWatch           *watch,
                                    gint64               now_us,
                                    gboolean             attached);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoWatch, kymo_watch_free)

G_END_DECLS
