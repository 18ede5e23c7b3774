/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A run is written in a folder OUT.XXXXXX beside its place. The writer holds a lock on a
 * file in it, which says whose folder it is; so a folder whose writer was killed is known, and
 * removed when the next run is written to the same place.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

int   kymo_run_stale_mark   (const char *folder);
void  kymo_run_stale_unmark (const char *folder,
                             int         mark);
guint kymo_run_stale_remove (const char *place);

G_END_DECLS
