/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pinned locations of a session: their rows stay in sight above those of a timeline, however that
 * is scrolled and whichever rows are chosen, and come first in a figure that is exported. They
 * stand in the order in which they were pinned.
 *
 * Signal "rows-changed" is emitted for each change. Main thread only.
 */
#pragma once

#include "kymo-session.h"

G_BEGIN_DECLS

/** KYMO_MOST_PINS: more rows are not pinned at once */
#define KYMO_MOST_PINS 64

GArray  *kymo_session_peek_pins    (KymoSession   *self);
gboolean kymo_session_is_pinned    (KymoSession   *self,
                                    gint64         location);
gboolean kymo_session_set_pinned   (KymoSession   *self,
                                    gint64         location,
                                    gboolean       pinned);
void     kymo_session_set_pins     (KymoSession   *self,
                                    const gint64  *ids,
                                    guint          n);
void     kymo_session_prepare_pins (KymoSession   *self,
                                    KymoQuestion  *question);

G_END_DECLS
