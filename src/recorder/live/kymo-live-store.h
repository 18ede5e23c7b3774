/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The stream on rank 0: the last blocks of the job, names, values, and what the handlers of
 * clients answer. One thread; no sockets and no files.
 *
 * Handlers of Charm++: `ccs_getinfo`, `debug/converse/arch`, `CkPerfSumDetail compressed`,
 * `CkPerfSummaryCcsClientCB` and its variant ` uchar`. Each of the last three hands out a block
 * once. Of blocks that are not kept any more an empty one is handed out, so that the n-th block is
 * second n.
 *
 * Handlers of Kymo, of which each client gets everything (docs/formats/live.md):
 * `kymo/record block`, `kymo/record names`, `kymo/record values`.
 */
#pragma once

#include "kymo-live-block.h"

#define KYMO_LIVE_KEPT 600              /* blocks: ten minutes */
#define KYMO_LIVE_PROTOCOL 1            /* of the handlers of Kymo */

typedef struct
{
  uint32_t n_bytes;             /* of the block as clients read it; 0 = nothing is kept */
  uint8_t bytes[KYMO_LIVE_MOST_CCS];
  uint16_t busy[KYMO_LIVE_BINS];        /* shares of compute, KYMO_LIVE_WHOLE = all */
  KymoLiveHead head;
  uint32_t n_given;             /* clients that have it */
} KymoLiveKept;

typedef struct
{
  KymoLiveKept *kept;           /* KYMO_LIVE_KEPT, by number */
  uint32_t *carry;              /* of shares, by id */
  uint64_t n_blocks;            /* of the stream so far */
  uint64_t next[3];             /* that the handlers of Charm++ hand out */
  uint32_t n_processes;
  char *sts;                    /* names as an .sts */
  size_t n_sts, sts_room;
  uint32_t n_named;             /* names that are in it */
} KymoLiveStore;

/* An answer: two pieces, of which the second lies in the store. */
typedef struct
{
  uint8_t head[16384];
  size_t n_head;
  const uint8_t *bytes;
  size_t n_bytes;
} KymoLiveAnswer;

#pragma GCC visibility push (hidden)

bool kymo_live_store_init   (KymoLiveStore       *store,
                             uint32_t             n_processes);
void kymo_live_store_clear  (KymoLiveStore       *store);
const KymoLiveKept *
     kymo_live_store_add    (KymoLiveStore       *store,
                             const KymoLiveMerge *merge,
                             const KymoLiveNames *names);
bool kymo_live_store_answer (KymoLiveStore       *store,
                             const char          *handler,
                             const uint8_t       *data,
                             size_t               n_data,
                             KymoLiveAnswer      *answer);
bool kymo_live_store_is_wanted (const KymoLiveStore *store);
size_t kymo_live_store_scalars (const KymoLiveStore *store,
                             const KymoLiveHead  *head,
                             char                *text,
                             size_t               room);

#pragma GCC visibility pop
