/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One .log or .log.gz of a Projections run -> one segment.
 *
 * Reentrant: every log is read on a thread of its own.
 */
#pragma once

#include "kymo-projections-sts.h"
#include "kymo-sieve.h"
#include "kymo-spill.h"
#include "kymo-stretched.h"

G_BEGIN_DECLS

/** KymoLogIds: which ids a log uses, a bit each, 64 in a word, the lowest one first */
typedef struct
{
  guint64 entries[KYMO_STS_MAX_ENTRY_ID / 64];
  guint64 events[KYMO_STS_N_EVENT_IDS / 64];
} KymoLogIds;

/**
 * KymoLogCare:
 * @KYMO_LOG_TRUSTING: all records that can be understood count
 * @KYMO_LOG_WATCHFUL: the same, but a log with signs of damage is not kept
 * @KYMO_LOG_CAREFUL: records count whose times fit
 * @KYMO_LOG_UNTIL_DAMAGE: records count up to the first one that does not fit
 */
typedef enum
{
  KYMO_LOG_TRUSTING,
  KYMO_LOG_WATCHFUL,
  KYMO_LOG_CAREFUL,
  KYMO_LOG_UNTIL_DAMAGE,
} KymoLogCare;

/**
 * KymoLogRequest:
 * @path: the file
 * @name: what the load report calls it
 * @pe: the PE, from the file's name
 * @sts: names and versions
 * @n_activities: of the run
 * @report: told of what was lost or repaired
 * @check_names: compare the first begin records with the .sts
 * @spill: the account of what all logs together take in memory; not for
 *   kymo_projections_log_scan()
 * @threads_left: (atomic) (nullable): threads that have nothing to do; a large
 *   log takes them, and gives them back when it is read
 * @share_bytes: a log is large while this many bytes of its file are left; 0 for
 *   what is good
 * @piece_bytes: the most bytes to read at once, 0 for what is good: the result
 *   is the same for any
 * @care: how far records are believed
 * @axis: (nullable): of a careful reading: the span of the logs without damage
 * @ends_alone: the first reading found END_COMPUTATION long after the record before it
 */
typedef struct
{
  const char    *path;
  const char    *name;
  gint64         pe;
  const KymoSts *sts;
  guint          n_activities;
  KymoReport    *report;
  gboolean       check_names;
  KymoSpill     *spill;
  gint          *threads_left;
  gint64         share_bytes;
  gsize          piece_bytes;
  KymoLogCare    care;
  const KymoSpan *axis;
  gboolean       ends_alone;
} KymoLogRequest;

/**
 * KymoLogResult:
 * @segment: (nullable): the records; %NULL where none could be read
 * @care: with which the log has to be read again, where it was read watchfully
 *   and is doubtful
 * @reach: where the records lie
 * @reduced: the runtime cut records away
 * @kept: records beside begin, end and phases were left
 * @cpu_ns: processor time from the first begin of a block to the last end; 0 = not told
 * @cpu_clock: how well processor times fit single blocks
 * @stretched: (nullable): #KymoStretched, blocks that had no processor for longest
 * @stretch_sums: (nullable): #KymoStretchSum of all such blocks
 * @n_misfits: number of the first begin records that do not fit the .sts, and
 *   too many for a chance
 * @out_of_memory: the limit was reached
 */
typedef struct
{
  KymoSegment *segment;
  KymoLogCare  care;
  KymoReach    reach;
  gboolean     reduced;
  gboolean     kept;
  gint64       cpu_ns;
  KymoCpuClock cpu_clock;
  GArray      *stretched;
  GArray      *stretch_sums;
  gint64       n_misfits;
  gboolean     out_of_memory;
} KymoLogResult;

void kymo_projections_log_read (const KymoLogRequest *request,
                                KymoJob              *job,
                                KymoLogResult        *result);
void kymo_projections_log_result_clear (KymoLogResult *result);
void kymo_projections_log_scan (const KymoLogRequest *request,
                                KymoJob              *job,
                                KymoLogIds           *ids);

G_END_DECLS
