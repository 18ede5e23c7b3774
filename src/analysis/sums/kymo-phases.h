/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Phases as ranges of time. The program marks only ends, each PE for itself:
 * a phase is from the earliest end of the phase before (the first: from the
 * run's begin) to the latest end of its own. So neighbours overlap by as much
 * as the PEs are apart, and no PE's part of a phase is cut. What follows the
 * last end has no number and is no phase.
 */
#pragma once

#include "kymo-span.h"
#include "kymo-table.h"

G_BEGIN_DECLS

/* The answers info and timeline hold them: rows of phase, begin_ns, end_ns. */
gboolean kymo_phases_find  (const KymoTable *phases,
                            gint64           phase,
                            KymoSpan        *span);
gboolean kymo_phases_parse (const KymoTable *phases,
                            const char      *text,
                            gint64          *phase,
                            KymoSpan        *span);

G_END_DECLS
