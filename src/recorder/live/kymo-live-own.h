/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The own blocks of a process: whole seconds out of the bins of its threads, with names and values.
 * Belongs to the helper thread.
 */
#pragma once

#include "kymo-live-bins.h"
#include "kymo-live-scalars.h"

typedef struct
{
  KymoLiveSecond *second;       /* that is being filled */
  uint64_t number;              /* of it */
  uint64_t n_taken;             /* bins since the stream began */
  uint16_t *ids;                /* numbers of regions + 1; 0 = not looked up */
  uint8_t *bytes;               /* a block */
  size_t room;
  KymoLiveScalars scalars;
  uint32_t rank;
} KymoLiveOwn;

#pragma GCC visibility push (hidden)

bool   kymo_live_own_init  (KymoLiveOwn   *own,
                            uint32_t       rank,
                            bool           of_node);
void   kymo_live_own_skip  (KymoLiveOwn   *own,
                            uint64_t       bin);
bool   kymo_live_own_take  (KymoLiveOwn   *own,
                            uint64_t       n_bins);
size_t kymo_live_own_write (KymoLiveOwn   *own,
                            KymoLiveNames *names,
                            uint64_t       now_ns);

#pragma GCC visibility pop
