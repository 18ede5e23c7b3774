/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rank 0: keeps the stream, serves it at a port, and records it. Belongs to the helper thread.
 */
#pragma once

#include "kymo-live-ccs.h"

#define KYMO_LIVE_SERVE_FDS (KYMO_LIVE_MOST_CLIENTS + 1)

#pragma GCC visibility push (hidden)

void     kymo_live_serve_start     (uint32_t             n_processes);
void     kymo_live_serve_block     (const KymoLiveMerge *merge,
                                    const KymoLiveNames *names);
unsigned kymo_live_serve_poll      (struct pollfd       *fds);
void     kymo_live_serve_work      (void);
bool     kymo_live_serve_is_wanted (void);
void     kymo_live_serve_end       (void);

#pragma GCC visibility pop
