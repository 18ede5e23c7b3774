/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Blocks that lasted longer than they had a processor: what the files tell of the processor time of
 * each. Plain data, sorted by location, then begin.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * KymoCpuClock: how well the processor times of a location fit its single blocks
 * @KYMO_CPU_CLOCK_NONE: they are not told, or the log is damaged
 * @KYMO_CPU_CLOCK_COARSE: they advance by ticks, as of threads that share a process: a block is
 *   said to have lost less, by the longest tick
 * @KYMO_CPU_CLOCK_FINE: to the microsecond
 */
typedef enum
{
  KYMO_CPU_CLOCK_NONE,
  KYMO_CPU_CLOCK_COARSE,
  KYMO_CPU_CLOCK_FINE,
} KymoCpuClock;

/**
 * KymoStretched: a block
 * @cpu_ns: the processor time from its begin to its end, as told
 * @excess_ns: for how long it had no processor, at least; without the blocks inside it
 * @location, @activity: indices in the run
 */
typedef struct
{
  gint64  begin_ns;
  gint64  end_ns;
  gint64  cpu_ns;
  gint64  excess_ns;
  guint32 location;
  guint32 activity;
} KymoStretched;

/** KymoStretchSum: of all such blocks of an activity at a location, also those not kept */
typedef struct
{
  gint64  excess_ns;
  gint64  n_blocks;
  guint32 location;
  guint32 activity;
} KymoStretchSum;

/** KYMO_STRETCHED_MOST: the most blocks that are kept of a location, those with the most excess */
#define KYMO_STRETCHED_MOST 256

struct _KymoRun;

void     kymo_stretched_sort     (GArray *blocks);
void     kymo_run_add_stretched  (struct _KymoRun *run,
                                  const GArray    *blocks,
                                  const GArray    *sums);
void     kymo_stretched_shift    (GArray       *blocks,
                                  const gint64 *offsets_ns);
guint    kymo_stretched_first    (const GArray *blocks,
                                  guint32       location);
guint    kymo_stretched_first_sum
                                 (const GArray *sums,
                                  guint32       location);
gboolean kymo_stretched_are_good (const GArray *blocks,
                                  const GArray *sums,
                                  guint         n_locations,
                                  guint         n_activities,
                                  gint64        most_ns);
const KymoStretched *kymo_stretched_find (const GArray *blocks,
                                  guint32       location,
                                  gint64        begin_ns,
                                  gint64        end_ns,
                                  guint32       activity);

G_END_DECLS
