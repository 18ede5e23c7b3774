/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What of a Projections run the cache has to know.
 */
#pragma once

#include "kymo-cache.h"
#include "kymo-projections-files.h"

G_BEGIN_DECLS

KymoCacheEntry *kymo_projections_make_cache_entry (const KymoProjectionsFiles *files,
                                                   const char                 *path,
                                                   const KymoOpenOptions      *options);

G_END_DECLS
