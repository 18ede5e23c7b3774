/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a run lies, as a person names it: a path of this machine, or ssh://HOST/PATH. Only the room
 * remote knows what an address means; the others must not take one for a path.
 *
 * Plain functions; any thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define KYMO_PLACE_SCHEME "ssh://"

gboolean kymo_place_is_far   (const char *place);
char    *kymo_place_dup_full (const char *place);
char    *kymo_place_to_uri   (const char *place);
char    *kymo_place_from_uri (const char *uri);

G_END_DECLS
