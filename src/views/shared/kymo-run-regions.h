/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The regions of a run, for all who show them: start-up, main part, shutdown, phases, load
 * balancing steps and iterations, as the question "regions" finds them. One for each session, with
 * which it goes. They are asked for once; of a run that grows again when it is twice as long, when
 * it stands still and when it is complete. A draft has none.
 * Signal "changed". Main thread only.
 */
#pragma once

#include <glib-object.h>

#include "kymo-session.h"

G_BEGIN_DECLS

#define KYMO_TYPE_RUN_REGIONS (kymo_run_regions_get_type ())
G_DECLARE_FINAL_TYPE (KymoRunRegions, kymo_run_regions, KYMO, RUN_REGIONS, GObject)

KymoRunRegions *kymo_run_regions_of         (KymoSession    *session);
guint           kymo_run_regions_get_n      (KymoRunRegions *self);
const char     *kymo_run_regions_peek_kind  (KymoRunRegions *self,
                                             guint           i);
gint64          kymo_run_regions_get_number (KymoRunRegions *self,
                                             guint           i);
KymoSpan        kymo_run_regions_get_span   (KymoRunRegions *self,
                                             guint           i);
char           *kymo_run_regions_dup_name   (KymoRunRegions *self,
                                             guint           i);
gboolean        kymo_run_regions_find_named (KymoRunRegions *self,
                                             const char     *name,
                                             KymoSpan       *span);
gboolean        kymo_run_regions_get_main   (KymoRunRegions *self,
                                             KymoSpan       *span);

G_END_DECLS
