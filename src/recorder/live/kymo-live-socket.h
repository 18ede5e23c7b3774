/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sockets of a helper thread: where it listens, how its parent is reached, how others wake it.
 */
#pragma once

#include <stddef.h>

#include "kymo-live.h"

#pragma GCC visibility push (hidden)

void kymo_live_random        (void               *bytes,
                              size_t              n_bytes);
int  kymo_live_listen_near   (KymoLiveCard       *card);
int  kymo_live_listen_far    (KymoLiveCard       *card);
int  kymo_live_reach         (const KymoLiveCard *card,
                              bool                far);
int  kymo_live_open_bell     (char               *name,
                              size_t              room);
void kymo_live_ring_bell     (const char         *name);
void kymo_live_silence_bell  (int                 fd);
uint64_t kymo_live_node_key  (void);

#pragma GCC visibility pop
