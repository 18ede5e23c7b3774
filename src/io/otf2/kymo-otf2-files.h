/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The files of an OTF2 archive: the anchor (NAME.otf2), its definitions (NAME.def) and
 * a folder NAME with those of each location. Needs no library.
 */
#pragma once

#include <glib.h>

#include "kymo-format.h"

G_BEGIN_DECLS

char     *kymo_otf2_files_find  (const char  *path,
                                 const char  *base,
                                 GError     **error);
gboolean  kymo_otf2_files_check (const char  *anchor,
                                 GError     **error);
GError   *kymo_otf2_files_bar   (const char  *anchor,
                                 const char  *name);
GPtrArray *kymo_otf2_files_list (const char *anchor);
char     *kymo_otf2_files_markers (const char *anchor);
char     *kymo_otf2_files_base  (const char  *anchor);
char     *kymo_otf2_files_title (const char  *anchor);

/* With the library of the format kymo-otf2.c, without it kymo-otf2-absent.c. */
KymoRun *kymo_otf2_read (const char             *path,
                         const KymoOpenOptions  *options,
                         KymoJob                *job,
                         GError                **error);

G_END_DECLS
