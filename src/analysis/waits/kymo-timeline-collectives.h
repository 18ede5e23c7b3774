/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Collective operations of a stretch of time, for the timeline and for the details of a block.
 */
#pragma once

#include "kymo-collectives.h"
#include "kymo-engine.h"

G_BEGIN_DECLS

KymoTable *kymo_timeline_collectives (const KymoAsk       *ask,
                                      KymoSpan             span);
const KymoCollective *
           kymo_timeline_collective_at (const KymoAsk     *ask,
                                      guint                location,
                                      gint64               time_ns,
                                      const KymoCollectives **all,
                                      guint               *member);
void  kymo_details_set_collective (const KymoAsk *ask,
                                   guint          location,
                                   gint64         time_ns,
                                   KymoTable     *answer,
                                   KymoTable     *lines);

/* The order of collectives in lists: those with the longest wait first, ties by index. */
static inline int
kymo_collective_order (gint64 x_wait_ns,
                       guint  x_index,
                       gint64 y_wait_ns,
                       guint  y_index)
{
  if (x_wait_ns != y_wait_ns)
    return x_wait_ns > y_wait_ns ? -1 : 1;
  return x_index < y_index ? -1 : x_index > y_index;
}

G_END_DECLS
