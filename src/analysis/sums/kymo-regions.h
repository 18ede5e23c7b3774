/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Regions of a run by name, of the list "regions" in the answer to the question of that name:
 * "main", "startup", "shutdown", "phase:NAME", "lb:N", "iteration:N". The command line and the
 * window find ranges with them.
 */
#pragma once

#include "kymo-source.h"

G_BEGIN_DECLS

gboolean kymo_regions_find     (const KymoTable *regions,
                                const char      *name,
                                KymoSpan        *span,
                                GError         **error);
gboolean kymo_regions_ask      (KymoSource      *source,
                                const char      *name,
                                GCancellable    *cancellable,
                                KymoSpan        *span,
                                GError         **error);

G_END_DECLS
