/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long a name of a run may be. Names of functions, entry methods, user events, counters,
 * places and locations are read from files that are not trusted, and every list, label and
 * picture lays them out: all readers cut longer ones with kymo_name_dup(). A name that is cut
 * ends in a number made of all its bytes, so that names that differ stay different, and the
 * same name is the same in every run.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** KYMO_NAME_MOST: bytes of the longest name that a run keeps */
#define KYMO_NAME_MOST 4096
/** KYMO_NAME_SHOWN: characters of the longest text that is laid out as one label */
#define KYMO_NAME_SHOWN 1000

/* (transfer full): valid UTF-8; @length may be -1 */
char     *kymo_name_dup    (const char *text,
                            gssize      length);
/* TRUE if kymo_name_dup() cut the name from a longer text. */
gboolean  kymo_name_is_cut (const char *name);
/* (transfer full) (nullable): what is laid out of a text: its beginning and end around an
   ellipsis where it has more than KYMO_NAME_SHOWN characters; NULL of NULL. To lay out a text
   costs time and memory by its length, however little of it is seen. */
char     *kymo_name_shown  (const char *text);
/* Ends @name before what is missed least where it has no room: the place of its source, and, where
   it has none, its arguments. "solve(double *) [{jacobi.c} {30,1}-{55,1}]" becomes
   "solve(double *)", and that "solve". FALSE if nothing can go. */
gboolean  kymo_name_shorten (char *name);

/* Several names as one text, as keywords of questions, options of the command line and files
   of desks carry them: divided by semicolons. A semicolon or a backslash that belongs to a
   name has a backslash before it; before anything else a backslash is one, so that a list that
   a person types needs none but where a name has a semicolon. Any thread. */

/* (transfer full): "a;b" */
char   *kymo_name_list_join  (const char *const *names);
/* (transfer full): without empty ones */
char  **kymo_name_list_split (const char        *list);

G_END_DECLS
