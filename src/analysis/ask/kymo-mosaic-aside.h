/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Builds the mosaics of a run, of its own order and of that of the rows asked for last, on
 * threads of its own, so that no question has to wait for them: until they are there the
 * timeline is walked, which gives the same cells.
 *
 * One build at a time; those of the run that took the place of the first stop its builds. Any
 * thread.
 */
#pragma once

#include "kymo-run.h"

G_BEGIN_DECLS

typedef struct _KymoMosaicAside KymoMosaicAside;

KymoMosaicAside *kymo_mosaic_aside_new   (guint            n_threads);
void             kymo_mosaic_aside_free  (KymoMosaicAside *aside);
void             kymo_mosaic_aside_watch (KymoRun         *run);
void             kymo_mosaic_aside_serve (KymoMosaicAside *aside,
                                          KymoRun         *run);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoMosaicAside, kymo_mosaic_aside_free)

G_END_DECLS
