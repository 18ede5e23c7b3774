/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How the threads of an OTF2 archive depend on each other: who forked a team or created
 * a thread, and who waited for its end.
 */
#pragma once

#include "kymo-otf2-events.h"

G_BEGIN_DECLS

void    kymo_otf2_end_thread_waits  (KymoOtf2Stream     *stream,
                                     gint64              ns);
void    kymo_otf2_add_thread_callbacks (KymoOtf2Events *calls);
gsize   kymo_otf2_threads_get_bytes (const GArray       *records);
void    kymo_otf2_shift_threads     (GArray             *records,
                                     gint64              shift_ns);
GArray *kymo_otf2_link_threads      (const KymoOtf2Defs *defs,
                                     GArray            **records,
                                     guint               n);

G_END_DECLS
