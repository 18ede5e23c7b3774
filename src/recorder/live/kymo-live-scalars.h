/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is told of a process, and of its node, once a second beside the shares. Files are opened
 * once and read again; what a machine does not have is left out.
 */
#pragma once

#include "kymo-live-block.h"

typedef struct
{
  int statm, schedstat;         /* of this process; -1 = not there */
  int pressure[3];              /* of the node: CPU, memory, I/O */
  int network;
  uint32_t rank;
  uint64_t at_ns;               /* of the values below */
  uint64_t faults, run_delay, messages, bytes;
  uint64_t waited_us[3], received, sent;
  bool has_before;
} KymoLiveScalars;

#pragma GCC visibility push (hidden)

void kymo_live_scalars_open (KymoLiveScalars *scalars,
                             uint32_t         rank,
                             bool             of_node);
void kymo_live_scalars_read (KymoLiveScalars *scalars,
                             uint64_t         now_ns,
                             KymoLiveHead    *head);

#pragma GCC visibility pop
