/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What TAU notes about the processes of a trace: facts of the run, and where they ran.
 */
#pragma once

#include "kymo-tau-reading.h"

G_BEGIN_DECLS

void kymo_tau_take_metadata (KymoTauTraceReading *reading);
void kymo_tau_add_places    (KymoTauTraceReading *reading,
                             gboolean             by_rank,
                             gint64              *places);

G_END_DECLS
