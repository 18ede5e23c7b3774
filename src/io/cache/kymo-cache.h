/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where runs are kept between two openings, and when: one segment file a run
 * in the person's cache folder, named after the run, asked for with a key
 * that every change of the run's files changes.
 *
 * The cache is a convenience: whatever goes wrong with it, the run is read
 * from its files and only the debug log says so, or the caller of
 * kymo_cache_save().
 */
#pragma once

#include "kymo-open-options.h"
#include "kymo-spill.h"

G_BEGIN_DECLS

typedef struct _KymoCacheEntry KymoCacheEntry;

KymoCacheEntry *kymo_cache_entry_new      (const char             *path,
                                           const KymoOpenOptions  *options,
                                           const char             *folder,
                                           const char             *base,
                                           const char             *form);
void            kymo_cache_entry_unref    (KymoCacheEntry         *entry);
void            kymo_cache_entry_add_file (KymoCacheEntry         *entry,
                                           const char             *path,
                                           const char             *name);
KymoRun        *kymo_cache_load           (KymoCacheEntry         *entry);
gboolean        kymo_cache_served         (const KymoRun          *run);
void            kymo_cache_attach         (KymoCacheEntry         *entry,
                                           KymoRun                *run,
                                           KymoSpill              *spill);
gboolean        kymo_cache_is_current     (const KymoRun          *run);
gboolean        kymo_cache_save           (KymoRun                *run,
                                           GCancellable           *cancellable,
                                           GError                **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoCacheEntry, kymo_cache_entry_unref)

G_END_DECLS
