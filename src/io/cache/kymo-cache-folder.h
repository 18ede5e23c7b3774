/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The folder of the cache: private to the person, bounded in size, and never
 * left through a link.
 */
#pragma once

#include <gio/gio.h>
#include <glib.h>

G_BEGIN_DECLS

/** KymoCacheFolderFile: a file of ours */
typedef struct
{
  char    *name;
  guint64  n_bytes;
  gint64   used_s;              /* when it was last used, since 1970 */
} KymoCacheFolderFile;

int      kymo_cache_folder_open    (gboolean      make,
                                    GError      **error);
int      kymo_cache_folder_get     (int           folder,
                                    const char   *name);
int      kymo_cache_folder_create  (int           folder,
                                    char        **name,
                                    GError      **error);
gboolean kymo_cache_folder_link    (int           folder,
                                    int           fd,
                                    char        **name,
                                    GError      **error);
gboolean kymo_cache_folder_put     (int           folder,
                                    const char   *from,
                                    const char   *name,
                                    GError      **error);
GArray  *kymo_cache_folder_list    (int           folder);
void     kymo_cache_folder_remove  (const char   *name);
gboolean kymo_cache_folder_has_room (int          folder,
                                    guint64       n_bytes);
gint64   kymo_cache_get_limit      (const char   *variable,
                                    gint64        fallback);

/* The person's limit of the cache. */

/** KYMO_CACHE_DEFAULT_MAX_BYTES: 10 GiB, where the person said nothing */
#define KYMO_CACHE_DEFAULT_MAX_BYTES (G_GINT64_CONSTANT (10) << 30)

char     *kymo_cache_limit_dup_path (void);
gint64    kymo_cache_get_max_bytes  (void);
gboolean  kymo_cache_set_max_bytes  (gint64   bytes,
                                     GError **error);

G_END_DECLS
