/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The person's limit of the cache.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** KYMO_CACHE_DEFAULT_MAX_BYTES: 10 GiB, where the person said nothing */
#define KYMO_CACHE_DEFAULT_MAX_BYTES (G_GINT64_CONSTANT (10) << 30)

char     *kymo_cache_limit_dup_path (void);
gint64    kymo_cache_get_max_bytes  (void);
gboolean  kymo_cache_set_max_bytes  (gint64   bytes,
                                     GError **error);

G_END_DECLS
