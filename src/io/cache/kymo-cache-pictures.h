/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Small pictures of runs that were opened, one a run, in the folder of the cache: a person
 * finds a run again by them. They go with the cache, and never are more than
 * KYMO_CACHE_MOST_PICTURES. All block; any thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** KYMO_CACHE_MOST_PICTURES: the one that was made longest ago goes first */
#define KYMO_CACHE_MOST_PICTURES 64
/** KYMO_CACHE_PICTURE_MOST_BYTES: of a file; larger ones are neither kept nor read */
#define KYMO_CACHE_PICTURE_MOST_BYTES (256 << 10)

gboolean kymo_cache_pictures_put   (const char  *run,
                                    GBytes      *picture,
                                    GError     **error);
GBytes  *kymo_cache_pictures_get   (const char  *run);
void     kymo_cache_pictures_clear (const char  *run);

G_END_DECLS
