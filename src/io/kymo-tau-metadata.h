/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What TAU notes about the processes of a trace: facts of the run.
 */
#pragma once

#include "kymo-tau-reading.h"

G_BEGIN_DECLS

void kymo_tau_take_metadata (KymoTauTraceReading *reading);

G_END_DECLS
