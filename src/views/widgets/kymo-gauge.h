/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a person measures in a timeline without selecting it: a stretch of time
 * on a row, and what that row did in it. One for each session, with which it
 * goes. Signal "changed". Main thread only.
 */
#pragma once

#include <glib-object.h>

#include "kymo-session.h"

G_BEGIN_DECLS

#define KYMO_TYPE_GAUGE (kymo_gauge_get_type ())
G_DECLARE_FINAL_TYPE (KymoGauge, kymo_gauge, KYMO, GAUGE, GObject)

KymoGauge *kymo_gauge_of        (KymoSession *session);
/* location: -1 where it is of no row */
void       kymo_gauge_set       (KymoGauge   *self,
                                 gint64       location,
                                 KymoSpan     span);
gboolean   kymo_gauge_clear     (KymoGauge   *self);
gboolean   kymo_gauge_get       (KymoGauge   *self,
                                 gint64      *location,
                                 KymoSpan    *span);
/* (transfer full) (nullable): "1.25 ms, 800 Hz · PE 3: 12 blocks, busy 80 %" */
char      *kymo_gauge_dup_words (KymoGauge   *self);

G_END_DECLS
