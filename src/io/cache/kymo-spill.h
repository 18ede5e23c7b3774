/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The memory that reading a run takes, and the file that takes over when it
 * is too little: a segment file that the sealed segments are written to while
 * others are still being read, and mapped from in the end.
 *
 * As long as all fits nothing is written. The file lies in the cache's folder
 * if it may be kept there, else, or where that folder fails, without a name
 * among the temporary files; where no place is left the segments stay in
 * memory, up to the limit.
 *
 * Shared by reference count; the threads that read may call what says so.
 */
#pragma once

#include <gio/gio.h>

#include "kymo-job.h"
#include "kymo-run.h"

G_BEGIN_DECLS

typedef struct _KymoSpill KymoSpill;

KymoSpill *kymo_spill_new        (gint64         limit_bytes,
                                  gboolean       may_keep,
                                  KymoJob       *job);
KymoSpill *kymo_spill_ref        (KymoSpill     *spill);
void       kymo_spill_unref      (KymoSpill     *spill);
void       kymo_spill_set_run    (KymoSpill     *spill,
                                  guint          n_metrics,
                                  guint          n_states);
void       kymo_spill_on_active  (KymoSpill     *spill,
                                  void         (*notify) (gpointer data),
                                  gpointer       data);
gboolean   kymo_spill_charge     (KymoSpill     *spill,
                                  gint64         n_bytes);
gboolean   kymo_spill_is_over    (KymoSpill     *spill);
gboolean   kymo_spill_is_active  (KymoSpill     *spill);
void       kymo_spill_add        (KymoSpill     *spill,
                                  guint          place,
                                  KymoSegment  **segment);
gboolean   kymo_spill_map        (KymoSpill     *spill,
                                  GError       **error);
gboolean   kymo_spill_keep       (KymoSpill     *spill,
                                  const KymoRun *run,
                                  const guint8  *key,
                                  const char    *name,
                                  GCancellable  *cancellable,
                                  GError       **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoSpill, kymo_spill_unref)

G_END_DECLS
