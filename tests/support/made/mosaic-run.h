/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random runs for tests of the mosaic, and its cells summed up from single pieces.
 */
#pragma once

#include "kymo-run.h"

G_BEGIN_DECLS

/** MOSAIC_N_ENTRIES: activities of the runs */
#define MOSAIC_N_ENTRIES 5

KymoRun *mosaic_random_run (guint32            seed,
                            guint              n_locations);
/* Adds what each state had of the span. */
void     mosaic_add_pieces (const KymoSegment *segment,
                            KymoSpan           span,
                            gint64            *ns);
/* The cell of these locations; KYMO_NO_CELL = nothing happens in it. */
guint32  mosaic_brute_cell (const KymoRun     *run,
                            const gint64      *locations,
                            guint              n,
                            KymoSpan           span);

G_END_DECLS
