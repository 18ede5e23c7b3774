/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Folders on another machine, for a person who looks for a run there.
 *
 * Plain values; any thread.
 */
#pragma once

#include "kymo-remote-link.h"

G_BEGIN_DECLS

/**
 * KymoRemoteEntry:
 * @is_run: whether it is a run to open; else it is a folder
 * @name: valid UTF-8
 * @path: on that machine, any bytes
 * @what: (nullable): format of the run, or formats of the runs that the folder holds
 * @bytes: of the files of the run; -1 = not known
 * @at_least: whether it has more than @bytes
 * @time_s: when it was written last, in seconds since 1970; 0 = not known
 */
typedef struct
{
  gboolean  is_run;
  char     *name, *path, *what;
  gint64    bytes;
  gboolean  at_least;
  gint64    time_s;
} KymoRemoteEntry;

/**
 * KymoRemoteListing:
 * @path: of the folder
 * @entries: (element-type KymoRemoteEntry): runs and folders, in the order of the server
 * @at_least: whether the folder has more folders than are listed
 */
typedef struct
{
  char      *path;
  GPtrArray *entries;
  gboolean   at_least;
} KymoRemoteListing;

KymoRemoteListing *kymo_remote_list         (KymoRemoteLink     *link,
                                             const char         *path,
                                             GCancellable       *cancellable,
                                             GError            **error);
void               kymo_remote_listing_free (KymoRemoteListing  *listing);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoRemoteListing, kymo_remote_listing_free)

G_END_DECLS
