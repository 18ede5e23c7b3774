/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long each thread was in each region, in bins of 1 ms.
 *
 * A thread that enters or leaves a region adds the time since its last change to a ring of its
 * own and publishes in which region it is now and since when; that costs a few nanoseconds. The
 * helper thread takes whole bins out of all rings. What a thread is in at that moment counts up
 * to the end of the last bin, so one long call holds nothing back; when it ends at last, bins that
 * were taken already are passed over.
 *
 * Bins before that of `since` do not change any more, so the helper copies them without a lock;
 * only that one bin and what was published are read under the sequence counter.
 */
#pragma once

#include "kymo-live-block.h"
#include "kymo-rec.h"

#define KYMO_LIVE_RING (1u << 12)       /* bins of a thread that can wait for the helper */
#define KYMO_LIVE_SLOTS 15              /* regions of a thread in a bin; more become others */
#define KYMO_LIVE_MOST_REGIONS 65534u
#define KYMO_LIVE_NO_REGION UINT32_MAX

/* A bin of a thread. */
typedef struct
{
  uint32_t number;              /* of the bin + 1, cut to 32 bits; another one: it is empty */
  uint16_t n;
  uint16_t regions[KYMO_LIVE_SLOTS];    /* region + 1; 0 = others */
  uint32_t ticks[KYMO_LIVE_SLOTS];
} KymoLiveBin;

/* What the helper makes of the rings: a second of the process. */
typedef struct
{
  uint16_t n[KYMO_LIVE_BINS];
  uint16_t n_threads[KYMO_LIVE_BINS];   /* that were in some region */
  uint16_t regions[KYMO_LIVE_MOST_IN_BIN][KYMO_LIVE_BINS];      /* as of KymoLiveMerge */
  uint64_t ticks[KYMO_LIVE_MOST_IN_BIN][KYMO_LIVE_BINS];
} KymoLiveSecond;

/* What a thread did in a region since the stream began. */
typedef struct
{
  uint64_t calls, subcalls;
  uint64_t exclusive, inclusive;        /* ticks; recursive calls count once in the latter */
} KymoLiveSums;

/**
 * KymoLiveProfileVisit: is given what a thread did in a region
 * @thread: number of its event file
 */
typedef void (*KymoLiveProfileVisit) (uint32_t            thread,
                                      uint32_t            region,
                                      const KymoLiveSums *sums,
                                      void               *data);

/**
 * KymoLiveErrand: something that the main thread is to do at its next call that is followed
 * @thread: its event file
 * @time: of that call, ticks
 */
typedef void (*KymoLiveErrand) (KymoRecThread *thread,
                                uint64_t       time);

#pragma GCC visibility push (hidden)

void     kymo_live_bins_start (uint64_t        base_ticks,
                               double          ticks_per_ns);
uint64_t kymo_live_bins_ticks (void);
void     kymo_live_bins_take  (KymoLiveSecond *second,
                               uint64_t        first_bin,
                               unsigned        at,
                               unsigned        n_bins);
void     kymo_live_bins_sums  (uint64_t       *n_messages,
                               uint64_t       *n_bytes);

void     kymo_live_profile     (KymoLiveProfileVisit visit,
                                void           *data);
bool     kymo_live_where       (uint32_t        thread,
                                uint32_t       *region,
                                uint64_t       *since);
void     kymo_live_send_errand (KymoLiveErrand  errand);

#pragma GCC visibility pop
