/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long a location is in each region: what ranks are compared by when only some of them are to
 * be written. The same nanoseconds as Kymo finds when it reads the archive, for the stream measures
 * what it would write (kymo-archive-stream.c), and time is cut as KymoSegmentBuilder cuts it.
 */
#pragma once

#include "kymo-archive-pool.h"
#include "kymo-fewest.h"
#include "kymo-proportion.h"

/** KymoArchiveState: in which a location is, besides regions */
typedef enum
{
  KYMO_ARCHIVE_OVERHEAD,        /* in no region */
  KYMO_ARCHIVE_UNTRACED,
  KYMO_ARCHIVE_REGION           /* the first; the number of the region is added */
} KymoArchiveState;

/** KymoArchiveShare: of one bar, of the time that all records have */
typedef struct
{
  uint32_t state, bar;
  uint64_t ns;
} KymoArchiveShare;

/**
 * KymoArchiveTotal: of one state
 * @ns: in it itself
 * @inclusive_ns: and in what was called from it; once where it calls itself
 * @calls: how often it was called
 * @called: how many calls it made
 */
typedef struct
{
  uint64_t state;
  uint64_t ns, inclusive_ns, calls, called;
} KymoArchiveTotal;

/** KymoArchiveCall: @region is a number of the archive */
typedef struct
{
  uint32_t region;
  uint64_t since_ns;
} KymoArchiveCall;

/**
 * KymoArchiveMeasure: {0} but for @begin_ns and @end_ns before the first call
 * @begin_ns, @end_ns: of the whole run, on the clock of rank 0
 * @open: (element-type KymoArchiveCall): calls
 * @cursor_ns: since when it is in its state, from @begin_ns
 * @first_ns, @last_ns: of its events
 * @bar: that is being filled
 * @sums: (element-type uint64_t): by state, of that bar
 * @touched: (element-type uint32_t): states that have some
 * @shares: (out) (element-type KymoArchiveShare): by bar
 * @totals: (out) (element-type KymoArchiveTotal): by state
 * @grain: (out): pieces of calls by their length
 */
typedef struct
{
  uint64_t         begin_ns, end_ns;
  KymoArchiveBytes open;
  uint64_t         cursor_ns, first_ns, last_ns;
  bool             is_started, has_events, is_off;
  uint32_t         bar;
  KymoArchiveBytes sums, touched, shares, totals;
  int64_t          grain[KYMO_GRAIN_BINS];
} KymoArchiveMeasure;

void kymo_archive_measure_touch (KymoArchiveMeasure *measure,
                                 uint64_t            ns);
void kymo_archive_measure_enter (KymoArchiveMeasure *measure,
                                 uint64_t            ns,
                                 uint32_t            region);
void kymo_archive_measure_leave (KymoArchiveMeasure *measure,
                                 uint64_t            ns);
void kymo_archive_measure_switch (KymoArchiveMeasure *measure,
                                 uint64_t            ns,
                                 bool                on);
bool kymo_archive_measure_end   (KymoArchiveMeasure *measure);
void kymo_archive_measure_clear (KymoArchiveMeasure *measure);
uint64_t kymo_archive_measure_edge (const KymoArchiveMeasure *measure,
                                 uint32_t            bar);
