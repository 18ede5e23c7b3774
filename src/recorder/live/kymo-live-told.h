/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages that threads of a process have told its helper, which sends them. Any thread.
 */
#pragma once

#include "kymo-live.h"

typedef struct
{
  uint32_t kind, n_bytes;
  bool down;                    /* to all, else to rank 0 */
  uint8_t *bytes;
} KymoLiveTold;

#pragma GCC visibility push (hidden)

bool kymo_live_told_keep (KymoLiveKind  kind,
                          const void   *bytes,
                          uint32_t      n_bytes,
                          bool          down);
bool kymo_live_told_take (KymoLiveTold *told);
void kymo_live_told_free (KymoLiveTold *told);

#pragma GCC visibility pop
