/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is done with each thread of a TAU trace, whether it has a file of its own
 * (kymo-tau-threads.c) or not (kymo-tau-shares.c). Each thread is one core's at a time.
 */
#pragma once

#include "kymo-tau-reading.h"

G_BEGIN_DECLS

void     kymo_tau_thread_begin  (KymoTauThread  *thread,
                                 KymoTauTraceReading *reading);
void     kymo_tau_thread_charge (KymoTauThread  *thread,
                                 KymoTauTraceReading *reading);
void     kymo_tau_thread_end    (KymoTauThread  *thread,
                                 KymoTauTraceReading *reading);
void     kymo_tau_thread_give   (KymoTauThread  *thread,
                                 KymoTauTraceReading *reading);
void     kymo_tau_settle_threads (KymoTauTraceReading *reading);
gboolean kymo_tau_is_to_stop    (KymoTauTraceReading *reading);
void     kymo_tau_read_merged   (KymoTauTraceReading *reading);

G_END_DECLS
