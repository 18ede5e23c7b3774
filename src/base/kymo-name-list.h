/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Several names as one text, as keywords of questions, options of the command line and files
 * of desks carry them: divided by semicolons. A semicolon or a backslash that belongs to a
 * name has a backslash before it; before anything else a backslash is one, so that a list that
 * a person types needs none but where a name has a semicolon. Any thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* (transfer full): "a;b" */
char   *kymo_name_list_join  (const char *const *names);
/* (transfer full): without empty ones */
char  **kymo_name_list_split (const char        *list);

G_END_DECLS
