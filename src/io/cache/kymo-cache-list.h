/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the cache holds, for people: a list, and removing.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * KymoCacheItem:
 * @name: of the file in the cache's folder
 * @folder: of the run, in the file system's bytes; %NULL where the file does
 *   not tell: it is damaged or of another version, and will not be used
 * @title: the run's name, UTF-8; %NULL as @folder
 * @n_bytes: length of the file
 * @used_s: when it was last used, seconds since 1970
 */
typedef struct
{
  char    *name;
  char    *folder;
  char    *title;
  guint64  n_bytes;
  gint64   used_s;
} KymoCacheItem;

GPtrArray *kymo_cache_list       (const char           *run,
                                  const char           *base);
gboolean   kymo_cache_item_remove (const KymoCacheItem *item,
                                   GError             **error);
guint64    kymo_cache_get_bytes  (void);
gboolean   kymo_cache_clear      (GError              **error);
void       kymo_cache_trim       (void);
char      *kymo_cache_dup_folder (void);

G_END_DECLS
