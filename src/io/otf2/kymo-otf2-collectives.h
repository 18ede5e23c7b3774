/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The collectives of an OTF2 archive, put together of what each location recorded.
 * One thread, when all locations are read.
 */
#pragma once

#include "kymo-otf2-events.h"

G_BEGIN_DECLS

KymoCollectives *kymo_otf2_join_collectives (const KymoOtf2Defs *defs,
                                             GArray            **parts,
                                             guint               n);

G_END_DECLS
