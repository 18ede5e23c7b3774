/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Desks as files: where a person saves them, and those that are kept of every
 * run in the folder `kymo/desks` of her data (XDG_DATA_HOME), no more than
 * KYMO_DESKS_MOST and 32 MiB, the oldest going first. Any thread.
 */
#pragma once

#include "kymo-desk.h"

G_BEGIN_DECLS

/** KYMO_DESKS_MOST: limit of desks that are kept */
#define KYMO_DESKS_MOST 400

KymoDesk *kymo_desk_load        (const char     *path,
                                 GError        **error);
gboolean  kymo_desk_save        (const KymoDesk *desk,
                                 const char     *path,
                                 GError        **error);
/* Notes where the run lies, relative to the folder of a desk and as a URI. path: absolute */
void      kymo_desk_set_run     (KymoDesk       *desk,
                                 const char     *path,
                                 const char     *desk_path);
/* The same of any run: where it lies, as a URI and seen from the desk. */
void      kymo_desk_locate      (const char     *path,
                                 const char     *desk_path,
                                 char          **uri,
                                 char          **beside);
char     *kymo_desk_look_for    (const char     *uri,
                                 const char     *beside,
                                 const char     *desk_path);
/* (transfer full) (nullable): where it lies now; NULL = nowhere */
char     *kymo_desk_find_run    (const KymoDesk *desk,
                                 const char     *desk_path);

/* (transfer full): what tells a run apart: where its files lie, and what they are called;
   so a folder and the .sts in it are one run. `title`: (nullable) */
char     *kymo_desk_store_dup_key (const char     *folder,
                                   const char     *title);
KymoDesk *kymo_desk_store_load  (const char     *key);
/* (nullable): the newest that is kept of a run, by its path; reads them all */
KymoDesk *kymo_desk_store_find  (const char     *path);
gboolean  kymo_desk_store_save  (const char     *key,
                                 const KymoDesk *desk,
                                 GError        **error);
void      kymo_desk_store_forget (const char    *key);
/* Returns: how many there were */
guint     kymo_desk_store_forget_all (void);
guint     kymo_desk_store_count (void);

G_END_DECLS
