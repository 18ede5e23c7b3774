/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Blocks: a second of a process, or the mean of several. A block travels up the tree as
 *
 *     KymoLiveHead, then of each of KYMO_LIVE_BINS bins:
 *     uint16_t records, and of each record uint16_t activity, uint16_t share
 *
 * in the byte order of the machines; activities ascend. A share is a part of the bin's millisecond,
 * KYMO_LIVE_WHOLE = all, averaged over the processes. Inside the tree activities below 2 % of a
 * bin are folded into others; on rank 0 those below 10 %, and then the smallest, until the block
 * fits into KYMO_LIVE_MOST_CCS bytes of the form that clients of Charm++ read.
 *
 * One thread at a time; nothing here allocates with malloc().
 */
#pragma once

#include "kymo-live-names.h"

#define KYMO_LIVE_BINS 1000
#define KYMO_LIVE_BIN_NS 1000000
#define KYMO_LIVE_WHOLE 62500           /* 250 times the 250 of clients */
#define KYMO_LIVE_FOLD (KYMO_LIVE_WHOLE / 50)
#define KYMO_LIVE_MOST_IN_BIN 96        /* activities of a bin while blocks are merged */
#define KYMO_LIVE_MOST_CCS (12 << 10)
#define KYMO_LIVE_EMPTY_CCS (8 + 2 * KYMO_LIVE_BINS)
#define KYMO_LIVE_N_EXTREME 8

/* What is told of each second beside the shares. Appended to. */
typedef enum
{
  KYMO_LIVE_LOAD,               /* millionths of the second in compute */
  KYMO_LIVE_MEMORY,             /* bytes that the process has in memory */
  KYMO_LIVE_FAULTS,             /* page faults in the second */
  KYMO_LIVE_RUN_DELAY,          /* ns that the process could run and did not */
  KYMO_LIVE_MESSAGES,           /* messages sent in the second */
  KYMO_LIVE_BYTES,              /* bytes of these */
  KYMO_LIVE_PRESSURE_CPU,       /* of the node: millionths of the second that work waited */
  KYMO_LIVE_PRESSURE_MEMORY,
  KYMO_LIVE_PRESSURE_IO,
  KYMO_LIVE_RECEIVED,           /* of the node: bytes received from the network */
  KYMO_LIVE_SENT,
  KYMO_LIVE_N_SCALARS
} KymoLiveScalarKind;

typedef struct
{
  int64_t sum, least, most;
  uint32_t n;                   /* processes that told it; 0: none */
  uint32_t least_rank, most_rank;
  uint32_t unused;
} KymoLiveScalar;

typedef struct
{
  uint32_t rank;
  uint32_t load;                /* millionths */
} KymoLiveExtreme;

typedef struct
{
  uint64_t number;              /* the block begins that many seconds after the stream */
  uint32_t n_processes;         /* that are in it */
  uint32_t n_extreme;           /* entries of the lists */
  KymoLiveScalar scalars[KYMO_LIVE_N_SCALARS];
  KymoLiveExtreme idlest[KYMO_LIVE_N_EXTREME];  /* least load first */
  KymoLiveExtreme busiest[KYMO_LIVE_N_EXTREME]; /* most load first */
} KymoLiveHead;

/* Bins on their way into a block. By place and then by bin: most bins have few activities, so
 * little of the memory is touched. */
typedef struct
{
  uint16_t n[KYMO_LIVE_BINS];
  uint16_t ids[KYMO_LIVE_MOST_IN_BIN][KYMO_LIVE_BINS];          /* of a bin: ascending */
  uint64_t sums[KYMO_LIVE_MOST_IN_BIN][KYMO_LIVE_BINS];         /* shares times processes */
  uint32_t weight;              /* processes that are in it */
  KymoLiveHead head;
} KymoLiveMerge;

/* Largest block in the tree. */
#define KYMO_LIVE_MOST_BLOCK \
  (sizeof (KymoLiveHead) + KYMO_LIVE_BINS * (2 + 4 * (KYMO_LIVE_WHOLE / KYMO_LIVE_FOLD + 2)))

#pragma GCC visibility push (hidden)

void   kymo_live_head_scalar (KymoLiveHead        *head,
                              unsigned             kind,
                              uint32_t             rank,
                              int64_t              value);
void   kymo_live_merge_init  (KymoLiveMerge       *merge,
                              uint64_t             number);
void   kymo_live_merge_share (KymoLiveMerge       *merge,
                              const KymoLiveNames *names,
                              unsigned             bin,
                              uint16_t             id,
                              uint64_t             sum);
bool   kymo_live_merge_block (KymoLiveMerge       *merge,
                              const KymoLiveNames *names,
                              const uint16_t      *map,
                              const uint8_t       *bytes,
                              size_t               n_bytes);
size_t kymo_live_merge_write (const KymoLiveMerge *merge,
                              const KymoLiveNames *names,
                              uint8_t             *bytes,
                              size_t               room);
size_t kymo_live_merge_write_ccs (const KymoLiveMerge *merge,
                              const KymoLiveNames *names,
                              uint32_t            *carry,
                              uint8_t             *bytes);
size_t kymo_live_empty_ccs   (uint32_t             n_processes,
                              uint8_t             *bytes);

#pragma GCC visibility pop
