/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tree of calls that the paths of a profile make, with the figures of one thread.
 *
 * Where paths are whole, each is a node below the path without its last function, and
 * roots are functions without a caller: what a function has beside its paths, it has
 * as a root. Where paths were cut to their last functions, a path stands below the one
 * path that can have called it, where there is just one; else in a tree of its own,
 * whose upper nodes have no figures but what is below them.
 *
 * Belongs to who made it.
 */
#pragma once

#include "kymo-profile-thread.h"

G_BEGIN_DECLS

#define KYMO_FOREST_ROOT G_MAXUINT32

/**
 * KymoForestNode:
 * @event: a path, or of a root a function; what the node is called by
 * @parent: node, always before this one; %KYMO_FOREST_ROOT of roots
 * @known: FALSE of a node that only others tell of
 */
typedef struct
{
  guint32          event;
  guint32          parent;
  guint            depth;
  gboolean         known;
  KymoThreadValues values;
} KymoForestNode;

/**
 * KymoCallForest:
 * @nodes: KymoForestNode in order of a walk, children by inclusive figures
 * @has_paths: FALSE: callers are unknown, all functions are roots
 * @cut: paths lack their begin
 */
typedef struct
{
  GArray   *nodes;
  gboolean  has_paths;
  gboolean  cut;
} KymoCallForest;

KymoCallForest *kymo_call_forest_new  (const KymoProfileLook   *look,
                                       const KymoThreadFigures *thread,
                                       guint                    most_depth);
void            kymo_call_forest_free (KymoCallForest          *forest);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoCallForest, kymo_call_forest_free)

G_END_DECLS
