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

G_END_DECLS
